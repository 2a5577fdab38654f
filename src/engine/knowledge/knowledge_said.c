/* What is said outside documents: questions and blockers of receivers, answers, and what people say at gates. */
#include "base/digest.h"
#include "base/grow.h"
#include "engine/knowledge/knowledge_parts.h"
#include "engine/project/event_data.h"
#include "engine/project/identity.h"
#include "engine/project/project.h"
#include "store/runs/runs.h"

/* What a run asks people is about the task of the run. */
static ho_str task_of(ho_project *project, ho_arena *arena, const ho_handoff *row)
{
  ho_runs_key key;
  ho_run_row run;
  ho_error none = {0};
  bool own = row->task.n || !ho_runs_key_parse(row->key, &key);
  return ho_id_plain(own || ho_runs_get(project->store, key.run, arena, &run, &none) ? row->task : run.task);
}

/* An event of a handoff as an origin: "HO-2026-001#3". */
static ho_knowing event_of(ho_project *project, ho_arena *arena, const ho_handoff *row, int64_t n)
{
  return (ho_knowing){.project = project,
                      .arena = arena,
                      .origin = {.name = ho_arena_printf(arena, "%.*s#%lld", HO_ARG(row->id), (long long)n),
                                 .digest = row->head,
                                 .format = HO_STR("event"),
                                 .task = task_of(project, arena, row),
                                 .phase = ho_knowledge_phase_of(arena, row, ho_id_plain(row->phase)),
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

/* ---- Decisions */

/* A decision, linked to what it answers, which is closed. */
static ho_code put_decision(ho_knowing *k, ho_known *known, int64_t print, const char *role,
                            const ho_known_ask_list *asks, ho_error *err)
{
  ho_store *store = k->project->store;
  ho_known_source source = {.line = 1, .role = ho_str_of(role)};
  bool same;
  known->kind = HO_KNOWN_DECISION;
  known->state = HO_KNOWN_OPEN;
  ho_code code = ho_knowledge_begin(k, &same, err);
  if (!code && known->text.n)
    code = ho_known_put(store, known, print, &k->origin, &source, k->arena, err);
  for (size_t i = 0; !code && i < asks->count; i++) {
    if (known->n)
      code = ho_known_link(store, known->n, HO_EDGE_ANSWERS, asks->rows[i].node, k->origin.n, err);
    if (!code)
      code = ho_known_close(store, asks->rows[i].node, asks->rows[i].origin, k->origin.name, err);
  }
  if (!code && known->n && k->origin.task.n)
    code = ho_knowledge_named(k, HO_KNOWN_TASK, k->origin.task, "task", 1, &k->task, err);
  if (!code && known->n && k->task)
    code = ho_known_link(store, known->n, HO_EDGE_DISCOVERED_IN, k->task, k->origin.n, err);
  return code;
}

/* What is answered, each once, in one text. */
static ho_code questions_of(ho_knowing *k, const ho_known_ask_list *asks, ho_str *out, ho_error *err)
{
  ho_code code = HO_OK;
  *out = HO_EMPTY;
  for (size_t i = 0; !code && i < asks->count; i++) {
    ho_known known;
    bool found, seen = false;
    for (size_t j = 0; j < i; j++)
      seen = seen || asks->rows[j].node == asks->rows[i].node;
    code = seen ? HO_OK : ho_known_get(k->project->store, asks->rows[i].node, k->arena, &known, &found, err);
    if (!code && !seen && found)
      *out = ho_arena_printf(k->arena, out->n ? "%.*s; %.*s" : "%.*s%.*s", HO_ARG(*out), HO_ARG(known.text));
  }
  return code;
}

/* The answer is a decision of its own: two that have the same words are the same only if they answer the same. asked: what
 * that is, or "": what `asks` say. */
static ho_code put_answer(ho_knowing *k, ho_str note, const ho_known_ask_list *asks, ho_str asked, ho_error *err)
{
  ho_node *detail = ho_node_new(k->arena, HO_KIND_MAP);
  ho_known known = {.text = ho_str_trim(note)};
  ho_code code = asked.n ? HO_OK : questions_of(k, asks, &asked, err);
  if (code)
    return code;
  ho_str whole = ho_arena_printf(k->arena, "%.*s\n%.*s", HO_ARG(known.text), HO_ARG(asked));
  int64_t print = ho_knowledge_print_said(k->arena, HO_KNOWN_DECISION, whole);
  ho_event_data_put(k->project, k->arena, detail, HO_DETAIL_ANSWERS, asked);
  known.detail = ho_event_data_json(k->arena, detail);
  known.id = ho_arena_printf(k->arena, "decision-%08llx", (unsigned long long)print & 0xffffffffu);
  return put_decision(k, &known, print, HO_ROLE_NAME_ANSWER, asks, err);
}

ho_code ho_knowledge_answered(ho_project *project, ho_arena *arena, const ho_handoff *row, ho_str note, ho_error *err)
{
  ho_known_ask_list asks;
  ho_knowing k = event_of(project, arena, row, row->events);
  ho_code code = ho_known_asked_in(project->store, row->id, arena, &asks, err);
  return code || !asks.count ? code : put_answer(&k, ho_project_clean(project, arena, note), &asks, HO_EMPTY, err);
}

/* That a handoff came to nothing, and why, as a decision. */
static ho_code put_ended(ho_knowing *k, const char *how, ho_str subject, ho_str why, ho_known *known, ho_error *err)
{
  ho_known_ask_list none = {0};
  ho_node *detail = ho_node_new(k->arena, HO_KIND_MAP);
  *known = (ho_known){.text = ho_arena_printf(k->arena, "%s: %.*s", how, HO_ARG(subject))};
  ho_str whole = ho_arena_printf(k->arena, "%.*s\n%.*s", HO_ARG(known->text), HO_ARG(k->origin.name));
  int64_t print = ho_knowledge_print_said(k->arena, HO_KNOWN_DECISION, whole);
  ho_event_data_put(k->project, k->arena, detail, "rationale", ho_str_trim(why));
  known->detail = ho_event_data_json(k->arena, detail);
  known->id = ho_arena_printf(k->arena, "decision-%08llx", (unsigned long long)print & 0xffffffffu);
  return put_decision(k, known, print, HO_ROLE_NAME_REFUSED, &none, err);
}

ho_code ho_knowledge_withdrawn(ho_project *project, ho_arena *arena, const ho_handoff *row, ho_error *err)
{
  ho_known_ask_list asks;
  ho_code code = ho_known_asked_by(project->store, row->id, arena, &asks, err);
  for (size_t i = 0; !code && i < asks.count; i++)
    code = ho_known_close(project->store, asks.rows[i].node, asks.rows[i].origin, row->id, err);
  return code;
}

ho_code ho_knowledge_refused(ho_project *project, ho_arena *arena, const ho_handoff *row, ho_str subject, ho_str why,
                             ho_error *err)
{
  ho_known known;
  ho_knowing k = event_of(project, arena, row, row->events);
  return put_ended(&k, "Refused", subject, why, &known, err);
}

ho_code ho_knowledge_taken_back(ho_project *project, ho_arena *arena, const ho_handoff *row, ho_str gate,
                                ho_str subject, ho_str why, ho_error *err)
{
  ho_known known, approval;
  bool found = false;
  ho_knowing k = event_of(project, arena, row, row->events);
  ho_str id = ho_arena_printf(arena, HO_KNOWN_GATE_ID "%.*s", HO_ARG(gate));
  k.origin.agent = ho_project_actor(project);
  ho_code code = put_ended(&k, "Withdrawn", subject, why, &known, err);
  if (!code && gate.n)
    code = ho_known_by_id(project->store, id, arena, &approval, &found, err);
  if (!code && found)
    code = ho_known_link(project->store, known.n, HO_EDGE_SUPERSEDES, approval.n, k.origin.n, err);
  return code || !found ? code : ho_known_set_state(project->store, approval.n, HO_KNOWN_CLOSED, err);
}

ho_code ho_knowledge_resumed(ho_project *project, ho_arena *arena, const ho_handoff *row, ho_str why, ho_str note,
                             ho_error *err)
{
  ho_known_ask_list asks;
  ho_knowing k = event_of(project, arena, row, row->events);
  ho_code code = ho_known_asked_by(project->store, row->id, arena, &asks, err);
  return code ? code : put_answer(&k, ho_project_clean(project, arena, note), &asks, why, err);
}

/* ---- Gates */

/* What was said at a gate, or besides a document, as an origin: "HO-2026-001#G-2026-001", followed by `what`. */
static ho_knowing gate_of(ho_project *project, ho_arena *arena, const ho_handoff *row, ho_str gate, ho_str what)
{
  ho_knowing k = event_of(project, arena, row, row->events);
  char digest[HO_DIGEST_SIZE];
  k.origin.name = ho_arena_printf(arena, "%.*s#%.*s", HO_ARG(row->id), HO_ARG(gate));
  if (what.n) {
    ho_digest_text(what, digest);
    k.origin.name = ho_arena_printf(arena, "%.*s/%.8s", HO_ARG(k.origin.name), digest);
  }
  k.origin.agent = ho_project_actor(project);
  return k;
}

static ho_code gate_question(ho_project *project, ho_arena *arena, const ho_handoff *row, const ho_gate *gate,
                             ho_error *err)
{
  ho_knowing k = gate_of(project, arena, row, gate->id, gate->note);
  ho_item item = {.kind = HO_KNOWN_QUESTION,
                  .role = "questions",
                  .text = ho_str_trim(gate->note),
                  .severity = HO_KNOWN_HIGH,
                  .line = 1};
  ho_items items = {.rows = &item,
                    .count = 1,
                    .parties = ho_node_new(arena, HO_KIND_LIST),
                    .depends = ho_node_new(arena, HO_KIND_LIST)};
  k.origin.agent = gate->decided_by;
  return ho_knowledge_put(&k, &items, err);
}

/* A task that asks the same in an earlier document is answered there as well: it had carried its question on. Elsewhere the
 * same words may ask something else. */
static ho_code asked_in_task(ho_knowing *k, ho_known_ask_list *asks, ho_error *err)
{
  ho_known_ask_list open;
  ho_str task;
  size_t own = asks->count;
  if (!own || !k->origin.task.n)
    return HO_OK;
  ho_code code = ho_knowledge_task(k->project, k->arena, k->origin.task, &task, err);
  if (!code)
    code = ho_known_asking(k->project->store, task, HO_EMPTY, k->origin.at + 1, k->arena, &open, err);
  for (size_t i = 0; !code && i < open.count; i++) {
    bool same = false;
    for (size_t j = 0; j < own; j++)
      same = same || asks->rows[j].node == open.rows[i].node;
    ho_known_ask *also = same ? HO_PUSH(k->arena, asks->rows, asks->count) : NULL;
    if (also)
      *also = open.rows[i];
  }
  return code ? code : ho_arena_code(k->arena, err);
}

ho_code ho_knowledge_gate(ho_project *project, ho_arena *arena, const ho_handoff *row, const ho_gate *gate,
                          bool by_document, ho_error *err)
{
  ho_known_ask_list asks = {0};
  if (gate->decision == HO_DECISION_QUESTION)
    return gate_question(project, arena, row, gate, err);
  ho_knowing k = gate_of(project, arena, row, gate->id, HO_EMPTY);
  ho_node *detail = ho_node_new(arena, HO_KIND_MAP);
  ho_str asked = HO_EMPTY;
  bool was_asked = by_document && !ho_str_blank(gate->note);
  ho_code code = was_asked ? ho_known_asked_by(project->store, row->id, arena, &asks, err) : HO_OK;
  if (!code)
    code = asked_in_task(&k, &asks, err);
  if (!code)
    code = questions_of(&k, &asks, &asked, err);
  if (code)
    return code;
  k.origin.agent = gate->decided_by;
  ho_event_data_put(project, arena, detail, "rationale", ho_str_trim(gate->note));
  ho_event_data_put(project, arena, detail, HO_DETAIL_ANSWERS, asked);
  ho_event_data_put_who(project, arena, detail, HO_DETAIL_BY, gate->decided_by);
  ho_known known = {.id = ho_arena_printf(arena, HO_KNOWN_GATE_ID "%.*s", HO_ARG(gate->id)),
                    .text = ho_arena_printf(arena, "%s: %.*s",
                                            gate->decision == HO_DECISION_APPROVE ? "Approved" : "Rejected",
                                            HO_ARG(gate->name)),
                    .detail = ho_event_data_json(arena, detail)};
  ho_str whole = ho_arena_printf(arena, "%.*s\n%.*s", HO_ARG(gate->id), HO_ARG(known.text));
  return put_decision(&k, &known, ho_knowledge_print_said(arena, HO_KNOWN_DECISION, whole), HO_ROLE_NAME_GATE, &asks,
                      err);
}

ho_code ho_knowledge_gate_answered(ho_project *project, ho_arena *arena, const ho_handoff *row, ho_str gate,
                                   ho_str question, ho_str note, ho_error *err)
{
  ho_known_ask_list asks;
  ho_knowing asked = gate_of(project, arena, row, gate, question);
  ho_str said = ho_project_clean(project, arena, note);
  ho_knowing k =
      gate_of(project, arena, row, gate, ho_arena_printf(arena, "%.*s\n%.*s", HO_ARG(question), HO_ARG(said)));
  ho_code code = ho_known_asked_by(project->store, asked.origin.name, arena, &asks, err);
  return code ? code : put_answer(&k, said, &asks, HO_EMPTY, err);
}

/* ---- Taking back */

enum { REVOKED = 50 };

static bool can_be_revoked(ho_known_kind kind)
{
  return kind == HO_KNOWN_DECISION || kind == HO_KNOWN_FACT || kind == HO_KNOWN_DEAD_END;
}

/* Is it said by the document itself that takes it back? Then it was decided anew, perhaps for another reason, and holds. */
static bool is_said_anew(const ho_known_said_list *said, ho_str by, const ho_known *known)
{
  for (size_t i = 0; i < said->count; i++)
    if (said->rows[i].known.n == known->n && ho_str_eq(said->rows[i].origin, by))
      return true;
  return false;
}

/* Closes what the task says in these words. held: all of it holds again, so that nothing was taken back. */
static ho_code close_said(ho_knowing *k, ho_str text, ho_str by, const ho_known *revoking, bool *held, ho_error *err)
{
  enum { MOST = 500 };
  ho_store *store = k->project->store;
  ho_known_said_list said;
  bool anew = false, closed = false;
  ho_code code = ho_known_of_task(store, k->origin.task, MOST, k->arena, &said, err);
  for (size_t i = 0; !code && i < said.count; i++) {
    const ho_known *old = &said.rows[i].known;
    if (!can_be_revoked(old->kind) || old->state != HO_KNOWN_OPEN || ho_str_is(said.rows[i].role, HO_ROLE_NAME_GATE) ||
        ho_knowledge_print(k->arena, old->kind, old->text) != ho_knowledge_print(k->arena, old->kind, text))
      continue;
    if (is_said_anew(&said, by, old)) {
      anew = true;
      continue;
    }
    closed = true;
    code = ho_known_link(store, revoking->n, HO_EDGE_SUPERSEDES, old->n, k->origin.n, err);
    if (!code)
      code = ho_known_set_state(store, old->n, HO_KNOWN_CLOSED, err);
  }
  *held = anew && !closed;
  return code;
}

/* by: the handoff with which it was taken back. */
static ho_code revoke(ho_knowing *k, ho_str text, ho_str by, ho_error *err)
{
  ho_known_ask_list none = {0};
  bool held = false;
  ho_known known = {.text = ho_arena_printf(k->arena, "Revoked: %.*s", HO_ARG(text))};
  int64_t print = ho_knowledge_print_said(k->arena, HO_KNOWN_DECISION, known.text);
  known.id = ho_arena_printf(k->arena, "decision-%08llx", (unsigned long long)print & 0xffffffffu);
  ho_code code = put_decision(k, &known, print, HO_ROLE_NAME_REVOKED, &none, err);
  if (!code)
    code = close_said(k, text, by, &known, &held, err);
  if (!code) /* open also if it was said again since it was first revoked */
    code = ho_known_set_state(k->project->store, known.n, held ? HO_KNOWN_CLOSED : HO_KNOWN_OPEN, err);
  return code;
}

ho_code ho_knowledge_revoked(ho_project *project, ho_arena *arena, const ho_handoff *row, const ho_node *texts,
                             ho_error *err)
{
  ho_code code = HO_OK;
  HO_EACH_CONST (text, texts) {
    ho_knowing k = gate_of(project, arena, row, HO_STR("revoked"), text->text);
    if (!code)
      code = revoke(&k, text->text, row->id, err);
  }
  return code;
}

/* Was this node made by taking something back? here: in the task of the document that is learned. */
static ho_code look_at_revoking(ho_knowing *k, const ho_known *node, bool *is, bool *here, ho_error *err)
{
  ho_known_source_list said;
  ho_code code = ho_known_sources(k->project->store, node->n, REVOKED, k->arena, &said, err);
  *is = *here = false;
  for (size_t i = 0; !code && i < said.count; i++) {
    bool role = ho_str_is(said.rows[i].role, HO_ROLE_NAME_REVOKED);
    *is = *is || role;
    *here = *here || (role && ho_str_eq(said.rows[i].task, k->origin.task));
  }
  return code;
}

ho_code ho_knowledge_hold_again(ho_knowing *k, const ho_known *known, ho_error *err)
{
  ho_store *store = k->project->store;
  ho_edge_list edges = {0};
  bool again = false;
  if (known->state == HO_KNOWN_OPEN || known->sources < 2 || !can_be_revoked(known->kind))
    return HO_OK;
  ho_code code = ho_known_edges_to(store, known->n, HO_EDGE_SUPERSEDES, REVOKED, k->arena, &edges, err);
  for (size_t i = 0; !code && i < edges.count; i++) {
    ho_known node;
    bool found, is = false, here = false;
    code = ho_known_get(store, edges.rows[i].from, k->arena, &node, &found, err);
    if (!code && found)
      code = look_at_revoking(k, &node, &is, &here, err);
    if (code || !is)
      continue;
    if (node.last >= k->origin.at) /* an older document, learned late */
      return HO_OK;
    again = true;
    if (here)
      code = ho_known_set_state(store, node.n, HO_KNOWN_CLOSED, err);
  }
  return code || !again ? code : ho_known_set_state(store, known->n, HO_KNOWN_OPEN, err);
}

/* ---- What was learned, by its id */

enum { ASKED = 50, BLOCKED = 50 };

static ho_code find_blocked(ho_store *store, ho_knowledge_answering *a, ho_error *err)
{
  ho_edge_list edges;
  a->blocked = ho_node_new(a->arena, HO_KIND_LIST);
  ho_code code = ho_known_edges_from(store, a->out->n, HO_EDGE_BLOCKS, BLOCKED, a->arena, &edges, err);
  for (size_t i = 0; !code && i < edges.count; i++) {
    ho_known task;
    bool found;
    code = ho_known_get(store, edges.rows[i].to, a->arena, &task, &found, err);
    if (!code && found)
      ho_list_add(a->blocked, ho_node_text(a->arena, task.text));
  }
  return code;
}

/* The answer, said in a task that asked. Each that did has it, also if one of them asks again later and is answered anew. */
static ho_code answer_in(const ho_knowledge_answering *a, ho_str task, ho_error *err)
{
  char digest[HO_DIGEST_SIZE];
  ho_digest_text(a->note, digest);
  ho_knowing k = {.project = a->project,
                  .arena = a->arena,
                  .origin = {.name = ho_arena_printf(a->arena, HO_ORIGIN_ANSWER "%.*s%s%.*s", HO_ARG(a->id),
                                                     task.n ? "/" : "", HO_ARG(task)),
                             .digest = ho_arena_copy(a->arena, ho_str_of(digest)),
                             .format = HO_STR("answer"),
                             .task = task,
                             .agent = a->project->name,
                             .at = ho_project_now(a->project)}};
  ho_known_ask ask = {.node = a->out->n};
  ho_known_ask_list asks = {.rows = &ask, .count = 1};
  return put_answer(&k, a->note, &asks, HO_EMPTY, err);
}

/* Has an earlier row of what was asked the same task? */
static bool had(const ho_known_source_list *asked, size_t which)
{
  for (size_t i = 0; i < which; i++)
    if (asked->rows[i].asks.n && ho_str_eq(asked->rows[i].task, asked->rows[which].task))
      return true;
  return false;
}

ho_code ho_knowledge_answer(ho_store *store, void *data, ho_error *err)
{
  ho_knowledge_answering *a = data;
  bool found, said = false;
  ho_code code = ho_known_by_id(store, a->id, a->arena, a->out, &found, err);
  if (!code && (!found || !ho_known_asks(a->out->kind)))
    code = ho_fail(err, HO_NOT_FOUND, "there is no question or blocker %.*s", HO_ARG(a->id));
  if (!code && a->out->state != HO_KNOWN_OPEN)
    code = ho_fail(err, HO_CONFLICT, "%.*s is already closed", HO_ARG(a->id));
  if (!code)
    code = ho_known_sources(store, a->out->n, ASKED, a->arena, &a->asked, err);
  if (!code)
    code = find_blocked(store, a, err);
  for (size_t i = 0; !code && i < a->asked.count; i++)
    if (a->asked.rows[i].asks.n && !had(&a->asked, i)) {
      code = answer_in(a, a->asked.rows[i].task, err);
      said = true;
    }
  if (!code && !said)
    code = answer_in(a, a->asked.count ? a->asked.rows[0].task : HO_EMPTY, err);
  return code ? code : ho_known_get(store, a->out->n, a->arena, a->out, &found, err);
}
