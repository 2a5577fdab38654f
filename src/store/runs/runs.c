#include "store/runs/runs.h"

#include "store/columns.h"

#define TEXT(type, field)                                                                                              \
  {                                                                                                                    \
    offsetof(type, field), false, false                                                                                \
  }
#define NUMBER(type, field)                                                                                            \
  {                                                                                                                    \
    offsetof(type, field), true, false                                                                                 \
  }

/* In the order of the column lists in sql_runs.h. */
#define T(field) TEXT(ho_run_row, field)
#define N(field) NUMBER(ho_run_row, field)
static const ho_column run_columns[] = {T(id),  T(plan), T(task),     T(title),   T(options), T(state),
                                        T(why), T(lead), N(lead_pid), N(started), N(ended),   N(updated)};
#undef T
#undef N
#define T(field) TEXT(ho_run_step, field)
#define N(field) NUMBER(ho_run_step, field)
static const ho_column step_columns[] = {T(run),  T(step),       N(place),     T(name),       T(state),
                                         T(gate), T(gate_why),   T(why),       T(handoff),    T(summary),
                                         T(note), T(progress),   N(teammates), N(successors), N(crashes),
                                         N(idle), N(not_before), N(tokens),    N(started),    N(ended)};
#undef T
#undef N
#define T(field) TEXT(ho_teammate, field)
#define N(field) NUMBER(ho_teammate, field)
static const ho_column teammate_columns[] = {
    T(id),        T(run),       T(task),      T(step),    N(n),     T(agent),       T(adapter), T(session),
    N(pid),       N(pid_start), T(state),     N(started), N(ended), N(exit_status), T(outcome), T(from_id),
    T(from_path), T(left_id),   T(left_path), T(folder),  T(log),   N(tokens),      T(why)};
#undef T
#undef N

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
  if (ho_grow(r->arena, r->rows, *r->count, r->size))
    ho_columns_take(r->columns, r->columns_count, (char *)*r->rows + r->size * (*r->count)++, values, r->arena);
  return ho_arena_code(r->arena, err);
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

ho_code ho_runs_select(ho_store *store, ho_str plan, ho_str task, ho_str state, int64_t limit, ho_arena *arena,
                       ho_run_list *out, ho_error *err)
{
  void *rows = NULL;
  reading r = {arena, run_columns, RUN, sizeof *out->rows, &rows, &out->count};
  *out = (ho_run_list){0};
  ho_code code = HO_RUN(store, HO_SQL_RUN_SELECT, take_row, &r, NULL, err, HO_TEXT(plan), HO_TEXT(task), HO_TEXT(state),
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

ho_code ho_runs_get_teammate(ho_store *store, ho_str id, ho_arena *arena, ho_teammate *out, ho_error *err)
{
  const reading like = {arena, teammate_columns, TEAMMATE, sizeof *out, NULL, NULL};
  return get(store, HO_SQL_TEAMMATE_GET, "teammate", id, &like, out, err);
}

ho_code ho_runs_teammates(ho_store *store, ho_str run, ho_str task, ho_str state, int64_t limit, ho_arena *arena,
                          ho_teammate_list *out, ho_error *err)
{
  void *rows = NULL;
  reading r = {arena, teammate_columns, TEAMMATE, sizeof *out->rows, &rows, &out->count};
  ho_sql statement = run.n     ? HO_SQL_TEAMMATE_OF_RUN
                     : task.n  ? HO_SQL_TEAMMATE_OF_TASK
                     : state.n ? HO_SQL_TEAMMATE_IN_STATE
                               : HO_SQL_TEAMMATE_SELECT;
  *out = (ho_teammate_list){0};
  ho_code code = HO_RUN(store, statement, take_row, &r, NULL, err, HO_TEXT(run), HO_TEXT(task), HO_TEXT(state),
                        HO_INT(limit ? limit : USUAL_LIMIT));
  out->rows = rows;
  return code;
}
