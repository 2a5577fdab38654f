/* The statements of runs.c; part of sql.h. */
#ifndef HO_STORE_SQL_RUNS_H
#define HO_STORE_SQL_RUNS_H

#define HO_RUN_COLUMNS "id, plan, task, title, options, state, why, lead, lead_pid, started, ended, updated"
#define HO_RUN_STEP_COLUMNS                                                                                            \
  "run, step, place, name, state, gate, gate_why, why, handoff, summary, note, progress, teammates, successors, "      \
  "crashes, idle, not_before, tokens, started, ended"
#define HO_TEAMMATE_COLUMNS                                                                                            \
  "id, run, task, step, n, agent, adapter, session, pid, pid_start, state, started, ended, exit_status, outcome, "     \
  "from_id, from_path, left_id, left_path, folder, log, tokens, why"

/* Teammates by run, task and state. Each may be "" (any), except the one answered by an index. */
#define HO_OF_RUN "($1 = '' OR run = $1)"
#define HO_OF_TASK "($2 = '' OR task = $2)"
#define HO_IN_STATE "($3 = '' OR state = $3)"
#define HO_TEAMMATES(run, task, state)                                                                                 \
  "SELECT " HO_TEAMMATE_COLUMNS " FROM teammates WHERE " run " AND " task " AND " state " ORDER BY started, id LIMIT " \
  "$4"

#define HO_STATEMENTS_TEAMMATES(X)                                                                                     \
  X(RUN_ADD, "INSERT INTO runs (" HO_RUN_COLUMNS ") VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) "       \
             "ON CONFLICT DO NOTHING")                                                                                 \
  X(RUN_CHANGE, "UPDATE runs SET options = $5, state = $6, why = $7, lead = $8, lead_pid = $9, ended = $11, "          \
                "updated = $12 WHERE id = $1")                                                                         \
  X(RUN_GET, "SELECT " HO_RUN_COLUMNS " FROM runs WHERE id = $1")                                                      \
  X(RUN_SELECT, "SELECT " HO_RUN_COLUMNS " FROM runs WHERE ($1 = '' OR plan = $1) AND ($2 = '' OR task = $2) AND "     \
                "($3 = '' OR state = $3 OR ($3 = 'open' AND state IN ('running', 'waiting'))) "                        \
                "ORDER BY started DESC, id DESC LIMIT $4")                                                             \
  X(RUN_STEP_PUT,                                                                                                      \
    "INSERT INTO run_steps (" HO_RUN_STEP_COLUMNS ") VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, "                \
    "$11, $12, $13, $14, $15, $16, $17, $18, $19, $20) ON CONFLICT (run, step) DO UPDATE SET "                         \
    "place = $3, name = $4, state = $5, gate = $6, gate_why = $7, why = $8, handoff = $9, "                            \
    "summary = $10, note = $11, progress = $12, teammates = $13, successors = $14, crashes = $15, idle = $16, "        \
    "not_before = $17, tokens = $18, started = $19, ended = $20")                                                      \
  X(RUN_STEP_SELECT, "SELECT " HO_RUN_STEP_COLUMNS " FROM run_steps WHERE run = $1 ORDER BY place, step")              \
  X(TEAMMATE_PUT, "INSERT INTO teammates (" HO_TEAMMATE_COLUMNS ") VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, "  \
                  "$11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23) ON CONFLICT (id) DO UPDATE SET "   \
                  "run = $2, task = $3, step = $4, n = $5, agent = $6, adapter = $7, session = $8, pid = $9, "         \
                  "pid_start = $10, state = $11, started = $12, ended = $13, exit_status = $14, outcome = $15, "       \
                  "from_id = $16, from_path = $17, left_id = $18, left_path = $19, folder = $20, log = $21, "          \
                  "tokens = $22, why = $23")                                                                           \
  X(TEAMMATE_GET, "SELECT " HO_TEAMMATE_COLUMNS " FROM teammates WHERE id = $1")                                       \
  X(TEAMMATE_OF_RUN, HO_TEAMMATES("run = $1", HO_OF_TASK, HO_IN_STATE))                                                \
  X(TEAMMATE_OF_TASK, HO_TEAMMATES(HO_OF_RUN, "task = $2", HO_IN_STATE))                                               \
  X(TEAMMATE_IN_STATE, HO_TEAMMATES(HO_OF_RUN, HO_OF_TASK, "state = $3"))                                              \
  X(TEAMMATE_SELECT, HO_TEAMMATES(HO_OF_RUN, HO_OF_TASK, HO_IN_STATE))
#endif
