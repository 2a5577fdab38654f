/* Arenas, buffers and errors: limits, sticky failure, and (in the fault build) every allocation failing once. */
#include "unit.h"

#include "base/buf.h"
#include "base/grow.h"
#include "base/limits.h"
#include "base/memory.h"

static void arenas_give_zeroed_aligned_memory(void **state)
{
  (void)state;
  ho_arena arena;
  ho_arena_init(&arena, 0);
  for (size_t n = 0; n < 3000; n += 7) {
    unsigned char *p = ho_arena_alloc(&arena, n);
    assert_non_null(p);
    assert_int_equal((uintptr_t)p % _Alignof(max_align_t), 0);
    for (size_t i = 0; i < n; i++)
      assert_int_equal(p[i], 0);
    memset(p, 0xAA, n);
  }
  ho_arena_reset(&arena);
  unsigned char *again = ho_arena_alloc(&arena, 64);
  assert_non_null(again);
  assert_int_equal(again[0] | again[63], 0);
  assert_int_equal(ho_arena_code(&arena, &(ho_error){0}), HO_OK);
  ho_arena_free(&arena);
}

static void an_arena_that_failed_stays_failed(void **state)
{
  (void)state;
  ho_arena arena;
  ho_error err = {0};
  ho_arena_init(&arena, 1000);
  assert_non_null(ho_arena_alloc(&arena, 900));
  assert_null(ho_arena_alloc(&arena, 200));
  assert_null(ho_arena_alloc(&arena, 1));
  assert_str(ho_arena_copy(&arena, HO_STR("text")), "");
  assert_string_equal(ho_arena_z(&arena, HO_STR("text")), "");
  assert_int_equal(ho_arena_code(&arena, &err), HO_LIMIT);
  assert_int_equal(err.code, HO_LIMIT);
  ho_arena_reset(&arena);
  assert_str(ho_arena_copy(&arena, HO_STR("text")), "text");
  assert_null(ho_arena_array(&arena, SIZE_MAX / 4, 8));
  assert_int_equal(ho_arena_code(&arena, &(ho_error){0}), HO_LIMIT);
  ho_arena_free(&arena);
}

static void texts_are_copied_and_printed(void **state)
{
  (void)state;
  ho_arena arena;
  ho_arena_init(&arena, 0);
  assert_str(ho_arena_printf(&arena, "%d-%.*s", 7, HO_ARG(HO_STR("seven"))), "7-seven");
  assert_str(ho_arena_printf(&arena, "%*d", 20000, 1).n == 20000 ? HO_STR("long") : HO_EMPTY, "long");
  assert_string_equal(ho_arena_z(&arena, ho_str_sub(HO_STR("abcdef"), 2, 4)), "cd");
  ho_arena_free(&arena);
}

static void arrays_grow_and_keep_what_they_hold(void **state)
{
  (void)state;
  ho_arena arena;
  size_t *numbers = NULL, count = 0;
  ho_arena_init(&arena, 0);
  for (size_t i = 0; i < 3000; i++) {
    size_t *last = HO_PUSH(&arena, numbers, count);
    assert_non_null(last);
    *last = i;
    assert_int_equal(count, i + 1);
  }
  for (size_t i = 0; i < count; i++)
    assert_int_equal(numbers[i], i);
  count = 16; /* items may be taken off the end, too */
  assert_non_null(HO_PUSH(&arena, numbers, count));
  assert_int_equal(numbers[15], 15);
  ho_arena_free(&arena);
}

static void an_array_that_cannot_grow_stays_as_it_is(void **state)
{
  (void)state;
  struct wide {
    char bytes[64];
  } *items = NULL;
  ho_arena arena;
  size_t count = 0;
  ho_arena_init(&arena, 4096);
  while (HO_PUSH(&arena, items, count))
    memset(&items[count - 1], (int)count, sizeof *items);
  assert_int_equal(count, 32);
  for (size_t i = 0; i < count; i++)
    assert_int_equal(items[i].bytes[63], i + 1);
  assert_null(HO_PUSH(&arena, items, count));
  assert_int_equal(ho_arena_code(&arena, &(ho_error){0}), HO_LIMIT);
  ho_arena_reset(&arena);
  assert_false(ho_grow(&arena, &items, SIZE_MAX / 2 + 1, 1)); /* a power of two that cannot be doubled */
  assert_int_equal(ho_arena_code(&arena, &(ho_error){0}), HO_LIMIT);
  ho_arena_free(&arena);
}

static void room_doubles_until_it_is_enough(void **state)
{
  (void)state;
  assert_int_equal(ho_grow_room(256, 256), 256);
  assert_int_equal(ho_grow_room(256, 257), 512);
  assert_int_equal(ho_grow_room(3, 25), 48);
  assert_true(ho_grow_room(1, SIZE_MAX / 2 + 2) == SIZE_MAX / 2 + 2);
  assert_true(ho_grow_room(3, SIZE_MAX) == SIZE_MAX);
}

static void buffers_grow_to_their_limit(void **state)
{
  (void)state;
  ho_buf buf;
  ho_error err = {0};
  ho_buf_init(&buf, 1000);
  assert_string_equal(buf.p, "");
  ho_buf_puts(&buf, "ab");
  ho_buf_putc(&buf, 'c');
  ho_buf_fill(&buf, '.', 3);
  ho_buf_printf(&buf, "%s=%d", "x", 5);
  ho_buf_put(&buf, HO_EMPTY);
  assert_str(ho_buf_str(&buf), "abc...x=5");
  ho_buf_cut(&buf, 99);
  ho_buf_cut(&buf, 6);
  assert_string_equal(buf.p, "abc...");
  ho_buf_printf(&buf, "%*d", 600, 7); /* more than there is room for */
  assert_int_equal(buf.n, 606);
  assert_string_equal(buf.p + 600, "     7");
  ho_buf_fill(&buf, 'y', 1000 - buf.n);
  assert_int_equal(ho_buf_code(&buf, &err), HO_OK);
  assert_int_equal(buf.n, 1000);
  ho_buf_putc(&buf, 'z');
  ho_buf_puts(&buf, "");
  ho_buf_printf(&buf, "%d", 7);
  assert_int_equal(ho_buf_code(&buf, &err), HO_LIMIT);
  assert_int_equal(buf.n, 1000);
  assert_int_equal(strlen(buf.p), 1000);
  ho_buf_reset(&buf);
  assert_string_equal(buf.p, "");
  assert_int_equal(ho_buf_code(&buf, &err), HO_OK);
  ho_buf_free(&buf);
}

static void errors_are_cut_at_a_code_point(void **state)
{
  (void)state;
  ho_error err;
  char long_text[600];
  memset(long_text, 'a', sizeof long_text);
  memcpy(long_text + 510, "\xE2\x82\xAC", 3);
  long_text[599] = '\0';
  assert_int_equal(ho_fail_file(&err, HO_IO, HO_STR("f.yaml"), "%s", long_text), HO_IO);
  assert_int_equal(strlen(err.message), 510);
  assert_string_equal(err.file, "f.yaml");
}

static void exit_statuses_are_those_of_the_interface(void **state)
{
  (void)state;
  static const struct {
    ho_code code;
    int exit;
    const char *name;
  } expected[] = {{HO_OK, 0, "ok"},
                  {HO_NO, 1, "no"},
                  {HO_USAGE, 2, "usage"},
                  {HO_SYNTAX, 3, "syntax"},
                  {HO_INVALID, 4, "invalid"},
                  {HO_NOT_FOUND, 5, "not_found"},
                  {HO_CONFLICT, 6, "conflict"},
                  {HO_GATED, 7, "gated"},
                  {HO_LIMIT, 8, "limit"},
                  {HO_IO, 9, "io"},
                  {HO_STORE, 10, "store"},
                  {HO_MEMORY, 11, "memory"},
                  {HO_BUG, 70, "bug"}};
#define X(name, text, exit, http, meaning) +1
  if (HO_COUNT(expected) != HO_CODES(X))
    fail_msg("a new code of HO_CODES (base/error.h) stands in this list too, with a status of its own");
#undef X
  for (size_t i = 0; i < HO_COUNT(expected); i++) {
    assert_true(i == 0 || expected[i].exit > expected[i - 1].exit);
    assert_int_equal(ho_code_exit(expected[i].code), expected[i].exit);
    assert_string_equal(ho_code_name(expected[i].code), expected[i].name);
    assert_true(ho_code_http(expected[i].code) >= 200);
  }
}

static void limits_have_names_and_values(void **state)
{
  (void)state;
  size_t count = 0;
  for (const ho_limit *limit = ho_limits; limit->name; limit++, count++)
    assert_true(limit->value && *limit->unit && *limit->doc);
  assert_true(count >= 9);
}

#ifdef HO_FAULT
static ho_code work(ho_error *err)
{
  ho_arena arena;
  ho_buf buf;
  ho_str *lines = NULL;
  size_t count = 0;
  ho_arena_init(&arena, 0);
  ho_buf_init(&buf, 0);
  for (int i = 0; i < 40; i++) {
    ho_str *line = HO_PUSH(&arena, lines, count);
    if (line)
      *line = ho_arena_printf(&arena, "%d %s", i, ho_arena_z(&arena, HO_STR("of forty lines\n")));
  }
  for (size_t i = 0; i < count; i++)
    ho_buf_put(&buf, lines[i]);
  ho_code code = ho_arena_code(&arena, err);
  if (!code)
    code = ho_buf_code(&buf, err);
  ho_buf_free(&buf);
  ho_arena_free(&arena);
  return code;
}

static void every_allocation_may_fail(void **state)
{
  (void)state;
  unsigned long n = 1;
  for (bool fired = true; fired; n++) {
    ho_error err = {0};
    ho_fault_arm(n);
    ho_code code = work(&err);
    fired = ho_fault_fired();
    ho_fault_arm(0);
    assert_int_equal(code, fired ? HO_MEMORY : HO_OK);
    assert_int_equal(err.code, code);
  }
  assert_true(n > 80);
}
#endif

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(arenas_give_zeroed_aligned_memory),
      cmocka_unit_test(an_arena_that_failed_stays_failed),
      cmocka_unit_test(texts_are_copied_and_printed),
      cmocka_unit_test(buffers_grow_to_their_limit),
      cmocka_unit_test(errors_are_cut_at_a_code_point),
      cmocka_unit_test(exit_statuses_are_those_of_the_interface),
      cmocka_unit_test(limits_have_names_and_values),
      cmocka_unit_test(arrays_grow_and_keep_what_they_hold),
      cmocka_unit_test(an_array_that_cannot_grow_stays_as_it_is),
      cmocka_unit_test(room_doubles_until_it_is_enough),
#ifdef HO_FAULT
      cmocka_unit_test(every_allocation_may_fail),
#endif
  };
  return unit_run(tests);
}
