/* JSON, splices and templates when memory runs out. In the fault build (HO_FAULT) a whole journey is made again and
 * again, with the first, the second, … allocation failing: HO_MEMORY each time, nothing leaked, nothing broken. */
#include "unit.h"

#include "base/memory.h"
#include "doc/json/json.h"
#include "doc/text/splice.h"
#include "doc/text/template.h"

static const char text[] = "{\"a\": [1, \"\\u00e9\", {\"b\": null}], /* c */ \"a\": \"x\", \"k1\":1,\"k2\":1,\"k3\":1,"
                           "\"k4\":1,\"k5\":1,\"k6\":1,\"k7\":1,\"k8\":1,\"k9\":1,\"k10\":1,\"k11\":1,\"k12\":1,"
                           "\"k13\":1,\"k14\":1,\"k15\":1,\"k16\":1,\"k17\":1,\"k1\":2}";

static void quote(ho_buf *out, ho_str value)
{
  ho_json_write_text(out, value);
}

/* Reads, edits the first value's span, renders the tree and the edited text into one buffer. */
static ho_code make_journey(ho_arena *arena, ho_buf *out, ho_error *err)
{
  ho_source source;
  ho_report report;
  ho_node *node;
  ho_splice splice;
  ho_code code = ho_source_init(&source, arena, HO_STR("t"), HO_STR(text), err);
  if (code)
    return code;
  ho_report_init(&report, arena, &source);
  code = ho_json_read(&source, HO_JSON_COMMENTS, arena, &report, &node, err);
  if (code)
    return code;
  ho_splice_init(&splice, arena, source.text);
  code = ho_splice_replace(&splice, node->first->begin, node->first->end, HO_STR("[]"), err);
  if (code)
    return code;
  ho_splice_write(&splice, out);
  code = ho_template_write(out, HO_STR("\n{#each a}{#if b}{b}{else}{.} {/if}{/each}{a}{.}"), node, 0, quote, err);
  if (code)
    return code;
  ho_json_write(out, node, 2);
  return ho_buf_code(out, err);
}

static void all_goes_well_with_enough_memory(void **state)
{
  (void)state;
  ho_arena arena;
  ho_buf out;
  ho_error err;
  ho_arena_init(&arena, 0);
  ho_buf_init(&out, 0);
  assert_int_equal(make_journey(&arena, &out, &err), HO_OK);
  assert_true(ho_str_starts(ho_buf_str(&out), "{\"a\": [], /* c */ \"a\""));
  ho_buf_free(&out);
  ho_arena_free(&arena);
}

#ifdef HO_FAULT
static void every_allocation_may_fail(void **state)
{
  (void)state;
  unsigned long n = 1;
  for (bool fired = true; fired; n++) {
    ho_arena arena;
    ho_buf out;
    ho_error err = {0};
    ho_arena_init(&arena, 0);
    ho_buf_init(&out, 0);
    ho_fault_arm(n);
    ho_code code = make_journey(&arena, &out, &err);
    fired = ho_fault_fired();
    ho_fault_arm(0);
    assert_int_equal(code, fired ? HO_MEMORY : HO_OK);
    assert_int_equal(err.code, code);
    ho_buf_free(&out);
    ho_arena_free(&arena);
  }
  print_message("%lu allocations failed\n", n - 2);
  assert_true(n > 40);
}
#endif

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_goes_well_with_enough_memory),
#ifdef HO_FAULT
      cmocka_unit_test(every_allocation_may_fail),
#endif
  };
  return unit_run(tests);
}
