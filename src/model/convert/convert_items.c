/* Values and list items in terms of another field. */
#include "base/buf.h"
#include "model/convert/convert_move.h"

static ho_node *same_as(const ho_node *value, ho_arena *arena)
{
  ho_node *copy = ho_node_copy(arena, value);
  if (copy)
    copy->key = HO_EMPTY;
  return copy;
}

static bool is_text(const ho_node *value)
{
  return value->kind == HO_KIND_TEXT || value->kind == HO_KIND_NUMBER;
}

/* Free text never becomes one of a few choices, nor the other way round. */
static ho_node *choose(const ho_field *from, const ho_field *to, const ho_node *value, ho_arena *arena)
{
  if (!from || !from->choices || value->kind != HO_KIND_TEXT)
    return NULL;
  const char *meaning = ho_choice_meaning(to, value->text);
  if (meaning)
    return ho_node_textz(arena, meaning);
  bool open = to->flags & HO_OPEN && from->flags & HO_OPEN && strcmp(from->name, to->name) == 0;
  return open ? same_as(value, arena) : NULL;
}

static bool same_list(const ho_field *from, const ho_field *to)
{
  return from && from->type == HO_T_LIST && from->item == to->item && from->record == to->record &&
         from->syntax == to->syntax && from->choices == to->choices;
}

ho_node *ho_move_scalar(const ho_field *from, const ho_field *to, ho_type type, const ho_node *value, ho_arena *arena)
{
  ho_node *node = NULL;
  switch (type) {
  case HO_T_TEXT:
  case HO_T_ID:
    if (to->choices)
      return choose(from, to, value, arena);
    if (!is_text(value) || (from && from->choices))
      return NULL;
    if (to->syntax && !to->syntax->matches(value->text) &&
        !(to->syntax->understood && to->syntax->understood(value->text)))
      return NULL;
    node = ho_node_text(arena, ho_arena_copy(arena, value->text));
    return node;
  case HO_T_INT:
  case HO_T_NUMBER:
    return value->kind == HO_KIND_NUMBER && from && from->type == type ? same_as(value, arena) : NULL;
  case HO_T_BOOL:
    return value->kind == HO_KIND_BOOL ? same_as(value, arena) : NULL;
  case HO_T_LIST:
    return value->kind == HO_KIND_LIST && same_list(from, to) ? same_as(value, arena) : NULL;
  case HO_T_RECORD:
    return from && from->type == type && from->record == to->record ? same_as(value, arena) : NULL;
  case HO_T_ANY:
    return from && from->type == type && strcmp(from->name, to->name) == 0 ? same_as(value, arena) : NULL;
  }
  return node;
}

/* Is this field part of the text that represents the record? */
static bool speaks(const ho_field *field, const ho_field *main_field)
{
  return field != main_field && field->type == HO_T_TEXT && !field->choices && !field->syntax &&
         !(field->flags & HO_GENERATED) && strcmp(field->name, "id") != 0;
}

ho_str ho_move_item_text(const ho_record *record, const ho_node *item, ho_arena *arena)
{
  if (item->kind != HO_KIND_MAP)
    return ho_node_str(item);
  const ho_field *main_field = ho_slots_main(record);
  ho_str text = ho_slots_main_text(record, item);
  if (ho_str_blank(text) || strcmp(ho_kin_of(main_field->name), "path") == 0)
    return text;
  const char *joint = ": ";
  for (const ho_field *field = record->fields; field->name; field++) {
    const ho_node *value = speaks(field, main_field) ? ho_map_getz(item, field->name) : NULL;
    if (!ho_node_is(value, HO_KIND_TEXT) || ho_node_empty(value))
      continue;
    text = ho_arena_printf(arena, "%.*s%s%.*s", HO_ARG(text), joint, HO_ARG(value->text));
    joint = "; ";
  }
  return text;
}
