#include "base/term.h"
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
    if (code || gate->state == HO_GATE_DECIDED || gate->decision == HO_DECISION_QUESTION)
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

/* How it stands, what the person said, and how to answer a question. */
static void render(const ho_call *call, ho_buf *out, bool colour)
{
  ho_str note = ho_map_str(call->result, "note"), id = ho_map_str(call->result, "id");
  bool open = ho_str_is(ho_map_str(call->result, "state"), ho_words_name(&ho_gate_states, HO_GATE_OPEN));
  bool asked =
      open && ho_str_is(ho_map_str(call->result, "decision"), ho_words_name(&ho_gate_decisions, HO_DECISION_QUESTION));
  ho_gate_shown_line(call, out, colour);
  if (note.n) {
    ho_buf_puts(out, "| ");
    ho_term_put(out, note, HO_TERM_LINE);
    ho_buf_putc(out, '\n');
  }
  if (asked)
    ho_buf_printf(out, "%.*s\n", HO_ARG(ho_project_command(&call->project, call->arena, "answer ID --note TEXT@", id)));
}

static const ho_field params[] = {HO_PARAM_GATE,
                                  HO_PARAM_AS,
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
    .summary = "Wait until a gate is decided, or the person has a question",
    .doc = "Exits 0 if it was approved, 1 if it was rejected, and 7 if nobody decided in time or the person has a "
           "question, which is printed with the command that answers it.",
    .examples = "handoff gate wait G-2026-001 --timeout 60",
    .teammate = true,
    .effect = HO_EFFECT_LONG,
    .params = &params_record,
    .result = &ho_gate_shown_record,
    .run = run,
    .render = render,
};
