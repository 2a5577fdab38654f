/* Plans and workflows as steps: waves, errors with their line, markers changed in place. */
#include "unit.h"

#include "base/fs.h"
#include "engine/plan/plan_steps.h"
#include "model/formats/formats.h"

/* The traits of real plans in one: markers at other levels, missing, with a tail, of words that no table knows;
 * dependencies in both styles and with prose; ids that are no numbers; a heading inside a fence. */
static const char plan[] = "# Implementation Plan: Task #7 (Revised)\r\n"
                           "\n"
                           "- **Task**: 7 - Make it *fast*\n"
                           "- **Status**: [NOT STARTED]\n"
                           "\n"
                           "### Phase 1: Measure [DONE] (see report)\n"
                           "- **Dependencies**: None\n"
                           "- **Goal**: Know where time goes\n"
                           "\n"
                           "```markdown\n"
                           "### Phase 9: not a phase [NOT STARTED]\n"
                           "```\n"
                           "\n"
                           "## Phase 2: No marker\n"
                           "**Depends on:** 1\n"
                           "\n"
                           "**Tasks**:\n"
                           "- [x] First\n"
                           "- [ ] Second\n"
                           "\n"
                           "---\n"
                           "\n"
                           "#### Phase 2a: With ] and [x] inside [IN PROGRESS]  \n"
                           "**Dependencies**: Phase 1, Phase 2 (the bigger half)\n"
                           "### Phase 3: Later [DEFERRED - FUTURE WORK]\n"
                           "### Phase 4: Needs later [NOT STARTED]\n"
                           "- **Dependencies**: Phase 3\n"
                           "### Phase 5: Left out [SKIPPED] ###\n"
                           "### Phase 6:\n"
                           "- **Dependencies**: Phase 5, Phase 2\n"
                           "### Phase 7: Closed ###\n"
                           "- **Depends on:** 2a and 6\n"
                           "\n"
                           "**Files to modify**:\n"
                           "- `src/a.c` - Faster\n"
                           "\n"
                           "## Rollback\n"
                           "\n"
                           "Keep \xe2\x86\x92 the old file without a newline at its end";

static ho_plan_steps read_steps(ho_arena *arena, const char *path, const char *text)
{
  ho_plan_steps steps;
  ho_error err = {0};
  if (ho_plan_steps_read(arena, ho_str_of(path), ho_str_of(text), &steps, &err))
    fail_msg("%s:%u: %s", err.file, err.line, err.message);
  return steps;
}

static void test_plan(void **state)
{
  static const struct {
    const char *id, *name;
    ho_plan_status status;
    unsigned wave;
    size_t needs;
  } expected[] = {
      {"1", "Measure", HO_PLAN_DONE, 0, 0},
      {"2", "No marker", HO_PLAN_WAITING, 1, 1},
      {"2a", "With ] and [x] inside", HO_PLAN_RUNNING, 2, 2},
      {"3", "Later", HO_PLAN_HELD, 0, 0},
      {"4", "Needs later", HO_PLAN_WAITING, 0, 1},
      {"5", "Left out", HO_PLAN_SKIPPED, 0, 0},
      {"6", "", HO_PLAN_WAITING, 2, 2},
      {"7", "Closed", HO_PLAN_WAITING, 3, 2},
  };
  ho_arena arena;
  (void)state;
  ho_arena_init(&arena, 0);
  ho_plan_steps steps = read_steps(&arena, "specs/007_make_it_fast/plans/implementation-001.md", plan);
  assert_int_equal(steps.count, HO_COUNT(expected));
  for (size_t i = 0; i < HO_COUNT(expected); i++) {
    const ho_plan_step *step = &steps.items[i];
    assert_str(step->id, expected[i].id);
    assert_str(step->name, expected[i].name);
    if (step->status != expected[i].status || step->wave != expected[i].wave || step->need_count != expected[i].needs)
      fail_msg("phase %s: status %d, wave %u, %zu needs", expected[i].id, step->status, step->wave, step->need_count);
  }
  assert_int_equal(steps.waves, 3);
  assert_str(steps.task, "7");
  assert_str(steps.slug, "make_it_fast");
  assert_str(steps.items[0].goal, "Know where time goes");
  assert_int_equal(steps.items[1].line, 14);
  assert_int_equal(steps.items[1].task_count, 2);
  assert_true(steps.items[1].tasks[0].done && !steps.items[1].tasks[1].done);
  assert_int_equal(steps.items[7].file_count, 1);
  assert_str(steps.items[7].section, "### Phase 7: Closed ###\n- **Depends on:** 2a and 6\n\n"
                                     "**Files to modify**:\n- `src/a.c` - Faster");
  ho_arena_free(&arena);
}

/* The text with the marker of a phase as the test itself changes it. */
static ho_str replaced(ho_arena *arena, ho_str text, const char *old, const char *new)
{
  size_t at = ho_str_find(text, old);
  assert_int_not_equal(at, HO_NONE);
  return ho_arena_printf(arena, "%.*s%s%.*s", (int)at, text.p, new, (int)(text.n - at - strlen(old)),
                         text.p + at + strlen(old));
}

static const struct {
  const char *id, *marker, *old, *new;
} marks[] = {
    {"1", "PARTIAL", "Measure [DONE] (see", "Measure [PARTIAL] (see"},
    {"2", "IN PROGRESS", "Phase 2: No marker\n", "Phase 2: No marker [IN PROGRESS]\n"},
    {"7", "BLOCKED", "Closed ###", "Closed [BLOCKED] ###"},
    {"2", "COMPLETED", "marker [IN PROGRESS]", "marker [COMPLETED]"},
    {"", "COMPLETED", "**Status**: [NOT STARTED]", "**Status**: [COMPLETED]"},
    {"2a", "COMPLETED", "[IN PROGRESS]  \n", "[COMPLETED]  \n"},
    {"6", "IN PROGRESS", "Phase 6:\n", "Phase 6: [IN PROGRESS]\n"},
    {"3", "NOT STARTED", "[DEFERRED - FUTURE WORK]", "[NOT STARTED]"},
    {"5", "COMPLETED", "[SKIPPED] ###", "[COMPLETED] ###"},
    {"6", "COMPLETED", "Phase 6: [IN PROGRESS]\n", "Phase 6: [COMPLETED]\n"},
};

static void test_marks(void **state)
{
  ho_arena arena;
  (void)state;
  ho_arena_init(&arena, 0);
  ho_plan_steps steps = read_steps(&arena, "plans/implementation-001.md", plan);
  ho_str now = ho_str_of(plan), expected = now;
  for (size_t i = 0; i < HO_COUNT(marks); i++) {
    ho_error err = {0};
    /* Half of the way the file is changed by somebody else as well. */
    if (i == HO_COUNT(marks) / 2) {
      now = replaced(&arena, now, "- [ ] Second", "- [x] Second, and a note");
      expected = replaced(&arena, expected, "- [ ] Second", "- [x] Second, and a note");
    }
    expected = replaced(&arena, expected, marks[i].old, marks[i].new);
    assert_int_equal(ho_plan_steps_mark(&steps, &arena, now, ho_str_of(marks[i].id), marks[i].marker, &now, &err),
                     HO_OK);
    if (!ho_str_eq(now, expected))
      fail_msg("mark %zu of phase %s gave:\n%.*s", i, marks[i].id, HO_ARG(now));
  }
  ho_arena_free(&arena);
}

static void test_mark_fails(void **state)
{
  ho_arena arena;
  ho_error err = {0};
  ho_str out;
  (void)state;
  ho_arena_init(&arena, 0);
  ho_plan_steps steps = read_steps(&arena, "plans/implementation-001.md", plan);
  ho_str gone = replaced(&arena, ho_str_of(plan), "### Phase 4: Needs later [NOT STARTED]", "#### Gone");
  assert_int_equal(ho_plan_steps_mark(&steps, &arena, gone, HO_STR("4"), "COMPLETED", &out, &err), HO_NOT_FOUND);
  assert_int_equal(ho_plan_steps_mark(&steps, &arena, gone, HO_STR("7"), "COMPLETED", &out, &err), HO_OK);
  assert_int_equal(ho_plan_steps_mark(&steps, &arena, HO_STR("\xff"), HO_STR("7"), "X", &out, &err), HO_SYNTAX);
  /* A circle that somebody makes while the plan runs does not keep markers from being set. */
  ho_str circle =
      replaced(&arena, ho_str_of(plan), "**Dependencies**: Phase 1, Phase 2 (", "**Dependencies**: Phase 7 (");
  assert_int_equal(ho_plan_steps_mark(&steps, &arena, circle, HO_STR("2a"), "COMPLETED", &out, &err), HO_OK);
  ho_arena_free(&arena);
}

static void test_errors(void **state)
{
  static const struct {
    const char *path, *text, *rule;
    unsigned line;
  } cases[] = {
      {"plans/a.md",
       "# Implementation Plan: a\n\n### Phase 1: a [NOT STARTED]\n- **Dependencies**: Phase 2\n\n"
       "### Phase 2: b [NOT STARTED]\n- **Dependencies**: Phase 1\n",
       "plan-cycle", 7},
      {"plans/a.md", "### Phase 1: a [NOT STARTED]\n- **Depends on:** 1\n", "plan-cycle", 2},
      {"plans/a.md", "### Phase 1: a [NOT STARTED]\n\n- **Dependencies**: Phase 4\n", "plan-dependency-unknown", 3},
      {"plans/a.md", "### Phase 1: a [NOT STARTED]\n### Phase 1: b [DONE]\n", "plan-phase-duplicate", 2},
      {"plans/a.md", "# Implementation Plan: empty\n", "required", 0},
      {"plans/a.md", "### Phase 1: a [DONE]\n### Phase 01: b [DONE]\n", NULL, 2},
      {"a.workflow.yaml", "name: a\nsteps:\n  - name: x\n    depends_on: [y]\n  - name: y\n    depends_on: [x]\n",
       "workflow-circle", 6},
      {"a.workflow.yaml", "name: a\nsteps:\n  - name: x\n    depends_on:\n      - z\n", "workflow-dependency-known", 5},
      {"a.workflow.yaml", "name: a\nsteps:\n  - name: x y\n  - name: x/y\n", NULL, 4},
      {"README.md", "# Hello\n", NULL, 0},
      {"plans/a.md", "### Phase 1: a [TODO]\n### Phase 2: b [TODO]\n\nDepends on: Phase 1\n", "plan-dependency-plain",
       4},
  };
  (void)state;
  for (size_t i = 0; i < HO_COUNT(cases); i++) {
    ho_arena arena;
    ho_error err = {0};
    ho_plan_steps steps;
    ho_arena_init(&arena, 0);
    ho_code code = ho_plan_steps_read(&arena, ho_str_of(cases[i].path), ho_str_of(cases[i].text), &steps, &err);
    if (code != HO_INVALID || err.line != cases[i].line ||
        strcmp(err.rule ? err.rule : "", cases[i].rule ? cases[i].rule : ""))
      fail_msg("case %zu: %d, line %u, rule %s: %s", i, code, err.line, err.rule, err.message);
    ho_arena_free(&arena);
  }
}

static void test_workflow(void **state)
{
  ho_arena arena;
  ho_str out, text = ho_str_of(ho_format_workflow.example);
  ho_error err = {0};
  (void)state;
  ho_arena_init(&arena, 0);
  ho_plan_steps steps = read_steps(&arena, "workflows/feature.workflow.yaml", text.p);
  assert_int_equal(steps.count, 6);
  assert_int_equal(steps.waves, 4);
  assert_int_equal(steps.items[0].kind, HO_PLAN_RESEARCH);
  assert_int_equal(steps.items[0].budget_tokens, 1500);
  assert_int_equal(steps.items[1].gate, HO_PLAN_BLOCKING_GATE);
  assert_str(steps.items[1].agent, "writer");
  /* Three reviewers, and the step that joins them. */
  for (size_t i = 2; i < 5; i++) {
    assert_true(steps.items[i].voter && !steps.items[i].join && steps.items[i].goal.n);
    assert_int_equal(steps.items[i].wave, 3);
    assert_int_equal(steps.items[i].needs[0], 1);
  }
  assert_str(steps.items[4].id, "review.3");
  assert_true(steps.items[5].join && !steps.items[5].goal.n);
  assert_str(steps.items[5].id, "review");
  assert_str(steps.items[5].rule, "majority");
  assert_int_equal(steps.items[5].need_count, 3);
  assert_int_equal(steps.items[5].needs[2], 4);
  assert_int_equal(ho_plan_steps_mark(&steps, &arena, text, HO_STR("write"), "COMPLETED", &out, &err), HO_OK);
  assert_true(ho_str_eq(out, text));
  ho_arena_free(&arena);
}

static void test_parallel(void **state)
{
  ho_arena arena;
  (void)state;
  ho_arena_init(&arena, 0);
  ho_plan_steps steps =
      read_steps(&arena, "a.workflow.yaml",
                 "name: a\nsteps:\n  - name: look\n    kind: parallel\n    agent: a, b\n    rule: any\n"
                 "    instructions: Look\n  - name: tell\n    depends_on: [look]\n"
                 "  - name: both\n    kind: parallel\n    depends_on: [look, tell]\n"
                 "  - name: two\n    kind: parallel\n    rule: 2\n    instructions: Do it\n");
  static const char *const ids[] = {"look.1", "look.2", "look", "tell", "both", "two.1", "two.2", "two"};
  assert_int_equal(steps.count, HO_COUNT(ids));
  for (size_t i = 0; i < steps.count; i++)
    assert_str(steps.items[i].id, ids[i]);
  assert_str(steps.items[0].agent, "a");
  assert_str(steps.items[1].agent, "b");
  assert_int_equal(steps.items[3].needs[0], 2); /* the one after it waits for the joint result */
  assert_true(steps.items[4].join && steps.items[4].need_count == 2);
  assert_str(steps.items[4].rule, "all");
  assert_int_equal(steps.waves, 4);
  ho_error err = {0};
  assert_int_equal(ho_plan_steps_read(&arena, HO_STR("a.workflow.yaml"),
                                      HO_STR("name: a\nsteps:\n  - name: x\n    kind: parallel\n    rule: 65\n"
                                             "    instructions: y\n"),
                                      &steps, &err),
                   HO_INVALID);
  assert_int_equal(err.line, 3);
  ho_arena_free(&arena);
}

/* A long chain and a wide fan take no time that grows with the square. */
static void test_many(void **state)
{
  enum { MANY = 20000 };
  ho_arena arena;
  ho_buf text;
  (void)state;
  ho_arena_init(&arena, 0);
  ho_buf_init(&text, 0);
  ho_buf_puts(&text, "# Implementation Plan: many\n");
  for (int i = 1; i <= MANY; i++)
    ho_buf_printf(&text, "\n### Phase %d: p [NOT STARTED]\n- **Dependencies**: %s%d\n", i, i > 1 ? "Phase " : "None - ",
                  i - 1);
  ho_plan_steps steps = read_steps(&arena, "plans/a.md", text.p);
  assert_int_equal(steps.waves, MANY);
  ho_buf_free(&text);
  ho_arena_free(&arena);
}

/* Bytes of the plan at random: whatever can still be read can be marked, and reads the same but for the markers. */
static void test_mutations(void **state)
{
  enum { TRIES = 400 };
  static const char bytes[] = "#[] :\n*-x1\t`(\xe2";
  unit_random random = {.state = 7};
  size_t read = 0;
  (void)state;
  for (int i = 0; i < TRIES; i++) {
    ho_arena arena;
    ho_plan_steps before, after;
    ho_error err = {0};
    ho_arena_init(&arena, 0);
    ho_str now = ho_arena_copy(&arena, ho_str_of(plan));
    char *text = ho_arena_alloc(&arena, now.n + 1);
    memcpy(text, now.p, now.n);
    for (size_t k = unit_below(&random, 6); k > 0; k--)
      text[unit_below(&random, now.n)] = bytes[unit_below(&random, sizeof bytes - 1)];
    now.p = text;
    if (ho_plan_steps_read(&arena, HO_STR("plans/a.md"), now, &before, &err) == HO_OK) {
      read++;
      for (size_t s = before.count; s-- > 0;)
        assert_int_equal(ho_plan_steps_mark(&before, &arena, now, before.items[s].id, "COMPLETED", &now, &err), HO_OK);
      assert_int_equal(ho_plan_steps_read(&arena, HO_STR("plans/a.md"), now, &after, &err), HO_OK);
      assert_int_equal(after.count, before.count);
      for (size_t s = 0; s < after.count; s++)
        if (after.items[s].status != HO_PLAN_DONE || !ho_str_eq(after.items[s].id, before.items[s].id) ||
            after.items[s].mark_begin != before.items[s].mark_begin ||
            after.items[s].mark_end != before.items[s].mark_end)
          fail_msg("try %d, phase %.*s:\n%.*s", i, HO_ARG(after.items[s].id), HO_ARG(now));
    }
    ho_arena_free(&arena);
  }
  assert_true(read > TRIES / 4);
}

/* The plan that the format comes from; the fixture above has its traits. */
static void test_seed(void **state)
{
  static const unsigned waves[] = {1, 1, 2, 3, 4};
  ho_arena arena;
  ho_error err = {0};
  ho_str text, now, expected;
  (void)state;
  const char *path = unit_shared("seeds/001_ac7ad10b302eac71.txt");
  ho_arena_init(&arena, 0);
  assert_int_equal(ho_fs_read(&arena, path, 0, &text, &err), HO_OK);
  ho_plan_steps steps;
  assert_int_equal(ho_plan_steps_read(&arena, ho_str_of(path), text, &steps, &err), HO_OK);
  assert_int_equal(steps.count, HO_COUNT(waves));
  for (size_t i = 0; i < steps.count; i++)
    assert_int_equal(steps.items[i].wave, waves[i]);
  now = expected = text;
  for (int i = 1; i <= 5; i++) {
    ho_str id = ho_arena_printf(&arena, "%d", i);
    assert_int_equal(ho_plan_steps_mark(&steps, &arena, now, id, "COMPLETED", &now, &err), HO_OK);
  }
  assert_int_equal(ho_plan_steps_mark(&steps, &arena, now, HO_EMPTY, "COMPLETED", &now, &err), HO_OK);
  while (ho_str_find(expected, "[NOT STARTED]") != HO_NONE)
    expected = replaced(&arena, expected, "[NOT STARTED]", "[COMPLETED]");
  assert_true(ho_str_eq(now, expected));
  ho_arena_free(&arena);
}

int main(void)
{
  static const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_plan),      cmocka_unit_test(test_marks),    cmocka_unit_test(test_mark_fails),
      cmocka_unit_test(test_errors),    cmocka_unit_test(test_workflow), cmocka_unit_test(test_parallel),
      cmocka_unit_test(test_mutations), cmocka_unit_test(test_many),     cmocka_unit_test(test_seed),
  };
  return unit_run(tests);
}
