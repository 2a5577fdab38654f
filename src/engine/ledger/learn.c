/* Learns from all handoffs of the store: for stores that were filled before anything was learned. */
#include "engine/ledger/learn.h"

#include "engine/ledger/asked.h"
#include "engine/ledger/derive.h"
#include "engine/ledger/turn.h"
#include "engine/ledger/write.h"
#include "engine/project/event_data.h"
#include "engine/project/project.h"

enum { AT_ONCE = 200, SOURCES = 50 };

typedef struct batch {
  ho_project *project;
  ho_learned *sum, before;
  int64_t after, last; /* seq */
} batch;

static ho_code learn_batch(ho_store *store, void *data, ho_error *err)
{
  batch *b = data;
  (void)store;
  *b->sum = b->before;
  return ho_derive_knowledge(b->project, b->after, INT64_MAX, AT_ONCE, b->sum, &b->last, err);
}

ho_code ho_learn_all(ho_project *project, ho_learned *sum, ho_error *err)
{
  batch b = {.project = project, .sum = sum};
  ho_code code = ho_derive(project, HO_DERIVED_KNOWLEDGE, NULL, err);
  while (!code) {
    b.before = *sum;
    code = ho_ledger_write(project, learn_batch, &b, err);
    b.after = b.last;
    if (!b.last)
      break;
  }
  return code;
}

/* ---- Answers */

/* The handoff whose document or event that was, if the store has it. */
static bool handoff_of(ho_knowledge_answering *a, size_t which, ho_turn *out)
{
  ho_error none = {0};
  ho_str name = a->asked.rows[which].origin;
  size_t end = ho_str_find_char(name, '#');
  return !ho_turn_begin(a->project, end == HO_NONE ? name : ho_str_sub(name, 0, end), a->arena, out, &none);
}

/* The log of each handoff that asked it has the answer: whoever sent, holds or later takes that one is told, and whoever works
 * on a task that it blocked. What its receiver asked is answered as if that had been said to the handoff. */
static ho_code tell(ho_knowledge_answering *a, ho_error *err)
{
  ho_node *told = ho_node_new(a->arena, HO_KIND_LIST);
  ho_code code = HO_OK;
  for (size_t i = 0; !code && i < a->asked.count; i++) {
    ho_turn turn;
    if (!a->asked.rows[i].asks.n || !handoff_of(a, i, &turn) || ho_list_has(told, turn.row.id))
      continue;
    ho_list_add(told, ho_node_text(a->arena, turn.row.id));
    ho_node *data = ho_node_new(a->arena, HO_KIND_MAP);
    ho_event_data_put(a->project, a->arena, data, "known", a->out->id);
    ho_event_data_put(a->project, a->arena, data, HO_DATA_ASKED, a->out->text);
    ho_event_data_put(a->project, a->arena, data, "note", a->note);
    if (a->blocked->count)
      ho_map_addz(data, HO_DATA_TASKS, ho_node_copy(a->arena, a->blocked));
    bool was = false;
    code = ho_asked_answer(&turn, a->out->text, data, &was, err);
    if (!code && !was)
      code = ho_turn_mark(&turn, HO_NOTE_SETTLED, data, err);
  }
  return code;
}

static ho_code answer(ho_store *store, void *data, ho_error *err)
{
  ho_knowledge_answering *a = data;
  ho_code code = ho_derive_inside(a->project, HO_DERIVED_KNOWLEDGE, err);
  if (!code)
    code = ho_knowledge_answer(store, data, err);
  return code ? code : tell(a, err);
}

ho_code ho_learn_gate(ho_project *project, ho_arena *arena, const ho_known *known, ho_str *out, ho_error *err)
{
  ho_known_source_list said;
  ho_gate gate;
  *out = HO_EMPTY;
  ho_code code = ho_known_sources(project->store, known->n, SOURCES, arena, &said, err);
  for (size_t i = 0; !code && !out->n && i < said.count; i++) {
    ho_error none = {0};
    ho_str name = said.rows[i].origin;
    size_t at = ho_str_find(name, "#G-"), end = ho_str_find_char(name, '/');
    if (!said.rows[i].asks.n || at == HO_NONE)
      continue;
    ho_str id = ho_str_sub(name, at + 1, end == HO_NONE ? name.n : end);
    if (!ho_gates_get(project->store, id, arena, &gate, &none) && gate.state == HO_GATE_OPEN &&
        gate.decision == HO_DECISION_QUESTION)
      *out = id;
  }
  return code;
}

ho_code ho_learn_answer(ho_project *project, ho_arena *arena, ho_str id, ho_str note, ho_known *out, ho_error *err)
{
  ho_knowledge_answering a = {
      .project = project, .arena = arena, .id = id, .note = ho_project_clean(project, arena, note), .out = out};
  ho_derive_ahead(project, HO_DERIVED_KNOWLEDGE);
  return ho_ledger_write(project, answer, &a, err);
}
