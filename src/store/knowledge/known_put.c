/* Learning: documents, the nodes that they mention, and the words by which those are found. */
#include "doc/json/json.h"
#include "store/knowledge/known_inside.h"

HO_WORDS(ho_known_kinds, "a kind of knowledge", NULL, HO_KNOWN_KINDS);
HO_WORDS(ho_known_states, "a state of knowledge", NULL, HO_KNOWN_STATES);

#define HO_COLUMN_KNOWN_KIND false, &ho_known_kinds
#define HO_COLUMN_KNOWN_STATE false, &ho_known_states
static const ho_column columns[] = {
#define X(n, kind, column, field, role) {HO_COLUMN_ROW(ho_known, kind, field), false},
    HO_KNOWN_COLUMNS(X, X)
#undef X
};
enum { COLUMNS = HO_COUNT(columns), PRINT = 12 /* its parameter comes after them */ };
_Static_assert(COLUMNS + 1 == PRINT, "KNOWN_ADD names the print's parameter");

const char *ho_known_edge_name(int64_t type)
{
  switch (type) {
#define X(number, name, text)                                                                                          \
  case HO_EDGE_##name:                                                                                                 \
    return text;
    HO_EDGES(X)
#undef X
  default:
    return "";
  }
}

ho_code ho_known_take(ho_known *known, const ho_value *values, ho_arena *arena, ho_error *err)
{
  return ho_columns_take(columns, COLUMNS, known, values, arena, err);
}

ho_code ho_known_take_one(void *data, const ho_value *values, ho_error *err)
{
  ho_one_known *one = data;
  one->found = true;
  return ho_known_take(&one->known, values, one->arena, err);
}

/* ---- The words of a node */

/* "AuthContext" is also found as "auth" and "context". */
static void put_parts(ho_buf *out, ho_str text)
{
  for (size_t i = 0; i < text.n;) {
    size_t start = i, humps = 0;
    while (i < text.n && isalnum((unsigned char)text.p[i])) {
      humps += i > start && isupper((unsigned char)text.p[i]) && islower((unsigned char)text.p[i - 1]);
      i++;
    }
    for (size_t k = start; humps && k < i; k++) {
      if (k == start || (isupper((unsigned char)text.p[k]) && islower((unsigned char)text.p[k - 1])))
        ho_buf_putc(out, ' ');
      ho_buf_putc(out, text.p[k]);
    }
    i += i == start;
  }
}

static void put_words(ho_buf *out, ho_str text)
{
  ho_buf_put(out, text);
  put_parts(out, text);
  ho_buf_putc(out, '\n');
}

/* Indexes the texts of a detail, not its keys. */
static void put_detail(ho_buf *out, ho_str detail, ho_arena *arena)
{
  ho_source source;
  ho_node *root = NULL;
  ho_error none = {0};
  if (!detail.n || ho_source_init(&source, arena, HO_EMPTY, detail, &none) ||
      ho_json_read(&source, 0, arena, NULL, &root, &none))
    return;
  HO_EACH_CONST (child, root)
    put_words(out, ho_node_str(child));
}

void ho_known_facet(ho_buf *out, const char *what, ho_str value)
{
  ho_buf_printf(out, "%s%016llx", what, (unsigned long long)ho_str_hash(value));
}

static void put_facets(ho_buf *out, const ho_known *known)
{
  ho_str rest = known->tags, tag;
  ho_known_facet(out, "k", ho_words_str(&ho_known_kinds, known->kind));
  ho_buf_printf(out, " s%lld ", (long long)known->severity);
  ho_known_facet(out, "o", ho_words_str(&ho_known_states, known->state));
  while (rest.n && ho_str_next(&rest, ' ', &tag)) {
    ho_buf_putc(out, ' ');
    ho_known_facet(out, "t", tag);
  }
}

ho_code ho_known_index(ho_store *store, const ho_known *known, ho_sql statement, ho_error *err)
{
  ho_arena arena;
  ho_buf words, facets;
  ho_arena_init(&arena, 0);
  ho_buf_init(&words, 0);
  ho_buf_init(&facets, 0);
  put_words(&words, known->text);
  put_words(&words, known->tags);
  put_detail(&words, known->detail, &arena);
  put_facets(&facets, known);
  ho_code code = ho_arena_code(&arena, err);
  if (!code)
    code = ho_buf_code(&words, err);
  if (!code)
    code = ho_buf_code(&facets, err);
  if (!code)
    code = HO_RUN(store, statement, NULL, NULL, NULL, err, HO_INT(known->n), HO_TEXT(ho_buf_str(&words)),
                  HO_TEXT(ho_buf_str(&facets)));
  ho_buf_free(&words);
  ho_buf_free(&facets);
  ho_arena_free(&arena);
  return code;
}

static ho_code index_row(void *data, const ho_value *values, ho_error *err)
{
  ho_known known;
  ho_code code = ho_known_take(&known, values, NULL, err);
  return code ? code : ho_known_index(data, &known, HO_SQL_WORDS_ADD, err);
}

ho_code ho_known_index_all(ho_store *store, ho_error *err)
{
  ho_code code = ho_store_must_write(store, err);
  return code ? code : HO_RUN(store, HO_SQL_KNOWN_ALL, index_row, store, NULL, err, HO_INT(0), HO_INT(INT64_MAX));
}

ho_code ho_known_clear(ho_store *store, ho_error *err)
{
  static const ho_sql statements[] = {HO_SQL_KNOWN_CLEAR, HO_SQL_ORIGIN_CLEAR, HO_SQL_KNOWN_SOURCE_CLEAR,
                                      HO_SQL_EDGE_CLEAR};
  ho_code code = ho_store_must_write(store, err);
  for (size_t i = 0; !code && i < HO_COUNT(statements); i++)
    code = HO_RUN(store, statements[i], NULL, NULL, NULL, err, HO_INT(0));
  return code;
}

/* ---- Nodes and origins */

ho_code ho_known_change(ho_store *store, const ho_known *old, const ho_known *known, ho_error *err)
{
  ho_value values[COLUMNS];
  bool reworded = !ho_str_eq(old->text, known->text) || !ho_str_eq(old->detail, known->detail) ||
                  !ho_str_eq(old->tags, known->tags) || old->severity != known->severity || old->state != known->state;
  ho_columns_give(columns, COLUMNS, known, values);
  ho_code code = reworded ? ho_known_index(store, old, HO_SQL_WORDS_DROP, err) : HO_OK;
  if (!code)
    code = store->driver->run(store->db, HO_SQL_KNOWN_CHANGE, values, COLUMNS, NULL, NULL, NULL, err);
  if (!code && reworded)
    code = ho_known_index(store, known, HO_SQL_WORDS_ADD, err);
  return code;
}

typedef struct origin_row {
  int64_t n;
  ho_str digest;
  bool found, same;
} origin_row;

static ho_code take_origin(void *data, const ho_value *values, ho_error *err)
{
  origin_row *row = data;
  (void)err;
  row->n = values[0].i;
  row->same = ho_str_eq(values[1].s, row->digest);
  row->found = true;
  return HO_OK;
}

ho_code ho_known_begin(ho_store *store, ho_known_origin *o, bool *same, ho_error *err)
{
  origin_row row = {.digest = o->digest};
  ho_one_number next = {.value = 0};
  *same = false;
  ho_code code = ho_store_must_write(store, err);
  if (!code)
    code = HO_RUN(store, HO_SQL_ORIGIN_GET, take_origin, &row, NULL, err, HO_TEXT(o->name));
  if (code)
    return code;
  *same = row.found && row.same;
  o->n = row.n;
  if (*same)
    return HO_OK;
  if (row.found)
    code = ho_known_forget_origin(store, row.n, err);
  if (!code && !row.found)
    code = HO_RUN(store, HO_SQL_ORIGIN_NEXT, ho_columns_take_number, &next, NULL, err, HO_INT(0));
  if (!code)
    code = HO_RUN(store, row.found ? HO_SQL_ORIGIN_CHANGE : HO_SQL_ORIGIN_ADD, NULL, NULL, NULL, err, HO_TEXT(o->name),
                  HO_TEXT(o->digest), HO_TEXT(o->format), HO_TEXT(o->task), HO_TEXT(o->phase), HO_TEXT(o->agent),
                  HO_TEXT(o->outcome), HO_INT(o->at), HO_INT(next.value));
  if (!row.found)
    o->n = next.value;
  return code;
}

/* ---- Nodes */

static ho_code add_node(ho_store *store, ho_known *known, int64_t print, ho_arena *arena, ho_error *err)
{
  ho_value values[PRINT];
  ho_one_number next = {0};
  int64_t added = 0;
  ho_code code = HO_RUN(store, HO_SQL_KNOWN_NEXT, ho_columns_take_number, &next, NULL, err, HO_INT(0));
  known->n = next.value;
  /* Authors choose ids, and none of theirs may keep a document from being learned. */
  for (unsigned attempt = 0; !code && !added; attempt++) {
    if (attempt || !known->id.n)
      known->id = ho_arena_printf(arena, "%.*s-%015llx", HO_ARG(ho_words_str(&ho_known_kinds, known->kind)),
                                  (unsigned long long)print);
    if (attempt > 1)
      known->id = ho_arena_printf(arena, "%.*s-%u", HO_ARG(known->id), attempt);
    code = ho_arena_code(arena, err);
    if (code)
      break;
    ho_columns_give(columns, COLUMNS, known, values);
    values[COLUMNS] = HO_INT(print);
    code = store->driver->run(store->db, HO_SQL_KNOWN_ADD, values, HO_COUNT(values), NULL, NULL, &added, err);
  }
  return code ? code : ho_known_index(store, known, HO_SQL_WORDS_ADD, err);
}

static ho_code merge_node(ho_store *store, const ho_known *old, ho_known *known, bool asks, ho_arena *arena,
                          ho_error *err)
{
  ho_known now = *old;
  now.tags = ho_known_merge_tags(arena, old->tags, known->tags);
  now.severity = known->severity > old->severity ? known->severity : old->severity;
  if (known->detail.n && (known->last > old->last || !old->detail.n))
    now.detail = known->detail;
  now.first = known->first < old->first ? known->first : old->first;
  now.last = known->last > old->last ? known->last : old->last;
  now.sources = known->sources;
  if (asks)
    now.state = HO_KNOWN_OPEN;
  *known = now;
  return ho_known_change(store, old, &now, err);
}

ho_code ho_known_put(ho_store *store, ho_known *known, int64_t print, const ho_known_origin *origin,
                     const ho_known_source *source, ho_arena *arena, ho_error *err)
{
  ho_one_known old = {.arena = arena};
  int64_t added = 0;
  ho_code code = ho_store_must_write(store, err);
  known->first = known->last = origin->at;
  known->sources = 1;
  if (!code)
    code = HO_RUN(store, HO_SQL_KNOWN_BY_PRINT, ho_known_take_one, &old, NULL, err, HO_INT(print));
  if (!code && !old.found)
    code = add_node(store, known, print, arena, err);
  if (!code)
    code = HO_RUN(store, HO_SQL_KNOWN_SOURCE_ADD, NULL, NULL, &added, err, HO_INT(old.found ? old.known.n : known->n),
                  HO_INT(origin->n), HO_INT(source->line), HO_TEXT(source->role), HO_TEXT(source->note),
                  HO_TEXT(source->asks), HO_TEXT(source->closed_by),
                  HO_TEXT(old.found ? ho_known_saying(known, arena) : HO_EMPTY));
  /* until now the node itself was what its only source said */
  if (!code && added && old.known.sources == 1 && !ho_known_is_name(known->kind))
    code = HO_RUN(store, HO_SQL_KNOWN_SOURCE_SAID, NULL, NULL, NULL, err, HO_INT(old.known.n),
                  HO_TEXT(ho_known_saying(&old.known, arena)));
  if (!code)
    code = ho_arena_code(arena, err);
  if (code || !old.found)
    return code;
  known->sources = old.known.sources + added;
  return merge_node(store, &old.known, known, source->asks.n > 0 && added, arena, err);
}

ho_code ho_known_link(ho_store *store, int64_t from, ho_edge_type type, int64_t to, int64_t origin, ho_error *err)
{
  ho_code code = ho_store_must_write(store, err);
  if (code || from == to)
    return code;
  return HO_RUN(store, HO_SQL_EDGE_ADD, NULL, NULL, NULL, err, HO_INT(from), HO_INT((int64_t)type), HO_INT(to),
                HO_INT(origin));
}

/* ---- Questions and blockers */

ho_code ho_known_close(ho_store *store, int64_t node, int64_t origin, ho_str by, ho_error *err)
{
  ho_arena arena;
  ho_arena_init(&arena, 0);
  ho_code code = ho_store_must_write(store, err);
  if (!code)
    code = HO_RUN(store, HO_SQL_KNOWN_SOURCE_CLOSE, NULL, NULL, NULL, err, HO_INT(node), HO_INT(origin), HO_TEXT(by));
  if (!code)
    code = ho_known_find_state(store, node, &arena, err);
  ho_arena_free(&arena);
  return code;
}

ho_code ho_known_set_state(ho_store *store, int64_t n, ho_known_state state, ho_error *err)
{
  ho_arena arena;
  ho_one_known old = {.arena = &arena};
  ho_arena_init(&arena, 0);
  ho_code code = ho_store_must_write(store, err);
  if (!code)
    code = HO_RUN(store, HO_SQL_KNOWN_GET, ho_known_take_one, &old, NULL, err, HO_INT(n));
  if (!code && old.found && old.known.state != state) {
    ho_known known = old.known;
    known.state = state;
    code = ho_known_change(store, &old.known, &known, err);
  }
  ho_arena_free(&arena);
  return code;
}
