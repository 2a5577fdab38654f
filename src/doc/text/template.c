#include "doc/text/template.h"

#include "base/limits.h"

#include "doc/json/json.h"
#include "doc/text/template_parts.h"

typedef struct renderer {
  const ho_source *source;
  ho_parts parts;
  ho_buf *out;
  ho_buf json; /* scratch for lists and maps before `escape` */
  unsigned options;
  ho_template_escape escape;
  ho_error *err;
  size_t steps;
  const ho_node *items[HO_LIMIT_DEPTH + 1]; /* where names are looked up: the values, then the item of each {#each} */
  bool lists[HO_LIMIT_DEPTH + 1];           /* whether the item has siblings after it */
  unsigned depth;                           /* of the innermost in `items` */
} renderer;

static const ho_node *child(const ho_node *node, ho_str name)
{
  uint64_t index;
  if (ho_node_is(node, HO_KIND_LIST))
    return ho_str_to_u64(name, &index) ? ho_list_at(node, (size_t)index) : NULL;
  return ho_map_get(node, name);
}

static const ho_node *find(const renderer *r, ho_str name)
{
  ho_str part;
  const ho_node *node = NULL;
  if (ho_str_is(name, "."))
    return r->items[r->depth];
  ho_str_next(&name, '.', &part);
  for (unsigned i = r->depth + 1; i-- > 0 && !node;)
    node = child(r->items[i], part);
  while (node && ho_str_next(&name, '.', &part))
    node = child(node, part);
  return node;
}

/* As find, but an unknown name is an error if names are strict. */
static ho_code find_strictly(const renderer *r, const ho_part *part, const ho_node **out)
{
  *out = find(r, part->text);
  if (*out || !(r->options & HO_TEMPLATE_STRICT))
    return HO_OK;
  ho_source_fail(r->source, part->offset, r->err, "unknown name '%.*s'", HO_ARG(part->text));
  if (r->err) {
    r->err->code = HO_NOT_FOUND;
    r->err->rule = NULL;
  }
  return HO_NOT_FOUND;
}

static void write_value(renderer *r, const ho_node *node)
{
  bool scalar = !ho_node_is(node, HO_KIND_LIST) && !ho_node_is(node, HO_KIND_MAP);
  if (!r->escape && scalar) {
    ho_buf_put(r->out, ho_node_str(node));
  } else if (!r->escape) {
    ho_json_write(r->out, node, 0);
  } else if (scalar) {
    r->escape(r->out, ho_node_str(node));
  } else {
    ho_buf_reset(&r->json);
    ho_json_write(&r->json, node, 0);
    if (r->json.failed && !r->out->failed)
      r->out->failed = r->json.failed;
    r->escape(r->out, ho_buf_str(&r->json));
  }
}

/* Enters the block with its first item, or skips it. */
static ho_code begin_each(renderer *r, const ho_part *part, uint32_t *at)
{
  const ho_node *node;
  ho_code code = find_strictly(r, part, &node);
  if (code || ho_node_empty(node)) {
    *at = part->jump;
    return code;
  }
  bool list = ho_node_is(node, HO_KIND_LIST);
  r->items[++r->depth] = list ? node->first : node;
  r->lists[r->depth] = list;
  return HO_OK;
}

/* Goes back for the next item, or leaves the block. */
static void end_each(renderer *r, const ho_part *part, uint32_t *at)
{
  const ho_node *next = r->lists[r->depth] ? r->items[r->depth]->next : NULL;
  if (next) {
    r->items[r->depth] = next;
    *at = part->jump + 1;
  } else {
    r->depth--;
  }
}

static bool is_yes(const ho_node *node)
{
  return !ho_node_empty(node) && (!ho_node_is(node, HO_KIND_BOOL) || ho_node_true(node));
}

/* Renders the part at *at and advances *at. */
static ho_code step(renderer *r, uint32_t *at)
{
  const ho_part *part = &r->parts.items[(*at)++];
  const ho_node *node;
  ho_code code = HO_OK;
  switch (part->kind) {
  case HO_PART_TEXT:
    ho_buf_put(r->out, part->text);
    break;
  case HO_PART_VALUE:
    code = find_strictly(r, part, &node);
    if (!code)
      write_value(r, node);
    break;
  case HO_PART_EACH:
    code = begin_each(r, part, at);
    break;
  case HO_PART_END_EACH:
    end_each(r, part, at);
    break;
  case HO_PART_IF:
    if (!is_yes(find(r, part->text)))
      *at = part->jump;
    break;
  case HO_PART_ELSE:
    *at = part->jump;
    break;
  }
  return code;
}

static ho_code render(renderer *r)
{
  ho_code code = HO_OK;
  for (uint32_t at = 0; !code && !r->out->failed && at < r->parts.count;) {
    if (r->steps >= HO_LIMIT_STEPS)
      return ho_fail(r->err, HO_LIMIT, "the template needs more than %d steps (limit steps)", HO_LIMIT_STEPS);
    r->steps += 1 + r->depth; /* a name may be looked up in every scope around it */
    code = step(r, &at);
  }
  return code ? code : ho_buf_code(r->out, r->err);
}

ho_code ho_template_write(ho_buf *out, ho_str text, const ho_node *values, unsigned options, ho_template_escape escape,
                          ho_error *err)
{
  ho_arena arena;
  ho_source source;
  ho_arena_init(&arena, 0);
  renderer r = {.source = &source, .out = out, .options = options, .escape = escape, .err = err, .items = {values}};
  ho_buf_init(&r.json, out->limit);
  ho_code code = ho_source_init(&source, &arena, HO_STR("template"), text, err);
  if (!code)
    code = ho_parts_read(&source, &arena, &r.parts, err);
  if (!code)
    code = render(&r);
  ho_buf_free(&r.json);
  ho_arena_free(&arena);
  return code;
}

void ho_template_file_name(ho_buf *out, ho_str value)
{
  if (value.n == 0)
    ho_buf_putc(out, '_');
  for (size_t i = 0; i < value.n; i++) {
    char c = value.p[i];
    bool fits = isalnum((unsigned char)c) || c == '_' || c == '-' || (c == '.' && i > 0);
    ho_buf_putc(out, fits ? c : '_');
  }
}
