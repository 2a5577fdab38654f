/* Corrects values and keys in place. */
#include "base/grow.h"
#include "doc/json/json.h"
#include "doc/text/splice.h"
#include "doc/yaml/yaml.h"
#include "model/fix/fix_parts.h"
#include "model/formats/formats.h"

typedef struct places {
  const ho_node **items; /* of the raw tree, by their first byte */
  size_t count;
} places;

typedef struct editor {
  const ho_doc *doc;
  ho_arena *arena;
  places raw;
  ho_splice splice;
  bool failed; /* something cannot be corrected in place */
} editor;

static void collect(editor *e, const ho_node *node)
{
  if (node->begin != HO_NOWHERE) {
    const ho_node **last = HO_PUSH(e->arena, e->raw.items, e->raw.count);
    if (!last)
      return;
    *last = node;
  }
  HO_EACH_CONST (child, node)
    collect(e, child);
}

static int by_place(const void *a, const void *b)
{
  const ho_node *x = *(const ho_node *const *)a, *y = *(const ho_node *const *)b;
  if (x->begin != y->begin)
    return x->begin < y->begin ? -1 : 1;
  return (x->end > y->end) - (x->end < y->end);
}

/* The node of the raw tree that a node of the fixed tree came from, or NULL. */
static const ho_node *origin(const editor *e, const ho_node *node)
{
  size_t low = 0, high = e->raw.count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (by_place(&e->raw.items[middle], &node) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  for (; low < e->raw.count && by_place(&e->raw.items[low], &node) == 0; low++)
    if (e->raw.items[low]->key_begin == node->key_begin)
      return e->raw.items[low];
  return NULL;
}

/* The scalar as it is written at its position. `bare`: in Markdown outside of YAML. */
static ho_str encode(editor *e, const ho_node *node, bool bare)
{
  ho_buf out;
  ho_node alone = *node;
  if (bare)
    return node->text;
  ho_buf_init(&out, 0);
  if (e->doc->encoding == HO_JSON)
    ho_json_write(&out, &alone, 0);
  else
    ho_yaml_write(&out, &alone);
  ho_str text = ho_arena_copy(e->arena, ho_str_trim_end(ho_buf_str(&out)));
  if (out.failed && !e->arena->failed)
    e->arena->failed = out.failed;
  e->failed |= ho_str_find_char(text, '\n') != HO_NONE;
  ho_buf_free(&out);
  return text;
}

static void replace(editor *e, uint32_t from, uint32_t to, ho_str with)
{
  ho_error ignored;
  if (ho_splice_replace(&e->splice, from, to, with, &ignored))
    e->failed = true;
}

static void walk(editor *e, const ho_node *node, bool bare);

static void visit(editor *e, const ho_node *child, bool bare)
{
  const ho_node *raw = child->begin == HO_NOWHERE ? NULL : origin(e, child);
  if (child->begin == HO_NOWHERE) /* made while reading, and it will be made again; ho_fix_tree verifies that */
    return;
  if (!raw || ((raw->kind >= HO_KIND_LIST || child->kind >= HO_KIND_LIST) && raw->kind != child->kind)) {
    e->failed = true;
    return;
  }
  if (child->key_begin != HO_NOWHERE && !ho_str_eq(raw->key, child->key)) {
    ho_node key = {.kind = HO_KIND_TEXT, .text = child->key};
    replace(e, child->key_begin, child->key_end, encode(e, &key, bare));
  }
  if (child->kind >= HO_KIND_LIST)
    walk(e, child, bare);
  else if (raw->kind != child->kind || !ho_str_eq(raw->text, child->text)) {
    bool loose = raw->kind != child->kind && raw->plain && ho_str_eq(raw->text, child->text);
    if (!loose) /* a plain YAML scalar has the type that its format gives it */
      replace(e, child->begin, child->end, encode(e, child, bare));
  }
}

static void walk(editor *e, const ho_node *node, bool bare)
{
  HO_EACH_CONST (child, node)
    if (!e->failed)
      visit(e, child, bare || ho_str_is(child->key, "task_file"));
}

bool ho_fix_splice(const ho_doc *doc, const ho_node *fixed, ho_arena *arena, ho_buf *out)
{
  editor e = {.doc = doc, .arena = arena};
  ho_splice_init(&e.splice, arena, doc->source.text);
  collect(&e, doc->raw);
  if (e.raw.count)
    qsort(e.raw.items, e.raw.count, sizeof *e.raw.items, by_place);
  bool bare = doc->encoding == HO_MARKDOWN && doc->format != &ho_format_task;
  if (doc->wrapper.n && !ho_str_is(doc->wrapper, doc->format->wrapper))
    replace(&e, fixed->key_begin, fixed->key_end, ho_str_of(doc->format->wrapper));
  walk(&e, fixed, bare);
  ho_splice_write(&e.splice, out);
  return !e.failed && !arena->failed;
}
