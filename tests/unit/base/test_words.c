/* Closed sets of words: names and values, and what is none. */
#include "unit.h"

#include "base/words.h"

#define COLOURS(X)                                                                                                     \
  X(RED, "red")                                                                                                        \
  X(BLUE, "blue", "like the sea")
HO_WORDS(colours, "colour", NULL, COLOURS);
HO_WORDS(moods, "mood", "", COLOURS);

static void test_names(void **state)
{
  (void)state;
  assert_string_equal(ho_words_name(&colours, 0), "");
  assert_string_equal(ho_words_name(&colours, 1), "red");
  assert_str(ho_words_str(&colours, 2), "blue");
  assert_string_equal(ho_words_name(&colours, 3), "");
  assert_string_equal(ho_words_name(&colours, -1), "");
}

static void test_finding(void **state)
{
  int value = 7;
  (void)state;
  assert_true(ho_words_find(&colours, HO_STR("blue"), &value));
  assert_int_equal(value, 2);
  assert_false(ho_words_find(&colours, HO_STR("Blue"), &value));
  assert_false(ho_words_find(&colours, HO_EMPTY, &value));
  assert_int_equal(value, 2);
  assert_true(ho_words_find(&moods, HO_EMPTY, &value));
  assert_int_equal(value, 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_names), cmocka_unit_test(test_finding)};
  return unit_run(tests);
}
