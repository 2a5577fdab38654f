/* How far the store has got: a few numbers in a small file beside the database, NAME.db-sync.
 *
 * They spare writers work that another one has done, and nothing else: the file is never synced, counts only for the
 * database and the start of the machine that it names, and a store without it merely syncs and looks more often. It is
 * read and written without mapping it, so that a file that somebody shortens harms nobody. */
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "base/time.h"
#include "store/inside.h"

#define MARK "HOLEVEL1"

typedef struct levels_file {
  char mark[8];
  char boot[HO_TIME_BOOT_SIZE];       /* COMMITTED and DURABLE are of this start of the machine */
  char files_boot[HO_TIME_BOOT_SIZE]; /* what is WRITTEN was seen to be there in this one */
  int64_t database;                   /* its inode */
  int64_t at[HO_LEVEL_COUNT];
} levels_file;

static bool read_levels(const ho_store *store, levels_file *out)
{
  return store->levels >= 0 && pread(store->levels, out, sizeof *out, 0) == (ssize_t)sizeof *out;
}

static void write_part(const ho_store *store, size_t offset, const void *part, size_t size)
{
  if (store->levels >= 0 && pwrite(store->levels, part, size, (off_t)offset) != (ssize_t)size)
    (void)!ftruncate(store->levels, 0); /* the disk is full: better none than half of it */
}

static bool is_ours(const ho_store *store, const levels_file *file)
{
  return memcmp(file->mark, MARK, sizeof file->mark) == 0 && file->database == store->database;
}

/* Begins anew for another database; for another start of the machine, only what is about memory. */
static void begin_anew(const ho_store *store, levels_file *file)
{
  if (!read_levels(store, file) || !is_ours(store, file)) {
    *file = (levels_file){.database = store->database};
    memcpy(file->mark, MARK, sizeof file->mark); /* nobody has looked at the files yet */
  } else if (memcmp(file->boot, store->boot, sizeof file->boot) == 0) {
    return; /* another process was faster */
  }
  memcpy(file->boot, store->boot, sizeof file->boot);
  file->at[HO_LEVEL_COMMITTED] = file->at[HO_LEVEL_DURABLE] = file->at[HO_LEVEL_FOLLOWED] = 0;
  write_part(store, 0, file, sizeof *file);
}

/* The numbers, of this database and this start of the machine; zeros if there is no such file. */
static void load(ho_store *store, levels_file *file)
{
  if (!store->boot[0]) {
    struct stat info;
    char path[PATH_MAX];
    ho_time_boot(store->boot);
    store->database = ho_fs_stat(store->path, &info) == 0 ? (int64_t)info.st_ino : 0;
    int n = snprintf(path, sizeof path, "%s-sync", store->path);
    bool fits = n > 0 && (size_t)n < sizeof path;
    store->levels = fits ? ho_fs_open_beside(path, O_RDWR | O_CREAT) : -1;
    if (fits && store->levels < 0)
      store->levels = ho_fs_open_beside(path, O_RDONLY); /* in a folder that is read-only */
  }
  *file = (levels_file){0};
  bool whole = read_levels(store, file) && is_ours(store, file);
  if (whole && memcmp(file->boot, store->boot, sizeof file->boot) == 0)
    return;
  bool replaced = store->db && store->driver->moved(store->db); /* they are the new one's */
  if (store->levels < 0 || replaced || !ho_queue_take(store, HO_LOCK_LEVELS, HO_QUEUE_BRIEFLY)) {
    *file = (levels_file){0};
    return;
  }
  begin_anew(store, file);
  ho_queue_give(store, HO_LOCK_LEVELS);
}

void ho_levels_close(ho_store *store)
{
  if (store->levels >= 0)
    close(store->levels);
  store->boot[0] = '\0';
  store->levels = -1;
}

int64_t ho_levels_get(ho_store *store, ho_level level)
{
  levels_file file;
  if (store->remembers)
    return store->known[level];
  load(store, &file);
  return file.at[level];
}

void ho_levels_remember(ho_store *store)
{
  levels_file file;
  load(store, &file);
  memcpy(store->known, file.at, sizeof store->known);
  store->remembers = true;
}

void ho_levels_forget(ho_store *store)
{
  store->remembers = false;
}

static void write_level(ho_store *store, ho_level level, int64_t value)
{
  write_part(store, offsetof(levels_file, at) + (size_t)level * sizeof value, &value, sizeof value);
}

void ho_levels_set(ho_store *store, ho_level level, int64_t value)
{
  levels_file file;
  store->known[level] = value;
  if (read_levels(store, &file) && is_ours(store, &file) && file.at[level] != value)
    write_level(store, level, value);
}

int64_t ho_store_followed(ho_store *store)
{
  int64_t event = ho_levels_get(store, HO_LEVEL_FOLLOWED);
  return store->levels < 0 ? -1 : event;
}

void ho_store_set_followed(ho_store *store, int64_t event)
{
  ho_levels_set(store, HO_LEVEL_FOLLOWED, event);
}

bool ho_levels_restarted(ho_store *store)
{
  levels_file file;
  load(store, &file);
  return memcmp(file.files_boot, store->boot, sizeof file.files_boot) != 0;
}

void ho_levels_checked(ho_store *store)
{
  write_part(store, offsetof(levels_file, files_boot), store->boot, sizeof store->boot);
}

static ho_code sync_now(ho_store *store, ho_error *err)
{
  levels_file file;
  int64_t committed = ho_levels_get(store, HO_LEVEL_COMMITTED);
  ho_code code = store->driver->sync(store->db, err);
  if (!code && read_levels(store, &file) && is_ours(store, &file) && committed > file.at[HO_LEVEL_DURABLE])
    write_level(store, HO_LEVEL_DURABLE, committed);
  return code;
}

/* One sync serves all who have committed before it began. Whoever finds another at it waits for that one, but not for
 * long: it may have been stopped, and to sync once more is always right. */
ho_code ho_levels_make_durable(ho_store *store, int64_t commit, ho_error *err)
{
  enum { NAP_NS = 100000, LONG_NAP_NS = 400000, NAPS = 200 };
  if (store->levels < 0)
    return store->driver->sync(store->db, err);
  long nap = NAP_NS;
  for (int i = 0; i < NAPS; i++) {
    if (ho_levels_get(store, HO_LEVEL_DURABLE) >= commit)
      return HO_OK;
    if (ho_queue_take(store, HO_LOCK_SYNC, 0)) {
      ho_code code = ho_levels_get(store, HO_LEVEL_DURABLE) >= commit ? HO_OK : sync_now(store, err);
      ho_queue_give(store, HO_LOCK_SYNC);
      return code;
    }
    nanosleep(&(struct timespec){0, nap}, NULL);
    nap = nap * 2 < LONG_NAP_NS ? nap * 2 : LONG_NAP_NS;
  }
  return sync_now(store, err);
}
