#include "store/runs/runs.h"

#include "store/columns.h"

HO_WORDS(ho_run_states, "a state of a run", NULL, HO_RUN_STATES);
HO_WORDS(ho_step_states, "a state of a phase", NULL, HO_STEP_STATES);
HO_WORDS(ho_gate_reasons, "a reason for a gate", "", HO_GATE_REASONS);
HO_WORDS(ho_teammate_states, "a state of a teammate", NULL, HO_TEAMMATE_STATES);
HO_WORDS(ho_outcomes, "an outcome of a teammate", "", HO_OUTCOMES);

#define HO_COLUMN_RUN_STATE false, &ho_run_states
#define HO_COLUMN_STEP_STATE false, &ho_step_states
#define HO_COLUMN_GATE_REASON false, &ho_gate_reasons
#define HO_COLUMN_TEAMMATE_STATE false, &ho_teammate_states
#define HO_COLUMN_OUTCOME false, &ho_outcomes
#define X(n, kind, column, field, role) {HO_COLUMN_ROW(ho_run_row, kind, field), false},
static const ho_column run_columns[] = {HO_RUN_COLUMNS(X, X)};
#undef X
#define X(n, kind, column, field, role) {HO_COLUMN_ROW(ho_run_step, kind, field), false},
static const ho_column step_columns[] = {HO_RUN_STEP_COLUMNS(X, X)};
#undef X
#define X(n, kind, column, field, role) {HO_COLUMN_ROW(ho_teammate, kind, field), false},
static const ho_column teammate_columns[] = {HO_TEAMMATE_COLUMNS(X, X)};
#undef X

enum {
  RUN = HO_COUNT(run_columns),
  STEP = HO_COUNT(step_columns),
  TEAMMATE = HO_COUNT(teammate_columns),
  MOST = TEAMMATE,
  USUAL_LIMIT = 10000
};

/* What a selection fills: rows of one of the three structs. */
typedef struct reading {
  ho_arena *arena;
  const ho_column *columns;
  size_t columns_count, size;
  void **rows;
  size_t *count;
} reading;

static ho_code take_row(void *data, const ho_value *values, ho_error *err)
{
  reading *r = data;
  if (!ho_grow(r->arena, r->rows, *r->count, r->size))
    return ho_fail_memory(err);
  char *row = (char *)*r->rows + r->size * (*r->count)++;
  return ho_columns_take(r->columns, r->columns_count, row, values, r->arena, err);
}

static ho_code put(ho_store *store, ho_sql statement, const ho_column *columns, size_t count, const void *record,
                   int64_t *changed, ho_error *err)
{
  ho_value values[MOST];
  ho_code code = ho_store_must_write(store, err);
  if (code)
    return code;
  ho_columns_give(columns, count, record, values);
  return store->driver->run(store->db, statement, values, count, NULL, NULL, changed, err);
}

ho_code ho_runs_add(ho_store *store, const ho_run_row *run, ho_error *err)
{
  int64_t changed = 0;
  ho_code code = put(store, HO_SQL_RUN_ADD, run_columns, RUN, run, &changed, err);
  return code || changed ? code : ho_fail(err, HO_CONFLICT, "the id %.*s is taken", HO_ARG(run->id));
}

/* Reads one row by its id into *out, which is zero if there is none. `what` names the thing in messages. */
static ho_code get(ho_store *store, ho_sql statement, const char *what, ho_str id, const reading *like, void *out,
                   ho_error *err)
{
  void *rows = NULL;
  size_t count = 0;
  reading r = *like;
  r.rows = &rows;
  r.count = &count;
  ho_code code = HO_RUN(store, statement, take_row, &r, NULL, err, HO_TEXT(id));
  if (!code && !count)
    code = ho_fail(err, HO_NOT_FOUND, "there is no %s %.*s", what, HO_ARG(id));
  if (code)
    memset(out, 0, r.size);
  else
    memcpy(out, rows, r.size);
  return code;
}

ho_code ho_runs_change(ho_store *store, const ho_run_row *run, ho_error *err)
{
  int64_t changed = 0;
  ho_code code = put(store, HO_SQL_RUN_CHANGE, run_columns, RUN, run, &changed, err);
  return code || changed ? code : ho_fail(err, HO_NOT_FOUND, "there is no run %.*s", HO_ARG(run->id));
}

ho_code ho_runs_get(ho_store *store, ho_str id, ho_arena *arena, ho_run_row *out, ho_error *err)
{
  const reading like = {arena, run_columns, RUN, sizeof *out, NULL, NULL};
  return get(store, HO_SQL_RUN_GET, "run", id, &like, out, err);
}

ho_code ho_runs_select(ho_store *store, ho_str plan, ho_str task, bool open, int64_t limit, ho_arena *arena,
                       ho_run_list *out, ho_error *err)
{
  void *rows = NULL;
  reading r = {arena, run_columns, RUN, sizeof *out->rows, &rows, &out->count};
  *out = (ho_run_list){0};
  ho_code code = HO_RUN(store, HO_SQL_RUN_SELECT, take_row, &r, NULL, err, HO_TEXT(plan), HO_TEXT(task), HO_INT(open),
                        HO_INT(limit ? limit : USUAL_LIMIT));
  out->rows = rows;
  return code;
}

ho_code ho_runs_put_step(ho_store *store, const ho_run_step *step, ho_error *err)
{
  return put(store, HO_SQL_RUN_STEP_PUT, step_columns, STEP, step, NULL, err);
}

ho_code ho_runs_steps(ho_store *store, ho_str run, ho_arena *arena, ho_run_step_list *out, ho_error *err)
{
  void *rows = NULL;
  reading r = {arena, step_columns, STEP, sizeof *out->rows, &rows, &out->count};
  *out = (ho_run_step_list){0};
  ho_code code = HO_RUN(store, HO_SQL_RUN_STEP_SELECT, take_row, &r, NULL, err, HO_TEXT(run));
  out->rows = rows;
  return code;
}

ho_code ho_runs_put_teammate(ho_store *store, const ho_teammate *teammate, ho_error *err)
{
  return put(store, HO_SQL_TEAMMATE_PUT, teammate_columns, TEAMMATE, teammate, NULL, err);
}

ho_teammate ho_runs_copy_teammate(const ho_teammate *teammate, ho_arena *arena)
{
  ho_teammate out = *teammate;
  ho_columns_copy(teammate_columns, TEAMMATE, &out, arena);
  return out;
}

ho_code ho_runs_get_teammate(ho_store *store, ho_str id, ho_arena *arena, ho_teammate *out, ho_error *err)
{
  const reading like = {arena, teammate_columns, TEAMMATE, sizeof *out, NULL, NULL};
  return get(store, HO_SQL_TEAMMATE_GET, "teammate", id, &like, out, err);
}

ho_code ho_runs_teammates(ho_store *store, ho_str run, ho_str task, ho_teammate_state state, int64_t limit,
                          ho_arena *arena, ho_teammate_list *out, ho_error *err)
{
  void *rows = NULL;
  reading r = {arena, teammate_columns, TEAMMATE, sizeof *out->rows, &rows, &out->count};
  ho_sql statement = run.n    ? HO_SQL_TEAMMATE_OF_RUN
                     : task.n ? HO_SQL_TEAMMATE_OF_TASK
                     : state  ? HO_SQL_TEAMMATE_IN_STATE
                              : HO_SQL_TEAMMATE_SELECT;
  *out = (ho_teammate_list){0};
  ho_code code = HO_RUN(store, statement, take_row, &r, NULL, err, HO_TEXT(run), HO_TEXT(task),
                        HO_TEXT(ho_words_str(&ho_teammate_states, state)), HO_INT(limit ? limit : USUAL_LIMIT));
  out->rows = rows;
  return code;
}

ho_code ho_runs_ended(ho_store *store, int64_t after, int64_t limit, ho_arena *arena, ho_run_list *out, ho_error *err)
{
  void *rows = NULL;
  reading r = {arena, run_columns, RUN, sizeof *out->rows, &rows, &out->count};
  *out = (ho_run_list){0};
  ho_code code = HO_RUN(store, HO_SQL_RUN_ENDED, take_row, &r, NULL, err, HO_INT(after), HO_INT(limit));
  out->rows = rows;
  return code;
}

ho_code ho_runs_ended_teammates(ho_store *store, int64_t after, int64_t limit, ho_arena *arena, ho_teammate_list *out,
                                ho_error *err)
{
  void *rows = NULL;
  reading r = {arena, teammate_columns, TEAMMATE, sizeof *out->rows, &rows, &out->count};
  *out = (ho_teammate_list){0};
  ho_code code = HO_RUN(store, HO_SQL_TEAMMATE_ENDED, take_row, &r, NULL, err, HO_INT(after), HO_INT(limit));
  out->rows = rows;
  return code;
}
