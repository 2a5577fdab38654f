#include "command/pick.h"

#include "doc/json/json.h"

static const ho_field *member_of(const ho_record *record, ho_str name)
{
  for (const ho_field *field = record->fields; field->name; field++)
    if (ho_str_is(name, field->name))
      return field;
  return NULL;
}

static ho_str descending(ho_str sort, bool *down)
{
  *down = ho_str_starts(sort, "-");
  return ho_str_sub(sort, *down, sort.n);
}

static ho_code unknown_member(const ho_table *table, const char *option, ho_str name, ho_arena *arena, ho_error *err)
{
  ho_str names = HO_EMPTY;
  for (const ho_field *field = table->record->fields; field->name; field++)
    names = ho_arena_printf(arena, "%.*s%s%s", HO_ARG(names), names.n ? ", " : "", field->name);
  return ho_fail(err, HO_USAGE, "--%s: there is no '%.*s'; use: %.*s", option, HO_ARG(name), HO_ARG(names));
}

/* One step of a path: ".name", ".\"name\"", "[]" or "[3]". */
typedef struct step {
  enum { STEP_KEY, STEP_EACH, STEP_INDEX, STEP_WRONG } kind;
  ho_str key;
  uint64_t index;
} step;

static step take_key(ho_str *rest)
{
  size_t end = 0;
  if (ho_str_starts(*rest, "\"")) {
    size_t close = ho_str_find_char(ho_str_sub(*rest, 1, rest->n), '"');
    if (close == HO_NONE)
      return (step){.kind = STEP_WRONG};
    step found = {.kind = STEP_KEY, .key = ho_str_sub(*rest, 1, close + 1)};
    *rest = ho_str_sub(*rest, close + 2, rest->n);
    return found;
  }
  while (end < rest->n && (isalnum((unsigned char)rest->p[end]) || rest->p[end] == '_'))
    end++;
  step found = {.kind = end ? STEP_KEY : STEP_WRONG, .key = ho_str_sub(*rest, 0, end)};
  *rest = ho_str_sub(*rest, end, rest->n);
  return found;
}

static step take_step(ho_str *rest)
{
  step found = {.kind = STEP_EACH};
  if (ho_str_starts(*rest, ".") && !ho_str_starts(*rest, ".[")) {
    *rest = ho_str_sub(*rest, 1, rest->n);
    return take_key(rest);
  }
  if (ho_str_starts(*rest, "."))
    *rest = ho_str_sub(*rest, 1, rest->n);
  size_t close = ho_str_starts(*rest, "[") ? ho_str_find_char(*rest, ']') : HO_NONE;
  if (close == HO_NONE)
    return (step){.kind = STEP_WRONG};
  ho_str inside = ho_str_sub(*rest, 1, close);
  *rest = ho_str_sub(*rest, close + 1, rest->n);
  if (inside.n)
    found.kind = ho_str_to_u64(inside, &found.index) ? STEP_INDEX : STEP_WRONG;
  return found;
}

static ho_code check_path(ho_str path, ho_error *err)
{
  ho_str rest = path;
  bool right = ho_str_starts(path, ".");
  if (ho_str_is(path, "."))
    return HO_OK;
  while (right && rest.n)
    right = take_step(&rest).kind != STEP_WRONG;
  if (right)
    return HO_OK;
  return ho_fail(err, HO_USAGE, "--jq '%.*s' is not a path; use one such as '.handoffs[].id', or pipe --json into jq",
                 HO_ARG(path));
}

ho_code ho_pick_check(const ho_command *command, const ho_call *call, ho_error *err)
{
  ho_str rest = call->shown.fields, name, path = call->shown.path;
  bool down;
  const ho_table *table = command->table;
  if (path.n && check_path(path, err))
    return err->code;
  if ((rest.n || call->shown.sort.n) && !table)
    return ho_fail(err, HO_USAGE, "handoff %s has no table; --fields and --sort are for commands that print one",
                   command->name);
  while (call->shown.fields.n && ho_str_next(&rest, ',', &name))
    if (!member_of(table->record, ho_str_trim(name)))
      return unknown_member(table, "fields", ho_str_trim(name), call->arena, err);
  name = descending(call->shown.sort, &down);
  if (call->shown.sort.n && !member_of(table->record, name))
    return unknown_member(table, "sort", name, call->arena, err);
  return HO_OK;
}

typedef struct sorted {
  ho_node *row;
  const ho_node *by;
  size_t place;
  bool down;
} sorted;

static int compare(const void *left, const void *right)
{
  const sorted *a = left, *b = right;
  long long x = 0, y = 0;
  bool numbers = ho_node_to_int(a->by, &x) && ho_node_to_int(b->by, &y);
  int order = numbers ? (x > y) - (x < y) : ho_str_cmp(ho_node_str(a->by), ho_node_str(b->by));
  if (!order)
    return (a->place > b->place) - (a->place < b->place);
  return a->down ? -order : order;
}

void ho_pick_sort(const ho_command *command, ho_call *call)
{
  bool down;
  ho_str name = descending(call->shown.sort, &down);
  ho_node *rows = name.n ? ho_map_getz(call->result, command->table->list) : NULL;
  size_t count = rows ? rows->count : 0, at = 0;
  sorted *order = count > 1 ? ho_arena_array(call->arena, count, sizeof *order) : NULL;
  if (!order)
    return;
  HO_EACH (row, rows) {
    order[at] = (sorted){.row = row, .by = ho_map_get(row, name), .place = at, .down = down};
    at++;
  }
  qsort(order, count, sizeof *order, compare);
  rows->first = rows->last = NULL;
  rows->count = 0;
  for (at = 0; at < count; at++) {
    order[at].row->next = NULL;
    ho_list_add(rows, order[at].row);
  }
}

static ho_node *chosen_members(const ho_call *call, const ho_node *row)
{
  ho_node *map = ho_node_new(call->arena, HO_KIND_MAP);
  ho_str rest = call->shown.fields, name;
  while (ho_str_next(&rest, ',', &name)) {
    ho_node *value = ho_node_copy(call->arena, ho_map_get(row, ho_str_trim(name)));
    ho_map_add(map, ho_str_trim(name), value ? value : ho_node_new(call->arena, HO_KIND_NULL));
  }
  return map;
}

ho_node *ho_pick_json(const ho_command *command, const ho_call *call)
{
  for (const ho_field *field = command->result->fields; field->name; field++)
    if (field->type == HO_T_LIST && !ho_map_getz(call->result, field->name))
      ho_map_addz(call->result, field->name, ho_node_new(call->arena, HO_KIND_LIST));
  if (!call->shown.fields.n)
    return call->result;
  ho_node *rows = ho_node_new(call->arena, HO_KIND_LIST);
  HO_EACH_CONST (row, ho_map_getz(call->result, command->table->list))
    ho_list_add(rows, chosen_members(call, row));
  ho_map_set(call->result, ho_str_of(command->table->list), rows);
  return call->result;
}

static void put_found(ho_buf *out, const ho_node *node)
{
  if (ho_node_is(node, HO_KIND_TEXT))
    ho_buf_put(out, node->text);
  else if (node)
    ho_json_write(out, node, 0);
  else
    ho_buf_puts(out, "null");
  ho_buf_putc(out, '\n');
}

/* A path has few steps, each of which leads one level down: recursion is bounded by its length and the tree's depth. */
static void follow(ho_buf *out, const ho_node *node, ho_str rest)
{
  if (!rest.n || ho_str_is(rest, ".")) {
    put_found(out, node);
    return;
  }
  step next = take_step(&rest);
  if (next.kind == STEP_EACH)
    HO_EACH_CONST (child, node)
      follow(out, child, rest);
  else
    follow(out, next.kind == STEP_KEY ? ho_map_get(node, next.key) : ho_list_at(node, (size_t)next.index), rest);
}

void ho_pick_path(ho_buf *out, const ho_node *result, ho_str path)
{
  follow(out, result, path);
}
