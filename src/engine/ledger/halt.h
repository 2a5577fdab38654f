/* Halted tasks. A response that decides STOP halts its task: no request for it is taken in or handed out, nor a handoff of one of
 * its phases, and `run` starts nothing more of it, until whoever asked for the response, or a person, says how to go on (`handoff answer ID --note TEXT`). The
 * response has a mark meanwhile, in whatever state it is; several responses may halt one task, and each is answered. */
#ifndef HO_ENGINE_LEDGER_HALT_H
#define HO_ENGINE_LEDGER_HALT_H

#include "engine/ledger/turn.h"
#include "model/document/read.h"

typedef struct ho_halt {
  ho_str id;   /* of the response */
  ho_str task; /* that it halts */
  ho_str by;   /* who said STOP, or "" */
  ho_str to;   /* who asked, and may resume the task as a person may; "" if nobody in particular */
  ho_str why;  /* its issues, separated by "; ", else its summary */
  int64_t since;
} ho_halt;
typedef struct ho_halt_list {
  ho_halt *rows;
  size_t count;
} ho_halt_list;

/* The oldest that halts the task; *found is false if none does. */
ho_code ho_halt_of(ho_project *project, ho_str task, ho_arena *arena, ho_halt *out, bool *found,
                   ho_error *err) HO_NODISCARD;
/* All that halt a task, of all tasks if task is "", oldest first. */
ho_code ho_halt_select(ho_project *project, ho_str task, int64_t limit, ho_arena *arena, ho_halt_list *out,
                       ho_error *err) HO_NODISCARD;
/* HO_GATED if the task is halted: by whom, why, and the command that resumes it. */
ho_code ho_halt_refuse(ho_project *project, ho_str task, ho_arena *arena, ho_error *err) HO_NODISCARD;
/* Does the row, which is ready, have to wait because its task is halted? Requests do, and what only goes on with a phase:
 * phase handoffs and drafts. A result, or a package that says how to go on, is what a halted task waits for. */
ho_code ho_halt_holds(ho_project *project, const ho_handoff *row, ho_arena *arena, ho_halt *out, bool *held,
                      ho_error *err) HO_NODISCARD;
/* "reviewer said STOP (HO-2026-001): \"Tests fail\"; to resume, run: handoff answer HO-2026-001 --note TEXT"; an agent
 * that did not ask is told who resumes it. */
ho_str ho_halt_sentence(const ho_project *project, ho_arena *arena, const ho_halt *halt);

/* Marks the row if the document halts its task. */
void ho_halt_mark(const ho_doc *doc, ho_handoff *row, ho_arena *arena);
/* Why it halts its task, as in ho_halt. */
ho_code ho_halt_why(ho_project *project, const ho_handoff *row, ho_arena *arena, ho_str *out,
                    ho_error *err) HO_NODISCARD;
/* Has the row the mark? */
bool ho_halt_marked(const ho_handoff *row, ho_arena *arena);
/* Takes the mark away, with the note HO_NOTE_RESUMED. HO_GATED if the actor is an agent that did not ask for the
 * response. Inside a write. */
#define HO_NOTE_RESUMED "resumed"
ho_code ho_halt_resume(ho_turn *turn, ho_str note, ho_error *err) HO_NODISCARD;
/* How the task of a response was resumed: the note of the newest HO_NOTE_RESUMED, or "". */
ho_code ho_halt_note(ho_project *project, ho_str id, ho_arena *arena, ho_str *out, ho_error *err) HO_NODISCARD;
#endif
