/* Questions and blockers: how they are asked outside documents, and what closes them. */
#include "base/digest.h"
#include "engine/knowledge/knowledge_parts.h"
#include "engine/project/identity.h"
#include "engine/project/project.h"
#include "store/handoffs/handoffs.h"

enum { MOST = 1000 };

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

/* ---- Outside documents */

/* An event of a handoff as an origin: "HO-2026-001#3". */
static ho_knowing event_of(ho_project *project, ho_arena *arena, const ho_handoff *row, int64_t n)
{
  return (ho_knowing){.project = project,
                      .arena = arena,
                      .origin = {.name = ho_arena_printf(arena, "%.*s#%lld", HO_ARG(row->id), (long long)n),
                                 .digest = row->head,
                                 .format = HO_STR("event"),
                                 .task = ho_id_plain(row->task),
                                 .phase = ho_id_plain(row->phase),
                                 .agent = project->name,
                                 .at = ho_project_now(project)}};
}

static void take_texts(ho_knowing *k, ho_items *items, ho_known_kind kind, const char *role, const ho_node *texts)
{
  HO_EACH_CONST (text, texts)
    if (!ho_str_blank(ho_node_str(text)))
      items->rows[items->count++] = (ho_item){.kind = kind,
                                              .role = role,
                                              .text = ho_project_clean(k->project, k->arena, ho_str_trim(text->text)),
                                              .severity = HO_KNOWN_HIGH,
                                              .line = (unsigned)items->count + 1};
}

ho_code ho_knowledge_asked(ho_project *project, ho_arena *arena, const ho_handoff *row, const ho_node *questions,
                           const ho_node *blockers, ho_error *err)
{
  size_t most = (questions ? questions->count : 0) + (blockers ? blockers->count : 0);
  if (!most)
    return HO_OK;
  ho_items items = {.rows = ho_arena_array(arena, most, sizeof(ho_item)),
                    .parties = ho_node_new(arena, HO_KIND_LIST),
                    .depends = ho_node_new(arena, HO_KIND_LIST)};
  ho_code code = ho_arena_code(arena, err);
  if (code)
    return code;
  ho_knowing k = event_of(project, arena, row, row->events);
  take_texts(&k, &items, HO_KNOWN_QUESTION, "questions", questions);
  take_texts(&k, &items, HO_KNOWN_BLOCKER, "blockers", blockers);
  return items.count ? ho_knowledge_put(&k, &items, err) : HO_OK;
}

/* The answer is a decision of its own, linked to what it answers. */
static ho_code put_answer(ho_knowing *k, ho_str note, const ho_known_ask *asks, size_t count, ho_error *err)
{
  ho_known known = {.kind = HO_KNOWN_DECISION, .text = ho_str_trim(note), .state = HO_KNOWN_OPEN};
  ho_known_source source = {.line = 1, .role = HO_STR("answer")};
  bool same;
  ho_code code = ho_known_begin(k->project->store, &k->origin, &same, err);
  int64_t print = ho_knowledge_print(k->arena, HO_KNOWN_DECISION, known.text);
  known.id = ho_arena_printf(k->arena, "decision-%08llx", (unsigned long long)print & 0xffffffffu);
  if (!code && known.text.n)
    code = ho_known_put(k->project->store, &known, print, &k->origin, &source, k->arena, err);
  for (size_t i = 0; !code && i < count; i++) {
    if (known.n)
      code = ho_known_link(k->project->store, known.n, HO_EDGE_ANSWERS, asks[i].node, k->origin.n, err);
    if (!code)
      code = ho_known_close(k->project->store, asks[i].node, asks[i].origin, k->origin.name, err);
  }
  if (!code && known.n && k->origin.task.n)
    code = ho_knowledge_named(k, HO_KNOWN_TASK, k->origin.task, "task", 1, &k->task, err);
  if (!code && known.n && k->task)
    code = ho_known_link(k->project->store, known.n, HO_EDGE_DISCOVERED_IN, k->task, k->origin.n, err);
  return code;
}

ho_code ho_knowledge_answered(ho_project *project, ho_arena *arena, const ho_handoff *row, ho_str note, ho_error *err)
{
  ho_known_ask_list asks;
  ho_knowing k = event_of(project, arena, row, row->events);
  ho_code code = ho_known_asked_in(project->store, row->id, arena, &asks, err);
  return code || !asks.count ? code
                             : put_answer(&k, ho_project_clean(project, arena, note), asks.rows, asks.count, err);
}

ho_code ho_knowledge_answer(ho_store *store, void *data, ho_error *err)
{
  ho_knowledge_answering *a = data;
  ho_known_source_list said;
  bool found;
  char digest[HO_DIGEST_SIZE];
  ho_code code = ho_known_by_id(store, a->id, a->arena, a->out, &found, err);
  if (!code && (!found || !ho_known_asks(a->out->kind)))
    code = ho_fail(err, HO_NOT_FOUND, "there is no question or blocker %.*s", HO_ARG(a->id));
  if (!code && a->out->state != HO_KNOWN_OPEN)
    code = ho_fail(err, HO_CONFLICT, "%.*s is already closed", HO_ARG(a->id));
  if (!code)
    code = ho_known_sources(store, a->out->n, 1, a->arena, &said, err);
  if (code)
    return code;
  ho_digest_text(a->note, digest);
  ho_knowing k = {.project = a->project,
                  .arena = a->arena,
                  .origin = {.name = ho_arena_printf(a->arena, "answer:%.*s", HO_ARG(a->id)),
                             .digest = ho_arena_copy(a->arena, ho_str_of(digest)),
                             .format = HO_STR("answer"),
                             .task = said.count ? said.rows[0].task : HO_EMPTY,
                             .agent = a->project->name,
                             .at = ho_project_now(a->project)}};
  ho_known_ask ask = {.node = a->out->n};
  code = put_answer(&k, a->note, &ask, 1, err);
  return code ? code : ho_known_get(store, a->out->n, a->arena, a->out, &found, err);
}
