/* The splice editor. */
#include "unit.h"

#include "doc/text/splice.h"

typedef struct bench {
  ho_arena arena;
  ho_splice splice;
  ho_buf out;
  ho_error err;
} bench;

static void start(bench *b, const char *text)
{
  ho_arena_init(&b->arena, 0);
  ho_buf_init(&b->out, 0);
  ho_splice_init(&b->splice, &b->arena, ho_str_of(text));
}

static ho_code replace(bench *b, uint32_t from, uint32_t to, const char *with)
{
  return ho_splice_replace(&b->splice, from, to, ho_str_of(with), &b->err);
}

static void finish(bench *b, const char *expected)
{
  ho_splice_write(&b->splice, &b->out);
  assert_string_equal(b->out.p, expected);
  ho_buf_free(&b->out);
  ho_arena_free(&b->arena);
}

static void leaves_a_text_without_edits_alone(void **state)
{
  (void)state;
  bench b;
  start(&b, "as it was\r\n\t");
  finish(&b, "as it was\r\n\t");
  start(&b, "");
  assert_int_equal(replace(&b, 0, 0, "new"), HO_OK);
  finish(&b, "new");
}

static void takes_edits_in_any_order(void **state)
{
  (void)state;
  bench b;
  start(&b, "0123456789");
  assert_int_equal(replace(&b, 8, 10, "END"), HO_OK);
  assert_int_equal(replace(&b, 0, 1, ""), HO_OK);
  assert_int_equal(replace(&b, 4, 6, "four-five"), HO_OK);
  assert_int_equal(replace(&b, 6, 6, "|"), HO_OK);
  assert_int_equal(replace(&b, 10, 10, "."), HO_OK);
  finish(&b, "123four-five|67END.");
}

static void keeps_the_order_of_insertions(void **state)
{
  (void)state;
  bench b;
  start(&b, "ab");
  assert_int_equal(replace(&b, 1, 1, "1"), HO_OK);
  assert_int_equal(replace(&b, 2, 2, "x"), HO_OK);
  assert_int_equal(replace(&b, 1, 1, "2"), HO_OK);
  assert_int_equal(replace(&b, 1, 2, "B"), HO_OK);
  assert_int_equal(replace(&b, 1, 1, "3"), HO_OK);
  assert_int_equal(replace(&b, 2, 2, "y"), HO_OK);
  assert_int_equal(replace(&b, 0, 0, "^"), HO_OK);
  finish(&b, "^a123Bxy");
}

static void refuses_overlapping_edits(void **state)
{
  (void)state;
  bench b;
  start(&b, "0123456789");
  assert_int_equal(replace(&b, 3, 6, "_"), HO_OK);
  assert_int_equal(replace(&b, 3, 6, "_"), HO_CONFLICT);
  assert_int_equal(replace(&b, 3, 4, "_"), HO_CONFLICT);
  assert_int_equal(replace(&b, 5, 8, "_"), HO_CONFLICT);
  assert_int_equal(replace(&b, 2, 4, "_"), HO_CONFLICT);
  assert_int_equal(replace(&b, 0, 10, "_"), HO_CONFLICT);
  assert_int_equal(replace(&b, 4, 4, "_"), HO_CONFLICT);
  assert_string_equal(b.err.message, "bytes 4 to 4 are already edited");
  assert_int_equal(replace(&b, 8, 8, "!"), HO_OK);
  assert_int_equal(replace(&b, 7, 9, "_"), HO_CONFLICT);
  assert_int_equal(replace(&b, 6, 8, "*"), HO_OK);
  assert_int_equal(replace(&b, 0, 3, "+"), HO_OK);
  finish(&b, "+_*!89");
}

static void refuses_spans_outside_the_text(void **state)
{
  (void)state;
  bench b;
  start(&b, "abc");
  assert_int_equal(replace(&b, 2, 1, ""), HO_BUG);
  assert_int_equal(replace(&b, 0, 4, ""), HO_BUG);
  assert_int_equal(replace(&b, 4, 4, ""), HO_BUG);
  finish(&b, "abc");
}

/* Every byte of a text belongs to a random edit or to none; the result is built beside it by hand. */
static void agrees_with_a_plain_rewrite(void **state)
{
  (void)state;
  unit_random random = {7};
  for (int round = 0; round < 500; round++) {
    struct {
      uint32_t from, to;
      char with[8];
    } edits[20];
    char text[64], expected[512] = "";
    size_t count = 0, n = 0, length = 20 + unit_below(&random, 40);
    for (size_t i = 0; i < length; i++)
      text[i] = (char)('a' + unit_below(&random, 26));
    text[length] = '\0';
    for (size_t at = 0; at < length && count < HO_COUNT(edits); count++) {
      size_t from = at + unit_below(&random, 3), to = from + 1 + unit_below(&random, 3);
      if (to > length)
        break;
      edits[count].from = (uint32_t)from;
      edits[count].to = (uint32_t)to;
      snprintf(edits[count].with, sizeof edits[count].with, "<%u>", (unsigned)unit_below(&random, 100));
      n +=
          (size_t)snprintf(expected + n, sizeof expected - n, "%.*s%s", (int)(from - at), text + at, edits[count].with);
      at = to;
    }
    snprintf(expected + n, sizeof expected - n, "%s", text + (count ? edits[count - 1].to : 0));
    bench b;
    start(&b, text);
    size_t first = count ? unit_below(&random, count) : 0;
    for (size_t i = 0; i < count; i++) {
      size_t k = (first + i * 7) % count; /* any order, and each once where 7 does not divide the count */
      if (count % 7 == 0)
        k = count - 1 - i;
      assert_int_equal(replace(&b, edits[k].from, edits[k].to, edits[k].with), HO_OK);
    }
    finish(&b, expected);
  }
}

static void survives_a_full_arena(void **state)
{
  (void)state;
  bench b;
  start(&b, "abc");
  ho_arena_init(&b.arena, 1);
  assert_int_equal(replace(&b, 1, 2, "x"), HO_LIMIT);
  finish(&b, "abc");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(leaves_a_text_without_edits_alone),
      cmocka_unit_test(takes_edits_in_any_order),
      cmocka_unit_test(keeps_the_order_of_insertions),
      cmocka_unit_test(refuses_overlapping_edits),
      cmocka_unit_test(refuses_spans_outside_the_text),
      cmocka_unit_test(agrees_with_a_plain_rewrite),
      cmocka_unit_test(survives_a_full_arena),
  };
  return unit_run(tests);
}
