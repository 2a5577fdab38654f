#include "command/commands.h"
#include "command/ledger_call.h"
#include "engine/ledger/respond.h"
#include "model/lifecycle.h"

static ho_code run(ho_call *call, ho_error *err)
{
  ho_project *project = &call->project;
  ho_ack ack = {.id = ho_arg_str(call, "id"),
                .token = ho_token_arg(call),
                .task = ho_arg_str(call, "task"),
                .constraints = ho_arg(call, "constraint"),
                .questions = ho_arg(call, "question"),
                .blockers = ho_arg(call, "blocker"),
                .not_starting = ho_arg_true(call, "not_starting"),
                .tokens = ho_host_tokens(call->host)};
  ho_code code = ho_open_ledger(call, false, err);
  if (code)
    return code;
  code = ho_receive_ack(project, call->arena, &ack, err);
  if (!code) {
    ho_ledger_call_put(call, &ack.row);
    ho_map_addz(call->result, "checks", ack.checks ? ack.checks : ho_node_new(call->arena, HO_KIND_LIST));
    bool asks = ho_str_is(ack.row.state, ho_state_name(HO_STATE_CLARIFY));
    HO_EACH_CONST (check, ack.checks) /* whoever asks first has stated nothing yet */
      if (!ho_node_true(ho_map_getz(check, "ok")) && !(asks && ho_str_is(ho_map_str(check, "known"), "asserted")))
        ho_call_note(call, "%.*s: %.*s", HO_ARG(ho_map_str(check, "check")), HO_ARG(ho_map_str(check, "why")));
    if (ho_str_is(ack.row.state, ho_state_name(HO_STATE_CLAIMED)))
      ho_call_note(call, "the question was recorded, but %.*s is not acknowledged; to start working, run: %.*s",
                   HO_ARG(ack.row.id),
                   HO_ARG(ho_project_command(project, call->arena, "ack ID --task TEXT@", ack.row.id)));
  }
  return code;
}

static const ho_field params[] = {
    HO_PARAM_ID,
    {.name = "task", .label = "TEXT", .doc = "The task in your own words.", .type = HO_T_TEXT},
    {.name = "constraint",
     .label = "C",
     .doc = "A constraint, as you understand it.",
     .type = HO_T_LIST,
     .item = HO_T_TEXT},
    {.name = "question",
     .label = "Q",
     .doc = "A question to the sender. Work starts as well if --task is given; otherwise it is only asked.",
     .type = HO_T_LIST,
     .item = HO_T_TEXT},
    {.name = "blocker",
     .label = "B",
     .doc = "Something that keeps you from starting.",
     .type = HO_T_LIST,
     .item = HO_T_TEXT},
    {.name = "not_starting", .doc = "Do not start yet, even without a blocker.", .type = HO_T_BOOL},
    HO_PARAM_TOKEN,
    HO_PARAM_AS,
    HO_FIELDS_END};
static const ho_record params_record = {.name = "ack", .fields = params};
static const ho_field result[] = {HO_HANDOFF_FIELDS,
                                  HO_LIST_FIELD("checks", "The receiver's four checks.", ho_ack_check_record),
                                  HO_NOTES_FIELD, HO_FIELDS_END};
static const ho_record result_record = {.name = "ack result", .fields = result};

const ho_command ho_command_ack = {
    .name = "ack",
    .group = "handoffs",
    .summary = "Acknowledge a claimed handoff and start working on it",
    .doc = "Records four checks: the summary is understandable, the artifacts exist, the deliverable is clear, and you "
           "can meet the constraints. With --blocker or --not-starting, the handoff goes to the state 'clarify' until "
           "someone runs 'handoff answer'.",
    .examples = "handoff ack HO-2026-014 --task 'Review the import' --token \"$(jq -r .token claim.json)\"",
    .common = true,
    .teammate = true,
    .effect = HO_EFFECT_WRITE,
    .params = &params_record,
    .result = &result_record,
    .run = run,
    .render = ho_render_state,
};
