/* start LIMIT BASELINE PROGRAM ARGUMENTS...: spawns both in turn, many times, and compares the medians of their wall
 * times. Both read $START_INPUT, where that is set, on their standard input; $START_ROUNDS are made, else 500. Exits 1
 * where PROGRAM takes more than LIMIT times as long. */
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
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

static double spawn_ms(char **argv)
{
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  if (getenv("START_INPUT"))
    posix_spawn_file_actions_addopen(&actions, 0, getenv("START_INPUT"), O_RDONLY, 0);
  pid_t pid;
  int status;
  double begin = now_ms();
  if (posix_spawn(&pid, argv[0], &actions, NULL, argv, environ) != 0 || waitpid(pid, &status, 0) != pid ||
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
  char *nothing[] = {argv[2], NULL};
  for (int i = -WARM_UP; i < rounds; i++) {
    double a = spawn_ms(nothing), b = spawn_ms(argv + 3);
    if (i >= 0) {
      baseline[i] = a;
      program[i] = b;
    }
  }
  double limit = atof(argv[1]), a = median(baseline, rounds), b = median(program, rounds), ratio = b / a;
  printf("start    %.3f ms, a do-nothing program %.3f ms: %.2f times (limit %.1f) %s\n", b, a, ratio, limit,
         ratio <= limit ? "ok" : "MISSED");
  return ratio > limit;
}
