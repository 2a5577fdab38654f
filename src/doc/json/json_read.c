#include "doc/json/json.h"

#include "base/limits.h"

#include "doc/json/json_scan.h"
#include "doc/keyset.h"
#include "doc/rules.h"

/* A list or map that is not closed yet. */
typedef struct frame {
  ho_node *node;
  ho_keyset keys;
} frame;

typedef struct reader {
  ho_json_scan scan;
  unsigned options;
  ho_report *report;
  size_t nodes;
  ho_str key; /* of the value that comes next, with its span */
  uint32_t key_begin, key_end;
  const char *expected; /* if a value must follow: the message if none does */
  ho_node *root;
  unsigned depth;
  frame frames[HO_LIMIT_DEPTH];
} reader;

static frame *top(reader *r)
{
  return r->depth ? &r->frames[r->depth - 1] : NULL;
}

/* Adds a finding about the newest child of the innermost open node, or about the document. */
static void add_finding(reader *r, const ho_rule_info *rule, uint32_t offset, const char *message)
{
  ho_path paths[HO_LIMIT_DEPTH];
  const ho_path *up = NULL;
  if (!r->report)
    return;
  for (unsigned i = 0; i < r->depth; i++) {
    const ho_node *node = r->frames[i].node;
    if (!node->last)
      break;
    paths[i] = (ho_path){.up = up};
    if (node->kind == HO_KIND_MAP)
      paths[i].key = node->last->key;
    else
      paths[i].index = node->count - 1;
    up = &paths[i];
  }
  ho_report_add(r->report, rule, offset, up, "%s", message);
}

/* Skips the comment that begins here, if there is one. */
static bool skip_comment(reader *r, ho_code *code)
{
  ho_json_scan *s = &r->scan;
  size_t begin = s->at;
  ho_str rest = ho_str_sub(s->text, begin, s->text.n);
  if (ho_str_starts(rest, "//")) {
    while (s->at < s->text.n && s->text.p[s->at] != '\n' && s->text.p[s->at] != '\r')
      s->at++;
  } else if (ho_str_starts(rest, "/*")) {
    size_t length = ho_str_find(ho_str_sub(rest, 2, rest.n), "*/");
    if (length == HO_NONE) {
      *code = ho_source_fail(s->source, (uint32_t)begin, s->err, "this comment is never closed");
      return false;
    }
    s->at += length + 4;
  } else {
    return false;
  }
  add_finding(r, &ho_rule_JSON_COMMENT, (uint32_t)begin, "comments are not allowed in JSON");
  return true;
}

/* Moves to the next significant byte. */
static ho_code skip_space(reader *r)
{
  ho_code code = HO_OK;
  ho_json_skip_space(&r->scan);
  if (r->options & HO_JSON_COMMENTS)
    while (ho_json_peek(&r->scan) == '/' && skip_comment(r, &code))
      ho_json_skip_space(&r->scan);
  return code;
}

static void report_duplicate(reader *r, const ho_node *earlier)
{
  if (!r->report)
    return;
  char message[160], key[80];
  ho_error_copy(key, sizeof key, r->key);
  ho_place first = ho_source_place(r->scan.source, earlier->key_begin);
  snprintf(message, sizeof message, "duplicate key '%s', first used in line %u", key, first.line);
  add_finding(r, &ho_rule_DUPLICATE_KEY, r->key_begin, message);
}

/* Appends a new node that begins here to the innermost open one. */
static ho_code new_node(reader *r, ho_kind kind, ho_node **out)
{
  ho_json_scan *s = &r->scan;
  if (r->nodes++ == HO_LIMIT_NOW(NODES))
    return ho_json_fail_limit(s, s->at, "too many values (limit nodes)", HO_LIMIT_NOW(NODES));
  ho_node *node = ho_node_new(s->arena, kind);
  if (!node)
    return ho_arena_code(s->arena, s->err);
  *out = node;
  node->begin = (uint32_t)s->at;
  frame *parent = top(r);
  if (!parent) {
    r->root = node;
    return HO_OK;
  }
  if (parent->node->kind == HO_KIND_LIST) {
    ho_list_add(parent->node, node);
    return HO_OK;
  }
  ho_map_add(parent->node, r->key, node);
  node->key_begin = r->key_begin;
  node->key_end = r->key_end;
  const ho_node *earlier = ho_keyset_earlier(&parent->keys, s->arena, parent->node);
  if (earlier)
    report_duplicate(r, earlier);
  return HO_OK;
}

static ho_code read_scalar(reader *r, ho_kind kind)
{
  ho_node *node;
  ho_code code = new_node(r, kind, &node);
  if (code)
    return code;
  if (kind == HO_KIND_TEXT)
    code = ho_json_scan_text(&r->scan, &node->text);
  else if (kind == HO_KIND_NUMBER)
    code = ho_json_scan_number(&r->scan, &node->text);
  else
    code = ho_json_scan_word(&r->scan, &node->text);
  node->end = (uint32_t)r->scan.at;
  return code;
}

static ho_code open_node(reader *r, ho_kind kind)
{
  ho_node *node;
  ho_json_scan *s = &r->scan;
  if (r->depth == HO_LIMIT_NOW(DEPTH))
    return ho_json_fail_limit(s, s->at, "nested too deep (limit depth)", HO_LIMIT_NOW(DEPTH));
  ho_code code = new_node(r, kind, &node);
  if (code)
    return code;
  r->frames[r->depth++] = (frame){.node = node};
  s->at++;
  return HO_OK;
}

/* A syntax error at this point; if the text ends too early, the message also says where the list or map was opened. */
static ho_code fail_here(reader *r, const char *expected)
{
  if (!r->depth || r->scan.at < r->scan.text.n)
    return ho_json_fail(&r->scan, r->scan.at, expected);
  const ho_node *node = top(r)->node;
  return ho_source_fail(r->scan.source, (uint32_t)r->scan.at, r->scan.err,
                        "%s: the text ends inside the %s that began in line %u", expected,
                        ho_kind_name((ho_kind)node->kind), ho_source_line_at(r->scan.source, node->begin));
}

/* Reads a scalar, or the opening bracket of a list or map, which then becomes the innermost open node. */
static ho_code read_value(reader *r)
{
  char c = ho_json_peek(&r->scan);
  switch (c) {
  case '"':
    return read_scalar(r, HO_KIND_TEXT);
  case '{':
    return open_node(r, HO_KIND_MAP);
  case '[':
    return open_node(r, HO_KIND_LIST);
  case 't':
  case 'f':
    return read_scalar(r, HO_KIND_BOOL);
  case 'n':
    return read_scalar(r, HO_KIND_NULL);
  default:
    if (c == '-' || (c >= '0' && c <= '9'))
      return read_scalar(r, HO_KIND_NUMBER);
    return fail_here(r, r->expected);
  }
}

/* Reads `"key" :` and what is between it and the value. */
static ho_code read_key(reader *r, const char *expected)
{
  ho_json_scan *s = &r->scan;
  if (ho_json_peek(s) != '"')
    return fail_here(r, expected);
  r->key_begin = (uint32_t)s->at;
  ho_code code = ho_json_scan_text(s, &r->key);
  r->key_end = (uint32_t)s->at;
  if (!code)
    code = skip_space(r);
  if (code)
    return code;
  if (ho_json_peek(s) != ':')
    return fail_here(r, "expected ':' after this key");
  s->at++;
  r->expected = "expected a value after ':'";
  return skip_space(r);
}

/* True if the innermost open node ends here; it is then closed. */
static bool close_node(reader *r)
{
  ho_node *node = top(r)->node;
  if (ho_json_peek(&r->scan) != (node->kind == HO_KIND_MAP ? '}' : ']'))
    return false;
  r->scan.at++;
  node->end = (uint32_t)r->scan.at;
  r->depth--;
  return true;
}

/* After an opening bracket: closes the node again or reads up to its first value. */
static ho_code begin_children(reader *r, bool *closed)
{
  ho_code code = skip_space(r);
  if (code)
    return code;
  *closed = close_node(r);
  r->expected = "expected a value or ']'";
  if (*closed || top(r)->node->kind == HO_KIND_LIST)
    return HO_OK;
  return read_key(r, "expected '\"' to begin a key, or '}'");
}

/* After a value: closes what ends here and reads up to the next value; at the end r->depth is 0. */
static ho_code end_value(reader *r)
{
  ho_code code = HO_OK;
  while (!code && r->depth) {
    bool map = top(r)->node->kind == HO_KIND_MAP;
    code = skip_space(r);
    if (code || close_node(r))
      continue;
    if (ho_json_peek(&r->scan) != ',')
      return fail_here(r, map ? "expected ',' or '}' after this value" : "expected ',' or ']' after this value");
    r->scan.at++;
    code = skip_space(r);
    r->expected = "expected a value after ','";
    if (code || !map)
      return code;
    return read_key(r, "expected '\"' to begin a key after ','");
  }
  return code;
}

static ho_code read_document(reader *r)
{
  ho_code code = skip_space(r);
  while (!code) {
    unsigned depth = r->depth;
    bool complete = true;
    code = read_value(r);
    if (!code && r->depth > depth)
      code = begin_children(r, &complete);
    if (!code && complete)
      code = end_value(r);
    if (r->depth == 0)
      break;
  }
  if (!code)
    code = skip_space(r);
  if (!code && r->scan.at < r->scan.text.n)
    code = fail_here(r, "expected nothing more after the value");
  return code;
}

ho_code ho_json_read(const ho_source *source, unsigned options, ho_arena *arena, ho_report *report, ho_node **out,
                     ho_error *err)
{
  reader r = {.options = options, .report = report, .expected = "expected a value"};
  r.scan = (ho_json_scan){.source = source, .text = source->text, .arena = arena, .err = err};
  r.scan.at = ho_source_start(source);
  ho_code code = read_document(&r);
  if (!code)
    code = ho_arena_code(arena, err);
  if (!code)
    *out = r.root;
  return code;
}
