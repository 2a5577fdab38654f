/* What commands do with a gate: find it, decide it, wait for it. */
#ifndef HO_COMMAND_GATE_CALL_H
#define HO_COMMAND_GATE_CALL_H

#include "command/gate_shown.h"

/* The id of the gate that is meant: "G-003", "G-3" and "3" are this year's. As it was given if there is none. The ledger
 * is open. */
ho_str ho_gate_call_id(ho_call *call, ho_str given);
/* Can the caller decide gates? Has a person asked something at this one? */
bool ho_gate_call_decides(const ho_call *call, const ho_gate *gate);
bool ho_gate_call_asked(const ho_call *call, const ho_gate *gate);
/* For commands that take a handoff or a gate, which act on a gate if `acts` says so: is a gate meant? *id, as it was given,
 * becomes that gate's. A number alone means what of both can be meant, a handoff that is open or a gate that `acts`; of neither,
 * it is the handoff's; of both, HO_USAGE lists the commands to choose from, made of `command` (ho_project_command). The
 * ledger is open. */
ho_code ho_gate_call_meant(ho_call *call, bool (*acts)(const ho_call *call, const ho_gate *gate), const char *command,
                           ho_str *id, bool *is_gate, ho_error *err) HO_NODISCARD;
/* Decides it for the person at the terminal, and puts it into `into`, the result or a part of it. seen: as the person was
 * shown it before (engine/ledger/gate_decide.h), or NULL. The one way in which commands decide: whatever their rows say,
 * agents are refused here, before anything is looked at, and so is a decision in another name. */
ho_code ho_gate_call_decide(ho_call *call, ho_str gate, ho_gate_decision decision, ho_str note, const ho_gate *seen,
                            ho_node *into, ho_error *err) HO_NODISCARD;
/* Waits until it is decided, the person has a question, or the seconds are over (0: no matter how long), and puts it into
 * `into`. HO_OK if it was approved, HO_NO if it was rejected, else HO_GATED. */
ho_code ho_gate_call_wait(ho_call *call, ho_str gate, int64_t seconds, ho_node *into, ho_error *err) HO_NODISCARD;
/* How it stands, what the person said, and how to answer a question. */
void ho_gate_call_put_waited(const ho_call *call, ho_buf *out, const ho_node *gate);

#define HO_PARAM_GATE_NOTE(what)                                                                                       \
  {                                                                                                                    \
    .name = "note", .label = "TEXT", .doc = what, .type = HO_T_TEXT                                                    \
  }
#endif
