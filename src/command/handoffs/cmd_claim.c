#include "command/commands.h"
#include "command/handoffs/claimed.h"

static ho_code run(ho_call *call, ho_error *err)
{
  ho_delivery d = {.id = ho_arg_str(call, "id"),
                   .lease = ho_number_arg(call, "lease"),
                   .ack = ho_arg_true(call, "ack"),
                   .again = true};
  ho_code code = ho_open_ledger(call, false, err);
  if (!code)
    code = ho_claim_next(&call->project, call->arena, &d, err);
  return code ? code : ho_claimed_put(call, &d, err);
}

static const ho_field params[] = {HO_PARAM_ID, HO_PARAM_AS, HO_PARAM_LEASE, HO_PARAM_ACK, HO_FIELDS_END};
static const ho_record params_record = {.name = "claim", .fields = params};
static const ho_field result[] = {HO_CLAIMED_FIELDS, HO_NOTES_FIELD, HO_FIELDS_END};
static const ho_record result_record = {.name = "claim result", .fields = result};

const ho_command ho_command_claim = {
    .name = "claim",
    .group = "handoffs",
    .summary = "Claim a handoff by its id",
    .doc = "Like 'handoff next', but for one handoff that is ready. One that names its receiver can be claimed by that "
           "agent only (--as).",
    .examples = "handoff claim HO-2026-015 --as reviewer",
    .teammate = true,
    .effect = HO_EFFECT_WRITE,
    .params = &params_record,
    .result = &result_record,
    .run = run,
    .render = ho_claimed_render,
    .raw = true,
};
