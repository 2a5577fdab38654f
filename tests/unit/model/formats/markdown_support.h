/* What the tests of the Markdown formats share: documents read and written back, and words that must not get lost. */
#ifndef TEST_MARKDOWN_SUPPORT_H
#define TEST_MARKDOWN_SUPPORT_H

#include <strings.h>

#include "model/support.h"

typedef struct subject {
  ho_arena arena;
  ho_doc doc;
  ho_error err;
  ho_code code;
} subject;

static inline void check_text(subject *s, const ho_format *format, const char *path, const char *text)
{
  *s = (subject){0};
  ho_arena_init(&s->arena, 0);
  s->code = read_and_check(&s->doc, &s->arena, ho_str_of(path), ho_str_of(text), format, false, &s->err);
}

static inline void drop(subject *s)
{
  ho_arena_free(&s->arena);
}

/* The value at a pointer of the bound tree, as JSON on one line, against `expected`. */
static inline void assert_value(const subject *s, const char *pointer, const char *expected)
{
  ho_buf out;
  ho_buf_init(&out, 0);
  const ho_node *node = ho_node_at(s->doc.root, ho_str_of(pointer));
  if (node)
    ho_json_write(&out, node, 0);
  else
    ho_buf_puts(&out, "absent");
  assert_string_equal(out.p, expected);
  ho_buf_free(&out);
}

/* The document as the format writes it. */
static inline const char *written(subject *s)
{
  ho_buf out;
  ho_buf_init(&out, 0);
  assert_int_equal(ho_doc_write(s->doc.format, s->doc.root, HO_MARKDOWN, &out, &s->err), HO_OK);
  const char *text = ho_arena_z(&s->arena, ho_buf_str(&out));
  ho_buf_free(&out);
  return text;
}

static inline bool in_word(char c)
{
  return isalnum((unsigned char)c) || (unsigned char)c >= 0x80;
}

/* Case does not matter: `none` is written `None`. */
static inline int compare_words(const void *a, const void *b)
{
  const ho_str *x = a, *y = b;
  int order = strncasecmp(x->p, y->p, x->n < y->n ? x->n : y->n);
  return order ? order : (x->n > y->n) - (x->n < y->n);
}

typedef struct words {
  ho_str *items;
  size_t count;
} words;

/* The words of a text, sorted; with `own` only those that are the author's: no headings, no labels. */
static inline words words_of(ho_arena *arena, ho_str text, bool own)
{
  words found = {ho_arena_array(arena, text.n + 1, sizeof(ho_str)), 0};
  ho_str line;
  while (ho_str_next_line(&text, &line)) {
    size_t label = own ? ho_str_find(line, "**:") : HO_NONE, inner = own ? ho_str_find(line, ":**") : HO_NONE;
    size_t at = label < inner ? label : inner;
    line = ho_str_sub(line, at == HO_NONE ? 0 : at, own && ho_str_starts(ho_str_trim(line), "#") ? 0 : line.n);
    for (size_t i = 0; i < line.n;) {
      size_t from = i;
      while (i < line.n && in_word(line.p[i]))
        i++;
      if (i > from)
        found.items[found.count++] = ho_str_sub(line, from, i);
      i += i == from;
    }
  }
  qsort(found.items, found.count, sizeof(ho_str), compare_words);
  return found;
}

/* Every word of the author stands in the written text at least as often. */
static inline void assert_no_word_lost(subject *s, const char *path)
{
  words had = words_of(&s->arena, s->doc.source.text, true), has = words_of(&s->arena, ho_str_of(written(s)), false);
  size_t k = 0;
  for (size_t i = 0; i < had.count; i++, k++) {
    while (k < has.count && compare_words(&has.items[k], &had.items[i]) < 0)
      k++;
    if (k == has.count || compare_words(&has.items[k], &had.items[i]) != 0)
      fail_msg("%s: the word '%.*s' got lost", path, HO_ARG(had.items[i]));
  }
}
#endif
