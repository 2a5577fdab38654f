/* A run: a plan carried to its end by a relay of teammates.
 *
 * The lead starts teammates and successors, reads what they leave, asks people and continues; it never does the work
 * itself. What happened is in the store (store/runs/runs.h), and the store is authoritative: a lead that was killed
 * can be started again and continues from what the store says, with the teammates that are still alive. The markers
 * in the plan follow the store. */
#ifndef HO_ENGINE_RUN_RUN_H
#define HO_ENGINE_RUN_RUN_H

#include "engine/project/project.h"
#include "engine/plan/plan_steps.h"
#include "store/runs/runs.h"
#include "model/harness/harness.h"

typedef struct ho_run ho_run;

#define HO_RUN_WORKER "worker:" /* in place of the plan's path, before the name of a worker's agent */

/* What an observer of a run is told; every function may be NULL. Texts live until it returns. */
typedef struct ho_run_watch {
  void *data;
  /* The run begins or continues: its steps are known. */
  /* Before anything is started: a command line with which teammates will be, quoted for a shell; once for each. */
  void (*command)(void *data, const ho_run *run, ho_str line);
  void (*begun)(void *data, const ho_run *run);
  void (*started)(void *data, const ho_run *run, const ho_run_step *step, const ho_teammate *teammate);
  /* A teammate that outlived its lead now belongs to this lead. */
  void (*adopted)(void *data, const ho_run *run, const ho_run_step *step, const ho_teammate *teammate);
  /* A teammate ended; step says what comes next, teammate->why is one sentence about it. */
  void (*ended)(void *data, const ho_run *run, const ho_run_step *step, const ho_teammate *teammate);
  /* The step changed its state (done, gated, failed, continuing after a gate …). */
  void (*changed)(void *data, const ho_run *run, const ho_run_step *step);
  /* A person must decide about the step before it continues. */
  void (*gate)(void *data, const ho_run *run, const ho_run_step *step);
  /* Something that people should know: a marker that could not be written, an interrupt that was received. */
  void (*note)(void *data, const ho_run *run, ho_str sentence);
  /* Called every tick_ms while teammates work, for a live view; tick_ms 0: never, and the lead sleeps. */
  void (*tick)(void *data, const ho_run *run);
  int64_t tick_ms;
  /* A descriptor that the lead waits for as well (-1: none), and who is told when something is there. It may change. */
  int keys;
  void (*key)(void *data, const ho_run *run);
  void (*finished)(void *data, const ho_run *run);
} ho_run_watch;

typedef struct ho_run_options {
  ho_str plan; /* absolute */
  ho_str text; /* of the plan, as it was read */
  /* --agent: an agent from the settings, a harness, or a command; "": only what steps name */
  ho_str agent;
  ho_str sign;            /* what shows that an agent started the run, which may then not choose a command; or "" */
  int64_t jobs;           /* maximum number of teammates at a time, at least 1 */
  int64_t max_successors; /* per step, before a person is asked */
  int64_t timeout;        /* seconds that a teammate may work; 0: no limit */
  int64_t budget_tokens;  /* for the whole run: beyond it nothing new is started; 0: none */
  bool worktrees;         /* each step in its own git worktree */
  ho_str task, phase;     /* for a worker: only these, or "" */
  bool from_start;        /* a run that failed is not continued: everything starts again */
  bool wait;              /* wait for people at gates; else end with HO_GATED when only gates are left */
  const ho_tokens *tokens;
  ho_str program;            /* this program's file, for its shims */
  ho_str store;              /* the store's address for teammates, or "": the project's */
  ho_rights rights;          /* what teammates may do with this program's commands */
  const ho_run_watch *watch; /* or NULL */
} ho_run_options;

/* How a run ended. */
typedef struct ho_run_outcome {
  ho_code status;   /* the exit status for the command */
  ho_node *summary; /* what happened */
} ho_run_outcome;

/* Carries the plan forward. HO_CONFLICT: somebody else leads a run of this plan. out->status HO_OK: every step is done
 * (or skipped). HO_GATED: people must decide first. HO_NO: a teammate said STOP, a step failed or was rejected, or the
 * run was interrupted. HO_LIMIT: the budget is used up. */
ho_code ho_run_carry(ho_project *project, ho_arena *arena, const ho_run_options *options, ho_run_outcome *out,
                     ho_error *err) HO_NODISCARD;

/* A worker: without a plan, teammates do what is ready for the project's agent (else for options->agent), as `next`
 * delivers it, up to options->jobs at a time. Without options->wait it ends when nothing is ready. out->status HO_OK:
 * everything that was claimed has ended; HO_NO: nothing was ready, or something was given back. */
ho_code ho_run_serve(ho_project *project, ho_arena *arena, const ho_run_options *options, ho_run_outcome *out,
                     ho_error *err) HO_NODISCARD;

/* The command lines with which teammates for these steps (NULL: a worker's) would be started, quoted for a shell, each
 * once, added to a list; none for a step of whom nobody can say who does it. */
void ho_run_commands(const ho_project *project, ho_arena *arena, const ho_plan_steps *plan,
                     const ho_run_options *options, ho_node *out);

/* ---- For observers. */
const ho_run_row *ho_run_about(const ho_run *run);
const ho_plan_steps *ho_run_plan(const ho_run *run);
/* The steps of the run, in plan order: item i is about step i of ho_run_plan. */
const ho_run_step *ho_run_steps(const ho_run *run, size_t *count);
/* Teammates that are working now. */
const ho_teammate *ho_run_working(const ho_run *run, size_t index); /* NULL after the last */
/* The task's folder, below the project's root. */
ho_str ho_run_folder(const ho_run *run);
int64_t ho_run_now(const ho_run *run);
/* How often it was interrupted: once, and nothing new is started; twice, and teammates are ended. */
int ho_run_interrupts(const ho_run *run);

/* Is a lead at work on the run, as far as this machine can tell? One on another machine counts as at work. */
bool ho_run_is_led(const ho_run_row *row, ho_arena *arena);

/* A finished or waiting run, for `run --json`, the report and other commands; from the store alone:
 * {run, plan, task, title, state, why, started, ended, seconds, tokens,
 *  steps: [{step, name, state, why, gate, teammates, successors, tokens, started, ended}],
 *  teammates: [{id, step, n, agent, adapter, state, outcome, exit_status, started, ended, seconds, from, left, folder,
 *               log, tokens, why}],
 *  gates: [{gate, step, why}], merge: [{step, branch, folder}]}.
 * Times are texts, absent ones null. HO_NOT_FOUND if there is no such run. */
ho_code ho_run_summary(ho_project *project, ho_arena *arena, ho_str run, ho_node **out, ho_error *err) HO_NODISCARD;
#endif
