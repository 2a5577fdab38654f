#include "command/gate_shown.h"

#include "base/term.h"
#include "engine/ledger/describe.h"
#include "engine/ledger/gate_read.h"
#include "engine/ledger/halt.h"
#include "engine/project/quote.h"
#include "store/handoffs/bodies.h"
#include "store/handoffs/handoffs.h"

ho_code ho_gate_shown_put(ho_call *call, ho_node *into, const ho_gate *gate, bool document, ho_error *err)
{
  ho_project *project = &call->project;
  ho_handoff row;
  ho_node *talk = NULL, *fields = ho_describe_gate(gate, call->arena);
  ho_error lost = {0};
  ho_str body = HO_EMPTY;
  HO_EACH (field, fields)
    ho_map_addz(into, ho_arena_z(call->arena, field->key), ho_node_copy(call->arena, field));
  ho_code code = ho_handoffs_get(project->store, gate->handoff, call->arena, &row, err);
  ho_halt halt;
  bool halted = false;
  if (!code)
    code = ho_halt_of(project, row.task, call->arena, &halt, &halted, err);
  if (!code && halted)
    ho_map_put(call->arena, into, "halted", ho_halt_sentence(project, call->arena, &halt));
  if (!code)
    ho_map_addz(into, "handoff_state", ho_node_text(call->arena, row.state));
  if (code || !document)
    return code;
  ho_str waiting = HO_EMPTY, waits = gate->body.n ? gate->body : row.digest;
  code = ho_describe_gate_talk(project, gate, call->arena, &talk, err);
  if (!code)
    code = ho_bodies_get(project->store, gate->digest, call->arena, &body, &lost);
  if (code == HO_NOT_FOUND && gate->state == HO_GATE_DECIDED) /* by a rebuild; nobody has to judge it any more */
    code = HO_OK;
  else if (lost.code)
    *err = lost;
  if (!code && !ho_str_eq(waits, gate->digest))
    code = ho_bodies_get(project->store, waits, call->arena, &waiting, err);
  ho_map_addz(into, "talk", talk);
  ho_map_addz(into, "kind", ho_node_text(call->arena, row.kind));
  ho_map_addz(into, "text", ho_node_text(call->arena, body));
  ho_map_put(call->arena, into, "waiting", waiting);
  ho_map_put(call->arena, into, "receiver", gate->body.n ? gate->receiver : row.receiver);
  return code;
}

void ho_gate_shown_put_line(ho_buf *out, const ho_node *gate)
{
  ho_str decision = ho_map_str(gate, "decision"), by = ho_map_str(gate, "decided_by");
  ho_term_put(out, ho_map_str(gate, "id"), HO_TERM_LINE);
  ho_buf_puts(out, " is ");
  ho_term_put(out, ho_map_str(gate, "state"), HO_TERM_LINE);
  if (decision.n) {
    ho_buf_puts(out, ": ");
    ho_term_put(out, decision, HO_TERM_LINE);
    ho_buf_puts(out, " by ");
    ho_quote_put_name(out, by);
    ho_str proof = ho_gate_read_proof_words(ho_map_str(gate, "proof"));
    ho_buf_printf(out, " (%.*s)", HO_ARG(proof.n ? proof : HO_STR("no person")));
  }
  ho_buf_puts(out, "; ");
  ho_term_put(out, ho_map_str(gate, "handoff"), HO_TERM_LINE);
  ho_buf_puts(out, " is ");
  ho_term_put(out, ho_map_str(gate, "handoff_state"), HO_TERM_LINE);
  ho_buf_putc(out, '\n');
}

void ho_gate_shown_line(const ho_call *call, ho_buf *out, bool colour)
{
  (void)colour;
  ho_gate_shown_put_line(out, call->result);
}

static const ho_field fields[] = {HO_GATE_FIELDS,
                                  HO_TEXT_FIELD("handoff_state", "State of the handoff that waits."),
                                  HO_TEXT_FIELD("halted", "Why the task is halted, if it is."),
                                  HO_LIST_FIELD("talk", "Questions, answers and decisions so far.", ho_talk_record),
                                  HO_TEXT_FIELD("kind", "Format of the document."),
                                  HO_TEXT_FIELD("text", "The document to be approved, as it was sent."),
                                  HO_TEXT_FIELD("waiting", "The document that waits, if it is another one."),
                                  HO_TEXT_FIELD("receiver", "The agent it goes to if it is approved."),
                                  HO_NOTES_FIELD,
                                  HO_FIELDS_END};
const ho_record ho_gate_shown_record = {.name = "gate result", .fields = fields};
