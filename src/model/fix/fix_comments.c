/* Finds the comments in a text, using the positions of its values. */
#include "base/grow.h"
#include "model/fix/fix_parts.h"

typedef struct span {
  uint32_t from, to;
} span;

typedef struct spans {
  ho_arena *arena;
  span *items;
  size_t count;
} spans;

static void add(spans *s, uint32_t from, uint32_t to)
{
  if (from == HO_NOWHERE || to <= from)
    return;
  span *last = HO_PUSH(s->arena, s->items, s->count);
  if (last)
    *last = (span){from, to};
}

/* Where the text of a scalar begins; that of a block literal begins on the line after its indicator. */
static uint32_t text_begin(ho_str text, const ho_node *node)
{
  uint32_t at = node->begin;
  if (at < text.n && (text.p[at] == '|' || text.p[at] == '>'))
    while (at < node->end && text.p[at] != '\n')
      at++;
  return at;
}

/* Scalars and keys: what looks like a comment inside them is not one. */
static void collect(spans *s, ho_str text, const ho_node *node)
{
  add(s, node->key_begin, node->key_end);
  if (node->kind < HO_KIND_LIST && node->begin != HO_NOWHERE)
    add(s, text_begin(text, node), node->end);
  HO_EACH_CONST (child, node)
    collect(s, text, child);
}

static int by_place(const void *a, const void *b)
{
  const span *x = a, *y = b;
  return (x->from > y->from) - (x->from < y->from);
}

/* The end of a comment that begins at `at`, or `at` if there is none. */
static uint32_t comment_end(ho_str text, uint32_t at, uint32_t to, bool json)
{
  ho_str rest = ho_str_sub(text, at, to);
  bool first = at == 0 || strchr(" \t\n\r", text.p[at - 1]) || (at == 3 && ho_str_starts(text, "\xEF\xBB\xBF"));
  if (json && ho_str_starts(rest, "/*")) {
    size_t end = ho_str_find(rest, "*/");
    return end == HO_NONE ? to : at + (uint32_t)end + 2;
  }
  if (!(json ? ho_str_starts(rest, "//") : first && ho_str_starts(rest, "#")))
    return at;
  while (at < to && text.p[at] != '\n' && text.p[at] != '\r')
    at++;
  return at;
}

static ho_str without_marks(ho_str comment)
{
  if (ho_str_starts(comment, "#"))
    return ho_str_trim_end(ho_str_sub(comment, 1, comment.n));
  bool block = ho_str_starts(comment, "/*");
  return ho_str_trim(ho_str_sub(comment, 2, comment.n - (block && ho_str_ends(comment, "*/") ? 2 : 0)));
}

ho_node *ho_fix_comments(const ho_doc *doc, uint32_t from, uint32_t to, ho_arena *arena)
{
  spans s = {.arena = arena};
  ho_str text = doc->source.text;
  ho_node *comments = ho_node_new(arena, HO_KIND_LIST);
  size_t next = 0;
  collect(&s, text, doc->raw);
  if (s.count)
    qsort(s.items, s.count, sizeof *s.items, by_place);
  for (uint32_t at = from; at < to;) {
    while (next < s.count && s.items[next].to <= at)
      next++;
    if (next < s.count && s.items[next].from <= at) {
      at = s.items[next].to;
      continue;
    }
    uint32_t end = comment_end(text, at, to, doc->encoding == HO_JSON);
    if (end > at)
      ho_list_add(comments, ho_node_text(arena, without_marks(ho_str_sub(text, at, end))));
    at = end > at ? end : at + 1;
  }
  return comments;
}
