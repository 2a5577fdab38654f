/* What is written in the margin of a document: all that whoever opens it reads, but its values and its format's own keys. A
 * text that waits for a person could be handed on there. */
#include "base/grow.h"
#include "engine/ledger/send.h"

typedef struct span {
  uint32_t from, to;
} span;

typedef struct margin {
  ho_arena *arena;
  ho_buf text;
  span *spans; /* of keys and scalars */
  size_t count;
} margin;

static void add_span(margin *m, uint32_t from, uint32_t to)
{
  span *last = from == HO_NOWHERE || to <= from ? NULL : HO_PUSH(m->arena, m->spans, m->count);
  if (last)
    *last = (span){from, to};
}

static void put(margin *m, ho_str text)
{
  ho_buf_put(&m->text, text);
  ho_buf_putc(&m->text, ' ');
}

/* The value, without the tag and the anchor before it. */
static void add_value(margin *m, ho_str text, const ho_node *node)
{
  uint32_t at = node->begin;
  while (at < text.n && at < node->end && strchr("!&", text.p[at])) {
    while (at < node->end && !isspace((unsigned char)text.p[at]))
      at++;
    while (at < node->end && isspace((unsigned char)text.p[at]))
      at++;
  }
  add_span(m, node->begin == HO_NOWHERE ? HO_NOWHERE : at, node->end);
}

/* A node of the record, or of none. */
static void collect(margin *m, const ho_doc *doc, const ho_node *node, const ho_record *record)
{
  if (node->kind < HO_KIND_LIST)
    add_value(m, doc->source.text, node);
  HO_EACH_CONST (child, node) {
    bool alias, wrapper = node == doc->raw && doc->wrapper.n && ho_str_eq(child->key, doc->wrapper);
    const ho_record *of = wrapper ? doc->format->root : record;
    if (child->key.n && !wrapper) {
      const ho_field *field = record ? ho_record_field(record, child->key, &alias) : NULL;
      of = field ? field->record : NULL;
      if (!field)
        put(m, child->key);
    }
    add_span(m, child->key_begin, child->key_end);
    collect(m, doc, child, of);
  }
}

static int by_place(const void *a, const void *b)
{
  const span *x = a, *y = b;
  return (x->from > y->from) - (x->from < y->from);
}

/* What stands between the keys and values. */
static void put_gaps(margin *m, ho_str text)
{
  size_t at = 0;
  if (m->count)
    qsort(m->spans, m->count, sizeof *m->spans, by_place);
  for (size_t i = 0; i < m->count; i++) {
    if (m->spans[i].from > at)
      put(m, ho_str_sub(text, at, m->spans[i].from));
    if (m->spans[i].to > at)
      at = m->spans[i].to;
  }
  if (at < text.n)
    put(m, ho_str_sub(text, at, text.n));
}

static bool has_letters(ho_str text)
{
  for (size_t i = 0; i < text.n; i++)
    if ((unsigned char)text.p[i] >= 0x80 || isalnum((unsigned char)text.p[i]))
      return true;
  return false;
}

ho_str ho_send_margin(const ho_doc *doc, ho_arena *arena)
{
  margin m = {.arena = arena};
  if (!doc->raw)
    return HO_EMPTY;
  ho_buf_init(&m.text, 0);
  collect(&m, doc, doc->raw, doc->wrapper.n ? NULL : doc->format->root);
  if (doc->encoding == HO_YAML || doc->encoding == HO_JSON)
    put_gaps(&m, doc->source.text);
  ho_str text = ho_buf_move(&m.text, arena);
  return has_letters(text) ? text : HO_EMPTY;
}
