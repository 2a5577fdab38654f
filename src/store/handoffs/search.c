#include "store/handoffs/search.h"

#include "store/handoffs/rows.h"

/* True if it contains anything that can be a word. */
static bool wordlike(ho_str s)
{
  for (size_t i = 0; i < s.n; i++)
    if (isalnum((unsigned char)s.p[i]) || (unsigned char)s.p[i] >= 0x80)
      return true;
  return false;
}

/* Quoted, so that nothing in it acts as an operator. */
static void put_phrase(ho_buf *out, ho_str text, bool beginning)
{
  if (!wordlike(text))
    return;
  if (out->n && out->p[out->n - 1] != '(')
    ho_buf_putc(out, ' ');
  ho_buf_putc(out, '"');
  for (size_t i = 0; i < text.n; i++) {
    if (text.p[i] == '"')
      ho_buf_putc(out, '"');
    ho_buf_putc(out, text.p[i] ? text.p[i] : ' ');
  }
  ho_buf_puts(out, beginning ? "\"*" : "\"");
}

static void put_query(ho_buf *out, ho_str query)
{
  size_t at = 0;
  while (at < query.n) {
    size_t start = at;
    if (isspace((unsigned char)query.p[at])) {
      at++;
    } else if (query.p[at] == '"') {
      size_t end = ho_str_find_char(ho_str_sub(query, at + 1, query.n), '"');
      at = end == HO_NONE ? query.n : at + 1 + end;
      put_phrase(out, ho_str_sub(query, start + 1, at), false);
      at++;
    } else {
      while (at < query.n && !isspace((unsigned char)query.p[at]) && query.p[at] != '"')
        at++;
      ho_str word = ho_str_sub(query, start, at);
      bool beginning = ho_str_ends(word, "*");
      put_phrase(out, beginning ? ho_str_sub(word, 0, word.n - 1) : word, beginning);
    }
  }
}

/* SQLite's snippet() may overlook that memory ran out while it searched for matches: it then shows the beginning of
 * the text, without a match. */
static bool shows_match(ho_str snippet)
{
  return ho_str_starts(snippet, "\xE2\x80\xA6") || ho_str_find(snippet, "\xE2\x81\xA8") != HO_NONE;
}

typedef struct reading {
  ho_arena *arena;
  ho_hit_list *out;
} reading;

static ho_code take_hit(void *data, const ho_value *values, ho_error *err)
{
  enum { SNIPPET = HO_WIDTH(HO_HANDOFF_COLUMNS) }; /* comes after the columns of a handoff */
  reading *r = data;
  ho_hit *hit = HO_PUSH(r->arena, r->out->rows, r->out->count);
  if (!hit || !shows_match(values[SNIPPET].s))
    return ho_fail_memory(err);
  hit->snippet = ho_arena_copy(r->arena, values[SNIPPET].s);
  return ho_rows_take_handoff(&hit->row, values, r->arena, err);
}

ho_code ho_search_add(ho_store *store, int64_t after, int64_t upto, ho_error *err)
{
  ho_code code = ho_store_must_write(store, err);
  return code ? code : HO_RUN(store, HO_SQL_SEARCH_ADD, NULL, NULL, NULL, err, HO_INT(after), HO_INT(upto));
}

ho_code ho_search_expression(ho_buf *out, ho_str query, ho_error *err)
{
  enum { QUERY_LIMIT = 4096 };
  if (query.n > QUERY_LIMIT)
    return ho_fail(err, HO_LIMIT, "the query is longer than %d bytes", QUERY_LIMIT);
  put_query(out, query);
  return ho_buf_code(out, err);
}

ho_code ho_search(ho_store *store, ho_str query, const ho_filter *filter, ho_arena *arena, ho_hit_list *out,
                  ho_error *err)
{
  enum { USUAL_LIMIT = 100 };
  reading r = {.arena = arena, .out = out};
  ho_buf match;
  *out = (ho_hit_list){0};
  ho_buf_init(&match, 0);
  ho_code code = ho_search_expression(&match, query, err);
  if (!code && match.n)
    code = HO_RUN(store, HO_SQL_SEARCH, take_hit, &r, NULL, err, HO_FILTERED(ho_buf_str(&match), filter, USUAL_LIMIT));
  ho_buf_free(&match);
  return code;
}
