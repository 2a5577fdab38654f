/* UTF-8: every code point, and every short sequence of bytes against a definition that is written the other way. */
#include "unit.h"

#include "base/seen.h"
#include "base/utf8.h"

static void every_code_point_survives(void **state)
{
  (void)state;
  for (uint32_t cp = 0; cp <= 0x10FFFF; cp++) {
    char bytes[4];
    size_t n = ho_utf8_put(bytes, cp), at = 0;
    ho_str s = {bytes, n};
    bool surrogate = cp >= 0xD800 && cp <= 0xDFFF;
    assert_int_equal(ho_utf8_bad(s), surrogate ? 0 : HO_NONE);
    assert_int_equal(ho_utf8_next(s, &at), cp);
    assert_int_equal(at, n);
    assert_int_equal(ho_utf8_count(s), 1);
  }
}

/* Well formed means: it is what ho_utf8_put writes for the code point that its bits spell. */
static bool well_formed(const unsigned char *p, size_t n)
{
  char again[4];
  uint32_t cp = n == 1 ? p[0] : n == 2 ? p[0] & 0x1Fu : n == 3 ? p[0] & 0x0Fu : p[0] & 0x07u;
  for (size_t i = 1; i < n; i++)
    cp = cp << 6 | (p[i] & 0x3Fu);
  if (cp > 0x10FFFF || (cp >= 0xD800 && cp <= 0xDFFF))
    return false;
  return ho_utf8_put(again, cp) == n && memcmp(again, p, n) == 0;
}

static void short_sequences_are_judged_rightly(void **state)
{
  (void)state;
  for (uint32_t bits = 0; bits < 1u << 24; bits++) {
    const unsigned char p[] = {(unsigned char)(bits >> 16), (unsigned char)(bits >> 8), (unsigned char)bits};
    if (p[0] < 0xC0 || p[0] >= 0xF0)
      continue;
    size_t n = p[0] < 0xE0 ? 2 : 3;
    if (n == 2 && p[2])
      continue;
    if ((ho_utf8_bad((ho_str){(const char *)p, n}) == HO_NONE) != well_formed(p, n))
      fail_msg("%02X %02X %02X", p[0], p[1], p[2]);
  }
  static const char *const bad[] = {
      "\x80", "\xC1\x80", "\xF0\x8F\xBF\xBF", "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xE2\x82", "\xF0\x9F\x98",
      "\xFF", "\xC3"};
  for (size_t i = 0; i < HO_COUNT(bad); i++)
    assert_int_equal(ho_utf8_bad(ho_str_of(bad[i])), 0);
}

static void the_bad_byte_is_found_where_it_is(void **state)
{
  (void)state;
  char text[64];
  for (size_t at = 0; at < sizeof text; at++) {
    memset(text, 'a', sizeof text);
    text[at] = '\xFF';
    assert_int_equal(ho_utf8_bad((ho_str){text, sizeof text}), at);
  }
}

static void floor_never_cuts_a_code_point(void **state)
{
  (void)state;
  ho_str s = HO_STR("a\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80");
  static const size_t starts[] = {0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10, 10};
  for (size_t at = 0; at < HO_COUNT(starts); at++)
    assert_int_equal(ho_utf8_floor(s, at), starts[at]);
  assert_int_equal(ho_utf8_count(s), 4);
}

static void controls_and_widths(void **state)
{
  (void)state;
  static const uint32_t controls[] = {0, 7, 0x1B, 0x7F, 0x85, 0x9B, 0x202E, 0x2066, 0x200F};
  for (size_t i = 0; i < HO_COUNT(controls); i++)
    assert_true(ho_utf8_control(controls[i]));
  assert_false(ho_utf8_control('a'));
  assert_false(ho_utf8_control(0xA0));
  assert_false(ho_utf8_control(0x1F600));
  assert_int_equal(ho_utf8_width('a'), 1);
  assert_int_equal(ho_utf8_width(0x0301), 0);
  assert_int_equal(ho_utf8_width(0x4E2D), 2);
  assert_int_equal(ho_utf8_width(0x1F600), 2);
}

static void what_is_hidden_and_what_a_letter(void **state)
{
  (void)state;
  static const uint32_t hidden[] = {0x1B,   0xAD,   0x34F,  0x115F,  0x17B4,  0x180E, 0x200B, 0x200C,
                                    0x200D, 0x2028, 0x2029, 0x202E,  0x2060,  0x2800, 0x3164, 0xFE0F,
                                    0xFEFF, 0xFFA0, 0xFFF9, 0x1BCA0, 0x1D173, 0xE0041};
  static const uint32_t letters[] = {'a', '7', 0xE9, 0x301, 0x416, 0x5D0, 0x645, 0x915, 0x94D, 0x3042, 0x4E2D, 0xAC00};
  static const uint32_t others[] = {'-',    ' ',    0xA0,   0xD7,   0x2028,  0x2192, 0x21D2,
                                    0x2800, 0x3000, 0x3164, 0xE000, 0x1F600, 0xE0041};
  for (size_t i = 0; i < HO_COUNT(hidden); i++) {
    assert_true(ho_utf8_hidden('a', hidden[i], 'b'));
    assert_false(ho_utf8_letter(hidden[i]));
  }
  for (size_t i = 0; i < HO_COUNT(letters); i++) {
    assert_true(ho_utf8_letter(letters[i]));
    assert_false(ho_utf8_hidden(0, letters[i], 0));
  }
  for (size_t i = 0; i < HO_COUNT(others); i++)
    assert_false(ho_utf8_letter(others[i]));
  assert_false(ho_utf8_hidden('a', '\n', 'b'));
  assert_false(ho_utf8_hidden(0x645, 0x200C, 0x62E));     /* Persian */
  assert_false(ho_utf8_hidden(0x94D, 0x200D, 0x937));     /* Hindi */
  assert_false(ho_utf8_hidden(0x1F469, 0x200D, 0x1F4BB)); /* an emoji of two */
  assert_true(ho_utf8_hidden(0x1F469, 0x200D, 'a'));
  assert_true(ho_utf8_hidden(0x200C, 0x200C, 0x62E)); /* a row of them can spell a text */
  assert_true(ho_utf8_hidden(0xFE0F, 0xFE0F, 0));
}

/* Default_Ignorable_Code_Point of Unicode 15, and the other controls. */
static void what_nobody_sees_is_not_compared(void **state)
{
  (void)state;
  static const uint32_t ranges[][2] = {{0, 8},
                                       {0xE, 0x1F},
                                       {0x7F, 0x84},
                                       {0x86, 0x9F},
                                       {0xAD, 0xAD},
                                       {0x34F, 0x34F},
                                       {0x61C, 0x61C},
                                       {0x115F, 0x1160},
                                       {0x17B4, 0x17B5},
                                       {0x180B, 0x180F},
                                       {0x200B, 0x200F},
                                       {0x202A, 0x202E},
                                       {0x2060, 0x206F},
                                       {0x3164, 0x3164},
                                       {0xFE00, 0xFE0F},
                                       {0xFEFF, 0xFEFF},
                                       {0xFFA0, 0xFFA0},
                                       {0xFFF0, 0xFFF8},
                                       {0x1BCA0, 0x1BCA3},
                                       {0x1D173, 0x1D17A},
                                       {0xE0000, 0xE0FFF}};
  static const uint32_t blanks[] = {9,      10,     13,     32,     0x85,   0xA0,   0x1680,
                                    0x2003, 0x2028, 0x2029, 0x202F, 0x205F, 0x2800, 0x3000};
  ho_arena arena;
  bool fillers;
  char text[8] = "a";
  ho_arena_init(&arena, 0);
  for (size_t i = 0; i < HO_COUNT(ranges); i++)
    for (uint32_t cp = ranges[i][0]; cp <= ranges[i][1]; cp++) {
      size_t n = 1 + ho_utf8_put(text + 1, cp);
      text[n++] = 'b';
      if (!ho_str_is(ho_seen_text(&arena, (ho_str){text, n}, "", &fillers), "ab"))
        fail_msg("U+%04X", cp);
      assert_int_equal(fillers, cp == 0x115F || cp == 0x1160 || cp == 0x3164 || cp == 0xFFA0);
    }
  for (size_t i = 0; i < HO_COUNT(blanks); i++) {
    size_t n = 1 + ho_utf8_put(text + 1, blanks[i]);
    text[n++] = 'b';
    assert_true(ho_str_is(ho_seen_text(&arena, (ho_str){text, n}, "", &fillers), "a b"));
  }
  assert_true(ho_str_is(ho_seen_text(&arena,
                                     HO_STR("a\xE3\x85\xA4"
                                            "b"),
                                     " ", &fillers),
                        "a b"));
  assert_true(ho_str_is(ho_seen_text(&arena, HO_STR("\xC2\xAD\xE4\xB8\xAD"), "", &fillers), "\xE4\xB8\xAD"));
  ho_arena_free(&arena);
}

static void letters_that_look_alike_are_the_same(void **state)
{
  (void)state;
  /* Cyrillic, Greek, wide, mathematical, circled, small capitals, accents of both kinds */
  static const char *const seen[][2] = {
      {"\u0430\u0412\u0441", "abc"},
      {"\u0391\u03BF\u0397", "aoh"},
      {"\uFF24\uFF45\uFF19", "de9"},
      {"\U0001D41A\U0001D7F8 \U0001D552", "a2 a"},
      {"\u24D0\u24C9\u249E\U0001F157", "atch"},
      {"\u1D00\u0299\u0131", "abi"},
      {"\u00E9\u1EA0o\u0323\u00F8", "eaoo"},
      {"\u0416\u0436\u03A3\u03C3", "\u0436\u0436\u03C3\u03C3"},
      {"\u4E2D\u00DF", "\u4E2D\u00DF"},
      {"Az", "Az"},
  };
  ho_arena arena;
  bool fillers;
  ho_arena_init(&arena, 0);
  for (size_t i = 0; i < HO_COUNT(seen); i++)
    if (!ho_str_is(ho_seen_text(&arena, ho_str_of(seen[i][0]), "", &fillers), seen[i][1]))
      fail_msg("%s is seen as %.*s", seen[i][0], HO_ARG(ho_seen_text(&arena, ho_str_of(seen[i][0]), "", &fillers)));
  ho_arena_free(&arena);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_code_point_survives),
      cmocka_unit_test(short_sequences_are_judged_rightly),
      cmocka_unit_test(the_bad_byte_is_found_where_it_is),
      cmocka_unit_test(floor_never_cuts_a_code_point),
      cmocka_unit_test(controls_and_widths),
      cmocka_unit_test(what_is_hidden_and_what_a_letter),
      cmocka_unit_test(what_nobody_sees_is_not_compared),
      cmocka_unit_test(letters_that_look_alike_are_the_same),
  };
  return unit_run(tests);
}
