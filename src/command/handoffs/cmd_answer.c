#include "base/term.h"
#include "command/commands.h"
#include "command/gate_call.h"
#include "command/ledger_call.h"
#include "engine/ledger/gate_decide.h"
#include "engine/ledger/halt.h"
#include "engine/ledger/learn.h"
#include "engine/ledger/respond.h"
#include "engine/project/identity.h"
#include "engine/project/quote.h"
#include "store/handoffs/gates.h"

static ho_code answer_gate(ho_call *call, ho_project *project, ho_str id, ho_error *err)
{
  ho_gate gate;
  ho_code code = ho_gate_answer(project, call->arena, id, ho_arg_str(call, "note"), &gate, err);
  if (code)
    return code;
  ho_map_addz(call->result, "id", ho_node_text(call->arena, gate.id));
  ho_map_addz(call->result, "state", ho_node_textz(call->arena, ho_words_name(&ho_gate_states, gate.state)));
  return HO_OK;
}

/* A task that another STOP still halts does not go on. */
static ho_code note_resumed(ho_call *call, ho_project *project, ho_str task, ho_error *err)
{
  ho_halt halt;
  bool halted;
  ho_code code = ho_halt_of(project, task, call->arena, &halt, &halted, err);
  ho_str name = ho_quote_name(call->arena, task);
  if (!code && halted)
    ho_call_note(call, "task %.*s is still halted: %.*s", HO_ARG(name),
                 HO_ARG(ho_halt_sentence(project, call->arena, &halt)));
  else if (!code)
    ho_call_note(call, "task %.*s goes on", HO_ARG(name));
  return code;
}

static ho_code answer_handoff(ho_call *call, ho_project *project, ho_error *err)
{
  ho_say say = {.id = ho_arg_str(call, "id"), .note = ho_arg_str(call, "note"), .token = ho_token_arg(call)};
  ho_code code = ho_receive_answer(project, call->arena, &say, err);
  if (!code) {
    ho_ledger_call_put(call, &say.row);
    ho_map_addz(call->result, "changed", ho_node_bool(call->arena, !say.stays));
  }
  if (!code && say.resumed)
    code = note_resumed(call, project, say.row.task, err);
  if (!code && say.like.n)
    ho_call_note(call, "%.*s; run: handoff gate show %.*s", HO_ARG(say.like), HO_ARG(say.gate));
  return code;
}

/* A question or blocker that was learned. */
static ho_code answer_known(ho_call *call, ho_project *project, ho_error *err)
{
  ho_known known;
  ho_code code = ho_learn_answer(project, call->arena, ho_arg_str(call, "id"), ho_arg_str(call, "note"), &known, err);
  if (code)
    return code;
  ho_map_addz(call->result, "id", ho_node_text(call->arena, known.id));
  ho_map_addz(call->result, "state", ho_node_textz(call->arena, ho_words_name(&ho_known_states, known.state)));
  return HO_OK;
}

/* An id that a gate or handoff has, or that has the form of one, means that; a document can state any. */
static ho_code run(ho_call *call, ho_error *err)
{
  ho_project *project = &call->project;
  ho_handoff row;
  ho_known known;
  bool is_known = false, is_gate = false;
  ho_error none = {0};
  ho_str id = ho_arg_str(call, "id");
  ho_code code = ho_open_ledger(call, false, err);
  if (!code)
    code = ho_gate_call_meant(call, ho_gate_call_asked, "answer ID --note TEXT@", &id, &is_gate, err);
  if (code)
    return code;
  if (is_gate)
    return answer_gate(call, project, id, err);
  if (ho_id_of_ledger(id) || !ho_handoffs_get(project->store, id, call->arena, &row, &none))
    return answer_handoff(call, project, err);
  ho_derive_ahead(project, HO_DERIVED_KNOWLEDGE);
  code = ho_known_by_id(project->store, id, call->arena, &known, &is_known, err);
  if (code)
    return code;
  if (!is_known)
    return answer_handoff(call, project, err);
  code = ho_learn_gate(project, call->arena, &known, &id, err);
  if (code)
    return code;
  return id.n ? answer_gate(call, project, id, err) : answer_known(call, project, err);
}

/* Of an answer that leaves the state as it is, the state says nothing. */
static void render(const ho_call *call, ho_buf *out, bool colour)
{
  const ho_node *changed = ho_map_getz(call->result, "changed");
  if (!changed || ho_node_true(changed)) {
    ho_render_state(call, out, colour);
    return;
  }
  ho_term_put(out, ho_map_str(call->result, "id"), HO_TERM_LINE);
  ho_buf_puts(out, " is answered\n");
}

static const ho_field params[] = {
    {.name = "id",
     .label = "ID|G",
     .doc = "A handoff, a gate, or an open question or blocker from 'handoff know'.",
     .type = HO_T_TEXT,
     .flags = HO_REQUIRED | HO_POSITIONAL},
    {.name = "note", .label = "TEXT", .doc = "The answer.", .type = HO_T_TEXT, .flags = HO_REQUIRED},
    HO_PARAM_TOKEN,
    HO_PARAM_AS,
    HO_FIELDS_END};
static const ho_record params_record = {.name = "answer", .fields = params};
static const ho_field result[] = {
    HO_HANDOFF_FIELDS,
    {.name = "changed", .doc = "Of a handoff: whether the answer changed its state.", .type = HO_T_BOOL},
    HO_NOTES_FIELD,
    HO_FIELDS_END};
static const ho_record result_record = {.name = "answer result", .fields = result};

const ho_command ho_command_answer = {
    .name = "answer",
    .group = "handoffs",
    .summary = "Answer a question or blocker of a receiver or a person",
    .doc =
        "A handoff in the state 'clarify' becomes ready again, first for the agent that asked; a question that did not "
        "block is answered without a change of state. Both can be done by the sender of the handoff, or by a person. A "
        "draft is confirmed and becomes ready. At a gate, this answers the person's question and the gate stays open. "
        "A "
        "task that a STOP has halted is resumed, by whoever asked for the response or by a person. An open question or "
        "blocker ('handoff know --state open') is closed.",
    .examples = "handoff answer HO-2026-015 --note 'Yes, until the release'",
    .teammate = true,
    .effect = HO_EFFECT_WRITE,
    .params = &params_record,
    .result = &result_record,
    .run = run,
    .render = render,
};
