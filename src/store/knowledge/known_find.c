/* Finding what was learned. */
#include <strings.h>

#include "store/handoffs/rows.h"
#include "store/handoffs/search.h"
#include "store/knowledge/known_inside.h"

enum { MATCHES = 2048 };

typedef struct reading {
  ho_arena *arena;
  void *out;                     /* the list */
  const ho_known_filter *filter; /* checked for each row, or NULL */
  size_t limit;                  /* rows that pass it; 0: all */
} reading;

/* Columns of a node's row. */
enum {
#define X(n, kind, column, ...) AT_##column = n - 1,
  HO_KNOWN_COLUMNS(X, X)
#undef X
};

/* A word boundary, including the one before "User" in "getUser". */
static bool is_edge(ho_str text, size_t at)
{
  return !at || !ho_str_is_word(text, at) || !ho_str_is_word(text, at - 1) ||
         (isupper((unsigned char)text.p[at]) && islower((unsigned char)text.p[at - 1]));
}

static bool has_word(ho_str text, ho_str word, bool beginning)
{
  for (size_t at = 0; at + word.n <= text.n; at++)
    if (is_edge(text, at) && strncasecmp(text.p + at, word.p, word.n) == 0 && (beginning || is_edge(text, at + word.n)))
      return true;
  return false;
}

bool ho_known_has(ho_str query, ho_str text, ho_str detail, ho_str tags)
{
  for (size_t at = 0; at < query.n;) {
    bool quoted = query.p[at] == '"';
    size_t from = at += quoted;
    while (at < query.n && query.p[at] != '"' && (quoted || !isspace((unsigned char)query.p[at])))
      at++;
    ho_str word = ho_str_sub(query, from, at);
    bool beginning = !quoted && ho_str_ends(word, "*");
    word = beginning ? ho_str_sub(word, 0, word.n - 1) : word;
    if (word.n && !has_word(text, word, beginning) && !has_word(detail, word, beginning) &&
        !has_word(tags, word, beginning))
      return false;
    at++;
  }
  return true;
}

static bool passes(const ho_known_filter *f, const ho_value *values)
{
  return (!f->kind || ho_str_is(values[AT_kind].s, ho_words_name(&ho_known_kinds, f->kind))) &&
         (!f->state || ho_str_is(values[AT_state].s, ho_words_name(&ho_known_states, f->state))) &&
         values[AT_severity].i >= f->severity && (!f->tag.n || ho_known_has_tag(values[AT_tags].s, f->tag)) &&
         ho_known_has(f->query, values[AT_text].s, values[AT_detail].s, values[AT_tags].s);
}

static ho_code take_known(void *data, const ho_value *values, ho_error *err)
{
  reading *r = data;
  ho_known_list *out = r->out;
  if ((r->filter && !passes(r->filter, values)) || (r->limit && out->count >= r->limit))
    return HO_OK;
  ho_known *known = HO_PUSH(r->arena, out->rows, out->count);
  return known ? ho_known_take(known, values, r->arena, err) : ho_fail_memory(err);
}

static ho_code take_ask(void *data, const ho_value *values, ho_error *err)
{
  reading *r = data;
  ho_known_ask_list *out = r->out;
  ho_known_ask *ask = HO_PUSH(r->arena, out->rows, out->count);
  if (ask)
    *ask = (ho_known_ask){.node = values[0].i, .origin = values[1].i};
  return ho_arena_code(r->arena, err);
}

/* Each is asked in several lines, perhaps, and taken once. There are few, and mostly none: DISTINCT would make a table
 * of its own whenever a handoff ends. */
static ho_code take_ask_once(void *data, const ho_value *values, ho_error *err)
{
  const ho_known_ask_list *out = ((const reading *)data)->out;
  for (size_t i = 0; i < out->count; i++)
    if (out->rows[i].node == values[0].i && out->rows[i].origin == values[1].i)
      return HO_OK;
  return take_ask(data, values, err);
}

static ho_code take_edge(void *data, const ho_value *values, ho_error *err)
{
  reading *r = data;
  ho_edge_list *out = r->out;
  ho_edge *edge = HO_PUSH(r->arena, out->rows, out->count);
  if (edge)
    *edge = (ho_edge){.from = values[0].i, .type = values[1].i, .to = values[2].i};
  return ho_arena_code(r->arena, err);
}

static ho_code take_source(void *data, const ho_value *values, ho_error *err)
{
  reading *r = data;
  ho_known_source_list *out = r->out;
  ho_known_source *source = HO_PUSH(r->arena, out->rows, out->count);
  if (source)
    *source = (ho_known_source){.origin = ho_arena_copy(r->arena, values[0].s),
                                .line = values[1].i,
                                .role = ho_arena_copy(r->arena, values[2].s),
                                .task = ho_arena_copy(r->arena, values[3].s),
                                .phase = ho_arena_copy(r->arena, values[4].s),
                                .agent = ho_arena_copy(r->arena, values[5].s),
                                .at = values[6].i,
                                .note = ho_arena_copy(r->arena, values[7].s),
                                .asks = ho_arena_copy(r->arena, values[8].s),
                                .closed_by = ho_arena_copy(r->arena, values[9].s)};
  return ho_arena_code(r->arena, err);
}

static ho_code take_said(void *data, const ho_value *values, ho_error *err)
{
  reading *r = data;
  ho_known_said_list *out = r->out;
  const ho_value *more = values + HO_WIDTH(HO_KNOWN_COLUMNS);
  ho_known_said *said = HO_PUSH(r->arena, out->rows, out->count);
  if (!said)
    return ho_fail_memory(err);
  said->note = ho_arena_copy(r->arena, more[0].s);
  said->role = ho_arena_copy(r->arena, more[1].s);
  said->origin = ho_arena_copy(r->arena, more[2].s);
  said->line = more[3].i;
  said->at = more[4].i;
  said->closed_by = ho_arena_copy(r->arena, more[5].s);
  return ho_known_take(&said->known, values, r->arena, err);
}

static ho_code take_handoff(void *data, const ho_value *values, ho_error *err)
{
  reading *r = data;
  ho_handoff_list *out = r->out;
  ho_handoff *row = HO_PUSH(r->arena, out->rows, out->count);
  return row ? ho_rows_take_handoff(row, values, r->arena, err) : ho_fail_memory(err);
}

ho_code ho_known_missing(ho_store *store, int64_t after, int64_t upto, int64_t limit, ho_arena *arena,
                         ho_handoff_list *out, ho_error *err)
{
  reading r = {.arena = arena, .out = out};
  *out = (ho_handoff_list){0};
  return HO_RUN(store, HO_SQL_ORIGIN_MISSING, take_handoff, &r, NULL, err, HO_INT(after), HO_INT(limit), HO_INT(upto));
}

static ho_code find_one(ho_store *store, ho_sql statement, ho_value what, ho_arena *arena, ho_known *out, bool *found,
                        ho_error *err)
{
  ho_one_known one = {.arena = arena};
  ho_code code = HO_RUN(store, statement, ho_known_take_one, &one, NULL, err, what);
  *out = one.known;
  *found = !code && one.found;
  return code;
}

ho_code ho_known_get(ho_store *store, int64_t n, ho_arena *arena, ho_known *out, bool *found, ho_error *err)
{
  return find_one(store, HO_SQL_KNOWN_GET, HO_INT(n), arena, out, found, err);
}

ho_code ho_known_by_id(ho_store *store, ho_str id, ho_arena *arena, ho_known *out, bool *found, ho_error *err)
{
  return find_one(store, HO_SQL_KNOWN_BY_ID, HO_TEXT(id), arena, out, found, err);
}

ho_code ho_known_sources(ho_store *store, int64_t n, int64_t limit, ho_arena *arena, ho_known_source_list *out,
                         ho_error *err)
{
  reading r = {.arena = arena, .out = out};
  *out = (ho_known_source_list){0};
  return HO_RUN(store, HO_SQL_KNOWN_SOURCES, take_source, &r, NULL, err, HO_INT(n), HO_INT(limit));
}

ho_code ho_known_asking(ho_store *store, ho_str task, ho_str phase, int64_t before, ho_arena *arena,
                        ho_known_ask_list *out, ho_error *err)
{
  reading r = {.arena = arena, .out = out};
  *out = (ho_known_ask_list){0};
  return HO_RUN(store, HO_SQL_KNOWN_ASKING, take_ask, &r, NULL, err, HO_TEXT(task), HO_TEXT(phase), HO_INT(before));
}

/* In origins whose names are from `from` on, and before `to`; also what `closer` closed. */
static ho_code asked_between(ho_store *store, ho_str from, ho_str to, ho_str closer, ho_arena *arena,
                             ho_known_ask_list *out, ho_error *err)
{
  reading r = {.arena = arena, .out = out};
  *out = (ho_known_ask_list){0};
  return HO_RUN(store, HO_SQL_KNOWN_ASKED_IN, take_ask_once, &r, NULL, err, HO_TEXT(from), HO_TEXT(to),
                HO_TEXT(closer));
}

ho_code ho_known_asked_in(ho_store *store, ho_str handoff, ho_arena *arena, ho_known_ask_list *out, ho_error *err)
{
  return asked_between(store, ho_arena_printf(arena, "%.*s#", HO_ARG(handoff)),
                       ho_arena_printf(arena, "%.*s$", HO_ARG(handoff)), handoff, arena, out, err);
}

ho_code ho_known_asked_by(ho_store *store, ho_str handoff, ho_arena *arena, ho_known_ask_list *out, ho_error *err)
{
  return asked_between(store, handoff, ho_arena_printf(arena, "%.*s!", HO_ARG(handoff)), HO_EMPTY, arena, out, err);
}

ho_code ho_known_completed(ho_store *store, ho_str task, ho_str phase, int64_t after, ho_arena *arena, ho_str *out,
                           ho_error *err)
{
  ho_one_text name = {.arena = arena};
  ho_code code = HO_RUN(store, HO_SQL_ORIGIN_COMPLETED, ho_columns_take_text, &name, NULL, err, HO_TEXT(task),
                        HO_INT(after), HO_TEXT(phase));
  *out = name.found ? name.value : HO_EMPTY;
  return code;
}

typedef struct outcome_row {
  ho_arena *arena;
  ho_known_origin *out;
  bool found;
} outcome_row;

static ho_code take_outcome(void *data, const ho_value *values, ho_error *err)
{
  outcome_row *row = data;
  row->out->name = ho_arena_copy(row->arena, values[0].s);
  row->out->outcome = ho_arena_copy(row->arena, values[1].s);
  row->out->at = values[2].i;
  row->out->phase = ho_arena_copy(row->arena, values[3].s);
  row->found = true;
  return ho_arena_code(row->arena, err);
}

ho_code ho_known_outcome(ho_store *store, ho_str task, ho_arena *arena, ho_known_origin *out, bool *found,
                         ho_error *err)
{
  outcome_row row = {.arena = arena, .out = out};
  *out = (ho_known_origin){.task = task};
  ho_code code = HO_RUN(store, HO_SQL_ORIGIN_NEWEST, take_outcome, &row, NULL, err, HO_TEXT(task));
  *found = row.found;
  return code;
}

ho_code ho_known_edges_from(ho_store *store, int64_t n, int64_t type, int64_t limit, ho_arena *arena, ho_edge_list *out,
                            ho_error *err)
{
  reading r = {.arena = arena, .out = out};
  *out = (ho_edge_list){0};
  return HO_RUN(store, HO_SQL_EDGE_FROM, take_edge, &r, NULL, err, HO_INT(n), HO_INT(type), HO_INT(limit));
}

ho_code ho_known_edges_to(ho_store *store, int64_t n, int64_t type, int64_t limit, ho_arena *arena, ho_edge_list *out,
                          ho_error *err)
{
  reading r = {.arena = arena, .out = out};
  *out = (ho_edge_list){0};
  return HO_RUN(store, type ? HO_SQL_EDGE_TO : HO_SQL_EDGE_TO_ANY, take_edge, &r, NULL, err, HO_INT(n), HO_INT(type),
                HO_INT(limit));
}

/* Newest document first; within one, in line order. */
static int compare_said(const void *left, const void *right)
{
  const ho_known_said *a = left, *b = right;
  if (a->at != b->at)
    return a->at > b->at ? -1 : 1;
  int names = ho_str_cmp(b->origin, a->origin);
  if (names)
    return names;
  return a->line != b->line ? (a->line < b->line ? -1 : 1) : (a->known.n > b->known.n) - (a->known.n < b->known.n);
}

ho_code ho_known_of_task(ho_store *store, ho_str task, int64_t limit, ho_arena *arena, ho_known_said_list *out,
                         ho_error *err)
{
  reading r = {.arena = arena, .out = out};
  *out = (ho_known_said_list){0};
  ho_code code = HO_RUN(store, HO_SQL_KNOWN_SAID, take_said, &r, NULL, err, HO_TEXT(task), HO_INT(limit),
                        HO_TEXT(ho_str_of(ho_known_edge_name(HO_EDGE_LOCATED_IN))),
                        HO_TEXT(ho_str_of(ho_known_edge_name(HO_EDGE_APPLIES_TO))));
  if (!code && out->count)
    qsort(out->rows, out->count, sizeof *out->rows, compare_said);
  return code;
}

ho_code ho_known_ends(ho_store *store, ho_str task, ho_edge_type type, int64_t limit, ho_arena *arena, ho_numbers *out,
                      ho_error *err)
{
  *out = (ho_numbers){.arena = arena};
  return HO_RUN(store, HO_SQL_KNOWN_ENDS, ho_columns_take_numbers, out, NULL, err, HO_TEXT(task),
                HO_TEXT(ho_str_of(ho_known_edge_name(type))), HO_INT(limit));
}

ho_code ho_known_last_task(ho_store *store, int64_t n, ho_arena *arena, ho_str *out, ho_error *err)
{
  ho_one_text task = {.arena = arena};
  ho_code code = HO_RUN(store, HO_SQL_KNOWN_LAST_TASK, ho_columns_take_text, &task, NULL, err, HO_INT(n));
  *out = task.found ? task.value : HO_EMPTY;
  return code;
}

ho_code ho_known_tasks(ho_store *store, int64_t n, ho_str agent, int64_t since, ho_text_each each, void *data,
                       ho_error *err)
{
  ho_each_text tasks = {each, data};
  return HO_RUN(store, HO_SQL_KNOWN_TASKS_OF, ho_columns_take_each, &tasks, NULL, err, HO_INT(n), HO_TEXT(agent),
                HO_INT(since));
}

ho_code ho_known_of_kind(ho_store *store, ho_known_kind kind, ho_known_state state, int64_t severity, int64_t limit,
                         ho_arena *arena, ho_known_list *out, ho_error *err)
{
  reading r = {.arena = arena, .out = out};
  *out = (ho_known_list){0};
  return HO_RUN(store, HO_SQL_KNOWN_KIND, take_known, &r, NULL, err, HO_TEXT(ho_words_str(&ho_known_kinds, kind)),
                HO_TEXT(ho_words_str(&ho_known_states, state)), HO_INT(severity), HO_INT(limit));
}

ho_code ho_known_count(ho_store *store, ho_known_kind kind, ho_known_state state, int64_t severity, int64_t *out,
                       ho_error *err)
{
  ho_one_number count = {0};
  ho_code code = HO_RUN(store, HO_SQL_KNOWN_KIND_COUNT, ho_columns_take_number, &count, NULL, err,
                        HO_TEXT(ho_words_str(&ho_known_kinds, kind)), HO_TEXT(ho_words_str(&ho_known_states, state)),
                        HO_INT(severity));
  *out = count.value;
  return code;
}

/* ---- Choosing */

static void put_facet(ho_buf *out, const char *what, ho_str value)
{
  if (!value.n)
    return;
  ho_buf_puts(out, out->n ? " AND facets : " : "facets : ");
  ho_known_facet(out, what, value);
}

/* Words and facets as one expression for the index; "" if there are none. *wordless: the query has no word. */
static ho_code put_expression(ho_buf *out, const ho_known_filter *filter, bool *wordless, ho_error *err)
{
  ho_buf words;
  ho_buf_init(&words, 0);
  ho_code code = ho_search_expression(&words, filter->query, err);
  if (!code && words.n)
    ho_buf_printf(out, "words : (%s)", words.p);
  *wordless = !words.n && !ho_str_blank(filter->query);
  ho_buf_free(&words);
  put_facet(out, "k", ho_words_str(&ho_known_kinds, filter->kind));
  put_facet(out, "t", filter->tag);
  put_facet(out, "o", ho_words_str(&ho_known_states, filter->state));
  if (filter->severity) {
    ho_buf_puts(out, out->n ? " AND facets : (s3" : "facets : (s3");
    for (int64_t at = HO_KNOWN_MEDIUM; at >= filter->severity; at--)
      ho_buf_printf(out, " OR s%lld", (long long)at);
    ho_buf_putc(out, ')');
  }
  return code ? code : ho_buf_code(out, err);
}

/* The statement and the value that find the rows; what they already filter is removed from *left. */
static ho_sql find_lead(const ho_known_filter *f, ho_str expression, ho_known_filter *left, ho_value *lead)
{
  *left = *f;
  if (f->to) {
    *lead = HO_INT(f->to);
    return HO_SQL_KNOWN_TO;
  }
  if (f->task.n) {
    *lead = HO_TEXT(f->task);
    left->task = HO_EMPTY;
    return HO_SQL_KNOWN_TASK;
  }
  if (f->agent.n) {
    *lead = HO_TEXT(f->agent);
    left->agent = HO_EMPTY;
    return HO_SQL_KNOWN_AGENT;
  }
  if (expression.n) {
    *lead = HO_TEXT(expression);
    return HO_SQL_KNOWN_WORDS;
  }
  *lead = HO_INT(f->since);
  left->since = 0;
  return f->since ? HO_SQL_KNOWN_SINCE : HO_SQL_KNOWN_ALL;
}

ho_code ho_known_choose(ho_store *store, const ho_known_filter *f, ho_arena *arena, ho_known_list *out, ho_error *err)
{
  bool wordless = false;
  int64_t limit = f->limit ? f->limit : HO_KNOWN_LOOKED_AT;
  reading r = {.arena = arena, .out = out, .limit = (size_t)limit};
  ho_known_filter left;
  ho_value lead;
  ho_buf match;
  *out = (ho_known_list){0};
  ho_buf_init(&match, 0);
  ho_code code = put_expression(&match, f, &wordless, err);
  ho_sql statement = find_lead(f, ho_buf_str(&match), &left, &lead);
  bool words = statement == HO_SQL_KNOWN_WORDS;
  int64_t matches = left.since && limit < MATCHES ? MATCHES : limit, most = words ? limit : MATCHES + limit;
  r.filter = words ? NULL : f; /* the index has already compared it */
  if (!code && !wordless && statement == HO_SQL_KNOWN_ALL)
    code = HO_RUN(store, statement, take_known, &r, NULL, err, lead, HO_INT(limit));
  else if (!code && !wordless)
    code = HO_RUN(store, statement, take_known, &r, NULL, err, lead, HO_TEXT(left.task), HO_TEXT(left.agent),
                  HO_INT(left.since), HO_INT(most), HO_INT(matches));
  ho_buf_free(&match);
  return code;
}
