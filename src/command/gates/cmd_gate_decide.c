#include "command/commands.h"
#include "command/gate_call.h"

static ho_code run(ho_call *call, ho_error *err)
{
  int word = HO_DECISION_NONE;
  (void)ho_words_find(&ho_gate_decisions, ho_arg_str(call, "decision"), &word); /* one of the choices */
  return ho_gate_call_decide(call, ho_arg_str(call, "gate"), (ho_gate_decision)word, ho_arg_str(call, "note"), NULL,
                             call->result, err);
}

static const ho_choice decisions[] = {
#define X(name, text, what) {.value = text, .doc = what},
    HO_GATE_DECISIONS(X)
#undef X
        {0}};
static const ho_field params[] = {HO_PARAM_GATE,
                                  {.name = "decision",
                                   .label = "approve|reject|question",
                                   .doc = "The decision.",
                                   .type = HO_T_TEXT,
                                   .choices = decisions,
                                   .flags = HO_REQUIRED | HO_POSITIONAL},
                                  HO_PARAM_GATE_NOTE("The reason, or the question."),
                                  HO_FIELDS_END};
static const ho_record params_record = {.name = "gate decide", .fields = params};

const ho_command ho_command_gate_decide = {
    .name = "gate decide",
    .group = "gates",
    .summary = "Decide a gate, as a person",
    .doc = "A gate is decided once; a second decision is refused (exit status 6). An agent cannot decide (7), "
           "least of all a gate that it raised; a person who raised one can, and 'gate show' says so.\n\nYou need a "
           "terminal. If the project has deciders (handoff key list), only they can "
           "decide: you are shown what you decide, and asked for the passphrase of your key, which signs the decision. "
           "In a project without deciders, decisions are unsigned and labelled so wherever they appear.",
    .examples = "handoff gate decide G-2026-001 approve --note 'Well done'",
    .person = true,
    .roles = HO_MAY_DECIDE,
    .effect = HO_EFFECT_WRITE,
    .params = &params_record,
    .result = &ho_gate_shown_record,
    .run = run,
    .render = ho_gate_shown_line,
};
