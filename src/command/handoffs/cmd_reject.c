#include "command/commands.h"
#include "command/gate_call.h"

static ho_code reject_gate(ho_call *call, ho_str id, ho_error *err)
{
  ho_node *gate = ho_map_addz(call->result, "decided", ho_node_new(call->arena, HO_KIND_MAP));
  ho_code code = ho_gate_call_decide(call, id, HO_DECISION_REJECT, ho_arg_str(call, "note"), NULL, gate, err);
  if (code)
    return code;
  ho_map_put(call->arena, call->result, "id", ho_map_str(gate, "id"));
  ho_map_put(call->arena, call->result, "state", ho_map_str(gate, "state"));
  return HO_OK;
}

static ho_code run(ho_call *call, ho_error *err)
{
  bool is_gate = false;
  ho_str id = ho_arg_str(call, "id");
  ho_code code = ho_open_ledger(call, false, err);
  if (!code)
    code = ho_gate_call_meant(call, ho_gate_call_decides, "reject ID --note TEXT@", &id, &is_gate, err);
  if (code)
    return code;
  if (is_gate)
    return reject_gate(call, id, err);
  ho_say say = {.id = id, .token = ho_token_arg(call), .note = ho_arg_str(call, "note")};
  if (!ho_arg(call, "note"))
    return ho_fail(err, HO_USAGE, "reject needs --note TEXT; run: handoff reject --help");
  return ho_ledger_call_say(call, &say, ho_receive_reject, err);
}

static void render(const ho_call *call, ho_buf *out, bool colour)
{
  const ho_node *gate = ho_map_getz(call->result, "decided");
  if (gate)
    ho_gate_shown_put_line(out, gate);
  else
    ho_render_state(call, out, colour);
}

static const ho_field params[] = {{.name = "id",
                                   .label = "ID|G",
                                   .doc = "A handoff, or a gate.",
                                   .type = HO_T_TEXT,
                                   .flags = HO_REQUIRED | HO_POSITIONAL},
                                  {.name = "note",
                                   .aliases = "why",
                                   .label = "TEXT",
                                   .doc = "The reason; a handoff needs one, for its sender.",
                                   .type = HO_T_TEXT,
                                   .flags = HO_OLD_NAMES},
                                  HO_PARAM_TOKEN,
                                  HO_PARAM_AS,
                                  HO_FIELDS_END};
static const ho_record params_record = {.name = "reject", .fields = params};
static const ho_field result[] = {HO_HANDOFF_FIELDS,
                                  {.name = "decided",
                                   .doc = "If it was a gate: the gate, as 'gate decide' has it.",
                                   .type = HO_T_RECORD,
                                   .record = &ho_gate_shown_record},
                                  HO_NOTES_FIELD,
                                  HO_FIELDS_END};
static const ho_record result_record = {.name = "reject result", .fields = result};

const ho_command ho_command_reject = {
    .name = "reject",
    .group = "handoffs",
    .summary = "Refuse a handoff, discard a draft, or reject what waits at a gate",
    .doc = "Ends the handoff without its work being done. The id of a gate (G-2026-001, G-1) decides that gate, as "
           "'handoff gate decide G reject' does: only a person may.",
    .examples = "handoff reject HO-2026-015 --note 'The export is not part of this release'",
    .teammate = true,
    .person_words = "reject G",
    .roles = HO_MAY_AGENT | HO_MAY_DECIDE,
    .effect = HO_EFFECT_WRITE,
    .params = &params_record,
    .result = &result_record,
    .run = run,
    .render = render,
};
