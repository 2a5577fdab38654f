/* Errors carry the right line and column: documents are damaged at a place the test knows, and that place is counted
 * out here, byte by byte, not with the program's own code. */
#include "doc/json/json_make.h"

#include "doc/json/json.h"

typedef struct place {
  unsigned line, column;
} place;

static json_make make;

/* Line and column of a byte, from 1, columns in code points; \n, \r\n and \r end a line. */
static place count_place(ho_str text, size_t at)
{
  place here = {1, 1};
  for (size_t i = 0; i < at; i++) {
    unsigned char c = (unsigned char)text.p[i];
    if (c == '\n' || (c == '\r' && !(i + 1 < text.n && text.p[i + 1] == '\n'))) {
      here.line++;
      here.column = 1;
    } else if ((c & 0xC0) != 0x80) {
      here.column++;
    }
  }
  return here;
}

static void assert_error_at(ho_str text, size_t at)
{
  ho_arena arena;
  ho_source source;
  ho_node *node = NULL;
  ho_error err = {0};
  ho_arena_init(&arena, 0);
  assert_int_equal(ho_source_init(&source, &arena, HO_STR("t"), text, &err), HO_OK);
  ho_code code = ho_json_read(&source, 0, &arena, NULL, &node, &err);
  place expected = count_place(text, at);
  if (code != HO_SYNTAX || err.line != expected.line || err.column != expected.column)
    fail_msg("expected an error at %u:%u (byte %zu), got %u:%u \"%s\" in: %.*s", expected.line, expected.column, at,
             err.line, err.column, err.message, HO_ARG(text));
  ho_arena_free(&arena);
}

/* The document with bytes from..to replaced, which must then fail at byte `error`. */
static void assert_damage(size_t from, size_t to, const char *with, size_t error)
{
  ho_str text = ho_buf_str(&make.text);
  ho_buf damaged;
  ho_buf_init(&damaged, 0);
  ho_buf_put(&damaged, ho_str_sub(text, 0, from));
  ho_buf_puts(&damaged, with);
  ho_buf_put(&damaged, ho_str_sub(text, to, text.n));
  assert_error_at(ho_buf_str(&damaged), error);
  ho_buf_free(&damaged);
}

static const json_token *random_token(void)
{
  return &make.tokens[unit_below(&make.random, make.count)];
}

/* A token of one of these kinds, or NULL if there is none. */
static const json_token *token_of(const char *kinds)
{
  size_t first = unit_below(&make.random, make.count);
  for (size_t i = 0; i < make.count; i++)
    if (strchr(kinds, make.tokens[(first + i) % make.count].kind))
      return &make.tokens[(first + i) % make.count];
  return NULL;
}

/* The token after this one, or NULL. */
static const json_token *following(const json_token *token)
{
  return token + 1 < make.tokens + make.count ? token + 1 : NULL;
}

/* Calls `damage` for many documents; it says whether it found something to damage. */
static void repeat(uint64_t seed, size_t at_least, bool (*damage)(void))
{
  size_t damaged = 0;
  make.random.state = seed;
  ho_buf_init(&make.text, 0);
  for (int i = 0; i < 2000; i++) {
    json_make_document(&make);
    damaged += damage();
  }
  ho_buf_free(&make.text);
  assert_true(damaged >= at_least);
}

static bool insert_illegal(void)
{
  static const char *const illegal[] = {"@", "?", "'", ";", "\xC3\xA9", "\xF0\x9F\x98\x80", "\x01", "\x7F", "=", "NaN"};
  const char *what = json_pick(&make, illegal, HO_COUNT(illegal));
  const json_token *token = random_token();
  size_t at = unit_below(&make.random, 2) ? token->begin : token->end;
  assert_damage(at, at, what, at);
  return true;
}

static bool cut_before_token(void)
{
  const json_token *token = random_token();
  ho_buf *text = &make.text;
  if (token == make.tokens)
    return false;
  text->n = token->begin;
  text->p[text->n] = '\0';
  assert_error_at(ho_buf_str(text), text->n);
  return true;
}

/* Without a ',' or ':' the token after it is the one that cannot be there. */
static bool remove_separator(void)
{
  const json_token *token = token_of(",:");
  if (!token)
    return false;
  /* A space keeps "1,2" from becoming "12". */
  assert_damage(token->begin, token->end, " ", following(token)->begin);
  return true;
}

static bool swap_bracket(void)
{
  const json_token *token = token_of("]}");
  if (!token)
    return false;
  assert_damage(token->begin, token->end, token->kind == ']' ? "}" : "]", token->begin);
  return true;
}

static bool add_comma_before_end(void)
{
  const json_token *token = token_of("]}");
  if (!token)
    return false;
  char before = token[-1].kind;
  bool empty = before == '[' || before == '{';
  assert_damage(token->begin, token->begin, ",", empty ? token->begin : token->begin + 1);
  return true;
}

static bool break_a_text(void)
{
  static const struct {
    const char *with;
    size_t error;
  } breaks[] = {{"\n", 0}, {"\x01", 0}, {"\t", 0}, {"\\q", 1}, {"\\u12x", 4}, {"\\ud800", 0}, {"\\udfff", 0}};
  const json_token *token = token_of("ks");
  if (!token)
    return false;
  size_t kind = unit_below(&make.random, HO_COUNT(breaks));
  size_t at = token->begin + 1; /* after the quote nothing is cut in two */
  assert_damage(at, at, breaks[kind].with, at + breaks[kind].error);
  return true;
}

static bool break_a_number(void)
{
  static const struct {
    const char *with;
    size_t error;
  } breaks[] = {{"-x", 1},  {"01", 1}, {"1.", 2}, {"1.e5", 2}, {"2e", 2},
                {"2E+", 3}, {"+1", 0}, {".5", 0}, {"1.5.5", 3}};
  const json_token *token = token_of("n");
  if (!token)
    return false;
  size_t kind = unit_below(&make.random, HO_COUNT(breaks));
  assert_damage(token->begin, token->end, breaks[kind].with, token->begin + breaks[kind].error);
  return true;
}

static bool break_a_word(void)
{
  static const struct {
    const char *with;
    size_t error;
  } breaks[] = {{"True", 0}, {"tRue", 1}, {"nul ", 3}, {"falsE", 4}, {"nulls", 4}, {"truetrue", 4}, {"yes", 0}};
  const json_token *token = token_of("w");
  if (!token)
    return false;
  size_t kind = unit_below(&make.random, HO_COUNT(breaks));
  assert_damage(token->begin, token->end, breaks[kind].with, token->begin + breaks[kind].error);
  return true;
}

static bool add_trailing_text(void)
{
  static const char *const more[] = {"0", "{}", "]", ",", "\"x\"", "null"};
  size_t end = make.text.n;
  /* The space keeps a number at the end from growing. */
  ho_buf_puts(&make.text, " ");
  ho_buf_puts(&make.text, json_pick(&make, more, HO_COUNT(more)));
  assert_error_at(ho_buf_str(&make.text), end + 1);
  return true;
}

static void at_an_illegal_byte(void **state)
{
  (void)state;
  repeat(1, 2000, insert_illegal);
}

static void at_the_end_of_a_cut_text(void **state)
{
  (void)state;
  repeat(2, 500, cut_before_token);
}

static void after_a_missing_separator(void **state)
{
  (void)state;
  repeat(3, 500, remove_separator);
}

static void at_a_wrong_bracket(void **state)
{
  (void)state;
  repeat(4, 500, swap_bracket);
}

static void at_the_end_after_a_comma(void **state)
{
  (void)state;
  repeat(5, 500, add_comma_before_end);
}

static void inside_texts_and_keys(void **state)
{
  (void)state;
  repeat(6, 500, break_a_text);
}

static void inside_numbers(void **state)
{
  (void)state;
  repeat(7, 500, break_a_number);
}

static void inside_words(void **state)
{
  (void)state;
  repeat(8, 500, break_a_word);
}

static void at_text_after_the_value(void **state)
{
  (void)state;
  repeat(9, 2000, add_trailing_text);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(at_an_illegal_byte),
      cmocka_unit_test(at_the_end_of_a_cut_text),
      cmocka_unit_test(after_a_missing_separator),
      cmocka_unit_test(at_a_wrong_bracket),
      cmocka_unit_test(at_the_end_after_a_comma),
      cmocka_unit_test(inside_texts_and_keys),
      cmocka_unit_test(inside_numbers),
      cmocka_unit_test(inside_words),
      cmocka_unit_test(at_text_after_the_value),
  };
  return unit_run(tests);
}
