/* What each syntax takes, what it only understands, and what it refuses; and the forms of time stamps. */
#include "unit.h"

#include "model/syntax.h"

typedef enum verdict { YES, ALMOST, NO } verdict;

typedef struct example {
  const ho_syntax *syntax;
  verdict verdict;
  const char *text;
} example;

static const example examples[] = {
    {&ho_syntax_TIME, YES, "2026-02-12T14:30:22Z"},
    {&ho_syntax_TIME, YES, "2026-02-12T14:30:22.123+08:00"},
    {&ho_syntax_TIME, ALMOST, "2026-02-12"},
    {&ho_syntax_TIME, ALMOST, "2026-02-12T14:30"},
    {&ho_syntax_TIME, ALMOST, "2026-02-12 14:30:22"},
    {&ho_syntax_TIME, ALMOST, "2026-02-12T14:30:22"},
    {&ho_syntax_TIME, ALMOST, "2026-02-12T14:30:22.1234567890Z"},
    {&ho_syntax_TIME, ALMOST, "20260212T143022Z"},
    {&ho_syntax_TIME, NO, "2026-13-12T14:30:22Z"},
    {&ho_syntax_TIME, NO, "2026-02-12T24:30:22Z"},
    {&ho_syntax_TIME, NO, "2026-02-12T14:30:22Zulu"},
    {&ho_syntax_TIME, NO, "yesterday"},
    {&ho_syntax_TIME, NO, ""},
    {&ho_syntax_STAMP, YES, "20260212T143022Z"},
    {&ho_syntax_STAMP, ALMOST, "20260212T143022"},
    {&ho_syntax_STAMP, ALMOST, "2026-02-12T14:30:22Z"},
    {&ho_syntax_STAMP, NO, "20261312T143022Z"},
    {&ho_syntax_STAMP, NO, "20260212T1430225"},
    {&ho_syntax_NAME, YES, "reviewer/2"},
    {&ho_syntax_NAME, YES, "me@host"},
    {&ho_syntax_NAME, ALMOST, "Code Reviewer"},
    {&ho_syntax_NAME, ALMOST, "sp\xc3\xa9"},
    {&ho_syntax_NAME, NO, "a;b"},
    {&ho_syntax_NAME, NO, "$(id)"},
    {&ho_syntax_NAME, NO, "it's"},
    {&ho_syntax_NAME, NO, "a\nb"},
    {&ho_syntax_NAME, NO, "a\xe2\x80\xae"},
    {&ho_syntax_NAME, NO, "..."},
    {&ho_syntax_NAME, NO, "-rf"},
    {&ho_syntax_NAME, NO, "a/../b"},
    {&ho_syntax_LINES, YES, "45-67"},
    {&ho_syntax_LINES, YES, "all"},
    {&ho_syntax_LINES, ALMOST, "45"},
    {&ho_syntax_LINES, ALMOST, "L45-L67"},
    {&ho_syntax_LINES, ALMOST,
     "lines 45\xe2\x80\x93"
     "67, 80"},
    {&ho_syntax_LINES, ALMOST, "All"},
    {&ho_syntax_LINES, NO, "45-"},
    {&ho_syntax_LINES, NO, "0-4"},
    {&ho_syntax_LINES, NO, "the end"},
    {&ho_syntax_LINES, NO, ""},
    {&ho_syntax_TAG, YES, "error-handling"},
    {&ho_syntax_TAG, YES, "http2"},
    {&ho_syntax_TAG, ALMOST, "Error Handling"},
    {&ho_syntax_TAG, ALMOST, "-auth"},
    {&ho_syntax_TAG, ALMOST, "a--b"},
    {&ho_syntax_TAG, NO, "a\nb"},
    {&ho_syntax_TAG, NO, ""},
    {&ho_syntax_SLUG, YES, "prove_completeness"},
    {&ho_syntax_SLUG, ALMOST, "prove-completeness"},
    {&ho_syntax_SLUG, NO, "a,b"},
    {&ho_syntax_RELATIVE, YES, "src/main.c"},
    {&ho_syntax_RELATIVE, YES, "./src/"},
    {&ho_syntax_RELATIVE, YES, "a..b/..c/d.."},
    {&ho_syntax_RELATIVE, YES,
     "gr\xc3\xb6\xc3\x9f"
     "e \xf0\x9f\x98\x80.md"},
    {&ho_syntax_RELATIVE, ALMOST, "src/../lib/a.c"},
    {&ho_syntax_RELATIVE, ALMOST, "src\\main.c"},
    {&ho_syntax_RELATIVE, NO, "/etc/passwd"},
    {&ho_syntax_RELATIVE, NO, "~/notes.md"},
    {&ho_syntax_RELATIVE, NO, "C:\\notes.md"},
    {&ho_syntax_RELATIVE, NO, "C:notes.md"},
    {&ho_syntax_RELATIVE, NO, "\\\\server\\share"},
    {&ho_syntax_RELATIVE, NO, "https://example.org/a"},
    {&ho_syntax_RELATIVE, NO, ".."},
    {&ho_syntax_RELATIVE, NO, "a/../../b"},
    {&ho_syntax_RELATIVE, NO, "a\\..\\..\\b"},
    {&ho_syntax_RELATIVE, NO, "a\tb"},
    {&ho_syntax_RELATIVE, NO,
     "a\xc2\x85"
     "b"},
    {&ho_syntax_RELATIVE, NO, ""},
    {&ho_syntax_ABSOLUTE, YES, "/"},
    {&ho_syntax_ABSOLUTE, YES, "/home/user/a.c"},
    {&ho_syntax_ABSOLUTE, YES, "C:\\a.c"},
    {&ho_syntax_ABSOLUTE, ALMOST, "src/a.c"},
    {&ho_syntax_ABSOLUTE, ALMOST, "C:"},
    {&ho_syntax_ABSOLUTE, NO, "/a\nb"},
    {&ho_syntax_ABSOLUTE, NO, ""},
    {&ho_syntax_ONE_LINE, YES, ""},
    {&ho_syntax_ONE_LINE, YES, "one line"},
    {&ho_syntax_ONE_LINE, NO, "two\nlines"},
    {&ho_syntax_ONE_LINE, NO, "two\rlines"},
};

static verdict judge(const ho_syntax *syntax, const char *text)
{
  ho_str slice = ho_str_of(text);
  if (syntax->matches(slice)) {
    return YES;
  }
  return syntax->understood && syntax->understood(slice) ? ALMOST : NO;
}

static void test_examples(void **state)
{
  (void)state;
  for (size_t i = 0; i < HO_COUNT(examples); i++) {
    const example *e = &examples[i];
    if (judge(e->syntax, e->text) != e->verdict) {
      fail_msg("%s: \"%s\" judged %d, not %d", e->syntax->rule.id, e->text, judge(e->syntax, e->text), e->verdict);
    }
  }
}

static void test_table_is_whole(void **state)
{
  (void)state;
  size_t count = 0;
  for (; ho_syntaxes[count]; count++) {
    const ho_syntax *syntax = ho_syntaxes[count];
    assert_non_null(syntax->matches);
    assert_non_null(syntax->rule.doc);
    assert_non_null(syntax->rule.fix);
    assert_true(ho_str_starts(ho_str_of(syntax->expected), "expected "));
    assert_true(ho_str_starts(ho_str_of(syntax->pattern), "^") && ho_str_ends(ho_str_of(syntax->pattern), "$"));
    for (size_t other = 0; other < count; other++) {
      assert_string_not_equal(syntax->rule.id, ho_syntaxes[other]->rule.id);
    }
  }
  assert_int_equal(count, 9);
}

static const struct {
  const char *text, *stamp; /* stamp NULL: not a time */
} stamps[] = {
    {"20260212T143022Z", "20260212T143022Z"},
    {"20260212", "20260212T000000Z"},
    {"20260212143022", "20260212T143022Z"},
    {"1770906622", "20260212T143022Z"},
    {"20260212T143022", "20260212T143022Z"},
    {"20260212-143022", "20260212T143022Z"},
    {"20260212_143022", "20260212T143022Z"},
    {"20260212T1430", "20260212T143000Z"},
    {"20260212T1430Z", "20260212T143000Z"},
    {"20260212b", "20260212T000000Z"},
    {"20260212-2", "20260212T000000Z"},
    {"20260212-002", "20260212T000000Z"},
    {"20260212-iter3", "20260212T000000Z"},
    {"20260212-v2", "20260212T000000Z"},
    {"20260212T143022Z-2", "20260212T143022Z"},
    {"20260212T143022Zb", "20260212T143022Z"},
    {"20260212T143022-02", "20260212T143022Z"},
    {"2026-02-12", "20260212T000000Z"},
    {"2026-02-12T14:30:22Z", "20260212T143022Z"},
    {"2026-02-12T14:30:22.987Z", "20260212T143022Z"},
    {"2026-02-12T14:30Z", "20260212T143000Z"},
    {"2026-02-12T14:30:22", "20260212T143022Z"},
    {"2026-02-12 14:30:22", "20260212T143022Z"},
    {"2026-02-12_14-30-22", "20260212T143022Z"},
    {"2026-02-12T22:30:22+08:00", "20260212T143022Z"},
    {"2026-02-12T22:30:22+08", "20260212T143022Z"},
    {"2026-02-12T06:30:22-0800", "20260212T143022Z"},
    {"2026-01-01T00:30:00+01:00", "20251231T233000Z"},
    {"2024-02-29T23:59:60Z", "20240301T000000Z"},
    {"9999-12-31T23:30:00-01:00", NULL},
    {"0000-01-01T00:30:00+01:00", NULL},
    {"20261301", NULL},
    {"20260232", NULL},
    {"20260212T2530", NULL},
    {"2026021", NULL},
    {"2026-0212", NULL},
    {"20260212-", NULL},
    {"20260212-iter", NULL},
    {"20260212T143022ZZZ", NULL},
    {"001", NULL},
    {"handoff", NULL},
    {"", NULL},
};

static void test_stamps(void **state)
{
  (void)state;
  for (size_t i = 0; i < HO_COUNT(stamps); i++) {
    char out[17] = "";
    bool exact = false;
    bool read = ho_stamp_read(ho_str_of(stamps[i].text), out, &exact);
    if (read != (stamps[i].stamp != NULL)) {
      fail_msg("\"%s\" %s", stamps[i].text, read ? "is read" : "is not read");
    }
    if (read) {
      assert_string_equal(out, stamps[i].stamp);
      assert_int_equal(exact, strcmp(stamps[i].text, "20260212T143022Z") == 0);
      assert_true(ho_syntax_STAMP.matches(ho_str_of(out)));
    }
  }
}

/* What is read again is itself: the canonical form is a fixed point. */
static void test_stamp_is_stable(void **state)
{
  (void)state;
  for (size_t i = 0; i < HO_COUNT(stamps); i++) {
    char once[17], twice[17];
    if (ho_stamp_read(ho_str_of(stamps[i].text), once, NULL)) {
      assert_true(ho_stamp_read(ho_str_of(once), twice, NULL));
      assert_string_equal(once, twice);
    }
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_examples),
      cmocka_unit_test(test_table_is_whole),
      cmocka_unit_test(test_stamps),
      cmocka_unit_test(test_stamp_is_stable),
  };
  return unit_run(tests);
}
