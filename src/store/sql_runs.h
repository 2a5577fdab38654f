/* The statements of runs.c; part of sql.h. */
#ifndef HO_STORE_SQL_RUNS_H
#define HO_STORE_SQL_RUNS_H

#include "store/sql_columns.h"

/* clang-format off */
#define HO_RUN_COLUMNS(X, LAST) \
  X(1, TEXT, id, id, FIXED) \
  X(2, TEXT, plan, plan, FIXED) \
  X(3, TEXT, task, task, FIXED) \
  X(4, TEXT, title, title, FIXED) \
  X(5, TEXT, options, options, CHANGED) \
  X(6, RUN_STATE, state, state, CHANGED) \
  X(7, TEXT, why, why, CHANGED) \
  X(8, TEXT, lead, lead, CHANGED) \
  X(9, NUMBER, lead_pid, lead_pid, CHANGED) \
  X(10, NUMBER, started, started, FIXED) \
  X(11, NUMBER, ended, ended, CHANGED) \
  LAST(12, NUMBER, updated, updated, CHANGED)

#define HO_RUN_STEP_COLUMNS(X, LAST) \
  X(1, TEXT, run, run, FIXED) \
  X(2, TEXT, step, step, FIXED) \
  X(3, NUMBER, place, place, CHANGED) \
  X(4, TEXT, name, name, CHANGED) \
  X(5, STEP_STATE, state, state, CHANGED) \
  X(6, TEXT, gate, gate, CHANGED) \
  X(7, GATE_REASON, gate_why, gate_why, CHANGED) \
  X(8, TEXT, why, why, CHANGED) \
  X(9, TEXT, handoff, handoff, CHANGED) \
  X(10, TEXT, summary, summary, CHANGED) \
  X(11, TEXT, note, note, CHANGED) \
  X(12, TEXT, progress, progress, CHANGED) \
  X(13, NUMBER, teammates, teammates, CHANGED) \
  X(14, NUMBER, successors, successors, CHANGED) \
  X(15, NUMBER, crashes, crashes, CHANGED) \
  X(16, NUMBER, idle, idle, CHANGED) \
  X(17, NUMBER, not_before, not_before, CHANGED) \
  X(18, NUMBER, tokens, tokens, CHANGED) \
  X(19, NUMBER, started, started, CHANGED) \
  LAST(20, NUMBER, ended, ended, CHANGED)

#define HO_TEAMMATE_COLUMNS(X, LAST) \
  X(1, TEXT, id, id, FIXED) \
  X(2, TEXT, run, run, CHANGED) \
  X(3, TEXT, task, task, CHANGED) \
  X(4, TEXT, step, step, CHANGED) \
  X(5, NUMBER, n, n, CHANGED) \
  X(6, TEXT, agent, agent, CHANGED) \
  X(7, TEXT, adapter, adapter, CHANGED) \
  X(8, TEXT, session, session, CHANGED) \
  X(9, NUMBER, pid, pid, CHANGED) \
  X(10, NUMBER, pid_start, pid_start, CHANGED) \
  X(11, TEAMMATE_STATE, state, state, CHANGED) \
  X(12, NUMBER, started, started, CHANGED) \
  X(13, NUMBER, ended, ended, CHANGED) \
  X(14, NUMBER, exit_status, exit_status, CHANGED) \
  X(15, OUTCOME, outcome, outcome, CHANGED) \
  X(16, TEXT, from_id, from_id, CHANGED) \
  X(17, TEXT, from_path, from_path, CHANGED) \
  X(18, TEXT, left_id, left_id, CHANGED) \
  X(19, TEXT, left_path, left_path, CHANGED) \
  X(20, TEXT, folder, folder, CHANGED) \
  X(21, TEXT, log, log, CHANGED) \
  X(22, NUMBER, tokens, tokens, CHANGED) \
  LAST(23, TEXT, why, why, CHANGED)
/* clang-format on */

/* Teammates by run, task and state. Each may be "" (any), except the one answered by an index. */
#define HO_OF_RUN "($1 = '' OR run = $1)"
#define HO_OF_TASK "($2 = '' OR task = $2)"
#define HO_IN_STATE "($3 = '' OR state = $3)"
#define HO_TEAMMATES(run, task, state)                                                                                 \
  "SELECT " HO_NAMES(HO_TEAMMATE_COLUMNS) " FROM teammates WHERE " run " AND " task " AND " state                      \
                                          " ORDER BY started, id LIMIT "                                               \
                                          "$4"

#define HO_STATEMENTS_TEAMMATES(X)                                                                                     \
  X(RUN_ADD,                                                                                                           \
    "INSERT INTO runs (" HO_NAMES(HO_RUN_COLUMNS) ") VALUES (" HO_VALUES(HO_RUN_COLUMNS) ") ON CONFLICT DO NOTHING")   \
  X(RUN_CHANGE, "UPDATE runs SET " HO_SETS(HO_RUN_COLUMNS) " WHERE id = $1")                                           \
  X(RUN_GET, "SELECT " HO_NAMES(HO_RUN_COLUMNS) " FROM runs WHERE id = $1")                                            \
  X(RUN_SELECT,                                                                                                        \
    "SELECT " HO_NAMES(HO_RUN_COLUMNS) " FROM runs WHERE ($1 = '' OR plan = $1) AND ($2 = '' OR task = $2) AND "       \
                                       "($3 = 0 OR state IN ('running', 'waiting')) "                                  \
                                       "ORDER BY started DESC, id DESC LIMIT $4")                                      \
  X(RUN_ENDED, "SELECT " HO_NAMES(HO_RUN_COLUMNS) " FROM runs WHERE ended > $1 ORDER BY ended, id LIMIT $2")           \
  X(RUN_STEP_PUT, "INSERT INTO run_steps (" HO_NAMES(HO_RUN_STEP_COLUMNS) ") VALUES (" HO_VALUES(                      \
                      HO_RUN_STEP_COLUMNS) ") ON CONFLICT (run, step) DO UPDATE SET " HO_SETS(HO_RUN_STEP_COLUMNS))    \
  X(RUN_STEP_SELECT, "SELECT " HO_NAMES(HO_RUN_STEP_COLUMNS) " FROM run_steps WHERE run = $1 ORDER BY place, step")    \
  X(TEAMMATE_PUT, "INSERT INTO teammates (" HO_NAMES(HO_TEAMMATE_COLUMNS) ") VALUES (" HO_VALUES(                      \
                      HO_TEAMMATE_COLUMNS) ") ON CONFLICT (id) DO UPDATE SET " HO_SETS(HO_TEAMMATE_COLUMNS))           \
  X(TEAMMATE_GET, "SELECT " HO_NAMES(HO_TEAMMATE_COLUMNS) " FROM teammates WHERE id = $1")                             \
  X(TEAMMATE_ENDED, "SELECT " HO_NAMES(HO_TEAMMATE_COLUMNS) " FROM teammates WHERE ended > $1 "                        \
                                                            "ORDER BY ended, id LIMIT $2")                             \
  X(TEAMMATE_OF_RUN, HO_TEAMMATES("run = $1", HO_OF_TASK, HO_IN_STATE))                                                \
  X(TEAMMATE_OF_TASK, HO_TEAMMATES(HO_OF_RUN, "task = $2", HO_IN_STATE))                                               \
  X(TEAMMATE_IN_STATE, HO_TEAMMATES(HO_OF_RUN, HO_OF_TASK, "state = $3"))                                              \
  X(TEAMMATE_SELECT, HO_TEAMMATES(HO_OF_RUN, HO_OF_TASK, HO_IN_STATE))
#endif
