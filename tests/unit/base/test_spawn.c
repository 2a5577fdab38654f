/* Programs that are asked something: what they say, how they end, and that nobody waits for ever. */
#include "unit.h"

#include <errno.h>

#include "base/proc/spawn.h"
#include "base/time.h"

#define ARGV(...) ((const char *const[]){__VA_ARGS__, NULL})

static void a_program_is_believed_by_its_status(void **state)
{
  (void)state;
  pid_t pid;
  assert_true(ho_spawn_run(ARGV("true")));
  assert_false(ho_spawn_run(ARGV("false")));
  assert_false(ho_spawn_run(ARGV("sh", "-c", "kill -9 $$")));
  assert_false(ho_spawn_run(ARGV("/nowhere/such-program")));
  assert_int_equal(ho_spawn(ARGV("/nowhere/such-program"), -1, -1, &pid), ENOENT);
}

static void what_it_writes_is_read(void **state)
{
  (void)state;
  char text[64];
  assert_int_equal(ho_spawn_read(ARGV("sh", "-c", "echo seen; echo lost >&2; cat"), 10000, text, sizeof text), 5);
  assert_memory_equal(text, "seen\n", 5);
  assert_int_equal(ho_spawn_read(ARGV("true"), -1, text, sizeof text), 0);
  assert_int_equal(ho_spawn_read(ARGV("sh", "-c", "echo seen; exit 3"), -1, text, sizeof text), -1);
  assert_int_equal(ho_spawn_read(ARGV("/nowhere/such-program"), -1, text, sizeof text), -1);
}

static void nobody_waits_for_what_is_not_read(void **state)
{
  (void)state;
  char text[64];
  int64_t began = ho_time_monotonic_ms();
  assert_int_equal(ho_spawn_read(ARGV("yes"), -1, text, sizeof text), sizeof text);
  assert_int_equal(ho_spawn_read(ARGV("sleep", "600"), 50, text, sizeof text), -1);
  assert_true(ho_time_monotonic_ms() - began < 300000);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_program_is_believed_by_its_status),
      cmocka_unit_test(what_it_writes_is_read),
      cmocka_unit_test(nobody_waits_for_what_is_not_read),
  };
  return unit_run(tests);
}
