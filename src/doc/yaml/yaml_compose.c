/* Turns libyaml's events into the tree. libyaml counts code points and has its own idea of lines; here everything
 * becomes a byte offset of the source as soon as it arrives. */
#include "doc/yaml/yaml_parts.h"

#include <yaml.h>

#include "base/limits.h"
#include "base/utf8.h"
#include "doc/yaml/yaml.h"
#include "doc/yaml/yaml_anchor.h"
#include "doc/yaml/yaml_problem.h"

/* A list or map that is still open. */
typedef struct frame {
  ho_node *node;
  ho_str anchor;
  ho_str key; /* in a map, while its value is still to come */
  uint32_t key_begin, key_end;
  bool has_key;
  ho_yaml_size size; /* so far */
} frame;

typedef struct composer {
  yaml_parser_t parser;
  const ho_yaml_text *text;
  ho_arena *arena;
  ho_yaml_result *result;
  ho_yaml_fault *fault;
  ho_error *err;
  size_t cursor_index, cursor_offset; /* a code point and its byte, near the last one requested */
  frame stack[HO_LIMIT_DEPTH];
  unsigned depth;
  size_t nodes, repeated, repeated_bytes; /* values so far; those that aliases repeat, and the bytes of their texts */
  ho_yaml_anchors anchors;                /* of the document */
} composer;

/* Offset in the source for a byte of the text being read. */
static uint32_t source_offset(const ho_yaml_text *text, size_t at)
{
  size_t low = 0, high = text->shift_count;
  while (high - low > 1) {
    size_t middle = low + (high - low) / 2;
    if (text->shifts[middle].at <= at)
      low = middle;
    else
      high = middle;
  }
  size_t offset = text->shifts[low].source + (at - text->shifts[low].at);
  size_t most = low + 1 < text->shift_count ? text->shifts[low + 1].source : text->source->text.n;
  return (uint32_t)(offset < most ? offset : most);
}

static bool continues(char c)
{
  return ((unsigned char)c & 0xC0) == 0x80;
}

/* Byte offset of a libyaml mark. Marks come nearly in order, so walking from the last one is cheap. */
static size_t text_offset(composer *c, size_t index)
{
  ho_str text = c->text->text;
  size_t at = c->cursor_offset;
  while (c->cursor_index < index && at < text.n) {
    at++;
    while (at < text.n && continues(text.p[at]))
      at++;
    c->cursor_index++;
  }
  while (c->cursor_index > index && at > 0) {
    at--;
    while (at > 0 && continues(text.p[at]))
      at--;
    c->cursor_index--;
  }
  c->cursor_offset = at;
  return at;
}

static uint32_t place_of(composer *c, yaml_mark_t mark)
{
  return source_offset(c->text, text_offset(c, mark.index));
}

static ho_code fail_limit(composer *c, yaml_mark_t mark, const char *message)
{
  ho_source_fail(c->text->source, place_of(c, mark), c->err, "%s", message);
  if (c->err) {
    c->err->code = HO_LIMIT;
    c->err->rule = NULL;
  }
  return HO_LIMIT;
}

static ho_code fail_depth(composer *c, yaml_mark_t mark)
{
  char message[64];
  snprintf(message, sizeof message, "nested deeper than %zu levels (limit depth)", HO_LIMIT_NOW(DEPTH));
  return fail_limit(c, mark, message);
}

static ho_code fail_at(composer *c, uint32_t at, bool final, const char *message)
{
  *c->fault = (ho_yaml_fault){.at = at, .final = final};
  return ho_source_fail(c->text->source, at, c->err, "%s", message);
}

static ho_code fail_here(composer *c, yaml_mark_t mark, bool final, const char *message)
{
  return fail_at(c, place_of(c, mark), final, message);
}

/* At the end of the text: reports the innermost bracket that is still open, if there is one. */
static bool fail_open(composer *c)
{
  for (unsigned i = c->depth; i-- > 0;) {
    uint32_t at = c->stack[i].node->begin;
    char opening = at < c->text->source->text.n ? c->text->source->text.p[at] : '\0';
    if (opening == '[' || opening == '{')
      return fail_at(c, at, true, opening == '[' ? "this '[' is never closed" : "this '{' is never closed");
  }
  return false;
}

static ho_code fail_syntax(composer *c)
{
  const yaml_parser_t *p = &c->parser;
  const char *problem = p->problem ? p->problem : "cannot be read as YAML", *context = p->context;
  if (p->error == YAML_READER_ERROR)
    return fail_at(c, source_offset(c->text, ho_utf8_floor(c->text->text, p->problem_offset)), false, problem);
  const ho_yaml_problem *known = ho_yaml_problem_find(context, problem);
  if (known)
    return fail_at(c, place_of(c, known->opening ? p->context_mark : p->problem_mark), known->final, known->words);
  if (text_offset(c, p->problem_mark.index) >= ho_str_trim_end(c->text->text).n && fail_open(c))
    return HO_SYNTAX;
  *c->fault = (ho_yaml_fault){.at = place_of(c, p->problem_mark)};
  return ho_source_fail(c->text->source, c->fault->at, c->err, context ? "%s (%s)" : "%s", problem, context);
}

static ho_str name_of(const yaml_char_t *name)
{
  return ho_str_of((const char *)name);
}

/* Registers a complete node under its anchor, if it has one. */
static ho_code name_node(composer *c, ho_str name, const ho_node *node, ho_yaml_size size, yaml_mark_t mark)
{
  if (name.n == 0 || ho_yaml_anchor_set(&c->anchors, c->arena, name, node, size))
    return HO_OK;
  return c->arena->failed ? ho_arena_code(c->arena, c->err) : fail_limit(c, mark, "too many anchors");
}

static ho_code count_nodes(composer *c, size_t nodes, yaml_mark_t mark)
{
  char message[64];
  c->nodes += nodes;
  if (c->nodes <= HO_LIMIT_NOW(NODES))
    return HO_OK;
  snprintf(message, sizeof message, "more than %zu values (limit nodes)", HO_LIMIT_NOW(NODES));
  return fail_limit(c, mark, message);
}

/* How much aliases may repeat grows with the text, so that a few bytes cannot cause much work. Nor may their texts,
 * written out, exceed the size of a document. */
static ho_code count_repeated(composer *c, const ho_yaml_size *size, yaml_mark_t mark)
{
  char message[96];
  c->repeated += size->nodes;
  c->repeated_bytes += size->bytes;
  if (c->repeated > HO_LIMIT_NOW(ALIASES) * c->text->text.n)
    snprintf(message, sizeof message, "aliases repeat more than %zu values per byte of the text (limit aliases)",
             HO_LIMIT_NOW(ALIASES));
  else if (c->repeated_bytes > HO_LIMIT_NOW(DOCUMENT))
    snprintf(message, sizeof message, "aliases repeat more than %zu bytes (limit document)", HO_LIMIT_NOW(DOCUMENT));
  else
    return count_nodes(c, size->nodes, mark);
  return fail_limit(c, mark, message);
}

static void append_children(ho_node *to, ho_node *from)
{
  if (!from->first)
    return;
  if (to->last)
    to->last->next = from->first;
  else
    to->first = from->first;
  to->last = from->last;
  to->count += from->count;
  to->end = from->end;
}

/* Takes a whole document: the first, or another map to be merged with those before. */
static ho_code take_document(composer *c, ho_node *node)
{
  ho_yaml_result *result = c->result;
  if (!result->root || result->root->kind == HO_KIND_NULL) {
    if (!result->root || node->kind != HO_KIND_NULL)
      result->root = node;
    return HO_OK;
  }
  if (node->kind == HO_KIND_NULL)
    return HO_OK;
  if (node->kind != HO_KIND_MAP || result->root->kind != HO_KIND_MAP)
    return fail_at(c, node->begin, true, "another document; several documents can only be joined if each is a map");
  if (result->second == HO_NOWHERE)
    result->second = node->begin;
  append_children(result->root, node);
  return HO_OK;
}

/* Attaches a complete node to the innermost open one. */
static ho_code attach(composer *c, ho_node *node, ho_yaml_size size, yaml_mark_t mark)
{
  if (!node)
    return ho_arena_code(c->arena, c->err);
  if (c->depth == 0)
    return take_document(c, node);
  frame *top = &c->stack[c->depth - 1];
  top->size.nodes += size.nodes;
  top->size.bytes += size.bytes + (top->has_key ? top->key.n : 0);
  if (top->size.height < size.height + 1)
    top->size.height = size.height + 1;
  if (top->node->kind == HO_KIND_LIST) {
    ho_list_add(top->node, node);
    return HO_OK;
  }
  if (!top->has_key)
    return fail_here(c, mark, true, "a key must be text");
  ho_map_add(top->node, top->key, node);
  node->key_begin = top->key_begin;
  node->key_end = top->key_end;
  top->has_key = false;
  return HO_OK;
}

static bool wants_key(const composer *c)
{
  return c->depth && c->stack[c->depth - 1].node->kind == HO_KIND_MAP && !c->stack[c->depth - 1].has_key;
}

static void take_key(composer *c, const ho_node *node, ho_str text)
{
  frame *top = &c->stack[c->depth - 1];
  top->key = text;
  top->key_begin = node->begin;
  top->key_end = node->end;
  top->has_key = true;
}

/* The value's text: a slice of the source if the bytes are the same, else a copy. */
static ho_str keep_text(composer *c, const ho_node *node, ho_str value, bool quoted)
{
  size_t skip = quoted ? 1 : 0;
  ho_str raw = ho_str_sub(c->text->source->text, node->begin + skip, node->end - skip);
  return ho_str_eq(raw, value) ? raw : ho_arena_copy(c->arena, value);
}

static void set_span(composer *c, ho_node *node, const yaml_event_t *event)
{
  node->begin = place_of(c, event->start_mark);
  node->end = place_of(c, event->end_mark);
}

/* libyaml's span of a literal or folded scalar extends to the next token: ends it where its text ends. */
static void trim_span(composer *c, ho_node *node)
{
  ho_str text = c->text->source->text;
  node->end = node->begin + (uint32_t)ho_str_trim_end(ho_str_sub(text, node->begin, node->end)).n;
}

static bool wants_text(const yaml_event_t *event)
{
  const char *tag = (const char *)event->data.scalar.tag;
  return tag && (strcmp(tag, YAML_STR_TAG) == 0 || strcmp(tag, "!") == 0);
}

/* Fills *node; *text is the text as written, even if it means null or a boolean. */
static void read_scalar(composer *c, const yaml_event_t *event, ho_node *node, ho_str *text)
{
  yaml_scalar_style_t style = event->data.scalar.style;
  ho_str value = {(const char *)event->data.scalar.value, event->data.scalar.length};
  *node = (ho_node){.kind = HO_KIND_TEXT, .key = HO_EMPTY, .key_begin = HO_NOWHERE, .key_end = HO_NOWHERE};
  set_span(c, node, event);
  if (style == YAML_LITERAL_SCALAR_STYLE || style == YAML_FOLDED_SCALAR_STYLE)
    trim_span(c, node);
  *text = keep_text(c, node, value, style != YAML_PLAIN_SCALAR_STYLE);
  node->text = *text;
  node->plain = style == YAML_PLAIN_SCALAR_STYLE;
  if (node->plain && !wants_text(event))
    node->kind = (uint8_t)ho_yaml_resolve(value);
  if (node->kind == HO_KIND_NULL)
    node->text = HO_EMPTY;
  else if (node->kind == HO_KIND_BOOL)
    node->text = tolower((unsigned char)value.p[0]) == 't' ? HO_STR("true") : HO_STR("false");
}

static ho_code on_scalar(composer *c, const yaml_event_t *event)
{
  ho_node read, *node = NULL;
  ho_str text, name = name_of(event->data.scalar.anchor);
  bool is_key = wants_key(c);
  read_scalar(c, event, &read, &text);
  ho_yaml_size size = {.nodes = 1, .bytes = text.n};
  ho_code code = is_key ? HO_OK : count_nodes(c, 1, event->start_mark);
  if (code)
    return code;
  if (!is_key || name.n) {
    node = HO_NEW(c->arena, ho_node);
    if (!node)
      return ho_arena_code(c->arena, c->err);
    *node = read;
  }
  code = name_node(c, name, node, size, event->start_mark);
  if (!code && !is_key)
    return attach(c, node, size, event->start_mark);
  take_key(c, &read, text);
  return code;
}

/* A copy that shares the texts; its children keep their positions. */
static ho_node *copy_shared(ho_arena *arena, const ho_node *node)
{
  ho_node *copy = HO_NEW(arena, ho_node);
  if (!copy)
    return NULL;
  *copy = *node;
  copy->next = copy->first = copy->last = NULL;
  copy->count = 0;
  HO_EACH_CONST (child, node)
    ho_list_add(copy, copy_shared(arena, child));
  return copy;
}

static ho_code check_alias(composer *c, ho_str name, const ho_yaml_anchor *named, yaml_mark_t mark)
{
  for (unsigned i = 0; i < c->depth; i++)
    if (ho_str_eq(c->stack[i].anchor, name))
      return fail_here(c, mark, true, "an alias inside the value it refers to");
  if (!named)
    return fail_here(c, mark, false, "an alias ('*name') to an unknown anchor; quote the value");
  if (c->depth + named->size.height > HO_LIMIT_NOW(DEPTH))
    return fail_depth(c, mark);
  return count_repeated(c, &named->size, mark);
}

static ho_code on_alias(composer *c, const yaml_event_t *event)
{
  ho_str name = name_of(event->data.alias.anchor);
  const ho_yaml_anchor *named = ho_yaml_anchor_find(&c->anchors, name);
  ho_code code = check_alias(c, name, named, event->start_mark);
  ho_node *node = code ? NULL : copy_shared(c->arena, named->node);
  if (!node)
    return code ? code : ho_arena_code(c->arena, c->err);
  set_span(c, node, event);
  if (!wants_key(c) || named->size.height)
    return attach(c, node, named->size, event->start_mark);
  take_key(c, node, node->text);
  return HO_OK;
}

static ho_code open_node(composer *c, const yaml_event_t *event, ho_kind kind, ho_str name)
{
  if (wants_key(c))
    return fail_here(c, event->start_mark, true, "a key must be text");
  if (c->depth == HO_LIMIT_NOW(DEPTH))
    return fail_depth(c, event->start_mark);
  ho_node *node = ho_node_new(c->arena, kind);
  ho_code code = count_nodes(c, 1, event->start_mark);
  if (code || !node)
    return code ? code : ho_arena_code(c->arena, c->err);
  set_span(c, node, event);
  c->stack[c->depth++] = (frame){.node = node, .size = {.nodes = 1, .height = 1}};
  if (name.n)
    c->stack[c->depth - 1].anchor = ho_arena_copy(c->arena, name);
  return HO_OK;
}

/* Block collections, and pairs inside [ ], have no end mark: they end with their last child. */
static void set_end(composer *c, ho_node *node, const yaml_event_t *event)
{
  const ho_node *last = node->last;
  if (event->end_mark.index > event->start_mark.index)
    node->end = place_of(c, event->end_mark);
  else if (last && last->end != HO_NOWHERE)
    node->end = last->key_end != HO_NOWHERE && last->key_end > last->end ? last->key_end : last->end;
}

static ho_code close_node(composer *c, const yaml_event_t *event)
{
  frame done = c->stack[--c->depth];
  set_end(c, done.node, event);
  ho_code code = name_node(c, done.anchor, done.node, done.size, event->start_mark);
  return code ? code : attach(c, done.node, done.size, event->start_mark);
}

static ho_code on_event(composer *c, const yaml_event_t *event)
{
  switch (event->type) {
  case YAML_DOCUMENT_START_EVENT:
    c->anchors = (ho_yaml_anchors){0};
    return HO_OK;
  case YAML_SCALAR_EVENT:
    return on_scalar(c, event);
  case YAML_ALIAS_EVENT:
    return on_alias(c, event);
  case YAML_SEQUENCE_START_EVENT:
    return open_node(c, event, HO_KIND_LIST, name_of(event->data.sequence_start.anchor));
  case YAML_MAPPING_START_EVENT:
    return open_node(c, event, HO_KIND_MAP, name_of(event->data.mapping_start.anchor));
  case YAML_SEQUENCE_END_EVENT:
  case YAML_MAPPING_END_EVENT:
    return close_node(c, event);
  case YAML_NO_EVENT: /* what libyaml returns after running out of memory early */
    return ho_fail_memory(c->err);
  default:
    return HO_OK;
  }
}

static ho_code run_events(composer *c)
{
  yaml_event_t event;
  for (bool done = false; !done;) {
    if (!yaml_parser_parse(&c->parser, &event))
      return c->parser.error == YAML_MEMORY_ERROR ? ho_fail_memory(c->err) : fail_syntax(c);
    done = event.type == YAML_STREAM_END_EVENT;
    ho_code code = on_event(c, &event);
    yaml_event_delete(&event);
    if (code)
      return code;
  }
  if (!c->result->root)
    c->result->root = ho_node_new(c->arena, HO_KIND_NULL);
  return ho_arena_code(c->arena, c->err);
}

ho_code ho_yaml_compose(const ho_yaml_text *text, ho_arena *arena, ho_yaml_result *result, ho_yaml_fault *fault,
                        ho_error *err)
{
  composer c = {.text = text, .arena = arena, .result = result, .fault = fault, .err = err};
  *result = (ho_yaml_result){.second = HO_NOWHERE};
  if (!yaml_parser_initialize(&c.parser))
    return ho_fail_memory(err);
  yaml_parser_set_encoding(&c.parser, YAML_UTF8_ENCODING);
  yaml_parser_set_input_string(&c.parser, (const unsigned char *)text->text.p, text->text.n);
  ho_code code = run_events(&c);
  yaml_parser_delete(&c.parser);
  return arena->failed ? ho_arena_code(arena, err) : code;
}

const char *ho_yaml_library(void)
{
  return yaml_get_version_string();
}
