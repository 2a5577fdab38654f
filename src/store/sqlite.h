/* Internals of the SQLite driver, shared by sqlite.c and sqlite_keep.c, the only files that include sqlite3.h. */
#ifndef HO_STORE_SQLITE_H
#define HO_STORE_SQLITE_H

#include "store/driver.h"

struct sqlite3;
struct sqlite3_stmt;

struct ho_db {
  struct sqlite3 *handle;
  struct sqlite3_stmt *statements[HO_SQL_COUNT]; /* prepared when first run */
  struct sqlite3_stmt *data_version;
  struct sqlite3_stmt *read, *write, *keep; /* BEGIN, BEGIN IMMEDIATE, COMMIT; prepared when first run */
  char *path;
  bool leaves_log;      /* see leave_log of the driver */
  bool within;          /* a transaction was begun, and neither committed nor rolled back by us */
  ho_code lost;         /* the failure after which SQLite itself rolled back; HO_OK if none */
  bool new_log;         /* there was no log: its name is not synced yet */
  bool logged;          /* it is known to have a write-ahead log, which `sync` syncs */
  bool writes;          /* waits to write: longer than readers */
  int64_t waits_since;  /* monotonic ms */
  int64_t seen_version; /* the data version when changed() was last called */
};

/* Reports the connection's last failure. what: "cannot be opened" and the like. */
ho_code ho_sqlite_fail(struct ho_db *db, int rc, const char *what, ho_error *err);

/* ---- Waiting for SQLite's locks (sqlite_wait.c) */

/* A handler for a busy database: waits for a moment; 0 if that was long enough. */
int ho_sqlite_wait(void *db, int times);
/* SQLite also sleeps without asking it: has it done so for long enough, for the database opened last? */
void ho_sqlite_at_work(const ho_db *db); /* NULL: none */
bool ho_sqlite_sleeps_in_vain(void);
/* Says who holds the lock. */
ho_code ho_sqlite_fail_busy(const ho_db *db, ho_error *err);
bool ho_sqlite_in_use(const char *path, char *who, size_t size);

/* SQLite's files are opened and removed through the guard (base/fs.h). HO_STORE if it refuses one of them, or if a
 * journal beside the database would make SQLite remove another file. */
ho_code ho_sqlite_guard(const char *path, ho_error *err);
/* As sqlite3_open_v2; below a folder .handoff, no link is followed. */
int ho_sqlite_open(struct ho_db *db, const char *path, int flags);
/* Why the guard refuses one of the database's files; NULL if it does not. */
const char *ho_sqlite_refused(const char *path);

ho_code ho_sqlite_version(ho_db *db, int64_t *version, bool *empty, ho_error *err);
ho_code ho_sqlite_set_version(ho_db *db, int64_t version, ho_error *err);
ho_code ho_sqlite_schema(ho_db *db, char out[HO_DIGEST_SIZE], ho_error *err);
ho_code ho_sqlite_backup(ho_db *db, const char *path, const char *script, ho_error *err);
ho_code ho_sqlite_take(ho_db *from, ho_db *to, const char *table, bool *whole, ho_error *err);
bool ho_sqlite_moved(ho_db *db);
bool ho_sqlite_read_only(ho_db *db);
ho_code ho_sqlite_scratch(ho_db *db, ho_db **out, ho_error *err);
ho_code ho_sqlite_check(ho_db *db, bool quick, ho_row_each each, void *data, ho_error *err);
ho_code ho_sqlite_indexed(ho_db *db, const char *index, ho_sql texts, const ho_value *params, size_t count, bool *yes,
                          ho_error *err);
ho_code ho_sqlite_changed(ho_db *db, bool *changed, ho_error *err);
ho_code ho_sqlite_script(ho_db *db, const char *text, ho_error *err);
#endif
