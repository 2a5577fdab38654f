#include "doc/yaml/yaml_test.h"

static void reads_scalars(void **state)
{
  (void)state;
  assert_reads("", "null", 0);
  assert_reads("## Handoff\n", "null", 0);
  assert_reads("[~, null, Null, NULL, true, True, FALSE]", "[null,null,null,null,true,true,false]", 0);
  assert_reads("[0, -12, 1.5, 1e3, -1.5E+10]", "[0,-12,1.5,1e3,-1.5E+10]", 0);
  assert_reads(
      "[no, yes, on, Off, y, 2026-01-11, 1.2.3, '12:30', .inf, 1_000, -, 0x, '+']",
      "[\"no\",\"yes\",\"on\",\"Off\",\"y\",\"2026-01-11\",\"1.2.3\",\"12:30\",\".inf\",\"1_000\",\"-\",\"0x\",\"+\"]",
      0);
  assert_reads("['1', \"true\", !!str 12, ! 13, !foo bar]", "[\"1\",\"true\",\"12\",\"13\",\"bar\"]", 0);
  assert_reads("\xEF\xBB\xBF"
               "a: 1",
               "{\"a\":1}", 0);
}

static void keeps_the_text_of_numbers(void **state)
{
  (void)state;
  yaml_test t;
  assert_int_equal(yaml_read(&t, HO_STR("[007, 0x1F, 0o17, +1, .5, 1.]")), HO_OK);
  const char *texts[] = {"007", "0x1F", "0o17", "+1", ".5", "1."};
  for (size_t i = 0; i < HO_COUNT(texts); i++) {
    const ho_node *node = ho_list_at(t.root, i);
    assert_int_equal(node->kind, HO_KIND_NUMBER);
    assert_true(node->plain);
    assert_str(node->text, texts[i]);
  }
  yaml_done(&t);
}

static void keeps_the_text_of_keys(void **state)
{
  (void)state;
  assert_reads("True: 1\nnull: 2\n1.0: 3\n'q': 4\n<<: {a: b}\n? x\n: 5\n",
               "{\"True\":1,\"null\":2,\"1.0\":3,\"q\":4,\"<<\":{\"a\":\"b\"},\"x\":5}", 0);
  assert_fails("a: 1\n[b]: c\n", HO_SYNTAX, 2, 1);
  assert_fails("{{a: b}: c}\n", HO_SYNTAX, 1, 2);
  assert_fails("? - a\n: c\n", HO_SYNTAX, 1, 3);
}

static void expands_aliases(void **state)
{
  (void)state;
  assert_reads("a: &x [1, {b: c}]\nd: *x\ne: *x\n",
               "{\"a\":[1,{\"b\":\"c\"}],\"d\":[1,{\"b\":\"c\"}],\"e\":[1,{\"b\":\"c\"}]}", 0);
  assert_reads("- &x a\n- &x b\n- *x\n- {*x : 1}\n", "[\"a\",\"b\",\"b\",{\"b\":1}]", 0);
  assert_reads("&k key: v\nother: *k\n", "{\"key\":\"v\",\"other\":\"key\"}", 0);
  assert_fails("a: &x [*x]\n", HO_SYNTAX, 1, 8);
}

static void joins_documents(void **state)
{
  (void)state;
  assert_reads("---\na: 1\n---\nb: 2\n", "{\"a\":1,\"b\":2}", 1);
  assert_reads("---\n---\nb: 2\n---\n", "{\"b\":2}", 0);
  assert_reads("---\na: 1\n---\na: 2\n", "{\"a\":1,\"a\":2}", 2);
  assert_reads("---\n{}\n---\na: 2\n", "{\"a\":2}", 1);
  assert_fails("---\na: 1\n---\n- b\n", HO_SYNTAX, 4, 1);
}

static void reports_duplicate_keys(void **state)
{
  (void)state;
  yaml_test t;
  assert_int_equal(yaml_read(&t, HO_STR("a: 1\nb:\n  - x: 1\n    \xC3\xA9: 2\n    x: 3\n    x: 4\n")), HO_OK);
  assert_int_equal(t.report.count, 2);
  assert_ptr_equal(t.report.items[0].rule, &ho_rule_DUPLICATE_KEY);
  assert_int_equal(t.report.items[0].line, 5);
  assert_int_equal(t.report.items[1].line, 6);
  assert_int_equal(t.report.items[1].column, 5);
  assert_str(t.report.items[1].pointer, "/b/0/x");
  assert_int_equal(ho_list_at(ho_map_getz(t.root, "b"), 0)->count, 4);
  yaml_done(&t);
}

/* The bytes of each node, by its pointer. */
static void knows_the_bytes_of_values(void **state)
{
  (void)state;
  static const char text[] = "# caf\xC3\xA9\n"
                             "plain: some text  # comment\n"
                             "\xF0\x9F\x98\x80: \"q\xC3\xA9\\n\"\n"
                             "list:\n"
                             "  - 'it''s'\n"
                             "  - [a, b: c, {d: e}]   \n"
                             "\n"
                             "# end\n"
                             "map:\n"
                             "  x: |\n"
                             "    one\n"
                             "    two\n"
                             "\n"
                             "  y:\n"
                             "last: multi\n"
                             "  line\n";
  static const char *const expected[][2] = {
      {"/plain", "some text"},
      {"/\xF0\x9F\x98\x80", "\"q\xC3\xA9\\n\""},
      {"/list", "- 'it''s'\n  - [a, b: c, {d: e}]"},
      {"/list/0", "'it''s'"},
      {"/list/1", "[a, b: c, {d: e}]"},
      {"/list/1/1", "b: c"},
      {"/list/1/2", "{d: e}"},
      {"/map", "x: |\n    one\n    two\n\n  y:"},
      {"/map/x", "|\n    one\n    two"},
      {"/map/y", ""},
      {"/last", "multi\n  line"},
  };
  yaml_test t;
  assert_int_equal(yaml_read(&t, HO_STR(text)), HO_OK);
  assert_bytes(&t, expected, HO_COUNT(expected));
  const ho_node *emoji = ho_map_getz(t.root, "\xF0\x9F\x98\x80");
  assert_str(ho_str_sub(t.source.text, emoji->key_begin, emoji->key_end), "\xF0\x9F\x98\x80");
  yaml_done(&t);
}

static void reads_a_part_with_offsets_of_the_whole(void **state)
{
  (void)state;
  static const char text[] = "# Task \xE2\x9C\x93\n```yaml\na: \xC3\xA9\nb: [x\n```\n";
  yaml_test t;
  ho_node *root;
  assert_int_equal(yaml_read(&t, HO_STR("")), HO_OK);
  assert_int_equal(ho_source_init(&t.source, &t.arena, HO_STR("t.md"), HO_STR(text), &t.err), HO_OK);
  uint32_t from = (uint32_t)ho_str_find(HO_STR(text), "a:"), to = (uint32_t)ho_str_find(HO_STR(text), "b:");
  assert_int_equal(ho_yaml_read(&t.source, from, to, &t.arena, &t.report, &root, &t.err), HO_OK);
  assert_int_equal(root->first->begin, from + 3);
  assert_int_equal(ho_yaml_read(&t.source, from, to + 6, &t.arena, &t.report, &root, &t.err), HO_SYNTAX);
  assert_int_equal(t.err.line, 4);
  assert_int_equal(t.err.column, 4);
  yaml_done(&t);
}

static void stops_at_limits(void **state)
{
  (void)state;
  enum { MANY = 100000 };
  static char text[MANY + 1];
  memset(text, '[', MANY);
  assert_fails(text, HO_LIMIT, 1, HO_LIMIT_DEPTH + 1);
  ho_buf bomb;
  ho_buf_init(&bomb, 0);
  ho_buf_puts(&bomb, "- &a0 [x,x,x,x,x,x,x,x,x,x]\n");
  for (int i = 1; i < 30; i++) {
    ho_buf_printf(&bomb, "- &a%d [", i);
    for (int k = 0; k < 10; k++)
      ho_buf_printf(&bomb, "%s*a%d", k ? "," : "", i - 1);
    ho_buf_puts(&bomb, "]\n");
  }
  assert_fails(bomb.p, HO_LIMIT, 4, 12);
  ho_buf_reset(&bomb);
  ho_buf_puts(&bomb, "- &a0 x\n");
  for (int i = 1; i < 90; i++)
    ho_buf_printf(&bomb, "- &a%d [*a%d]\n", i, i - 1);
  assert_fails(bomb.p, HO_LIMIT, 65, 9);
  ho_buf_reset(&bomb);
  ho_buf_puts(&bomb, "- &a ");
  ho_buf_fill(&bomb, 'x', HO_LIMIT_DOCUMENT / 8);
  for (int i = 0; i < 9; i++)
    ho_buf_puts(&bomb, "\n- *a");
  assert_fails(bomb.p, HO_LIMIT, 10, 3);
  ho_buf_free(&bomb);
}

static void names_the_place_of_errors(void **state)
{
  (void)state;
  assert_fails("a: 1\nb: \"never closed\nc: 2\n", HO_SYNTAX, 2, 4);
  assert_fails("a: 1\nb: 'never closed\n", HO_SYNTAX, 2, 4);
  assert_fails("a: 1\nb: [x, y\n", HO_SYNTAX, 2, 4);
  assert_fails("a: 1\nb: {x: y\n", HO_SYNTAX, 2, 4);
  assert_fails("a:\n  b: 1\n c: 2\n", HO_SYNTAX, 3, 2);
  assert_fails("a: 1\nno colon here\nb: 2\n", HO_SYNTAX, 2, 1);
  assert_fails("a: 1\n- b\n", HO_SYNTAX, 2, 1);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(reads_scalars),
      cmocka_unit_test(keeps_the_text_of_numbers),
      cmocka_unit_test(keeps_the_text_of_keys),
      cmocka_unit_test(expands_aliases),
      cmocka_unit_test(joins_documents),
      cmocka_unit_test(reports_duplicate_keys),
      cmocka_unit_test(knows_the_bytes_of_values),
      cmocka_unit_test(reads_a_part_with_offsets_of_the_whole),
      cmocka_unit_test(stops_at_limits),
      cmocka_unit_test(names_the_place_of_errors),
  };
  return unit_run(tests);
}
