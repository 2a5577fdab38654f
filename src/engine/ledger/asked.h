/* What receivers ask about handoffs: one answer, whichever way it is given.
 *
 * The log says what was asked and what was answered. How many questions are open (HO_MARK_QUESTIONS), whether the handoff waits
 * for an answer (clarify) and what the knowledge calls open follow from it: an answer to the handoff answers all of it, and an
 * answer to one question or blocker, by its own id, that one. */
#ifndef HO_ENGINE_LEDGER_ASKED_H
#define HO_ENGINE_LEDGER_ASKED_H

#include "engine/ledger/turn.h"

/* Answers what the receiver has asked: all of it, or `one` ("" : all). data: of the event. *was is false, and nothing is done,
 * if that was not asked, or is answered. Ready again once nothing blocks it any more. HO_CONFLICT unless the actor may answer
 * it. Inside a write. */
ho_code ho_asked_answer(ho_turn *turn, ho_str one, ho_node *data, bool *was, ho_error *err) HO_NODISCARD;
#endif
