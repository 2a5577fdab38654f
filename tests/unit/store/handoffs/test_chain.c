/* Events, seals and bodies that were changed by hand are found and named. */
#include "store/handoffs/bodies.h"
#include "store/handoffs/chain.h"
#include "store/handoffs/events.h"
#include "store/handoffs/seals.h"
#include "store/handoffs/search.h"
#include "store/support.h"

#include <sqlite3.h>

/* SQL past the store, as somebody with an editor would do it. */
static void tamper(place *p, const char *sql)
{
  sqlite3 *handle;
  char *message = NULL;
  assert_int_equal(sqlite3_open(p->path, &handle), SQLITE_OK);
  if (sqlite3_exec(handle, sql, NULL, NULL, &message) != SQLITE_OK)
    fail_msg("%s: %s", sql, message);
  assert_true(sqlite3_total_changes(handle) > 0);
  sqlite3_close(handle);
}

static ho_code seal_work(ho_store *store, void *data, ho_error *err)
{
  (void)data;
  return ho_seals_add(store, 5000, err);
}

static ho_code fill_work(ho_store *store, void *data, ho_error *err)
{
  place *p = data;
  for (int i = 0; i < 100; i++) {
    ho_event event = event_of("sent");
    ho_str id;
    ho_code code = ho_store_id(store, HO_STR("HO-2026"), &p->arena, &id, err);
    ho_handoff row = row_of(id);
    if (!code)
      code = ho_handoffs_add(store, &row, id, &event, &p->arena, err);
    for (int k = 0; k < 2 && !code; k++) {
      row.state = k ? HO_STR("acked") : HO_STR("claimed");
      event = event_of(k ? "acked" : "claimed");
      code = ho_handoffs_change(store, &row, k ? HO_STR("claimed") : HO_STR("ready"), &event, &p->arena, err);
    }
    if (code)
      return code;
  }
  return HO_OK;
}

/* 300 events of 100 handoffs: one seal at 256, one after. */
static int begin_filled(void **state)
{
  begin_place(state);
  place *p = *state;
  must(p, ho_store_write(p->store, fill_work, p, &p->err));
  must(p, ho_store_write(p->store, index_work, NULL, &p->err));
  must(p, ho_store_write(p->store, seal_work, NULL, &p->err));
  must(p, ho_store_write(p->store, seal_work, NULL, &p->err)); /* nothing new: no third seal */
  ho_store_numbers numbers;
  must(p, ho_store_count(p->store, &numbers, &p->err));
  assert_int_equal(numbers.events, 300);
  assert_int_equal(numbers.seals, 2);
  assert_sound(p);
  return 0;
}

static void test_seal_file(void **state)
{
  place *p = *state;
  ho_str text;
  must(p, ho_fs_read(&p->arena, in(p, ".handoff/seal"), 0, &text, &p->err));
  assert_true(ho_str_starts(text, "{\"n\":2,\"upto\":300,\"at\":5000,\"hash\":\""));
  must(p, ho_fs_write(in(p, ".handoff/seal"), HO_STR("{\"n\":3,\"upto\":400,\"at\":1,\"hash\":\"00\"}"), HO_FS_REPLACE,
                      &p->err));
  assert_flaw(p, "seal 3: the file `seal` names it, but the store does not have it");
  must(p, ho_fs_write(in(p, ".handoff/seal"), HO_STR("{\"n\":1,\"upto\":256,\"at\":1,\"hash\":\"00\"}"), HO_FS_REPLACE,
                      &p->err));
  assert_flaw(p, "seal 1: the file `seal` has a different hash for it");
  assert_int_equal(unlink(in(p, ".handoff/seal")), 0);
  assert_flaw(p, "seal 2: the file `seal` is missing");
}

static void test_event_changed(void **state)
{
  place *p = *state;
  tamper(p, "UPDATE events SET data = '{\"why\":\"tesT\"}' WHERE handoff = 'HO-2026-005' AND n = 2");
  assert_flaw(p, "event HO-2026-005 #2: its content does not match its hash");
}

static void test_event_rehashed(void **state)
{
  place *p = *state;
  tamper(p, "UPDATE events SET hash = replace(hash, 'a', 'b') WHERE handoff = 'HO-2026-005' AND n = 2");
  assert_flaw(p, "event HO-2026-005 #2: its content does not match its hash");
  assert_flaw(p, "event HO-2026-005 #3: it does not follow the event before it");
}

static void test_event_columns(void **state)
{
  static const char *const columns[] = {"at = 1", "actor = 'x'", "kind = 'x'", "row = 'x'", "prev = 'x'"};
  place *p = *state;
  for (size_t i = 0; i < HO_COUNT(columns); i++) {
    char sql[160], name[64];
    snprintf(sql, sizeof sql, "UPDATE events SET %s WHERE handoff = 'HO-2026-0%zu' AND n = 2", columns[i], 10 + i);
    snprintf(name, sizeof name, "event HO-2026-0%zu #2: ", 10 + i);
    tamper(p, sql);
    assert_flaw(p, name);
  }
}

static void test_event_removed(void **state)
{
  place *p = *state;
  tamper(p, "DELETE FROM events WHERE handoff = 'HO-2026-005' AND n = 2");
  assert_flaw(p, "event HO-2026-005 #3: events before it are missing");
  assert_flaw(p, "event 14: 1 events from the project's event 14 are missing");
  tamper(p, "DELETE FROM events WHERE handoff = 'HO-2026-006' AND n = 3");
  assert_flaw(p, "handoff HO-2026-006: its newest event is not the expected one: #2 of 3");
  tamper(p, "DELETE FROM events WHERE handoff = 'HO-2026-007'");
  assert_flaw(p, "handoff HO-2026-007: it has no events");
  assert_flaw(p, "seal 1: it does not match the events it covers");
}

static void test_row_changed(void **state)
{
  static const char *const columns[] = {"state = 'done'", "receiver = 'x'", "sender = 'x'", "token = 'x'",
                                        "marks = 'x'",    "deadline = 9",   "kind = 'x'"};
  place *p = *state;
  for (size_t i = 0; i < HO_COUNT(columns); i++) {
    char sql[160], words[96];
    snprintf(sql, sizeof sql, "UPDATE handoffs SET %s WHERE id = 'HO-2026-0%zu'", columns[i], 20 + i);
    snprintf(words, sizeof words, "handoff HO-2026-0%zu: its row was changed without an event", 20 + i);
    tamper(p, sql);
    assert_flaw(p, words);
  }
  tamper(p, "DELETE FROM handoffs WHERE id = 'HO-2026-040'");
  assert_flaw(p, "handoff HO-2026-040: its row is missing, although its history is there");
}

static void test_body_changed(void **state)
{
  place *p = *state;
  ho_handoff row;
  must(p, ho_handoffs_get(p->store, HO_STR("HO-2026-001"), &p->arena, &row, &p->err));
  tamper(p, "UPDATE bodies SET body = 'HO-2026-00X' WHERE body = 'HO-2026-001'");
  ho_str words = ho_arena_printf(&p->arena, "body %.*s: its content does not match", HO_ARG(row.digest));
  assert_flaw(p, words.p);
  tamper(p, "DELETE FROM bodies WHERE body = 'HO-2026-00X'");
  words = ho_arena_printf(&p->arena, "body %.*s: it is missing, but HO-2026-001 needs it", HO_ARG(row.digest));
  assert_flaw(p, words.p);
}

static void test_seal_changed(void **state)
{
  place *p = *state;
  tamper(p, "UPDATE seals SET at = at + 1 WHERE n = 1");
  assert_flaw(p, "seal 1: it does not match the events it covers");
  tamper(p, "UPDATE seals SET prev = 'x' WHERE n = 2");
  assert_flaw(p, "seal 2: it does not follow the seal before it");
  tamper(p, "DELETE FROM seals WHERE n = 1");
  assert_flaw(p, "seal 1: it is missing");
  tamper(p, "DELETE FROM seals");
  assert_flaw(p, "seal 1: it is missing");
  assert_flaw(p, "seal 2: the file `seal` names it");
}

/* A whole history written anew, hashes and all, still does not fit the seal. */
static void test_history_rewritten(void **state)
{
  place *p = *state;
  ho_event_list events;
  must(p, ho_events_select(p->store, HO_STR("HO-2026-005"), 0, 0, &p->arena, &events, &p->err));
  tamper(p, "UPDATE events SET hash = 'forged' WHERE handoff = 'HO-2026-005' AND n = 3;"
            "UPDATE handoffs SET head = 'forged' WHERE id = 'HO-2026-005'");
  assert_flaw(p, "seal 1: it does not match the events it covers");
}

static ho_code remove_work(ho_store *store, void *data, ho_error *err)
{
  ho_event event = event_of("pruned");
  return ho_handoffs_remove(store, HO_STR("HO-2026-005"), ho_str_of(data), &event, err);
}

static void test_remove(void **state)
{
  place *p = *state;
  ho_handoff row, again;
  ho_str body;
  ho_hit_list hits;
  ho_event_list events;
  must(p, ho_handoffs_get(p->store, HO_STR("HO-2026-005"), &p->arena, &row, &p->err));
  assert_int_equal(ho_store_write(p->store, remove_work, "done", &p->err), HO_CONFLICT);
  must(p, ho_store_write(p->store, remove_work, "acked", &p->err));
  assert_int_equal(ho_handoffs_get(p->store, row.id, &p->arena, &again, &p->err), HO_NOT_FOUND);
  assert_int_equal(ho_bodies_get(p->store, row.digest, &p->arena, &body, &p->err), HO_NOT_FOUND);
  must(p, ho_search(p->store, HO_STR("\"HO-2026-005\""), &(ho_filter){0}, &p->arena, &hits, &p->err));
  assert_int_equal(hits.count, 0);
  must(p, ho_events_select(p->store, row.id, 0, 0, &p->arena, &events, &p->err));
  assert_int_equal(events.count, 4);
  assert_int_equal(events.rows[0].data.n, 0);
  assert_str(events.rows[3].kind, "pruned");
  assert_sound(p);
  again = row_of(HO_STR("HO-2026-005"));
  assert_int_equal(add(p, &again, "x"), HO_CONFLICT); /* its id stays taken */
  tamper(p, "UPDATE events SET actor = '', data = '' WHERE handoff = 'HO-2026-006'");
  assert_flaw(p, "handoff HO-2026-006: the content of 3 of its events is gone");
}

static void test_search_index_changed(void **state)
{
  place *p = *state;
  flaws f = {0};
  ho_buf_init(&f.text, 0);
  tamper(p, "INSERT INTO search (search, rowid, body) VALUES ('delete', 5, 'HO-2026-005')");
  must(p, ho_chain_check_database(p->store, false, take_flaw, &f, &p->err));
  assert_true(ho_str_has(ho_buf_str(&f.text), "search search: the full-text index does not match the bodies"));
  ho_buf_free(&f.text);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_seal_file, begin_filled, end_place),
      cmocka_unit_test_setup_teardown(test_event_changed, begin_filled, end_place),
      cmocka_unit_test_setup_teardown(test_event_rehashed, begin_filled, end_place),
      cmocka_unit_test_setup_teardown(test_event_columns, begin_filled, end_place),
      cmocka_unit_test_setup_teardown(test_event_removed, begin_filled, end_place),
      cmocka_unit_test_setup_teardown(test_row_changed, begin_filled, end_place),
      cmocka_unit_test_setup_teardown(test_body_changed, begin_filled, end_place),
      cmocka_unit_test_setup_teardown(test_seal_changed, begin_filled, end_place),
      cmocka_unit_test_setup_teardown(test_history_rewritten, begin_filled, end_place),
      cmocka_unit_test_setup_teardown(test_remove, begin_filled, end_place),
      cmocka_unit_test_setup_teardown(test_search_index_changed, begin_filled, end_place),
  };
  return unit_run(tests);
}
