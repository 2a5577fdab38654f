/* The JSON reader and writer: values, spans, findings, errors, limits. */
#include "unit.h"

#include "base/limits.h"
#include "doc/json/json.h"
#include "doc/rules.h"

typedef struct reading {
  ho_arena arena;
  ho_source source;
  ho_report report;
  ho_node *node;
  ho_error err;
  ho_code code;
} reading;

static void read_with(reading *r, ho_str text, unsigned options)
{
  *r = (reading){0};
  ho_arena_init(&r->arena, 0);
  r->code = ho_source_init(&r->source, &r->arena, HO_STR("t.json"), text, &r->err);
  ho_report_init(&r->report, &r->arena, &r->source);
  if (!r->code)
    r->code = ho_json_read(&r->source, options, &r->arena, &r->report, &r->node, &r->err);
}

static void read_text(reading *r, const char *text)
{
  read_with(r, ho_str_of(text), 0);
}

static void done(reading *r)
{
  ho_arena_free(&r->arena);
}

static void reads_and_writes_values(void **state)
{
  static const struct {
    const char *in, *out;
  } cases[] = {
      {"null", "null"},
      {" true\r\n", "true"},
      {"\tfalse ", "false"},
      {"0", "0"},
      {"-0.50e+10", "-0.50e+10"},
      {"123456789012345678901234567890", "123456789012345678901234567890"},
      {"\"\"", "\"\""},
      {"[]", "[]"},
      {" [ ] ", "[]"},
      {"{}", "{}"},
      {"[ 1 , [ 2 , { } ] , \"x\" ]", "[1,[2,{}],\"x\"]"},
      {"{ \"a\" : { \"b\" : [ null ] } , \"\" : true }", "{\"a\":{\"b\":[null]},\"\":true}"},
      {"\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"\\\"\\\\/\\b\\f\\n\\r\\t\""},
      {"\"a\\u00e9\\u20AC\\ud83d\\uDE00z\"", "\"a\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80z\""},
      {"\"\\ud7ff\\ud800\\udc00\\udbff\\udfff\\ue000\"",
       "\"\xED\x9F\xBF\xF0\x90\x80\x80\xF4\x8F\xBF\xBF\xEE\x80\x80\""},
      {"\"\\u0000\\u001f\\u007f\\u2028\\u2029\\u202a\"", "\"\\u0000\\u001f\\u007f\\u2028\\u2029\xE2\x80\xAA\""},
      {"\"\xF0\x9F\x98\x80 long enough for the fast path, \xC3\xA9t\xC3\xA9\"",
       "\"\xF0\x9F\x98\x80 long enough for the fast path, \xC3\xA9t\xC3\xA9\""},
      {"\xEF\xBB\xBF[1]", "[1]"},
  };
  (void)state;
  for (size_t i = 0; i < HO_COUNT(cases); i++) {
    reading r;
    read_text(&r, cases[i].in);
    assert_int_equal(r.code, HO_OK);
    ho_buf out;
    ho_buf_init(&out, 0);
    ho_json_write(&out, r.node, 0);
    assert_string_equal(out.p, cases[i].out);
    assert_int_equal(r.report.count, 0);
    ho_buf_free(&out);
    done(&r);
  }
}

static void writes_with_indent(void **state)
{
  (void)state;
  reading r;
  ho_buf out;
  read_text(&r, "{\"a\":[1,[],{}],\"b\":{\"c\":null}}");
  ho_buf_init(&out, 0);
  ho_json_write(&out, r.node, 2);
  assert_string_equal(out.p, "{\n  \"a\": [\n    1,\n    [],\n    {}\n  ],\n  \"b\": {\n    \"c\": null\n  }\n}");
  ho_buf_reset(&out);
  ho_json_write(&out, NULL, 2);
  assert_string_equal(out.p, "null");
  ho_buf_free(&out);
  done(&r);
}

static void writes_numbers_of_yaml(void **state)
{
  static const struct {
    const char *in, *out;
  } cases[] = {{"+1", "1"},
               {"007", "7"},
               {"000", "0"},
               {".5", "0.5"},
               {"-.5e3", "-0.5e3"},
               {"1.", "1"},
               {"1.e2", "1e2"},
               {"0x1F", "31"},
               {"0o17", "15"},
               {"0x", "\"0x\""},
               {"0o8", "\"0o8\""},
               {".inf", "\".inf\""},
               {"-.inf", "\"-.inf\""},
               {".nan", "\".nan\""},
               {"1e", "\"1e\""},
               {"", "\"\""},
               {"0xFFFFFFFFFFFFFFFF", "18446744073709551615"},
               {"0x10000000000000000", "\"0x10000000000000000\""}};
  (void)state;
  for (size_t i = 0; i < HO_COUNT(cases); i++) {
    ho_node node = {.kind = HO_KIND_NUMBER, .text = ho_str_of(cases[i].in)};
    ho_buf out;
    ho_buf_init(&out, 0);
    ho_json_write(&out, &node, 0);
    assert_string_equal(out.p, cases[i].out);
    ho_buf_free(&out);
  }
}

static void assert_span(const char *text, uint32_t begin, uint32_t end, const char *expected)
{
  assert_true(begin <= end && end <= strlen(text));
  assert_str(((ho_str){text + begin, end - begin}), expected);
}

static void knows_the_bytes_of_every_node(void **state)
{
  (void)state;
  const char *text =
      "\xEF\xBB\xBF { \"a\\n\" : [ 1.5e3 , \"\xC3\xA9\\u0041\" , [ ] ] ,\n\t\"b\":{\"c\": null, \"d\":true}} ";
  reading r;
  read_text(&r, text);
  assert_int_equal(r.code, HO_OK);
  assert_span(text, r.node->begin, r.node->end,
              "{ \"a\\n\" : [ 1.5e3 , \"\xC3\xA9\\u0041\" , [ ] ] ,\n\t\"b\":{\"c\": null, \"d\":true}}");
  assert_int_equal(r.node->key_begin, HO_NOWHERE);
  ho_node *a = ho_map_getz(r.node, "a\n"), *b = ho_map_getz(r.node, "b");
  assert_span(text, a->key_begin, a->key_end, "\"a\\n\"");
  assert_span(text, a->begin, a->end, "[ 1.5e3 , \"\xC3\xA9\\u0041\" , [ ] ]");
  assert_span(text, ho_list_at(a, 0)->begin, ho_list_at(a, 0)->end, "1.5e3");
  assert_span(text, ho_list_at(a, 1)->begin, ho_list_at(a, 1)->end, "\"\xC3\xA9\\u0041\"");
  assert_str(ho_list_at(a, 1)->text, "\xC3\xA9"
                                     "A");
  assert_span(text, ho_list_at(a, 2)->begin, ho_list_at(a, 2)->end, "[ ]");
  assert_int_equal(ho_list_at(a, 2)->key_begin, HO_NOWHERE);
  assert_span(text, b->first->key_begin, b->first->key_end, "\"c\"");
  assert_span(text, b->first->begin, b->first->end, "null");
  assert_span(text, b->last->begin, b->last->end, "true");
  /* Without an escape the text is a slice of the source, not a copy. */
  assert_ptr_equal(b->first->key.p, text + b->first->key_begin + 1);
  done(&r);
}

static void refuses_with_place_and_reason(void **state)
{
  static const struct {
    const char *text;
    unsigned line, column;
    const char *message;
  } cases[] = {
      {"", 1, 1, "expected a value, found the end of the text"},
      {" \n ", 2, 2, "expected a value, found the end of the text"},
      {"[1,2", 1, 5, "expected ',' or ']' after this value: the text ends inside the list that began in line 1"},
      {"\n{\"a\":1", 2, 7, "expected ',' or '}' after this value: the text ends inside the map that began in line 2"},
      {"{\"a\":1]", 1, 7, "expected ',' or '}' after this value, found ']'"},
      {"[1}", 1, 3, "expected ',' or ']' after this value, found '}'"},
      {"[1 2]", 1, 4, "expected ',' or ']' after this value, found '2'"},
      {"[1,]", 1, 4, "expected a value after ',', found ']'"},
      {"[,1]", 1, 2, "expected a value or ']', found ','"},
      {"{,}", 1, 2, "expected '\"' to begin a key, or '}', found ','"},
      {"{\"a\":1,}", 1, 8, "expected '\"' to begin a key after ',', found '}'"},
      {"{a:1}", 1, 2, "expected '\"' to begin a key, or '}', found 'a'"},
      {"{\"a\" 1}", 1, 6, "expected ':' after this key, found '1'"},
      {"{\"a\":}", 1, 6, "expected a value after ':', found '}'"},
      {"{\"a\":", 1, 6, "expected a value after ':': the text ends inside the map that began in line 1"},
      {"[tru]", 1, 5, "expected 'true', found ']'"},
      {"[nulL]", 1, 5, "expected 'null', found 'L'"},
      {"truex", 1, 5, "expected nothing more after the value, found 'x'"},
      {"1 \xC3\xA9", 1, 3, "expected nothing more after the value, found '\xC3\xA9'"},
      {"True", 1, 1, "expected a value, found 'T'"},
      {"NaN", 1, 1, "expected a value, found 'N'"},
      {"-", 1, 2, "expected a digit after '-', found the end of the text"},
      {"[-x]", 1, 3, "expected a digit after '-', found 'x'"},
      {"01", 1, 2, "a number must not have leading zeros, found '1'"},
      {"-01", 1, 3, "a number must not have leading zeros, found '1'"},
      {"1.", 1, 3, "expected a digit after '.', found the end of the text"},
      {"[1.e1]", 1, 4, "expected a digit after '.', found 'e'"},
      {"[1e]", 1, 4, "expected a digit in the exponent, found ']'"},
      {"[1e+]", 1, 5, "expected a digit in the exponent, found ']'"},
      {"+1", 1, 1, "expected a value, found '+'"},
      {".5", 1, 1, "expected a value, found '.'"},
      {"\"\xC3\xA9", 1, 3, "expected '\"' to end this text, found the end of the text"},
      {"\"a\nb\"", 1, 3, "expected '\"' to end this text, found the end of the line"},
      {"\"a\rb\"", 1, 3, "expected '\"' to end this text, found the end of the line"},
      {"\"a\tb\"", 1, 3, "expected '\"' to end this text, found the control character U+0009"},
      {"[\"\\x\"]", 1, 4, "expected one of \" \\ / b f n r t u after '\\', found 'x'"},
      {"\"\\", 1, 3, "expected one of \" \\ / b f n r t u after '\\', found the end of the text"},
      {"\"\\u12G4\"", 1, 6, "expected four hexadecimal digits after \\u, found 'G'"},
      {"\"\\u12\"", 1, 6, "expected four hexadecimal digits after \\u, found '\"'"},
      {"\"ab\\ud800\"", 1, 4, "\\ud800 is half of a surrogate pair; the other half is missing"},
      {"\"ab\\uDC00\"", 1, 4, "\\uDC00 is half of a surrogate pair; the other half is missing"},
      {"\"\\ud800\\u0041\"", 1, 2, "\\ud800 is half of a surrogate pair; the other half is missing"},
      {"\"\\ud800\\ud800\"", 1, 2, "\\ud800 is half of a surrogate pair; the other half is missing"},
      {"// no\n1", 1, 1, "expected a value, found '/'"},
      {"[\x7F]", 1, 2, "expected a value or ']', found the control character U+007F"},
      {"['a']", 1, 2, "expected a value or ']', found '''"},
      {"[\"\xF0\x9F\x98\x80\", \xE2\x82\xAC]", 1, 7, "expected a value after ',', found '\xE2\x82\xAC'"},
      {"\xEF\xBB\xBF\xEF\xBB\xBF"
       "1",
       1, 1, "expected a value, found '\xEF\xBB\xBF'"},
  };
  (void)state;
  for (size_t i = 0; i < HO_COUNT(cases); i++) {
    reading r;
    read_text(&r, cases[i].text);
    assert_int_equal(r.code, HO_SYNTAX);
    assert_int_equal(r.err.code, HO_SYNTAX);
    assert_string_equal(r.err.message, cases[i].message);
    assert_int_equal(r.err.line, cases[i].line);
    assert_int_equal(r.err.column, cases[i].column);
    assert_string_equal(r.err.rule, "syntax");
    assert_string_equal(r.err.file, "t.json");
    assert_null(r.node);
    done(&r);
  }
}

/* Texts are scanned eight bytes at a time: every control character, at every place of the eight. */
static void refuses_control_characters_everywhere(void **state)
{
  (void)state;
  for (char c = 1; c < 0x20; c++)
    for (unsigned at = 0; at < 24; at++) {
      char text[32];
      memset(text, 'x', sizeof text);
      text[0] = text[30] = '"';
      text[31] = '\0';
      text[1 + at] = c;
      reading r;
      read_text(&r, text);
      assert_int_equal(r.code, HO_SYNTAX);
      assert_int_equal(r.err.column, at + 2);
      done(&r);
    }
}

static void reports_duplicate_keys(void **state)
{
  (void)state;
  reading r;
  read_text(&r, "{\"x\":[{}, {\"a\":1,\n \"b\":2, \"\\u0061\":3, \"a\":4}]}");
  assert_int_equal(r.code, HO_OK);
  assert_int_equal(r.report.count, 2);
  const ho_finding *f = &r.report.items[0];
  assert_ptr_equal(f->rule, &ho_rule_DUPLICATE_KEY);
  assert_int_equal(f->line, 2);
  assert_int_equal(f->column, 9);
  assert_str(f->pointer, "/x/1/a");
  assert_str(f->message, "duplicate key 'a', first used in line 1");
  assert_int_equal(ho_list_at(ho_map_getz(r.node, "x"), 1)->count, 4);
  done(&r);
}

/* Around the size at which the hash table takes over, and far above it. */
static void finds_the_duplicate_in_maps_of_every_size(void **state)
{
  (void)state;
  static const unsigned sizes[] = {2, 15, 16, 17, 18, 31, 32, 33, 64, 65, 1000, 20000};
  for (size_t i = 0; i < HO_COUNT(sizes); i++)
    for (unsigned again = 0; again < sizes[i]; again += sizes[i] / 2) {
      ho_buf text;
      ho_buf_init(&text, 0);
      for (unsigned k = 0; k < sizes[i]; k++)
        ho_buf_printf(&text, "%s\"key%u\":0\n", k ? "," : "{", k);
      ho_buf_printf(&text, ",\"key%u\":1}", again);
      reading r;
      read_with(&r, ho_buf_str(&text), 0);
      assert_int_equal(r.code, HO_OK);
      assert_int_equal(r.report.count, 1);
      assert_int_equal(r.report.items[0].line, sizes[i] + 1);
      char message[80];
      snprintf(message, sizeof message, "duplicate key 'key%u', first used in line %u", again, again + 1);
      assert_str(r.report.items[0].message, message);
      assert_int_equal(r.node->count, sizes[i] + 1);
      done(&r);
      ho_buf_free(&text);
    }
}

static void skips_comments_if_asked(void **state)
{
  (void)state;
  reading r;
  read_with(&r, HO_STR("// one\n{ /* two */ \"a\" /**/ : // 4\r 1 /* * / \n */ , \"b\": [/**/]/*x*/ } //end"),
            HO_JSON_COMMENTS);
  assert_int_equal(r.code, HO_OK);
  assert_int_equal(r.report.count, 8);
  assert_int_equal(r.report.warnings, 8);
  assert_ptr_equal(r.report.items[0].rule, &ho_rule_JSON_COMMENT);
  assert_int_equal(r.report.items[1].line, 2);
  assert_int_equal(r.report.items[1].column, 3);
  assert_int_equal(r.node->count, 2);
  assert_str(ho_map_str(r.node, "a"), "1");
  done(&r);
  read_with(&r, HO_STR("[1, /* never"), HO_JSON_COMMENTS);
  assert_int_equal(r.code, HO_SYNTAX);
  assert_int_equal(r.err.column, 5);
  assert_string_equal(r.err.message, "this comment is never closed");
  done(&r);
  read_with(&r, HO_STR("[1, / 2]"), HO_JSON_COMMENTS);
  assert_int_equal(r.code, HO_SYNTAX);
  assert_int_equal(r.err.column, 5);
  done(&r);
  read_with(&r, HO_STR("[1, \"//x\"]"), HO_JSON_COMMENTS);
  assert_int_equal(r.code, HO_OK);
  assert_int_equal(r.report.count, 0);
  done(&r);
}

/* `count` times `piece`, then `middle`, then `count` times `end`. */
static ho_buf repeated(size_t count, const char *piece, const char *middle, const char *end)
{
  ho_buf text;
  ho_buf_init(&text, 0);
  for (size_t i = 0; i < count; i++)
    ho_buf_puts(&text, piece);
  ho_buf_puts(&text, middle);
  for (size_t i = 0; i < count; i++)
    ho_buf_puts(&text, end);
  return text;
}

static void assert_limited(ho_buf text, unsigned line, unsigned column, const char *message)
{
  reading r;
  read_with(&r, ho_buf_str(&text), 0);
  assert_int_equal(r.code, HO_LIMIT);
  assert_int_equal(r.err.code, HO_LIMIT);
  assert_int_equal(r.err.line, line);
  assert_int_equal(r.err.column, column);
  assert_string_equal(r.err.message, message);
  done(&r);
  ho_buf_free(&text);
}

static void assert_read(ho_buf text)
{
  reading r;
  read_with(&r, ho_buf_str(&text), 0);
  assert_int_equal(r.code, HO_OK);
  done(&r);
  ho_buf_free(&text);
}

static void keeps_to_the_limits(void **state)
{
  (void)state;
  assert_read(repeated(HO_LIMIT_DEPTH, "[", "", "]"));
  assert_read(repeated(HO_LIMIT_DEPTH / 2, "[{\"a\":", "1", "}]"));
  assert_limited(repeated(HO_LIMIT_DEPTH + 1, "[", "", "]"), 1, HO_LIMIT_DEPTH + 1,
                 "nested too deep (limit depth): the limit is 64");
  assert_limited(repeated(100000, "[\n", "", ""), HO_LIMIT_DEPTH + 1, 1,
                 "nested too deep (limit depth): the limit is 64");
  assert_read(repeated(HO_LIMIT_NUMBER, "1", "", ""));
  assert_limited(repeated(HO_LIMIT_NUMBER, "1", "1", ""), 1, 1,
                 "the number has too many bytes (limit number): the limit is 1024");
  assert_limited(repeated(HO_LIMIT_NODES, "", "[0\n", ",1\n"), HO_LIMIT_NODES, 2,
                 "too many values (limit nodes): the limit is 1000000");
}

/* A huge line with thousands of findings: neither columns nor pointers may cost the whole line each time. */
static void findings_in_a_huge_line_are_cheap(void **state)
{
  (void)state;
  ho_buf text;
  ho_buf_init(&text, 0);
  ho_buf_puts(&text, "{\"");
  ho_buf_fill(&text, 'x', 4 << 20);
  ho_buf_puts(&text, "\":{\"a\":0");
  for (int i = 0; i < 4000; i++)
    ho_buf_puts(&text, ",\"a\":1");
  ho_buf_puts(&text, "}}");
  reading r;
  read_with(&r, ho_buf_str(&text), 0);
  assert_int_equal(r.code, HO_OK);
  assert_int_equal(r.report.errors, 4000);
  assert_int_equal(r.report.items[1].column, (4 << 20) + 12 + 6);
  assert_str(r.report.items[1].pointer, "");
  done(&r);
  ho_buf_free(&text);
}

static void survives_a_full_arena(void **state)
{
  (void)state;
  reading r = {0};
  ho_arena_init(&r.arena, 4096);
  assert_int_equal(ho_source_init(&r.source, &r.arena, HO_STR("t"), HO_STR("[1,2,\"\\n\",4,5]"), &r.err), HO_OK);
  ho_report_init(&r.report, &r.arena, &r.source);
  for (size_t limit = 0; limit < 1024; limit += 16) {
    ho_arena small;
    ho_arena_init(&small, limit ? limit : 1);
    ho_code code = ho_json_read(&r.source, 0, &small, NULL, &r.node, &r.err);
    assert_true(code == HO_OK || code == HO_LIMIT);
    assert_true(code == HO_LIMIT || limit >= 6 * sizeof(ho_node));
    ho_arena_free(&small);
  }
  done(&r);
}

static void reads_without_a_report(void **state)
{
  (void)state;
  reading r = {0};
  ho_arena_init(&r.arena, 0);
  assert_int_equal(ho_source_init(&r.source, &r.arena, HO_STR("t"), HO_STR("{\"a\":1,\"a\":/**/2}"), &r.err), HO_OK);
  assert_int_equal(ho_json_read(&r.source, HO_JSON_COMMENTS, &r.arena, NULL, &r.node, &(ho_error){0}), HO_OK);
  assert_int_equal(ho_json_read(&r.source, 0, &r.arena, NULL, &r.node, &(ho_error){0}), HO_SYNTAX);
  done(&r);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(reads_and_writes_values),
      cmocka_unit_test(writes_with_indent),
      cmocka_unit_test(writes_numbers_of_yaml),
      cmocka_unit_test(knows_the_bytes_of_every_node),
      cmocka_unit_test(refuses_with_place_and_reason),
      cmocka_unit_test(refuses_control_characters_everywhere),
      cmocka_unit_test(reports_duplicate_keys),
      cmocka_unit_test(finds_the_duplicate_in_maps_of_every_size),
      cmocka_unit_test(skips_comments_if_asked),
      cmocka_unit_test(keeps_to_the_limits),
      cmocka_unit_test(findings_in_a_huge_line_are_cheap),
      cmocka_unit_test(survives_a_full_arena),
      cmocka_unit_test(reads_without_a_report),
  };
  return unit_run(tests);
}
