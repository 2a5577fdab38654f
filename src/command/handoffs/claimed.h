/* A handoff for the agent that has just claimed it: what `next` and `claim` answer. */
#ifndef HO_COMMAND_HANDOFFS_CLAIMED_H
#define HO_COMMAND_HANDOFFS_CLAIMED_H

#include "command/delivered.h"
#include "engine/ledger/claim.h"

/* Puts it into the result, with the commands that may follow; the session now works on its phase. */
ho_code ho_claimed_put(ho_call *call, const ho_delivery *delivery, ho_error *err) HO_NODISCARD;
/* The result as text: the token, what is known, the commands, the document. */
void ho_claimed_render(const ho_call *call, ho_buf *out, bool colour);

#define HO_CLAIMED_FIELDS                                                                                              \
  HO_TEXT_FIELD("id", "Id of the handoff; absent if nothing is ready."),                                               \
      HO_TEXT_FIELD("token", "The claim token: without it, only the agent and session that claimed it can go on."),    \
      HO_TEXT_FIELD("lease_until", "When the lease runs out unless the handoff is acknowledged or renewed."),          \
      {.name = "handoff", .doc = "The handoff.", .type = HO_T_RECORD, .record = &ho_delivered_record},                 \
      HO_TEXTS_FIELD("commands", "The commands that may follow.")
#endif
