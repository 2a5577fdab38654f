/* The rarely used part of the SQLite driver: its files, versions, copies, checks, waiting. */
#include "store/sqlite.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <sqlite3.h>
#include <unistd.h>

#include "base/fs.h"
#include "store/store.h"

enum { APPLICATION = 0x484F4646 }; /* "HOFF", in the header of our files */

/* ---- Files */

/* The files that SQLite makes beside a database. */
static const char *const tails[] = {"-wal", "-shm", "-journal"};

static bool is_companion(const char *path)
{
  for (size_t i = 0; i < HO_COUNT(tails); i++)
    if (ho_str_ends(ho_str_of(path), tails[i]))
      return true;
  return false;
}

/* A database may have several names, as a copy that saves space; written through another name of its companions, it would
 * be another file that changes. */
static int open_guarded(const char *path, int flags, int mode)
{
  (void)mode; /* what SQLite would let others read */
  return is_companion(path) ? ho_fs_open_beside(path, flags) : ho_fs_open_named(path, flags, 0600);
}

/* SQLite would sync the folder whenever a process syncs the log for the first time, as if the log were new; the driver
 * does it when it is. */
static int (*open_directory)(const char *path, int *fd);

static int open_directory_unless_log(const char *path, int *fd)
{
  *fd = -1;
  return ho_str_ends(ho_str_of(path), tails[0]) ? SQLITE_CANTOPEN : open_directory(path, fd);
}

/* Where a lock is of a kind that is not waited for with the handler, SQLite tries a hundred times, and sleeps in between. */
static int (*sleep_us)(sqlite3_vfs *vfs, int us);

static int sleep_unless_in_vain(sqlite3_vfs *vfs, int us)
{
  return ho_sqlite_sleeps_in_vain() ? us : sleep_us(vfs, us);
}

/* For every connection of this process. */
static void set_calls(void)
{
  sqlite3_vfs *vfs = sqlite3_vfs_find(NULL);
  if (!vfs || !vfs->xSetSystemCall)
    return;
  sleep_us = vfs->xSleep;
  vfs->xSleep = sleep_unless_in_vain;
  vfs->xSetSystemCall(vfs, "open", (sqlite3_syscall_ptr)open_guarded);
  vfs->xSetSystemCall(vfs, "unlink", (sqlite3_syscall_ptr)ho_fs_unlink);
  open_directory = (int (*)(const char *, int *))vfs->xGetSystemCall(vfs, "openDirectory");
  if (open_directory)
    vfs->xSetSystemCall(vfs, "openDirectory", (sqlite3_syscall_ptr)open_directory_unless_log);
}

/* A rollback journal may end with the name of a second journal, which SQLite removes when it has rolled back: any file
 * at all, if a stranger wrote it. Our transactions never have one. */
static bool names_another(const char *path)
{
  static const unsigned char mark[8] = {0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7};
  unsigned char end[sizeof mark];
  char journal[PATH_MAX];
  int n = snprintf(journal, sizeof journal, "%s-journal", path);
  int fd = n > 0 && (size_t)n < sizeof journal ? ho_fs_open_beside(journal, O_RDONLY) : -1;
  if (fd < 0)
    return false;
  off_t size = lseek(fd, 0, SEEK_END);
  bool found = size >= (off_t)sizeof end && pread(fd, end, sizeof end, size - (off_t)sizeof end) == sizeof end &&
               memcmp(end, mark, sizeof mark) == 0;
  close(fd);
  return found;
}

ho_code ho_sqlite_guard(const char *path, ho_error *err)
{
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, set_calls);
  /* Below .handoff, opening them fails in the same way. */
  const char *refused = *path && !ho_fs_own(path, NULL) ? ho_sqlite_refused(path) : NULL;
  if (refused)
    ho_fail_file(err, HO_STORE, ho_str_of(path), "cannot be opened: %s", refused);
  else if (*path && names_another(path))
    ho_fail_file(err, HO_STORE, ho_str_of(path), "the journal beside it names another file; remove %s-journal", path);
  else
    return HO_OK;
  err->rule = "store-refused";
  return HO_STORE;
}

int ho_sqlite_open(ho_db *db, const char *path, int flags)
{
  char real[PATH_MAX];
  bool own = ho_fs_own(path, NULL);
  int rc = sqlite3_open_v2(path, &db->handle, flags | (own ? SQLITE_OPEN_NOFOLLOW : 0), NULL);
  /* A link before .handoff is the user's own way to the project. */
  if (rc != SQLITE_CANTOPEN_SYMLINK &&
      (rc != SQLITE_CANTOPEN || sqlite3_extended_errcode(db->handle) != SQLITE_CANTOPEN_SYMLINK))
    return rc;
  if (!ho_fs_own(path, real) || strcmp(path, real) == 0)
    return rc;
  sqlite3_close(db->handle);
  return sqlite3_open_v2(real, &db->handle, flags | SQLITE_OPEN_NOFOLLOW, NULL);
}

const char *ho_sqlite_refused(const char *path)
{
  char file[PATH_MAX];
  struct stat info;
  /* Elsewhere, a link to a store is the user's own; what it leads to is asked the same. */
  const char *real = ho_fs_own(path, NULL) ? path : realpath(path, file);
  if (real && ho_fs_stat_beside(real, &info) != 0 && errno != ENOENT)
    return ho_fs_reason(errno);
  for (size_t i = 0; i < HO_COUNT(tails); i++) {
    int n = snprintf(file, sizeof file, "%s%s", path, tails[i]);
    if (n < 0 || (size_t)n >= sizeof file)
      continue;
    if (ho_fs_stat_beside(file, &info) != 0 ? errno != ENOENT : info.st_nlink > 1 && (errno = EMLINK))
      return ho_fs_reason(errno);
  }
  return NULL;
}

/* ---- Versions */

/* The first column of the first row, as a number. */
static ho_code ask(ho_db *db, const char *text, int64_t *out, ho_error *err)
{
  sqlite3_stmt *statement = NULL;
  int rc = sqlite3_prepare_v2(db->handle, text, -1, &statement, NULL);
  if (rc == SQLITE_OK)
    rc = sqlite3_step(statement);
  *out = rc == SQLITE_ROW ? sqlite3_column_int64(statement, 0) : 0;
  ho_code code = rc == SQLITE_ROW || rc == SQLITE_DONE ? HO_OK : ho_sqlite_fail(db, rc, "cannot be opened", err);
  sqlite3_finalize(statement);
  return code;
}

static ho_code refuse_foreign(ho_db *db, ho_error *err)
{
  ho_code code =
      ho_fail_file(err, HO_STORE, ho_str_of(db->path), "is not a handoff store, but another program's database");
  err->rule = "store-foreign";
  return code;
}

ho_code ho_sqlite_version(ho_db *db, int64_t *version, bool *empty, ho_error *err)
{
  int64_t application = 0, tables = 0, own = 0;
  ho_code code = ask(db, "PRAGMA user_version", version, err);
  if (!code)
    code = ask(db, "PRAGMA application_id", &application, err);
  if (!code && application != APPLICATION)
    code = ask(db, "SELECT count(*) FROM sqlite_master", &tables, err);
  if (!code && tables)
    code = ask(db, "SELECT count(*) FROM sqlite_master WHERE name = 'meta'", &own, err);
  if (!code && application != APPLICATION && (application != 0 || (tables && !own)))
    code = refuse_foreign(db, err);
  *empty = application != APPLICATION && tables == 0;
  return code;
}

ho_code ho_sqlite_set_version(ho_db *db, int64_t version, ho_error *err)
{
  char text[96];
  snprintf(text, sizeof text, "PRAGMA application_id = %d; PRAGMA user_version = %lld", APPLICATION,
           (long long)version);
  return ho_sqlite_script(db, text, err);
}

/* SQLite goes by the text of every row, whatever its type says, so every row counts. Left out is what ANALYZE adds. */
static const char rows_of_schema[] =
    "SELECT type, name, tbl_name, sql FROM sqlite_master WHERE coalesce(sql, '') NOT IN"
    " ('CREATE TABLE sqlite_stat1(tbl,idx,stat)', 'CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)')"
    " ORDER BY type, name, sql";

ho_code ho_sqlite_schema(ho_db *db, char out[HO_DIGEST_SIZE], ho_error *err)
{
  enum { COLUMNS = 4 };
  char length[32];
  sqlite3_stmt *statement = NULL;
  ho_digest digest;
  int rc = sqlite3_prepare_v2(db->handle, rows_of_schema, -1, &statement, NULL);
  ho_digest_begin(&digest);
  while (rc == SQLITE_OK || rc == SQLITE_ROW) {
    rc = sqlite3_step(statement);
    for (int i = 0; i < COLUMNS && rc == SQLITE_ROW; i++) {
      const char *text = (const char *)sqlite3_column_text(statement, i);
      size_t n = (size_t)sqlite3_column_bytes(statement, i);
      snprintf(length, sizeof length, "%zu:", n); /* so that no text can pass for two */
      ho_digest_put(&digest, ho_str_of(length));
      ho_digest_put(&digest, (ho_str){text ? text : "", text ? n : 0});
    }
  }
  ho_digest_end(&digest, out);
  ho_code code = rc == SQLITE_DONE ? HO_OK : ho_sqlite_fail(db, rc, "cannot be opened", err);
  sqlite3_finalize(statement);
  return code;
}

/* Copies everything into the open target. */
static ho_code copy(ho_db *db, sqlite3 *target, const char *script, ho_error *err)
{
  sqlite3_backup *backup = sqlite3_backup_init(target, "main", db->handle, "main");
  int rc = backup ? sqlite3_backup_step(backup, -1) : sqlite3_errcode(target);
  if (backup)
    sqlite3_backup_finish(backup);
  if (rc == SQLITE_DONE)
    rc = sqlite3_exec(target, script, NULL, NULL, NULL);
  if (rc == SQLITE_OK)
    /* A single file, without companions: it can be copied and read anywhere. */
    rc = sqlite3_exec(target, "PRAGMA journal_mode = DELETE", NULL, NULL, NULL);
  if (rc == SQLITE_OK)
    return HO_OK;
  return ho_fail_file(err, HO_STORE, ho_str_of(db->path), "cannot be copied: %s", sqlite3_errmsg(target));
}

ho_code ho_sqlite_backup(ho_db *db, const char *path, const char *script, ho_error *err)
{
  ho_db to = {.path = (char *)path};
  int rc = ho_sqlite_open(&to, path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
  ho_code code = rc == SQLITE_OK ? copy(db, to.handle, script, err) : ho_sqlite_fail(&to, rc, "cannot be written", err);
  rc = sqlite3_close(to.handle);
  if (!code && rc != SQLITE_OK)
    code = ho_sqlite_fail(db, rc, "cannot be copied", err);
  return code;
}

/* ---- Row by row */

typedef struct taking {
  ho_db *from, *to;
  sqlite3_stmt *up, *down, *add;
  bool left_out; /* a row */
} taking;

static ho_code prepare_taking(taking *t, const char *table, ho_error *err)
{
  char text[512];
  ho_code code = HO_OK;
  snprintf(text, sizeof text, "SELECT rowid, * FROM %s WHERE rowid > ?1 ORDER BY rowid", table);
  int rc = sqlite3_prepare_v2(t->from->handle, text, -1, &t->up, NULL);
  snprintf(text, sizeof text, "SELECT rowid, * FROM %s WHERE rowid < ?1 ORDER BY rowid DESC", table);
  if (rc == SQLITE_OK)
    rc = sqlite3_prepare_v2(t->from->handle, text, -1, &t->down, NULL);
  if (rc != SQLITE_OK)
    return ho_sqlite_fail(t->from, rc, "cannot be read", err);
  int n = snprintf(text, sizeof text, "INSERT INTO %s VALUES (?", table);
  for (int i = sqlite3_column_count(t->up) - 1; i > 1; i--)
    n += snprintf(text + n, sizeof text - (size_t)n, ", ?");
  snprintf(text + n, sizeof text - (size_t)n, ")");
  rc = sqlite3_prepare_v2(t->to->handle, text, -1, &t->add, NULL);
  if (rc != SQLITE_OK)
    code = ho_sqlite_fail(t->to, rc, "cannot be written", err);
  return code;
}

/* A row that breaks a rule of its table was damaged. */
static ho_code add_row(taking *t, sqlite3_stmt *row, ho_error *err)
{
  int rc = SQLITE_OK;
  for (int i = 1; i < sqlite3_column_count(row) && rc == SQLITE_OK; i++)
    rc = sqlite3_bind_value(t->add, i, sqlite3_column_value(row, i));
  if (rc == SQLITE_OK)
    rc = sqlite3_step(t->add);
  sqlite3_reset(t->add);
  if ((rc & 0xff) == SQLITE_CONSTRAINT || (rc & 0xff) == SQLITE_MISMATCH)
    t->left_out = true;
  else if (rc != SQLITE_DONE)
    return ho_sqlite_fail(t->to, rc, "cannot be written", err);
  return HO_OK;
}

/* Copies rows in one direction from *at, exclusive, up to `end`; *at is then the last one. *stuck: the next one cannot be
 * read. */
static ho_code run_on(taking *t, bool up, int64_t *at, int64_t end, bool *stuck, ho_error *err)
{
  sqlite3_stmt *rows = up ? t->up : t->down;
  ho_code code = HO_OK;
  int rc = sqlite3_bind_int64(rows, 1, *at);
  while (!code && rc != SQLITE_DONE) {
    rc = sqlite3_step(rows);
    if (rc != SQLITE_ROW)
      break;
    int64_t id = sqlite3_column_int64(rows, 0);
    if (up ? id <= *at : id >= *at)
      rc = SQLITE_CORRUPT; /* round in a circle */
    if (rc == SQLITE_CORRUPT || (!up && id <= end))
      break;
    code = add_row(t, rows, err);
    *at = id;
  }
  *stuck = (rc & 0xff) == SQLITE_CORRUPT || rc == SQLITE_TOOBIG;
  if (!code && !*stuck && rc != SQLITE_DONE && rc != SQLITE_ROW)
    code = ho_sqlite_fail(t->from, rc, "cannot be read", err);
  sqlite3_reset(rows);
  return code;
}

/* Behind rows that cannot be read: in growing steps to the next one that can be, and from there back to them. */
static ho_code take_rows(taking *t, ho_error *err)
{
  int64_t at = INT64_MIN, before, back;
  bool stuck = true, lost;
  ho_code code = run_on(t, true, &at, 0, &stuck, err);
  for (int64_t step = 1; !code && stuck && step < INT64_MAX / 4;) {
    t->left_out = true;
    before = at < 0 ? 0 : at; /* rows are numbered from 1 */
    if (before > INT64_MAX - step)
      break;
    int64_t from = before + step;
    back = from + 1;
    at = from;
    code = run_on(t, true, &at, 0, &stuck, err);
    bool moved = at > from || !stuck;
    if (!code && moved)
      code = run_on(t, false, &back, before, &lost, err);
    if (!moved)
      at = before;
    step = moved ? 1 : step * 2;
  }
  return code;
}

ho_code ho_sqlite_take(ho_db *from, ho_db *to, const char *table, bool *whole, ho_error *err)
{
  taking t = {.from = from, .to = to};
  ho_code code = prepare_taking(&t, table, err);
  if (!code)
    code = take_rows(&t, err);
  *whole = !code && !t.left_out;
  sqlite3_finalize(t.up);
  sqlite3_finalize(t.down);
  sqlite3_finalize(t.add);
  return code;
}

bool ho_sqlite_moved(ho_db *db)
{
  int moved = 0;
  return sqlite3_file_control(db->handle, "main", SQLITE_FCNTL_HAS_MOVED, &moved) == SQLITE_OK && moved;
}

bool ho_sqlite_read_only(ho_db *db)
{
  return sqlite3_db_readonly(db->handle, "main") == 1;
}

/* A database without a name: SQLite keeps it in memory, and spills what does not fit to an unlinked file. */
ho_code ho_sqlite_scratch(ho_db *db, ho_db **out, ho_error *err)
{
  ho_db *to = NULL;
  ho_code code = ho_driver_sqlite.open("", true, &to, err);
  if (!code)
    code = copy(db, to->handle, "", err);
  if (!code)
    *out = to;
  else if (to)
    ho_driver_sqlite.close(to);
  return code;
}

ho_code ho_sqlite_check(ho_db *db, bool quick, ho_row_each each, void *data, ho_error *err)
{
  sqlite3_stmt *statement = NULL;
  ho_code code = HO_OK;
  const char *text = quick ? "PRAGMA quick_check(100)" : "PRAGMA integrity_check(100)";
  int rc = sqlite3_prepare_v2(db->handle, text, -1, &statement, NULL);
  while (!code && rc != SQLITE_DONE && (rc == SQLITE_OK || rc == SQLITE_ROW)) {
    rc = sqlite3_step(statement);
    if (rc != SQLITE_ROW)
      break;
    ho_value value = HO_TEXT(ho_str_of((const char *)sqlite3_column_text(statement, 0)));
    if (ho_str_has(value.s, "error code=7")) /* SQLITE_NOMEM, reported like damage but not damage */
      code = ho_fail_memory(err);
    else if (!ho_str_is(value.s, "ok"))
      code = each(data, &value, err);
  }
  /* A file too damaged to be walked is a finding like the others. */
  if (!code && (rc == SQLITE_CORRUPT || (rc & 0xff) == SQLITE_CORRUPT || rc == SQLITE_NOTADB)) {
    ho_value value = HO_TEXT(ho_str_of(sqlite3_errmsg(db->handle)));
    code = each(data, &value, err);
  } else if (!code && rc != SQLITE_DONE) {
    code = ho_sqlite_fail(db, rc, "cannot be checked", err);
  }
  sqlite3_finalize(statement);
  return code;
}

/* ---- Full-text indexes.
 *
 * SQLite's own comparison of an index with its texts is a statement that writes: it would need the writer's turn, for as
 * long as it reads everything. As there, a number is added up for each word at its place, once over the texts and once
 * over the index. */

enum { LONGEST_WORD = 32768 }; /* of an index; the rest of a longer one is cut off */

typedef struct words {
  int64_t row, place;
  uint64_t sum;
} words;

static void add_word(words *w, int64_t row, int64_t place, const char *word, int n)
{
  uint64_t hash = 14695981039346656037u ^ ((uint64_t)row * 0x9E3779B97F4A7C15u) ^ ((uint64_t)place << 32);
  for (int i = 0; i < n && i < LONGEST_WORD; i++)
    hash = (hash ^ (unsigned char)word[i]) * 1099511628211u;
  w->sum += hash ^ (hash >> 31);
}

static int take_word(void *data, int flags, const char *word, int n, int begin, int end)
{
  words *w = data;
  (void)begin;
  (void)end;
  if (!(flags & FTS5_TOKEN_COLOCATED))
    w->place++;
  add_word(w, w->row, w->place, word, n);
  return SQLITE_OK;
}

typedef struct splitter {
  fts5_tokenizer calls;
  Fts5Tokenizer *self;
  ho_db *db;
  words *words;
} splitter;

/* What splits a text into words: SQLite's usual one, which the indexes of the schema have. */
static int open_splitter(splitter *s)
{
  sqlite3_stmt *statement = NULL;
  fts5_api *api = NULL;
  void *user = NULL;
  int rc = sqlite3_prepare_v2(s->db->handle, "SELECT fts5(?1)", -1, &statement, NULL);
  if (rc == SQLITE_OK)
    rc = sqlite3_bind_pointer(statement, 1, (void *)&api, "fts5_api_ptr", NULL);
  if (rc == SQLITE_OK)
    sqlite3_step(statement);
  sqlite3_finalize(statement);
  if (rc == SQLITE_OK && !api)
    rc = SQLITE_ERROR;
  if (rc == SQLITE_OK)
    rc = api->xFindTokenizer(api, "unicode61", &user, &s->calls);
  return rc == SQLITE_OK ? s->calls.xCreate(user, NULL, 0, &s->self) : rc;
}

static ho_code split_text(void *data, const ho_value *values, ho_error *err)
{
  splitter *s = data;
  s->words->row = values[0].i;
  s->words->place = -1;
  int rc = s->calls.xTokenize(s->self, s->words, FTS5_TOKENIZE_DOCUMENT, values[1].s.p, (int)values[1].s.n, take_word);
  return rc == SQLITE_OK ? HO_OK : ho_sqlite_fail(s->db, rc, "the store failed", err);
}

static int sum_index(ho_db *db, const char *index, words *w)
{
  char text[160];
  sqlite3_stmt *statement = NULL;
  snprintf(text, sizeof text, "CREATE VIRTUAL TABLE temp.index_words USING fts5vocab (main, %s, instance)", index);
  int rc = sqlite3_exec(db->handle, text, NULL, NULL, NULL);
  if (rc == SQLITE_OK)
    rc = sqlite3_prepare_v2(db->handle, "SELECT doc, offset, term FROM temp.index_words", -1, &statement, NULL);
  while (rc == SQLITE_OK && (rc = sqlite3_step(statement)) == SQLITE_ROW) {
    const char *word = (const char *)sqlite3_column_text(statement, 2);
    rc = word ? SQLITE_OK : SQLITE_NOMEM;
    if (word)
      add_word(w, sqlite3_column_int64(statement, 0), sqlite3_column_int64(statement, 1), word,
               sqlite3_column_bytes(statement, 2));
  }
  sqlite3_finalize(statement);
  sqlite3_exec(db->handle, "DROP TABLE IF EXISTS temp.index_words", NULL, NULL, NULL);
  return rc == SQLITE_DONE ? SQLITE_OK : rc;
}

ho_code ho_sqlite_indexed(ho_db *db, const char *index, ho_sql texts, const ho_value *params, size_t count, bool *yes,
                          ho_error *err)
{
  words wanted = {0}, there = {0};
  splitter s = {.db = db, .words = &wanted};
  int rc = open_splitter(&s);
  ho_code code = rc == SQLITE_OK ? HO_OK : ho_sqlite_fail(db, rc, "cannot be checked", err);
  if (!code)
    code = ho_driver_sqlite.run(db, texts, params, count, split_text, &s, NULL, err);
  if (s.self)
    s.calls.xDelete(s.self);
  *yes = false;
  if (code)
    return code;
  rc = sum_index(db, index, &there);
  if (rc != SQLITE_OK && (rc & 0xff) != SQLITE_CORRUPT)
    return ho_sqlite_fail(db, rc, "cannot be checked", err);
  *yes = rc == SQLITE_OK && wanted.sum == there.sum;
  return HO_OK;
}

ho_code ho_sqlite_changed(ho_db *db, bool *changed, ho_error *err)
{
  int rc = SQLITE_OK;
  if (!db->data_version)
    rc = sqlite3_prepare_v3(db->handle, "PRAGMA data_version", -1, SQLITE_PREPARE_PERSISTENT, &db->data_version, NULL);
  if (rc == SQLITE_OK)
    rc = sqlite3_step(db->data_version);
  if (rc != SQLITE_ROW)
    return ho_sqlite_fail(db, rc, "the store failed", err);
  int64_t version = sqlite3_column_int64(db->data_version, 0);
  sqlite3_reset(db->data_version);
  *changed = version != db->seen_version;
  db->seen_version = version;
  return HO_OK;
}

const char *ho_store_library(void)
{
  return sqlite3_libversion();
}
