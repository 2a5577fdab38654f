#include "command/gate_shown.h"
#include "engine/ledger/gate_decide.h"

static ho_code run(ho_call *call, ho_error *err)
{
  ho_project *project = &call->project;
  ho_decision decision = {
      .gate = ho_arg_str(call, "gate"), .decision = ho_arg_str(call, "decision"), .note = ho_arg_str(call, "note")};
  ho_code code = ho_open_ledger(call, false, err);
  if (code)
    return code;
  code = ho_gate_decide(project, call->arena, &decision, err);
  if (!code)
    code = ho_gate_put(call, project, &decision.after, false, err);
  return code;
}

static const ho_choice decisions[] = {{.value = "approve", .doc = "work goes on"},
                                      {.value = "reject", .doc = "the handoff ends here"},
                                      {.value = "question", .doc = "something has to be answered first (--note)"},
                                      {0}};
static const ho_field params[] = {HO_PARAM_GATE,
                                  {.name = "decision",
                                   .label = "approve|reject|question",
                                   .doc = "The decision.",
                                   .type = HO_T_TEXT,
                                   .choices = decisions,
                                   .flags = HO_REQUIRED | HO_POSITIONAL},
                                  {.name = "note", .label = "TEXT", .doc = "Why, or the question.", .type = HO_T_TEXT},
                                  HO_FIELDS_END};
static const ho_record params_record = {.name = "gate decide", .fields = params};

extern const ho_command ho_command_gate_decide;
const ho_command ho_command_gate_decide = {
    .name = "gate decide",
    .group = "gates",
    .summary = "Decide a gate, as a person",
    .doc = "Decides once: whoever comes second sees who was first (6). It takes a person at a terminal, or a decision "
           "key: a file with at least 16 characters that only its owner may read, outside of the project, named by "
           "HANDOFF_DECISION_KEY or at ~/.config/handoff/decision.key. The first key that is used is remembered; with "
           "that one the decider is 'verified', else 'asserted'. Where HANDOFF_AGENT or a variable of a harness is set "
           "it is refused (7), and so is the one who raised the gate. A question keeps it open.",
    .examples = "handoff gate decide G-2026-001 approve --note 'Well done'",
    .common = true,
    .effect = HO_EFFECT_WRITE,
    .params = &params_record,
    .result = &ho_gate_shown_record,
    .run = run,
    .render = ho_gate_line,
};
