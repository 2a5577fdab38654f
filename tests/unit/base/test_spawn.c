/* Programs that are asked something: what they say, how they end, and that nobody waits for ever. */
#include "unit.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/proc/spawn.h"
#include "base/time.h"

#define ARGV(...) ((const char *const[]){__VA_ARGS__, NULL})

static int ends_with(const char *const *argv, int64_t end)
{
  pid_t pid;
  assert_int_equal(ho_spawn(argv, NULL, -1, -1, &pid), 0);
  return ho_spawn_wait(pid, end);
}

static void a_program_is_believed_by_its_status(void **state)
{
  (void)state;
  pid_t pid;
  assert_int_equal(ends_with(ARGV("true"), -1), 0);
  assert_int_equal(ends_with(ARGV("false"), -1), 1);
  assert_int_equal(ends_with(ARGV("sh", "-c", "kill -9 $$"), -1), HO_SPAWN_KILLED);
  assert_int_equal(ends_with(ARGV("sleep", "600"), ho_time_monotonic_ms() + 50), HO_SPAWN_LATE);
  assert_int_equal(ho_spawn(ARGV("/nowhere/such-program"), NULL, -1, -1, &pid), ENOENT);
  assert_int_equal(ho_spawn(ARGV("no-such-program"), NULL, -1, -1, &pid), ENOENT);
}

static void what_it_writes_is_read(void **state)
{
  (void)state;
  char text[64], why[64];
  assert_int_equal(ho_spawn_read(ARGV("sh", "-c", "echo seen; echo lost >&2; cat"), NULL, 10000, text, sizeof text), 5);
  assert_memory_equal(text, "seen\n", 5);
  assert_int_equal(ho_spawn_read(ARGV("true"), NULL, -1, text, sizeof text), 0);
  assert_int_equal(ho_spawn_read_why(ARGV("sh", "-c", "echo first >&2; echo; echo last >&2; echo >&2; exit 3"), NULL,
                                     -1, text, sizeof text, why, sizeof why),
                   -1);
  assert_string_equal(why, "last");
  assert_int_equal(
      ho_spawn_read_why(ARGV("sh", "-c", "echo seen; echo lost >&2"), NULL, -1, text, sizeof text, why, sizeof why), 5);
  assert_string_equal(why, "");
  assert_int_equal(ho_spawn_read(ARGV("sh", "-c", "echo seen; exit 3"), NULL, -1, text, sizeof text), -1);
  assert_int_equal(ho_spawn_read(ARGV("/nowhere/such-program"), NULL, -1, text, sizeof text), -1);
}

static void nobody_waits_for_what_is_not_read(void **state)
{
  (void)state;
  char text[64];
  int64_t began = ho_time_monotonic_ms();
  assert_int_equal(ho_spawn_read(ARGV("yes"), NULL, -1, text, sizeof text), sizeof text);
  assert_int_equal(ho_spawn_read(ARGV("sleep", "600"), NULL, 50, text, sizeof text), -1);
  /* neither for one that says nothing more, but stays; nor for what it started */
  assert_int_equal(ho_spawn_read(ARGV("sh", "-c", "exec >&-; sleep 600"), NULL, 50, text, sizeof text), -1);
  assert_int_equal(ho_spawn_read(ARGV("sh", "-c", "sleep 600 & exit 0"), NULL, 50, text, sizeof text), -1);
  assert_true(ho_time_monotonic_ms() - began < 300000);
}

static void a_relative_folder_of_the_path_is_not_searched(void **state)
{
  (void)state;
  pid_t pid;
  char folder[] = "/tmp/spawn-XXXXXX", here[4096], *before = strdup(getenv("PATH"));
  assert_non_null(mkdtemp(folder));
  assert_non_null(getcwd(here, sizeof here));
  assert_int_equal(chdir(folder), 0);
  FILE *file = fopen("only-here", "w");
  fputs("#!/bin/sh\nexit 0\n", file);
  fchmod(fileno(file), 0755);
  fclose(file);
  setenv("PATH", ".::bin", 1);
  assert_int_equal(ho_spawn(ARGV("only-here"), NULL, -1, -1, &pid), ENOENT);
  setenv("PATH", folder, 1);
  assert_int_equal(ends_with(ARGV("only-here"), -1), 0);
  setenv("PATH", before, 1);
  free(before);
  unlink("only-here");
  assert_int_equal(chdir(here), 0);
  rmdir(folder);
}

static void it_gets_the_environment_it_is_given(void **state)
{
  (void)state;
  char text[64];
  assert_int_equal(ho_spawn_read(ARGV("/bin/sh", "-c", "echo $SEEN$HOME"), ARGV("SEEN=yes"), 10000, text, sizeof text),
                   4);
  assert_memory_equal(text, "yes\n", 4);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_program_is_believed_by_its_status),
      cmocka_unit_test(what_it_writes_is_read),
      cmocka_unit_test(nobody_waits_for_what_is_not_read),
      cmocka_unit_test(a_relative_folder_of_the_path_is_not_searched),
      cmocka_unit_test(it_gets_the_environment_it_is_given),
  };
  return unit_run(tests);
}
