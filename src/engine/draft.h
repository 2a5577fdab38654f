/* Drafts: a handoff written for an agent that went silent, from what the ledger knows. */
#ifndef HO_ENGINE_DRAFT_H
#define HO_ENGINE_DRAFT_H

#include "engine/turn.h"

/* Adds a draft that answers turn's handoff: who had it, what was acknowledged, asked and noted. Inside a write. */
ho_code ho_draft_add(ho_turn *turn, ho_error *err) HO_NODISCARD;
#endif
