/* The shapes in which other tools write the same thing, and the parts of it that are not facts. */
#include "model/check.h"
#include "model/convert/convert.h"
#include "model/foreign/import_parts.h"
#include "model/notes/notes_parts.h"

static bool is_scalar(const ho_node *node)
{
  return node->kind == HO_KIND_TEXT || node->kind == HO_KIND_NUMBER || node->kind == HO_KIND_BOOL;
}

static ho_node *pair_text(ho_arena *arena, const ho_node *pair)
{
  return ho_node_text(arena, ho_arena_printf(arena, "%.*s: %.*s", HO_ARG(pair->key), HO_ARG(pair->text)));
}

/* Lists of texts also come as maps, and as lists of maps with one key: {a: b} is "a: b". An entry that says there is
 * nothing is not an item. */
static ho_node *flattened(const ho_node *value, ho_arena *arena)
{
  ho_node *list = ho_node_new(arena, HO_KIND_LIST);
  if (is_scalar(value) && !ho_note_none(value->text))
    ho_list_add(list, ho_node_text(arena, value->text));
  for (const ho_node *item = value->first; item && !is_scalar(value); item = item->next) {
    bool keyed = value->kind == HO_KIND_MAP && is_scalar(item);
    bool pair = value->kind == HO_KIND_LIST && item->kind == HO_KIND_MAP && item->count == 1 && is_scalar(item->first);
    ho_node *text = NULL;
    if (keyed || pair)
      text = pair_text(arena, keyed ? item : item->first);
    else if (is_scalar(item) && !ho_note_none(item->text))
      text = ho_node_text(arena, item->text);
    ho_list_add(list, text);
  }
  return list;
}

/* The main texts of records in place of texts: {description: …}, {item: …}, {title: …}. */
static ho_node *main_texts(const ho_node *value, ho_arena *arena)
{
  static const char *const keys[] = {"description", "text", "title", "issue", "item", "decision", "question", "name"};
  ho_node *list = ho_node_new(arena, HO_KIND_LIST);
  for (const ho_node *item = ho_node_is(value, HO_KIND_LIST) ? value->first : NULL; item; item = item->next)
    for (size_t i = 0; i < HO_COUNT(keys); i++) {
      const ho_node *text = ho_map_getz(item, keys[i]);
      if (!ho_node_is(text, HO_KIND_TEXT) || ho_note_none(text->text))
        continue;
      ho_list_add(list, ho_node_text(arena, text->text));
      break;
    }
  return list && list->count ? list : NULL;
}

/* Brings every list of texts in the table into that shape; paths lose their backticks. */
void ho_import_shape(const ho_format *format, ho_node *raw, ho_arena *arena)
{
  HO_EACH (child, raw) {
    bool alias;
    const ho_field *field = ho_record_field(format->root, child->key, &alias);
    if (!field || field->type != HO_T_LIST || field->item != HO_T_TEXT || ho_node_absent(child))
      continue;
    ho_node *list = flattened(child, arena), *longer = main_texts(child, arena);
    if (longer && !(list && list->count))
      list = longer;
    if (!list || (!list->count && !is_scalar(child)))
      continue;
    child->kind = HO_KIND_LIST;
    child->text = HO_EMPTY;
    child->first = list->first;
    child->last = list->last;
    child->count = list->count;
  }
}

/* Keeps only the children for which `stays` is true. */
static void filter(ho_node *node, const ho_record *record, bool (*stays)(const ho_node *child, const ho_record *record))
{
  ho_node *child = node->first, *next;
  node->first = node->last = NULL;
  node->count = 0;
  for (; child; child = next) {
    next = child->next;
    child->next = NULL;
    if (stays(child, record))
      ho_list_add(node, child);
  }
}

/* A template placeholder is not a fact: only the original keeps it. */
static bool is_fact(const ho_node *child, const ho_record *record)
{
  (void)record;
  bool hollow = (child->kind == HO_KIND_LIST || child->kind == HO_KIND_MAP) && !child->count;
  return !hollow && !(child->kind == HO_KIND_TEXT && ho_is_placeholder(child->text, NULL));
}

static void drop_placeholders(ho_node *node)
{
  HO_EACH (child, node)
    if ((child->kind == HO_KIND_LIST || child->kind == HO_KIND_MAP) && !ho_str_is(child->key, HO_KEPT))
      drop_placeholders(child);
  if (node)
    filter(node, NULL, is_fact);
}

/* An item without its main text says nothing that the format can hold. */
static bool is_whole(const ho_node *child, const ho_record *record)
{
  return !ho_node_empty(ho_map_getz(child, record->scalar));
}

static void drop_hollow(const ho_format *format, ho_node *task)
{
  HO_EACH (list, task) {
    bool alias;
    const ho_field *field = ho_record_field(format->root, list->key, &alias);
    if (field && field->type == HO_T_LIST && field->record && list->kind == HO_KIND_LIST)
      filter(list, field->record, is_whole);
  }
}

void ho_import_facts(const ho_format *task_format, ho_node *task)
{
  drop_placeholders(task);
  drop_hollow(task_format, task);
  drop_placeholders(task);
}
