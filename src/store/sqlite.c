#include "store/sqlite.h"

#include <errno.h>
#include <limits.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/escape.h"
#include "base/fs.h"
#include "base/memory.h"

enum {
  LONG_LOG = 512 << 10, /* bytes */
  COLUMNS_MAX = 32,     /* of a row; `prepare` refuses a statement that has more */
};

static const char damaged[] = "%s: %s; the store is damaged. `handoff verify` says what is wrong; restore a backup or "
                              "run `handoff rebuild`";

static ho_code fail_with(ho_db *db, ho_error *err, const char *rule, const char *format, const char *what,
                         const char *why)
{
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  ho_code code = ho_fail_file(err, HO_STORE, ho_str_of(db->path), format, what, why);
#pragma GCC diagnostic pop
  err->rule = rule;
  return code;
}

ho_code ho_sqlite_fail(ho_db *db, int rc, const char *what, ho_error *err)
{
  const char *why = db->handle ? sqlite3_errmsg(db->handle) : sqlite3_errstr(rc);
  bool shut = (rc & 0xff) == SQLITE_CANTOPEN || (rc & 0xff) == SQLITE_READONLY;
  const char *refused = shut ? ho_sqlite_refused(db->path) : NULL;
  if (refused)
    return fail_with(db, err, "store-refused", "%s: %s", what, refused);
  switch (rc & 0xff) {
  case SQLITE_NOMEM:
    return ho_fail_memory(err);
  case SQLITE_CORRUPT:
  case SQLITE_NOTADB:
    return fail_with(db, err, "store-damaged", damaged, what, why);
  case SQLITE_BUSY:
  case SQLITE_LOCKED:
  case SQLITE_PROTOCOL:
    return ho_sqlite_fail_busy(db, err);
  case SQLITE_FULL:
    return fail_with(db, err, "store-full", "%s: the disk is full (%s)", what, why);
  case SQLITE_READONLY:
    return fail_with(db, err, "store-read-only", "%s: it is read-only (%s)", what, why);
  case SQLITE_CANTOPEN:
    if (db->handle && ho_sqlite_read_only(db))
      return fail_with(
          db, err, "store-read-only",
          "%s: its log (handoff.db-wal) cannot be read in a read-only folder; copy the folder somewhere writable (%s)",
          what, why);
    return fail_with(db, err, "store-failed", "%s: %s", what, why);
  case SQLITE_TOOBIG:
    return ho_fail_file(err, HO_LIMIT, ho_str_of(db->path), "%s: %s", what, why);
  default:
    return fail_with(db, err, "store-failed", "%s: %s", what, why);
  }
}

ho_code ho_sqlite_script(ho_db *db, const char *text, ho_error *err)
{
  int rc = sqlite3_exec(db->handle, text, NULL, NULL, NULL);
  return rc == SQLITE_OK ? HO_OK : ho_sqlite_fail(db, rc, "the store failed", err);
}

/* Whoever opens the store reads the log, so a long one is moved into the database anyway. */
static off_t log_size(const char *path)
{
  char log[PATH_MAX];
  struct stat info;
  int n = snprintf(log, sizeof log, "%s-wal", path);
  return n > 0 && (size_t)n < sizeof log && ho_fs_stat(log, &info) == 0 ? info.st_size : -1;
}

static bool log_is_short(const char *path)
{
  off_t size = log_size(path);
  return size >= 0 && size < LONG_LOG;
}

static void close_db(ho_db *db)
{
  if (!db)
    return;
  for (size_t i = 0; i < HO_SQL_COUNT; i++)
    sqlite3_finalize(db->statements[i]);
  sqlite3_finalize(db->data_version);
  sqlite3_finalize(db->read);
  sqlite3_finalize(db->write);
  sqlite3_finalize(db->keep);
  if (db->leaves_log && log_is_short(db->path))
    sqlite3_db_config(db->handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
  sqlite3_close(db->handle);
  ho_sqlite_at_work(NULL);
  ho_free(db->path);
  ho_free(db);
}

#ifdef HO_FAULT
/* In the fault build, SQLite's allocations fail like ours. SQLite asks for sizes, so they are stored in front. */
enum { HEAD = 16 };

static void *take_memory(int n)
{
  char *block = ho_malloc((size_t)n + HEAD);
  if (!block)
    return NULL;
  *(int *)(void *)block = n;
  return block + HEAD;
}

static void give_back(void *memory)
{
  ho_free((char *)memory - HEAD);
}

static void *resize(void *memory, int n)
{
  char *block = ho_realloc((char *)memory - HEAD, (size_t)n + HEAD);
  if (!block)
    return NULL;
  *(int *)(void *)block = n;
  return block + HEAD;
}

static int size_of(void *memory)
{
  return *(int *)(void *)((char *)memory - HEAD);
}

static int round_up(int n)
{
  return (n + 7) & ~7;
}

static int no_start(void *data)
{
  (void)data;
  return SQLITE_OK;
}

static void no_end(void *data)
{
  (void)data;
}

static void use_our_memory(void)
{
  static const sqlite3_mem_methods methods = {take_memory, give_back, resize, size_of,
                                              round_up,    no_start,  no_end, NULL};
  sqlite3_config(SQLITE_CONFIG_MALLOC, &methods); /* refused, but not needed, once SQLite has started */
  sqlite3_config(SQLITE_CONFIG_LOOKASIDE, 0, 0);
}
#else
/* Nobody asks how much memory SQLite uses, and keeping count costs a lock per allocation. */
static void use_our_memory(void)
{
  sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}
#endif

/* Is the store's folder not writable, although the store can be read? */
static bool is_read_only(const char *path)
{
  char folder[4096];
  ho_error_copy(folder, sizeof folder, ho_fs_parent(ho_str_of(path)));
  return access(path, R_OK) == 0 && access(folder, W_OK) != 0 && (errno == EROFS || errno == EACCES);
}

/* Even for reading, SQLite wants to write beside the file, unless it is told that nobody changes it. That is true if
 * the log is empty; otherwise the log has to be read, and SQLite tries. */
static int open_read_only(ho_db *db, const char *path)
{
  struct stat info;
  ho_buf url;
  ho_buf_init(&url, 0);
  ho_buf_printf(&url, "%s-wal", path);
  bool still = !url.failed && (ho_fs_stat(url.p, &info) != 0 || info.st_size == 0);
  ho_buf_reset(&url);
  ho_buf_puts(&url, "file:");
  ho_escape_percent(&url, ho_str_of(path), "%?#");
  ho_buf_puts(&url, still ? "?immutable=1" : "?mode=ro");
  int flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_URI;
  int rc = url.failed ? SQLITE_NOMEM : sqlite3_open_v2(url.p, &db->handle, flags, NULL);
  ho_buf_free(&url);
  return rc;
}

static ho_code open_handle(ho_db *db, const char *path, bool create, ho_error *err)
{
  use_our_memory();
  ho_code code = ho_sqlite_guard(path, err);
  if (code)
    return code;
  db->new_log = log_size(path) < 0;
  int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | (create ? SQLITE_OPEN_CREATE : 0);
  int rc = is_read_only(path) ? open_read_only(db, path) : ho_sqlite_open(db, path, flags);
  if (rc != SQLITE_OK)
    return ho_sqlite_fail(db, rc, "cannot be opened", err);
  sqlite3_extended_result_codes(db->handle, 1);
  sqlite3_busy_handler(db->handle, ho_sqlite_wait, db);
  ho_sqlite_at_work(db);
  /* A store may come from a stranger: SQL inside it gets no more rights than it needs. */
  sqlite3_db_config(db->handle, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
  sqlite3_db_config(db->handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
  /* No plan depends on what is bound: else a statement that could use an index of some rows is compiled anew each time. */
  sqlite3_db_config(db->handle, SQLITE_DBCONFIG_ENABLE_QPSG, 1, NULL);
  /* The log file stays, emptied, when the last process closes: creating and removing it would slow down every
   * command. */
  int keep = 1;
  sqlite3_file_control(db->handle, NULL, SQLITE_FCNTL_PERSIST_WAL, &keep);
  return ho_sqlite_script(db,
                          "PRAGMA synchronous = NORMAL; PRAGMA temp_store = MEMORY; PRAGMA cache_size = -32000;"
                          "PRAGMA journal_size_limit = 4194304",
                          err);
}

static ho_code open_db(const char *path, bool create, ho_db **out, ho_error *err)
{
  size_t n = strlen(path) + 1;
  ho_db *db = ho_malloc(sizeof *db);
  if (!db)
    return ho_fail_memory(err);
  *db = (ho_db){.path = ho_malloc(n)};
  if (!db->path) {
    close_db(db);
    return ho_fail_memory(err);
  }
  memcpy(db->path, path, n);
  ho_code code = open_handle(db, path, create, err);
  if (code)
    close_db(db);
  else
    *out = db;
  return code;
}

/* Prepares a statement of the table. SQLite numbers parameters written as ?1; a $1 would be a name to look up. */
static ho_code prepare(ho_db *db, ho_sql statement, sqlite3_stmt **out, ho_error *err)
{
  if (!db->statements[statement]) {
    ho_str text = ho_str_of(ho_sql_text(statement));
    char *copy = ho_malloc(text.n + 1);
    if (!copy)
      return ho_fail_memory(err);
    for (size_t i = 0; i <= text.n; i++)
      copy[i] = text.p[i] == '$' ? '?' : text.p[i];
    int rc = sqlite3_prepare_v3(db->handle, copy, (int)text.n + 1, SQLITE_PREPARE_PERSISTENT,
                                &db->statements[statement], NULL);
    ho_free(copy);
    if (rc != SQLITE_OK)
      return ho_sqlite_fail(db, rc, "the store failed", err);
    if (sqlite3_column_count(db->statements[statement]) > COLUMNS_MAX) {
      sqlite3_finalize(db->statements[statement]);
      db->statements[statement] = NULL;
      return ho_fail(err, HO_BUG, "a statement has more than %d columns (COLUMNS_MAX in store/sqlite.c): %.*s",
                     COLUMNS_MAX, HO_ARG(ho_str_sub(text, 0, text.n < 100 ? text.n : 100)));
    }
  }
  *out = db->statements[statement];
  return HO_OK;
}

/* Parameters that the statement does not have are skipped, so that similar statements can share one list. */
static int bind(sqlite3_stmt *statement, const ho_value *params, size_t count)
{
  int rc = SQLITE_OK, wanted = sqlite3_bind_parameter_count(statement);
  if ((size_t)wanted > count)
    return SQLITE_RANGE;
  for (int i = 1; i <= wanted && rc == SQLITE_OK; i++) {
    const ho_value *value = &params[i - 1];
    if (value->number)
      rc = sqlite3_bind_int64(statement, i, value->i);
    else
      rc = sqlite3_bind_text64(statement, i, value->s.p ? value->s.p : "", value->s.n, SQLITE_STATIC, SQLITE_UTF8);
  }
  return rc;
}

/* Some failures (out of memory, disk full) make SQLite roll back the whole transaction. What follows must not run on
 * its own then, even if the caller could do without the part that failed. */
static ho_code check_within(ho_db *db, ho_error *err)
{
  if (!db->within || !sqlite3_get_autocommit(db->handle))
    return HO_OK;
  if (db->lost == HO_MEMORY)
    return ho_fail_memory(err);
  return fail_with(db, err, "store-failed", "%s: %s", "the store failed",
                   "an earlier failure rolled back the transaction");
}

static ho_code give_row(sqlite3_stmt *statement, ho_row_each each, void *data, ho_error *err)
{
  ho_value columns[COLUMNS_MAX] = {0};
  int count = sqlite3_column_count(statement);
  for (int i = 0; i < count; i++) {
    int type = sqlite3_column_type(statement, i);
    columns[i].number = type == SQLITE_INTEGER;
    if (columns[i].number) {
      columns[i].i = sqlite3_column_int64(statement, i);
      columns[i].s = HO_EMPTY;
      continue;
    }
    const char *text = (const char *)sqlite3_column_text(statement, i);
    if (!text && type != SQLITE_NULL)
      return ho_fail_memory(err);
    columns[i].s = (ho_str){text ? text : "", text ? (size_t)sqlite3_column_bytes(statement, i) : 0};
  }
  return each(data, columns, err);
}

static ho_code run(ho_db *db, ho_sql number, const ho_value *params, size_t count, ho_row_each each, void *data,
                   int64_t *changes, ho_error *err)
{
  sqlite3_stmt *statement = NULL;
  ho_code code = check_within(db, err);
  if (!code)
    code = prepare(db, number, &statement, err);
  if (code)
    return code;
  int rc = bind(statement, params, count);
  while (rc == SQLITE_OK || rc == SQLITE_ROW) {
    rc = sqlite3_step(statement);
    if (rc == SQLITE_ROW && each && (code = give_row(statement, each, data, err)))
      break;
  }
  if (!code && rc != SQLITE_DONE)
    code = ho_sqlite_fail(db, rc, "the store failed", err);
  if (code && db->within && !db->lost && sqlite3_get_autocommit(db->handle))
    db->lost = code;
  if (!code && changes)
    *changes = sqlite3_changes64(db->handle);
  sqlite3_reset(statement);
  sqlite3_clear_bindings(statement);
  return code;
}

/* Writers need the log: a copy made by `backup` has none until it is written to. A database that cannot have one (another
 * program keeps it open) syncs when it commits. */
static ho_code ensure_log(ho_db *db, ho_error *err)
{
  sqlite3_stmt *statement = NULL;
  int rc = sqlite3_prepare_v2(db->handle, "PRAGMA journal_mode = WAL", -1, &statement, NULL);
  bool has = rc == SQLITE_OK && (rc = sqlite3_step(statement)) == SQLITE_ROW &&
             strcmp((const char *)sqlite3_column_text(statement, 0), "wal") == 0;
  sqlite3_finalize(statement);
  if ((rc & 0xff) == SQLITE_NOMEM)
    return ho_fail_memory(err);
  db->logged = has;
  return ho_sqlite_script(db, has ? "PRAGMA synchronous = NORMAL" : "PRAGMA synchronous = FULL", err);
}

/* Every command runs them, so they are prepared once. */
static ho_code control(ho_db *db, sqlite3_stmt **statement, const char *text, ho_error *err)
{
  int rc =
      *statement ? SQLITE_OK : sqlite3_prepare_v3(db->handle, text, -1, SQLITE_PREPARE_PERSISTENT, statement, NULL);
  if (rc == SQLITE_OK)
    rc = sqlite3_step(*statement);
  ho_code code = rc == SQLITE_DONE ? HO_OK : ho_sqlite_fail(db, rc, "the store failed", err);
  sqlite3_reset(*statement);
  return code;
}

static ho_code begin(ho_db *db, ho_begin mode, ho_error *err)
{
  db->writes = mode == HO_BEGIN_WRITE;
  ho_code code = db->writes && !db->logged ? ensure_log(db, err) : HO_OK;
  if (!code)
    code =
        mode == HO_BEGIN_READ ? control(db, &db->read, "BEGIN", err) : control(db, &db->write, "BEGIN IMMEDIATE", err);
  db->within = code == HO_OK;
  db->writes = false;
  db->lost = HO_OK;
  return code;
}

static ho_code commit(ho_db *db, ho_error *err)
{
  ho_code code = check_within(db, err);
  if (!code)
    code = control(db, &db->keep, "COMMIT", err);
  if (!code)
    db->within = false;
  return code;
}

/* SQLite would sync the log inside of COMMIT, while nobody else can write. */
static ho_code sync_log(ho_db *db, ho_error *err)
{
  sqlite3_file *log = NULL;
  if (!db->logged || sqlite3_file_control(db->handle, "main", SQLITE_FCNTL_JOURNAL_POINTER, &log) != SQLITE_OK ||
      !log || !log->pMethods)
    return HO_OK;
  int rc = log->pMethods->xSync(log, SQLITE_SYNC_NORMAL | SQLITE_SYNC_DATAONLY);
  if (db->new_log)
    ho_fs_sync(db->path);
  db->new_log = false;
  return rc == SQLITE_OK ? HO_OK
                         : fail_with(db, err, "store-unsynced", "%s: %s", "recorded, but the disk did not confirm it",
                                     sqlite3_errstr(rc));
}

static void rollback(ho_db *db)
{
  db->within = false;
  if (!sqlite3_get_autocommit(db->handle))
    sqlite3_exec(db->handle, "ROLLBACK", NULL, NULL, NULL);
}

static void leave_log(ho_db *db)
{
  db->leaves_log = true;
}

const ho_driver ho_driver_sqlite = {
    .name = "sqlite",
    .open = open_db,
    .close = close_db,
    .leave_log = leave_log,
    .begin = begin,
    .commit = commit,
    .sync = sync_log,
    .rollback = rollback,
    .run = run,
    .script = ho_sqlite_script,
    .version = ho_sqlite_version,
    .set_version = ho_sqlite_set_version,
    .schema = ho_sqlite_schema,
    .backup = ho_sqlite_backup,
    .take = ho_sqlite_take,
    .moved = ho_sqlite_moved,
    .in_use = ho_sqlite_in_use,
    .read_only = ho_sqlite_read_only,
    .scratch = ho_sqlite_scratch,
    .check = ho_sqlite_check,
    .indexed = ho_sqlite_indexed,
    .changed = ho_sqlite_changed,
};
