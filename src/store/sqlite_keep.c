/* The rarely used part of the SQLite driver: versions, copies, checks, waiting. */
#include "store/sqlite.h"

#include <sqlite3.h>
#include <unistd.h>

enum { APPLICATION = 0x484F4646 }; /* "HOFF", in the header of our files */

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
  return ho_fail_file(err, HO_STORE, ho_str_of(db->path), "is not a handoff store, but another program's database");
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

/* Copies everything into the open target. */
static ho_code copy(ho_db *db, sqlite3 *target, ho_error *err)
{
  sqlite3_backup *backup = sqlite3_backup_init(target, "main", db->handle, "main");
  int rc = backup ? sqlite3_backup_step(backup, -1) : sqlite3_errcode(target);
  if (backup)
    sqlite3_backup_finish(backup);
  if (rc == SQLITE_DONE)
    /* A single file, without companions: it can be copied and read anywhere. */
    rc = sqlite3_exec(target, "PRAGMA journal_mode = DELETE", NULL, NULL, NULL);
  if (rc == SQLITE_OK)
    return HO_OK;
  return ho_fail_file(err, HO_STORE, ho_str_of(db->path), "cannot be copied: %s", sqlite3_errmsg(target));
}

ho_code ho_sqlite_backup(ho_db *db, const char *path, ho_error *err)
{
  ho_db to = {.path = (char *)path};
  int rc = sqlite3_open_v2(path, &to.handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL);
  ho_code code = rc == SQLITE_OK ? copy(db, to.handle, err) : ho_sqlite_fail(&to, rc, "cannot be written", err);
  rc = sqlite3_close(to.handle);
  if (!code && rc != SQLITE_OK)
    code = ho_sqlite_fail(db, rc, "cannot be copied", err);
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
    code = copy(db, to->handle, err);
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
