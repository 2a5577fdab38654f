#include "store/handoffs/gates.h"

#include "store/columns.h"
#include "store/handoffs/handoffs.h"
#include "store/handoffs/rows.h"

HO_WORDS(ho_gate_states, "a state of a gate", NULL, HO_GATE_STATES);
HO_WORDS(ho_gate_decisions, "a decision at a gate", "", HO_GATE_DECISIONS);
HO_WORDS(ho_gate_knowns, "a way to know who decided", "", HO_GATE_KNOWNS);

#define HO_COLUMN_GATE_STATE false, &ho_gate_states
#define HO_COLUMN_DECISION false, &ho_gate_decisions
#define HO_COLUMN_GATE_KNOWN false, &ho_gate_knowns
static const ho_column columns[] = {
#define X(n, kind, column, field, role) {HO_COLUMN_ROW(ho_gate, kind, field), false},
    HO_GATE_COLUMNS(X, X)
#undef X
};
enum { COLUMNS = HO_COUNT(columns) };

ho_code ho_gates_add(ho_store *store, const ho_gate *gate, ho_error *err)
{
  ho_value values[COLUMNS];
  int64_t changed = 0;
  ho_code code = ho_store_must_write(store, err);
  if (code)
    return code;
  ho_columns_give(columns, COLUMNS, gate, values);
  code = store->driver->run(store->db, HO_SQL_GATE_ADD, values, COLUMNS, NULL, NULL, &changed, err);
  if (!code && !changed)
    code = ho_fail(err, HO_CONFLICT, "the id %.*s is taken", HO_ARG(gate->id));
  return code;
}

ho_code ho_gates_change(ho_store *store, const ho_gate *gate, ho_gate_state from, ho_error *err)
{
  ho_value values[COLUMNS];
  int64_t changed = 0;
  ho_code code = ho_store_must_write(store, err);
  if (code)
    return code;
  ho_columns_give(columns, COLUMNS, gate, values);
  values[1] = HO_TEXT(ho_words_str(&ho_gate_states, from));
  code = store->driver->run(store->db, HO_SQL_GATE_CHANGE, values, COLUMNS, NULL, NULL, &changed, err);
  if (!code && !changed)
    code = ho_fail(err, HO_CONFLICT, "gate %.*s was changed by someone else; try again", HO_ARG(gate->id));
  return code;
}

typedef struct reading {
  ho_arena *arena;
  ho_gate_list *out;
} reading;

static ho_code take_row(void *data, const ho_value *values, ho_error *err)
{
  reading *r = data;
  ho_gate *gate = HO_PUSH(r->arena, r->out->rows, r->out->count);
  return gate ? ho_columns_take(columns, COLUMNS, gate, values, r->arena, err) : ho_fail_memory(err);
}

ho_code ho_gates_get(ho_store *store, ho_str id, ho_arena *arena, ho_gate *out, ho_error *err)
{
  ho_gate_list list = {0};
  reading r = {.arena = arena, .out = &list};
  ho_code code = HO_RUN(store, HO_SQL_GATE_GET, take_row, &r, NULL, err, HO_TEXT(id));
  if (!code && !list.count)
    code = ho_fail(err, HO_NOT_FOUND, "there is no gate %.*s", HO_ARG(id));
  *out = code ? (ho_gate){0} : list.rows[0];
  return code;
}

ho_code ho_gates_select(ho_store *store, ho_gate_state state, ho_str handoff, int64_t limit, ho_arena *arena,
                        ho_gate_list *out, ho_error *err)
{
  enum { USUAL_LIMIT = 1000 };
  reading r = {.arena = arena, .out = out};
  ho_sql statement = handoff.n ? HO_SQL_GATE_OF : state ? HO_SQL_GATE_STATE : HO_SQL_GATE_SELECT;
  *out = (ho_gate_list){0};
  return HO_RUN(store, statement, take_row, &r, NULL, err, HO_TEXT(ho_words_str(&ho_gate_states, state)),
                HO_TEXT(handoff), HO_INT(limit ? limit : USUAL_LIMIT));
}

typedef struct reading_handoffs {
  ho_arena *arena;
  ho_handoff_list *out;
} reading_handoffs;

static ho_code take_handoff(void *data, const ho_value *values, ho_error *err)
{
  reading_handoffs *r = data;
  ho_handoff *row = HO_PUSH(r->arena, r->out->rows, r->out->count);
  return row ? ho_rows_take_handoff(row, values, r->arena, err) : ho_fail_memory(err);
}

/* Asked before a statement that sorts, which costs ten times as much even if there is nothing to sort. */
static ho_code is_any(ho_store *store, ho_sql statement, int64_t now, bool *any, ho_error *err)
{
  ho_one_number one = {0};
  ho_value value = HO_INT(now);
  ho_code code = store->driver->run(store->db, statement, &value, statement == HO_SQL_GATE_LATE, ho_columns_take_number,
                                    &one, NULL, err);
  *any = one.found;
  return code;
}

ho_code ho_gates_handoffs(ho_store *store, int64_t approved, int64_t limit, ho_arena *arena, ho_handoff_list *out,
                          ho_error *err)
{
  reading_handoffs r = {.arena = arena, .out = out};
  bool any;
  *out = (ho_handoff_list){0};
  ho_code code = is_any(store, HO_SQL_GATE_ASKED, 0, &any, err);
  if (code || !any)
    return code;
  return HO_RUN(store, HO_SQL_GATE_HANDOFFS, take_handoff, &r, NULL, err,
                HO_TEXT(ho_words_str(&ho_gate_decisions, HO_DECISION_APPROVE)), HO_INT(approved), HO_INT(limit));
}

ho_code ho_gates_due(ho_store *store, int64_t now, int64_t limit, ho_arena *arena, ho_gate_list *out, ho_error *err)
{
  reading r = {.arena = arena, .out = out};
  bool any;
  *out = (ho_gate_list){0};
  ho_code code = is_any(store, HO_SQL_GATE_LATE, now, &any, err);
  if (code || !any)
    return code;
  return HO_RUN(store, HO_SQL_GATE_DUE, take_row, &r, NULL, err, HO_INT(now), HO_INT(limit));
}
