/* What the benchmarks in C share. */
#ifndef HO_BENCH_H
#define HO_BENCH_H

#include <time.h>

#include "base/error.h"

static ho_error err;                       /* of the last call; `must` shows it */
static int missed __attribute__((unused)); /* a limit was: the program's exit status */

static inline double now_us(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

/* The clock of a ledger. */
static inline int64_t clock_ms(void *world)
{
  struct timespec t;
  (void)world;
  clock_gettime(CLOCK_REALTIME, &t);
  return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static inline void must(ho_code code)
{
  if (!code)
    return;
  fprintf(stderr, "%s: %s\n", ho_code_name(code), err.message);
  exit(2);
}

/* The same numbers in every run. */
static inline unsigned random_number(unsigned below)
{
  static unsigned long long seed = 88172645463325252ull;
  seed ^= seed << 13;
  seed ^= seed >> 7;
  seed ^= seed << 17;
  return (unsigned)((seed >> 20) % below);
}

static inline int compare_numbers(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Sorts them. */
static inline double median(double *values, size_t count)
{
  qsort(values, count, sizeof *values, compare_numbers);
  return values[count / 2];
}

static inline void judge(const char *what, double value, double limit, bool at_least)
{
  bool good = at_least ? value >= limit : value <= limit;
  printf("%-44s %8.2f   %s %.2f   %s\n", what, value, at_least ? "at least" : "at most ", limit,
         good ? "ok" : "MISSED");
  missed |= !good;
}
#endif
