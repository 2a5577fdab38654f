/* Changes of a progress file: only what changes is touched, whatever the layout, also when memory runs out. */
#include "unit.h"

#include "base/memory.h"
#include "engine/phase/progress_parts.h"
#include "model/formats/formats.h"

static ho_phase phase_of(ho_arena *arena)
{
  return (ho_phase){.arena = arena,
                    .root = HO_STR("/nowhere"),
                    .task = HO_STR("7"),
                    .phase = HO_STR("3"),
                    .progress = HO_STR("phase-3-progress.json"),
                    .now_ms = 1770906622000};
}

static ho_code change(ho_arena *arena, const char *text, const ho_progress_change *wanted, ho_str *out,
                      ho_progress_answer *answer, ho_error *err)
{
  ho_doc doc;
  ho_phase phase = phase_of(arena);
  ho_code code = ho_doc_read(&doc, arena, phase.progress, ho_str_of(text), &ho_format_progress, err);
  return code ? code : ho_progress_text(&phase, &doc, wanted, out, answer, err);
}

#define TIMES "\"started_at\": \"2026-02-12T10:30:00Z\", \"last_updated\": \"2026-02-12T10:30:00Z\""
static const char plain[] =
    "{\"phase\": 3, " TIMES ",\n  \"objectives\": [\n    {\"id\": 1, \"description\": \"A\","
    " \"status\": \"not_started\"},\n\t{\"id\" : 2,\"description\":\"B\", \"status\":\"in_progress\","
    "  \"note\" : \"n\", \"x\": [1 , 2.50]}\n  ],\n  \"current_objective\" :1, \"approaches_tried\""
    ": [],\n  \"handoff_count\": 0 }\n";

static void only_what_changes_is_touched(void **state)
{
  (void)state;
  ho_arena arena;
  ho_error err = {0};
  ho_str text;
  ho_progress_answer answer;
  ho_arena_init(&arena, 0);
  ho_progress_change done = {.kind = HO_PROGRESS_DONE, .objective = HO_STR("1")};
  assert_int_equal(change(&arena, plain, &done, &text, &answer, &err), HO_OK);
  assert_true(answer.changed);
  assert_true(ho_str_has(text, "{\"id\": 1, \"description\": \"A\", \"status\": \"done\"},\n\t{\"id\" : 2,\"descri"));
  assert_true(ho_str_has(text, "\"x\": [1 , 2.50]}\n  ],\n  \"current_objective\" :2, \"approaches_tried\": [],\n"));
  assert_true(ho_str_has(text, "\"last_updated\": \"2026-02-12T14:30:22Z\",\n  \"objectives\""));
  /* The second one is the last: nothing is current then. */
  ho_progress_change last = {.kind = HO_PROGRESS_DONE, .objective = HO_STR("2"), .note = HO_STR("say \"when\"\n")};
  assert_int_equal(change(&arena, ho_arena_z(&arena, text), &last, &text, &answer, &err), HO_OK);
  assert_true(ho_str_has(text, "\"note\" : \"say \\\"when\\\"\\n\""));
  assert_true(ho_str_has(text, "\"current_objective\" :null,"));
  assert_null(ho_progress_current(answer.doc.root));
  ho_arena_free(&arena);
}

static void keys_that_are_missing_are_added(void **state)
{
  (void)state;
  ho_arena arena;
  ho_error err = {0};
  ho_str text;
  ho_progress_answer answer;
  ho_arena_init(&arena, 0);
  ho_progress_change tried = {
      .kind = HO_PROGRESS_TRIED, .approach = HO_STR("a"), .result = HO_STR("failed"), .reason = HO_STR("b")};
  assert_int_equal(change(&arena, "{\"phase\":1,\"objectives\":[{\"name\":\"A\",\"status\":\"pending\"}]}", &tried,
                          &text, &answer, &err),
                   HO_OK);
  assert_str(text, "{\"phase\":1,\"objectives\":[{\"name\":\"A\",\"status\":\"pending\"}],\"approaches_tried\": "
                   "[{\"approach\": \"a\", \"result\": \"failed\", \"reason\": \"b\"}],"
                   "\"last_updated\": \"2026-02-12T14:30:22Z\"}");
  assert_int_equal(change(&arena, ho_arena_z(&arena, text), &tried, &text, &answer, &err), HO_OK);
  assert_false(answer.changed);
  ho_progress_change block = {.kind = HO_PROGRESS_BLOCK, .objective = HO_STR("1"), .note = HO_STR("c")};
  assert_int_equal(change(&arena, ho_arena_z(&arena, text), &block, &text, &answer, &err), HO_OK);
  assert_true(ho_str_has(text, "{\"name\":\"A\",\"status\":\"blocked\",\"note\": \"c\"}"));
  ho_arena_free(&arena);
}

/* Objectives that are bare texts cannot get a status where they stand. */
static void what_cannot_be_edited_in_place_is_refused(void **state)
{
  (void)state;
  ho_arena arena;
  ho_error err = {0};
  ho_str text;
  ho_progress_answer answer;
  ho_arena_init(&arena, 0);
  ho_progress_change done = {.kind = HO_PROGRESS_DONE, .objective = HO_STR("1")};
  assert_int_equal(change(&arena, "{\"phase\": 1, \"objectives\": [\"A\"]}", &done, &text, &answer, &err), HO_INVALID);
  done.objective = HO_STR("4");
  assert_int_equal(change(&arena, plain, &done, &text, &answer, &err), HO_NOT_FOUND);
  assert_non_null(strstr(err.message, "1 (A), 2 (B)"));
  ho_arena_free(&arena);
}

static void the_digest_is_that_of_the_work(void **state)
{
  (void)state;
  ho_arena arena;
  ho_error err = {0};
  ho_str text;
  ho_progress_answer one, two, three;
  char a[65], b[65], c[65];
  ho_arena_init(&arena, 0);
  ho_progress_change pass = {.kind = HO_PROGRESS_PASS, .handoffs = 2, .handoff = HO_STR("h.md")};
  ho_progress_change note = {.kind = HO_PROGRESS_NOTE, .note = HO_STR("new")}; /* no progress by itself */
  ho_progress_change tried = {
      .kind = HO_PROGRESS_TRIED, .approach = HO_STR("new"), .result = HO_STR("failed"), .reason = HO_STR("slow")};
  assert_int_equal(change(&arena, plain, &pass, &text, &one, &err), HO_OK);
  assert_int_equal(change(&arena, ho_arena_z(&arena, text), &pass, &text, &two, &err), HO_OK);
  assert_int_equal(change(&arena, ho_arena_z(&arena, text), &note, &text, &two, &err), HO_OK);
  assert_int_equal(change(&arena, ho_arena_z(&arena, text), &tried, &text, &three, &err), HO_OK);
  ho_progress_digest(one.doc.root, &arena, a);
  ho_progress_digest(two.doc.root, &arena, b);
  ho_progress_digest(three.doc.root, &arena, c);
  assert_string_equal(a, b);
  assert_string_not_equal(a, c);
  assert_str(ho_node_str(ho_node_by_names(two.doc.root, "x_passed.digest")), a);
  ho_arena_free(&arena);
}

#ifdef HO_FAULT
static void every_allocation_may_fail(void **state)
{
  (void)state;
  unsigned long n = 1;
  static const ho_progress_kind kinds[] = {HO_PROGRESS_BLOCK, HO_PROGRESS_TRIED, HO_PROGRESS_PASS};
  for (size_t i = 0; i < HO_COUNT(kinds); i++) {
    n = 1;
    for (bool fired = true; fired; n++) {
      ho_arena arena;
      ho_error err = {0};
      ho_str text;
      ho_progress_answer answer;
      ho_progress_change wanted = {.kind = kinds[i],
                                   .objective = HO_STR("1"),
                                   .note = HO_STR("n"),
                                   .approach = HO_STR("a"),
                                   .result = HO_STR("failed"),
                                   .reason = HO_STR("b"),
                                   .handoff = HO_STR("h.md")};
      ho_arena_init(&arena, 0);
      ho_fault_arm(n);
      ho_code code = change(&arena, plain, &wanted, &text, &answer, &err);
      fired = ho_fault_fired();
      ho_fault_arm(0);
      assert_int_equal(code, fired ? HO_MEMORY : HO_OK);
      ho_arena_free(&arena);
    }
  }
  assert_true(n > 40);
}
#endif

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(only_what_changes_is_touched),
      cmocka_unit_test(keys_that_are_missing_are_added),
      cmocka_unit_test(what_cannot_be_edited_in_place_is_refused),
      cmocka_unit_test(the_digest_is_that_of_the_work),
#ifdef HO_FAULT
      cmocka_unit_test(every_allocation_may_fail),
#endif
  };
  return unit_run(tests);
}
