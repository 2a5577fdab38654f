/* The table of harnesses is whole: each row says what whoever goes through it relies on. */
#include "unit.h"

#include "engine/hook/hook.h"
#include "engine/hook/install.h"

static void test_rows(void **state)
{
  (void)state;
  size_t count = 0;
  for (const ho_harness *const *each = ho_harnesses; *each; each++, count++) {
    const ho_harness *h = *each;
    assert_ptr_equal(ho_harness_named(ho_str_of(h->name)), h);
    assert_string_equal(ho_harness_choices[count].value, h->name);
    assert_non_null(h->transcript);
    assert_true(h->folder && h->settings && h->instructions && h->refusal && h->second > 0);
    assert_true(h->denied || h->rules); /* agents never decide gates */
    assert_true(!h->rules == !h->rule && !h->denied == !h->denied_in && !h->denied == !h->denied_list);
    assert_true(!h->limit_key == !h->limit_files[0]);
  }
  assert_null(ho_harness_choices[count].value);
  assert_null(ho_harness_named(HO_STR("nobody")));
}

static void test_paths(void **state)
{
  (void)state;
  assert_ptr_equal(ho_harness_of_path(HO_STR("/home/a/.claude/projects/x/s.jsonl")), &ho_harness_claude);
  assert_ptr_equal(ho_harness_of_path(HO_STR("/tmp/rollout-2026.jsonl")), &ho_harness_codex);
  assert_ptr_equal(ho_harness_of_path(HO_STR("/home/a/.gemini/tmp/x.json")), &ho_harness_gemini);
  assert_null(ho_harness_of_path(HO_STR("/home/a/x.claude/s.jsonl")));
}

/* Timeouts are written in the harness's own unit. */
static void test_timeouts(void **state)
{
  (void)state;
  ho_arena arena;
  ho_arena_init(&arena, 0);
  for (const ho_harness *const *each = ho_harnesses; *each; each++) {
    const ho_node *hooks = ho_map_getz(ho_install_wanted(&arena, *each), "hooks");
    long long timeout = 0;
    assert_true(ho_node_to_int(ho_node_at(hooks, HO_STR("/SessionStart/0/hooks/0/timeout")), &timeout));
    assert_int_equal(timeout, *each == &ho_harness_gemini ? 30000 : 30);
  }
  ho_arena_free(&arena);
}

/* An agent is kept from stopping by the harness's own word. */
static void test_refusals(void **state)
{
  (void)state;
  ho_arena arena;
  ho_arena_init(&arena, 0);
  for (const ho_hook_event *event = ho_hook_events; event->name; event++) {
    ho_hook hook = {.arena = &arena, .event = event, .form = HO_HOOK_BLOCK, .said = HO_STR("no")};
    ho_str word = ho_map_str(ho_hook_reply(&hook, &arena), "decision");
    assert_true(ho_str_is(word, event->harness == &ho_harness_gemini ? "deny" : "block"));
  }
  ho_arena_free(&arena);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_rows), cmocka_unit_test(test_paths),
                                     cmocka_unit_test(test_timeouts), cmocka_unit_test(test_refusals)};
  return unit_run(tests);
}
