/* Finding handoffs: by name, the next one, by filters. */
#include "store/handoffs/handoffs.h"
#include "store/handoffs/rows.h"

typedef struct finding {
  ho_arena *arena;
  ho_handoff *out;
  bool found;
} finding;

static ho_code take_one(void *data, const ho_value *values, ho_error *err)
{
  finding *f = data;
  f->found = true;
  return ho_rows_take_handoff(f->out, values, f->arena, err);
}

/* Finds one row by one text. */
static ho_code find(ho_store *store, ho_sql statement, ho_str by, ho_arena *arena, ho_handoff *out, bool *found,
                    ho_error *err)
{
  finding f = {.arena = arena, .out = out};
  *out = (ho_handoff){0};
  ho_code code = HO_RUN(store, statement, take_one, &f, NULL, err, HO_TEXT(by));
  *found = f.found;
  return code;
}

ho_code ho_handoffs_get(ho_store *store, ho_str id, ho_arena *arena, ho_handoff *out, ho_error *err)
{
  bool found;
  ho_code code = find(store, HO_SQL_HANDOFF_GET, id, arena, out, &found, err);
  if (!code && !found)
    code = ho_fail(err, HO_NOT_FOUND, "there is no handoff %.*s", HO_ARG(id));
  return code;
}

ho_code ho_handoffs_by_key(ho_store *store, ho_str key, ho_arena *arena, ho_handoff *out, bool *found, ho_error *err)
{
  return find(store, HO_SQL_HANDOFF_BY_KEY, key, arena, out, found, err);
}

ho_code ho_handoffs_by_path(ho_store *store, ho_str path, ho_arena *arena, ho_handoff *out, bool *found, ho_error *err)
{
  return find(store, HO_SQL_HANDOFF_BY_PATH, path, arena, out, found, err);
}

ho_code ho_handoffs_by_digest(ho_store *store, ho_str digest, ho_arena *arena, ho_handoff *out, bool *found,
                              ho_error *err)
{
  return find(store, HO_SQL_HANDOFF_BY_DIGEST, digest, arena, out, found, err);
}

ho_code ho_handoffs_next(ho_store *store, ho_str state, ho_str receiver, ho_str task, ho_str phase, ho_arena *arena,
                         ho_handoff *out, bool *found, ho_error *err)
{
  ho_handoff open = {0};
  finding own = {.arena = arena, .out = out}, anyone = {.arena = arena, .out = &open};
  ho_sql statement = task.n ? HO_SQL_HANDOFF_NEXT_TASK : HO_SQL_HANDOFF_NEXT;
  *out = (ho_handoff){0};
  ho_code code = HO_RUN(store, statement, take_one, &own, NULL, err, HO_TEXT(receiver), HO_TEXT(state), HO_TEXT(task),
                        HO_TEXT(phase));
  if (!code && task.n && receiver.n)
    code = HO_RUN(store, statement, take_one, &anyone, NULL, err, HO_TEXT(HO_EMPTY), HO_TEXT(state), HO_TEXT(task),
                  HO_TEXT(phase));
  if (!code && anyone.found && (!own.found || open.seq < out->seq))
    *out = open;
  *found = own.found || anyone.found;
  return code;
}

typedef struct listing {
  ho_arena *arena;
  ho_handoff_list *out;
} listing;

static ho_code take_row(void *data, const ho_value *values, ho_error *err)
{
  listing *l = data;
  ho_handoff *row = HO_PUSH(l->arena, l->out->rows, l->out->count);
  return row ? ho_rows_take_handoff(row, values, l->arena, err) : ho_fail_memory(err);
}

ho_code ho_handoffs_all_by_digest(ho_store *store, ho_str digest, int64_t limit, ho_arena *arena, ho_handoff_list *out,
                                  ho_error *err)
{
  listing l = {.arena = arena, .out = out};
  *out = (ho_handoff_list){0};
  return HO_RUN(store, HO_SQL_HANDOFF_ALL_BY_DIGEST, take_row, &l, NULL, err, HO_TEXT(digest), HO_INT(limit));
}

ho_code ho_handoffs_newest(ho_store *store, ho_str receiver, ho_str state, int64_t limit, ho_arena *arena,
                           ho_handoff_list *out, ho_error *err)
{
  listing l = {.arena = arena, .out = out};
  *out = (ho_handoff_list){0};
  return HO_RUN(store, HO_SQL_HANDOFF_NEWEST, take_row, &l, NULL, err, HO_TEXT(receiver), HO_TEXT(state),
                HO_INT(limit));
}

/* The statement whose index answers the narrowest filter, and that filter. */
static ho_sql choose(const ho_filter *filter, ho_str *by)
{
  static const ho_sql newest[] = {HO_SQL_SELECT_PARENT, HO_SQL_SELECT_TASK, HO_SQL_SELECT_RECEIVER, HO_SQL_SELECT_STATE,
                                  HO_SQL_SELECT_ALL};
  static const ho_sql oldest[] = {HO_SQL_SELECT_PARENT_UP, HO_SQL_SELECT_TASK_UP, HO_SQL_SELECT_RECEIVER_UP,
                                  HO_SQL_SELECT_STATE_UP, HO_SQL_SELECT_ALL_UP};
  ho_str state = ho_str_find_char(filter->state, '|') == HO_NONE ? filter->state : HO_EMPTY;
  const ho_str texts[] = {filter->parent, filter->task, filter->receiver, state};
  size_t i = 0;
  while (i < HO_COUNT(texts) && !texts[i].n)
    i++;
  *by = i < HO_COUNT(texts) ? texts[i] : HO_EMPTY;
  if (newest[i] == HO_SQL_SELECT_RECEIVER && state.n)
    return filter->oldest_first ? HO_SQL_SELECT_WAITING_UP : HO_SQL_SELECT_WAITING;
  return filter->oldest_first ? oldest[i] : newest[i];
}

ho_code ho_handoffs_select(ho_store *store, const ho_filter *filter, ho_arena *arena, ho_handoff_list *out,
                           ho_error *err)
{
  enum { USUAL_LIMIT = 1000 };
  ho_str by;
  ho_sql statement = choose(filter, &by);
  listing l = {.arena = arena, .out = out};
  *out = (ho_handoff_list){0};
  return HO_RUN(store, statement, take_row, &l, NULL, err, HO_FILTERED(by, filter, USUAL_LIMIT));
}

static ho_code take_brief(void *data, const ho_value *values, ho_error *err)
{
  static const ho_column columns[] = {
#define X(n, kind, column, field, role) {HO_COLUMN_ROW(ho_handoff_brief, kind, field), false},
      HO_HANDOFF_BRIEF_COLUMNS(X, X)
#undef X
  };
  ho_handoff_briefs *out = data;
  ho_handoff_brief *brief = HO_PUSH(out->arena, out->rows, out->count);
  return brief ? ho_columns_take(columns, HO_COUNT(columns), brief, values, out->arena, err) : ho_fail_memory(err);
}

ho_code ho_handoffs_add_briefs(ho_store *store, ho_str state, int64_t limit, ho_handoff_briefs *out, ho_error *err)
{
  return HO_RUN(store, HO_SQL_HANDOFF_BRIEF, take_brief, out, NULL, err, HO_TEXT(state), HO_INT(limit));
}

ho_code ho_handoffs_ahead(ho_store *store, int64_t due, int64_t now, int64_t limit, ho_arena *arena,
                          ho_handoff_list *out, ho_error *err)
{
  listing l = {.arena = arena, .out = out};
  *out = (ho_handoff_list){0};
  return HO_RUN(store, HO_SQL_HANDOFF_AHEAD, take_row, &l, NULL, err, HO_INT(due), HO_INT(now), HO_INT(limit));
}

ho_code ho_handoffs_due(ho_store *store, int64_t now, int64_t limit, ho_arena *arena, ho_handoff_list *out,
                        ho_error *err)
{
  listing l = {.arena = arena, .out = out};
  *out = (ho_handoff_list){0};
  return HO_RUN(store, HO_SQL_HANDOFF_DUE, take_row, &l, NULL, err, HO_INT(now), HO_INT(limit));
}

ho_code ho_handoffs_halting(ho_store *store, int64_t limit, ho_arena *arena, ho_handoff_list *out, ho_error *err)
{
  listing l = {.arena = arena, .out = out};
  *out = (ho_handoff_list){0};
  return HO_RUN(store, HO_SQL_HANDOFF_HALTING, take_row, &l, NULL, err, HO_INT(limit));
}

ho_code ho_handoffs_asking(ho_store *store, int64_t limit, ho_arena *arena, ho_handoff_list *out, ho_error *err)
{
  listing l = {.arena = arena, .out = out};
  *out = (ho_handoff_list){0};
  return HO_RUN(store, HO_SQL_HANDOFF_ASKING, take_row, &l, NULL, err, HO_INT(limit));
}

ho_code ho_handoffs_by_key_begin(ho_store *store, ho_str begin, ho_arena *arena, ho_handoff_list *out, ho_error *err)
{
  listing l = {.arena = arena, .out = out};
  ho_str after = ho_arena_printf(arena, "%.*s%c", (int)begin.n - 1, begin.p, begin.p[begin.n - 1] + 1);
  *out = (ho_handoff_list){0};
  ho_code code = ho_arena_code(arena, err);
  return code ? code : HO_RUN(store, HO_SQL_HANDOFF_KEYS, take_row, &l, NULL, err, HO_TEXT(begin), HO_TEXT(after));
}

typedef struct counting {
  ho_arena *arena;
  ho_handoff_count *rows;
  size_t count;
} counting;

static ho_code take_count(void *data, const ho_value *values, ho_error *err)
{
  counting *c = data;
  ho_handoff_count *row = HO_PUSH(c->arena, c->rows, c->count);
  if (row)
    *row = (ho_handoff_count){ho_arena_copy(c->arena, values[0].s), values[1].i};
  return ho_arena_code(c->arena, err);
}

ho_code ho_handoffs_states(ho_store *store, ho_arena *arena, ho_handoff_count **out, size_t *count, ho_error *err)
{
  counting c = {.arena = arena};
  ho_code code = HO_RUN(store, HO_SQL_HANDOFF_STATES, take_count, &c, NULL, err, HO_INT(0));
  *out = c.rows;
  *count = c.count;
  return code;
}

ho_code ho_handoffs_receivers(ho_store *store, ho_str state, ho_arena *arena, ho_handoff_count **out, size_t *count,
                              ho_error *err)
{
  counting c = {.arena = arena};
  ho_code code = HO_RUN(store, HO_SQL_HANDOFF_RECEIVERS, take_count, &c, NULL, err, HO_TEXT(state));
  *out = c.rows;
  *count = c.count;
  return code;
}

ho_code ho_handoffs_count(ho_store *store, const ho_filter *filter, ho_arena *arena, int64_t *out, ho_error *err)
{
  counting c = {.arena = arena};
  ho_code code =
      HO_RUN(store, HO_SQL_HANDOFF_COUNT, take_count, &c, NULL, err, HO_FILTERED(HO_EMPTY, filter, INT64_MAX));
  *out = c.count ? c.rows[0].count : 0;
  return code;
}
