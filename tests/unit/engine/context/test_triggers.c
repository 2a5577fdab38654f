/* Windows of models, the points at which triggers fire, and how often an agent is asked. */
#include "unit.h"

#include "engine/context/triggers.h"
#include "engine/context/window.h"

static ho_window window_of(const char *model, const char *auto_window, const char *auto_percent)
{
  ho_window_facts facts = {
      .model = ho_str_of(model), .compacts = true, .auto_window = auto_window, .auto_percent = auto_percent};
  return ho_window_of(&facts);
}

static void test_windows(void **state)
{
  static const struct {
    const char *model, *window, *percent;
    int64_t full, effective;
  } cases[] = {
      {"claude-opus-4-1", NULL, NULL, 200000, 200000},
      {"claude-sonnet-5", NULL, NULL, 1000000, 967000},
      {"claude-opus-4-1[1m]", NULL, NULL, 1000000, 967000},
      {"us.anthropic.claude-sonnet-4-v1:0", NULL, NULL, 200000, 200000},
      {"claude-opus-4-1", "150000", NULL, 200000, 150000},
      {"claude-opus-4-1", "50000", NULL, 200000, 100000}, /* the variable's own least */
      {"claude-opus-4-1", "5000000", NULL, 200000, 200000},
      {"claude-opus-4-1", "many", "0", 200000, 200000},
      {"claude-opus-4-1", NULL, "70", 200000, 140000},
      {"claude-opus-4-1", "150000", "70", 200000, 140000},
      {"claude-sonnet-5", "400000", NULL, 1000000, 400000},
      {"gpt-5-codex", NULL, NULL, 272000, 258400},
      {"gemini-2.5-pro", NULL, NULL, 1048576, 1048576},
      {"house-model-1", "150000", "70", 0, 0},
      {"", NULL, NULL, 0, 0},
  };
  (void)state;
  for (size_t i = 0; i < HO_COUNT(cases); i++) {
    ho_window window = window_of(cases[i].model, cases[i].window, cases[i].percent);
    if (window.full != cases[i].full || window.effective != cases[i].effective)
      fail_msg("%s: %lld, %lld", cases[i].model, (long long)window.full, (long long)window.effective);
    assert_string_equal(window.source, cases[i].full ? "table" : "unknown");
  }
}

static void add_window(ho_arena *arena, ho_node *list, const char *model, long long tokens)
{
  ho_node *item = ho_list_add(list, ho_node_new(arena, HO_KIND_MAP));
  ho_map_addz(item, "model", ho_node_textz(arena, model));
  ho_map_addz(item, "tokens", ho_node_number(arena, tokens));
}

static void test_window_sources(void **state)
{
  ho_arena arena;
  (void)state;
  ho_arena_init(&arena, 0);
  ho_node *list = ho_node_new(&arena, HO_KIND_LIST);
  add_window(&arena, list, "house-model", 64000);
  add_window(&arena, list, "house-model-1", 32000);
  ho_window_facts facts = {.model = HO_STR("house-model-1-fast"), .configured = list};
  assert_int_equal(ho_window_of(&facts).effective, 32000);
  facts.model = HO_STR("house-model-2");
  assert_int_equal(ho_window_of(&facts).effective, 64000);
  assert_string_equal(ho_window_of(&facts).source, "config");
  facts.given = 5000;
  assert_int_equal(ho_window_of(&facts).effective, 5000);
  assert_string_equal(ho_window_of(&facts).source, "given");
  facts = (ho_window_facts){.model = HO_STR("gpt-5-codex"), .reported = 300000, .configured = list};
  assert_string_equal(ho_window_of(&facts).source, "harness");
  assert_int_equal(ho_window_of(&facts).effective, 300000);
  facts = (ho_window_facts){.model = HO_STR("claude-sonnet-5"), .reported = 1000000, .compacts = true};
  assert_int_equal(ho_window_of(&facts).effective, 967000);
  facts = (ho_window_facts){.model = HO_STR("claude-opus-4-6"), .used = 200001, .compacts = true};
  assert_int_equal(ho_window_of(&facts).full, 1000000);
  assert_string_equal(ho_window_of(&facts).source, "use");
  /* What the harness's settings say; the variable goes first; never more than there is. */
  facts = (ho_window_facts){.model = HO_STR("claude-opus-4-6"), .limit = 150000, .compacts = true};
  assert_int_equal(ho_window_of(&facts).effective, 150000);
  facts.auto_window = "180000";
  assert_int_equal(ho_window_of(&facts).effective, 180000);
  facts = (ho_window_facts){.model = HO_STR("claude-opus-4-6"), .limit = 50, .compacts = true};
  assert_int_equal(ho_window_of(&facts).effective, 100000);
  facts = (ho_window_facts){.model = HO_STR("gpt-5-codex"), .reported = 258400, .limit = 90000};
  assert_int_equal(ho_window_of(&facts).effective, 90000);
  facts.limit = 300000;
  assert_int_equal(ho_window_of(&facts).effective, 258400);
  ho_arena_free(&arena);
}

static bool fires(const ho_trigger_facts *facts, size_t which)
{
  ho_trigger triggers[HO_TRIGGERS];
  ho_triggers_find(facts, triggers);
  assert_true(triggers[which].why[0] != '\0');
  for (size_t i = 0; i < HO_TRIGGERS; i++)
    if (i != which && triggers[i].fires)
      fail_msg("%s fires: %s", triggers[i].name, triggers[i].why);
  return triggers[which].fires;
}

static void test_points(void **state)
{
  ho_trigger_facts facts = {.used = 159999, .window = 200000};
  (void)state;
  assert_false(fires(&facts, HO_TRIGGER_THRESHOLD));
  facts.used = 160000;
  assert_true(fires(&facts, HO_TRIGGER_THRESHOLD));
  facts.threshold = 90;
  assert_false(fires(&facts, HO_TRIGGER_THRESHOLD));
  facts.next = "large.txt";
  facts.next_tokens = 40000; /* exactly what is left */
  assert_false(fires(&facts, HO_TRIGGER_OVERFLOW));
  facts.next_tokens++;
  assert_true(fires(&facts, HO_TRIGGER_OVERFLOW));
  facts.next_tokens = 30000;
  facts.since = 10001; /* with what waits already it does not fit */
  assert_true(fires(&facts, HO_TRIGGER_OVERFLOW));
  facts = (ho_trigger_facts){.used = 10, .window = 200000, .since = 200001};
  assert_true(fires(&facts, HO_TRIGGER_OVERFLOW));
  facts = (ho_trigger_facts){.used = 10, .window = 200000, .reread = "a.c", .reread_count = 2};
  assert_false(fires(&facts, HO_TRIGGER_REREAD));
  facts.reread_count = 3;
  assert_true(fires(&facts, HO_TRIGGER_REREAD));
  facts = (ho_trigger_facts){.used = -1, .objectives_done = 3};
  assert_false(fires(&facts, HO_TRIGGER_OBJECTIVE));
  facts.objectives_known = true;
  facts.objectives_before = 3;
  assert_false(fires(&facts, HO_TRIGGER_OBJECTIVE));
  facts.objectives_before = 2;
  assert_false(fires(&facts, HO_TRIGGER_OBJECTIVE)); /* there may be room for the next one */
  facts.objectives_total = 3;
  assert_true(fires(&facts, HO_TRIGGER_OBJECTIVE)); /* there is no next one */
  facts.objectives_total = 4;
  facts.used = 39;
  facts.window = 100;
  assert_false(fires(&facts, HO_TRIGGER_OBJECTIVE));
  facts.used = 40; /* half of the threshold */
  assert_true(fires(&facts, HO_TRIGGER_OBJECTIVE));
  /* Nothing is guessed. */
  facts = (ho_trigger_facts){.used = -1, .window = 200000};
  assert_false(fires(&facts, HO_TRIGGER_THRESHOLD));
  facts = (ho_trigger_facts){.used = 500000};
  assert_false(fires(&facts, HO_TRIGGER_THRESHOLD));
}

static const char *choose(ho_nudges *nudges, const ho_trigger_facts *facts, int64_t now)
{
  ho_trigger triggers[HO_TRIGGERS];
  ho_triggers_find(facts, triggers);
  const ho_trigger *chosen = ho_nudge_choose(nudges, facts, triggers, now, 1000);
  return chosen ? chosen->name : "";
}

static void test_levels(void **state)
{
  (void)state;
  assert_int_equal(ho_nudge_level(79, 100, 80), 0);
  assert_int_equal(ho_nudge_level(80, 100, 80), 1);
  assert_int_equal(ho_nudge_level(89, 100, 80), 1);
  assert_int_equal(ho_nudge_level(90, 100, 80), 2);
  assert_int_equal(ho_nudge_level(95, 100, 80), 3);
  assert_int_equal(ho_nudge_level(500, 100, 80), 3);
  assert_int_equal(ho_nudge_level(100, 100, 100), 3);
  assert_int_equal(ho_nudge_level(-1, 100, 80), 0);
}

static void test_guards(void **state)
{
  ho_nudges nudges = {0};
  ho_trigger_facts facts = {.used = 79, .window = 100};
  (void)state;
  assert_string_equal(choose(&nudges, &facts, 1), "");
  facts.used = 80;
  assert_string_equal(choose(&nudges, &facts, 10), "threshold");
  assert_string_equal(choose(&nudges, &facts, 20), "");
  assert_string_equal(choose(&nudges, &facts, 99999), ""); /* once a level, however long ago */
  facts.used = 90;
  assert_string_equal(choose(&nudges, &facts, 100000), "threshold");
  facts.used = 95;
  assert_string_equal(choose(&nudges, &facts, 100001), "threshold"); /* it has risen: no time to cool down */
  facts.used = 99;
  assert_string_equal(choose(&nudges, &facts, 200000), "");
  facts.used = 20; /* compacted */
  assert_string_equal(choose(&nudges, &facts, 200001), "");
  facts.used = 80;
  assert_string_equal(choose(&nudges, &facts, 200002), "threshold");
  facts = (ho_trigger_facts){.used = 20, .window = 100, .reread = "a.c", .reread_count = 3};
  assert_string_equal(choose(&nudges, &facts, 200500), ""); /* cooling down */
  assert_string_equal(choose(&nudges, &facts, 201500), "reread");
  facts.reread_count = 4;
  assert_string_equal(choose(&nudges, &facts, 209999), "");
  facts.reread = "b.c";
  assert_string_equal(choose(&nudges, &facts, 210000), "reread");
  facts = (ho_trigger_facts){.used = 20, .window = 100, .next = "c.c", .next_tokens = 90};
  assert_string_equal(choose(&nudges, &facts, 220000), "overflow");
  assert_string_equal(choose(&nudges, &facts, 230000), "");
  facts = (ho_trigger_facts){.used = 50, .window = 100, .objectives_known = true, .objectives_done = 1};
  assert_string_equal(choose(&nudges, &facts, 240000), "objective");
  facts.objectives_before = nudges.objectives_done;
  assert_string_equal(choose(&nudges, &facts, 250000), "");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_windows), cmocka_unit_test(test_window_sources), cmocka_unit_test(test_points),
      cmocka_unit_test(test_levels),  cmocka_unit_test(test_guards),
  };
  return unit_run(tests);
}
