/* Places of values and of errors in made-up documents, against a line and column kept while the text was made. */
#include "doc/yaml/yaml_test.h"

#include "base/utf8.h"

enum { DOCUMENTS = 300, MOST_VALUES = 64 };

/* A text that knows where it is: lines end at "\n", "\r\n" or "\r" as the document has it; columns are code points. */
typedef struct script {
  ho_buf text;
  const char *newline;
  unsigned line, column;
  unit_random random;
  unsigned places[MOST_VALUES][2], ends[MOST_VALUES][2];
  size_t values;
} script;

static void put(script *s, const char *z)
{
  ho_buf_puts(&s->text, z);
  s->column += (unsigned)ho_utf8_count(ho_str_of(z));
}

static void end_line(script *s)
{
  ho_buf_puts(&s->text, s->newline);
  s->line++;
  s->column = 1;
}

static const char *pick(script *s, const char *const *list, size_t count)
{
  return list[unit_below(&s->random, count)];
}
#define PICK(s, list) pick((s), (list), HO_COUNT(list))

/* Line separators inside of values end no line of the file, though libyaml counts them. */
static const char *const scalars[] = {"x",
                                      "some text",
                                      "12",
                                      "true",
                                      "\xC3\xA9t\xC3\xA9",
                                      "\xF0\x9F\x98\x80",
                                      "'it''s'",
                                      "\"a\\n\xE2\x82\xAC\"",
                                      "[]",
                                      "{}",
                                      "[a, \xC3\xA9, {b: c}]",
                                      "!!str 5",
                                      "\"line\xE2\x80\xA8separator\"",
                                      "\"next\xC2\x85line\"",
                                      "a#b",
                                      "http://x"};
static const char *const comments[] = {"", "", "", "  # note", " # caf\xC3\xA9 'x' [", "   "};
static const char *const keys[] = {
    "k", "\xC3\xA9", "long key", "\xE6\x97\xA5\xE6\x9C\xAC", "'q'", "\"\xF0\x9F\x98\x80\""};

static void put_value(script *s, const char *value)
{
  s->places[s->values][0] = s->line;
  s->places[s->values][1] = s->column;
  put(s, value);
  s->ends[s->values][0] = s->line;
  s->ends[s->values++][1] = s->column;
}

/* One member of the top map: `key: value`, or a key with a list of values below. */
static void put_member(script *s)
{
  char key[64];
  snprintf(key, sizeof key, "m%zu", s->values);
  while (unit_below(&s->random, 4) == 0) {
    put(s, unit_below(&s->random, 2) ? "# comment \xC3\xA9" : "");
    end_line(s);
  }
  put(s, key);
  put(s, ": ");
  if (unit_below(&s->random, 3)) {
    put_value(s, PICK(s, scalars));
    put(s, PICK(s, comments));
    end_line(s);
    return;
  }
  end_line(s);
  for (size_t n = 1 + unit_below(&s->random, 3); n > 0; n--) {
    put(s, "  - ");
    put(s, PICK(s, keys));
    put(s, ": ");
    put_value(s, PICK(s, scalars));
    put(s, PICK(s, comments));
    end_line(s);
  }
}

static void begin_script(script *s, uint64_t seed)
{
  static const char *const newlines[] = {"\n", "\n", "\r\n", "\r"};
  *s = (script){.line = 1, .column = 1, .random = {seed}};
  for (int i = 0; i < 4; i++)
    unit_next(&s->random);
  s->newline = PICK(s, newlines);
  ho_buf_init(&s->text, 0);
  if (unit_below(&s->random, 5) == 0)
    ho_buf_puts(&s->text, "\xEF\xBB\xBF");
  if (unit_below(&s->random, 3) == 0) {
    put(s, "## Handoff \xE2\x9C\x93");
    end_line(s);
  }
}

static void assert_place(const yaml_test *t, uint32_t offset, const unsigned expected[2])
{
  ho_place place = ho_source_place(&t->source, offset);
  if (place.line != expected[0] || place.column != expected[1])
    print_error("%.*s\n", HO_ARG(t->source.text));
  assert_int_equal(place.line, expected[0]);
  assert_int_equal(place.column, expected[1]);
}

static void places_of_values(void **state)
{
  (void)state;
  for (uint64_t seed = 1; seed <= DOCUMENTS; seed++) {
    script s;
    yaml_test t;
    size_t at = 0;
    begin_script(&s, seed);
    for (size_t n = 1 + unit_below(&s.random, 12); n > 0; n--)
      put_member(&s);
    assert_int_equal(yaml_read(&t, ho_buf_str(&s.text)), HO_OK);
    HO_EACH_CONST (member, t.root) {
      bool is_list = member->kind == HO_KIND_LIST && member->first && member->first->kind == HO_KIND_MAP &&
                     s.text.p[member->begin] == '-';
      if (!is_list) {
        assert_place(&t, member->begin, s.places[at]);
        assert_place(&t, member->end, s.ends[at++]);
        continue;
      }
      HO_EACH_CONST (item, member) {
        assert_place(&t, item->first->begin, s.places[at]);
        assert_place(&t, item->first->end, s.ends[at]);
        assert_place(&t, item->end, s.ends[at++]);
      }
      assert_place(&t, member->end, s.ends[at - 1]);
    }
    assert_int_equal(at, s.values);
    yaml_done(&t);
    ho_buf_free(&s.text);
  }
}

/* Lines that break a map; ^ stands before the character that is to be named and is not written. */
static const struct {
  const char *line;
  bool is_last; /* only at the end of the text */
} faults[] = {
    {"bad: ^[a, b", true},
    {"bad: ^{a: b", true},
    {"bad: [\xC3\xA9, ^{b: c", true},
    {"bad: ^[\xC3\xA9", true},
    {"^- an item", false},
    {"bad: [a, ^*none]", false},
    {"^[b]: c", false},
    {"^{\xC3\xA9: b}: c", false},
    {"bad: {x: \xC3\xA9, y: ^*none}", false},
    {"^no colon \xC3\xA9", false},
};

/* Writes a fault's line and notes where it is to be found. */
static void put_fault(script *s, const char *line, unsigned place[2])
{
  const char *mark = strchr(line, '^');
  char before[64];
  snprintf(before, sizeof before, "%.*s", (int)(mark - line), line);
  put(s, before);
  place[0] = s->line;
  place[1] = s->column;
  put(s, mark + 1);
  end_line(s);
}

static void places_of_errors(void **state)
{
  (void)state;
  for (uint64_t seed = 1; seed <= DOCUMENTS; seed++) {
    script s;
    yaml_test t;
    unsigned place[2];
    begin_script(&s, seed * 7919);
    size_t fault = seed % HO_COUNT(faults);
    for (size_t n = 1 + unit_below(&s.random, 8); n > 0; n--)
      put_member(&s);
    put(&s, "plain: 1");
    end_line(&s);
    put_fault(&s, faults[fault].line, place);
    put(&s, faults[fault].is_last ? "" : "next: member");
    end_line(&s);
    for (size_t n = faults[fault].is_last ? 0 : unit_below(&s.random, 5); n > 0; n--)
      put_member(&s);
    ho_code code = yaml_read(&t, ho_buf_str(&s.text));
    if (code != HO_SYNTAX || t.err.line != place[0] || t.err.column != place[1])
      print_error("%s\nfault %zu at %u:%u, wanted %u:%u: %s\n", s.text.p, fault, t.err.line, t.err.column, place[0],
                  place[1], t.err.message);
    assert_int_equal(code, HO_SYNTAX);
    assert_int_equal(t.err.line, place[0]);
    assert_int_equal(t.err.column, place[1]);
    yaml_done(&t);
    ho_buf_free(&s.text);
  }
}

/* A value that is mended: the finding and all values behind it are where they stand in the file. */
static void places_after_recovery(void **state)
{
  (void)state;
  static const char *const broken[] = {"^a: \xC3\xA9", "^\"q\" and more", "^@you", "^[x] y", "^*b* \xF0\x9F\x98\x80"};
  for (uint64_t seed = 1; seed <= DOCUMENTS; seed++) {
    script s;
    yaml_test t;
    unsigned place[2], last[2];
    begin_script(&s, seed * 104729);
    for (size_t n = unit_below(&s.random, 6); n > 0; n--)
      put_member(&s);
    put(&s, "broken: ");
    put_fault(&s, PICK(&s, broken), place);
    put(&s, "last: ");
    put_fault(&s, "^here", last);
    assert_int_equal(yaml_read(&t, ho_buf_str(&s.text)), HO_OK);
    assert_int_equal(t.report.count, 1);
    assert_int_equal(t.report.items[0].line, place[0]);
    assert_int_equal(t.report.items[0].column, place[1]);
    assert_place(&t, ho_map_getz(t.root, "broken")->begin, place);
    assert_place(&t, ho_map_getz(t.root, "last")->begin, last);
    yaml_done(&t);
    ho_buf_free(&s.text);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(places_of_values),
      cmocka_unit_test(places_of_errors),
      cmocka_unit_test(places_after_recovery),
  };
  return unit_run(tests);
}
