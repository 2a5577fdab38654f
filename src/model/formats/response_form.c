/* A response to fill in, as short as an agent needs it: it stands in prompts, which are paid for with every turn. */
#include "model/formats/formats.h"
#include "model/formats/response_findings.h"

enum { DEEP = 2 }; /* from here on, a record shows what it requires, and one field more */

static ho_node *record_form(const ho_record *record, ho_arena *arena, int depth);

/* "…", or the choices. */
static ho_node *text_form(const ho_field *field, ho_arena *arena)
{
  ho_str text = HO_EMPTY;
  for (const ho_choice *choice = field->choices; choice && choice->value; choice++)
    text = ho_arena_printf(arena, "%.*s%s%s", HO_ARG(text), text.n ? "|" : "", choice->value);
  return text.n ? ho_node_text(arena, text) : ho_node_textz(arena, "…");
}

static ho_node *value_form(const ho_field *field, ho_type type, ho_arena *arena, int depth)
{
  if (type == HO_T_RECORD)
    return record_form(field->record, arena, depth + 1);
  if (type == HO_T_BOOL)
    return ho_node_bool(arena, true);
  if (type == HO_T_INT || type == HO_T_NUMBER)
    return ho_node_number(arena, 0);
  if (type != HO_T_LIST)
    return text_form(field, arena);
  ho_node *list = ho_node_new(arena, HO_KIND_LIST);
  ho_list_add(list, value_form(field, field->item, arena, depth));
  return list;
}

static ho_node *record_form(const ho_record *record, ho_arena *arena, int depth)
{
  ho_node *map = ho_node_new(arena, HO_KIND_MAP);
  int more = 1;
  for (const ho_field *field = record->fields; field->name; field++) {
    bool shown = field->type != HO_T_ANY && (depth < DEEP || (field->flags & HO_REQUIRED) || more-- > 0);
    if (shown)
      ho_map_addz(map, field->name, value_form(field, field->type, arena, depth));
  }
  return map;
}

ho_node *ho_response_findings_form(ho_arena *arena, ho_str task, ho_str phase)
{
  const char *fields = ho_response_findings_fields(phase);
  ho_node *root = ho_node_new(arena, HO_KIND_MAP), *findings = NULL;
  for (const ho_field *field = ho_format_response.root->fields; field->name; field++)
    if (field->record)
      findings = ho_map_addz(root, field->name, ho_node_new(arena, HO_KIND_MAP));
    else if (strcmp(field->name, "mode") != 0)
      ho_map_addz(root, field->name, value_form(field, field->type, arena, 0));
  ho_map_set(root, HO_STR("task_id"), ho_node_text(arena, task));
  ho_map_set(root, HO_STR("phase"), ho_node_text(arena, phase));
  for (const ho_field *field = ho_record_findings.fields; fields && field->name; field++)
    if (ho_str_list_has(fields, ho_str_of(field->name)))
      ho_map_addz(findings, field->name, value_form(field, field->type, arena, 0));
  return root;
}
