#include "model/convert/convert_slots.h"

#include "model/check.h"

/* Names of fields that describe the same kind of thing. Everything else is free text. */
static const struct {
  const char *kin, *names;
} kins[] = {
    {"path", "path|file|files|spec_path|relevant_files|artifacts|handoff_path"},
    {"task", "task|task_id|task_number|id"},
    {"phase", "phase"},
    {"name", "name|title|task_name|phase_name|feature"},
    {"session", "session_id"},
    {"time", "timestamp"},
    {"step", "current_step|completed_steps|remaining_steps"},
    {"objective", "current_objective"},
    {"location", "location"},
    {"from", "from"},
    {"to", "to"},
    {"delegation", "delegation_path"},
};

/* Words of different formats that mean the same. If the other format has the word itself, that wins; else the order
 * of the row decides. */
static const char *const meanings[] = {
    "completed|implemented|complete|done|COMPLETED|PROCEED|researched|RESEARCHED|planned|PLANNED|SUCCEEDED",
    "partial|PARTIAL|recovery|in_progress|IN PROGRESS|IMPLEMENTING|PARTIAL_PLUS|PARTIAL_MINUS",
    "failed|STOP|rejected|FAILED",
    "blocked|BLOCKED|gated",
    "not_started|NOT STARTED|pending|draft",
    "clarify|CLARIFY",
    "high|critical",
    "medium|warning",
    "low|info",
};

const char *ho_kin_of(const char *name)
{
  for (size_t i = 0; i < HO_COUNT(kins); i++)
    if (ho_str_list_has(kins[i].names, ho_str_of(name)))
      return kins[i].kin;
  return "text";
}

/* The choice with this spelling, or NULL. */
static const char *spelling(const ho_field *field, ho_str value)
{
  for (const ho_choice *choice = field->choices; choice && choice->value; choice++)
    if (ho_str_is(value, choice->value))
      return choice->value;
  return NULL;
}

const char *ho_choice_meaning(const ho_field *field, ho_str value)
{
  const char *found = spelling(field, value);
  for (size_t i = 0; i < HO_COUNT(meanings) && !found; i++) {
    ho_str rest = ho_str_of(meanings[i]), word;
    if (!ho_str_list_has(meanings[i], value))
      continue;
    while (!found && ho_str_next(&rest, '|', &word))
      found = spelling(field, word);
  }
  return found;
}

const ho_field *ho_slots_main(const ho_record *record)
{
  const ho_field *field = record && record->scalar ? ho_record_fieldz(record, record->scalar) : NULL;
  for (const ho_field *each = record ? record->fields : NULL; !field && each && each->name; each++)
    if (each->type == HO_T_TEXT && !each->choices && !(each->flags & HO_GENERATED))
      field = each;
  return field;
}

ho_str ho_slots_main_text(const ho_record *record, const ho_node *item)
{
  const ho_field *field = ho_slots_main(record);
  return field ? ho_map_str(item, field->name) : HO_EMPTY;
}

static void add(ho_slots *out, const ho_slot *slot)
{
  if (out->count < HO_SLOTS_MAX)
    out->items[out->count++] = *slot;
}

static void collect(const ho_record *record, const ho_slot *up, ho_slots *out);

/* A record is represented by its main text, unless its fields have roles of their own. If the main text is not a
 * separate field (the text of a section beside its labels), it comes after them. */
static void collect_record(const ho_slot *slot, ho_slots *out)
{
  static const ho_field loose = {.name = "x_text", .type = HO_T_TEXT};
  const ho_record *record = slot->field->record;
  const ho_field *main_field = record->scalar ? ho_record_fieldz(record, record->scalar) : NULL;
  size_t before = out->count;
  ho_slot inner = *slot;
  collect(record, slot, out);
  bool beside = record->scalar && !main_field && strcmp(record->scalar, loose.name) == 0;
  if (slot->role == HO_ROLE_NONE || slot->depth >= HO_SLOT_DEPTH || !(beside || (main_field && out->count == before)))
    return;
  inner.field = beside ? &loose : main_field;
  inner.path[inner.depth++] = inner.field->name;
  inner.kin = ho_kin_of(slot->name);
  add(out, &inner);
}

static void collect(const ho_record *record, const ho_slot *up, ho_slots *out)
{
  for (const ho_field *field = record->fields; field->name && up->depth < HO_SLOT_DEPTH; field++) {
    ho_slot slot = *up;
    slot.path[slot.depth++] = field->name;
    slot.name = field->name;
    slot.field = field;
    slot.role = field->role;
    const ho_field *main_field = field->item == HO_T_RECORD ? ho_slots_main(field->record) : NULL;
    slot.kin = ho_kin_of(main_field ? main_field->name : field->name);
    if (field->type == HO_T_RECORD)
      collect_record(&slot, out);
    else if (slot.role != HO_ROLE_NONE)
      add(out, &slot);
  }
}

void ho_slots_of(const ho_format *format, ho_slots *out)
{
  ho_slot top = {.depth = 0};
  out->count = 0;
  collect(format->root, &top, out);
}

ho_role ho_slot_role(const ho_format *format, const ho_slot *slot, const ho_node *tree)
{
  for (const ho_role_when *each = format->roles; each && each->name; each++)
    if (slot->depth == 1 && strcmp(each->name, slot->name) == 0 && ho_str_is(ho_map_str(tree, each->when), each->is))
      return each->role;
  return slot->role;
}

ho_node *ho_slot_get(const ho_slot *slot, const ho_node *tree)
{
  ho_node *node = NULL;
  for (unsigned i = 0; i < slot->depth; i++)
    node = ho_map_getz(i ? node : tree, slot->path[i]);
  return node;
}

void ho_slot_set(const ho_slot *slot, ho_node *tree, ho_node *value, ho_arena *arena)
{
  for (unsigned i = 0; i + 1 < slot->depth; i++) {
    ho_node *next = ho_map_getz(tree, slot->path[i]);
    tree = next ? next : ho_map_addz(tree, slot->path[i], ho_node_new(arena, HO_KIND_MAP));
  }
  if (tree && value)
    ho_map_set(tree, ho_str_of(slot->path[slot->depth - 1]), value);
}
