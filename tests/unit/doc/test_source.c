/* Sources: what is accepted as a text, lines, columns, offsets. */
#include "unit.h"

#include "base/buf.h"
#include "base/limits.h"
#include "doc/source.h"

typedef struct opened {
  ho_arena arena;
  ho_source source;
  ho_error err;
  ho_code code;
} opened;

static void open_text(opened *o, ho_str text)
{
  *o = (opened){0};
  ho_arena_init(&o->arena, 0);
  o->code = ho_source_init(&o->source, &o->arena, HO_STR("dir/file.yaml"), text, &o->err);
}

static void assert_place(const ho_source *source, uint32_t offset, unsigned line, unsigned column)
{
  ho_place place = ho_source_place(source, offset);
  assert_int_equal(place.line, line);
  assert_int_equal(place.column, column);
  assert_int_equal(ho_source_line_at(source, offset), line);
}

static void finds_lines_of_every_ending(void **state)
{
  (void)state;
  opened o;
  open_text(&o, HO_STR("a\nbc\r\nd\re\n\n"));
  assert_int_equal(o.code, HO_OK);
  assert_int_equal(o.source.line_count, 6);
  assert_str(ho_source_line(&o.source, 1), "a");
  assert_str(ho_source_line(&o.source, 2), "bc");
  assert_str(ho_source_line(&o.source, 3), "d");
  assert_str(ho_source_line(&o.source, 4), "e");
  assert_str(ho_source_line(&o.source, 5), "");
  assert_str(ho_source_line(&o.source, 6), "");
  assert_str(ho_source_line(&o.source, 7), "");
  assert_str(ho_source_line(&o.source, 0), "");
  assert_place(&o.source, 0, 1, 1);
  assert_place(&o.source, 1, 1, 2); /* the line's end belongs to it */
  assert_place(&o.source, 2, 2, 1);
  assert_place(&o.source, 5, 2, 4); /* the \n of \r\n */
  assert_place(&o.source, 6, 3, 1);
  assert_place(&o.source, 8, 4, 1);
  assert_place(&o.source, 11, 6, 1);
  assert_place(&o.source, 999, 6, 1); /* clamped to the end */
  ho_arena_free(&o.arena);
}

static void counts_columns_in_code_points(void **state)
{
  (void)state;
  opened o;
  open_text(&o, HO_STR("x\n\xC3\xA9\xF0\x9F\x98\x80z"));
  assert_place(&o.source, 2, 2, 1);
  assert_place(&o.source, 4, 2, 2);
  assert_place(&o.source, 8, 2, 3);
  assert_place(&o.source, 9, 2, 4);
  assert_int_equal(ho_source_offset(&o.source, 2, 1), 2);
  assert_int_equal(ho_source_offset(&o.source, 2, 2), 4);
  assert_int_equal(ho_source_offset(&o.source, 2, 3), 8);
  assert_int_equal(ho_source_offset(&o.source, 2, 99), 9);
  assert_int_equal(ho_source_offset(&o.source, 1, 99), 1);
  assert_int_equal(ho_source_offset(&o.source, 3, 1), 9);
  assert_int_equal(ho_source_offset(&o.source, 0, 1), 0);
  ho_arena_free(&o.arena);
}

static void does_not_count_a_byte_order_mark(void **state)
{
  (void)state;
  opened o;
  open_text(&o, HO_STR("\xEF\xBB\xBF"
                       "ab\nc"));
  assert_int_equal(ho_source_start(&o.source), 3);
  assert_place(&o.source, 3, 1, 1);
  assert_place(&o.source, 4, 1, 2);
  assert_place(&o.source, 6, 2, 1);
  assert_int_equal(ho_source_offset(&o.source, 1, 1), 3);
  assert_int_equal(ho_source_offset(&o.source, 1, 2), 4);
  ho_arena_free(&o.arena);
  open_text(&o, HO_STR("ab"));
  assert_int_equal(ho_source_start(&o.source), 0);
  ho_arena_free(&o.arena);
}

static void offsets_and_places_are_inverse(void **state)
{
  (void)state;
  static const char *const pieces[] = {"a", " ", "\n", "\r\n", "\r", "\xC3\xA9", "\xE2\x82\xAC", "\xF0\x9F\x98\x80"};
  unit_random random = {3};
  for (int round = 0; round < 200; round++) {
    ho_buf text;
    ho_buf_init(&text, 0);
    for (size_t n = unit_below(&random, 60); n > 0; n--)
      ho_buf_puts(&text, pieces[unit_below(&random, HO_COUNT(pieces))]);
    opened o;
    open_text(&o, ho_buf_str(&text));
    assert_int_equal(o.code, HO_OK);
    for (unsigned line = 1; line <= o.source.line_count; line++) {
      ho_str content = ho_source_line(&o.source, line);
      uint32_t begin = o.source.lines[line - 1];
      unsigned column = 1;
      for (uint32_t i = 0; i < content.n; i++) {
        if (((unsigned char)content.p[i] & 0xC0) == 0x80)
          continue;
        assert_place(&o.source, begin + i, line, column);
        assert_int_equal(ho_source_offset(&o.source, line, column), begin + i);
        column++;
      }
    }
    ho_arena_free(&o.arena);
    ho_buf_free(&text);
  }
}

/* Lines of several thousand bytes, where columns are found by leaps. */
static void finds_columns_in_long_lines(void **state)
{
  (void)state;
  ho_buf text;
  ho_buf_init(&text, 0);
  ho_buf_puts(&text, "\xEF\xBB\xBF");
  for (int i = 0; i < 700; i++)
    ho_buf_puts(&text, "ab\xC3\xA9\xF0\x9F\x98\x80"); /* 8 bytes, 4 code points */
  ho_buf_putc(&text, '\n');
  ho_buf_fill(&text, 'x', 3 * 1024);
  opened o;
  open_text(&o, ho_buf_str(&text));
  for (uint32_t i = 0; i < 700; i++)
    assert_place(&o.source, 3 + 8 * i + 2, 1, 4 * i + 3);
  assert_place(&o.source, 3 + 5600, 1, 2801);
  assert_place(&o.source, 5604, 2, 1);
  assert_place(&o.source, (uint32_t)text.n, 2, 3073);
  ho_arena_free(&o.arena);
  ho_buf_free(&text);
}

static void refuses_what_is_no_text(void **state)
{
  static const struct {
    ho_str text;
    unsigned line, column;
    const char *message;
  } cases[] = {
      {HO_STR_INIT("ab\n\xC3\xA9\xFFz"), 2, 2, "byte 0xFF is not valid UTF-8"},
      {HO_STR_INIT("a\0b"), 1, 2, "contains a NUL byte, so it is not text"},
      {HO_STR_INIT("a\0\xFF"), 1, 2, "contains a NUL byte, so it is not text"},
      {HO_STR_INIT("\xFF\0"), 1, 1, "byte 0xFF is not valid UTF-8"},
      {HO_STR_INIT("\n\n \xE2\x82"), 3, 2, "byte 0xE2 is not valid UTF-8"},
  };
  (void)state;
  for (size_t i = 0; i < HO_COUNT(cases); i++) {
    opened o;
    open_text(&o, cases[i].text);
    assert_int_equal(o.code, HO_SYNTAX);
    assert_string_equal(o.err.message, cases[i].message);
    assert_string_equal(o.err.file, "dir/file.yaml");
    assert_string_equal(o.err.rule, "syntax");
    assert_int_equal(o.err.line, cases[i].line);
    assert_int_equal(o.err.column, cases[i].column);
    ho_arena_free(&o.arena);
  }
}

static void takes_an_empty_text_and_limits_a_large_one(void **state)
{
  (void)state;
  opened o;
  open_text(&o, (ho_str){NULL, 0});
  assert_int_equal(o.code, HO_OK);
  assert_int_equal(o.source.line_count, 1);
  assert_place(&o.source, 0, 1, 1);
  ho_arena_free(&o.arena);
  ho_buf large;
  ho_buf_init(&large, 0);
  ho_buf_fill(&large, 'x', HO_LIMIT_DOCUMENT);
  open_text(&o, ho_buf_str(&large));
  assert_int_equal(o.code, HO_OK);
  ho_arena_free(&o.arena);
  ho_buf_putc(&large, 'x');
  open_text(&o, ho_buf_str(&large));
  assert_int_equal(o.code, HO_LIMIT);
  ho_arena_free(&o.arena);
  ho_buf_free(&large);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(finds_lines_of_every_ending),
      cmocka_unit_test(counts_columns_in_code_points),
      cmocka_unit_test(does_not_count_a_byte_order_mark),
      cmocka_unit_test(offsets_and_places_are_inverse),
      cmocka_unit_test(finds_columns_in_long_lines),
      cmocka_unit_test(refuses_what_is_no_text),
      cmocka_unit_test(takes_an_empty_text_and_limits_a_large_one),
  };
  return unit_run(tests);
}
