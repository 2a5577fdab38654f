/* Who may do what with a handoff, besides whoever has claimed it (ho_turn_claimer). All inside a ho_ledger_write.
 *
 * A handoff is its sender's: of the agent that its document names, and of the one that sent it by the log. What a person
 * sent is a person's, whichever. A person may do everything here; one without a name is no person if anything shows an
 * agent. Names are stated and believed, and the log has them: `name` is what the actor calls itself in the document that it
 * sends now, or "". What is not given fails with HO_CONFLICT, and says who may. */
#ifndef HO_ENGINE_LEDGER_RIGHTS_H
#define HO_ENGINE_LEDGER_RIGHTS_H

#include "engine/ledger/turn.h"

/* Nothing shows an agent, and none is named. */
bool ho_rights_person(const ho_turn *turn);
ho_code ho_rights_withdraw(ho_turn *turn, ho_error *err) HO_NODISCARD;
/* Whoever may withdraw a handoff may replace it, and so may whoever holds it. */
ho_code ho_rights_supersede(ho_turn *turn, ho_str name, ho_str token, ho_error *err) HO_NODISCARD;
/* What a receiver asks is for the sender to answer. */
ho_code ho_rights_answer(ho_turn *turn, ho_error *err) HO_NODISCARD;
/* What a person asks at a gate is for those to answer who want the gate decided: whoever raised it, and the sender and the
 * holder of what waits there. */
ho_code ho_rights_answer_gate(ho_turn *turn, ho_str raised_by, ho_error *err) HO_NODISCARD;
/* A gate that nobody decides in time ends its handoff, so its deadline is for those to set who could end it themselves:
 * its sender, and whoever holds it or is to receive it. */
ho_code ho_rights_limit(ho_turn *turn, ho_str name, ho_error *err) HO_NODISCARD;
/* The same for the gate that `name` has raised, and that the handoff inherits. */
bool ho_rights_limited(const ho_handoff *row, ho_str name);
#endif
