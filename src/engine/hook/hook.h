/* One hook event of a harness: what it says, and the reply in the harness's own form.
 *
 * A hook asks and never stops anybody: whatever goes wrong here, the agent continues. The harness's row
 * (model/harness) names its events and the form of their replies; hook.c says what is done at each. An event that
 * requires nothing opens no store and reads only what is new in the transcript. State between events is in
 * .handoff/context/ (engine/context/context_cache.h); a project without a .handoff folder is left alone. */
#ifndef HO_ENGINE_HOOK_HOOK_H
#define HO_ENGINE_HOOK_HOOK_H

#include "base/buf.h"
#include "engine/context/context_cache.h"
#include "engine/project/project.h"
#include "engine/relay/prompt.h"
#include "model/harness/harness.h"
#include "store/handoffs/handoffs.h"

typedef struct ho_hook ho_hook;
struct ho_hook {
  /* Given. */
  ho_arena *arena;
  ho_project *project;                     /* around the current folder; its root may change before it is begun */
  ho_str named;                            /* the harness, by its name */
  ho_str input;                            /* the event as received */
  const ho_tokens *(*tokens)(void *world); /* called when a prompt is made */
  ho_counter counter;
  /* Ensures that the agent gets an answer after this time, whatever happens; the line is then logged. May be NULL. */
  void (*give_up)(void *world, int64_t ms, const char *log, const char *line);
  void *world;
  /* From now on the process can change files only below these folders. May be NULL. */
  void (*confine)(const char *const *folders, size_t count);
  /* Found. */
  const ho_harness *harness;
  const ho_hook_event *event;
  const ho_node *in;  /* the event, read */
  ho_str session;     /* the name under which state is kept: the session's id, for a subagent with its own id */
  ho_str transcript;  /* of the agent that the event is about, or "" */
  ho_str task, phase; /* as far as they are known without a search (engine/which/which.h), or "" */
  bool assigned;      /* the session was started for that task: HANDOFF_TASK says so */
  bool named_phase;   /* they are those that this agent of a session names in its own commands (hook_agent.c) */
  ho_str work;        /* ho_hook_work */
  bool used;          /* the project has a .handoff folder */
  ho_hook_form form;  /* of this answer */
  ho_str said;        /* to the agent or the person; "": nothing */
};

/* Handles the event. On failure the reply lets the agent continue; the caller logs the error. */
ho_code ho_hook_run(ho_hook *hook, ho_error *err) HO_NODISCARD;
/* The reply as a map: empty if there is nothing to say, NULL if nothing may be printed. */
ho_node *ho_hook_reply(const ho_hook *hook, ho_arena *arena);
/* Adds a line to .handoff/hook.log, which is kept below half a megabyte. Does nothing without a .handoff folder. */
void ho_hook_log(const ho_hook *hook, const ho_error *err);

/* ---- Parts: hook_*.c */

/* How full the agent's context is, and what it was told before. */
typedef struct ho_hook_measure {
  ho_scan scan, before; /* now, and as last stored */
  ho_nudges nudges, nudges_before;
  ho_context context;
  ho_trigger_facts facts;
  int64_t threshold;
  ho_str path; /* where it is stored */
  bool kept;   /* something was: this is not the first measurement */
} ho_hook_measure;
/* NULL if memory runs out. */
ho_hook_measure *ho_hook_measured(ho_hook *hook);
/* Stores it if something has changed. */
ho_code ho_hook_keep(ho_hook *hook, ho_hook_measure *measure, ho_error *err) HO_NODISCARD;
int64_t ho_hook_now(const ho_hook *hook);
/* The worktree in which the agent works: the event's, if it belongs to the project. */
ho_str ho_hook_work(ho_hook *hook);
/* The progress file of a phase. False if there is none. */
bool ho_hook_progress(ho_hook *hook, ho_str task, ho_str phase, ho_phase *out, ho_doc *doc);
/* How to hand off, in a command that works as it stands; task and phase are those of the session, or ho_hook_where. */
#define HO_HOOK_PASS HO_HOOK_PASS_AT("")
#define HO_HOOK_PASS_AT(where) "`handoff pass" where " --next 'the next step'`"
/* Of an agent in the session of another: takes its own phase, if it is known, for that of the session; notes what a command that
 * it has run says about it; and the options that name it, which are "" for all others. */
void ho_hook_agent_find(ho_hook *hook);
void ho_hook_agent_note(ho_hook *hook, ho_str command);
ho_str ho_hook_where(const ho_hook *hook);
/* How to end a draft. %.*s: its id. */
#define HO_HOOK_DISCARD "handoff reject %.*s --note 'not needed'"
/* Has the agent handed anything off within the hour? */
ho_code ho_hook_handed_off(ho_hook *hook, bool *yes, ho_error *err) HO_NODISCARD;

/* Opens the project's store if it has one; *there says whether. */
ho_code ho_hook_open(ho_hook *hook, bool *there, ho_error *err) HO_NODISCARD;
/* The newest handoff that this session holds, claimed or acknowledged. */
ho_code ho_hook_held(ho_hook *hook, ho_handoff *row, bool *found, ho_error *err) HO_NODISCARD;
/* Renews the leases on what this session has claimed, every now and then. */
ho_code ho_hook_renew(ho_hook *hook, ho_error *err) HO_NODISCARD;
/* Drafts a handoff of what is known about the session's work, unless it already has one less than ten minutes old.
 * *id is that of the draft, or "". */
ho_code ho_hook_draft(ho_hook *hook, ho_str *id, ho_error *err) HO_NODISCARD;
/* Records where the session works, under its name in the store, in case it dies. */
void ho_hook_trace(ho_hook *hook);

/* "HO-2026-001 (artifact, task 7, phase 2, from coder)" */
ho_str ho_hook_named(const ho_hook *hook, const ho_handoff *row);
/* Its document: of a phase handoff, the successor's prompt with what `draft` adds (without an id: nothing); of a draft,
 * that of the phase's last handoff with what the draft adds; else it is quoted as far as there is room. */
ho_code ho_hook_put_page(ho_hook *hook, ho_buf *out, const ho_handoff *row, const ho_handoff *draft,
                         ho_error *err) HO_NODISCARD;
/* Until when the session has claimed it, and the commands that need its token. */
void ho_hook_put_claim(ho_hook *hook, ho_buf *out, const ho_handoff *row);
/* Keeps the token of a claim, in case the session has to be told again. */
void ho_hook_keep_claim(ho_hook *hook, ho_str id, const char *token);
/* Is somebody at work on the phase, or on any of the task ("")? */
ho_code ho_hook_taken(ho_hook *hook, ho_str task, ho_str phase, bool *yes, ho_error *err) HO_NODISCARD;
/* "claim it with `COMMAND`" */
void ho_hook_put_next(const ho_hook *hook, ho_buf *out, const ho_handoff *row);
/* Adds what is open to the reply: for a session that knows its task, of that one. `told`: the id of one that it has been
 * told of already, or "". */
ho_code ho_hook_offer(ho_hook *hook, ho_str told, ho_error *err) HO_NODISCARD;

/* Adds what earlier handoffs know about the session's task to the reply, as far as there is room. */
void ho_hook_known(ho_hook *hook);
/* Adds a line about what is new in the inbox of the agent since the event *told, and sets that; false if nothing is. */
bool ho_hook_inbox(ho_hook *hook, int64_t *told);

/* The handlers: each leaves its reply in hook->said, or nothing. */
ho_code ho_hook_start(ho_hook *hook, ho_error *err) HO_NODISCARD;
ho_code ho_hook_before_tool(ho_hook *hook, ho_error *err) HO_NODISCARD;
ho_code ho_hook_after_tool(ho_hook *hook, ho_error *err) HO_NODISCARD;
ho_code ho_hook_compact(ho_hook *hook, ho_error *err) HO_NODISCARD;
ho_code ho_hook_stop(ho_hook *hook, ho_error *err) HO_NODISCARD;
ho_code ho_hook_end(ho_hook *hook, ho_error *err) HO_NODISCARD;
#endif
