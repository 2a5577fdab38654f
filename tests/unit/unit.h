/* What every unit test includes first. */
#ifndef HO_TESTS_UNIT_H
#define HO_TESTS_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/error.h"
#include "base/str.h"

/* For support code: not every test uses all of it. */
#define UNUSED_OK __attribute__((unused))

/* Runs a program's cases: what main returns. A program that skipped all of them was skipped itself (77). */
#define unit_run(tests) unit_run_between(NULL, tests, NULL)
#define unit_run_between(set_up, tests, tear_down)                                                                     \
  unit_status(cmocka_run_group_tests(tests, set_up, tear_down), sizeof(tests) / sizeof *(tests))

/* How many cases were skipped so far. */
static inline size_t *unit_skips(void)
{
  static size_t count;
  return &count;
}

/* A case that fails leaves behind what it had allocated. The program ends without looking for that, so that the last
 * thing on the screen is what failed. */
static inline int unit_status(int failed, size_t cases)
{
  if (failed) {
    fflush(NULL);
    _exit(1);
  }
  return *unit_skips() == cases ? 77 : 0;
}

/* Ends the case and says why: scripts/tally counts the line. Nothing is freed, so skip before anything is allocated. */
#define unit_skip(why) unit_skip_case(__func__, why)
static inline void unit_skip_case(const char *name, const char *why)
{
  ++*unit_skips();
  print_message("skipped: %s: %s\n", name, why);
  skip();
}
#undef skip /* it would not say why */

/* A path among the real documents beside the project (../shared, or $HANDOFF_TEST_SHARED); the case is skipped if it is
 * not there. */
#define unit_shared(below) unit_shared_for(__func__, below)
static inline const char *unit_shared_for(const char *name, const char *below)
{
  static char path[4096];
  const char *shared = getenv("HANDOFF_TEST_SHARED");
  snprintf(path, sizeof path, "%s/%s", shared ? shared : TEST_SOURCE_DIR "/../shared", below);
  if (access(path, R_OK) != 0) {
    char why[80];
    snprintf(why, sizeof why, "there is no ../shared/%s", below);
    unit_skip_case(name, why);
  }
  return path;
}

/* A slice against a literal. */
#define assert_str(slice, expected)                                                                                    \
  do {                                                                                                                 \
    ho_str got_ = (slice);                                                                                             \
    assert_int_equal(got_.n, strlen(expected));                                                                        \
    assert_memory_equal(got_.p, (expected), got_.n);                                                                   \
  } while (0)

/* Fails the test with the error's own words. */
#define must(p, call)                                                                                                  \
  do {                                                                                                                 \
    ho_code code_ = (call);                                                                                            \
    if (code_)                                                                                                         \
      fail_msg("%s:%d: %s: %s (%s)", __FILE__, __LINE__, #call, (p)->err.message, ho_code_name(code_));                \
  } while (0)

/* The call fails with this code, and its sentence has these words. */
#define refuses(p, code, words, call)                                                                                  \
  do {                                                                                                                 \
    (p)->err = (ho_error){0};                                                                                          \
    ho_code code_ = (call);                                                                                            \
    if (code_ != (code) || !strstr((p)->err.message, (words)))                                                         \
      fail_msg("%s:%d: %s: %s: %s", __FILE__, __LINE__, #call, ho_code_name(code_), (p)->err.message);                 \
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
