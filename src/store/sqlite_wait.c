/* Waiting for SQLite's own locks, which whoever holds the database takes for moments: a writer, the first one that opens it,
 * the last one that closes it. A process that was stopped in such a moment may stay so for good. */
#include <stdio.h>
#include <time.h>

#include "base/fs.h"
#include "base/time.h"
#include "store/sqlite.h"

enum {
  WRITER_MS = 30000,
  READER_MS = 10000,  /* others may be slow */
  STOPPED_MS = 1000,  /* of one who is stopped, nothing can be expected */
  GAP_MS = 1000,      /* between two waits */
  LONGEST_NAP_MS = 50 /* so that a moment is not missed */
};

/* The bytes that SQLite locks: of the index of the log, and of the database. */
enum { INDEX_FROM = 120, INDEX_TO = 128, DATABASE_FROM = 0x40000000, DATABASE_TO = DATABASE_FROM + 511 };

static _Thread_local const ho_db *opened; /* the last one */
static _Thread_local struct {
  int64_t since, last;
  bool in_vain;
} sleeping;

static void find_holder(const ho_db *db, ho_fs_holder *out)
{
  char index[PATH_MAX];
  int n = snprintf(index, sizeof index, "%s-shm", db->path);
  *out = (ho_fs_holder){0};
  if (n > 0 && (size_t)n < sizeof index)
    ho_fs_file_holder(index, INDEX_FROM, INDEX_TO, out);
  if (!out->pid || !out->stopped) {
    ho_fs_holder other;
    ho_fs_file_holder(db->path, DATABASE_FROM, DATABASE_TO, &other);
    if (!out->pid || other.stopped)
      *out = other;
  }
}

static bool is_in_vain(const ho_db *db, int64_t waited)
{
  ho_fs_holder holder;
  if (db->writes || waited < STOPPED_MS)
    return false;
  find_holder(db, &holder);
  return holder.stopped;
}

void ho_sqlite_at_work(const ho_db *db)
{
  opened = db;
}

int ho_sqlite_wait(void *data, int times)
{
  ho_db *db = data;
  int64_t now = ho_time_monotonic_ms();
  if (!times)
    db->waits_since = now;
  int64_t waited = now - db->waits_since;
  if (waited >= (db->writes ? WRITER_MS : READER_MS) || is_in_vain(db, waited))
    return 0;
  long nap = times < LONGEST_NAP_MS ? times + 1 : LONGEST_NAP_MS;
  nanosleep(&(struct timespec){0, nap * 1000000}, NULL);
  return 1;
}

bool ho_sqlite_sleeps_in_vain(void)
{
  int64_t now = ho_time_monotonic_ms();
  if (now - sleeping.last > GAP_MS) {
    sleeping.since = now;
    sleeping.in_vain = false;
  }
  sleeping.last = now;
  sleeping.in_vain = sleeping.in_vain || (opened && is_in_vain(opened, now - sleeping.since));
  return sleeping.in_vain;
}

ho_code ho_sqlite_fail_busy(const ho_db *db, ho_error *err)
{
  ho_fs_holder holder;
  char since[48] = "";
  find_holder(db, &holder);
  if (holder.pid && holder.age >= 0)
    snprintf(since, sizeof since, ", started %lld second%s ago,", (long long)holder.age, holder.age == 1 ? "" : "s");
  ho_code code = holder.pid ? ho_fail_file(err, HO_STORE, ho_str_of(db->path), "the store is locked: %s%s holds it; %s",
                                           holder.who, since, holder.advice)
                            : ho_fail_file(err, HO_STORE, ho_str_of(db->path),
                                           "another process had locked the store for too long; try again");
  err->rule = "store-busy";
  return code;
}

bool ho_sqlite_in_use(const char *path, char *who, size_t size)
{
  ho_fs_holder holder;
  const ho_db db = {.path = (char *)path};
  find_holder(&db, &holder);
  snprintf(who, size, "%s", holder.who);
  return holder.pid != 0;
}
