/* Internals of a run, for the files run*.c only. */
#ifndef HO_ENGINE_RUN_RUN_PARTS_H
#define HO_ENGINE_RUN_RUN_PARTS_H

#include "base/proc/shim.h"
#include "engine/phase/phase.h"
#include "engine/relay/handed.h"
#include "engine/run/adapter.h"
#include "engine/run/joined.h"
#include "engine/run/run.h"
#include "engine/run/teammate_result.h"
#include "store/handoffs/gates.h"
#include "store/handoffs/handoffs.h"

/* A teammate that is working now. Its texts live in its own arena. */
typedef struct ho_run_mate {
  ho_arena arena;
  ho_teammate row;
  size_t step;
  ho_str phase, meta; /* for its environment: HANDOFF_PHASE, HANDOFF_META */
  ho_str wanted;      /* the agent that its step names, or "" */
  ho_str called;      /* its name, or "": taken from its command */
  ho_adapter_call call;
  ho_shim shim;
  int watch; /* becomes readable when it ends; -1: it has ended */
  int halts; /* how many times in a row its shim was found halted */
  bool changed;
  ho_str token; /* the claim on the handoff it starts from, until that is recorded */
  bool over;    /* it has ended, and its step continues without it */
  bool done;    /* if over: the handoff it started from is finished */
} ho_run_mate;

enum {
  HO_RUN_BACKOFF_MS = 500, /* after the first crash; doubled after each further one */
  HO_RUN_BACKOFF_MOST = 60000,
  HO_RUN_IDLE = 2,            /* teammates in a row without progress before a person is asked */
  HO_RUN_CLAIM = 604800,      /* how long, in seconds, the claim on a successor's handoff lasts */
  HO_RUN_GATE_LOOK_MS = 500,  /* how often gates are checked while the run waits for one */
  HO_RUN_HALT_LOOK_MS = 1000, /* how often it is checked whether the shims of the teammates go on */
  HO_RUN_HALTS = 3,           /* how many times in a row a shim may be found halted before it is ended */
  HO_RUN_JOBS = 256           /* teammates that work at the same time, whatever --jobs says */
};
#define HO_RUN_GATES "gates" /* in a run's options: the keys of the steps with `gate: blocking` */

struct ho_run {
  ho_project *project;
  ho_arena *arena; /* lives as long as the run */
  const ho_run_options *options;
  ho_run_row row;
  ho_plan_steps plan;
  ho_run_step *steps; /* step i is plan.items[i] */
  bool *changed;      /* step i must be written to the store */
  bool row_changed;
  ho_run_mate **mates;
  size_t mate_count;
  ho_str folder; /* of the task, below the root */
  ho_str files;  /* .handoff/run/RUN, absolute */
  int lock;
  int names;        /* the lock on the names of tasks, while a plan without a task looks for its folder; else -1 */
  int signals;      /* descriptor that receives interrupts */
  int interrupts;   /* how many were received */
  bool stopped;     /* the task is halted: a teammate said STOP, or somebody else did */
  ho_str halt;      /* if so: by whom and why, and how to resume it */
  bool over_budget; /* the run's tokens are used up */
  bool nothing;     /* was left to do: the plan's last run is shown again */
  bool marks_late;  /* the plan's markers may be behind the steps */
};

/* Calls a function of the observer. */
#define HO_RUN_TELL(run, function, ...)                                                                                \
  do {                                                                                                                 \
    const ho_run_watch *watch_ = (run)->options->watch;                                                                \
    if (watch_ && watch_->function)                                                                                    \
      watch_->function(watch_->data, (run), ##__VA_ARGS__);                                                            \
  } while (0)
void ho_run_note(ho_run *run, const char *format, ...) HO_PRINTF(2, 3);

/* ---- run_open.c: takes the lock, finds or begins the run, and reads its steps. */
ho_code ho_run_open(ho_run *run, ho_error *err) HO_NODISCARD;
void ho_run_close(ho_run *run);
/* Its parts: the row before it is stored, the lock on `what` (a plan's folder, a worker), a new row. */
void ho_run_describe(ho_run *run, ho_str plan, ho_str title);
ho_code ho_run_lock(ho_run *run, ho_str what, ho_error *err) HO_NODISCARD;
ho_code ho_run_begin(ho_run *run, ho_error *err) HO_NODISCARD;
/* Writes what has changed, in one transaction. */
ho_code ho_run_commit(ho_run *run, ho_error *err) HO_NODISCARD;
/* Copies a step's text into the run's arena. */
ho_str ho_run_keep(ho_run *run, ho_str text);
void ho_run_set(ho_run *run, size_t step, ho_step_state state, ho_str why);
bool ho_run_is(const ho_run *run, size_t step, ho_step_state state);

/* ---- run_place.c: where the run's documents are. */
/* The paths of a phase's files in the folder where a teammate works. */
ho_code ho_run_phase(const ho_run *run, ho_arena *arena, size_t step, ho_str root, ho_phase *out,
                     ho_error *err) HO_NODISCARD;
/* Finds the task's folder (run->folder, run->row.task). A plan without a task has one of its own, which no other plan
 * gets: its name is held until ho_run_open ends, and ho_run_own keeps it. */
ho_code ho_run_place(ho_run *run, ho_error *err) HO_NODISCARD;
ho_code ho_run_own(ho_run *run, ho_error *err) HO_NODISCARD;
/* HO_CONFLICT if teammates whose lead has died still work on the task for another plan. */
ho_code ho_run_alone(ho_run *run, ho_error *err) HO_NODISCARD;
/* Before the first teammate of a phase that the plan marks as not started: progress that was made for another plan of
 * the task is moved to the files of that plan's run. */
ho_code ho_run_fresh(ho_run *run, ho_run_mate *mate, ho_error *err) HO_NODISCARD;
/* HANDOFF_META, absolute: among the teammate's own files, but below the folder where it works, because sandboxes allow
 * nothing else. ho_run_meta_folder creates its folder. */
ho_str ho_run_meta(const ho_run_mate *mate, ho_arena *arena);
ho_code ho_run_meta_folder(const ho_run_mate *mate, ho_arena *arena, ho_error *err) HO_NODISCARD;
/* Keeps git from seeing .handoff/run below a root. */
ho_code ho_run_ignore(ho_arena *arena, ho_str root, ho_error *err) HO_NODISCARD;
/* Takes credentials out of what the teammate returned, once that is read: it stays beside its log. */
void ho_run_clean_meta(ho_run *run, ho_run_mate *mate);
/* Copies metadata that the teammate returned to the task's folder, where others look for it. Failures are reported to
 * the observer. */
void ho_run_publish(ho_run *run, ho_run_mate *mate, const ho_result *result);

/* ---- run.c: adopts those that were working when the last lead of the run ended. */
ho_code ho_run_adopt(ho_run *run, ho_error *err) HO_NODISCARD;

/* ---- run_start.c: starts a teammate for each step that may continue, as many as there is room for. */
ho_code ho_run_start(ho_run *run, ho_error *err) HO_NODISCARD;
/* May the step's next teammate start, apart from room and time? */
bool ho_run_ready(const ho_run *run, size_t step);
/* And when, at the earliest. */
int64_t ho_run_not_before(const ho_run *run, size_t step);
ho_run_mate *ho_run_mate_new(ho_run *run, size_t step);
/* Removes those that are over from run->mates, so that an observer who is told of an end sees only those still
 * working. */
size_t ho_run_take_ended(ho_run *run, ho_run_mate *ended[HO_RUN_JOBS]);
void ho_run_mate_free(ho_run_mate *mate);

/* ---- run_launch.c: command, prompt, environment and shim of a teammate whose row is filled; it waits for its go. */
/* Who may do the work: the step's agent if it names one (`wanted`), and what the run was told. */
ho_adapter_use ho_run_use(const ho_project *project, const ho_run_options *options, ho_str wanted, const char *prompt);
/* Who does the work, and with which command: fills row.agent, row.adapter and call. */
ho_code ho_run_choose(ho_run *run, ho_run_mate *mate, ho_error *err) HO_NODISCARD;
ho_code ho_run_launch(ho_run *run, ho_run_mate *mate, ho_str prompt, ho_error *err) HO_NODISCARD;
/* Tells the observer the command lines. */
void ho_run_show_commands(const ho_run *run, const ho_plan_steps *plan);
/* Ends what is left of a teammate whose shim was killed. */
void ho_run_sweep(ho_run_mate *mate);
/* Fails if what may start now has no agent, or one that cannot be executed. Asked before the run begins, so that a
 * typing error leaves nothing behind. */
ho_code ho_run_startable(ho_run *run, ho_error *err) HO_NODISCARD;
/* Fails if the program cannot be executed: it would fail for every phase, so this is reported before anything is
 * started. A name becomes the path of its file, found as ho_spawn does: a relative folder in PATH would find what stands
 * in the project, and agents may start known clients only. */
ho_code ho_run_must_exist(ho_arena *arena, const char **program, ho_error *err) HO_NODISCARD;
/* The folder of a teammate's files, absolute. */
ho_str ho_run_files(const ho_run *run, ho_arena *arena, ho_str teammate);

/* ---- run_join.c: steps that join others by a rule. */
bool ho_run_joined(const ho_run *run, size_t step);    /* a step joins it */
bool ho_run_tolerated(const ho_run *run, size_t step); /* it failed, and the step that joins it is done */
ho_code ho_run_join(ho_run *run, ho_error *err) HO_NODISCARD;

/* ---- run_results.c: what joined steps found. */
typedef struct ho_run_verdict {
  ho_str rule;
  size_t total, passed;
  bool passes;
  ho_str text;        /* "2 of 3 passed (rule 'majority')" */
  ho_joined *results; /* one for each step that is joined */
} ho_run_verdict;
ho_code ho_run_joined_results(ho_run *run, size_t step, ho_arena *arena, ho_joined **out, ho_error *err) HO_NODISCARD;
/* Writes and records the response of the step that joins them. */
ho_code ho_run_write_results(ho_run *run, size_t step, ho_arena *arena, const ho_run_verdict *verdict,
                             ho_error *err) HO_NODISCARD;

/* ---- run_halt.c: STOP. */
/* Sets stopped and halt if the ledger has the task as halted. */
ho_code ho_run_look_halted(ho_run *run, ho_error *err) HO_NODISCARD;
/* When a run is opened again: lets the steps that said STOP continue, if somebody has resumed the task. */
ho_code ho_run_resume(ho_run *run, ho_error *err) HO_NODISCARD;
/* The response of a step's newest teammate, if it is recorded; and the key under which a teammate's is. */
ho_code ho_run_response(ho_run *run, size_t step, ho_arena *arena, ho_handoff *out, bool *found,
                        ho_error *err) HO_NODISCARD;
ho_str ho_run_response_key(ho_arena *arena, ho_str teammate);

/* ---- run_retry.c: a run that failed, started again. */
/* Is that run about the same work as the file is now: has the file its title, and every step of it? */
ho_code ho_run_same_work(ho_run *run, const ho_run_row *old, bool *out, ho_error *err) HO_NODISCARD;
/* Lets the steps that failed start again. */
ho_code ho_run_retry(ho_run *run, ho_error *err) HO_NODISCARD;
/* How many times it was worked on: its teammates, or how often a step that joins others was joined again. Part of the keys
 * of what is asked and recorded, so that another attempt asks and records again. */
int64_t ho_run_times(const ho_run *run, size_t step);

/* ---- run_request.c: what the teammate of a workflow's step is asked for. */
#define HO_RUN_CRITERION "Done when: " /* before a success criterion, among the constraints */
/* Writes HO_RUN_REQUEST; *file is its path. */
ho_code ho_run_request_write(ho_run *run, ho_run_mate *mate, ho_str *file, ho_error *err) HO_NODISCARD;
/* The text on one line, cut to so many tokens. */
ho_str ho_run_request_clip(const ho_run *run, ho_arena *arena, ho_str text, size_t most);

/* ---- run_prompt.c: what a teammate is told. */
ho_code ho_run_prompt(ho_run *run, ho_run_mate *mate, ho_str *out, ho_error *err) HO_NODISCARD;

/* ---- run_end.c: processes what a teammate left, and decides how its step continues. One whose lead died before the
 * go has done nothing: its step is started again. */
ho_code ho_run_end(ho_run *run, ho_run_mate *mate, ho_error *err) HO_NODISCARD;
/* A digest of what shows progress on the step. */
ho_str ho_run_progress(ho_run *run, ho_arena *arena, size_t step, ho_str root);

/* ---- run_claim.c: the handoff that a successor starts from. */
/* Inside a write: claims the handoff at mate->row.from_path for the teammate with this token, if the store has it. */
ho_code ho_run_claim(ho_run *run, ho_run_mate *mate, ho_str token, ho_error *err) HO_NODISCARD;
/* Inside a write: the teammate has ended; done: its work was taken over or finished. */
ho_code ho_run_release(ho_run *run, ho_run_mate *mate, bool done, ho_error *err) HO_NODISCARD;

/* ---- run_exchange.c: records what a workflow's teammate was asked and what it answered. */
typedef struct ho_run_exchange {
  ho_run *run;
  ho_run_mate *mate; /* NULL: nobody's, that of a step that joins others */
  ho_arena *arena;
  ho_str request, token; /* the request's handoff, and the claim on it; "" if it is not recorded */
  ho_str stop;           /* why the response halts the task; "": it does not */
} ho_run_exchange;
#define HO_RUN_REQUEST "request.json" /* among the teammate's files */
/* Records the request, which belongs to the teammate until ho_run_exchange_end. Does nothing for plans, which have
 * no requests. */
ho_code ho_run_exchange_begin(ho_run_exchange *exchange, ho_error *err) HO_NODISCARD;
/* Records the response ("": there is none) and ends the request. A response without a request is recorded only if it halts
 * the task, and then in any case: if it breaks a rule, by its reason alone. */
ho_code ho_run_exchange_end(ho_run_exchange *exchange, ho_str response, ho_error *err) HO_NODISCARD;

/* Records the response of a step that joins others, as one that the lead has read. full: its file, or "". */
ho_code ho_run_exchange_joined(ho_run_exchange *exchange, ho_str key, ho_str full, ho_str text,
                               ho_error *err) HO_NODISCARD;

/* ---- run_gate.c: asks a person. */
typedef struct ho_run_question {
  ho_gate_reason why; /* gate_why of the step */
  ho_str name, summary;
  ho_str said; /* the end of the newest teammate's output, or "" */
  const ho_str *items;
  size_t item_count;
  const char *approve, *reject;
  int64_t at;    /* when it came up: part of the document, so that asking again asks the same */
  bool advisory; /* advice is requested, and nothing waits */
} ho_run_question;
/* A question, as the name of its gate. */
ho_str ho_run_question_name(ho_arena *arena, ho_str question);
ho_code ho_run_ask(ho_run *run, size_t step, const ho_run_question *question, ho_error *err) HO_NODISCARD;
/* Asks for advice about a handoff; the step continues. */
ho_code ho_run_advise(ho_run *run, size_t step, const ho_run_question *question, ho_str handoff,
                      ho_error *err) HO_NODISCARD;
/* Checks the gates that steps wait for; once a gate is decided, its step continues. */
ho_code ho_run_gates(ho_run *run, ho_error *err) HO_NODISCARD;
/* Who decided, and what, in a sentence that lives as long as the run. */
ho_str ho_run_said_at(const ho_run *run, const ho_gate *gate);

/* ---- run_from.c: what a step goes on from, if no gate holds that up. */
/* *waits: the handoff that the step continues from waits for a person, so the step waits, too, for the same gate. If it was
 * rejected or taken back, the step continues from the newest that was not, and its teammate is told what was said. */
ho_code ho_run_wait_handed(ho_run *run, size_t step, bool *waits, ho_error *err) HO_NODISCARD;
/* *decided: a step that waited so does not wait any more. */
ho_code ho_run_look_handed(ho_run *run, size_t step, ho_arena *arena, bool *decided, ho_error *err) HO_NODISCARD;
/* The newest handoff of the phase that was neither rejected nor taken back; *found is false if there is none, or it waits
 * for a person. */
ho_code ho_run_newest(ho_run *run, const ho_phase *phase, ho_str folder, ho_handed *handed, bool *found,
                      ho_error *err) HO_NODISCARD;

/* ---- run_hold.c: puts every step of a run that is opened again where its gates say it is, whatever its row says. A
 * gate that is not decided holds its step; one that was rejected for good has ended it; and a step with `gate: blocking`
 * is done only if its result was approved, also if the file no longer has that gate. HO_GATED if a step is no longer in
 * the plan, and its gate is not decided, or was not yet asked. */
ho_code ho_run_hold(ho_run *run, ho_error *err) HO_NODISCARD;

/* ---- run_marks.c: updates the markers in the plan's file. Failures are reported to the observer. head: the plan's
 * own marker, or NULL. ends: the lead is leaving, and what it began is partial. */
void ho_run_marks(ho_run *run, const char *head, bool ends);

/* ---- run_tree.c: git worktrees. */
/* The folder in which the step's teammates work, absolute; ho_run_tree also creates it if it is missing. */
ho_str ho_run_place_of(const ho_run *run, ho_arena *arena, size_t step);
ho_code ho_run_tree(ho_run *run, size_t step, ho_arena *arena, ho_str *out, ho_error *err) HO_NODISCARD;
/* ---- run_commit.c: what is in them, as commits. What does not work is noted. */
/* What a teammate left uncommitted in its worktree. */
void ho_run_commit_work(ho_run *run, const ho_run_mate *mate);
/* The branches of the steps that this one needs, into its new worktree. */
void ho_run_merge_needs(ho_run *run, size_t step, ho_str tree);
ho_str ho_run_branch(const ho_run *run, ho_arena *arena, size_t step);

/* ---- run_wait.c: sleeps until a teammate ends, a signal arrives, or `ms` have passed (-1: no limit). */
void ho_run_wait(ho_run *run, int64_t ms);
/* From now on interrupts do not end the process, but wake ho_run_wait; false: not possible. */
bool ho_run_catch_signals(ho_run *run);
void ho_run_release_signals(ho_run *run);
#endif
