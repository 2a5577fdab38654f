/* The table of harnesses is whole: each row says what whoever goes through it relies on. */
#include "unit.h"

#include "engine/hook/hook.h"
#include "engine/hook/install.h"

/* "a, b or c", or "a, b, c" of the choices that are harnesses: their names, or their titles. */
static const char *listed(const ho_choice *choices, const char *last, bool titles)
{
  static char text[256];
  size_t count = 0, n = 0;
  while (choices[count].value && ho_harness_named(ho_str_of(choices[count].value)))
    count++;
  for (size_t i = 0; i < count; i++) {
    ho_str word = ho_str_of(titles ? choices[i].doc : choices[i].value);
    word.n -= titles; /* its full stop */
    n += (size_t)snprintf(text + n, sizeof text - n, "%s%.*s",
                          !i                       ? ""
                          : last && i + 1 == count ? last
                                                   : ", ",
                          HO_ARG(word));
  }
  return text;
}

static void test_rows(void **state)
{
  (void)state;
  size_t count = 0;
  for (const ho_harness *const *each = ho_harnesses; *each; each++) {
    const ho_harness *h = *each;
    assert_ptr_equal(ho_harness_named(ho_str_of(h->name)), h);
    assert_non_null(h->inside[0]); /* agents never decide gates */
    if (!h->events)
      continue;
    assert_string_equal(ho_harness_choices[count++].value, h->name);
    assert_true(h->tools && h->folder && h->settings && h->instructions && h->refusal && h->second > 0);
    assert_true(h->denied_word[0] || h->rules || h->plugin_rule); /* likewise */
    assert_true(!h->plugin == !h->plugin_rule);
    assert_true(!h->rules == !h->rule_word[0] && !h->rules == !h->rule_words[0]);
    assert_true(!h->denied_word[0] == !h->denied_words[0] && (!h->denied_word[0] || h->denied_list));
    assert_true(!h->denied_in == !h->denied_list);
    assert_true(!h->limit_key == !h->limit_files[0]);
  }
  assert_null(ho_harness_choices[count].value);
  /* FIRST and LAST are where they belong in HO_HARNESSES_HOOKED. */
  assert_string_equal(HO_HOOKED_NAMES, listed(ho_harness_choices, " or ", false));
  assert_string_equal(HO_HOOKED_TITLES, listed(ho_harness_choices, " or ", true));
  assert_string_equal(HO_STARTED_NAMES, listed(ho_harness_agent_choices, NULL, false));
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
    if (!(*each)->events)
      continue;
    const ho_node *hooks = ho_map_getz(ho_install_wanted(&arena, *each, &(ho_rights){0}), "hooks");
    const ho_hook_event *event = (*each)->events;
    ho_str place = ho_arena_printf(&arena, "/%s/0/hooks/0/timeout", event->name);
    long long timeout = 0;
    assert_true(ho_node_to_int(ho_node_at(hooks, place), &timeout));
    assert_int_equal(timeout, event->timeout_s * (*each)->second);
  }
  assert_int_equal(ho_harness_gemini.second, 1000);
  assert_int_equal(ho_harness_claude.second, 1);
  ho_arena_free(&arena);
}

/* An agent is kept from stopping by the harness's own word. */
static void test_refusals(void **state)
{
  (void)state;
  ho_arena arena;
  ho_arena_init(&arena, 0);
  for (const ho_harness *const *each = ho_harnesses; *each; each++) {
    if (!(*each)->events)
      continue;
    ho_hook hook = {
        .arena = &arena, .harness = *each, .event = (*each)->events, .form = HO_HOOK_BLOCK, .said = HO_STR("no")};
    ho_str word = ho_map_str(ho_hook_reply(&hook, &arena), "decision");
    assert_true(ho_str_is(word, (*each)->refusal));
  }
  assert_string_equal(ho_harness_gemini.refusal, "deny");
  assert_string_equal(ho_harness_claude.refusal, "block");
  ho_arena_free(&arena);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_rows), cmocka_unit_test(test_paths),
                                     cmocka_unit_test(test_timeouts), cmocka_unit_test(test_refusals)};
  return unit_run(tests);
}
