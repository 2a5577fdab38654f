/* How the time that work takes grows with its input. */
#ifndef HO_TESTS_GROWTH_H
#define HO_TESTS_GROWTH_H

#include <time.h>

#include "unit.h"

typedef void growth_work(size_t size, const void *data);

/* The CPU time that the work takes once, in seconds. */
static inline double growth_seconds(growth_work *work, size_t size, const void *data)
{
  clock_t start = clock();
  work(size, data);
  return (double)(clock() - start) / CLOCKS_PER_SEC;
}

/* Eight times the input takes about eight times as long. Twenty times is still accepted; work that looks at everything
 * again for each part of its input takes 64 times as long. Others use the machine too, so each side has several tries,
 * and the best one counts. */
static inline void assert_linear(const char *what, growth_work *work, size_t size, const void *data)
{
  enum { TRIES = 3 };
  double small = growth_seconds(work, size, data), large = 0;
  for (int i = 1; i < TRIES; i++) {
    double seconds = growth_seconds(work, size, data);
    if (seconds < small)
      small = seconds;
  }
  for (int i = 0; i < TRIES; i++) {
    large = growth_seconds(work, 8 * size, data);
    if (large <= 20 * small) {
      print_message("%s: %.1f ms for %zu, %.1f ms for eight times as much\n", what, 1e3 * small, size, 1e3 * large);
      return;
    }
  }
  fail_msg("%s: %.1f ms for %zu, but %.1f ms for eight times as much", what, 1e3 * small, size, 1e3 * large);
}
#endif
