/* Makes random JSON texts for tests, and says where each of their tokens is. */
#ifndef HO_TESTS_JSON_MAKE_H
#define HO_TESTS_JSON_MAKE_H

#include "unit.h"

#include "base/buf.h"

typedef struct json_token {
  size_t begin, end;
  char kind; /* { } [ ] , : or k (key) s (text) n (number) w (word) */
} json_token;

enum { JSON_TOKENS = 4000 };

typedef struct json_make {
  unit_random random;
  ho_buf text;
  json_token tokens[JSON_TOKENS];
  size_t count;
} json_make;

static const char *json_pick(json_make *m, const char *const *choices, size_t count)
{
  return choices[unit_below(&m->random, count)];
}

static void json_make_space(json_make *m)
{
  static const char *const spaces[] = {"", "", "", " ", " ", "\n", "\r\n", "\t", "\n    ", "\r", "  \n\n "};
  ho_buf_puts(&m->text, json_pick(m, spaces, HO_COUNT(spaces)));
}

static void json_make_token(json_make *m, char kind, const char *const *pieces, size_t choices, size_t count)
{
  size_t begin = m->text.n;
  for (size_t i = 0; i < count; i++)
    ho_buf_puts(&m->text, json_pick(m, pieces, choices));
  assert_true(m->count < JSON_TOKENS);
  m->tokens[m->count++] = (json_token){begin, m->text.n, kind};
  json_make_space(m);
}

static void json_make_mark(json_make *m, char mark)
{
  const char text[2] = {mark, '\0'};
  const char *const pieces[] = {text};
  json_make_token(m, mark, pieces, 1, 1);
}

static void json_make_text(json_make *m, char kind)
{
  static const char *const pieces[] = {"a",
                                       "key",
                                       "\xC3\xA9",
                                       "\xE4\xBD\xA0",
                                       "\xF0\x9F\x98\x80",
                                       "\\n",
                                       "\\\"",
                                       "\\\\",
                                       "\\/",
                                       "\\u0041",
                                       "\\u20ac",
                                       "\\uD83D\\ude00",
                                       " ",
                                       "\x7F",
                                       "a longer piece, of words",
                                       "{[:,]}"};
  size_t begin = m->text.n;
  ho_buf_putc(&m->text, '"');
  for (size_t n = unit_below(&m->random, 6); n > 0; n--)
    ho_buf_puts(&m->text, json_pick(m, pieces, HO_COUNT(pieces)));
  ho_buf_putc(&m->text, '"');
  assert_true(m->count < JSON_TOKENS);
  m->tokens[m->count++] = (json_token){begin, m->text.n, kind};
  json_make_space(m);
}

static void json_make_value(json_make *m, unsigned depth)
{
  static const char *const numbers[] = {"0",
                                        "-0",
                                        "1",
                                        "-12",
                                        "3.25",
                                        "-0.5e1",
                                        "1E+5",
                                        "7e-7",
                                        "10",
                                        "1e308",
                                        "123456789012345678901234567890",
                                        "2.2250738585072014e-308"};
  static const char *const words[] = {"true", "false", "null"};
  size_t what = unit_below(&m->random, depth ? 10 : 4);
  if (what < 2) {
    json_make_text(m, 's');
  } else if (what == 2) {
    json_make_token(m, 'n', numbers, HO_COUNT(numbers), 1);
  } else if (what == 3) {
    json_make_token(m, 'w', words, HO_COUNT(words), 1);
  } else {
    bool map = what < 7;
    json_make_mark(m, map ? '{' : '[');
    for (size_t i = 0, n = unit_below(&m->random, 5); i < n; i++) {
      if (i)
        json_make_mark(m, ',');
      if (map) {
        json_make_text(m, 'k');
        json_make_mark(m, ':');
      }
      json_make_value(m, depth - 1);
    }
    json_make_mark(m, map ? '}' : ']');
  }
}

/* A new document in place of the last one. */
static void json_make_document(json_make *m)
{
  ho_buf_reset(&m->text);
  m->count = 0;
  json_make_space(m);
  json_make_value(m, 5);
}
#endif
