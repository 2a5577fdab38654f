/* Moves values that do not fit their fields to where they break no rule. */
#include "base/limits.h"
#include "model/check.h"
#include "model/fix/fix_parts.h"

static bool is_container(const ho_node *node)
{
  return node->kind == HO_KIND_MAP || node->kind == HO_KIND_LIST;
}

/* Writes a map or a list as text: `key: value, key: value` and `item; item`. */
static void put_flat(ho_buf *out, const ho_node *node, int depth)
{
  if (!is_container(node) || depth <= 0) {
    ho_buf_put(out, node->kind == HO_KIND_NULL ? HO_STR("null") : node->text);
    return;
  }
  HO_EACH_CONST (child, node) {
    if (child != node->first)
      ho_buf_puts(out, node->kind == HO_KIND_MAP ? ", " : "; ");
    if (node->kind == HO_KIND_MAP)
      ho_buf_printf(out, "%.*s: ", HO_ARG(child->key));
    put_flat(out, child, depth - 1);
  }
}

/* Turns a node into a text: its key, if it is a member of a map that becomes a list, and its contents. */
static void make_text(ho_node *node, bool member, ho_arena *arena)
{
  ho_buf out;
  ho_buf_init(&out, 0);
  if (member)
    ho_buf_printf(&out, "%.*s: ", HO_ARG(node->key));
  put_flat(&out, node, HO_LIMIT_DEPTH);
  node->text = ho_arena_copy(arena, ho_buf_str(&out));
  node->kind = HO_KIND_TEXT;
  node->first = node->last = NULL;
  node->count = 0;
  if (out.failed && !arena->failed)
    arena->failed = out.failed;
  ho_buf_free(&out);
}

/* Turns a map or list into a text where a free text is wanted. */
static bool flatten(const ho_field *field, ho_type type, ho_node *node, ho_arena *arena)
{
  if (type != HO_T_TEXT || field->choices || field->syntax || !is_container(node) || !node->count)
    return false;
  make_text(node, false, arena);
  return true;
}

/* Turns a map into a list of texts, `key: value` each, where such a list is wanted. */
static bool list_members(const ho_field *field, ho_node *node, ho_arena *arena)
{
  if (field->type != HO_T_LIST || field->item != HO_T_TEXT || field->choices || field->syntax ||
      node->kind != HO_KIND_MAP || !node->count)
    return false;
  HO_EACH (child, node) {
    make_text(child, true, arena);
    child->key = HO_EMPTY;
    child->key_begin = child->key_end = HO_NOWHERE;
  }
  node->kind = HO_KIND_LIST;
  return true;
}

/* x_NAME, or x_NAME_2 and so on if that is taken. */
static ho_str free_key(const ho_node *map, ho_str name, ho_arena *arena)
{
  ho_str key = ho_arena_printf(arena, "x_%.*s", HO_ARG(name));
  for (unsigned i = 2; ho_map_get(map, key) && !arena->failed; i++)
    key = ho_arena_printf(arena, "x_%.*s_%u", HO_ARG(name), i);
  return key;
}

typedef struct extras {
  const ho_record *record;
  const ho_node *member;
  ho_node later; /* those that came after the member in the source */
} extras;

static bool stays_before(void *world, ho_node *child)
{
  extras *e = world;
  bool alias;
  if (child == e->member)
    return false;
  if (child->key_begin == HO_NOWHERE || child->key_begin < e->member->key_begin ||
      ho_record_field(e->record, child->key, &alias))
    return true;
  ho_list_add(&e->later, child);
  return false;
}

/* Moves a member to those that the record does not know, which are in source order. */
static void put_among_extras(const ho_record *record, ho_node *map, ho_node *node)
{
  extras e = {.record = record, .member = node, .later = {.kind = HO_KIND_LIST}};
  ho_node *next;
  ho_node_filter(map, stays_before, &e);
  ho_list_add(map, node);
  for (ho_node *child = e.later.first; child; child = next) {
    next = child->next;
    child->next = NULL;
    ho_list_add(map, child);
  }
}

ho_node *ho_fix_further(ho_node *map, const ho_field *field, ho_arena *arena)
{
  ho_str key = ho_arena_printf(arena, "x_%s_further", field->name);
  ho_node *further = ho_map_get(map, key);
  return ho_node_is(further, HO_KIND_LIST) ? further : ho_map_add(map, key, ho_node_new(arena, HO_KIND_LIST));
}

/* Does a list item fit, including, for a record, its main text? */
static bool item_fits(const ho_field *field, const ho_node *item)
{
  if (!ho_value_fits(field, field->item, item))
    return false;
  if (field->item != HO_T_RECORD || item->kind != HO_KIND_MAP || !field->record->scalar)
    return true;
  const ho_field *about = ho_record_fieldz(field->record, field->record->scalar);
  const ho_node *value = ho_map_getz(item, field->record->scalar);
  return !value || !about || ho_value_fits(about, about->type, value);
}

typedef struct fitting {
  const ho_field *field;
  ho_node *map;
  ho_arena *arena;
} fitting;

/* Items that are removed go to the list beside. */
static bool item_stays(void *world, ho_node *item)
{
  const fitting *f = world;
  if (item_fits(f->field, item) || flatten(f->field, f->field->item, item, f->arena))
    return true;
  ho_list_add(ho_fix_further(f->map, f->field, f->arena), item);
  return false;
}

void ho_fix_aside(const ho_record *record, const ho_field *field, ho_node *map, bool item, ho_arena *arena)
{
  ho_node *node = ho_map_getz(map, field->name);
  if (!node)
    return;
  if (field->type == HO_T_LIST && node->kind == HO_KIND_LIST) {
    ho_node_filter(node, item_stays, &(fitting){field, map, arena});
    return;
  }
  bool about = item && record->scalar && strcmp(record->scalar, field->name) == 0;
  if (ho_value_fits(field, field->type, node) || flatten(field, field->type, node, arena) ||
      list_members(field, node, arena) || about)
    return;
  node->key = free_key(map, ho_str_of(field->name), arena);
  put_among_extras(record, map, node);
}

static bool asks_aside(const ho_format *format, const ho_finding *finding)
{
  for (const ho_rule *rule = format->rules; rule && rule->info.id; rule++)
    if (&rule->info == finding->rule)
      return rule->aside && finding->severity == HO_ERROR;
  return false;
}

bool ho_fix_contradictions(const ho_doc *doc, ho_node *tree, ho_arena *arena)
{
  bool any = false;
  for (size_t i = 0; i < doc->report.count; i++) {
    ho_str pointer = doc->report.items[i].pointer;
    size_t cut = pointer.n;
    if (!asks_aside(doc->format, &doc->report.items[i]))
      continue;
    while (cut && pointer.p[cut - 1] != '/')
      cut--;
    ho_node *node = ho_node_at(tree, pointer), *map = cut ? ho_node_at(tree, ho_str_sub(pointer, 0, cut - 1)) : NULL;
    if (!ho_node_is(map, HO_KIND_MAP) || !node || node == map)
      continue;
    ho_node_remove(map, node);
    node->next = NULL;
    node->key = free_key(map, node->key, arena);
    ho_list_add(map, node);
    any = true;
  }
  return any;
}
