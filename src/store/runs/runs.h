/* Runs of plans, their steps, and the teammates that worked on them.
 *
 * A run takes a plan from start to end; only its lead changes these rows. A step is a phase of the plan in that run;
 * a teammate is one process that worked on a step, the first one or a successor. As elsewhere in the store,
 * absent texts are empty and absent numbers 0. Functions that change something must be called inside ho_store_write. */
#ifndef HO_STORE_RUNS_RUNS_H
#define HO_STORE_RUNS_RUNS_H

#include "base/words.h"
#include "model/lifecycle.h"
#include "store/store.h"

/* clang-format off */
#define HO_RUN_STATES(X) \
  X(RUNNING, "running") \
  X(WAITING, "waiting")  /* for people, or for a lead: it can be started again */ \
  X(DONE, "done") \
  X(STOPPED, "stopped")  /* a teammate said STOP */ \
  X(FAILED, "failed")

#define HO_STEP_STATES(X) \
  X(WAITING, "waiting") \
  X(RUNNING, "running") \
  X(GATED, "gated")      /* a person must decide */ \
  X(DONE, "done") \
  X(FAILED, "failed") \
  X(SKIPPED, "skipped")  /* by the plan */ \
  X(HELD, "held")        /* by the plan: not yet to be started */

/* Why a person is asked about a step. */
#define HO_GATE_REASONS(X) \
  X(RESULT, "result")          /* to approve what was done */ \
  X(BLOCKED, "blocked") \
  X(FAILED, "failed") \
  X(CLARIFY, "clarify") \
  X(SUCCESSORS, "successors")  /* too many teammates */ \
  X(PROGRESS, "progress")      /* teammates left nothing done, tried or learned */ \
  X(BUDGET, "budget")          /* tokens or time are used up */ \
  X(ADVICE, "advice")          /* nothing waits for it */ \
  X(STOP, "stop")              /* nobody is asked: a teammate said STOP */ \
  X(HANDOFF, "handoff")        /* nobody is asked anew: what it continues from waits at this gate */

#define HO_TEAMMATE_STATES(X) \
  X(RUNNING, "running") \
  X(ENDED, "ended") \
  X(LOST, "lost")  /* it left no word about its end */

#define HO_OUTCOMES(X) \
  /* What it left says (besides done and clarify, which are states, too): */ \
  X(HANDOFF, "handoff")  /* partly done, and a handoff says how to continue */ \
  X(PARTIAL, "partial")  /* partly done, or interrupted, and nothing says how to continue */ \
  X(BLOCKED, "blocked") \
  X(FAILED, "failed") \
  X(STOP, "stop")        /* the run must stop */ \
  /* What it left is not a result: */ \
  X(INVALID, "invalid")  /* it cannot be understood */ \
  X(MISSING, "missing")  /* it names something that does not exist */ \
  X(NOTHING, "nothing") \
  /* It left nothing, because it: */ \
  X(DIED, "died") \
  X(TIMEOUT, "timeout") \
  X(STOPPED, "stopped") \
  X(LOST, "lost") \
  X(NOT_STARTED, "not_started") \
  /* The state in which a worker's teammate left its handoff. DONE is also a result that says that the step is done
   * (implemented, researched, planned; complete or PROCEED); CLARIFY, that a person must be asked. */ \
  HO_STATES(X)
/* clang-format on */

typedef enum ho_run_state {
  HO_RUN_STATE_NONE,
#define X(name, text) HO_RUN_STATE_##name,
  HO_RUN_STATES(X)
#undef X
} ho_run_state;
typedef enum ho_step_state {
  HO_STEP_NONE,
#define X(name, text) HO_STEP_##name,
  HO_STEP_STATES(X)
#undef X
} ho_step_state;
typedef enum ho_gate_reason {
  HO_REASON_NONE,
#define X(name, text) HO_REASON_##name,
  HO_GATE_REASONS(X)
#undef X
} ho_gate_reason;
typedef enum ho_teammate_state {
  HO_TEAMMATE_ANY, /* only in filters */
#define X(name, text) HO_TEAMMATE_##name,
  HO_TEAMMATE_STATES(X)
#undef X
} ho_teammate_state;
typedef enum ho_outcome {
  HO_OUTCOME_NONE, /* it works */
#define X(name, ...) HO_OUTCOME_##name,
  HO_OUTCOMES(X)
#undef X
} ho_outcome;
extern const ho_words ho_run_states, ho_step_states, ho_gate_reasons, ho_teammate_states, ho_outcomes;

typedef struct ho_run_row {
  ho_str id;   /* R-2026-001 */
  ho_str plan; /* its file, relative to the root if it is inside */
  ho_str task, title;
  ho_str options; /* JSON: the options it was started with, and the steps that a person approves */
  ho_run_state state;
  ho_str why;  /* one sentence, if it did not end well or is waiting */
  ho_str lead; /* who leads it: USER@HOST */
  int64_t lead_pid;
  int64_t started, ended, updated;
} ho_run_row;

typedef struct ho_run_list {
  ho_run_row *rows;
  size_t count;
} ho_run_list;

typedef struct ho_run_step {
  ho_str run, step; /* the step's id in the plan */
  int64_t place;    /* in the plan, from 1 */
  ho_str name;
  ho_step_state state;
  ho_str gate; /* the gate it waits for, or last waited for */
  ho_gate_reason gate_why;
  ho_str why;         /* one sentence about its state */
  ho_str handoff;     /* path of the newest handoff, which the next teammate starts from */
  ho_str summary;     /* context_summary of its response, passed on to later steps */
  ho_str note;        /* what a person said at its gate, for the next teammate */
  ho_str progress;    /* digest of its progress when its newest teammate began */
  int64_t teammates;  /* how many have been started */
  int64_t successors; /* since it began, or since a person let it continue */
  int64_t crashes;    /* in a row */
  int64_t idle;       /* teammates in a row that made no progress */
  int64_t not_before; /* back-off: when the next may start */
  int64_t tokens;     /* used by its teammates, as far as they reported it */
  int64_t started, ended;
} ho_run_step;

typedef struct ho_run_step_list {
  ho_run_step *rows;
  size_t count;
} ho_run_step_list;

typedef struct ho_teammate {
  ho_str id; /* RUN/STEP.N, also the name of its folder below .handoff/run */
  ho_str run, task, step;
  int64_t n; /* 1: the first of its step; 2…: successors */
  ho_str agent, adapter, session;
  int64_t pid; /* of its shim */
  /* when that process began according to the system; distinguishes it from a later one with the same number */
  int64_t pid_start;
  ho_teammate_state state;
  int64_t started, ended;
  int64_t exit_status; /* of the agent; -N: ended by signal N */
  ho_outcome outcome;
  ho_str from_id, from_path; /* the handoff it started from, or "" */
  ho_str left_id, left_path; /* the handoff it left, or that was drafted on its behalf */
  ho_str folder;             /* where it worked, absolute: the root, or its own worktree */
  ho_str log;                /* its output, relative to the root */
  int64_t tokens;
  ho_str why; /* one sentence: how it ended and what came of it */
} ho_teammate;

typedef struct ho_teammate_list {
  ho_teammate *rows;
  size_t count;
} ho_teammate_list;

/* The key of a handoff that a run sent, "run:RUN/STEP.N:WHAT". Nobody else may use such keys, or any approved gate could
 * pose as that of a step. */
#define HO_RUNS_KEYS "run:"
typedef struct ho_runs_key {
  ho_str run, step, what;
  int64_t n; /* of the teammate */
} ho_runs_key;
/* false: it is not one of these. */
bool ho_runs_key_parse(ho_str key, ho_runs_key *out);

/* ---- Runs. HO_CONFLICT if the id is taken. */
ho_code ho_runs_add(ho_store *store, const ho_run_row *run, ho_error *err) HO_NODISCARD;
/* Writes options, state, why, lead, lead_pid, ended and updated. HO_NOT_FOUND. */
ho_code ho_runs_change(ho_store *store, const ho_run_row *run, ho_error *err) HO_NODISCARD;
ho_code ho_runs_get(ho_store *store, ho_str id, ho_arena *arena, ho_run_row *out, ho_error *err) HO_NODISCARD;
/* plan and task filter unless empty; open: only those that are running or waiting. Newest first. limit 0: 10000. */
ho_code ho_runs_select(ho_store *store, ho_str plan, ho_str task, bool open, int64_t limit, ho_arena *arena,
                       ho_run_list *out, ho_error *err) HO_NODISCARD;

/* Those that ended after that time, in that order. */
ho_code ho_runs_ended(ho_store *store, int64_t after, int64_t limit, ho_arena *arena, ho_run_list *out,
                      ho_error *err) HO_NODISCARD;

/* ---- Steps: adds the step, or replaces everything but run and step. */
ho_code ho_runs_put_step(ho_store *store, const ho_run_step *step, ho_error *err) HO_NODISCARD;
/* In plan order. */
ho_code ho_runs_steps(ho_store *store, ho_str run, ho_arena *arena, ho_run_step_list *out, ho_error *err) HO_NODISCARD;

/* ---- Teammates: adds the teammate, or replaces everything but its id. */
ho_code ho_runs_put_teammate(ho_store *store, const ho_teammate *teammate, ho_error *err) HO_NODISCARD;
/* The same with its texts in the arena. */
ho_teammate ho_runs_copy_teammate(const ho_teammate *teammate, ho_arena *arena);
ho_code ho_runs_get_teammate(ho_store *store, ho_str id, ho_arena *arena, ho_teammate *out, ho_error *err) HO_NODISCARD;
/* run, task and state filter unless empty; in the order in which they were started. limit 0: 10000. */
ho_code ho_runs_teammates(ho_store *store, ho_str run, ho_str task, ho_teammate_state state, int64_t limit,
                          ho_arena *arena, ho_teammate_list *out, ho_error *err) HO_NODISCARD;
/* Those that ended after that time, in that order. */
ho_code ho_runs_ended_teammates(ho_store *store, int64_t after, int64_t limit, ho_arena *arena, ho_teammate_list *out,
                                ho_error *err) HO_NODISCARD;
#endif
