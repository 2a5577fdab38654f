#include "model/bind.h"

#include "model/rules.h"

/* One binding under way. */
typedef struct binder {
  ho_arena *arena;
  ho_report *report;
} binder;

static ho_node *bind_record(binder *b, const ho_record *record, const ho_node *raw, const ho_path *path);
static ho_node *bind_typed(binder *b, const ho_field *field, ho_type type, const ho_node *raw, const ho_path *path);

/* The same value in a node of its own; what hangs below is shared. */
static ho_node *same(binder *b, const ho_node *raw)
{
  ho_node *node = HO_NEW(b->arena, ho_node);
  if (node) {
    *node = *raw;
    node->next = NULL;
  }
  return node;
}

static ho_node *scalar(binder *b, const ho_node *raw, ho_kind kind, ho_str text)
{
  ho_node *node = same(b, raw);
  if (node) {
    node->kind = (uint8_t)kind;
    node->text = text;
    node->plain = false;
    node->first = node->last = NULL;
    node->count = 0;
  }
  return node;
}

static ho_node *container(binder *b, const ho_node *raw, ho_kind kind)
{
  return scalar(b, raw, kind, HO_EMPTY);
}

static bool is_scalar(const ho_node *node)
{
  return node->kind == HO_KIND_BOOL || node->kind == HO_KIND_NUMBER || node->kind == HO_KIND_TEXT;
}

static uint32_t key_place(const ho_node *node)
{
  return node->key_begin != HO_NOWHERE ? node->key_begin : node->begin;
}

/* What stood in the source for this node, if it is one line. */
static ho_str written(binder *b, const ho_node *raw)
{
  const ho_source *source = b->report->source;
  if (!source || raw->begin == HO_NOWHERE || raw->end == HO_NOWHERE || raw->end > source->text.n)
    return HO_EMPTY;
  ho_str text = ho_str_trim(ho_str_sub(source->text, raw->begin, raw->end));
  return ho_str_find_char(text, '\n') == HO_NONE ? text : HO_EMPTY;
}

/* `[agent-id]`, `{name}` and `- PostgreSQL: localhost` are lists and maps to YAML, but were meant as text. */
static ho_node *text_of_flow(binder *b, const ho_node *raw, const ho_path *path)
{
  if (raw->count != 1 || !raw->first->plain)
    return NULL;
  bool pair = raw->kind == HO_KIND_MAP && is_scalar(raw->first);
  bool placeholder = raw->first->kind != HO_KIND_MAP && raw->first->kind != HO_KIND_LIST;
  ho_str text = written(b, raw);
  if (!text.n || (!pair && !placeholder))
    return NULL;
  if (text.p[0] != '[' && text.p[0] != '{')
    ho_report_add(b->report, &ho_rule_LOOSE_TYPE, raw->begin, path,
                  "a text that holds ': ' is read as a map; quote it");
  return scalar(b, raw, HO_KIND_TEXT, text);
}

/* A list of texts where one text is wanted: its items, a line each. */
static ho_node *text_of_list(binder *b, const ho_node *raw, const ho_path *path)
{
  size_t room = 1;
  if (raw->kind != HO_KIND_LIST || raw->count == 0)
    return NULL;
  HO_EACH_CONST (item, raw) {
    if (!is_scalar(item))
      return NULL;
    room += item->text.n + 1;
  }
  char *text = ho_arena_alloc(b->arena, room), *to = text;
  if (!text)
    return NULL;
  HO_EACH_CONST (item, raw) {
    if (item->text.n)
      memcpy(to, item->text.p, item->text.n);
    to += item->text.n;
    *to++ = '\n';
  }
  ho_report_add(b->report, &ho_rule_LOOSE_TYPE, raw->begin, path,
                "expected one text, found a list; its items are joined");
  return scalar(b, raw, HO_KIND_TEXT, (ho_str){text, (size_t)(to - text) - 1});
}

static ho_node *bind_text(binder *b, const ho_node *raw, const ho_path *path)
{
  if (raw->kind == HO_KIND_TEXT)
    return scalar(b, raw, HO_KIND_TEXT, raw->text);
  if (is_scalar(raw)) {
    if (!raw->plain)
      ho_report_add(b->report, &ho_rule_LOOSE_TYPE, raw->begin, path, "expected text, found %s",
                    ho_kind_name((ho_kind)raw->kind));
    return scalar(b, raw, HO_KIND_TEXT, raw->text);
  }
  ho_node *text = text_of_flow(b, raw, path);
  if (!text)
    text = text_of_list(b, raw, path);
  return text ? text : same(b, raw);
}

static bool is_integer(ho_str text)
{
  if (text.n && text.p[0] == '-')
    text = ho_str_sub(text, 1, text.n);
  if (text.n == 0 || text.n > 18 || (text.n > 1 && text.p[0] == '0'))
    return false;
  for (size_t i = 0; i < text.n; i++)
    if (!isdigit((unsigned char)text.p[i]))
      return false;
  return true;
}

/* Digits with at most one point: what people mean by a number. */
static bool is_number(ho_str text)
{
  size_t dot = ho_str_find_char(text, '.');
  if (dot == HO_NONE)
    return is_integer(text);
  if (dot + 1 >= text.n || !is_integer(ho_str_sub(text, 0, dot)))
    return false;
  for (size_t i = dot + 1; i < text.n; i++)
    if (!isdigit((unsigned char)text.p[i]))
      return false;
  return true;
}

static ho_node *bind_number(binder *b, ho_type type, const ho_node *raw, const ho_path *path)
{
  if (raw->kind != HO_KIND_TEXT)
    return same(b, raw);
  ho_str text = ho_str_trim(raw->text);
  if (!(type == HO_T_INT ? is_integer(text) : is_number(text)))
    return same(b, raw);
  ho_report_add(b->report, &ho_rule_LOOSE_TYPE, raw->begin, path, "expected a number, found text");
  return scalar(b, raw, HO_KIND_NUMBER, text);
}

/* Phases and objectives: 3 and "3" are the same id, and so is `6a` a text. */
static ho_node *bind_id(binder *b, const ho_node *raw, const ho_path *path)
{
  if (!is_scalar(raw))
    return bind_text(b, raw, path);
  ho_str text = ho_str_trim(raw->text);
  bool number = raw->kind != HO_KIND_BOOL && is_integer(text);
  return scalar(b, raw, number ? HO_KIND_NUMBER : HO_KIND_TEXT, number ? text : raw->text);
}

static ho_node *bind_bool(binder *b, const ho_node *raw, const ho_path *path)
{
  if (raw->kind != HO_KIND_TEXT)
    return same(b, raw);
  bool yes = ho_list_has_nocase("true|yes|on|y", raw->text), no = ho_list_has_nocase("false|no|off|n", raw->text);
  if (!yes && !no)
    return same(b, raw);
  if (!raw->plain)
    ho_report_add(b->report, &ho_rule_LOOSE_TYPE, raw->begin, path, "expected true or false, found text");
  return scalar(b, raw, HO_KIND_BOOL, yes ? HO_STR("true") : HO_STR("false"));
}

/* Are two spellings of a choice the same but for case, '-', '_', ' ' and brackets around? */
static bool same_choice(ho_str text, const char *value)
{
  if (text.n > 2 && text.p[0] == '[' && text.p[text.n - 1] == ']')
    text = ho_str_sub(text, 1, text.n - 1);
  if (text.n != strlen(value))
    return false;
  for (size_t i = 0; i < text.n; i++) {
    int x = tolower((unsigned char)text.p[i]), y = tolower((unsigned char)value[i]);
    bool gap = (x == ' ' || x == '-' || x == '_') && (y == ' ' || y == '-' || y == '_');
    if (x != y && !gap)
      return false;
  }
  return true;
}

static bool is_synonym(ho_str text, const ho_choice *choice)
{
  ho_str rest = ho_str_of(choice->synonyms), word;
  if (same_choice(text, choice->value))
    return true;
  while (choice->synonyms && ho_str_next(&rest, '|', &word)) {
    char z[64];
    ho_error_copy(z, sizeof z, word);
    if (same_choice(text, z))
      return true;
  }
  return false;
}

/* Replaces another spelling of a choice by the format's own. */
static void choose(binder *b, const ho_field *field, ho_node *node, const ho_path *path)
{
  if (!ho_node_is(node, HO_KIND_TEXT))
    return;
  for (const ho_choice *choice = field->choices; choice->value; choice++)
    if (ho_str_is(node->text, choice->value))
      return;
  for (const ho_choice *choice = field->choices; choice->value; choice++)
    if (is_synonym(ho_str_trim(node->text), choice)) {
      ho_report_add(b->report, &ho_rule_SYNONYM, node->begin, path, "'%.*s' is understood as '%s'", HO_ARG(node->text),
                    choice->value);
      node->text = ho_str_of(choice->value);
      return;
    }
}

/* A bare scalar in place of a record: the record with its main field. */
static ho_node *record_of_scalar(binder *b, const ho_record *record, const ho_node *raw, const ho_path *path)
{
  ho_report_add(b->report, &ho_rule_SCALAR_FOR_RECORD, raw->begin, path,
                "expected a map; the text is taken as its '%s'", record->scalar);
  ho_node *map = container(b, raw, HO_KIND_MAP), *value = same(b, raw);
  if (!value)
    return NULL;
  value->key_begin = value->key_end = HO_NOWHERE;
  ho_map_addz(map, record->scalar, value);
  return map ? bind_record(b, record, map, path) : NULL;
}

static ho_node *bind_map(binder *b, const ho_record *record, const ho_node *raw, const ho_path *path)
{
  if (raw->kind == HO_KIND_MAP)
    return bind_record(b, record, raw, path);
  if (is_scalar(raw) && record->scalar)
    return record_of_scalar(b, record, raw, path);
  return same(b, raw);
}

static bool knows_a_key(const ho_record *record, const ho_node *map)
{
  bool alias;
  HO_EACH_CONST (child, map)
    if (ho_record_field(record, child->key, &alias))
      return true;
  return false;
}

/* {"1": {…}, "2": {…}}: each key goes into the record's key field. */
static ho_node *list_of_map(binder *b, const ho_record *record, const ho_node *raw)
{
  ho_node *list = container(b, raw, HO_KIND_LIST);
  HO_EACH_CONST (child, raw) {
    ho_node *item = container(b, child, HO_KIND_MAP), *id = scalar(b, child, HO_KIND_TEXT, child->key);
    if (!item || !id)
      return NULL;
    id->begin = child->key_begin;
    id->end = child->key_end;
    ho_map_addz(item, record->map_key, id);
    if (child->kind == HO_KIND_MAP)
      HO_EACH_CONST (each, child)
        ho_map_add(item, each->key, same(b, each));
    else if (record->scalar && !ho_node_absent(child))
      ho_map_addz(item, record->scalar, same(b, child));
    ho_list_add(list, item);
  }
  return list;
}

static ho_node *raw_list(binder *b, const ho_field *field, const ho_node *raw, const ho_path *path)
{
  if (raw->kind == HO_KIND_MAP && field->item == HO_T_RECORD && field->record->map_key &&
      !knows_a_key(field->record, raw)) {
    ho_report_add(b->report, &ho_rule_MAP_FOR_LIST, raw->begin, path, "expected a list; each key is taken as '%s'",
                  field->record->map_key);
    return list_of_map(b, field->record, raw);
  }
  if (raw->kind == HO_KIND_MAP && field->item != HO_T_RECORD && field->item != HO_T_ANY)
    return NULL;
  ho_report_add(b->report, &ho_rule_SCALAR_FOR_LIST, raw->begin, path, "expected a list, found one value");
  ho_node *list = container(b, raw, HO_KIND_LIST), *item = same(b, raw);
  if (item)
    item->key = HO_EMPTY;
  ho_list_add(list, item);
  return list;
}

static ho_node *bind_list(binder *b, const ho_field *field, const ho_node *raw, const ho_path *path)
{
  const ho_node *from = raw->kind == HO_KIND_LIST ? raw : raw_list(b, field, raw, path);
  if (!from)
    return same(b, raw);
  ho_node *list = container(b, raw, HO_KIND_LIST);
  HO_EACH_CONST (item, from) {
    ho_path at = {path, {NULL, 0}, list ? list->count : 0};
    if (item->kind == HO_KIND_NULL && field->item != HO_T_ANY) {
      ho_report_add(b->report, &ho_rule_NULL_VALUE, item->begin, &at, "an empty list item is left out");
      continue;
    }
    ho_list_add(list, bind_typed(b, field, field->item, item, &at));
  }
  return list;
}

static ho_node *bind_typed(binder *b, const ho_field *field, ho_type type, const ho_node *raw, const ho_path *path)
{
  ho_node *node = NULL;
  if (raw->kind == HO_KIND_NULL)
    return same(b, raw);
  switch (type) {
  case HO_T_TEXT:
    node = bind_text(b, raw, path);
    break;
  case HO_T_ID:
    node = bind_id(b, raw, path);
    break;
  case HO_T_INT:
  case HO_T_NUMBER:
    node = bind_number(b, type, raw, path);
    break;
  case HO_T_BOOL:
    node = bind_bool(b, raw, path);
    break;
  case HO_T_RECORD:
    node = bind_map(b, field->record, raw, path);
    break;
  case HO_T_LIST:
    return bind_list(b, field, raw, path);
  case HO_T_ANY:
    return same(b, raw);
  }
  if (field->choices)
    choose(b, field, node, path);
  return node;
}

/* An id made from the record's main text, the same each time. */
static ho_node *generate_id(binder *b, const ho_record *record, const ho_field *field, const ho_node *raw)
{
  const ho_node *main_text = record->scalar ? ho_map_getz(raw, record->scalar) : NULL;
  if (!main_text || main_text->text.n == 0)
    return NULL;
  unsigned hash = (unsigned)ho_str_hash(ho_str_trim(main_text->text));
  ho_str prefix = ho_str_of(field->fallback ? field->fallback : record->name);
  return ho_node_text(b->arena, ho_arena_printf(b->arena, "%.*s-%08x", HO_ARG(prefix), hash));
}

static size_t field_count(const ho_record *record)
{
  size_t n = 0;
  while (record->fields[n].name)
    n++;
  return n;
}

/* Puts each child that means a field into the field's slot: the exact key before an alias, the first before the next.
 */
static void find_fields(const ho_record *record, const ho_node *raw, const ho_node **slots)
{
  for (int aliases = 0; aliases <= 1; aliases++)
    HO_EACH_CONST (child, raw) {
      bool alias;
      const ho_field *field = ho_record_field(record, child->key, &alias);
      if (field && alias == (aliases == 1) && !slots[field - record->fields])
        slots[field - record->fields] = child;
    }
}

static void bind_field(binder *b, const ho_field *field, const ho_node *child, ho_node *map, const ho_path *path)
{
  ho_path at = {path, ho_str_of(field->name), 0};
  if (!ho_str_is(child->key, field->name))
    ho_report_add(b->report, &ho_rule_KEY_ALIAS, key_place(child), &at, "'%.*s' is understood as '%s'",
                  HO_ARG(child->key), field->name);
  bool nullable = field->flags & HO_NULLABLE || field->type == HO_T_ANY;
  if (child->kind == HO_KIND_NULL && !nullable && !(field->flags & HO_REQUIRED)) {
    ho_report_add(b->report, &ho_rule_NULL_VALUE, key_place(child), &at, "is null, which means that there is none");
    return;
  }
  ho_map_addz(map, field->name, bind_typed(b, field, field->type, child, &at));
}

static bool taken(const ho_node *const *slots, size_t n, const ho_node *child)
{
  for (size_t i = 0; i < n; i++)
    if (slots[i] == child)
      return true;
  return false;
}

static ho_node *bind_record(binder *b, const ho_record *record, const ho_node *raw, const ho_path *path)
{
  size_t n = field_count(record);
  const ho_node **slots = ho_arena_array(b->arena, n, sizeof *slots);
  ho_node *map = container(b, raw, HO_KIND_MAP);
  if (!slots || !map)
    return NULL;
  find_fields(record, raw, slots);
  for (size_t i = 0; i < n; i++) {
    const ho_field *field = &record->fields[i];
    if (slots[i])
      bind_field(b, field, slots[i], map, path);
    else if (field->flags & HO_GENERATED)
      ho_map_addz(map, field->name, generate_id(b, record, field, raw));
  }
  HO_EACH_CONST (child, raw) {
    if (taken(slots, n, child))
      continue;
    ho_path at = {path, child->key, 0};
    bool alias, twice = ho_record_field(record, child->key, &alias) && !alias; /* already a duplicate-key */
    if (!ho_key_is_extra(child->key) && !twice)
      ho_report_add(b->report, &ho_rule_UNKNOWN_KEY, key_place(child), &at, "'%.*s' is not a key of %s; it is kept",
                    HO_ARG(child->key), record->name);
    ho_map_add(map, child->key, same(b, child));
  }
  return map;
}

ho_node *ho_bind_record(const ho_record *record, const ho_node *raw, const ho_path *base, ho_arena *arena,
                        ho_report *report)
{
  binder b = {arena, report};
  return bind_map(&b, record, raw, base);
}

ho_node *ho_bind(const ho_format *format, const ho_node *raw, const ho_path *base, ho_arena *arena, ho_report *report)
{
  return ho_bind_record(format->root, raw, base, arena, report);
}
