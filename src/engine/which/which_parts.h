/* Between the files of which.h. */
#ifndef HO_ENGINE_WHICH_WHICH_PARTS_H
#define HO_ENGINE_WHICH_WHICH_PARTS_H

#include "engine/phase/folders.h"
#include "engine/which/which.h"

/* The task whose number or slug stands in a branch's or folder's name ("feature/7-fast-start", "issue-7",
 * "fast_start"), and the phase if it names one ("7-fast-start-phase-2"); else "". */
void ho_which_by_name(ho_arena *arena, ho_str name, const ho_folders *folders, ho_str *task, ho_str *phase);
/* A slug from a branch's name, or from a text: its first words; "" if it has none. */
ho_str ho_which_slug_of_branch(ho_arena *arena, ho_str branch);
ho_str ho_which_slug_of_text(ho_arena *arena, ho_str text);

/* Has the phase an open handoff that nobody has taken? */
bool ho_which_waits(ho_project *project, ho_arena *arena, ho_str task, ho_str phase, ho_handoff *row);
/* Has the session passed the phase on (or, known by the day alone, asked for the prompt of what it passed on), so that its
 * open handoff is somebody else's? A session with an id of its own may say better what it passed on itself. */
bool ho_which_gone(ho_project *project, ho_arena *arena, const ho_which_work *work, ho_handoff *row);
/* The phase handoffs that wait for a successor, the newest first; task "": of all tasks. */
void ho_which_waiting(ho_project *project, ho_arena *arena, ho_str task, ho_handoff_list *out);
/* What the session was offered, if that still waits; else no id. */
void ho_which_offer(ho_project *project, ho_arena *arena, ho_handoff *row);

/* phase->slug, unless given: by the branch, the session's request, the hint. */
ho_code ho_which_slug(ho_phase *phase, ho_str hint, ho_error *err) HO_NODISCARD;
/* phase->phase: the first number that no file of the task has. */
ho_code ho_which_new_phase(ho_phase *phase, const ho_folders *folders, ho_error *err) HO_NODISCARD;
/* phase->task: the next free number, which somebody else may get. */
ho_code ho_which_free_number(ho_phase *phase, ho_error *err) HO_NODISCARD;
/* phase->task: the next free number. Its folder is made at once, so that nobody else gets the number. */
ho_code ho_which_new_task(ho_phase *phase, ho_error *err) HO_NODISCARD;
#endif
