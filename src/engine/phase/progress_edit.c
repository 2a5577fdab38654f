#include "engine/phase/progress_edit.h"

#include "doc/json/json.h"

static ho_code read_text(ho_arena *arena, ho_str text, ho_node **out, ho_error *err)
{
  ho_source source;
  ho_code code = ho_source_init(&source, arena, HO_EMPTY, text, err);
  return code ? code : ho_json_read(&source, 0, arena, NULL, out, err);
}

void ho_edit_init(ho_edit *edit, ho_arena *arena, ho_str text)
{
  *edit = (ho_edit){.arena = arena, .text = text};
  ho_splice_init(&edit->splice, arena, text);
  edit->failed = read_text(arena, text, &edit->written, &edit->error);
}

/* The map or list that begins where `node` does, with everything that stands in it; NULL if there is none. */
static const ho_node *as_written(const ho_edit *edit, const ho_node *node)
{
  const ho_node *at = edit->written;
  while (at && at->begin != node->begin) {
    const ho_node *inside = NULL;
    HO_EACH_CONST (child, at)
      if (child->begin <= node->begin && node->begin < child->end)
        inside = child;
    at = inside;
  }
  return at;
}

/* The member of that name in the text, or NULL. Bound, it may have had another name; null, it is not in the bound tree. */
static const ho_node *member(const ho_edit *edit, const ho_node *map, const char *key)
{
  const ho_node *bound = ho_map_getz(map, key);
  return bound && bound->begin != HO_NOWHERE ? bound : ho_map_getz(as_written(edit, map), key);
}

static bool stands_as(const ho_edit *edit, const ho_node *node, char first)
{
  return node && node->begin < node->end && node->end <= edit->text.n && edit->text.p[node->begin] == first;
}

static void fail(ho_edit *edit, const char *key)
{
  if (!edit->failed)
    edit->failed = ho_fail(&edit->error, HO_INVALID, "%s is not in its format's canonical form; run: handoff fix", key);
}

static void replace(ho_edit *edit, uint32_t from, uint32_t to, ho_str with)
{
  if (!edit->failed)
    edit->failed = ho_splice_replace(&edit->splice, from, to, with, &edit->error);
}

/* On one line with spaces after colons and commas, as people write small records. */
static void put_value(ho_buf *out, const ho_node *node)
{
  bool map = ho_node_is(node, HO_KIND_MAP);
  const char *between = "";
  if (!map && !ho_node_is(node, HO_KIND_LIST)) {
    ho_json_write(out, node, 0);
    return;
  }
  ho_buf_putc(out, map ? '{' : '[');
  HO_EACH_CONST (child, node) {
    ho_buf_puts(out, between);
    if (map) {
      ho_json_write_text(out, child->key);
      ho_buf_puts(out, ": ");
    }
    put_value(out, child);
    between = ", ";
  }
  ho_buf_putc(out, map ? '}' : ']');
}

/* The white space before `at`. */
static ho_str space_before(const ho_edit *edit, uint32_t at)
{
  uint32_t from = at;
  while (from > 0 && strchr(" \t\r\n", edit->text.p[from - 1]))
    from--;
  return ho_str_sub(edit->text, from, at);
}

/* The child that comes last inside its parent, by position. */
static const ho_node *last_inside(const ho_node *parent)
{
  const ho_node *last = NULL;
  HO_EACH_CONST (child, parent) {
    bool inside = child->begin != HO_NOWHERE && child->begin > parent->begin && child->end < parent->end;
    if (inside && (!last || child->end > last->end))
      last = child;
  }
  return last;
}

/* Puts `value` (with `key` in front, unless NULL) after the last child of `parent`. */
static void add(ho_edit *edit, const ho_node *parent, const char *key, const ho_node *value)
{
  ho_buf out;
  const ho_node *last = last_inside(as_written(edit, parent));
  if (!last) {
    fail(edit, key ? key : "a list");
    return;
  }
  uint32_t start = !key ? last->begin : last->key_begin == HO_NOWHERE ? last->begin : last->key_begin;
  ho_buf_init(&out, 0);
  ho_buf_putc(&out, ',');
  ho_buf_put(&out, space_before(edit, start));
  if (key) {
    ho_json_write_text(&out, ho_str_of(key));
    ho_buf_puts(&out, ": ");
  }
  put_value(&out, value);
  replace(edit, last->end, last->end, ho_buf_move(&out, edit->arena));
}

void ho_edit_set(ho_edit *edit, const ho_node *map, const char *key, const ho_node *value)
{
  ho_buf out;
  if (!stands_as(edit, map, '{')) {
    fail(edit, key);
    return;
  }
  const ho_node *old = member(edit, map, key);
  if (!old) {
    add(edit, map, key, value);
    return;
  }
  ho_buf_init(&out, 0);
  put_value(&out, value);
  replace(edit, old->begin, old->end, ho_buf_move(&out, edit->arena));
}

/* A list of one item, on separate lines if the document uses lines. */
static ho_str first_item(ho_edit *edit, uint32_t at, const ho_node *item)
{
  ho_buf out;
  uint32_t line = at, end;
  bool lines = ho_str_find_char(edit->text, '\n') != HO_NONE;
  while (line > 0 && edit->text.p[line - 1] != '\n')
    line--;
  for (end = line; end < at && strchr(" \t", edit->text.p[end]);)
    end++;
  ho_str indent = ho_str_sub(edit->text, line, end);
  ho_buf_init(&out, 0);
  ho_buf_putc(&out, '[');
  if (lines)
    ho_buf_printf(&out, "\n%.*s  ", HO_ARG(indent));
  put_value(&out, item);
  if (lines)
    ho_buf_printf(&out, "\n%.*s", HO_ARG(indent));
  ho_buf_putc(&out, ']');
  return ho_buf_move(&out, edit->arena);
}

void ho_edit_append(ho_edit *edit, const ho_node *map, const char *key, const ho_node *item)
{
  const ho_node *list = member(edit, map, key);
  if (!list) {
    ho_node *made = ho_node_new(edit->arena, HO_KIND_LIST);
    ho_list_add(made, ho_node_copy(edit->arena, item));
    ho_edit_set(edit, map, key, made);
  } else if (list->kind == HO_KIND_NULL || (stands_as(edit, list, '[') && !last_inside(as_written(edit, list)))) {
    replace(edit, list->begin, list->end, first_item(edit, list->begin, item));
  } else if (stands_as(edit, list, '[')) {
    add(edit, list, NULL, item);
  } else {
    fail(edit, key);
  }
}

ho_code ho_edit_finish(ho_edit *edit, ho_str *out, ho_error *err)
{
  ho_buf text;
  ho_node *root;
  ho_code code = ho_arena_code(edit->arena, err);
  if (code)
    return code;
  if (edit->failed) {
    *err = edit->error;
    return edit->failed;
  }
  ho_buf_init(&text, 0);
  ho_splice_write(&edit->splice, &text);
  *out = ho_buf_move(&text, edit->arena);
  code = ho_arena_code(edit->arena, err);
  return code ? code : read_text(edit->arena, *out, &root, err);
}
