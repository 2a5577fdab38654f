/* What a tool is given: checked against its table, and if it is wrong, the call that would be right. */
#include "base/suggest.h"
#include "doc/json/json.h"
#include "surface/mcp/mcp_tool.h"

/* The field that was probably meant, or NULL. */
static const ho_field *near(const ho_record *record, ho_str key)
{
  const ho_field *best = NULL;
  unsigned least = ho_distance_far(key);
  for (const ho_field *field = record->fields; field->name; field++) {
    unsigned far = ho_distance(key, ho_str_of(field->name));
    if (far < least) {
      best = field;
      least = far;
    }
  }
  return best;
}

/* "action, objectives, objective". */
static ho_str names_of(ho_arena *arena, const ho_record *record)
{
  ho_buf out;
  ho_buf_init(&out, 0);
  for (const ho_field *field = record->fields; field->name; field++)
    ho_buf_printf(&out, "%s%s", out.n ? ", " : "", field->name);
  return ho_buf_move(&out, arena);
}

static bool is_scalar(const ho_node *node)
{
  return ho_node_is(node, HO_KIND_TEXT) || ho_node_is(node, HO_KIND_NUMBER) || ho_node_is(node, HO_KIND_BOOL);
}

/* A list of texts; a text alone is a list of one. */
static ho_node *list_of(ho_arena *arena, const ho_node *value)
{
  ho_node *list = ho_node_new(arena, HO_KIND_LIST);
  if (is_scalar(value))
    ho_list_add(list, ho_node_text(arena, value->text));
  else if (!ho_node_is(value, HO_KIND_LIST))
    return NULL;
  else
    HO_EACH_CONST (item, value) {
      if (!is_scalar(item))
        return NULL;
      ho_list_add(list, ho_node_text(arena, item->text));
    }
  return list;
}

static ho_node *number_of(ho_arena *arena, const ho_field *field, const ho_node *value)
{
  long long number;
  ho_node typed = {.kind = HO_KIND_NUMBER, .text = ho_str_trim(ho_node_str(value))};
  if (!is_scalar(value) || !ho_node_to_int(&typed, &number) || number < 0)
    return NULL;
  return ho_node_number(arena, field->max && number > (long long)field->max ? (long long)field->max : number);
}

static bool is_choice(const ho_field *field, ho_str text)
{
  for (const ho_choice *choice = field->choices; choice && choice->value; choice++)
    if (ho_str_is(text, choice->value))
      return true;
  return !field->choices;
}

static ho_str lower(ho_arena *arena, ho_str text)
{
  ho_buf out;
  ho_buf_init(&out, 0);
  for (size_t i = 0; i < text.n; i++)
    ho_buf_printf(&out, "%c", tolower((unsigned char)text.p[i]));
  return ho_buf_move(&out, arena);
}

/* The choice that was probably meant ("RETURN", "returned"), so that no call is advised that does something else; NULL if none
 * is near. */
static ho_node *near_choice(ho_arena *arena, const ho_field *field, const ho_node *value)
{
  const ho_choice *best = NULL;
  ho_str said = is_scalar(value) ? lower(arena, ho_str_trim(value->text)) : HO_EMPTY;
  unsigned least = ho_distance_far(said);
  for (const ho_choice *choice = field->choices; choice && choice->value && said.n; choice++) {
    unsigned far = ho_str_starts(said, choice->value) ? 0 : ho_distance(said, ho_str_of(choice->value));
    if (far < least) {
      best = choice;
      least = far;
    }
  }
  return best ? ho_node_textz(arena, best->value) : NULL;
}

/* The value as the field wants it; NULL if it cannot be meant. */
static ho_node *typed(ho_arena *arena, const ho_field *field, const ho_node *value)
{
  if (field->type == HO_T_LIST)
    return list_of(arena, value);
  if (field->type == HO_T_INT)
    return number_of(arena, field, value);
  return is_scalar(value) && is_choice(field, value->text) ? ho_node_text(arena, value->text) : NULL;
}

static const char *wanted(ho_arena *arena, const ho_field *field)
{
  ho_buf out;
  if (field->type == HO_T_LIST)
    return "a list of texts";
  if (field->type == HO_T_INT)
    return "a whole number";
  if (!field->choices)
    return "a text";
  ho_buf_init(&out, 0);
  ho_buf_puts(&out, "one of ");
  for (const ho_choice *choice = field->choices; choice->value; choice++)
    ho_buf_printf(&out, "%s%s", choice == field->choices ? "" : ", ", choice->value);
  return ho_arena_z(arena, ho_buf_move(&out, arena));
}

static ho_node *example_of(ho_arena *arena, const ho_mcp_tool *tool)
{
  ho_source source;
  ho_error none = {0};
  ho_node *map = NULL;
  if (ho_source_init(&source, arena, HO_STR("example"), ho_str_of(tool->example), &none) ||
      ho_json_read(&source, 0, arena, NULL, &map, &none))
    return NULL;
  return map;
}

/* What is wrong with the arguments, the first of it. */
typedef struct flaw {
  const char *at; /* NULL: nothing */
  ho_str message;
} flaw;

/* Adds one argument to `right`, under the name that is meant. */
static void take_one(ho_mcp_act *act, const ho_node *value, ho_node *right, flaw *wrong)
{
  const ho_record *fields = act->tool->fields;
  bool alias;
  const ho_field *field = ho_record_field(fields, value->key, &alias);
  const char *key = ho_arena_z(act->arena, value->key);
  flaw found = {0};
  if (ho_node_absent(value))
    return;
  if (!field) {
    field = near(fields, value->key);
    found = (flaw){key, ho_arena_printf(act->arena, "'%s' is not an argument of %s%s%s%s It takes %.*s", key,
                                        act->tool->name, field ? "; did you mean '" : "", field ? field->name : "",
                                        field ? "'?" : ".", HO_ARG(names_of(act->arena, fields)))};
  }
  ho_node *good = field ? typed(act->arena, field, value) : NULL;
  if (field && !good && !found.at) {
    found = (flaw){key, ho_arena_printf(act->arena, "%s is %s", key, wanted(act->arena, field))};
    good = near_choice(act->arena, field, value);
  }
  if (good && !ho_map_getz(right, field->name))
    ho_map_addz(right, field->name, good);
  if (found.at && !wrong->at)
    *wrong = found;
}

static void find_missing(ho_mcp_act *act, ho_node *right, flaw *wrong)
{
  const ho_node *example = NULL;
  for (const ho_field *field = act->tool->fields->fields; field->name; field++) {
    if (!(field->flags & HO_REQUIRED) || !ho_node_empty(ho_map_getz(right, field->name)))
      continue;
    if (!wrong->at)
      *wrong = (flaw){field->name, ho_arena_printf(act->arena, "%s is missing", field->name)};
    if (!example)
      example = example_of(act->arena, act->tool);
    ho_node *value = ho_node_copy(act->arena, ho_map_getz(example, field->name));
    if (value)
      ho_map_set(right, ho_str_of(field->name), value);
  }
}

bool ho_mcp_args_check(ho_mcp_act *act, const ho_node *given)
{
  ho_node *right = ho_node_new(act->arena, HO_KIND_MAP);
  flaw wrong = {0};
  HO_EACH_CONST (value, given)
    take_one(act, value, right, &wrong);
  find_missing(act, right, &wrong);
  act->args = right;
  if (wrong.at && !right->count) /* nothing of it can be meant: what the tool is for */
    right = example_of(act->arena, act->tool);
  if (wrong.at)
    ho_mcp_error_args(act, right, wrong.at, "%.*s", HO_ARG(wrong.message));
  return !wrong.at;
}
