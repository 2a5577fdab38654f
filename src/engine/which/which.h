/* Which work is meant: the task and the phase of a command or a hook event that does not say both.
 *
 * Each comes from the first that knows it: what was given; HANDOFF_TASK and HANDOFF_PHASE; the handoff that the agent
 * holds, unless it has begun a phase since; what the session last worked on; the name of the branch, or of the
 * worktree's folder; the only phase in progress. Whoever holds a handoff that belongs to no phase works on that: neither
 * the branch nor a phase that happens to be in progress is meant, and work that begins has a phase of its own. A phase
 * counts only together with its task: what is known of one task says nothing about another. What a session was only
 * offered, or has passed on, is not what it works on: whatever begins or ends work never means a phase whose open handoff
 * nobody has taken, unless it is named (which_aside.c). Names that a branch suggests count only if there is such a task:
 * anybody may call a branch anything. */
#ifndef HO_ENGINE_WHICH_WHICH_H
#define HO_ENGINE_WHICH_WHICH_H

#include "engine/phase/phase.h"
#include "store/handoffs/handoffs.h"

typedef struct ho_which {
  /* Given. */
  bool make; /* if no task is known, one begins: the next free number, phase 1. What others work on is not meant */
  bool
      follows; /* it is about what was handed on: a phase whose handoff waits counts as in progress, one that is over not */
  bool ends;   /* it ends the phase: one whose handoff nobody has taken is not meant either */
  bool starts; /* it writes down objectives: those of phases in progress never change, so that none of them is meant */
  ho_str hint; /* what its slug is taken from if the branch says nothing: the request, or the next step */
  /* Found. */
  const char *source; /* where it was found: "the session's last work"; NULL if both were given */
  bool named;         /* the caller named the task, by an option or a variable */
  bool searched;      /* nobody said or did anything that names it: worth telling */
  bool made;          /* there was none; if nothing is written after all, ho_phase_undo */
  /* An open handoff that could have been meant, but that the session was only offered, has passed on, or somebody else holds:
   * no id if there is none. Worth telling if `made`, or if nothing was found. */
  ho_handoff aside;
  ho_str beside; /* made, although these are in progress and nobody works on them: "task 7 phase 2, task 8 phase 1" */
  /* Refused because several could be meant: a list of texts, the options that each of them takes. */
  ho_node *choices;
} ho_which;

/* Fills phase->task and phase->phase as far as they are "", then ho_phase_find. The project is begun. HO_USAGE if that is
 * not enough to tell; the message names what is in progress. */
ho_code ho_which_phase(ho_phase *phase, ho_which *which, ho_error *err) HO_NODISCARD;
/* The same as far as it can be told without looking through the tasks: given, variables, session. For hooks, which are
 * started at every step of an agent. Ids stay "" if unknown. */
void ho_which_quickly(ho_project *project, ho_arena *arena, ho_str *task, ho_str *phase);

/* ---- What a session works on, kept below .handoff/context; a help, so failures are silent. */
typedef struct ho_which_work {
  ho_str task, phase; /* "" if unknown */
  ho_str handoff;     /* what it has taken since, if that is not itself about a phase; or "" */
  ho_str request;     /* what the person asked for first, as far as a hook has seen it */
  /* When it last said how far the work is, who said so and in which folder; 0: it has not, or has left since. */
  int64_t at;
  ho_str agent, folder;
  bool led;       /* a lead started it, which sees to what it leaves */
  bool left;      /* it has handed the phase on, finished it, or given it back */
  bool asked;     /* all that it did about the phase was to ask for its successor's prompt */
  ho_str offered; /* the handoff that its hook offered it, or "" */
  ho_str session;
  /* Of ho_which_workers: */
  bool own;     /* it is this session */
  int64_t seen; /* its last sign of life: a command, an event of its harness, a line in its transcript */
  bool ended;   /* its harness reported the end, or is gone */
} ho_which_work;
void ho_which_load(ho_project *project, ho_arena *arena, ho_which_work *out);
/* The request, unless one is known already. */
void ho_which_request(ho_project *project, ho_arena *arena, ho_str request);
/* Task and phase are those of the session; the request stays. Both must be known. */
typedef enum ho_which_how {
  HO_WHICH_ASKED,  /* it has the successor's prompt; what it works on already goes before */
  HO_WHICH_NAMED,  /* it has taken them, or said something about them */
  HO_WHICH_WORKED, /* it said how far the work is: if it goes now, somebody has to know */
  HO_WHICH_LEFT    /* it has handed the work on, or finished it */
} ho_which_how;
void ho_which_remember(ho_project *project, ho_arena *arena, ho_str task, ho_str phase, ho_which_how how);
/* What sessions have worked on and not handed on (at > 0), the own one among them, in no order. */
typedef struct ho_which_list {
  ho_which_work *items;
  size_t count;
} ho_which_list;
ho_which_list ho_which_workers(ho_project *project, ho_arena *arena);
/* Is it another session, at work on the phase (phase "": on any of the task; task "": on any), with a sign of life since
 * then? */
bool ho_which_works_on(const ho_which_work *work, ho_str task, ho_str phase, int64_t since);
/* Has that session ended: its harness said so, or is gone itself? */
bool ho_which_ended(const ho_project *project, ho_arena *arena, ho_str session);
/* One that it is offered, and may ignore. */
void ho_which_offered(ho_project *project, ho_arena *arena, ho_str handoff);
/* A handoff that it has taken; task and phase stay, for when that is done. */
void ho_which_took(ho_project *project, ho_arena *arena, ho_str handoff);

/* ---- What is left aside. */
/* The command that takes it, one that is ready or a draft. */
ho_str ho_which_claim(ho_project *project, ho_arena *arena, const ho_handoff *row);
bool ho_which_claimable(const ho_handoff *row);
/* "HO-2026-001 (task 1, phase 1)" and, of one that is held, that it is. */
ho_str ho_which_named(ho_arena *arena, const ho_handoff *row);

/* ---- What an agent holds. The store is open. */
/* Does this agent hold it? One that knows of no session of its own, because its harness does not tell it, is known by its
 * name; one that has no name, by its session. */
bool ho_which_is_mine(ho_project *project, const ho_handoff *row);
/* All of it: first what the session took last, then the newest. */
ho_code ho_which_held(ho_project *project, ho_arena *arena, ho_handoff_list *out, ho_error *err) HO_NODISCARD;
/* The newest phase handoff in which a holder of `row` passed the work on: whoever takes it continues from there. *out
 * has no id if there is none, or a person has not approved it. */
ho_code ho_which_passed(ho_project *project, ho_arena *arena, const ho_handoff *row, ho_handoff *out,
                        ho_error *err) HO_NODISCARD;
/* The task and phase under which its work is passed on: its own, if phase handoffs can have them, else those of
 * ho_which_passed; "" if there are none. */
ho_code ho_which_of(ho_project *project, ho_arena *arena, const ho_handoff *row, ho_str *task, ho_str *phase,
                    ho_error *err) HO_NODISCARD;
#endif
