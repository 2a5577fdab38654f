/* Handoffs, events, gates, files, ids and the search, through real transactions. */
#include "store/support.h"

#include "store/handoffs/bodies.h"
#include "store/handoffs/events.h"
#include "store/handoffs/files.h"
#include "store/handoffs/gates.h"
#include "store/handoffs/rows.h"
#include "store/handoffs/search.h"
#include "store/inside.h"

static void test_add_and_get(void **state)
{
  place *p = *state;
  ho_handoff row = row_of(HO_STR("HO-2026-001")), got;
  ho_str body;
  row.key = HO_STR("k1");
  row.path = HO_STR("notes/a.md");
  row.parent = HO_STR("HO-2026-000");
  row.marks = HO_STR("{\"a\":1}");
  row.deadline = 77;
  must(p, add(p, &row, "the body"));
  assert_int_equal(row.seq, 1);
  assert_int_equal(row.events, 1);
  must(p, ho_handoffs_get(p->store, HO_STR("HO-2026-001"), &p->arena, &got, &p->err));
  assert_str(got.kind, "package");
  assert_str(got.sender, "planner");
  assert_str(got.receiver, "coder");
  assert_str(got.key, "k1");
  assert_str(got.parent, "HO-2026-000");
  assert_str(got.path, "notes/a.md");
  assert_str(got.marks, "{\"a\":1}");
  assert_int_equal(got.deadline, 77);
  assert_true(ho_str_eq(got.head, row.head));
  must(p, ho_bodies_get(p->store, got.digest, &p->arena, &body, &p->err));
  assert_str(body, "the body");
  assert_int_equal(ho_handoffs_get(p->store, HO_STR("HO-9"), &p->arena, &got, &p->err), HO_NOT_FOUND);
  assert_string_equal(p->err.message, "there is no handoff HO-9");
  assert_sound(p);
}

/* The fingerprints in the events of existing stores were made of exactly these columns, in this order. */
static void test_fingerprint_is_that_of_existing_stores(void **state)
{
  (void)state;
  char print[HO_ROW_SIZE];
  ho_error err = {0};
  ho_handoff row = {
      .id = HO_STR("HO-2026-001"),
      .seq = 1,
      .kind = HO_STR("package"),
      .type = HO_STR("delegation"),
      .sender = HO_STR("planner"),
      .task = HO_STR("7"),
      .phase = HO_STR("2"),
      .session = HO_STR("s1"),
      .created = 1000,
      .digest = HO_STR("d1"),
      .key = HO_STR("k1"),
      .parent = HO_STR("HO-2026-000"),
      .state = HO_STR("acked"),
      .receiver = HO_STR("coder"),
      .path = HO_STR("notes/a.md"),
      .updated = 2000,
      .attempt = 3,
      .lease_until = 4000,
      .deadline = 5000,
      .due = 6000,
      .token = HO_STR("t1"),
      .claimed_by = HO_STR("coder-2"),
      .claim_session = HO_STR("s2"),
      .gate = HO_STR("G-1"),
      .superseded_by = HO_STR("HO-2026-002"),
      .marks = HO_STR("{\"a\":1}"),
      .head = HO_STR("h1"),
      .events = 8,
  };
  assert_int_equal(ho_rows_print_handoff(&row, print, &err), HO_OK);
  if (strcmp(print, "9ba5d839a2f2b12d305966fd7f9ed0a6") != 0)
    fail_msg(
        "the fingerprint of a row is now %s: 'handoff verify' would say of every handoff in an existing store that "
        "its row was changed without an event. The columns that are HASHED (HO_HANDOFF_COLUMNS in src/store/sql.h) "
        "and their order must stay; a new column is UNHASHED, because older stores do not have it",
        print);
}

static void test_taken(void **state)
{
  place *p = *state;
  ho_handoff row = row_of(HO_STR("HO-1")), again;
  row.key = HO_STR("k");
  must(p, add(p, &row, "one"));
  again = row_of(HO_STR("HO-1"));
  assert_int_equal(add(p, &again, "two"), HO_CONFLICT);
  assert_string_equal(p->err.rule, "handoff-id");
  again = row_of(HO_STR("HO-2"));
  again.key = HO_STR("k");
  assert_int_equal(add(p, &again, "two"), HO_CONFLICT);
  assert_string_equal(p->err.rule, "handoff-key");
  again.key = HO_EMPTY;
  must(p, add(p, &again, "one")); /* the same body twice is kept once */
  ho_store_numbers numbers;
  must(p, ho_store_count(p->store, &numbers, &p->err));
  assert_int_equal(numbers.handoffs, 2);
  assert_int_equal(numbers.bodies, 1);
  assert_sound(p);
}

static void test_found_by(void **state)
{
  place *p = *state;
  ho_handoff got;
  bool found;
  for (int i = 1; i <= 2; i++) {
    ho_handoff row = row_of(ho_arena_printf(&p->arena, "HO-%d", i));
    row.path = HO_STR("a.md");
    row.key = ho_arena_printf(&p->arena, "k%d", i);
    must(p, add(p, &row, "same"));
  }
  must(p, ho_handoffs_by_path(p->store, HO_STR("a.md"), &p->arena, &got, &found, &p->err));
  assert_true(found);
  assert_str(got.id, "HO-2");
  must(p, ho_handoffs_by_key(p->store, HO_STR("k1"), &p->arena, &got, &found, &p->err));
  assert_str(got.id, "HO-1");
  must(p, ho_handoffs_by_digest(p->store, got.digest, &p->arena, &got, &found, &p->err));
  assert_str(got.id, "HO-2");
  must(p, ho_handoffs_by_path(p->store, HO_STR("b.md"), &p->arena, &got, &found, &p->err));
  assert_false(found);
  must(p, ho_handoffs_by_key(p->store, HO_EMPTY, &p->arena, &got, &found, &p->err));
  assert_false(found);
}

static void test_change_is_conditional(void **state)
{
  place *p = *state;
  ho_handoff row = added(p, "HO-1", "body"), stale = row;
  row.state = HO_STR("claimed");
  row.token = HO_STR("hash");
  row.claimed_by = HO_STR("coder/1");
  row.lease_until = row.due = 5000;
  must(p, change(p, &row, "ready", "claimed"));
  assert_int_equal(row.events, 2);
  stale.state = HO_STR("claimed");
  assert_int_equal(change(p, &stale, "ready", "claimed"), HO_CONFLICT);
  stale.state = HO_STR("acked");
  assert_int_equal(change(p, &stale, "claimed", "acked"), HO_CONFLICT); /* the state fits, the head does not */
  must(p, ho_handoffs_get(p->store, row.id, &p->arena, &stale, &p->err));
  assert_str(stale.claimed_by, "coder/1");
  assert_int_equal(stale.events, 2);
  assert_sound(p);
}

static ho_code renew_work(ho_store *store, void *data, ho_error *err)
{
  return ho_handoffs_renew(store, HO_STR("HO-1"), HO_STR("claimed"), ho_str_of(data), 9000, 9000, 2000, err);
}

static ho_code note_work(ho_store *store, void *data, ho_error *err)
{
  ho_event event = event_of("read");
  return ho_events_add(store, ho_str_of(data), &event, err);
}

static void test_renew_and_note(void **state)
{
  place *p = *state;
  ho_handoff row = added(p, "HO-1", "body");
  ho_event_list events;
  row.state = HO_STR("claimed");
  row.token = HO_STR("hash");
  must(p, change(p, &row, "ready", "claimed"));
  assert_int_equal(ho_store_write(p->store, renew_work, "other", &p->err), HO_CONFLICT);
  must(p, ho_store_write(p->store, renew_work, "hash", &p->err));
  must(p, ho_store_write(p->store, note_work, "HO-1", &p->err));
  assert_int_equal(ho_store_write(p->store, note_work, "HO-2", &p->err), HO_NOT_FOUND);
  must(p, ho_handoffs_get(p->store, row.id, &p->arena, &row, &p->err));
  assert_int_equal(row.lease_until, 9000);
  must(p, ho_events_select(p->store, row.id, 0, 0, &p->arena, &events, &p->err));
  assert_int_equal(events.count, 3);
  assert_str(events.rows[0].kind, "sent");
  assert_str(events.rows[2].kind, "read");
  assert_true(ho_str_eq(events.rows[2].prev, events.rows[1].hash));
  must(p, ho_events_select(p->store, HO_EMPTY, 3, 1, &p->arena, &events, &p->err));
  assert_int_equal(events.count, 1);
  assert_int_equal(events.rows[0].seq, 2);
  assert_sound(p);
}

static void test_next(void **state)
{
  place *p = *state;
  ho_handoff row, got;
  bool found;
  added(p, "HO-1", "for coder");
  row = row_of(HO_STR("HO-2"));
  row.receiver = HO_EMPTY;
  row.task = HO_STR("9");
  must(p, add(p, &row, "for whoever asks for 9"));
  row = row_of(HO_STR("HO-3"));
  row.task = HO_STR("9");
  row.phase = HO_STR("3");
  must(p, add(p, &row, "for coder, 9"));
#define NEXT(receiver, task, phase)                                                                                    \
  must(p, ho_handoffs_next(p->store, HO_STR("ready"), HO_STR(receiver), HO_STR(task), HO_STR(phase), &p->arena, &got,  \
                           &found, &p->err))
  NEXT("coder", "", "");
  assert_str(got.id, "HO-1");
  NEXT("coder", "9", "");
  assert_str(got.id, "HO-2");
  NEXT("coder", "9", "3");
  assert_str(got.id, "HO-3");
  NEXT("tester", "9", "");
  assert_str(got.id, "HO-2");
  NEXT("tester", "", "");
  assert_false(found);
  NEXT("tester", "9", "3");
  assert_false(found);
}

static void test_select_and_due(void **state)
{
  place *p = *state;
  ho_handoff_list list;
  for (int i = 1; i <= 30; i++) {
    ho_handoff row = row_of(ho_arena_printf(&p->arena, "HO-%03d", i));
    row.task = i % 2 ? HO_STR("odd") : HO_STR("even");
    row.receiver = i % 3 ? HO_STR("coder") : HO_STR("tester");
    row.parent = i == 30 ? HO_STR("HO-001") : HO_EMPTY;
    row.created = i;
    row.due = i > 20 ? 100 - i : 0;
    must(p, add(p, &row, "body"));
  }
#define SELECT(...) must(p, ho_handoffs_select(p->store, &(ho_filter){__VA_ARGS__}, &p->arena, &list, &p->err))
  SELECT(.limit = 5);
  assert_int_equal(list.count, 5);
  assert_str(list.rows[0].id, "HO-030");
  SELECT(.oldest_first = true);
  assert_int_equal(list.count, 30);
  assert_str(list.rows[0].id, "HO-001");
  SELECT(.task = HO_STR("odd"), .receiver = HO_STR("tester"));
  assert_int_equal(list.count, 5);
  SELECT(.since = 10, .until = 20, .sender = HO_STR("planner"), .kind = HO_STR("package"));
  assert_int_equal(list.count, 10);
  SELECT(.parent = HO_STR("HO-001"));
  assert_int_equal(list.count, 1);
  SELECT(.state = HO_STR("done"));
  assert_int_equal(list.count, 0);
  SELECT(.before_seq = 3);
  assert_int_equal(list.count, 2);
  must(p, ho_handoffs_due(p->store, 75, 100, &p->arena, &list, &p->err));
  assert_int_equal(list.count, 6);
  assert_str(list.rows[0].id, "HO-030");
  ho_handoff_count *counts;
  size_t count;
  must(p, ho_handoffs_states(p->store, &p->arena, &counts, &count, &p->err));
  assert_int_equal(count, 1);
  assert_int_equal(counts[0].count, 30);
}

typedef struct claims {
  place *p;
  int count; /* by others, each newer than the one of "mine" */
} claims;

static ho_code add_claims(ho_store *store, void *data, ho_error *err)
{
  claims *c = data;
  ho_code code = HO_OK;
  for (int i = 0; i <= c->count && !code; i++) {
    ho_event event = event_of("sent");
    ho_handoff row = row_of(ho_arena_printf(&c->p->arena, "HO-%05d", i));
    row.state = HO_STR("claimed");
    row.claim_session = i ? HO_STR("other") : HO_STR("mine");
    code = ho_handoffs_add(store, &row, HO_STR("body"), &event, &c->p->arena, err);
  }
  return code;
}

/* However many others have claimed since, a session finds its own claims. */
static void test_holder(void **state)
{
  place *p = *state;
  ho_handoff_list list;
  ho_hit_list hits;
  must(p, ho_store_write(p->store, add_claims, &(claims){p, 1200}, &p->err));
  SELECT(.state = HO_STR("claimed"), .holder = HO_STR("mine"));
  assert_int_equal(list.count, 1);
  assert_str(list.rows[0].id, "HO-00000");
  SELECT(.holder = HO_STR("nobody"));
  assert_int_equal(list.count, 0);
  SELECT(.state = HO_STR("claimed"));
  assert_int_equal(list.count, 1000);
  must(p, ho_store_write(p->store, index_work, NULL, &p->err));
  must(p, ho_search(p->store, HO_STR("body"), &(ho_filter){.holder = HO_STR("mine")}, &p->arena, &hits, &p->err));
  assert_int_equal(hits.count, 1);
}

static void search(place *p, const char *query, const char *ids)
{
  ho_hit_list hits;
  ho_buf found;
  ho_buf_init(&found, 0);
  must(p, ho_search(p->store, ho_str_of(query), &(ho_filter){0}, &p->arena, &hits, &p->err));
  for (size_t i = 0; i < hits.count; i++)
    ho_buf_printf(&found, "%s%.*s", i ? " " : "", HO_ARG(hits.rows[i].row.id));
  assert_string_equal(found.p, ids);
  ho_buf_free(&found);
}

static void test_search(void **state)
{
  place *p = *state;
  added(p, "A", "summary: the parser reads plans; files src/doc/yaml_read.c");
  added(p, "B", "summary: the parser writes plans; Grüße");
  added(p, "C", "nothing of that");
  must(p, ho_store_write(p->store, index_work, NULL, &p->err));
  search(p, "parser", "B A");
  search(p, "PARSER reads", "A");
  search(p, "\"writes plans\"", "B");
  search(p, "\"plans writes\"", "");
  search(p, "pars*", "B A");
  search(p, "src/doc/yaml_read.c", "A");
  search(p, "grüße", "B");
  search(p, "NOT AND OR ( \" * ^ col:x -", "");
  search(p, "- parser ) \"", "B A");
  search(p, "", "");
  search(p, "nothing AND that", "");
  ho_hit_list hits;
  must(p, ho_search(p->store, HO_STR("reads"), &(ho_filter){0}, &p->arena, &hits, &p->err));
  assert_true(ho_str_has(hits.rows[0].snippet, "\xE2\x81\xA8reads\xE2\x81\xA9"));
}

static ho_code remove_work(ho_store *store, void *data, ho_error *err)
{
  ho_event event = event_of("pruned");
  return ho_handoffs_remove(store, ho_str_of(data), HO_STR("ready"), &event, err);
}

static void gap_is(place *p, int64_t after, int64_t newest)
{
  int64_t is_after, is_newest;
  for (ho_derived what = 0; what < HO_DERIVED_COUNT; what++) {
    must(p, ho_derived_gap(p->store, what, &is_after, &is_newest, &p->err));
    assert_int_equal(is_after, what == HO_DERIVED_SEARCH ? after : 0);
    assert_int_equal(is_newest, newest);
  }
}

/* The text is added after the handoffs, once, whoever adds it; a number that is used again is indexed again. */
static void test_derived(void **state)
{
  place *p = *state;
  int64_t end;
  gap_is(p, 0, 0);
  added(p, "A", "the first");
  added(p, "B", "the second");
  added(p, "C", "the third");
  gap_is(p, 0, 3);
  search(p, "the", "");
  must(p, ho_derived_end(p->store, 0, 2, &end, &p->err));
  assert_int_equal(end, 2);
  must(p, ho_derived_end(p->store, 3, 2, &end, &p->err));
  assert_int_equal(end, 0);
  must(p, ho_store_write(p->store, remove_work, "C", &p->err)); /* it was never indexed */
  added(p, "D", "the fourth");
  must(p, ho_store_write(p->store, index_work, NULL, &p->err));
  must(p, ho_store_write(p->store, index_work, NULL, &p->err));
  gap_is(p, 3, 3);
  search(p, "the", "D B A");
  assert_sound(p);
  must(p, ho_store_write(p->store, remove_work, "D", &p->err));
  gap_is(p, 2, 2);
  added(p, "E", "the fifth");
  gap_is(p, 2, 3);
  assert_sound(p); /* what is not indexed yet is no damage */
  search(p, "the", "B A");
  must(p, ho_store_write(p->store, index_work, NULL, &p->err));
  search(p, "the", "E B A");
  must(p, ho_store_write(p->store, remove_work, "A", &p->err));
  search(p, "the", "E B");
  assert_int_equal(ho_search_add(p->store, 0, 3, &p->err), HO_BUG);
  assert_int_equal(ho_derived_set(p->store, HO_DERIVED_SEARCH, 9, &p->err), HO_BUG);
}

static ho_code gate_work(ho_store *store, void *data, ho_error *err)
{
  return ho_gates_add(store, data, err);
}

typedef struct deciding {
  ho_gate *gate;
  ho_gate_state from;
} deciding;

static ho_code decide_work(ho_store *store, void *data, ho_error *err)
{
  deciding *d = data;
  return ho_gates_change(store, d->gate, d->from, err);
}

static void test_gates(void **state)
{
  place *p = *state;
  ho_gate gate = {.id = HO_STR("G-1"),
                  .handoff = HO_STR("HO-1"),
                  .digest = HO_STR("d"),
                  .name = HO_STR("release"),
                  .raised_by = HO_STR("planner"),
                  .state = HO_GATE_OPEN,
                  .resume = HO_STR("acked"),
                  .raised = 5,
                  .deadline = 50},
          got;
  ho_gate_list list;
  must(p, ho_store_write(p->store, gate_work, &gate, &p->err));
  assert_int_equal(ho_store_write(p->store, gate_work, &gate, &p->err), HO_CONFLICT);
  gate.state = HO_GATE_DECIDED;
  gate.decision = HO_DECISION_APPROVE;
  deciding d = {.gate = &gate, .from = HO_GATE_OPEN};
  must(p, ho_store_write(p->store, decide_work, &d, &p->err));
  assert_int_equal(ho_store_write(p->store, decide_work, &d, &p->err), HO_CONFLICT);
  must(p, ho_gates_get(p->store, HO_STR("G-1"), &p->arena, &got, &p->err));
  assert_int_equal(got.decision, HO_DECISION_APPROVE);
  assert_str(got.resume, "acked");
  assert_int_equal(got.deadline, 50);
  assert_int_equal(ho_gates_get(p->store, HO_STR("G-2"), &p->arena, &got, &p->err), HO_NOT_FOUND);
  must(p, ho_gates_select(p->store, HO_GATE_OPEN, HO_EMPTY, 0, &p->arena, &list, &p->err));
  assert_int_equal(list.count, 0);
  must(p, ho_gates_select(p->store, HO_GATE_ANY, HO_STR("HO-1"), 0, &p->arena, &list, &p->err));
  assert_int_equal(list.count, 1);
  must(p, ho_gates_select(p->store, HO_GATE_ANY, HO_EMPTY, 0, &p->arena, &list, &p->err));
  assert_int_equal(list.count, 1);
}

static ho_code file_work(ho_store *store, void *data, ho_error *err)
{
  return ho_files_put(store, data, err);
}

static void test_files(void **state)
{
  place *p = *state;
  ho_file file = {HO_STR("HO-1"), HO_STR("src/a.c"), HO_STR("d1"), HO_FILE_ARTIFACT, 10};
  ho_file_list list;
  must(p, ho_store_write(p->store, file_work, &file, &p->err));
  file.digest = HO_STR("d2");
  must(p, ho_store_write(p->store, file_work, &file, &p->err));
  must(p, ho_files_select(p->store, HO_STR("HO-1"), &p->arena, &list, &p->err));
  assert_int_equal(list.count, 1);
  assert_str(list.rows[0].digest, "d2");
  assert_int_equal(list.rows[0].kind, HO_FILE_ARTIFACT);
  assert_int_equal(list.rows[0].size, 10);
}

static ho_code id_work(ho_store *store, void *data, ho_error *err)
{
  place *p = data;
  ho_str id;
  return ho_store_id(store, HO_STR("HO-2026"), &p->arena, &id, err);
}

typedef struct taking {
  place *p;
  ho_str ids[40];
  size_t count;
  ho_code result;
} taking;

static ho_code take_ids(ho_store *store, void *data, ho_error *err)
{
  taking *t = data;
  for (size_t i = 0; i < t->count; i++) {
    ho_code code = ho_store_id(store, HO_STR("HO-2026"), &t->p->arena, &t->ids[i], err);
    if (code)
      return code;
  }
  return t->result;
}

static void test_ids(void **state)
{
  place *p = *state;
  taking one = {.p = p, .count = 1}, many = {.p = p, .count = 40}, failed = {.p = p, .count = 1, .result = HO_NO};
  must(p, ho_store_write(p->store, take_ids, &one, &p->err));
  assert_str(one.ids[0], "HO-2026-001");
  added(p, "HO-2026-003", "an author's own id");
  assert_int_equal(ho_store_write(p->store, take_ids, &failed, &p->err), HO_NO);
  must(p, ho_store_write(p->store, take_ids, &many, &p->err));
  assert_str(many.ids[0], "HO-2026-002"); /* the failed reservation was undone */
  assert_str(many.ids[1], "HO-2026-004");
  assert_str(many.ids[39], "HO-2026-042");
  ho_str id;
  assert_int_equal(ho_store_id(p->store, HO_STR("HO-2026"), &p->arena, &id, &p->err), HO_BUG);
  must(p, ho_store_write(p->store, id_work, p, &p->err));
}

static ho_code meta_work(ho_store *store, void *data, ho_error *err)
{
  return ho_store_meta_set(store, HO_STR("name"), ho_str_of(data), err);
}

static void test_meta_and_wait(void **state)
{
  place *p = *state;
  place other = *p;
  ho_str value;
  bool changed;
  must(p, ho_store_meta_get(p->store, HO_STR("name"), &p->arena, &value, &p->err));
  assert_str(value, "");
  must(p, ho_store_write(p->store, meta_work, "a", &p->err));
  must(p, ho_store_wait(p->store, 0, &changed, &p->err));
  assert_false(changed); /* its own changes do not count */
  must(p, open_store(&other, false));
  must(p, ho_store_write(other.store, meta_work, "b", &p->err));
  must(p, ho_store_wait(p->store, 1000, &changed, &p->err));
  assert_true(changed);
  must(p, ho_store_wait(p->store, 30, &changed, &p->err));
  assert_false(changed);
  must(p, ho_store_meta_get(p->store, HO_STR("name"), &p->arena, &value, &p->err));
  assert_str(value, "b");
  close_store(&other);
}

static ho_code fail_after_add(ho_store *store, void *data, ho_error *err)
{
  ho_code code = add_work(store, data, err);
  return code ? code : ho_fail(err, HO_LIMIT, "no more");
}

static ho_code nest(ho_store *store, void *data, ho_error *err)
{
  return ho_store_write(store, meta_work, data, err);
}

static void test_rollback(void **state)
{
  place *p = *state;
  ho_handoff row = row_of(HO_STR("HO-1"));
  adding a = {.p = p, .row = &row, .body = HO_STR("text")};
  assert_int_equal(ho_store_write(p->store, fail_after_add, &a, &p->err), HO_LIMIT);
  assert_string_equal(p->err.message, "no more");
  assert_int_equal(ho_handoffs_get(p->store, HO_STR("HO-1"), &p->arena, &row, &p->err), HO_NOT_FOUND);
  assert_int_equal(ho_store_write(p->store, nest, "x", &p->err), HO_BUG);
  search(p, "text", "");
  assert_sound(p);
}

/* SQLite rolls back by itself, as it does when memory runs out, and the work takes no notice. */
static ho_code go_on_regardless(ho_store *store, void *data, ho_error *err)
{
  adding *a = data;
  ho_error none = {0};
  ho_event event = event_of("sent");
  ho_code code = store->driver->script(store->db, "ROLLBACK", err);
  if (!code && ho_handoffs_add(store, a->row, a->body, &event, &a->p->arena, &none) == HO_OK)
    code = ho_fail(err, HO_BUG, "it was done outside of the transaction");
  return code;
}

static void test_undone(void **state)
{
  place *p = *state;
  ho_handoff row = row_of(HO_STR("HO-1"));
  adding a = {.p = p, .row = &row, .body = HO_STR("text")};
  assert_int_equal(ho_store_write(p->store, go_on_regardless, &a, &p->err), HO_STORE);
  assert_non_null(strstr(p->err.message, "rolled back"));
  assert_int_equal(ho_handoffs_get(p->store, HO_STR("HO-1"), &p->arena, &row, &p->err), HO_NOT_FOUND);
  row = row_of(HO_STR("HO-1"));
  must(p, add(p, &row, "text"));
  assert_sound(p);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_add_and_get, begin_place, end_place),
      cmocka_unit_test(test_fingerprint_is_that_of_existing_stores),
      cmocka_unit_test_setup_teardown(test_taken, begin_place, end_place),
      cmocka_unit_test_setup_teardown(test_found_by, begin_place, end_place),
      cmocka_unit_test_setup_teardown(test_change_is_conditional, begin_place, end_place),
      cmocka_unit_test_setup_teardown(test_renew_and_note, begin_place, end_place),
      cmocka_unit_test_setup_teardown(test_next, begin_place, end_place),
      cmocka_unit_test_setup_teardown(test_select_and_due, begin_place, end_place),
      cmocka_unit_test_setup_teardown(test_holder, begin_place, end_place),
      cmocka_unit_test_setup_teardown(test_derived, begin_place, end_place),
      cmocka_unit_test_setup_teardown(test_search, begin_place, end_place),
      cmocka_unit_test_setup_teardown(test_gates, begin_place, end_place),
      cmocka_unit_test_setup_teardown(test_files, begin_place, end_place),
      cmocka_unit_test_setup_teardown(test_ids, begin_place, end_place),
      cmocka_unit_test_setup_teardown(test_meta_and_wait, begin_place, end_place),
      cmocka_unit_test_setup_teardown(test_rollback, begin_place, end_place),
      cmocka_unit_test_setup_teardown(test_undone, begin_place, end_place),
  };
  return unit_run(tests);
}
