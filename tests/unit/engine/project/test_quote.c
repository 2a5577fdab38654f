/* Words of command lines: what a shell makes of them is the word, and nothing else. */
#include "unit.h"

#include "base/proc/spawn.h"
#include "engine/project/quote.h"

static void test_shell(void **state)
{
  static const char *const words[] = {"reviewer/2", "a b", "it's", "$(id)", "`id`", "a;b|c&d", "\\",
                                      "-n",         "",    "*",    "~",     "!x",   "#c"};
  (void)state;
  for (size_t i = 0; i < HO_COUNT(words); i++) {
    ho_arena arena;
    char back[256];
    ho_arena_init(&arena, 0);
    ho_str quoted = ho_quote_shell(&arena, ho_str_of(words[i]));
    const char *argv[] = {"sh", "-c", ho_arena_printf(&arena, "printf '%%s' %.*s", HO_ARG(quoted)).p, NULL};
    ssize_t n = ho_spawn_read(argv, NULL, 5000, back, sizeof back);
    assert_int_equal(n, strlen(words[i]));
    assert_memory_equal(back, words[i], (size_t)n);
    ho_arena_free(&arena);
  }
}

static void test_what_is_seen(void **state)
{
  ho_arena arena;
  (void)state;
  ho_arena_init(&arena, 0);
  assert_true(ho_str_is(ho_quote_shell(&arena, HO_STR("plan")), "plan"));
  assert_true(ho_str_is(ho_quote_shell(&arena, HO_STR("pl\xe2\x80\x8b"
                                                      "an")),
                        "plan"));
  assert_true(ho_str_is(ho_quote_shell(&arena, HO_STR("a\nrm -r b")), "'a rm -r b'"));
  ho_arena_free(&arena);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_shell),
      cmocka_unit_test(test_what_is_seen),
  };
  return unit_run(tests);
}
