#include "doc/yaml/yaml_test.h"

#include "base/utf8.h"

static void assert_writes(const char *json, const char *yaml)
{
  ho_arena arena;
  ho_source source;
  ho_report report;
  ho_node *root;
  ho_buf out;
  ho_error err;
  ho_arena_init(&arena, 0);
  ho_buf_init(&out, 0);
  assert_int_equal(ho_source_init(&source, &arena, HO_STR("t.json"), ho_str_of(json), &err), HO_OK);
  ho_report_init(&report, &arena, &source);
  assert_int_equal(ho_json_read(&source, 0, &arena, &report, &root, &err), HO_OK);
  ho_yaml_write(&out, root);
  assert_string_equal(out.p, yaml);
  ho_buf_free(&out);
  ho_arena_free(&arena);
}

static void writes_block_style(void **state)
{
  (void)state;
  assert_writes("null", "null\n");
  assert_writes("{}", "{}\n");
  assert_writes("[[], {}]", "- []\n- {}\n");
  assert_writes("{\"a\": 1, \"b\": {\"c\": [1, [2, 3], {\"d\": null, \"e\": true}]}}",
                "a: 1\nb:\n  c:\n    - 1\n    - - 2\n      - 3\n    - d: null\n      e: true\n");
  assert_writes("[{\"a\": {\"b\": 1}, \"c\": []}]", "- a:\n    b: 1\n  c: []\n");
}

static void writes_text_plainly_where_it_can(void **state)
{
  (void)state;
  assert_writes("{\"a b\": \"it's a \\\"test\\\", (x) [y]#1\"}", "a b: it's a \"test\", (x) [y]#1\n");
  assert_writes("[\"src/a.c:12\", \"~/x\", \"--flag\", \"\xF0\x9F\x98\x80 \xC3\xA9\", \"v1.2\", \"./run\"]",
                "- src/a.c:12\n- ~/x\n- \"--flag\"\n- \xF0\x9F\x98\x80 \xC3\xA9\n- v1.2\n- ./run\n");
  assert_writes(
      "[\"no\", \"1e3\", \"2026-01-11\", \"a: b\", \"\", \" a\", \"- a\", \"a:\", \"a #b\", \"null\", \"12:30\"]",
      "- \"no\"\n- \"1e3\"\n- \"2026-01-11\"\n- \"a: b\"\n- \"\"\n- \" a\"\n- \"- a\"\n- \"a:\"\n- \"a #b\"\n"
      "- \"null\"\n- \"12:30\"\n");
  assert_writes("[\"a\\tb\", \"\\u0007\", \"\\u2028\", \"\\\\ \\\"\"]",
                "- \"a\\tb\"\n- \"\\x07\"\n- \"\\u2028\"\n- \"\\\\ \\\"\"\n");
}

static void writes_lines_as_literals(void **state)
{
  (void)state;
  assert_writes("{\"a\": \"one\\ntwo\", \"b\": \"one\\n  two\\n\", \"c\": [\"one\\n\\ntwo\\n\\n\"], \"d\": 1}",
                "a: |-\n  one\n  two\nb: |\n  one\n    two\nc:\n  - |+\n    one\n\n    two\n\nd: 1\n");
  assert_writes("[\"\\n\", \" a\\nb\", \"a\\n \\nb\", \"a\\r\\nb\", \"\\n\\na\"]",
                "- \"\\n\"\n- |2-\n   a\n  b\n- \"a\\n \\nb\"\n- \"a\\r\\nb\"\n- |-\n\n\n  a\n");
  /* The first line does not show how far the others are indented: the block says it. */
  assert_writes("{\"a\": {\"b\": [[\"  x\\ny\\n\"]]}}", "a:\n  b:\n    - - |2\n          x\n        y\n");
  assert_writes("\"  x\\ny\"", "\"  x\\ny\"\n");
}

/* Texts that some reader of some version would take for something else. */
static const char *const nasty[] = {
    "",
    " ",
    "  x",
    "x  ",
    "- a",
    "-",
    "--",
    "---",
    "--- a",
    "...",
    "... a",
    "a: b",
    "a:",
    ":",
    ": a",
    ":a",
    "a:b",
    "#x",
    "a #b",
    "a# b",
    "no",
    "No",
    "NO",
    "yes",
    "y",
    "Y",
    "n",
    "on",
    "OFF",
    "true",
    "True",
    "false",
    "null",
    "Null",
    "~",
    "~a",
    "0",
    "-1",
    "+1",
    "0x1F",
    "0o17",
    "017",
    "0b11",
    "1_000",
    "1.",
    ".5",
    "1e3",
    "1E+3",
    "e1",
    "E-9",
    "-.inf",
    ".inf",
    ".NaN",
    "+.INF",
    "12:30:45",
    "1:30",
    "190:20:30.15",
    "2026-01-11",
    "2026-01-11T10:00:00Z",
    "2026-1-1 1:1:1 +1",
    "\t",
    "a\tb",
    "\ta",
    "a\t",
    "\n",
    "\n\n",
    "a\n",
    "a\n\n",
    "a\nb",
    "\na",
    " a\nb",
    "a\n b",
    "a\n\tb",
    "\ta\nb",
    "a\n \nb",
    "a\n ",
    "a \nb",
    "a\n  \n",
    "a\rb",
    "a\r\nb",
    "\r",
    "a\xC2\x85"
    "b",
    "a\xE2\x80\xA8"
    "b",
    "a\xE2\x80\xA9"
    "b",
    "\x01",
    "a\x1B[0m",
    "\x7F",
    "\xC2\x80",
    "\xEF\xBB\xBF",
    "a\xEF\xBB\xBF",
    "\xEF\xBF\xBE",
    "\xEF\xBF\xBD",
    "\xF0\x9F\x98\x80",
    "\xF0\x9F\x98\x80\nb",
    "\xF4\x8F\xBF\xBF",
    "\xC2\xA0",
    "? x",
    "?",
    "?x",
    "!tag",
    "!",
    "!!str x",
    "&a",
    "&",
    "*a",
    "*",
    "**b**",
    "%d",
    "%",
    "@",
    "@a",
    "`",
    "`a`",
    ",",
    ", a",
    "[",
    "]",
    "[]",
    "[a]",
    "{",
    "}",
    "{}",
    "{a}",
    "\"",
    "'",
    "\"a\"",
    "'a'",
    "it's",
    "\\",
    "a\\",
    "\\n",
    "|",
    "|-",
    ">",
    "> a",
    "<<",
    "=",
    "=a",
    "<a>",
    "a, b",
    "a [b]",
    "key: |",
    "- - a",
    "? a\n: b",
    "# a\nb",
    "a\n# b",
    "a\n---\nb",
    "a\n...\n",
    "--- |\n a",
    "a\n\n\nb\n\n\n",
    "\n a",
    "a:\nb",
    "a: \n",
    "x\n- y",
    "0.0.0",
    "1.2.3",
    "1,000",
    "0x",
    "-a",
    "-/",
    "./a",
    "..",
    ".a",
};

static ho_str nasty_text(ho_arena *arena, unit_random *random)
{
  static const char *const pieces[] = {"a",  "b c", " ",  "\n", ":", "#", "-",        "\"",
                                       "'",  "\\",  "\t", "1",  ".", "e", "\xC3\xA9", "\xF0\x9F\x98\x80",
                                       "\r", "[",   "}",  ",",  "|", "~", "\x02"};
  if (unit_below(random, 3))
    return ho_str_of(nasty[unit_below(random, HO_COUNT(nasty))]);
  ho_str text = HO_EMPTY;
  for (size_t n = unit_below(random, 8); n > 0; n--)
    text = ho_arena_printf(arena, "%.*s%s", HO_ARG(text), pieces[unit_below(random, HO_COUNT(pieces))]);
  return text;
}

static ho_node *random_tree(ho_arena *arena, unit_random *random, unsigned depth)
{
  static const char *const numbers[] = {"0", "-1", "1.5", "1e3", "12345678901234567890", "-0.0E-7", "007", "0x1F"};
  size_t kind = unit_below(random, depth ? 7 : 4);
  if (kind == 0)
    return ho_node_new(arena, HO_KIND_NULL);
  if (kind == 1)
    return ho_node_bool(arena, unit_below(random, 2));
  if (kind == 2) {
    ho_node *number = ho_node_new(arena, HO_KIND_NUMBER);
    number->text = ho_str_of(numbers[unit_below(random, HO_COUNT(numbers))]);
    return number;
  }
  if (kind == 3)
    return ho_node_text(arena, nasty_text(arena, random));
  ho_node *node = ho_node_new(arena, kind == 4 ? HO_KIND_LIST : HO_KIND_MAP);
  for (size_t n = unit_below(random, 6); n > 0; n--)
    ho_map_add(node, kind == 4 ? HO_EMPTY : nasty_text(arena, random), random_tree(arena, random, depth - 1));
  return node;
}

static void assert_round_trip(ho_arena *arena, const ho_node *tree)
{
  ho_buf out;
  yaml_test t;
  ho_buf_init(&out, 0);
  ho_yaml_write(&out, tree);
  assert_int_equal(out.failed, HO_OK);
  ho_code code = yaml_read(&t, ho_buf_str(&out));
  const char *difference = code ? NULL : ho_node_difference(arena, tree, t.root);
  if (code || difference)
    print_error("%s\n%u:%u: %s\n", out.p, t.err.line, t.err.column, code ? t.err.message : difference);
  assert_int_equal(code, HO_OK);
  assert_null(difference);
  for (size_t i = 0; i < t.report.count; i++)
    assert_ptr_equal(t.report.items[i].rule, &ho_rule_DUPLICATE_KEY);
  yaml_done(&t);
  ho_buf_free(&out);
}

/* Each nasty text alone, as a value and as a key, at several depths. */
static void reads_back_nasty_texts(void **state)
{
  (void)state;
  for (size_t i = 0; i < HO_COUNT(nasty); i++) {
    ho_arena arena;
    ho_arena_init(&arena, 0);
    ho_str text = ho_str_of(nasty[i]);
    ho_node *map = ho_node_new(&arena, HO_KIND_MAP), *list = ho_node_new(&arena, HO_KIND_LIST);
    ho_list_add(list, ho_node_text(&arena, text));
    ho_list_add(list, ho_node_copy(&arena, list));
    ho_map_add(map, text, ho_node_text(&arena, text));
    ho_map_addz(map, "k", ho_node_text(&arena, text));
    ho_list_add(list, map);
    ho_map_addz(map, "l", ho_node_copy(&arena, list));
    assert_round_trip(&arena, ho_node_text(&arena, text));
    assert_round_trip(&arena, list);
    assert_round_trip(&arena, map);
    ho_arena_free(&arena);
  }
}

static void reads_back_random_trees(void **state)
{
  (void)state;
  unit_random random = {20260111};
  for (int i = 0; i < 5000; i++) {
    ho_arena arena;
    ho_arena_init(&arena, 0);
    assert_round_trip(&arena, random_tree(&arena, &random, 4));
    ho_arena_free(&arena);
  }
}

static void reads_back_long_keys(void **state)
{
  (void)state;
  for (size_t n = 200; n < 5000; n += n < 1100 ? 1 : 97) {
    ho_arena arena;
    ho_arena_init(&arena, 0);
    ho_node *map = ho_node_new(&arena, HO_KIND_MAP), *list = ho_node_new(&arena, HO_KIND_LIST);
    char *key = ho_arena_alloc(&arena, n + 1);
    memset(key, n % 2 ? 'k' : '\x02', n);
    ho_map_add(map, (ho_str){key, n}, ho_node_textz(&arena, "v"));
    ho_map_add(map, (ho_str){key, n - 1}, ho_node_copy(&arena, map));
    ho_list_add(list, map);
    assert_round_trip(&arena, list);
    ho_arena_free(&arena);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(writes_block_style),       cmocka_unit_test(writes_text_plainly_where_it_can),
      cmocka_unit_test(writes_lines_as_literals), cmocka_unit_test(reads_back_nasty_texts),
      cmocka_unit_test(reads_back_random_trees),  cmocka_unit_test(reads_back_long_keys),
  };
  return unit_run(tests);
}
