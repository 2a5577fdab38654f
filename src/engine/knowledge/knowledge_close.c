/* Questions and blockers: what closes them. */
#include "engine/knowledge/knowledge_parts.h"
#include "engine/project/project.h"
#include "model/formats/formats.h"
#include "store/runs/runs.h"

enum { MOST = 1000 };

#define OF_STEP '/' /* no id of a phase has it */

ho_str ho_knowledge_phase_of(ho_arena *arena, const ho_handoff *row, ho_str phase)
{
  ho_runs_key key;
  bool exchanged = ho_str_is(row->kind, ho_format_request.name) || ho_str_is(row->kind, ho_format_response.name);
  if (!phase.n || !exchanged || !ho_runs_key_parse(row->key, &key))
    return phase;
  return ho_arena_printf(arena, "%.*s%c%.*s", HO_ARG(phase), OF_STEP, HO_ARG(key.step));
}

ho_str ho_knowledge_phase_shown(ho_str phase)
{
  size_t at = ho_str_find_char(phase, OF_STEP);
  return at == HO_NONE ? phase : ho_str_sub(phase, 0, at);
}

ho_code ho_knowledge_unblock(ho_knowing *k, int64_t blocker, ho_error *err)
{
  ho_store *store = k->project->store;
  ho_known known, task;
  ho_edge_list edges;
  ho_str by = HO_EMPTY;
  bool found;
  ho_code code = ho_known_get(store, blocker, k->arena, &known, &found, err);
  if (code || !found || known.state != HO_KNOWN_OPEN)
    return code;
  code = ho_known_edges_from(store, blocker, HO_EDGE_BLOCKS, MOST, k->arena, &edges, err);
  for (size_t i = 0; !code && i < edges.count; i++) {
    code = ho_known_get(store, edges.rows[i].to, k->arena, &task, &found, err);
    if (!code)
      code = ho_known_completed(store, task.text, HO_EMPTY, known.last, k->arena, &by, err);
    if (code || !by.n)
      return code;
  }
  return code || !by.n ? code : ho_known_close(store, blocker, 0, by, err);
}

/* What the task asked before it was completed is settled, and so are blockers for which it was the last task. */
static ho_code close_completed(ho_knowing *k, ho_error *err)
{
  ho_store *store = k->project->store;
  ho_known_ask_list asks;
  ho_edge_list blocked;
  const ho_known_origin *o = &k->origin;
  ho_code code = ho_known_asking(store, o->task, o->phase, o->at, k->arena, &asks, err);
  for (size_t i = 0; !code && i < asks.count; i++)
    code = ho_known_close(store, asks.rows[i].node, asks.rows[i].origin, o->name, err);
  if (code || o->phase.n)
    return code;
  code = ho_known_edges_to(store, k->task, HO_EDGE_BLOCKS, MOST, k->arena, &blocked, err);
  for (size_t i = 0; !code && i < blocked.count; i++)
    code = ho_knowledge_unblock(k, blocked.rows[i].from, err);
  return code;
}

ho_code ho_knowledge_task_state(ho_knowing *k, ho_known_state *out, ho_error *err)
{
  ho_known_origin newest;
  bool found;
  ho_code code = ho_known_outcome(k->project->store, k->origin.task, k->arena, &newest, &found, err);
  *out = !code && found && ho_str_is(newest.outcome, "completed") && !newest.phase.n ? HO_KNOWN_CLOSED : HO_KNOWN_OPEN;
  return code;
}

ho_code ho_knowledge_settle(ho_knowing *k, ho_error *err)
{
  return k->task && ho_str_is(k->origin.outcome, "completed") ? close_completed(k, err) : HO_OK;
}

ho_code ho_knowledge_ended(ho_project *project, ho_arena *arena, const ho_handoff *row, ho_known_kind kind,
                           ho_error *err)
{
  ho_known_ask_list asks;
  ho_code code = ho_known_asked_in(project->store, row->id, arena, &asks, err);
  for (size_t i = 0; !code && i < asks.count; i++) {
    ho_known known;
    bool found;
    code = ho_known_get(project->store, asks.rows[i].node, arena, &known, &found, err);
    if (!code && found && (!kind || known.kind == kind))
      code = ho_known_close(project->store, asks.rows[i].node, asks.rows[i].origin, row->id, err);
  }
  return code;
}
