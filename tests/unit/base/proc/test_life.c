/* Whether a process that was noted earlier still runs: only what is certain counts. */
#include "../../unit.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/proc/life.h"

/* A child that waits to be ended. */
static pid_t start_child(void)
{
  pid_t pid = fork();
  if (pid == 0) {
    pause();
    _exit(0);
  }
  return pid;
}

static void tells_the_end(void **state)
{
  (void)state;
  ho_arena arena;
  ho_arena_init(&arena, 0);
  pid_t child = start_child();
  ho_str line = ho_life_of(&arena, child);
  assert_true(line.n > 0);
  assert_false(ho_life_over(line));
  kill(child, SIGKILL);
  siginfo_t info;
  assert_int_equal(waitid(P_PID, (id_t)child, &info, WEXITED | WNOWAIT), 0);
  assert_true(ho_life_over(line)); /* its parent has not asked yet */
  assert_int_equal(waitpid(child, NULL, 0), child);
  assert_true(ho_life_over(line));
  assert_int_equal(ho_life_of(&arena, child).n, 0);
  ho_arena_free(&arena);
}

static ho_str with(ho_arena *arena, ho_str line, size_t word, const char *text)
{
  ho_str rest = line, each, out = HO_EMPTY;
  for (size_t i = 0; ho_str_next(&rest, ' ', &each); i++)
    out = ho_arena_printf(arena, "%.*s%s%.*s", HO_ARG(out), i ? " " : "", HO_ARG(i == word ? ho_str_of(text) : each));
  return out;
}

static void claims_nothing_uncertain(void **state)
{
  (void)state;
  ho_arena arena;
  ho_arena_init(&arena, 0);
  ho_str own = ho_life_of(&arena, getpid());
  assert_false(ho_life_over(own));
  assert_true(ho_life_over(with(&arena, own, 1, "1"))); /* another process has the number now */
  /* A process of another boot or space of numbers may run, whoever has its number here. */
  ho_str old = with(&arena, own, 1, "1");
  assert_false(ho_life_over(with(&arena, old, 2, "5f3e0000-0000-4000-8000-000000000000")));
  assert_false(ho_life_over(with(&arena, old, 3, "pid:[1]")));
  static const char *const none[] = {"", "1", "1 2 3", "-1 1 x y", "x 1 2 3", "99999999999 1 2 3"};
  for (size_t i = 0; i < HO_COUNT(none); i++)
    assert_false(ho_life_over(ho_str_of(none[i])));
  ho_arena_free(&arena);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(tells_the_end),
      cmocka_unit_test(claims_nothing_uncertain),
  };
  return unit_run(tests);
}
