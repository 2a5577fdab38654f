#include "engine/ledger/gate_read.h"

#include "base/buf.h"
#include "base/digest.h"
#include "base/grow.h"
#include "doc/json/json.h"
#include "doc/source.h"
#include "model/lifecycle.h"
#include "store/handoffs/events.h"

enum { MOST = 100000, DECIDED_AT_ONCE = 1000 };

static void put_text(ho_buf *out, const char *key, ho_str text)
{
  ho_buf_printf(out, ",\"%s\":", key);
  ho_json_write_text(out, text);
}

static void put_number(ho_buf *out, const char *key, int64_t number)
{
  ho_buf_printf(out, ",\"%s\":%lld", key, (long long)number);
}

ho_str ho_gate_read_statement(ho_arena *arena, ho_str project, const ho_gate *gate)
{
  ho_buf text;
  ho_buf_init(&text, 0);
  ho_buf_puts(&text, "handoff gate decision 1\n{");
  put_number(&text, "at", gate->decided);
  put_text(&text, "by", gate->decided_by);
  put_number(&text, "deadline", gate->deadline);
  put_text(&text, "decision", ho_words_str(&ho_gate_decisions, gate->decision));
  put_text(&text, "document", gate->digest);
  put_text(&text, "gate", gate->id);
  put_text(&text, "handoff", gate->handoff);
  put_text(&text, "key", gate->signer);
  put_text(&text, "name", gate->name);
  put_text(&text, "note", gate->note);
  put_text(&text, "project", project);
  put_number(&text, "raised", gate->raised);
  put_text(&text, "raised_by", gate->raised_by);
  ho_buf_puts(&text, "}");
  return ho_buf_move(&text, arena);
}

ho_str ho_gate_read_digest(ho_arena *arena, ho_str project, const ho_gate *gate)
{
  char digest[HO_DIGEST_SIZE];
  ho_digest_text(ho_gate_read_statement(arena, project, gate), digest);
  return ho_arena_copy(arena, ho_str_of(digest));
}

static bool by_program(const ho_gate *gate)
{
  return gate->decision == HO_DECISION_REJECT && !gate->signature.n &&
         (ho_str_is(gate->decided_by, HO_GATE_BY_DEADLINE) || ho_str_is(gate->decided_by, HO_GATE_BY_HANDOFF));
}

/* Shows the gate as if nobody had decided. */
static void reopen(ho_gate *gate, ho_str doubt)
{
  gate->doubt = doubt;
  gate->state = HO_GATE_OPEN;
  gate->decision = HO_DECISION_NONE;
  gate->proof = HO_PROOF_NONE;
  gate->decided = 0;
  gate->decided_by = gate->note = gate->signature = gate->signer = gate->evidence = HO_EMPTY;
}

void ho_gate_read_judge(ho_project *project, ho_deciders *d, ho_arena *arena, ho_gate *gate)
{
  gate->doubt = gate->evidence = HO_EMPTY;
  if (gate->decision == HO_DECISION_NONE || by_program(gate))
    return;
  const ho_decider *signer = gate->signature.n ? ho_deciders_find(d, gate->signer) : NULL;
  bool sound = signer && ho_str_eq(signer->added.name, gate->decided_by) &&
               ho_keypair_verify(signer->added.key, ho_gate_read_statement(arena, d->project, gate), gate->signature);
  gate->evidence = sound ? HO_STR("signed") : HO_STR("unsigned");
  gate->proof = sound ? HO_PROOF_SIGNED : HO_PROOF_STATED;
  if (gate->state != HO_GATE_DECIDED || (sound && ho_deciders_active(signer)))
    return;
  ho_deciders_ask_git(project, arena, d);
  if (!d->required || ho_deciders_keep(d, ho_gate_read_digest(arena, d->project, gate)))
    return;
  const char *why = sound               ? "the key was revoked, and this decision was not known then"
                    : gate->signature.n ? "the signature is not that of a decider for exactly this gate"
                                        : "it is not signed, and only deciders decide here";
  reopen(gate,
         ho_arena_printf(arena, "the store says '%.*s' by %.*s, which does not count: %s",
                         HO_ARG(ho_words_str(&ho_gate_decisions, gate->decision)), HO_ARG(gate->decided_by), why));
}

ho_code ho_gate_read(ho_project *project, ho_str id, ho_arena *arena, ho_gate *out, ho_error *err)
{
  ho_deciders deciders;
  ho_code code = ho_gates_get(project->store, id, arena, out, err);
  if (!code)
    code = ho_deciders_load(project, arena, &deciders, err);
  if (code)
    return code;
  ho_gate_read_judge(project, &deciders, arena, out);
  return ho_arena_code(arena, err);
}

/* Adds those whose decision does not count. */
static ho_code add_doubted(ho_project *project, ho_deciders *deciders, ho_str handoff, ho_arena *arena,
                           ho_gate_list *out, ho_error *err)
{
  ho_gate_list decided;
  ho_code code = ho_gates_select(project->store, HO_GATE_DECIDED, handoff, DECIDED_AT_ONCE, arena, &decided, err);
  for (size_t i = 0; !code && i < decided.count; i++) {
    ho_gate_read_judge(project, deciders, arena, &decided.rows[i]);
    ho_gate *slot = decided.rows[i].doubt.n ? HO_PUSH(arena, out->rows, out->count) : NULL;
    if (slot)
      *slot = decided.rows[i];
  }
  return code;
}

ho_code ho_gate_read_list(ho_project *project, ho_gate_state state, ho_str handoff, int64_t limit, ho_arena *arena,
                          ho_gate_list *out, ho_error *err)
{
  ho_deciders deciders;
  ho_code code = ho_gates_select(project->store, state, handoff, limit, arena, out, err);
  if (!code)
    code = ho_deciders_load(project, arena, &deciders, err);
  for (size_t i = 0; !code && i < out->count; i++)
    ho_gate_read_judge(project, &deciders, arena, &out->rows[i]);
  if (!code && state == HO_GATE_OPEN && deciders.required)
    code = add_doubted(project, &deciders, handoff, arena, out, err);
  return code ? code : ho_arena_code(arena, err);
}

ho_str ho_gate_read_proof(ho_project *project, ho_arena *arena, const ho_node *data)
{
  ho_gate gate;
  ho_error err;
  ho_str by = ho_map_str(data, "by"), decision = ho_map_str(data, "decision");
  if (!ho_map_str(data, "gate").n || !decision.n || ho_str_is(by, HO_GATE_BY_DEADLINE) ||
      ho_str_is(by, HO_GATE_BY_HANDOFF))
    return HO_EMPTY;
  bool same = ho_gate_read(project, ho_map_str(data, "gate"), arena, &gate, &err) == HO_OK &&
              ho_str_eq(ho_words_str(&ho_gate_decisions, gate.decision), decision) && ho_str_eq(gate.decided_by, by);
  return same ? gate.evidence : HO_STR("unsigned");
}

/* What the event says if it holds its handoff up until a gate is decided, else NULL. */
static const ho_node *holds_up(const ho_event *event, ho_arena *arena)
{
  ho_source source;
  ho_node *data = NULL;
  ho_error err;
  bool raised = ho_str_is(event->kind, HO_NOTE_GATE_RAISED);
  if ((!raised && ho_event_sense_of(event->kind) != HO_SENSE_ASKS) ||
      ho_source_init(&source, arena, HO_STR("event"), event->data, &err) ||
      ho_json_read(&source, 0, arena, NULL, &data, &err))
    return NULL;
  /* A rebuild notes so that it once held its handoff up. */
  bool blocks = !raised || ho_node_true(ho_map_getz(data, "blocking"));
  return blocks && ho_map_str(data, "gate").n ? data : NULL;
}

ho_code ho_gate_read_standing(ho_project *project, ho_str handoff, ho_arena *arena, ho_gate *out, bool *waits,
                              ho_error *err)
{
  ho_event_list events;
  ho_error none = {0};
  const ho_node *said = NULL;
  *waits = false;
  ho_code code = ho_events_select(project->store, handoff, 0, MOST, arena, &events, err);
  for (size_t i = events.count; !code && !said && i-- > 0;)
    said = holds_up(&events.rows[i], arena);
  if (!code)
    code = ho_arena_code(arena, err);
  if (code || !said)
    return code;
  code = ho_gate_read(project, ho_map_str(said, "gate"), arena, out, &none);
  if (code && code != HO_NOT_FOUND)
    return *err = none, code;
  if (code)
    *out = (ho_gate){.id = ho_map_str(said, "gate"),
                     .handoff = handoff,
                     .digest = ho_map_str(said, "digest"),
                     .name = ho_map_str(said, "name"),
                     .raised_by = ho_map_str(said, "raised_by"),
                     .raised = ho_map_int(said, "raised"),
                     .state = HO_GATE_OPEN,
                     .doubt = HO_STR("the store has lost it")};
  *waits = out->state != HO_GATE_DECIDED || out->decision != HO_DECISION_APPROVE;
  return HO_OK;
}
