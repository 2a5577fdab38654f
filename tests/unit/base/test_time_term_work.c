/* The clock's forms, text made safe for terminals, and the work pool. */
#include "unit.h"

#include <stdatomic.h>

#include "base/term.h"
#include "base/time.h"
#include "base/proc/work.h"

static void expect_time(int64_t ms, const char *text, const char *stamp)
{
  char out[HO_TIME_SIZE];
  ho_time_text(ms, false, out);
  assert_string_equal(out, text);
  ho_time_stamp(ms, out);
  assert_string_equal(out, stamp);
}

static void test_time(void **state)
{
  (void)state;
  expect_time(0, "1970-01-01T00:00:00Z", "19700101T000000Z");
  expect_time(-1, "1969-12-31T23:59:59Z", "19691231T235959Z");
  expect_time(1709210096007, "2024-02-29T12:34:56Z", "20240229T123456Z");
  expect_time(4107542400000, "2100-03-01T00:00:00Z", "21000301T000000Z");
  char out[HO_TIME_SIZE];
  ho_time_text(1709210096007, true, out);
  assert_string_equal(out, "2024-02-29T12:34:56.007Z");
  ho_time_text(INT64_MAX, true, out);
  assert_string_equal(out, "9999-12-31T23:59:59.999Z");
  ho_time_text(INT64_MIN, true, out);
  assert_string_equal(out, "0000-01-01T00:00:00.000Z");
  assert_true(ho_time_now_ms() > 1700000000000);
}

/* Every day of 400 years against the C library. */
static void test_time_days(void **state)
{
  (void)state;
  for (int64_t day = -73000; day < 146097; day++) {
    char out[HO_TIME_SIZE], want[64];
    time_t seconds = (time_t)(day * 86400);
    struct tm parts;
    gmtime_r(&seconds, &parts);
    strftime(want, sizeof want, "%Y%m%dT%H%M%SZ", &parts);
    ho_time_stamp(day * 86400000, out);
    assert_string_equal(out, want);
  }
}

static void expect_put(const char *text, int keep, const char *want)
{
  ho_buf out;
  ho_buf_init(&out, 0);
  ho_term_put(&out, ho_str_of(text), keep);
  assert_string_equal(out.p, want);
  ho_buf_free(&out);
}

static void test_term(void **state)
{
  (void)state;
  expect_put("plain é 漢", HO_TERM_LINE, "plain é 漢");
  expect_put("\x1b[31mred\x07", HO_TERM_LINES, "\\x1b[31mred\\x07");
  expect_put("a\nb\tc\r\nd\re", HO_TERM_LINE, "a\\nb\\tc\\r\\nd\\re");
  expect_put("a\nb\tc\r\nd\re", HO_TERM_LINES, "a\nb\tc\nd\\re");
  expect_put("x\xE2\x80\xAEy\xC2\x9Bz", HO_TERM_LINE, "x\\u202ey\\x9bz");
  /* What nobody sees is made visible; what a script or an emoji needs stays. */
  expect_put("a\xE2\x80\x8B\xC2\xAD\xE2\x81\xA0\xEF\xBB\xBFz", HO_TERM_LINE, "a\\u200b\\xad\\u2060\\ufeffz");
  expect_put("a\xE2\x80\xA8\xE3\x85\xA4\xF3\xA0\x81\x81z", HO_TERM_LINES, "a\\u2028\\u3164\\U000e0041z");
  expect_put("می\xE2\x80\x8Cخواهم 👩\xE2\x80\x8D💻 ❤\xEF\xB8\x8F\xE2\x80\x8D🔥 क्\xE2\x80\x8Dष", HO_TERM_LINE,
             "می\xE2\x80\x8Cخواهم 👩\xE2\x80\x8D💻 ❤\xEF\xB8\x8F\xE2\x80\x8D🔥 क्\xE2\x80\x8Dष");
  expect_put("a\xE2\x80\x8D"
             "b ❤\xEF\xB8\x8F\xEF\xB8\x8F",
             HO_TERM_LINE, "a\\u200db ❤\xEF\xB8\x8F\\ufe0f");
  expect_put("a\nb\x1b\xC2\xAD\xF3\xA0\x81\x81", HO_TERM_JSON, "a\nb\\u001b\\u00ad\\udb40\\udc41");
  /* Colours of our own, but nothing that hides text, moves the cursor or names the window. */
  expect_put("\x1b[31mred\x1b[0m\n\x1b[8mgone\x1b[2J\x1b]0;t\x07\x1b", HO_TERM_COLOURS,
             "\x1b[31mred\x1b[0m\n\\x1b[8mgone\\x1b[2J\\x1b]0;t\\x07\\x1b");
  expect_put("bad \xff\xfe end", HO_TERM_LINE, "bad \\xff\\xfe end");
  assert_int_equal(ho_term_cells(HO_STR("a漢")), 3);
}

enum { JOBS = 20000 };
static atomic_uint seen[JOBS];
static atomic_uint busy[HO_WORK_THREADS];

static void job(void *world, unsigned worker, size_t index)
{
  atomic_uint *total = world;
  assert_true(worker < HO_WORK_THREADS);
  assert_int_equal(atomic_fetch_add(&busy[worker], 1), 0);
  atomic_fetch_add(&seen[index], 1);
  atomic_fetch_add(total, 1);
  atomic_fetch_sub(&busy[worker], 1);
}

static void test_work(void **state)
{
  (void)state;
  atomic_uint total = 0;
  ho_work_run(0, job, &total);
  assert_int_equal(total, 0);
  ho_work_run(JOBS, job, &total);
  assert_int_equal(total, JOBS);
  for (size_t i = 0; i < JOBS; i++)
    assert_int_equal(seen[i], 1);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_time), cmocka_unit_test(test_time_days),
                                     cmocka_unit_test(test_term), cmocka_unit_test(test_work)};
  return unit_run(tests);
}
