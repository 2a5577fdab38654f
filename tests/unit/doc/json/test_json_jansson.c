/* The JSON reader against jansson: the same verdict and the same values for random documents, whole and damaged. */
#include <jansson.h>

#include "doc/json/json_make.h"

#include "doc/json/json.h"

enum { DOCUMENTS = 40000 };

static void assert_same(const ho_node *ours, json_t *theirs);

static void assert_same_map(const ho_node *ours, json_t *theirs)
{
  size_t different = 0;
  HO_EACH_CONST (child, ours) {
    const ho_node *later = child->next;
    while (later && !ho_str_eq(later->key, child->key))
      later = later->next;
    if (later)
      continue; /* jansson keeps the last of several */
    json_t *value = json_object_getn(theirs, child->key.p, child->key.n);
    assert_non_null(value);
    assert_same(child, value);
    different++;
  }
  assert_int_equal(different, json_object_size(theirs));
}

static void assert_same_number(ho_str text, double theirs)
{
  char copy[2048];
  assert_true(text.n < sizeof copy);
  memcpy(copy, text.p, text.n);
  copy[text.n] = '\0';
  double ours = strtod(copy, NULL);
  assert_memory_equal(&ours, &theirs, sizeof ours);
}

static void assert_same(const ho_node *ours, json_t *theirs)
{
  size_t index = 0;
  switch ((ho_kind)ours->kind) {
  case HO_KIND_NULL:
    assert_true(json_is_null(theirs));
    break;
  case HO_KIND_BOOL:
    assert_true(ho_node_true(ours) ? json_is_true(theirs) : json_is_false(theirs));
    break;
  case HO_KIND_NUMBER:
    assert_true(json_is_real(theirs));
    assert_same_number(ours->text, json_real_value(theirs));
    break;
  case HO_KIND_TEXT:
    assert_true(json_is_string(theirs));
    assert_int_equal(ours->text.n, json_string_length(theirs));
    assert_memory_equal(ours->text.p, json_string_value(theirs), ours->text.n);
    break;
  case HO_KIND_LIST:
    assert_true(json_is_array(theirs));
    assert_int_equal(ours->count, json_array_size(theirs));
    HO_EACH_CONST (child, ours)
      assert_same(child, json_array_get(theirs, index++));
    break;
  case HO_KIND_MAP:
    assert_true(json_is_object(theirs));
    assert_same_map(ours, theirs);
    break;
  }
}

/* What jansson refuses because of its own representation, not because of the syntax. */
static bool is_own_limit(const json_error_t *err)
{
  return json_error_code(err) == json_error_numeric_overflow || json_error_code(err) == json_error_null_byte_in_key;
}

static bool compare(ho_str text)
{
  ho_arena arena;
  ho_source source;
  ho_report report;
  ho_node *ours = NULL;
  ho_error err;
  json_error_t their_err;
  ho_arena_init(&arena, 0);
  ho_code code = ho_source_init(&source, &arena, HO_STR("t"), text, &err);
  ho_report_init(&report, &arena, &source);
  if (!code)
    code = ho_json_read(&source, 0, &arena, &report, &ours, &err);
  json_t *theirs = json_loadb(text.p, text.n, JSON_DECODE_ANY | JSON_DECODE_INT_AS_REAL | JSON_ALLOW_NUL, &their_err);
  if ((code == HO_OK) != (theirs != NULL) && !is_own_limit(&their_err))
    fail_msg("we say \"%s\", jansson \"%s\" of: %.*s", code ? err.message : "fine", theirs ? "fine" : their_err.text,
             HO_ARG(text));
  if (code == HO_OK && theirs)
    assert_same(ours, theirs);
  json_decref(theirs);
  ho_arena_free(&arena);
  return code == HO_OK;
}

/* Changes, removes, repeats or adds a few bytes; never a NUL, of which jansson drops one after a number. */
static void damage(unit_random *random, ho_buf *text)
{
  static const char bytes[] = "{}[]:,\"\\/ \t\n\r0123456789eE+-.truefalsnbdDxX\x01\x7F\xC3\xA9\xED\xA0\x80\xFF";
  for (size_t changes = 1 + unit_below(random, 3); changes > 0 && text->n > 0; changes--) {
    size_t at = unit_below(random, text->n), other = unit_below(random, text->n);
    char c = bytes[unit_below(random, sizeof bytes - 1)];
    switch (unit_below(random, 4)) {
    case 0:
      text->p[at] = c;
      break;
    case 1:
      memmove(text->p + at, text->p + at + 1, text->n - at);
      text->n--;
      break;
    case 2:
      ho_buf_putc(text, c);
      memmove(text->p + at + 1, text->p + at, text->n - 1 - at);
      text->p[at] = c;
      break;
    default:
      c = text->p[at];
      text->p[at] = text->p[other];
      text->p[other] = c;
      break;
    }
  }
}

static json_make make;

static void agrees_on_random_documents(void **state)
{
  (void)state;
  size_t fine = 0, refused = 0;
  make.random.state = 20260111;
  ho_buf_init(&make.text, 0);
  for (int i = 0; i < DOCUMENTS; i++) {
    json_make_document(&make);
    assert_true(compare(ho_buf_str(&make.text)));
    damage(&make.random, &make.text);
    if (compare(ho_buf_str(&make.text)))
      fine++;
    else
      refused++;
  }
  ho_buf_free(&make.text);
  print_message("%d documents; damaged: %zu still fine, %zu refused\n", DOCUMENTS, fine, refused);
  assert_true(fine > DOCUMENTS / 10 && refused > DOCUMENTS / 10);
}

/* Short texts of the bytes that matter reach corners that damage to long ones does not. */
static void agrees_on_short_texts(void **state)
{
  (void)state;
  static const char *const pieces[] = {"{",   "}",    "[",    "]",   ":", ",",  "\"",       "\\", "\"a\"",
                                       "\\u", "d83d", "DE00", "00",  "0", "1",  "-",        ".",  "e",
                                       "+",   "true", "null", "tru", " ", "\n", "\xC3\xA9", "/"};
  make.random.state = 4711;
  ho_buf_init(&make.text, 0);
  for (int i = 0; i < DOCUMENTS; i++) {
    ho_buf_reset(&make.text);
    for (size_t n = unit_below(&make.random, 8); n > 0; n--)
      ho_buf_puts(&make.text, json_pick(&make, pieces, HO_COUNT(pieces)));
    compare(ho_buf_str(&make.text));
  }
  ho_buf_free(&make.text);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(agrees_on_random_documents),
                                     cmocka_unit_test(agrees_on_short_texts)};
  return unit_run(tests);
}
