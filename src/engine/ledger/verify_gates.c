/* Compares gates with the events that raised, answered and decided them: the table of gates must follow from the
 * chain. */
#include <inttypes.h>

#include "doc/json/json.h"
#include "doc/source.h"
#include "engine/ledger/turn.h"
#include "engine/ledger/gate_read.h"
#include "engine/ledger/verify.h"
#include "store/handoffs/events.h"
#include "store/handoffs/gates.h"

enum { PAGE = 1000, MOST = 1000000 };

typedef struct gates {
  ho_project *project;
  ho_gate_flaw flaw;
  void *data;
  int64_t raised; /* gates that the chain knows */
} gates;

/* The event's data if it is about a gate, else NULL. If memory runs out, the arena records it. */
static const ho_node *about_gate(const ho_event *event, ho_arena *arena)
{
  ho_source source;
  ho_node *map = NULL;
  ho_error err;
  if (!ho_str_has(event->data, "\"gate\":"))
    return NULL;
  ho_code code = ho_source_init(&source, arena, HO_STR("event"), event->data, &err);
  if (!code)
    code = ho_json_read(&source, 0, arena, NULL, &map, &err);
  if (code == HO_MEMORY)
    arena->failed = HO_MEMORY;
  return !code && ho_map_str(map, "gate").n ? map : NULL;
}

static bool raises(const ho_event *event)
{
  return ho_event_sense_of(event->kind) == HO_SENSE_ASKS || ho_str_is(event->kind, HO_NOTE_GATE_RAISED);
}

static bool same_number(const ho_node *map, const char *key, int64_t value)
{
  long long known;
  const ho_node *node = ho_map_getz(map, key);
  return !node || (ho_node_to_int(node, &known) && known == value);
}

static const char *compare_raised(const ho_gate *gate, const ho_node *said)
{
  if (!ho_str_eq(gate->name, ho_map_str(said, "name")) || !ho_str_eq(gate->digest, ho_map_str(said, "digest")))
    return "it differs from what was raised: its name or digest";
  if ((ho_map_getz(said, "raised_by") && !ho_str_eq(gate->raised_by, ho_map_str(said, "raised_by"))) ||
      !same_number(said, "raised", gate->raised))
    return "who raised it, or when, does not match its event";
  return NULL;
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
      !ho_str_eq(ho_words_str(&ho_gate_proofs, gate->proof), ho_map_str(said, "known")) ||
      !ho_str_eq(gate->signature, ho_map_str(said, "signature")) ||
      !ho_str_eq(gate->signer, ho_map_str(said, "signer")) || !ho_str_eq(gate->note, ho_map_str(said, "note")) ||
      !same_number(said, "decided", gate->decided))
    return "its decision does not match its event";
  return NULL;
}

static ho_code report(gates *g, ho_str id, const char *message, ho_error *err)
{
  return message ? g->flaw(g->data, id, ho_str_of(message), err) : HO_OK;
}

/* Compares one raised gate with its row. */
static ho_code check_gate(gates *g, ho_str id, ho_str handoff, const ho_node *raised, ho_arena *arena, ho_error *err)
{
  ho_gate gate;
  ho_event_list events;
  ho_error none = {0};
  const ho_node *last = NULL;
  ho_code code = ho_gates_get(g->project->store, id, arena, &gate, &none);
  if (code == HO_NOT_FOUND)
    return report(g, id, "it was raised, but is missing", err);
  if (code && none.rule && strcmp(none.rule, "store-word") == 0)
    return report(g, id, none.message, err);
  if (code)
    return *err = none, code;
  code = ho_events_select(g->project->store, handoff, 0, MOST, arena, &events, err);
  for (size_t i = 0; !code && i < events.count; i++) {
    const ho_node *said = about_gate(&events.rows[i], arena);
    if (!said || !ho_str_eq(ho_map_str(said, "gate"), id))
      continue;
    /* An answer, or a gate that was put right, leaves it undecided. */
    last = raises(&events.rows[i]) || ho_str_is(events.rows[i].kind, HO_NOTE_GATE_ANSWER) ? NULL : said;
  }
  if (!code)
    code = ho_arena_code(arena, err);
  if (!code)
    code = report(g, id, compare_raised(&gate, raised), err);
  return code ? code : report(g, id, compare_decided(&gate, last), err);
}

static ho_code check_page(gates *g, int64_t *before, size_t *count, ho_error *err)
{
  ho_arena arena;
  ho_event_list events;
  ho_arena_init(&arena, 0);
  ho_code code = ho_events_select(g->project->store, HO_EMPTY, *before, PAGE, &arena, &events, err);
  *count = code ? 0 : events.count;
  for (size_t i = 0; !code && i < events.count; i++) {
    const ho_event *event = &events.rows[i];
    const ho_node *said = raises(event) ? about_gate(event, &arena) : NULL;
    *before = event->seq;
    code = ho_arena_code(&arena, err);
    if (!said || code)
      continue;
    g->raised++;
    code = check_gate(g, ho_map_str(said, "gate"), event->handoff, said, &arena, err);
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

ho_code ho_verify_gates(ho_project *project, ho_gate_flaw flaw, void *data, ho_error *err)
{
  gates g = {.project = project, .flaw = flaw, .data = data};
  int64_t before = 0;
  size_t count = PAGE;
  ho_code code = HO_OK;
  while (!code && count == PAGE)
    code = check_page(&g, &before, &count, err);
  return code ? code : count_gates(&g, err);
}
