/* Forgetting: what a document said is removed, what others said about the same things stays.
 *
 * A node with several sources combines what they say, oldest first: the text of the first, all tags, the highest
 * severity, the newest details. So each source records what it said (column `said`). For a node's only source that
 * is the node itself; it is written down only when a second source arrives. */
#include "doc/json/json.h"
#include "store/knowledge/known_inside.h"

ho_str ho_known_saying(const ho_known *known, ho_arena *arena)
{
  ho_buf out;
  if (ho_known_is_name(known->kind))
    return HO_EMPTY;
  ho_buf_init(&out, 0);
  ho_buf_printf(&out, "[%lld,", (long long)known->severity);
  ho_json_write_text(&out, known->text);
  ho_buf_putc(&out, ',');
  ho_json_write_text(&out, known->detail);
  ho_buf_putc(&out, ',');
  ho_json_write_text(&out, known->tags);
  ho_buf_putc(&out, ']');
  return ho_buf_move(&out, arena);
}

bool ho_known_has_tag(ho_str tags, ho_str tag)
{
  ho_str each;
  while (ho_str_next(&tags, ' ', &each))
    if (ho_str_eq(each, tag))
      return true;
  return false;
}

ho_str ho_known_merge_tags(ho_arena *arena, ho_str tags, ho_str more)
{
  ho_str tag;
  while (ho_str_next(&more, ' ', &tag))
    if (tag.n && !ho_known_has_tag(tags, tag))
      tags = tags.n ? ho_arena_printf(arena, "%.*s %.*s", HO_ARG(tags), HO_ARG(tag)) : tag;
  return tags;
}

typedef struct folding {
  ho_arena *arena;
  ho_known now;
  int64_t count;
  bool unsaid; /* for some source it is unknown what it said */
} folding;

/* Adds what one source said to what older ones said. */
static void fold(folding *f, const ho_node *said, int64_t at)
{
  const ho_node *parts[4] = {0};
  size_t n = 0;
  long long severity = 0;
  HO_EACH_CONST (part, said)
    if (n < HO_COUNT(parts))
      parts[n++] = part;
  if (n < HO_COUNT(parts) || !ho_node_to_int(parts[0], &severity)) {
    f->unsaid = true;
    return;
  }
  ho_str detail = ho_node_str(parts[2]);
  if (!f->count)
    f->now.text = ho_node_str(parts[1]);
  if (severity > f->now.severity)
    f->now.severity = severity;
  if (detail.n && (!f->now.detail.n || at > f->now.last))
    f->now.detail = detail;
  f->now.tags = ho_known_merge_tags(f->arena, f->now.tags, ho_node_str(parts[3]));
}

static ho_code take_said(void *data, const ho_value *values, ho_error *err)
{
  folding *f = data;
  ho_source source;
  ho_node *root = NULL;
  ho_error none = {0};
  ho_str said = ho_arena_copy(f->arena, values[0].s);
  if (!said.n || ho_source_init(&source, f->arena, HO_EMPTY, said, &none) ||
      ho_json_read(&source, 0, f->arena, NULL, &root, &none))
    f->unsaid = true;
  else
    fold(f, root, values[1].i);
  if (!f->count)
    f->now.first = f->now.last = values[1].i;
  f->now.last = values[1].i > f->now.last ? values[1].i : f->now.last;
  f->count++;
  return ho_arena_code(f->arena, err);
}

static ho_code drop_node(ho_store *store, const ho_known *known, ho_error *err)
{
  ho_code code = ho_known_index(store, known, HO_SQL_WORDS_DROP, err);
  if (!code)
    code = HO_RUN(store, HO_SQL_EDGE_DROP_ALL, NULL, NULL, NULL, err, HO_INT(known->n));
  if (!code)
    code = HO_RUN(store, HO_SQL_EDGE_DROP_TO, NULL, NULL, NULL, err, HO_INT(known->n));
  if (!code)
    code = HO_RUN(store, HO_SQL_KNOWN_DROP, NULL, NULL, NULL, err, HO_INT(known->n));
  return code;
}

static ho_code find_state(ho_store *store, ho_known *known, ho_error *err)
{
  ho_one_number asks = {0};
  if (!ho_known_asks(known->kind))
    return HO_OK;
  ho_code code = HO_RUN(store, HO_SQL_KNOWN_SOURCE_ASKS, ho_columns_take_number, &asks, NULL, err, HO_INT(known->n));
  known->state = asks.value ? HO_KNOWN_OPEN : HO_KNOWN_CLOSED;
  return code;
}

ho_code ho_known_find_state(ho_store *store, int64_t n, ho_arena *arena, ho_error *err)
{
  ho_one_known old = {.arena = arena};
  ho_code code = HO_RUN(store, HO_SQL_KNOWN_GET, ho_known_take_one, &old, NULL, err, HO_INT(n));
  if (code || !old.found)
    return code;
  ho_known known = old.known;
  code = find_state(store, &known, err);
  return code ? code : ho_known_change(store, &old.known, &known, err);
}

/* Recomputes a node that lost sources. */
static ho_code settle_node(ho_store *store, int64_t n, ho_arena *arena, ho_error *err)
{
  enum { LOOKED_AT = 10000 };
  ho_one_known old = {.arena = arena};
  ho_one_number count = {0};
  folding f = {.arena = arena};
  ho_code code = HO_RUN(store, HO_SQL_KNOWN_GET, ho_known_take_one, &old, NULL, err, HO_INT(n));
  if (!code)
    code = HO_RUN(store, HO_SQL_KNOWN_SOURCE_COUNT, ho_columns_take_number, &count, NULL, err, HO_INT(n));
  if (code || !old.found)
    return code;
  if (!count.value)
    return drop_node(store, &old.known, err);
  ho_known known = old.known;
  known.sources = count.value;
  bool named = ho_known_is_name(known.kind);
  if (!named || count.value <= LOOKED_AT) { /* an agent may have a million sources that say no more than its name */
    code = HO_RUN(store, HO_SQL_KNOWN_SOURCE_FOLD, take_said, &f, NULL, err, HO_INT(n));
    known.first = f.now.first;
    known.last = f.now.last;
  }
  if (f.count && !f.unsaid) {
    known.text = f.now.text;
    known.detail = f.now.detail;
    known.tags = f.now.tags;
    known.severity = f.now.severity;
  }
  if (!code)
    code = find_state(store, &known, err);
  return code ? code : ho_known_change(store, &old.known, &known, err);
}

/* Drops the sources of a document and their edges; adds the nodes that lost one to *nodes. */
static ho_code drop_sources(ho_store *store, int64_t origin, ho_numbers *nodes, ho_error *err)
{
  size_t from = nodes->count;
  ho_code code = HO_RUN(store, HO_SQL_KNOWN_OF_ORIGIN, ho_columns_take_numbers, nodes, NULL, err, HO_INT(origin));
  if (!code)
    code = HO_RUN(store, HO_SQL_KNOWN_SOURCE_DROP, NULL, NULL, NULL, err, HO_INT(origin));
  for (size_t i = from; !code && i < nodes->count; i++)
    code = HO_RUN(store, HO_SQL_EDGE_DROP, NULL, NULL, NULL, err, HO_INT(nodes->rows[i]), HO_INT(origin));
  return code;
}

static int by_number(const void *a, const void *b)
{
  int64_t left = *(const int64_t *)a, right = *(const int64_t *)b;
  return (left > right) - (left < right);
}

/* Settles each of the nodes once. */
static ho_code settle_nodes(ho_store *store, ho_numbers *nodes, ho_error *err)
{
  ho_arena arena;
  ho_code code = HO_OK;
  ho_arena_init(&arena, 0);
  if (nodes->count)
    qsort(nodes->rows, nodes->count, sizeof *nodes->rows, by_number);
  for (size_t i = 0; !code && i < nodes->count; i++)
    if (!i || nodes->rows[i] != nodes->rows[i - 1]) {
      code = settle_node(store, nodes->rows[i], &arena, err);
      ho_arena_reset(&arena);
    }
  ho_arena_free(&arena);
  return code;
}

ho_code ho_known_forget_origin(ho_store *store, int64_t origin, ho_error *err)
{
  ho_arena arena;
  ho_numbers nodes = {.arena = &arena};
  ho_arena_init(&arena, 0);
  ho_code code = drop_sources(store, origin, &nodes, err);
  if (!code)
    code = settle_nodes(store, &nodes, err);
  ho_arena_free(&arena);
  return code;
}

/* Drops a document that is gone for good. Its outcome may have settled what others ask. */
static ho_code drop_origin(ho_store *store, int64_t origin, ho_numbers *nodes, ho_error *err)
{
  int64_t kept = 0;
  ho_code code = drop_sources(store, origin, nodes, err);
  if (!code)
    code = HO_RUN(store, HO_SQL_ORIGIN_HOLLOW, NULL, NULL, &kept, err, HO_INT(origin));
  return code || kept ? code : HO_RUN(store, HO_SQL_ORIGIN_DROP, NULL, NULL, NULL, err, HO_INT(origin));
}

ho_code ho_known_forget(ho_store *store, const ho_handoff_list *handoffs, ho_error *err)
{
  ho_arena arena;
  ho_numbers nodes = {.arena = &arena};
  ho_code code = ho_store_must_write(store, err);
  ho_arena_init(&arena, 0);
  for (size_t i = 0; !code && i < handoffs->count; i++) {
    ho_numbers origins = {.arena = &arena};
    ho_str id = handoffs->rows[i].id;
    ho_str from = ho_arena_printf(&arena, "%.*s#", HO_ARG(id)), to = ho_arena_printf(&arena, "%.*s$", HO_ARG(id));
    code = ho_arena_code(&arena, err);
    if (!code)
      code = HO_RUN(store, HO_SQL_ORIGIN_PARTS, ho_columns_take_numbers, &origins, NULL, err, HO_TEXT(id),
                    HO_TEXT(from), HO_TEXT(to));
    for (size_t k = 0; !code && k < origins.count; k++)
      code = drop_origin(store, origins.rows[k], &nodes, err);
  }
  if (!code)
    code = settle_nodes(store, &nodes, err);
  ho_arena_free(&arena);
  return code;
}
