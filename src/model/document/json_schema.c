#include "model/document/json_schema.h"

static void put(ho_node *map, ho_arena *arena, const char *key, const char *text)
{
  if (text)
    ho_map_addz(map, key, ho_node_textz(arena, text));
}

static void put_number(ho_node *map, ho_arena *arena, const char *key, long long value)
{
  ho_map_addz(map, key, ho_node_number(arena, value));
}

static ho_node *child_map(ho_node *map, ho_arena *arena, const char *key)
{
  ho_node *child = ho_map_getz(map, key);
  return child ? child : ho_map_addz(map, key, ho_node_new(arena, HO_KIND_MAP));
}

static ho_node *child_list(ho_node *map, ho_arena *arena, const char *key)
{
  ho_node *child = ho_map_getz(map, key);
  return child ? child : ho_map_addz(map, key, ho_node_new(arena, HO_KIND_LIST));
}

static const char *json_type(ho_type type)
{
  static const char *const names[] = {
      [HO_T_TEXT] = "string",  [HO_T_ID] = NULL,         [HO_T_INT] = "integer", [HO_T_NUMBER] = "number",
      [HO_T_BOOL] = "boolean", [HO_T_RECORD] = "object", [HO_T_LIST] = "array",  [HO_T_ANY] = NULL};
  return names[type];
}

static void put_type(ho_node *schema, ho_arena *arena, ho_type type, bool nullable)
{
  if (type == HO_T_ANY)
    return;
  if (type != HO_T_ID && !nullable) {
    put(schema, arena, "type", json_type(type));
    return;
  }
  ho_node *types = child_list(schema, arena, "type");
  if (type == HO_T_ID)
    ho_list_add(types, ho_node_textz(arena, "integer"));
  ho_list_add(types, ho_node_textz(arena, type == HO_T_ID ? "string" : json_type(type)));
  if (nullable)
    ho_list_add(types, ho_node_textz(arena, "null"));
}

static bool may_be_empty(const ho_field *field)
{
  return !(field->flags & HO_REQUIRED) || (field->flags & HO_MAY_BE_EMPTY);
}

/* Closed choices become an enum; open ones are only examples. */
static void put_choices(ho_node *schema, ho_arena *arena, const ho_field *field, bool nullable)
{
  ho_node *list = child_list(schema, arena, field->flags & HO_OPEN ? "examples" : "enum");
  for (const ho_choice *choice = field->choices; choice->value; choice++)
    ho_list_add(list, ho_node_textz(arena, choice->value));
  if (field->flags & HO_OPEN)
    return;
  if (may_be_empty(field))
    ho_list_add(list, ho_node_textz(arena, ""));
  if (nullable)
    ho_list_add(list, ho_node_new(arena, HO_KIND_NULL));
}

static void put_not_null(ho_node *schema, ho_arena *arena)
{
  ho_map_addz(child_map(schema, arena, "not"), "const", ho_node_new(arena, HO_KIND_NULL));
}

/* What "not empty" means for a value of this type. */
static void put_not_empty(ho_node *schema, ho_arena *arena, ho_type type, bool has_pattern)
{
  if (type == HO_T_LIST || type == HO_T_ANY)
    put_number(schema, arena, "minItems", 1);
  if (type == HO_T_RECORD || type == HO_T_ANY)
    put_number(schema, arena, "minProperties", 1);
  if (type == HO_T_ANY)
    put_not_null(schema, arena);
  if (type == HO_T_TEXT || type == HO_T_ID || type == HO_T_ANY) {
    ho_node *also = schema;
    if (has_pattern)
      also = ho_list_add(child_list(schema, arena, "allOf"), ho_node_new(arena, HO_KIND_MAP));
    put(also, arena, "pattern", "\\S");
  }
}

static void put_scalar(ho_node *schema, ho_arena *arena, const ho_field *field, bool nullable)
{
  if (field->choices)
    put_choices(schema, arena, field, nullable);
  if (field->syntax) {
    ho_str pattern = may_be_empty(field) ? ho_arena_printf(arena, "^$|%s", field->syntax->pattern)
                                         : ho_str_of(field->syntax->pattern);
    ho_map_addz(schema, "pattern", ho_node_text(arena, pattern));
  }
}

static ho_node *item_schema(const ho_field *field, ho_arena *arena)
{
  if (field->item == HO_T_RECORD)
    return ho_json_schema_record(field->record, arena);
  ho_node *schema = ho_node_new(arena, HO_KIND_MAP);
  put_type(schema, arena, field->item, false);
  put_scalar(schema, arena, field, false);
  return schema;
}

static ho_node *field_schema(const ho_field *field, ho_arena *arena)
{
  bool nullable = field->flags & HO_NULLABLE;
  ho_node *schema =
      field->type == HO_T_RECORD ? ho_json_schema_record(field->record, arena) : ho_node_new(arena, HO_KIND_MAP);
  if (field->type != HO_T_RECORD || nullable) {
    ho_node *old = ho_map_getz(schema, "type");
    ho_node_remove(schema, old);
    put_type(schema, arena, field->type, nullable);
  }
  put(schema, arena, "description", field->doc);
  if (field->type == HO_T_LIST) {
    ho_map_addz(schema, "items", item_schema(field, arena));
    if (field->max)
      put_number(schema, arena, "maxItems", field->max);
  } else if (field->type == HO_T_INT) {
    if (field->min)
      put_number(schema, arena, "minimum", field->min);
    if (field->max)
      put_number(schema, arena, "maximum", field->max);
  } else if (field->type != HO_T_RECORD) {
    put_scalar(schema, arena, field, nullable);
  }
  if ((field->flags & HO_REQUIRED) && !(field->flags & HO_MAY_BE_EMPTY))
    put_not_empty(schema, arena, field->type, field->syntax != NULL);
  return schema;
}

ho_node *ho_json_schema_record(const ho_record *record, ho_arena *arena)
{
  ho_node *schema = ho_node_new(arena, HO_KIND_MAP), *required = ho_node_new(arena, HO_KIND_LIST);
  put(schema, arena, "type", "object");
  ho_node *properties = child_map(schema, arena, "properties");
  for (const ho_field *field = record->fields; field->name; field++) {
    ho_map_addz(properties, field->name, field_schema(field, arena));
    if (field->flags & HO_REQUIRED)
      ho_list_add(required, ho_node_textz(arena, field->name));
  }
  if (required && required->count)
    ho_map_addz(schema, "required", required);
  return schema;
}

/* The schema node for a dotted path below `schema`; the path is marked required along the way. *dotted becomes its
 * last name. */
static ho_node *descend(ho_node *schema, ho_arena *arena, ho_str *dotted, bool require)
{
  for (size_t dot; (dot = ho_str_find_char(*dotted, '.')) != HO_NONE;
       *dotted = ho_str_sub(*dotted, dot + 1, dotted->n)) {
    ho_str name = ho_str_sub(*dotted, 0, dot);
    if (require)
      ho_list_add(child_list(schema, arena, "required"), ho_node_text(arena, name));
    ho_node *properties = child_map(schema, arena, "properties"), *next = ho_map_get(properties, name);
    schema = next ? next : ho_map_add(properties, name, ho_node_new(arena, HO_KIND_MAP));
  }
  return schema;
}

/* The field that a dotted path names, starting from `record`. */
static const ho_field *field_at(const ho_record *record, ho_str dotted)
{
  const ho_field *field = NULL;
  ho_str name;
  bool alias;
  while (record && ho_str_next(&dotted, '.', &name)) {
    field = ho_record_field(record, name, &alias);
    record = field ? field->record : NULL;
  }
  return field;
}

static void require_all(ho_node *schema, const ho_rule *rule, const ho_record *record, ho_arena *arena)
{
  ho_str rest = ho_str_of(rule->require), path;
  while (ho_str_next(&rest, '|', &path)) {
    const ho_field *field = field_at(record, path);
    ho_node *parent = descend(schema, arena, &path, true);
    ho_list_add(child_list(parent, arena, "required"), ho_node_text(arena, path));
    ho_node *properties = child_map(parent, arena, "properties"), *value = ho_map_get(properties, path);
    if (!value)
      value = ho_map_add(properties, path, ho_node_new(arena, HO_KIND_MAP));
    if (!field || field->type != HO_T_ANY)
      put_not_null(value, arena);
    if (field)
      put_not_empty(value, arena, field->type, false);
  }
}

static ho_node *condition(const ho_rule *rule, ho_arena *arena)
{
  ho_node *schema = ho_node_new(arena, HO_KIND_MAP);
  ho_str path = ho_str_of(rule->when), rest = ho_str_of(rule->in), word;
  ho_node *parent = descend(schema, arena, &path, true);
  ho_list_add(child_list(parent, arena, "required"), ho_node_text(arena, path));
  ho_node *value = ho_map_add(child_map(parent, arena, "properties"), path, ho_node_new(arena, HO_KIND_MAP));
  while (ho_str_next(&rest, '|', &word)) {
    ho_node *list = child_list(value, arena, "enum");
    ho_list_add(list, ho_node_text(arena, word));
    if (ho_str_is(word, "true") || ho_str_is(word, "false"))
      ho_list_add(list, ho_node_bool(arena, ho_str_is(word, "true")));
  }
  return schema;
}

static ho_node *consequence(const ho_format *format, const ho_rule *rule, ho_arena *arena)
{
  ho_node *schema = ho_node_new(arena, HO_KIND_MAP);
  if (!rule->each) {
    require_all(schema, rule, format->root, arena);
    return schema;
  }
  ho_str path = ho_str_of(rule->each);
  const ho_field *list = field_at(format->root, path);
  ho_node *parent = descend(schema, arena, &path, false);
  ho_node *value = ho_map_add(child_map(parent, arena, "properties"), path, ho_node_new(arena, HO_KIND_MAP));
  require_all(child_map(value, arena, "items"), rule, list ? list->record : NULL, arena);
  return schema;
}

/* Every data rule as if/then. */
static void put_rules(ho_node *schema, const ho_format *format, ho_arena *arena)
{
  for (const ho_rule *rule = format->rules; rule && rule->info.id; rule++) {
    if (rule->check)
      continue;
    ho_node *clause = ho_list_add(child_list(schema, arena, "allOf"), ho_node_new(arena, HO_KIND_MAP));
    put(clause, arena, "$comment", rule->info.doc);
    ho_node *then = consequence(format, rule, arena);
    if (rule->when) {
      ho_map_addz(clause, "if", condition(rule, arena));
      ho_map_addz(clause, "then", then);
    } else {
      HO_EACH_CONST (child, then)
        ho_map_add(clause, child->key, ho_node_copy(arena, child));
    }
  }
}

ho_node *ho_json_schema(const ho_format *format, ho_arena *arena)
{
  ho_node *inside = ho_json_schema_record(format->root, arena), *schema = ho_node_new(arena, HO_KIND_MAP);
  put_rules(inside, format, arena);
  put(schema, arena, "$schema", "https://json-schema.org/draft/2020-12/schema");
  ho_map_addz(schema, "$id", ho_node_text(arena, ho_arena_printf(arena, "urn:handoff:schema:%s", format->name)));
  put(schema, arena, "title", format->title);
  put(schema, arena, "description", format->doc);
  if (!format->wrapper) {
    HO_EACH_CONST (child, inside)
      ho_map_add(schema, child->key, ho_node_copy(arena, child));
    return schema;
  }
  put(schema, arena, "type", "object");
  ho_map_addz(child_map(schema, arena, "properties"), format->wrapper, inside);
  ho_list_add(child_list(schema, arena, "required"), ho_node_textz(arena, format->wrapper));
  return schema;
}
