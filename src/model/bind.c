#include "model/bind.h"

#include "model/general_rules.h"

/* One binding in progress. */
typedef struct binder {
  ho_arena *arena;
  ho_report *report;
} binder;

static ho_node *bind_record(binder *b, const ho_record *record, const ho_node *raw, const ho_path *path);
static ho_node *bind_typed(binder *b, const ho_field *field, ho_type type, const ho_node *raw, const ho_path *path);

/* A copy of the node; its children are shared with the original. */
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

/* The node's text as it appears in the source, if that is a single line. */
static ho_str written(binder *b, const ho_node *raw)
{
  const ho_source *source = b->report->source;
  if (!source || raw->begin == HO_NOWHERE || raw->end == HO_NOWHERE || raw->end > source->text.n)
    return HO_EMPTY;
  ho_str text = ho_str_trim(ho_str_sub(source->text, raw->begin, raw->end));
  return ho_str_find_char(text, '\n') == HO_NONE ? text : HO_EMPTY;
}

/* To YAML, `[agent-id]`, `{name}` and `- PostgreSQL: localhost` are lists and maps, but they were meant as text. */
static ho_node *text_of_flow(binder *b, const ho_node *raw, const ho_path *path)
{
  const ho_node *first = raw->first;
  ho_str text = written(b, raw);
  if (raw->count != 1 || !text.n || first->kind == HO_KIND_MAP || first->kind == HO_KIND_LIST)
    return NULL;
  bool bracketed = text.p[0] == '[' || text.p[0] == '{';
  if (!first->plain && (bracketed || raw->kind != HO_KIND_MAP || !is_scalar(first)))
    return NULL;
  if (!bracketed)
    ho_report_add(b->report, &ho_rule_LOOSE_TYPE, raw->begin, path,
                  "a text that contains ': ' is read as a map; quote it");
  if (!first->plain) /* quoted, or on a line that was repaired */
    text = ho_arena_printf(b->arena, "%.*s: %.*s", HO_ARG(first->key), HO_ARG(first->text));
  return scalar(b, raw, HO_KIND_TEXT, text);
}

/* A list of texts where one text is wanted: the items are joined, one per line. Not for fields with a syntax or
 * choices, which always hold a single value. */
static ho_node *text_of_list(binder *b, const ho_field *field, const ho_node *raw, const ho_path *path)
{
  size_t room = 1;
  if (raw->kind != HO_KIND_LIST || raw->count == 0 || (raw->count > 1 && (field->syntax || field->choices)))
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
                "expected one text, found a list; the items were joined");
  return scalar(b, raw, HO_KIND_TEXT, (ho_str){text, (size_t)(to - text) - 1});
}

static ho_node *bind_text(binder *b, const ho_field *field, const ho_node *raw, const ho_path *path)
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
    text = text_of_list(b, field, raw, path);
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

/* Digits with at most one decimal point: what people mean by a number. */
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

/* 4.0 counts as a whole number. */
static ho_str without_zeros(ho_str text)
{
  size_t n = text.n;
  while (n && text.p[n - 1] == '0')
    n--;
  return n > 1 && n < text.n && text.p[n - 1] == '.' ? ho_str_sub(text, 0, n - 1) : text;
}

static ho_node *bind_number(binder *b, ho_type type, const ho_node *raw, const ho_path *path)
{
  ho_str whole = raw->kind == HO_KIND_NUMBER && type == HO_T_INT ? without_zeros(raw->text) : raw->text;
  if (whole.n != raw->text.n && is_integer(whole)) {
    ho_report_add(b->report, &ho_rule_LOOSE_TYPE, raw->begin, path, "expected a whole number");
    return scalar(b, raw, HO_KIND_NUMBER, whole);
  }
  if (raw->kind != HO_KIND_TEXT)
    return same(b, raw);
  ho_str text = ho_str_trim(raw->text);
  if (!(type == HO_T_INT ? is_integer(text) : is_number(text)))
    return same(b, raw);
  ho_report_add(b->report, &ho_rule_LOOSE_TYPE, raw->begin, path, "expected a number, found text");
  return scalar(b, raw, HO_KIND_NUMBER, text);
}

/* Phases and objectives: 3 and "3" are the same id, and `6a` is a valid id too. */
static ho_node *bind_id(binder *b, const ho_field *field, const ho_node *raw, const ho_path *path)
{
  if (!is_scalar(raw))
    return bind_text(b, field, raw, path);
  ho_str text = ho_str_trim(raw->text);
  bool number = raw->kind != HO_KIND_BOOL && is_integer(text);
  return scalar(b, raw, number ? HO_KIND_NUMBER : HO_KIND_TEXT, number ? text : raw->text);
}

static ho_node *bind_bool(binder *b, const ho_node *raw, const ho_path *path)
{
  if (raw->kind != HO_KIND_TEXT && raw->kind != HO_KIND_NUMBER)
    return same(b, raw);
  bool yes = ho_str_list_has_nocase("true|yes|on|y|1", raw->text),
       no = ho_str_list_has_nocase("false|no|off|n|0", raw->text);
  if (!yes && !no)
    return same(b, raw);
  if (!raw->plain)
    ho_report_add(b->report, &ho_rule_LOOSE_TYPE, raw->begin, path, "expected true or false, found %s",
                  ho_kind_name((ho_kind)raw->kind));
  return scalar(b, raw, HO_KIND_BOOL, yes ? HO_STR("true") : HO_STR("false"));
}

/* Are two spellings of a choice the same apart from case, '-', '_', ' ' and surrounding brackets? */
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

const ho_choice *ho_bind_choice(const ho_field *field, ho_str text)
{
  for (const ho_choice *choice = field->choices; choice->value; choice++)
    if (ho_str_is(text, choice->value))
      return choice;
  for (const ho_choice *choice = field->choices; choice->value; choice++)
    if (is_synonym(ho_str_trim(text), choice))
      return choice;
  return NULL;
}

/* Replaces another spelling of a choice with the format's own. */
static void choose(binder *b, const ho_field *field, ho_node *node, const ho_path *path)
{
  const ho_choice *choice = ho_node_is(node, HO_KIND_TEXT) ? ho_bind_choice(field, node->text) : NULL;
  if (!choice || ho_str_is(node->text, choice->value))
    return;
  ho_report_add(b->report, &ho_rule_SYNONYM, node->begin, path, "'%.*s' is read as '%s'", HO_ARG(node->text),
                choice->value);
  node->text = ho_str_of(choice->value);
}

/* A bare scalar or list in place of a record: wraps it in a record, under the field it stands for. */
static ho_node *record_of_value(binder *b, const ho_record *record, const ho_node *raw, const char *key,
                                const ho_path *path)
{
  ho_report_add(b->report, &ho_rule_SCALAR_FOR_RECORD, raw->begin, path, "expected a map; the %s is read as its '%s'",
                raw->kind == HO_KIND_LIST ? "list" : "text", key);
  ho_node *map = container(b, raw, HO_KIND_MAP), *value = same(b, raw);
  if (!value)
    return NULL;
  value->key_begin = value->key_end = HO_NOWHERE;
  ho_map_addz(map, key, value);
  return map ? bind_record(b, record, map, path) : NULL;
}

static bool holds_maps(const ho_node *list)
{
  HO_EACH_CONST (item, list)
    if (item->kind != HO_KIND_MAP)
      return false;
  return list->count > 0;
}

static ho_node *bind_map(binder *b, const ho_record *record, const ho_node *raw, const ho_path *path)
{
  if (raw->kind == HO_KIND_MAP)
    return bind_record(b, record, raw, path);
  if (is_scalar(raw) && record->scalar)
    return record_of_value(b, record, raw, record->scalar, path);
  if (raw->kind == HO_KIND_LIST && record->list && holds_maps(raw))
    return record_of_value(b, record, raw, record->list, path);
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

/* The field that takes a bare text given under a key: the record's main field, or, if the key goes there, the first
 * free text field; NULL if there is none. */
static const char *field_beside_key(const ho_record *record)
{
  if (!record->scalar || strcmp(record->scalar, record->map_key) != 0)
    return record->scalar;
  for (const ho_field *field = record->fields; field->name; field++)
    if (field->type == HO_T_TEXT && !field->choices && !field->syntax && strcmp(field->name, record->map_key) != 0)
      return field->name;
  return NULL;
}

/* Can every entry be turned into an item? */
static bool can_be_list(const ho_record *record, const ho_node *map)
{
  bool bare = field_beside_key(record);
  HO_EACH_CONST (child, map) {
    if (is_scalar(child) && !bare)
      return false;
    if (child->kind == HO_KIND_LIST)
      HO_EACH_CONST (item, child)
        if (item->kind != HO_KIND_MAP && !(is_scalar(item) && bare))
          return false;
  }
  return true;
}

/* The field that has the text among its choices; NULL if there is none. */
static const ho_field *field_choosing(const ho_record *record, ho_str text)
{
  for (const ho_field *field = record->fields; field->name; field++)
    for (const ho_choice *choice = field->choices; choice && choice->value; choice++)
      if (is_synonym(ho_str_trim(text), choice))
        return field;
  return NULL;
}

/* `"Prove the lemma": "done"` and `"src/a.ts": "what it is for"`. */
static void add_pair(binder *b, const ho_record *record, ho_node *key, const ho_node *value, ho_node *item)
{
  const ho_field *choosing = field_choosing(record, value->text);
  ho_map_addz(item, choosing && record->scalar ? record->scalar : record->map_key, key);
  ho_map_addz(item, choosing ? choosing->name : field_beside_key(record), same(b, value));
}

/* Makes an item from the value of a key. The key goes into the record's key field. If the item already has that
 * field, the key is kept beside it, unless both say the same. */
static void add_item_of(binder *b, const ho_record *record, const ho_node *entry, const ho_node *value, ho_node *list)
{
  ho_node *item = container(b, value, HO_KIND_MAP), *key = scalar(b, entry, HO_KIND_TEXT, entry->key);
  if (!item || !key)
    return;
  key->begin = entry->key_begin;
  key->end = entry->key_end;
  const ho_node *own = value->kind == HO_KIND_MAP ? ho_map_getz(value, record->map_key) : NULL;
  if (is_scalar(value))
    add_pair(b, record, key, value, item);
  else if (ho_node_absent(own))
    ho_map_addz(item, record->map_key, key);
  else if (!ho_str_eq(own->text, entry->key))
    ho_map_addz(item, "x_key", key);
  if (value->kind == HO_KIND_MAP)
    HO_EACH_CONST (each, value)
      if (!ho_node_absent(each) || !ho_str_is(each->key, record->map_key))
        ho_map_add(item, each->key, same(b, each));
  ho_list_add(list, item);
}

/* {"1": {…}, "2": {…}}, and {"report": ["a.md", "b.md"]}. */
static ho_node *list_of_map(binder *b, const ho_record *record, const ho_node *raw)
{
  ho_node *list = container(b, raw, HO_KIND_LIST);
  HO_EACH_CONST (child, raw) {
    if (child->kind != HO_KIND_LIST || !child->count)
      add_item_of(b, record, child, child, list);
    else
      HO_EACH_CONST (item, child)
        add_item_of(b, record, child, item, list);
  }
  return list;
}

static ho_node *raw_list(binder *b, const ho_field *field, const ho_node *raw, const ho_path *path)
{
  if (raw->kind == HO_KIND_MAP && field->item == HO_T_RECORD && field->record->map_key &&
      !knows_a_key(field->record, raw)) {
    if (!can_be_list(field->record, raw))
      return NULL;
    ho_report_add(b->report, &ho_rule_MAP_FOR_LIST, raw->begin, path, "expected a list; each key is read as '%s'",
                  field->record->map_key);
    return list_of_map(b, field->record, raw);
  }
  if (raw->kind == HO_KIND_MAP && field->item != HO_T_RECORD && field->item != HO_T_ANY)
    return NULL;
  if (raw->kind == HO_KIND_TEXT && ho_str_list_has_nocase("none|n/a|nothing", ho_str_trim(raw->text))) {
    ho_report_add(b->report, &ho_rule_SCALAR_FOR_LIST, raw->begin, path, "'%.*s' is read as an empty list",
                  HO_ARG(raw->text));
    return container(b, raw, HO_KIND_LIST);
  }
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
      ho_report_add(b->report, &ho_rule_NULL_VALUE, item->begin, &at, "empty list item ignored");
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
    node = bind_text(b, field, raw, path);
    break;
  case HO_T_ID:
    node = bind_id(b, field, raw, path);
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

/* An id made from the record's main text: the same text always gives the same id. */
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

/* Puts each child into the slot of the field it means. An exact key wins over an alias, an earlier child over a
 * later one. */
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
    ho_report_add(b->report, &ho_rule_KEY_ALIAS, key_place(child), &at, "'%.*s' is read as '%s'", HO_ARG(child->key),
                  field->name);
  bool nullable = field->flags & HO_NULLABLE || field->type == HO_T_ANY;
  if (child->kind == HO_KIND_NULL && !nullable && !(field->flags & HO_REQUIRED)) {
    ho_report_add(b->report, &ho_rule_NULL_VALUE, key_place(child), &at, "is null, which counts as absent");
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
    bool alias, twice = ho_record_field(record, child->key, &alias) && !alias; /* already reported as duplicate-key */
    if (!ho_key_is_extra(child->key) && !twice)
      ho_report_add(b->report, &ho_rule_UNKNOWN_KEY, key_place(child), &at, "'%.*s' is not a key of %s; kept unchanged",
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
