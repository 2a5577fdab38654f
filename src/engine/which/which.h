/* Which work is meant: the task and the phase of a command or a hook event that does not say both.
 *
 * Each comes from the first that knows it: what was given; HANDOFF_TASK and HANDOFF_PHASE; what the session last worked
 * on; the name of the branch, or of the worktree's folder; the only phase in progress. A phase counts only together
 * with its task: what is known of one task says nothing about another. Names that a branch suggests count only if there
 * is such a task: anybody may call a branch anything. */
#ifndef HO_ENGINE_WHICH_WHICH_H
#define HO_ENGINE_WHICH_WHICH_H

#include "engine/phase/phase.h"

typedef struct ho_which {
  /* Given. */
  bool make;   /* if no task is known, one begins: the next free number, phase 1 */
  ho_str hint; /* what its slug is taken from if the branch says nothing: the request, or the next step */
  /* Found. */
  const char *source; /* where it was found: "the session's last work"; NULL if both were given */
  bool searched;      /* nobody said or did anything that names it: worth telling */
  bool made;          /* there was none; if nothing is written after all, ho_phase_undo */
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
  ho_str request;     /* what the person asked for first, as far as a hook has seen it */
} ho_which_work;
void ho_which_load(ho_project *project, ho_arena *arena, ho_which_work *out);
/* The request, unless one is known already. */
void ho_which_request(ho_project *project, ho_arena *arena, ho_str request);
/* Task and phase; the request stays. Both must be known. */
void ho_which_remember(ho_project *project, ho_arena *arena, ho_str task, ho_str phase);
#endif
