/* Gates: where a handoff waits for a person's decision. */
#ifndef HO_STORE_HANDOFFS_GATES_H
#define HO_STORE_HANDOFFS_GATES_H

#include "store/store.h"

typedef struct ho_gate {
  ho_str id, handoff;
  ho_str digest; /* of what is to be approved */
  ho_str name, raised_by;
  ho_str state;  /* a word chosen by the engine; "open" ones are counted by ho_store_count */
  ho_str resume; /* the state its handoff returns to */
  int64_t raised, deadline;
  ho_str decided_by, decision, note;
  ho_str verified; /* "verified" or "asserted": how the decider is known */
  int64_t decided;
} ho_gate;

typedef struct ho_gate_list {
  ho_gate *rows;
  size_t count;
} ho_gate_list;

/* HO_CONFLICT if the id is taken. */
ho_code ho_gates_add(ho_store *store, const ho_gate *gate, ho_error *err) HO_NODISCARD;
ho_code ho_gates_get(ho_store *store, ho_str id, ho_arena *arena, ho_gate *out, ho_error *err) HO_NODISCARD;
/* state and handoff filter unless empty; oldest first. */
ho_code ho_gates_select(ho_store *store, ho_str state, ho_str handoff, int64_t limit, ho_arena *arena,
                        ho_gate_list *out, ho_error *err) HO_NODISCARD;
/* Open ones with 0 < deadline <= now, most overdue first. */
ho_code ho_gates_due(ho_store *store, int64_t now, int64_t limit, ho_arena *arena, ho_gate_list *out,
                     ho_error *err) HO_NODISCARD;
/* Writes everything but id and handoff, if the stored state is still `from`; else HO_CONFLICT. */
ho_code ho_gates_change(ho_store *store, const ho_gate *gate, ho_str from, ho_error *err) HO_NODISCARD;
#endif
