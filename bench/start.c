/* start LIMIT BASELINE PROGRAM ARGUMENTS...: spawns both in turn, many times, and compares the medians of their wall
 * times. Exits 1 where PROGRAM takes more than LIMIT times as long. */
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

static double median(double *values)
{
  qsort(values, ROUNDS, sizeof *values, compare);
  return values[ROUNDS / 2];
}

int main(int argc, char **argv)
{
  if (argc < 4)
    return 2;
  static double baseline[ROUNDS], program[ROUNDS];
  char *nothing[] = {argv[2], NULL};
  for (int i = -WARM_UP; i < ROUNDS; i++) {
    double a = spawn_ms(nothing), b = spawn_ms(argv + 3);
    if (i >= 0) {
      baseline[i] = a;
      program[i] = b;
    }
  }
  double limit = atof(argv[1]), a = median(baseline), b = median(program), ratio = b / a;
  printf("start    %.3f ms, a do-nothing program %.3f ms: %.2f times (limit %.1f) %s\n", b, a, ratio, limit,
         ratio <= limit ? "ok" : "MISSED");
  return ratio > limit;
}
