/* Findings: places, pointers, counts, limits, order; and the rules they name. */
#include "../unit.h"

#include "base/limits.h"
#include "doc/report.h"

typedef struct reporting {
  ho_arena arena;
  ho_source source;
  ho_report report;
} reporting;

static void start(reporting *r, const char *text)
{
  ho_arena_init(&r->arena, 0);
  assert_int_equal(ho_source_init(&r->source, &r->arena, HO_STR("f"), ho_str_of(text), &(ho_error){0}), HO_OK);
  ho_report_init(&r->report, &r->arena, &r->source);
}

static void stop(reporting *r)
{
  ho_arena_free(&r->arena);
}

static void keeps_what_it_is_told(void **state)
{
  (void)state;
  reporting r;
  start(&r, "a\nb\xC3\xA9"
            "c");
  ho_path top = {.key = HO_STR("x/y~z")}, item = {.up = &top, .index = 12}, leaf = {.up = &item, .key = HO_STR("")};
  ho_report_add(&r.report, &ho_rule_DUPLICATE_KEY, 5, &leaf, "key %d", 7);
  ho_report_add(&r.report, &ho_rule_JSON_COMMENT, HO_NOWHERE, NULL, "everywhere");
  ho_report_add_as(&r.report, &ho_rule_JSON_COMMENT, HO_NOTE, 0, &top, "only a note");
  assert_int_equal(r.report.count, 3);
  assert_int_equal(r.report.errors, 1);
  assert_int_equal(r.report.warnings, 1);
  const ho_finding *f = r.report.items;
  assert_ptr_equal(f[0].rule, &ho_rule_DUPLICATE_KEY);
  assert_int_equal(f[0].severity, HO_ERROR);
  assert_int_equal(f[0].line, 2);
  assert_int_equal(f[0].column, 3);
  assert_str(f[0].pointer, "/x~1y~0z/12/");
  assert_str(f[0].message, "key 7");
  assert_int_equal(f[1].line, 0);
  assert_int_equal(f[1].offset, HO_NOWHERE);
  assert_str(f[1].pointer, "");
  assert_int_equal(f[2].severity, HO_NOTE);
  stop(&r);
}

static void works_without_a_source(void **state)
{
  (void)state;
  ho_arena arena;
  ho_report report;
  ho_arena_init(&arena, 0);
  ho_report_init(&report, &arena, NULL);
  ho_report_add(&report, &ho_rule_SYNTAX, 3, NULL, "no place");
  assert_int_equal(report.items[0].line, 0);
  assert_int_equal(report.items[0].offset, 3);
  ho_arena_free(&arena);
}

static void counts_beyond_its_limit(void **state)
{
  (void)state;
  reporting r;
  start(&r, "");
  for (int i = 0; i < HO_LIMIT_FINDINGS + 5; i++)
    ho_report_add(&r.report, &ho_rule_SYNTAX, 0, NULL, "finding %d", i);
  assert_int_equal(r.report.count, HO_LIMIT_FINDINGS);
  assert_int_equal(r.report.left_out, 5);
  assert_int_equal(r.report.errors, HO_LIMIT_FINDINGS + 5);
  assert_str(r.report.items[HO_LIMIT_FINDINGS - 1].message, "finding 999");
  stop(&r);
}

static void sorts_by_place_and_keeps_the_order_of_equals(void **state)
{
  (void)state;
  static const struct {
    uint32_t offset;
    const char *name;
  } added[] = {{7, "a"}, {2, "b"}, {HO_NOWHERE, "c"}, {7, "d"}, {2, "e"}, {HO_NOWHERE, "f"}, {0, "g"}};
  reporting r;
  start(&r, "0123456789");
  ho_report_sort(&r.report);
  for (size_t i = 0; i < HO_COUNT(added); i++)
    ho_report_add(&r.report, &ho_rule_SYNTAX, added[i].offset, NULL, "%s", added[i].name);
  ho_report_sort(&r.report);
  char order[16] = "";
  for (size_t i = 0; i < r.report.count; i++)
    order[i] = r.report.items[i].message.p[0];
  assert_string_equal(order, "cfgbead");
  stop(&r);
}

static void names_the_nearest_node_with_a_short_pointer(void **state)
{
  (void)state;
  static char bytes[5000];
  memset(bytes, '/', sizeof bytes);
  ho_arena arena;
  ho_arena_init(&arena, 0);
  ho_path top = {.key = HO_STR("top")}, huge = {.up = &top, .key = {bytes, 5000}}, below = {.up = &huge, .index = 1};
  assert_str(ho_path_pointer(&arena, &below), "/top");
  huge.key.n = 2040; /* each '/' becomes "~1" */
  assert_int_equal(ho_path_pointer(&arena, &huge).n, 4 + 1 + 2 * 2040);
  assert_int_equal(ho_path_pointer(&arena, &below).n, 4 + 1 + 2 * 2040);
  huge.key.n = 2030;
  assert_int_equal(ho_path_pointer(&arena, &below).n, 4 + 1 + 2 * 2030 + 2);
  huge = (ho_path){.key = {bytes, 5000}};
  assert_str(ho_path_pointer(&arena, &below), "");
  ho_arena_free(&arena);
}

static void bears_a_full_arena(void **state)
{
  (void)state;
  reporting r;
  ho_arena full;
  start(&r, "x");
  for (size_t limit = 1; limit < 4096; limit += 64) {
    ho_arena_init(&full, limit);
    ho_report_init(&r.report, &full, &r.source);
    for (int i = 0; i < 20; i++)
      ho_report_add(&r.report, &ho_rule_SYNTAX, 0, NULL, "a finding of some length");
    assert_int_equal(r.report.errors, 20);
    assert_true(r.report.count <= 20);
    ho_arena_free(&full);
  }
  stop(&r);
}

static void every_rule_is_complete_and_named_once(void **state)
{
  (void)state;
  for (size_t i = 0; ho_doc_rules[i]; i++) {
    const ho_rule_info *rule = ho_doc_rules[i];
    assert_true(strlen(rule->id) > 0 && ho_str_ends(ho_str_of(rule->doc), ".") &&
                ho_str_ends(ho_str_of(rule->fix), "."));
    for (size_t j = 0; j < i; j++)
      assert_string_not_equal(rule->id, ho_doc_rules[j]->id);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(keeps_what_it_is_told),
      cmocka_unit_test(works_without_a_source),
      cmocka_unit_test(counts_beyond_its_limit),
      cmocka_unit_test(sorts_by_place_and_keeps_the_order_of_equals),
      cmocka_unit_test(names_the_nearest_node_with_a_short_pointer),
      cmocka_unit_test(bears_a_full_arena),
      cmocka_unit_test(every_rule_is_complete_and_named_once),
  };
  return unit_run(tests);
}
