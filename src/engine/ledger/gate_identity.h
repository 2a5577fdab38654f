/* Who decides at a gate, and how that is known. */
#ifndef HO_ENGINE_LEDGER_GATE_IDENTITY_H
#define HO_ENGINE_LEDGER_GATE_IDENTITY_H

#include "engine/project/project.h"
#include "store/handoffs/gates.h"

/* The name under which the store keeps the digest of the first decision key used. */
#define HO_GATE_KEY HO_STR("gate.key")

typedef struct ho_gate_identity {
  ho_str name;
  ho_gate_proof proof;
  ho_str key_digest; /* of the decision key, or "" */
} ho_gate_identity;
ho_code ho_gate_identity_find(ho_project *project, ho_arena *arena, ho_gate_identity *out, ho_error *err) HO_NODISCARD;
#endif
