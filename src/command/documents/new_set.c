#include "command/documents/new.h"
#include "doc/json/json.h"

/* Where an assignment has got to. */
typedef struct cursor {
  ho_arena *arena;
  ho_node *node;           /* the list or map that the next token names something in */
  const ho_record *record; /* of a map; NULL if the table does not say */
  const ho_field *field;   /* of a list, for its items */
} cursor;

static bool is_index(ho_str token, uint64_t *index)
{
  return ho_str_to_u64(token, index);
}

/* Nodes that were made have no place in the source of the document. */
static void forget_places(ho_node *node)
{
  node->begin = node->end = node->key_begin = node->key_end = HO_NOWHERE;
  HO_EACH (child, node)
    forget_places(child);
}

static ho_node *read_json(ho_arena *arena, ho_str text, ho_error *err)
{
  ho_source source = {0};
  ho_report report;
  ho_node *node = NULL;
  ho_report_init(&report, arena, &source);
  if (ho_source_init(&source, arena, HO_STR("--set"), text, err) ||
      ho_json_read(&source, 0, arena, &report, &node, err))
    return NULL;
  forget_places(node);
  return node;
}

static bool looks_like_json(ho_str text)
{
  ho_str start = ho_str_trim(text);
  return start.n && (start.p[0] == '[' || start.p[0] == '{');
}

static bool is_number(ho_str text)
{
  size_t digits = 0;
  for (size_t i = ho_str_starts(text, "-"); i < text.n; i++) {
    if (!isdigit((unsigned char)text.p[i]) && text.p[i] != '.')
      return false;
    digits += text.p[i] != '.';
  }
  return digits > 0 && digits < 19 && ho_str_find(text, "..") == HO_NONE && isdigit((unsigned char)text.p[text.n - 1]);
}

/* NULL with *err filled if JSON is meant but cannot be read. */
static ho_node *make_value(ho_arena *arena, const ho_field *field, ho_type type, ho_str text, ho_error *err)
{
  ho_node *node = ho_node_text(arena, text);
  if ((type == HO_T_INT || type == HO_T_NUMBER) && node && is_number(text))
    node->kind = HO_KIND_NUMBER;
  if (type == HO_T_BOOL && node && (ho_str_is(text, "true") || ho_str_is(text, "false")))
    node->kind = HO_KIND_BOOL;
  if (type != HO_T_LIST && type != HO_T_RECORD && type != HO_T_ANY)
    return node;
  if (looks_like_json(text))
    return read_json(arena, text, err);
  if (type != HO_T_LIST)
    return node;
  ho_node *list = ho_node_new(arena, HO_KIND_LIST);
  ho_list_add(list, make_value(arena, field, field->item, text, err));
  return list;
}

/* A list or map for what comes next: as the table says, else by the next token. */
static ho_node *make_container(ho_arena *arena, ho_type type, ho_str next)
{
  uint64_t index;
  bool list = type == HO_T_LIST || (type != HO_T_RECORD && (ho_str_is(next, "-") || is_index(next, &index)));
  return ho_node_new(arena, list ? HO_KIND_LIST : HO_KIND_MAP);
}

/* What the token names in the list or map, as a slot to fill; a new one is null. */
static ho_node *slot(cursor *at, ho_str token, ho_type *type)
{
  uint64_t index;
  bool alias;
  if (at->node->kind == HO_KIND_LIST) {
    *type = at->field ? at->field->item : HO_T_ANY;
    if (ho_str_is(token, "-") || (is_index(token, &index) && index == at->node->count))
      return ho_list_add(at->node, ho_node_new(at->arena, HO_KIND_NULL));
    return is_index(token, &index) ? ho_list_at(at->node, index) : NULL;
  }
  const ho_field *field = at->record ? ho_record_field(at->record, token, &alias) : NULL;
  *type = field ? field->type : HO_T_ANY;
  at->field = field;
  ho_str key = field ? ho_str_of(field->name) : token;
  ho_node *child = ho_map_get(at->node, key);
  return child ? child : ho_map_add(at->node, key, ho_node_new(at->arena, HO_KIND_NULL));
}

static ho_code step(cursor *at, ho_str token, ho_str rest, bool last, ho_str value, ho_error *err)
{
  ho_type type;
  if (at->node->kind != HO_KIND_LIST && at->node->kind != HO_KIND_MAP)
    return ho_fail(err, HO_USAGE, "'%.*s' is inside a %s, which has no parts", HO_ARG(token),
                   ho_kind_name((ho_kind)at->node->kind));
  ho_node *child = slot(at, ho_pointer_key(at->arena, token), &type);
  if (!child)
    return at->arena->failed ? ho_arena_code(at->arena, err)
                             : ho_fail(err, HO_USAGE, "the list has no item '%.*s'; use '-' to append", HO_ARG(token));
  ho_str next;
  ho_node *made = NULL;
  if (last)
    made = make_value(at->arena, at->field, type, value, err);
  else if (ho_node_absent(child))
    made = make_container(at->arena, type, ho_str_next(&rest, '/', &next) ? next : HO_EMPTY);
  if (last && !made)
    return err->code ? err->code : ho_arena_code(at->arena, err);
  if (made)
    ho_node_replace(child, made);
  at->record = at->field ? at->field->record : NULL;
  at->node = child;
  return ho_arena_code(at->arena, err);
}

/* Without the wrapper's key in front. */
static ho_str unwrapped(const ho_format *format, ho_str pointer)
{
  ho_str rest = pointer, token;
  if (!format->wrapper || !ho_str_next(&rest, '/', &token))
    return pointer;
  bool wraps = ho_str_is(token, format->wrapper) || ho_str_list_has(format->wrapper_aliases, token);
  return wraps && rest.n && !ho_record_fieldz(format->root, format->wrapper) ? rest : pointer;
}

ho_code ho_new_set(const ho_format *format, ho_node *root, ho_str assignment, ho_arena *arena, ho_error *err)
{
  size_t equals = ho_str_find_char(assignment, '=');
  ho_str pointer = ho_str_sub(assignment, 0, equals), token;
  ho_str value = equals == HO_NONE ? HO_EMPTY : ho_str_sub(assignment, equals + 1, assignment.n);
  ho_str shown = pointer;
  if (ho_str_starts(pointer, "/"))
    pointer = ho_str_sub(pointer, 1, pointer.n);
  if (equals == HO_NONE || pointer.n == 0)
    return ho_fail(err, HO_USAGE, "--set needs POINTER=VALUE, not '%.*s'", HO_ARG(assignment));
  cursor at = {.arena = arena, .node = root, .record = format->root};
  ho_str rest = unwrapped(format, pointer);
  ho_error inner = {0};
  ho_code code = HO_OK;
  while (!code && rest.n) {
    ho_str_next(&rest, '/', &token);
    code = step(&at, token, rest, rest.n == 0, value, &inner);
  }
  if (!code || code == HO_MEMORY)
    return code ? ho_fail_memory(err) : HO_OK;
  return ho_fail(err, HO_USAGE, "--set %.*s: %s", HO_ARG(shown), inner.message);
}
