/* Compares gates with the events that raised, answered and decided them: the table of gates must follow from the
 * chain. */
#include <inttypes.h>

#include "engine/ledger/turn.h"
#include "engine/ledger/gate_read.h"
#include "engine/ledger/verify_parts.h"
#include "store/handoffs/events.h"
#include "store/handoffs/gates.h"
#include "store/handoffs/handoffs.h"

enum { PAGE = 1000, MOST = 1000000 };

typedef struct gates {
  ho_project *project;
  ho_verify_flaw flaw;
  void *data;
  int64_t raised; /* gates that the chain knows */
} gates;

static bool same_number(const ho_node *map, const char *key, int64_t value)
{
  long long known;
  const ho_node *node = ho_map_getz(map, key);
  return !node || (ho_node_to_int(node, &known) && known == value);
}

/* What is fixed when a gate is raised. */
static ho_str compare_raised(const ho_gate *gate, ho_str handoff, const ho_node *said, ho_arena *arena)
{
  ho_gate corrected = *gate;
  const char *what = ho_str_eq(gate->handoff, handoff) ? ho_gate_read_correct(&corrected, said) : "handoff";
  return what ? ho_arena_printf(arena, "it differs from what was raised: its %s", what) : HO_EMPTY;
}

/* Compares what was decided or asked last; NULL: nothing was, or it was answered. */
static const char *compare_decided(const ho_gate *gate, const ho_node *said)
{
  ho_str decision = ho_map_str(said, "decision");
  bool question = ho_str_eq(decision, ho_words_str(&ho_gate_decisions, HO_DECISION_QUESTION));
  if ((gate->state == HO_GATE_OPEN) != (!said || question))
    return "whether it is decided does not match its events";
  if (!ho_str_eq(ho_words_str(&ho_gate_decisions, gate->decision), decision) ||
      !ho_str_eq(gate->decided_by, ho_map_str(said, "by")) ||
      !ho_str_eq(ho_words_str(&ho_gate_knowns, gate->known), ho_map_str(said, "known")) ||
      !ho_str_eq(gate->signature, ho_map_str(said, "signature")) ||
      !ho_str_eq(gate->signer, ho_map_str(said, "signer")) || !ho_str_eq(gate->note, ho_map_str(said, "note")) ||
      !same_number(said, "decided", gate->decided) || (!said && gate->decided))
    return "its decision does not match its event";
  return NULL;
}

/* Has a person decided? */
static bool by_person(const ho_node *said)
{
  ho_str decision = ho_map_str(said, "decision"), by = ho_map_str(said, "by");
  return decision.n && !ho_str_eq(decision, ho_words_str(&ho_gate_decisions, HO_DECISION_QUESTION)) &&
         !ho_str_is(by, HO_GATE_BY_DEADLINE) && !ho_str_is(by, HO_GATE_BY_HANDOFF);
}

static ho_code report(gates *g, ho_str id, const char *message, ho_error *err)
{
  return message ? g->flaw(g->data, "gate", id, ho_str_of(message), err) : HO_OK;
}

/* A gate that holds its handoff up and is not decided: the handoff waits for it, or has ended. */
static ho_code check_waiting(gates *g, const ho_gate *gate, ho_arena *arena, ho_error *err)
{
  ho_handoff row;
  ho_state state;
  ho_error none = {0};
  ho_code code = ho_handoffs_get(g->project->store, gate->handoff, arena, &row, &none);
  if (code == HO_NOT_FOUND || (!code && !ho_state_named(row.state, &state)))
    return HO_OK; /* said by the chain */
  if (code)
    return *err = none, code;
  if (!ho_state_open(state) || (state == HO_STATE_GATED && ho_str_eq(row.gate, gate->id)))
    return HO_OK;
  ho_str text = ho_arena_printf(arena, "it is not decided, but %.*s does not wait for it", HO_ARG(row.id));
  return g->flaw(g->data, "gate", gate->id, text, err);
}

/* Compares one raised gate with its row. */
static ho_code check_gate(gates *g, ho_str handoff, const ho_node *raised, bool blocks, ho_arena *arena, ho_error *err)
{
  ho_str id = ho_map_str(raised, "gate");
  ho_gate gate;
  ho_event_list events;
  ho_error none = {0};
  const ho_node *last = NULL;
  ho_str restored = HO_EMPTY;
  ho_code code = ho_gates_get(g->project->store, id, arena, &gate, &none);
  if (code == HO_NOT_FOUND)
    return report(g, id, "it was raised, but is missing", err);
  if (code && none.rule && strcmp(none.rule, "store-word") == 0)
    return report(g, id, none.message, err);
  if (code)
    return *err = none, code;
  code = ho_events_whole(g->project->store, handoff, arena, &events, err);
  for (size_t i = 0; !code && i < events.count; i++) {
    const ho_node *said = ho_gate_read_about(&events.rows[i], arena);
    bool raises = ho_gate_read_raises(&events.rows[i]);
    if (!said || !ho_str_eq(ho_map_str(said, "gate"), id))
      continue;
    /* An answer, or a gate that was put right, leaves it undecided. */
    last = raises || ho_str_is(events.rows[i].kind, HO_NOTE_GATE_ANSWER) ? NULL : said;
    if (raises)
      restored = ho_map_str(said, "restored");
    else if (by_person(said))
      restored = HO_EMPTY;
  }
  if (!code)
    code = ho_arena_code(arena, err);
  ho_str differs = code ? HO_EMPTY : compare_raised(&gate, handoff, raised, arena);
  if (!code && differs.n)
    code = g->flaw(g->data, "gate", id, differs, err);
  if (!code && restored.n)
    code =
        g->flaw(g->data, "gate", id,
                ho_arena_printf(arena, "it had been changed in the store, and waits again until a person decides: %.*s",
                                HO_ARG(restored)),
                err);
  if (!code)
    code = report(g, id, compare_decided(&gate, last), err);
  return code || !blocks || gate.state != HO_GATE_OPEN ? code : check_waiting(g, &gate, arena, err);
}

static ho_code check_page(gates *g, int64_t limit, int64_t *before, size_t *count, ho_error *err)
{
  ho_arena arena;
  ho_event_list events;
  ho_arena_init(&arena, 0);
  ho_code code = ho_events_select(g->project->store, HO_EMPTY, *before, limit, &arena, &events, err);
  *count = code ? 0 : events.count;
  for (size_t i = 0; !code && i < events.count; i++) {
    const ho_event *event = &events.rows[i];
    const ho_node *said = ho_gate_read_raises(event) ? ho_gate_read_about(event, &arena) : NULL;
    *before = event->seq;
    code = ho_arena_code(&arena, err);
    if (!said || code || ho_map_getz(said, "restored"))
      continue;
    g->raised++;
    code = check_gate(g, event->handoff, said, ho_gate_read_blocks(event, said), &arena, err);
  }
  if (!code)
    code = ho_arena_code(&arena, err);
  ho_arena_free(&arena);
  return code;
}

/* Gates that nobody raised. */
static ho_code count_gates(gates *g, ho_error *err)
{
  ho_arena arena;
  ho_gate_list list;
  ho_arena_init(&arena, 0);
  ho_error why = {0};
  ho_code code = ho_gates_select(g->project->store, HO_GATE_ANY, HO_EMPTY, MOST, &arena, &list, &why);
  if (code && why.rule && strcmp(why.rule, "store-word") == 0)
    code = report(g, HO_STR("gates"), why.message, err);
  else if (code)
    *err = why;
  else if ((int64_t)list.count > g->raised)
    code = report(g, HO_STR("gates"), "there are gates that no event raised", err);
  ho_arena_free(&arena);
  return code;
}

ho_code ho_verify_gates(ho_project *project, int64_t recent, ho_verify_flaw flaw, void *data, ho_error *err)
{
  gates g = {.project = project, .flaw = flaw, .data = data};
  int64_t before = 0;
  size_t count = PAGE;
  ho_code code = HO_OK;
  if (recent)
    return check_page(&g, recent, &before, &count, err);
  while (!code && count == PAGE)
    code = check_page(&g, PAGE, &before, &count, err);
  return code ? code : count_gates(&g, err);
}
