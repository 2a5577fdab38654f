#include "base/time.h"
#include "command/commands.h"
#include "command/gate_shown.h"
#include "engine/ledger/derive.h"
#include "engine/ledger/gate_read.h"
#include "engine/ledger/write.h"
#include "engine/project/project.h"
#include "store/handoffs/gates.h"

/* Looks again whenever somebody has written, and every second for deadlines. */
static ho_code wait_for(ho_call *call, ho_project *project, ho_gate *gate, ho_error *err)
{
  int64_t timeout = ho_number_arg(call, "timeout"), start = ho_time_monotonic_ms();
  for (bool changed = true;;) {
    ho_ledger_settle(project);
    ho_code code = ho_gate_read(project, ho_arg_str(call, "gate"), call->arena, gate, err);
    if (code || gate->state == HO_GATE_DECIDED)
      return code;
    int64_t left = timeout ? start + timeout * 1000 - ho_time_monotonic_ms() : 1000;
    if (left <= 0)
      return HO_OK;
    if (!changed)
      ho_derive_idle(project);
    code = ho_store_wait(project->store, left < 1000 ? left : 1000, &changed, err);
    if (code)
      return code;
  }
}

static ho_code run(ho_call *call, ho_error *err)
{
  ho_project *project = &call->project;
  ho_gate gate = {0};
  ho_code code = ho_open_ledger(call, false, err);
  if (code)
    return code;
  code = wait_for(call, project, &gate, err);
  if (!code)
    code = ho_gate_shown_put(call, project, &gate, false, err);
  if (code)
    return code;
  if (gate.state != HO_GATE_DECIDED)
    return HO_GATED;
  return gate.decision == HO_DECISION_APPROVE ? HO_OK : HO_NO;
}

static const ho_field params[] = {HO_PARAM_GATE,
                                  {.name = "timeout",
                                   .label = "S",
                                   .doc = "Wait up to S seconds. Default: until it is decided.",
                                   .type = HO_T_INT,
                                   .min = 1,
                                   .max = 31536000},
                                  HO_FIELDS_END};
static const ho_record params_record = {.name = "gate wait", .fields = params};

const ho_command ho_command_gate_wait = {
    .name = "gate wait",
    .group = "gates",
    .summary = "Wait until a gate is decided",
    .doc = "Exits 0 if it was approved, 1 if it was rejected, and 7 if nobody decided in time.",
    .examples = "handoff gate wait G-2026-001 --timeout 60",
    .teammate = true,
    .effect = HO_EFFECT_LONG,
    .params = &params_record,
    .result = &ho_gate_shown_record,
    .run = run,
    .render = ho_gate_shown_line,
};
