/* What every unit test includes first. */
#ifndef HO_TESTS_UNIT_H
#define HO_TESTS_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/str.h"

/* A slice against a literal. */
#define assert_str(slice, expected)                                                                                    \
  do {                                                                                                                 \
    ho_str got_ = (slice);                                                                                             \
    assert_int_equal(got_.n, strlen(expected));                                                                        \
    assert_memory_equal(got_.p, (expected), got_.n);                                                                   \
  } while (0)

/* Random numbers that are the same in every run (xorshift64*). */
typedef struct unit_random {
  uint64_t state;
} unit_random;

static inline uint64_t unit_next(unit_random *random)
{
  random->state ^= random->state >> 12;
  random->state ^= random->state << 25;
  random->state ^= random->state >> 27;
  return random->state * 0x2545F4914F6CDD1Du;
}

/* From 0 to below - 1. */
static inline size_t unit_below(unit_random *random, size_t below)
{
  return (size_t)((unit_next(random) >> 11) % below);
}
#endif
