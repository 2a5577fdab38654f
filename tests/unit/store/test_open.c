/* Opening: versions, foreign and damaged files, copies. */
#include "store/support.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <sys/stat.h>

#include "store/handoffs/chain.h"
#include "store/handoffs/handoffs.h"
#include "store/inside.h"

static void sql(const char *path, const char *text)
{
  sqlite3 *handle;
  char *message = NULL;
  assert_int_equal(sqlite3_open(path, &handle), SQLITE_OK);
  if (sqlite3_exec(handle, text, NULL, NULL, &message) != SQLITE_OK)
    fail_msg("%s: %s", text, message);
  assert_int_equal(sqlite3_close(handle), SQLITE_OK);
}

/* A step that stores have already taken is never taken again: what is changed in it is missing in those stores. */
static void test_steps(void **state)
{
  static const char *const known[] = {"9a71bcbe6fe1d2d1d255cf74f66dd3c710aeef83eb9d8d8c872b82f2c73d5f9c",
                                      "f9b9f712ede9e3024c3fb356ed6b1f5ea8ed885225b9132ab7389e2db31bcb0f",
                                      "e64e86c90933b9f3128b10a573907e58f7b675b10e8ec9b8eea499a562618212",
                                      "ccf78390f635526973a15d625f5f271ffcf189cf9934f4aff394b860092513d7",
                                      "e381ad00c800a985bc58c805aad5dec981dcafa9cc9c4579f202969fc322387d",
                                      "d318a921ad350ef8304dcaf2c7dc4477b1d88c1e9bb3f7c0e5d16c01f41083ce",
                                      "cda1d84e4e5a91c9480a8d7d2ce06f99de87f1810c4fd48b42dd39f8a3a1ad88",
                                      "c8bdf7cc13df1227046e6bad27855a89088744a0309c58ae510d119302298791",
                                      "a838af0e92116bffc93f471a3250c729e403caf76c77f348ab6989f18b484a07",
                                      "53c49f249dd2e5ac8a3360ee1c375bc3f71b8b0fcc6e13e1fb7c53be444d33ad",
                                      "1055b8d5f9471d9f082a3ec70efb182c847084e389d0c9a12e87da913928ec11"};
  (void)state;
  for (int i = 0; i < ho_schema_version; i++) {
    char digest[HO_DIGEST_SIZE];
    ho_digest_text(ho_str_of(ho_schema_steps[i]), digest);
    if (i >= (int)HO_COUNT(known))
      fail_msg("step %d of the schema is new: add its digest %s to this test", i + 1, digest);
    if (strcmp(digest, known[i]) != 0)
      fail_msg("step %d of the schema (src/store/schema.c) was changed, its digest is now %s: existing stores will not "
               "have the change; add a step instead",
               i + 1, digest);
  }
}

/* What the steps make is what opening expects. */
static void test_digest(void **state)
{
  ho_db *db = NULL;
  ho_error err = {0};
  char digest[HO_DIGEST_SIZE];
  (void)state;
  assert_int_equal(ho_driver_sqlite.open("", true, &db, &err), HO_OK);
  for (int i = 0; i < ho_schema_version; i++)
    assert_int_equal(ho_driver_sqlite.script(db, ho_schema_steps[i], &err), HO_OK);
  assert_int_equal(ho_driver_sqlite.schema(db, digest, &err), HO_OK);
  if (strcmp(digest, ho_schema_digest) != 0)
    fail_msg("the steps make another schema: ho_schema_digest (src/store/schema.c) has to be %s", digest);
  ho_driver_sqlite.close(db);
}

/* Each statement of the table is SQL about tables and columns that there are, also those that no other test runs. */
static void test_statements(void **state)
{
  place *p = *state;
  sqlite3 *handle;
  assert_int_equal(sqlite3_open(p->path, &handle), SQLITE_OK);
  for (int i = 0; i < HO_SQL_COUNT; i++) {
    sqlite3_stmt *statement = NULL;
    if (sqlite3_prepare_v2(handle, ho_sql_text((ho_sql)i), -1, &statement, NULL) != SQLITE_OK)
      fail_msg("%s: %s", ho_sql_text((ho_sql)i), sqlite3_errmsg(handle));
    sqlite3_finalize(statement);
  }
  assert_int_equal(sqlite3_close(handle), SQLITE_OK);
}

static int look_for_scan(void *data, int count, char **values, char **names)
{
  (void)names;
  if (strncmp(values[count - 1], "SCAN", 4) == 0)
    fail_msg("%s reads all intents: %s", (const char *)data, values[count - 1]);
  return 0;
}

/* Whoever looks for the intents of a file does not read what hundreds of others are to write: after each commit of another
 * process, that would be read from the log again. */
static void test_intents_of_a_file(void **state)
{
  static const ho_sql wanted[] = {HO_SQL_INTENT_OF, HO_SQL_INTENT_REPLACE};
  place *p = *state;
  sqlite3 *handle;
  assert_int_equal(sqlite3_open(p->path, &handle), SQLITE_OK);
  for (size_t i = 0; i < HO_COUNT(wanted); i++) {
    const char *text = ho_sql_text(wanted[i]);
    ho_str plan = ho_arena_printf(&p->arena, "EXPLAIN QUERY PLAN %s", text);
    assert_int_equal(sqlite3_exec(handle, plan.p, look_for_scan, (void *)(uintptr_t)text, NULL), SQLITE_OK);
  }
  assert_int_equal(sqlite3_close(handle), SQLITE_OK);
}

static void test_missing(void **state)
{
  place *p = *state;
  place other = *p;
  snprintf(other.path, sizeof other.path, "%s/none/handoff.db", p->folder);
  assert_int_equal(open_store(&other, false), HO_NOT_FOUND);
  assert_true(ho_str_has(ho_str_of(other.err.message), "handoff init"));
  assert_false(ho_fs_exists(in(p, "none")));
  ho_store_options options = {.url = "postgresql://x/y"};
  assert_int_equal(ho_store_open(&options, &other.store, &other.err), HO_STORE);
  snprintf(other.path, sizeof other.path, "%s", p->folder);
  assert_int_equal(open_store(&other, false), HO_STORE);
}

static void test_again(void **state)
{
  place *p = *state;
  char url[128];
  ho_handoff row;
  added(p, "HO-1", "body");
  close_store(p);
  snprintf(url, sizeof url, "sqlite:%s", p->path);
  ho_store_options options = {.url = url, .root = p->folder};
  must(p, ho_store_open(&options, &p->store, &p->err));
  assert_string_equal(ho_store_path(p->store), p->path);
  must(p, ho_handoffs_get(p->store, HO_STR("HO-1"), &p->arena, &row, &p->err));
}

/* What the first, unreleased version had: a table meta and no version. */
static void test_older(void **state)
{
  place *p = *state;
  ho_str value;
  char copy[64];
  snprintf(copy, sizeof copy, ".handoff/handoff.db.before-v%d", ho_schema_version);
  close_store(p);
  assert_int_equal(unlink(p->path), 0);
  sql(p->path,
      "CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL); INSERT INTO meta VALUES ('old', 'kept')");
  must(p, open_store(p, false));
  must(p, ho_store_meta_get(p->store, HO_STR("old"), &p->arena, &value, &p->err));
  assert_str(value, "kept");
  added(p, "HO-1", "body");
  assert_sound(p);
  assert_true(ho_fs_is_file(in(p, copy)));
  sql(in(p, copy), "UPDATE meta SET value = value WHERE name = 'old'");
}

static void test_newer(void **state)
{
  place *p = *state;
  close_store(p);
  sql(p->path, "PRAGMA user_version = 99");
  assert_int_equal(open_store(p, true), HO_STORE);
  assert_string_equal(p->err.rule, "store-newer");
  assert_true(ho_str_has(ho_str_of(p->err.message), "newer handoff"));
}

/* A number that counts nothing: as an index it would be memory before the list of steps. */
static void test_negative(void **state)
{
  static const char *const versions[] = {"-1", "-10", "-2147483648"};
  char text[64];
  place *p = *state;
  close_store(p);
  for (size_t i = 0; i < HO_COUNT(versions); i++) {
    snprintf(text, sizeof text, "PRAGMA user_version = %s", versions[i]);
    sql(p->path, text);
    assert_int_equal(open_store(p, false), HO_STORE);
    assert_string_equal(p->err.rule, "store-damaged");
    assert_true(ho_str_has(ho_str_of(p->err.message), "handoff rebuild"));
  }
}

/* VACUUM and ANALYZE change nothing that matters; anything else that is added or changed is noticed, whatever it calls
 * itself. */
static void test_tables(void **state)
{
  static const char *const changes[] = {
      "ALTER TABLE gates RENAME TO g2; CREATE VIEW gates AS SELECT * FROM g2",
      "CREATE TRIGGER t AFTER INSERT ON events BEGIN DELETE FROM gates; END",
      "CREATE TABLE more (a)",
      "DROP INDEX gates_state",
      "CREATE VIRTUAL TABLE v USING fts5 (a)",
      "CREATE TRIGGER t AFTER INSERT ON events BEGIN DELETE FROM gates; END; PRAGMA writable_schema = 1;"
      " UPDATE sqlite_master SET type = 'table', rootpage = 2 WHERE type = 'trigger'",
  };
  place *p = *state;
  close_store(p);
  sql(p->path, "ANALYZE; VACUUM");
  must(p, open_store(p, false));
  close_store(p);
  for (size_t i = 0; i < HO_COUNT(changes); i++) {
    sql(p->path, changes[i]);
    if (open_store(p, false) != HO_STORE)
      fail_msg("not noticed: %s", changes[i]);
    assert_true(ho_str_has(ho_str_of(p->err.message), "handoff rebuild"));
    assert_int_equal(unlink(p->path), 0);
    must(p, open_store(p, true));
    close_store(p);
  }
}

static void test_foreign(void **state)
{
  place *p = *state;
  close_store(p);
  assert_int_equal(unlink(p->path), 0);
  sql(p->path, "CREATE TABLE cookies (a); PRAGMA user_version = 1");
  assert_int_equal(open_store(p, true), HO_STORE);
  assert_true(ho_str_has(ho_str_of(p->err.message), "another program"));
  must(p, ho_fs_write(p->path,
                      HO_STR("this is no database, but a text that is long enough to look like one, so that it "
                             "is not taken for an empty file: it has more than a hundred bytes"),
                      HO_FS_REPLACE, &p->err));
  assert_int_equal(open_store(p, true), HO_STORE);
  assert_string_equal(p->err.rule, "store-damaged");
  assert_true(ho_str_has(ho_str_of(p->err.message), "handoff rebuild"));
}

static void fill(place *p, int count)
{
  for (int i = 0; i < count; i++) {
    ho_str id = ho_arena_printf(&p->arena, "HO-%d", i);
    ho_handoff row = row_of(id);
    must(p, add(p, &row, ho_arena_printf(&p->arena, "%.*s %0500d", HO_ARG(id), i).p));
  }
}

/* Opens, checks and verifies; true if anything of that says that something is wrong. */
static bool noticed(place *p)
{
  flaws f = {0};
  bool bad = open_store(p, false) != HO_OK;
  ho_buf_init(&f.text, 0);
  if (!bad)
    bad = ho_chain_check_database(p->store, false, take_flaw, &f, &p->err) != HO_OK || f.count > 0;
  if (!bad)
    bad = ho_chain_verify(p->store, NULL, take_flaw, &f, &p->err) != HO_OK || f.count > 0;
  ho_buf_free(&f.text);
  close_store(p);
  return bad;
}

static void test_truncated(void **state)
{
  place *p = *state;
  struct stat info;
  fill(p, 40);
  close_store(p);
  assert_int_equal(stat(p->path, &info), 0);
  off_t step = info.st_size / 9;
  for (off_t size = info.st_size - 4096; size > 0; size -= step) {
    assert_int_equal(truncate(p->path, size), 0);
    assert_true(noticed(p));
    assert_int_equal(stat(p->path, &info), 0);
    assert_int_equal(info.st_size, size); /* left as it was found */
  }
}

/* Of bytes of text nearly every changed one is noticed: the rest is what page splits left behind, nobody's data. */
static void test_flipped(void **state)
{
  place *p = *state;
  struct stat info;
  unit_random random = {7};
  size_t seen = 0, tries = 0;
  fill(p, 40);
  close_store(p);
  assert_int_equal(stat(p->path, &info), 0);
  int fd = open(p->path, O_RDWR);
  while (tries < 100) {
    unsigned char byte, other;
    off_t at = (off_t)unit_below(&random, (size_t)info.st_size);
    assert_int_equal(pread(fd, &byte, 1, at), 1);
    if (byte < '0' || byte > 'z')
      continue;
    tries++;
    other = byte ^ (unsigned char)(1u << unit_below(&random, 7));
    assert_int_equal(pwrite(fd, &other, 1, at), 1);
    seen += noticed(p);
    assert_int_equal(pwrite(fd, &byte, 1, at), 1);
  }
  close(fd);
  assert_false(noticed(p));
  print_message("%zu of %zu flipped bits noticed\n", seen, tries);
  assert_true(seen >= 90);
}

static void test_backup(void **state)
{
  place *p = *state;
  place copy = *p;
  ho_handoff row;
  ho_arena_init(&copy.arena, 0);
  fill(p, 20);
  must(p, ho_store_backup(p->store, in(p, "copy.db"), &p->err));
  assert_int_equal(ho_store_backup(p->store, in(p, "copy.db"), &p->err), HO_CONFLICT);
  assert_int_equal(ho_store_backup(p->store, in(p, "none/copy.db"), &p->err), HO_STORE);
  added(p, "HO-later", "not in the copy");
  snprintf(copy.path, sizeof copy.path, "%s/copy.db", p->folder);
  must(&copy, open_store(&copy, false));
  must(&copy, ho_handoffs_get(copy.store, HO_STR("HO-19"), &p->arena, &row, &copy.err));
  assert_int_equal(ho_handoffs_get(copy.store, HO_STR("HO-later"), &p->arena, &row, &copy.err), HO_NOT_FOUND);
  assert_sound(&copy);
  added(&copy, "HO-own", "the copy is a store of its own");
  close_store(&copy);
  ho_arena_free(&copy.arena);
}

/* Root may write everywhere, so it becomes nobody for a while. */
static void test_read_only(void **state)
{
  enum { NOBODY = 65534 };
  place *p = *state;
  bool root = geteuid() == 0;
  fill(p, 1);
  close_store(p);
  assert_int_equal(chmod(p->folder, 0755), 0);
  assert_int_equal(chmod(in(p, ".handoff"), 0555), 0);
  if (root)
    assert_int_equal(seteuid(NOBODY), 0);
  ho_code code = open_store(p, false);
  if (!code) {
    ho_handoff row = row_of(HO_STR("HO-x"));
    code = add(p, &row, "x");
  }
  close_store(p);
  if (root)
    assert_int_equal(seteuid(0), 0);
  assert_int_equal(chmod(in(p, ".handoff"), 0700), 0);
  assert_int_equal(code, HO_STORE);
  print_message("%s\n", p->err.message);
  assert_false(noticed(p));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_steps),
      cmocka_unit_test(test_digest),
      cmocka_unit_test_setup_teardown(test_statements, begin_place, end_place),
      cmocka_unit_test_setup_teardown(test_intents_of_a_file, begin_place, end_place),
      cmocka_unit_test_setup_teardown(test_missing, begin_place, end_place),
      cmocka_unit_test_setup_teardown(test_again, begin_place, end_place),
      cmocka_unit_test_setup_teardown(test_older, begin_place, end_place),
      cmocka_unit_test_setup_teardown(test_newer, begin_place, end_place),
      cmocka_unit_test_setup_teardown(test_negative, begin_place, end_place),
      cmocka_unit_test_setup_teardown(test_tables, begin_place, end_place),
      cmocka_unit_test_setup_teardown(test_foreign, begin_place, end_place),
      cmocka_unit_test_setup_teardown(test_truncated, begin_place, end_place),
      cmocka_unit_test_setup_teardown(test_flipped, begin_place, end_place),
      cmocka_unit_test_setup_teardown(test_backup, begin_place, end_place),
      cmocka_unit_test_setup_teardown(test_read_only, begin_place, end_place),
  };
  return unit_run(tests);
}
