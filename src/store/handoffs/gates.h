/* Gates: where a handoff waits for a person's decision. */
#ifndef HO_STORE_HANDOFFS_GATES_H
#define HO_STORE_HANDOFFS_GATES_H

#include "base/words.h"
#include "store/store.h"

/* clang-format off */
#define HO_GATE_STATES(X) \
  X(OPEN, "open") \
  X(DECIDED, "decided")

/* What a person says at a gate. */
#define HO_GATE_DECISIONS(X) \
  X(APPROVE, "approve", "work continues") \
  X(REJECT, "reject", "the handoff ends") \
  X(QUESTION, "question", "ask something first (with --note); the gate stays open")

/* How it is known who decided. The words are those of the store and the log; elsewhere it is signed, or stated. */
#define HO_GATE_KNOWNS(X) \
  X(SIGNED, "verified")  /* with the person's key; also the program's own rejections */ \
  X(STATED, "asserted")  /* at a terminal */
/* clang-format on */

typedef enum ho_gate_state {
  HO_GATE_ANY, /* only in filters */
#define X(name, text) HO_GATE_##name,
  HO_GATE_STATES(X)
#undef X
} ho_gate_state;
typedef enum ho_gate_decision {
  HO_DECISION_NONE,
#define X(name, text, doc) HO_DECISION_##name,
  HO_GATE_DECISIONS(X)
#undef X
} ho_gate_decision;
typedef enum ho_gate_known {
  HO_GATE_KNOWN_NONE,
#define X(name, text) HO_GATE_KNOWN_##name,
  HO_GATE_KNOWNS(X)
#undef X
} ho_gate_known;
extern const ho_words ho_gate_states, ho_gate_decisions, ho_gate_knowns;

typedef struct ho_gate {
  ho_str id, handoff;
  ho_str digest; /* of what is to be approved */
  ho_str name, raised_by;
  ho_gate_state state;
  ho_str resume; /* the state its handoff returns to */
  int64_t raised, deadline;
  ho_str decided_by, note;
  ho_gate_decision decision;
  ho_gate_known known; /* who decided */
  int64_t decided;
  ho_str signature, signer; /* of a person, and the fingerprint of the key */
  /* Not in the store; whoever reads gates fills them (engine/ledger/gate_read.h). */
  ho_str
      proof; /* "signed", "unconfirmed" (by a key that nobody confirmed), "unsigned", or "" if no person has decided */
  ho_str doubt; /* why the gate is not as the store has it: a decision that does not count, a changed row; or "" */
  bool unknown; /* no event raised it */
  ho_str root;  /* the gate that it was inherited from, however often it was handed on; else its own id */
  /* Of the handoff that waits, as it was when the gate was raised: digest of its document, receiver. "" in a gate of an
   * earlier version. */
  ho_str body, receiver;
} ho_gate;

typedef struct ho_gate_list {
  ho_gate *rows;
  size_t count;
} ho_gate_list;

/* HO_CONFLICT if the id is taken. */
ho_code ho_gates_add(ho_store *store, const ho_gate *gate, ho_error *err) HO_NODISCARD;
ho_code ho_gates_get(ho_store *store, ho_str id, ho_arena *arena, ho_gate *out, ho_error *err) HO_NODISCARD;
/* state and handoff filter unless 0 and empty; oldest first. */
ho_code ho_gates_select(ho_store *store, ho_gate_state state, ho_str handoff, int64_t limit, ho_arena *arena,
                        ho_gate_list *out, ho_error *err) HO_NODISCARD;
/* Open ones with 0 < deadline <= now, most overdue first. */
ho_code ho_gates_due(ho_store *store, int64_t now, int64_t limit, ho_arena *arena, ho_gate_list *out,
                     ho_error *err) HO_NODISCARD;
/* Handoffs that have a gate, or had one: first those with a gate that was not approved, or that their events raised and
 * that is missing; then those of the newest gates that were approved, up to `approved`; the newest of each first. */
struct ho_handoff_list;
ho_code ho_gates_handoffs(ho_store *store, int64_t approved, int64_t limit, ho_arena *arena,
                          struct ho_handoff_list *out, ho_error *err) HO_NODISCARD;
/* Writes state, decision, note, and who decided, when and how that is known, if the stored state is still `from`; else
 * HO_CONFLICT. */
ho_code ho_gates_change(ho_store *store, const ho_gate *gate, ho_gate_state from, ho_error *err) HO_NODISCARD;
#endif
