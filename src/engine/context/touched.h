/* The files that agents read and edited for a phase.
 *
 * Hooks see them, but the progress file, which is to name them (files_touched), is written under a lock by whoever
 * changes it. So hooks note them in .handoff/context/ of the main worktree, by one short append per file, and the next
 * change of the progress file takes the notes over. Notes belong to the phase, not to a session: those of an agent that
 * died go to its successor. They are a help: failures are silent, and what does not fit is left out. */
#ifndef HO_ENGINE_CONTEXT_TOUCHED_H
#define HO_ENGINE_CONTEXT_TOUCHED_H

#include "doc/tree.h"
#include "engine/context/transcript.h"

/* Calls `each` with HO_TOOL_READ or HO_TOOL_EDIT for each file that a call of the tool names, as it names them. */
void ho_touched_by(const ho_tool *tool, const ho_node *input, ho_tool_watch each, void *world);

/* Where the notes of a phase are. home: the project's main worktree. */
ho_str ho_touched_path(ho_arena *arena, ho_str home, ho_str task, ho_str phase);
/* file: below the worktree in which the agent works. */
void ho_touched_note(ho_arena *arena, ho_str notes, ho_tool_kind kind, ho_str file);

typedef struct ho_touched {
  ho_node *files; /* texts, each once: those that were only read, then those edited, the newest last; may be empty */
  ho_str notes;   /* where they come from */
  int64_t size;   /* bytes of the notes then */
} ho_touched;
ho_touched ho_touched_load(ho_arena *arena, ho_str notes);
/* After the progress file was written: the notes have served, unless others were added since they were loaded. */
void ho_touched_forget(const ho_touched *touched);
#endif
