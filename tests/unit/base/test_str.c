/* Slices of text. */
#include "unit.h"

static void compares(void **state)
{
  (void)state;
  assert_true(ho_str_eq(HO_EMPTY, (ho_str){NULL, 0}));
  assert_true(ho_str_is(HO_STR("abc"), "abc"));
  assert_false(ho_str_is(HO_STR("abc"), "ab"));
  assert_true(ho_str_is_nocase(HO_STR("AbC"), "aBc"));
  assert_false(ho_str_is_nocase(HO_STR("\xC3\x84"), "\xC3\xA4")); /* ASCII only */
  assert_true(ho_str_cmp(HO_STR("a"), HO_STR("b")) < 0);
  assert_true(ho_str_cmp(HO_STR("ab"), HO_STR("a")) > 0);
  assert_int_equal(ho_str_cmp(HO_EMPTY, (ho_str){NULL, 0}), 0);
  assert_true(ho_str_hash(HO_STR("a")) != ho_str_hash(HO_STR("b")));
}

static void finds(void **state)
{
  (void)state;
  ho_str s = HO_STR("one two two");
  assert_int_equal(ho_str_find(s, "two"), 4);
  assert_int_equal(ho_str_find(s, "three"), HO_NONE);
  assert_int_equal(ho_str_find(s, ""), 0);
  assert_int_equal(ho_str_find(HO_EMPTY, "x"), HO_NONE);
  assert_int_equal(ho_str_find_char(s, 't'), 4);
  assert_true(ho_str_has_nocase(s, "TWO"));
  assert_false(ho_str_has_nocase(HO_STR("tw"), "two"));
  assert_true(ho_str_starts(s, "one") && ho_str_starts(s, "") && !ho_str_starts(HO_STR("on"), "one"));
  assert_true(ho_str_starts_nocase(s, "ONE"));
  assert_true(ho_str_ends(s, "two") && ho_str_ends(s, "") && !ho_str_ends(HO_STR("wo"), "two"));
}

static void finds_the_end_of_a_line(void **state)
{
  char text[400];
  (void)state;
  assert_int_equal(ho_str_line_end(HO_EMPTY), 0);
  assert_int_equal(ho_str_line_end(HO_STR("ab\r\ncd")), 2);
  assert_int_equal(ho_str_line_end(HO_STR("ab\ncd\r")), 2);
  assert_int_equal(ho_str_line_end(HO_STR("abc")), 3);
  for (size_t at = 0; at < sizeof text; at++) {
    memset(text, 'a', sizeof text);
    text[at] = at % 2 ? '\n' : '\r';
    text[sizeof text - 1] = '\n';
    assert_int_equal(ho_str_line_end((ho_str){text, sizeof text}), at);
    assert_int_equal(ho_str_line_end((ho_str){text, at}), at);
  }
}

static void cuts(void **state)
{
  (void)state;
  assert_str(ho_str_sub(HO_STR("abcdef"), 1, 3), "bc");
  assert_str(ho_str_sub(HO_STR("abc"), 2, 99), "c");
  assert_str(ho_str_sub(HO_STR("abc"), 9, 4), "");
  assert_str(ho_str_trim(HO_STR(" \t\r\n a b \v\f")), "a b");
  assert_str(ho_str_trim_end(HO_STR(" a ")), " a");
  assert_true(ho_str_blank(HO_STR(" \n")));
  assert_false(ho_str_blank(HO_STR(" x")));
}

static void splits(void **state)
{
  (void)state;
  ho_str rest = HO_STR("a||b"), part;
  assert_true(ho_str_next(&rest, '|', &part));
  assert_str(part, "a");
  assert_true(ho_str_next(&rest, '|', &part));
  assert_str(part, "");
  assert_true(ho_str_next(&rest, '|', &part));
  assert_str(part, "b");
  assert_false(ho_str_next(&rest, '|', &part));
  rest = HO_STR("one\r\n\ntwo\n");
  assert_true(ho_str_next_line(&rest, &part));
  assert_str(part, "one");
  assert_true(ho_str_next_line(&rest, &part));
  assert_str(part, "");
  assert_true(ho_str_next_line(&rest, &part));
  assert_str(part, "two");
  assert_false(ho_str_next_line(&rest, &part));
}

static void looks_into_lists(void **state)
{
  (void)state;
  assert_true(ho_str_list_has("a|bc|d", HO_STR("bc")));
  assert_false(ho_str_list_has("a|bc|d", HO_STR("b")));
  assert_false(ho_str_list_has("a|bc|d", HO_STR("a|bc")));
  assert_false(ho_str_list_has(NULL, HO_STR("a")));
  assert_true(ho_str_list_has_nocase("a|bc", HO_STR("BC")));
}

static void reads_whole_numbers(void **state)
{
  (void)state;
  uint64_t n = 0;
  assert_true(ho_str_to_u64(HO_STR("18446744073709551615"), &n));
  assert_true(n == UINT64_MAX);
  static const char *const bad[] = {"", "18446744073709551616", "99999999999999999999", "-1", "1 ", "0x1", "1.0"};
  for (size_t i = 0; i < HO_COUNT(bad); i++)
    assert_false(ho_str_to_u64(ho_str_of(bad[i]), &n));
}

static void words_fit_their_count(void **state)
{
  (void)state;
  assert_string_equal(ho_plural(1), "");
  assert_string_equal(ho_plural(0), "s");
  assert_string_equal(ho_plural(2), "s");
  assert_string_equal(ho_plural_of(1, "process is", "processes are"), "process is");
  assert_string_equal(ho_plural_of(0, "process is", "processes are"), "processes are");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(compares),
      cmocka_unit_test(finds),
      cmocka_unit_test(finds_the_end_of_a_line),
      cmocka_unit_test(cuts),
      cmocka_unit_test(splits),
      cmocka_unit_test(looks_into_lists),
      cmocka_unit_test(reads_whole_numbers),
      cmocka_unit_test(words_fit_their_count),
  };
  return unit_run(tests);
}
