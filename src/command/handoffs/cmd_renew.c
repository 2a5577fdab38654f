#include "command/commands.h"
#include "command/ledger_call.h"
#include "engine/ledger/claim.h"
#include "store/handoffs/handoffs.h"

static ho_code run(ho_call *call, ho_error *err)
{
  ho_project *project = &call->project;
  ho_handoff row;
  ho_code code = ho_open_ledger(call, false, err);
  if (code)
    return code;
  code = ho_claim_renew(project, call->arena, ho_arg_str(call, "id"), ho_token_arg(call), ho_number_arg(call, "lease"),
                        &row, err);
  if (!code)
    ho_ledger_call_put(call, &row);
  return code;
}

static void render(const ho_call *call, ho_buf *out, bool colour)
{
  (void)colour;
  ho_buf_printf(out, "%.*s until %.*s\n", HO_ARG(ho_map_str(call->result, "id")),
                HO_ARG(ho_map_str(call->result, "lease_until")));
}

static const ho_field params[] = {HO_PARAM_ID,
                                  {.name = "lease",
                                   .label = "S",
                                   .doc = "Seconds that the claim lasts from now on. Default: as many as before.",
                                   .type = HO_T_INT,
                                   .min = 1,
                                   .max = 604800},
                                  HO_PARAM_TOKEN,
                                  HO_PARAM_AS,
                                  HO_FIELDS_END};
static const ho_record params_record = {.name = "renew", .fields = params};

const ho_command ho_command_renew = {
    .name = "renew",
    .group = "handoffs",
    .summary = "Extend the lease of a claim",
    .doc =
        "Restarts the lease of a claimed or acknowledged handoff, so that it does not become ready for other agents.",
    .examples = "handoff renew HO-2026-015 --lease 3600",
    .teammate = true,
    .effect = HO_EFFECT_WRITE,
    .params = &params_record,
    .result = &ho_changed_record,
    .run = run,
    .render = render,
};
