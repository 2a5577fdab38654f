/* A gate as gate show, gate decide and gate wait give it. */
#ifndef HO_COMMAND_GATE_SHOWN_H
#define HO_COMMAND_GATE_SHOWN_H

#include "command/ledger_call.h"
#include "store/handoffs/gates.h"

extern const ho_record ho_gate_shown_record;
/* The gate's fields as members of `into`, the result or a part of it, with the state of its handoff and, if wanted, what
 * is to be approved. */
ho_code ho_gate_shown_put(ho_call *call, ho_node *into, const ho_gate *gate, bool document, ho_error *err) HO_NODISCARD;
/* One line: how it stands. */
void ho_gate_shown_put_line(ho_buf *out, const ho_node *gate);
void ho_gate_shown_line(const ho_call *call, ho_buf *out, bool colour);

#define HO_PARAM_GATE                                                                                                  \
  {                                                                                                                    \
    .name = "gate", .label = "G", .doc = "Id of the gate; the number alone means this year's.", .type = HO_T_TEXT,     \
    .flags = HO_REQUIRED | HO_POSITIONAL                                                                               \
  }
#endif
