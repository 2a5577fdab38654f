#include "doc/yaml/yaml_test.h"

#include "files.h"

/* One line that libyaml rejects, with what it must mean. */
static const struct {
  const char *yaml, *json;
  size_t findings;
} cases[] = {
    {"a: b: c\n", "{\"a\":\"b: c\"}", 1},
    {"a: b: c", "{\"a\":\"b: c\"}", 1},
    {"a: \xC3\xA9: \xF0\x9F\x98\x80\r\nb: 1\r\n", "{\"a\":\"\xC3\xA9: \xF0\x9F\x98\x80\",\"b\":1}", 1},
    {"a: x: y # not a comment\nb: 1 # a comment\n", "{\"a\":\"x: y # not a comment\",\"b\":1}", 1},
    {"a: http://x: y\n", "{\"a\":\"http://x: y\"}", 1},
    {"a: this is it:\n", "{\"a\":\"this is it:\"}", 1},
    {"a: \"quoted\": y\n", "{\"a\":\"\\\"quoted\\\": y\"}", 1},
    {"\"a b\": c: d\n", "{\"a b\":\"c: d\"}", 1},
    {"- PostgreSQL: localhost:5432 (container: x)\n", "[{\"PostgreSQL\":\"localhost:5432 (container: x)\"}]", 1},
    {"- k: \"/loop task 10\" now works\n  z: 1\n", "[{\"k\":\"\\\"/loop task 10\\\" now works\",\"z\":1}]", 1},
    {"- - a: b: c\n  - d\n", "[[{\"a\":\"b: c\"},\"d\"]]", 1},
    {"- \"quoted\" and more\n- x\n", "[\"\\\"quoted\\\" and more\",\"x\"]", 1},
    {"- 'quoted' and more\n", "[\"'quoted' and more\"]", 1},
    {"key: 'it's'\n", "{\"key\":\"'it's'\"}", 1},
    {"a: @foo\n", "{\"a\":\"@foo\"}", 1},
    {"a: `code` x\n", "{\"a\":\"`code` x\"}", 1},
    {"a: %d\n", "{\"a\":\"%d\"}", 1},
    {"a: *bold* text\n", "{\"a\":\"*bold* text\"}", 1},
    {"a: **bold**\n", "{\"a\":\"**bold**\"}", 1},
    {"a: *important\n", "{\"a\":\"*important\"}", 1},
    {"a: & b\n", "{\"a\":\"& b\"}", 1},
    {"a: [text] more text\n", "{\"a\":\"[text] more text\"}", 1},
    {"a: {placeholder} more\n", "{\"a\":\"{placeholder} more\"}", 1},
    {"a: [b: c: d, e]\n", "{\"a\":\"[b: c: d, e]\"}", 1},
    {"a: > 80% covered\n", "{\"a\":\"> 80% covered\"}", 1},
    {"a: - b\n", "{\"a\":\"- b\"}", 1},
    {"a: , b\n", "{\"a\":\", b\"}", 1},
    {"a: ] b\n", "{\"a\":\"] b\"}", 1},
    {"path: \"C:\\Users\\new\"\n", "{\"path\":\"C:\\\\Users\\\\new\"}", 1},
    {"re: \"\\d+: \\w\"\n", "{\"re\":\"\\\\d+: \\\\w\"}", 1},
    {"a: x\x1B[0m\n", "{\"a\":\"x\\u001b[0m\"}", 1},
    {"goal: Fix: it\n  and more\n  stuff\nnext: b\n", "{\"goal\":\"Fix: it and more stuff\",\"next\":\"b\"}", 1},
    {"- @user says\n  hello\n- b\n", "[\"@user says hello\",\"b\"]", 1},
    {"**Status**: done\n", "{\"**Status**\":\"done\"}", 1},
    {"**Count**: 5\n", "{\"**Count**\":5}", 1},
    {"**Status**: done: x\n", "{\"**Status**\":\"done: x\"}", 2},
    {"%name: x\n", "{\"%name\":\"x\"}", 1},
    {"@a: 1\n`b`: 2\n", "{\"@a\":1,\"`b`\":2}", 2},
    {"a:\n\tb: 1\n\tc:\n\t\t- x\n\t\t- y\n", "{\"a\":{\"b\":1,\"c\":[\"x\",\"y\"]}}", 1},
    {"a:\n  b: 1\n\tc: 2\n", "{\"a\":{\"b\":1,\"c\":2}}", 1},
    {"a: |\n\tone\n\ttwo\n", "{\"a\":\"one\\ntwo\\n\"}", 1},
    {"a:\n\tb: c: d\n", "{\"a\":{\"b\":\"c: d\"}}", 2},
    {"a: b: c\nd: e: f\ng: |\n  h: i: j\n", "{\"a\":\"b: c\",\"d\":\"e: f\",\"g\":\"h: i: j\\n\"}", 2},
    {"---\na: b: c\n---\nd: e: f\n", "{\"a\":\"b: c\",\"d\":\"e: f\"}", 3},
};

static void recovers_what_is_plain(void **state)
{
  (void)state;
  for (size_t i = 0; i < HO_COUNT(cases); i++)
    assert_reads(cases[i].yaml, cases[i].json, cases[i].findings);
}

static void leaves_the_rest_an_error(void **state)
{
  (void)state;
  assert_fails("a: 1\nb: [x, y\nc: d: e\n", HO_SYNTAX, 3, 2);
  assert_fails("a: \"never closed\nb: \"text\" more\n", HO_SYNTAX, 2, 5);
  assert_fails("a: \"never closed", HO_SYNTAX, 1, 4);
  assert_fails("a: [never closed", HO_SYNTAX, 1, 4);
  assert_fails("a: &x [never closed", HO_SYNTAX, 1, 20);
  assert_fails("a: b\n  c: d\n", HO_SYNTAX, 2, 4);
  assert_fails("a: b: c\n  d: e\n", HO_SYNTAX, 2, 3);
  assert_fails("a: b: c\nnext: [\n", HO_SYNTAX, 2, 7);
  assert_fails("a: &x [*x]\n", HO_SYNTAX, 1, 8);
  assert_fails("a: [*unknown]\n", HO_SYNTAX, 1, 5);
  assert_fails("a: |x\n  text\n", HO_SYNTAX, 2, 3);
  assert_fails("a: 1\n\n just text: here\n", HO_SYNTAX, 3, 11);
}

/* Places in the source, after lines were rewritten before, at and behind them. */
static void keeps_the_places(void **state)
{
  (void)state;
  static const char text[] = "a: \xC3\xA9: \"x\"\n"
                             "b:\n"
                             "\t- 'one' two\n"
                             "\t- three\n"
                             "c: last\n";
  static const char *const expected[][2] = {
      {"/a", "\xC3\xA9: \"x\""},
      {"/b", "- 'one' two\n\t- three"},
      {"/b/0", "'one' two"},
      {"/b/1", "three"},
      {"/c", "last"},
  };
  yaml_test t;
  assert_int_equal(yaml_read(&t, HO_STR(text)), HO_OK);
  assert_bytes(&t, expected, HO_COUNT(expected));
  assert_int_equal(t.report.count, 3);
  static const unsigned places[][2] = {{1, 4}, {3, 1}, {3, 4}};
  for (size_t i = 0; i < t.report.count; i++) {
    assert_ptr_equal(t.report.items[i].rule, &ho_rule_YAML_RECOVERED);
    assert_int_equal(t.report.items[i].line, places[i][0]);
    assert_int_equal(t.report.items[i].column, places[i][1]);
  }
  yaml_done(&t);
}

static void bounds_the_work(void **state)
{
  (void)state;
  ho_buf text;
  ho_buf_init(&text, 0);
  for (int i = 0; i < 200; i++)
    ho_buf_printf(&text, "k%d: a: b\n", i);
  yaml_test t;
  assert_int_equal(yaml_read(&t, ho_buf_str(&text)), HO_OK);
  assert_int_equal(t.report.count, 200);
  yaml_done(&t);
  for (int i = 200; i < 100000; i++)
    ho_buf_printf(&text, "k%d: a: b\n", i);
  assert_fails(text.p, HO_SYNTAX, 201, 8);
  ho_buf_reset(&text);
  for (int i = 0; i < 100000; i++)
    ho_buf_puts(&text, "\t- a: b\n");
  ho_buf_puts(&text, "x: [\n");
  assert_int_equal(yaml_read(&t, ho_buf_str(&text)), HO_SYNTAX);
  yaml_done(&t);
  ho_buf_free(&text);
}

static unsigned files_read, files_failed;

static void read_one(const char *path, void *data)
{
  (void)data;
  ho_str name = ho_str_of(path);
  if (!ho_str_ends(name, ".yaml") && !ho_str_ends(name, ".yml"))
    return;
  ho_arena arena;
  yaml_test t;
  ho_arena_init(&arena, 0);
  files_read++;
  if (yaml_read(&t, file_read(&arena, path)) != HO_OK) {
    print_error("%s:%u:%u: %s\n", path, t.err.line, t.err.column, t.err.message);
    files_failed++;
  }
  yaml_done(&t);
  ho_arena_free(&arena);
}

static void reads_the_real_files(void **state)
{
  (void)state;
  each_file(unit_shared("corpus"), read_one, NULL);
  assert_true(files_read > 0);
  assert_int_equal(files_failed, 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(recovers_what_is_plain), cmocka_unit_test(leaves_the_rest_an_error),
      cmocka_unit_test(keeps_the_places),       cmocka_unit_test(bounds_the_work),
      cmocka_unit_test(reads_the_real_files),
  };
  return unit_run(tests);
}
