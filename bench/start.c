/* start LIMIT BASELINE [ARGUMENTS... --] PROGRAM ARGUMENTS...: spawns both in turn, many times, and compares the medians
 * of their wall times. Both read $START_INPUT, where that is set, on their standard input, the baseline
 * $START_BASELINE_INPUT where that is; $START_BASELINE says what it is. $START_ROUNDS are made, else 500. Exits 1 where
 * PROGRAM takes more than LIMIT times as long. */
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

enum { ROUNDS = 500, WARM_UP = 20 };
extern char **environ;

static double now_ms(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static double spawn_ms(char **argv, const char *input)
{
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  if (input)
    posix_spawn_file_actions_addopen(&actions, 0, input, O_RDONLY, 0);
  pid_t pid;
  int status;
  double begin = now_ms();
  if (posix_spawnp(&pid, argv[0], &actions, NULL, argv, environ) != 0 || waitpid(pid, &status, 0) != pid ||
      status != 0) {
    fprintf(stderr, "%s did not run\n", argv[0]);
    exit(2);
  }
  double end = now_ms();
  posix_spawn_file_actions_destroy(&actions);
  return end - begin;
}

static int compare(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double median(double *values, int rounds)
{
  qsort(values, (size_t)rounds, sizeof *values, compare);
  return values[rounds / 2];
}

int main(int argc, char **argv)
{
  if (argc < 4)
    return 2;
  static double baseline[ROUNDS], program[ROUNDS];
  const char *wanted = getenv("START_ROUNDS");
  int rounds = wanted ? atoi(wanted) : ROUNDS;
  if (rounds < 1 || rounds > ROUNDS)
    return 2;
  char **other = argv + 2, **own = argv + 3;
  for (int i = 3; i < argc; i++)
    if (strcmp(argv[i], "--") == 0) {
      argv[i] = NULL;
      own = argv + i + 1;
    }
  char *alone[] = {argv[2], NULL};
  if (own == argv + 3)
    other = alone;
  const char *input = getenv("START_INPUT"), *other_input = getenv("START_BASELINE_INPUT");
  const char *name = getenv("START_BASELINE");
  for (int i = -WARM_UP; i < rounds; i++) {
    double a = spawn_ms(other, other_input ? other_input : input), b = spawn_ms(own, input);
    if (i >= 0) {
      baseline[i] = a;
      program[i] = b;
    }
  }
  double limit = atof(argv[1]), a = median(baseline, rounds), b = median(program, rounds), ratio = b / a;
  printf("start    %.3f ms, %s %.3f ms: %.2f times (limit %.1f) %s\n", b, name ? name : "a do-nothing program", a,
         ratio, limit, ratio <= limit ? "ok" : "MISSED");
  return ratio > limit;
}
