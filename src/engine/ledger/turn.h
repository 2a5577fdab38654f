/* One turn in the life of a handoff: load it, check that the actor may act, change its state. All inside a
 * ho_ledger_write. */
#ifndef HO_ENGINE_LEDGER_TURN_H
#define HO_ENGINE_LEDGER_TURN_H

#include "engine/project/project.h"
#include "model/lifecycle.h"
#include "store/handoffs/handoffs.h"

struct ho_gate;

typedef struct ho_turn {
  ho_project *project;
  ho_arena *arena;
  ho_handoff row;
  ho_state state;  /* row.state, as its enum */
  ho_state before; /* the state that approval of a gate returns to */
  ho_str actor;    /* who the log says did it */
  bool free;       /* ho_turn_held was asked in this transaction: it need not wait for a gate */
} ho_turn;

/* "HO-001", "HO-1" and "1" as this year's "HO-2026-001", if the prefix is "HO-"; "" if it has none of these forms. */
ho_str ho_turn_this_years(const ho_project *project, ho_arena *arena, const char *prefix, ho_str id);
/* Loads the handoff with that id; "HO-001" also finds this year's HO-YYYY-001. HO_NOT_FOUND if there is none. */
ho_code ho_turn_begin(ho_project *project, ho_str id, ho_arena *arena, ho_turn *turn, ho_error *err) HO_NODISCARD;
/* A turn for a row that is already loaded. */
ho_code ho_turn_of(ho_project *project, const ho_handoff *row, ho_arena *arena, ho_turn *turn,
                   ho_error *err) HO_NODISCARD;

/* HO_STORE if the history of the handoff does not lead to its row. Changes of a row check the newest event alone. */
ho_code ho_turn_check(ho_project *project, const ho_handoff *row, ho_error *err) HO_NODISCARD;
/* If only deciders decide in this project: does the handoff have to wait for a gate, whatever its row says? */
ho_code ho_turn_held(ho_project *project, const ho_handoff *row, ho_arena *arena, struct ho_gate *gate, bool *held,
                     ho_error *err) HO_NODISCARD;
/* Fails with HO_CONFLICT, and a message that names the holder of the claim, unless turn->actor holds it. A token that is
 * given must be the claim's; if `needed`, only the agent and session that made the claim may leave it out. The actor's
 * name, if known, must be that of the holder.
 * An actor without a name who gives the right token counts as the holder. */
ho_code ho_turn_claimer(ho_turn *turn, ho_str token, bool needed, ho_error *err) HO_NODISCARD;
/* May the actor act on the claim without its token: did this agent make it, in this session? */
bool ho_turn_remembers(ho_project *project, const ho_handoff *row);
/* The state that the event leads to. HO_CONFLICT if it cannot follow, with the command that can. */
ho_code ho_turn_next(const ho_turn *turn, ho_event_kind event, ho_state *to, ho_error *err) HO_NODISCARD;
/* Moves to the state that the event leads to, and records the event. The claim is given up unless the new
 * state is claimed, acked, or one that waits for a person (clarify, gated); a handoff that ends, or is archived, gets its archive copy.
 * data: a map, or NULL. */
ho_code ho_turn_apply(ho_turn *turn, ho_event_kind event, ho_node *data, ho_error *err) HO_NODISCARD;
/* Whoever ends the work has begun it: a handoff that is only claimed is acknowledged first. data: what the receiver says
 * with it, or NULL. */
ho_code ho_turn_begun(ho_turn *turn, ho_node *data, ho_error *err) HO_NODISCARD;
/* Adds an event without a change of state: a note. Those that are looked for later have constants. */
#define HO_NOTE_ASKED "asked"             /* the receiver has questions, and works on */
#define HO_NOTE_ANSWER "answer"           /* to such questions, or to one of several blockers */
#define HO_NOTE_SETTLED "settled"         /* what its document asked was answered by the question's own id */
#define HO_DATA_ASKED "asked"             /* in the data of answers to one thing: that question */
#define HO_DATA_TASKS "tasks"             /* and the tasks that it blocked */
#define HO_DATA_SESSION "session"         /* in which it was done, where the name of the actor does not tell */
#define HO_NOTE_GATE_ANSWER "gate_answer" /* to what the person at the gate asked */
#define HO_NOTE_MOVED "moved"             /* files of it have another path now */
#define HO_NOTE_HOLDER "holder"           /* in the data of what takes it away: who held it */
ho_code ho_turn_note(ho_turn *turn, const char *kind, ho_node *data, ho_error *err) HO_NODISCARD;
/* The same, and writes the row's changed fields; of one that has ended, also its archive copy. */
ho_code ho_turn_mark(ho_turn *turn, const char *kind, ho_node *data, ho_error *err) HO_NODISCARD;
/* Adds the session to the data of an event if its actor has sent the handoff to itself, and holds it: one session of an agent
 * works for another, and both have its name. */
void ho_turn_tell_session(const ho_turn *turn, ho_node *data);
/* Sets a new lease: the row's lease_until and due. */
void ho_turn_lease(ho_turn *turn, int64_t seconds);
/* The next free id of a handoff, HO-YYYY-NNN. Inside a write. */
ho_code ho_turn_new_id(ho_project *project, ho_arena *arena, ho_str *out, ho_error *err) HO_NODISCARD;
#endif
