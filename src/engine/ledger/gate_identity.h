/* Who decides at a gate, and how that is known. */
#ifndef HO_ENGINE_LEDGER_GATE_IDENTITY_H
#define HO_ENGINE_LEDGER_GATE_IDENTITY_H

#include "engine/project/project.h"

/* The name under which the store keeps the digest of the first decision key used. */
#define HO_GATE_KEY HO_STR("gate.key")

/* Who decides, and how that is known: "verified" by a decision key, "asserted" at a terminal. */
typedef struct ho_gate_identity {
  ho_str name, known;
  ho_str key_digest; /* of the decision key, or "" */
} ho_gate_identity;
ho_code ho_gate_identity_find(ho_project *project, ho_arena *arena, ho_gate_identity *out, ho_error *err) HO_NODISCARD;
#endif
