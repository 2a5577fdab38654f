/* What was said about the work since the previous handoff, as the ledger has it: what was answered, what a person decided at
 * a gate, why somebody gave it back. Whoever heard it may not write it down, and nobody after them would know. */
#include "engine/ledger/describe.h"
#include "engine/ledger/gate_read.h"
#include "engine/project/event_data.h"
#include "engine/project/identity.h"
#include "engine/project/quote.h"
#include "engine/relay/pass.h"
#include "model/formats/formats.h"
#include "model/lifecycle.h"
#include "store/handoffs/events.h"

enum { GATES = 200, EVENTS = 1000, LONG = 600, ASKED_LONG = 160 };

static ho_str line(ho_arena *arena, ho_str text, size_t most)
{
  return ho_str_trim(ho_quote_clean(arena, text, most, true));
}

static void add(ho_arena *arena, ho_node *list, ho_str decision, ho_str why)
{
  ho_node *item = ho_list_add(list, ho_node_new(arena, HO_KIND_MAP));
  ho_map_addz(item, "decision", ho_node_text(arena, decision));
  ho_map_addz(item, "rationale", ho_node_text(arena, why));
}

/* An answer is known by what was asked. */
static ho_code add_answers(const ho_pass *pass, const ho_handoff *row, ho_node *list, ho_error *err)
{
  ho_arena *arena = pass->phase.arena;
  ho_node *talk = NULL;
  ho_str asked = HO_EMPTY;
  ho_code code = ho_describe_talk(pass->project, row, arena, &talk, err);
  HO_EACH_CONST (said, code ? NULL : talk) {
    ho_str kind = ho_map_str(said, "kind"), text = ho_map_str(said, "text");
    if (ho_str_list_has("question|blocker", kind))
      asked = text;
    else if (ho_str_is(kind, "answer") && !ho_str_blank(text))
      add(arena, list, line(arena, text, LONG),
          ho_arena_printf(arena, "answer of %.*s%s%.*s%s", HO_ARG(ho_map_str(said, "by")), asked.n ? " to '" : "",
                          HO_ARG(line(arena, asked, ASKED_LONG)), asked.n ? "'" : ""));
  }
  return code;
}

static void add_gate(ho_arena *arena, ho_node *list, const ho_gate *gate)
{
  bool approved = gate->decision == HO_DECISION_APPROVE;
  ho_str note = line(arena, gate->note, LONG);
  add(arena, list,
      note.n     ? note
      : approved ? HO_STR("Approved")
                 : HO_STR("Rejected"),
      ho_arena_printf(arena, "%.*s %s '%.*s' (%.*s, %.*s)", HO_ARG(gate->decided_by),
                      approved ? "approved" : "rejected", HO_ARG(line(arena, gate->name, ASKED_LONG)), HO_ARG(gate->id),
                      HO_ARG(ho_gate_read_proof_words(gate->proof))));
}

/* Those of one handoff that a person decided since then. */
static ho_code add_gates(const ho_pass *pass, const ho_handoff *row, int64_t since, ho_node *list, ho_error *err)
{
  ho_gate_list gates = {0};
  ho_code code = ho_gate_read_list(pass->project, HO_GATE_DECIDED, row->id, GATES, pass->phase.arena, &gates, err);
  for (size_t i = 0; !code && i < gates.count; i++)
    if (gates.rows[i].proof.n && gates.rows[i].decided >= since && gates.rows[i].decision != HO_DECISION_QUESTION)
      add_gate(pass->phase.arena, list, &gates.rows[i]);
  return code;
}

/* Questions to a person are handoffs of their own, of the task. Before the first handoff of a phase, those of this session
 * count: others may have been about earlier phases. */
static ho_code add_asked(const ho_pass *pass, const ho_handoff *previous, ho_node *list, ho_error *err)
{
  ho_handoff_list asked = {0};
  ho_filter filter = {.kind = ho_str_of(ho_format_gate.name), .task = ho_id_plain(pass->phase.task), .limit = GATES};
  ho_code code = ho_handoffs_select(pass->project->store, &filter, pass->phase.arena, &asked, err);
  for (size_t i = 0; !code && i < asked.count; i++) {
    const ho_handoff *row = &asked.rows[i];
    bool other = row->phase.n && !ho_str_eq(row->phase, ho_id_plain(pass->phase.phase));
    if (!other && (previous->id.n || ho_str_eq(row->session, pass->project->session)))
      code = add_gates(pass, row, previous->created, list, err);
  }
  return code;
}

/* Why it was given back is for whoever takes it next. */
static ho_code add_notes(const ho_pass *pass, const ho_handoff *row, ho_node *list, ho_error *err)
{
  ho_arena *arena = pass->phase.arena;
  ho_event_list events = {0};
  ho_code code = ho_events_select(pass->project->store, row->id, 0, EVENTS, arena, &events, err);
  for (size_t i = 0; !code && i < events.count; i++) {
    const ho_event *event = &events.rows[i];
    if (!ho_str_is(event->kind, ho_event_kind_name(HO_EVENT_RELEASED)))
      continue;
    ho_str note = line(arena, ho_map_str(ho_event_data_read(arena, event->data), "note"), LONG);
    if (note.n)
      ho_list_add(list, ho_node_text(arena, ho_arena_printf(arena, "%.*s gave it back: %.*s", HO_ARG(event->actor),
                                                            HO_ARG(note))));
  }
  return code;
}

/* Before what the list has. */
static void put_first(const ho_pass *pass, const char *key, ho_node *heard)
{
  ho_arena *arena = pass->phase.arena;
  HO_EACH_CONST (item, ho_map_getz(pass->inherited, key))
    ho_list_add(heard, ho_node_copy(arena, item));
  ho_map_set(pass->inherited, ho_str_of(key), heard);
}

ho_code ho_pass_hear(const ho_pass *pass, ho_error *err)
{
  ho_arena *arena = pass->phase.arena;
  ho_handoff previous = {0};
  ho_node *decisions = ho_node_new(arena, HO_KIND_LIST), *facts = ho_node_new(arena, HO_KIND_LIST);
  ho_code code = ho_arena_code(arena, err);
  if (!pass->previous.path.n || !ho_handed_row(pass->project, arena, pass->phase.root, &pass->previous, &previous))
    previous = (ho_handoff){0};
  if (!code && previous.id.n)
    code = add_answers(pass, &previous, decisions, err);
  if (!code && previous.id.n)
    code = add_gates(pass, &previous, 0, decisions, err);
  if (!code)
    code = add_asked(pass, &previous, decisions, err);
  if (!code && previous.id.n)
    code = add_notes(pass, &previous, facts, err);
  if (code)
    return code;
  put_first(pass, "key_decisions", decisions);
  put_first(pass, "critical_context", facts);
  return ho_arena_code(arena, err);
}
