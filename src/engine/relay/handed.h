/* What a phase has handed on. The store has every handoff that was recorded; the file of one may be missing: its worktree
 * is gone or another branch is checked out, somebody has cleaned up, or it could not be written yet. A file that nobody
 * has recorded counts as well. */
#ifndef HO_ENGINE_RELAY_HANDED_H
#define HO_ENGINE_RELAY_HANDED_H

#include "engine/phase/phase.h"
#include "store/handoffs/gates.h"
#include "store/handoffs/handoffs.h"

typedef struct ho_handed {
  ho_str path; /* below the root: where its file is, or would be */
  ho_str id;   /* its record's, if the file is not there; else "" */
} ho_handed;
typedef struct ho_handed_list {
  ho_handed *rows;
  size_t count;
} ho_handed_list;

/* Those of the phase, oldest first by the time in their names. Without a store: the files. */
ho_code ho_handed_all(ho_project *project, const ho_phase *phase, ho_handed_list *out, ho_error *err) HO_NODISCARD;
/* The one that an id or a path names (absolute, or below the root), if the store has it. */
bool ho_handed_named(ho_project *project, ho_arena *arena, ho_str root, ho_str name, ho_handed *out);
/* Its text: that of its file, else the recorded one. */
bool ho_handed_read(ho_project *project, ho_arena *arena, ho_str root, const ho_handed *handed, ho_str *text);
/* What did not fit in it: the text of its details file, else that which was recorded with it; "" if everything did fit.
 * *shown: how somebody can read it, the path of that file or the command that shows it. */
ho_str ho_handed_details(ho_project *project, ho_arena *arena, ho_str root, const ho_handed *handed, ho_str *shown);
/* Its record. */
bool ho_handed_row(ho_project *project, ho_arena *arena, ho_str root, const ho_handed *handed, ho_handoff *row);
/* May its text be given to whoever goes on with the work? One that waits at a gate is given to nobody, and one that was
 * rejected or taken back is nothing to go on from. It follows from its events, as for everybody who delivers. */
typedef enum ho_handed_standing { HO_HANDED_FREE, HO_HANDED_WAITS, HO_HANDED_ENDED } ho_handed_standing;
/* *gate: the one that it waits at, or was rejected at; without an id if there is none. */
ho_code ho_handed_judge(ho_project *project, const ho_handoff *row, ho_arena *arena, ho_handed_standing *out,
                        ho_gate *gate, ho_error *err) HO_NODISCARD;
/* The other worktree that has this progress file, which the root has not, and what is in it; "" if none has. */
ho_str ho_handed_elsewhere(ho_project *project, ho_arena *arena, ho_str root, ho_str progress, ho_doc *doc);
/* How somebody can read it: its path, or the command that shows it. */
ho_str ho_handed_shown(ho_arena *arena, const ho_handed *handed);
#endif
