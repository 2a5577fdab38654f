#include "engine/telemetry/telemetry_spans.h"

#include "base/digest.h"
#include "doc/json/json.h"
#include "engine/project/event_data.h"
#include "model/lifecycle.h"
#include "store/handoffs/gates.h"
#include "store/handoffs/handoffs.h"
#include "store/runs/runs.h"

enum {
  EVENTS = 200,        /* at a time */
  RECORDED_MS = 10000, /* within which the end of a run or teammate is in the store */
  ANCESTORS_MOST = 64, /* of a handoff */
  TRACE_ID = 32,       /* digits */
  SPAN_ID = 16,
};

typedef struct telling {
  ho_project *project;
  ho_arena *arena;
  ho_node *spans;
} telling;

/* ---- A span. */

static ho_str id_of(const telling *t, const char *kind, ho_str name, size_t digits)
{
  char digest[HO_DIGEST_SIZE];
  ho_digest_text(ho_arena_printf(t->arena, "%.*s\n%s\n%.*s", HO_ARG(t->project->home), kind, HO_ARG(name)), digest);
  return ho_arena_copy(t->arena, ho_str_sub(ho_str_of(digest), 0, digits));
}

static ho_node *add_value(ho_arena *arena, ho_node *list, const char *key)
{
  ho_node *attribute = ho_list_add(list, ho_node_new(arena, HO_KIND_MAP));
  ho_map_addz(attribute, "key", ho_node_textz(arena, key));
  return ho_map_addz(attribute, "value", ho_node_new(arena, HO_KIND_MAP));
}

static void add_text(ho_arena *arena, ho_node *list, const char *key, ho_str text)
{
  if (text.n)
    ho_map_addz(add_value(arena, list, key), "stringValue", ho_node_text(arena, text));
}

/* 64 bits are text in OTLP. */
static void add_number(ho_arena *arena, ho_node *list, const char *key, int64_t number)
{
  ho_map_addz(add_value(arena, list, key), "intValue",
              ho_node_text(arena, ho_arena_printf(arena, "%lld", (long long)number)));
}

static void add_time(ho_arena *arena, ho_node *map, const char *key, int64_t ms)
{
  ho_map_addz(map, key, ho_node_text(arena, ho_arena_printf(arena, "%lld000000", (long long)ms)));
}

/* Begins a span; its attributes are returned. */
static ho_node *add_span(telling *t, ho_str trace, ho_str id, ho_str parent, ho_str name, int64_t from, int64_t to,
                         bool good, ho_node **span)
{
  enum { INTERNAL = 1, OK = 1, FAILED = 2 };
  ho_node *map = ho_list_add(t->spans, ho_node_new(t->arena, HO_KIND_MAP));
  ho_map_addz(map, "traceId", ho_node_text(t->arena, trace));
  ho_map_addz(map, "spanId", ho_node_text(t->arena, id));
  if (parent.n)
    ho_map_addz(map, "parentSpanId", ho_node_text(t->arena, parent));
  ho_map_addz(map, "name", ho_node_text(t->arena, name));
  ho_map_addz(map, "kind", ho_node_number(t->arena, INTERNAL));
  add_time(t->arena, map, "startTimeUnixNano", from);
  add_time(t->arena, map, "endTimeUnixNano", to < from ? from : to);
  ho_node *status = ho_map_addz(map, "status", ho_node_new(t->arena, HO_KIND_MAP));
  ho_map_addz(status, "code", ho_node_number(t->arena, good ? OK : FAILED));
  if (span)
    *span = map;
  return ho_map_addz(map, "attributes", ho_node_new(t->arena, HO_KIND_LIST));
}

/* ---- Handoffs and gates. */

static ho_str trace_of(const telling *t, const ho_handoff *row)
{
  ho_handoff at = *row, parent;
  ho_error none = {0};
  for (int i = 0; i < ANCESTORS_MOST && !at.task.n && at.parent.n; i++) {
    if (ho_handoffs_get(t->project->store, at.parent, t->arena, &parent, &none))
      break;
    at = parent;
  }
  return id_of(t, "trace", at.task.n ? at.task : at.id, TRACE_ID);
}

static void put_handoff(telling *t, const ho_handoff *row, const ho_event_list *events)
{
  static const char failures[] = "rejected|expired";
  ho_node *span, *list;
  ho_str receiver = row->receiver.n ? row->receiver : HO_STR("anyone"),
         parent = row->parent.n ? id_of(t, "handoff", row->parent, SPAN_ID) : HO_EMPTY;
  const ho_event *first = &events->rows[0], *last = &events->rows[events->count - 1];
  ho_node *about = add_span(t, trace_of(t, row), id_of(t, "handoff", row->id, SPAN_ID), parent,
                            ho_arena_printf(t->arena, "invoke_agent %.*s", HO_ARG(receiver)), first->at, last->at,
                            !ho_str_list_has(failures, row->state), &span);
  add_text(t->arena, about, "gen_ai.operation.name", HO_STR("invoke_agent"));
  add_text(t->arena, about, "gen_ai.agent.name", receiver);
  add_text(t->arena, about, "gen_ai.conversation.id", row->session);
  add_text(t->arena, about, "handoff.id", row->id);
  add_text(t->arena, about, "handoff.kind", row->kind);
  add_text(t->arena, about, "handoff.type", row->type);
  add_text(t->arena, about, "handoff.from", row->sender);
  add_text(t->arena, about, "handoff.to", row->receiver);
  add_text(t->arena, about, "handoff.task", row->task);
  add_text(t->arena, about, "handoff.phase", row->phase);
  add_text(t->arena, about, "handoff.state", row->state);
  add_number(t->arena, about, "handoff.attempt", row->attempt);
  list = ho_map_addz(span, "events", ho_node_new(t->arena, HO_KIND_LIST));
  for (size_t i = 0; i < events->count; i++) {
    ho_node *event = ho_list_add(list, ho_node_new(t->arena, HO_KIND_MAP));
    add_time(t->arena, event, "timeUnixNano", events->rows[i].at);
    ho_map_addz(event, "name", ho_node_text(t->arena, events->rows[i].kind));
    ho_node *more = ho_map_addz(event, "attributes", ho_node_new(t->arena, HO_KIND_LIST));
    add_text(t->arena, more, "handoff.actor", events->rows[i].actor);
    add_number(t->arena, more, "handoff.seq", events->rows[i].seq);
  }
}

static void put_gate(telling *t, const ho_handoff *row, const ho_event *decision)
{
  ho_gate gate;
  ho_error none = {0};
  ho_str id = ho_map_str(ho_event_data_read(t->arena, decision->data), "gate");
  if (!id.n || ho_gates_get(t->project->store, id, t->arena, &gate, &none))
    return;
  ho_node *about = add_span(t, trace_of(t, row), id_of(t, "gate", id, SPAN_ID), id_of(t, "handoff", row->id, SPAN_ID),
                            HO_STR("gate"), gate.raised, decision->at, true, NULL);
  add_text(t->arena, about, "handoff.gate.id", id);
  add_text(t->arena, about, "handoff.id", row->id);
  add_text(t->arena, about, "handoff.gate.raised_by", gate.raised_by);
  add_text(t->arena, about, "handoff.gate.decided_by", gate.decided_by);
  add_text(t->arena, about, "handoff.gate.decision", ho_words_str(&ho_gate_decisions, gate.decision));
}

/* Has the handoff ended with this event? */
static bool ends(ho_str kind)
{
  return ho_str_list_has("done|returned|finished|rejected|withdrawn|gate_rejected|expired|superseded", kind);
}

static ho_code put_event(telling *t, const ho_event *event, ho_error *err)
{
  ho_handoff row;
  ho_event_list all;
  bool decided = ho_str_list_has("approved|gate_rejected", event->kind);
  if (!decided && !ends(event->kind))
    return HO_OK;
  if (ho_handoffs_get(t->project->store, event->handoff, t->arena, &row, err))
    return HO_OK; /* it was pruned */
  if (decided)
    put_gate(t, &row, event);
  if (!ends(event->kind))
    return HO_OK;
  ho_code code = ho_events_select(t->project->store, row.id, 0, EVENTS, t->arena, &all, err);
  while (!code && all.count > 1 && all.rows[all.count - 1].seq > event->seq)
    all.count--;
  if (!code && all.count)
    put_handoff(t, &row, &all);
  return code;
}

static ho_code put_events(telling *t, ho_telemetry_mark *mark, bool *more, ho_error *err)
{
  ho_event_list events;
  ho_code code = ho_events_since(t->project->store, mark->seq, EVENTS, t->arena, &events, err);
  for (size_t i = 0; !code && i < events.count; i++) {
    code = put_event(t, &events.rows[i], err);
    mark->seq = events.rows[i].seq;
  }
  *more = events.count == EVENTS;
  return code;
}

/* ---- Runs and teammates. */

static void put_run(telling *t, const ho_run_row *run)
{
  ho_node *about =
      add_span(t, id_of(t, "trace", run->task.n ? run->task : run->id, TRACE_ID), id_of(t, "run", run->id, SPAN_ID),
               HO_EMPTY, HO_STR("invoke_workflow"), run->started, run->ended, run->state != HO_RUN_STATE_FAILED, NULL);
  add_text(t->arena, about, "gen_ai.operation.name", HO_STR("invoke_workflow"));
  add_text(t->arena, about, "handoff.run.id", run->id);
  add_text(t->arena, about, "handoff.task", run->task);
  add_text(t->arena, about, "handoff.run.state", ho_words_str(&ho_run_states, run->state));
}

static void put_teammate(telling *t, const ho_teammate *mate)
{
  bool good = mate->outcome == HO_OUTCOME_DONE || mate->outcome == HO_OUTCOME_HANDOFF;
  ho_node *about = add_span(t, id_of(t, "trace", mate->task.n ? mate->task : mate->run, TRACE_ID),
                            id_of(t, "teammate", mate->id, SPAN_ID), id_of(t, "run", mate->run, SPAN_ID),
                            ho_arena_printf(t->arena, "invoke_agent %.*s", HO_ARG(mate->agent)), mate->started,
                            mate->ended, good, NULL);
  add_text(t->arena, about, "gen_ai.operation.name", HO_STR("invoke_agent"));
  add_text(t->arena, about, "gen_ai.agent.name", mate->agent);
  add_text(t->arena, about, "gen_ai.agent.id", mate->id);
  add_text(t->arena, about, "gen_ai.conversation.id", mate->session);
  add_text(t->arena, about, "handoff.run.id", mate->run);
  add_text(t->arena, about, "handoff.task", mate->task);
  add_text(t->arena, about, "handoff.step", mate->step);
  add_text(t->arena, about, "handoff.adapter", mate->adapter);
  add_text(t->arena, about, "handoff.outcome", ho_words_str(&ho_outcomes, mate->outcome));
  add_text(t->arena, about, "handoff.from_id", mate->from_id);
  add_text(t->arena, about, "handoff.left_id", mate->left_id);
  add_number(t->arena, about, "handoff.tokens", mate->tokens);
}

/* Notes it as told; false: it was before. */
static bool note_sent(telling *t, const ho_telemetry_mark *mark, ho_node *sent, int64_t *newest, ho_str id,
                      int64_t ended)
{
  ho_str key = ho_arena_printf(t->arena, "%.*s %lld", HO_ARG(id), (long long)ended);
  *newest = ended > *newest ? ended : *newest;
  ho_list_add(sent, ho_node_text(t->arena, key));
  return !ho_list_has(mark->sent, key);
}

static ho_code put_ended(telling *t, ho_telemetry_mark *mark, bool *more, ho_error *err)
{
  ho_run_list runs;
  ho_teammate_list mates = {0};
  ho_node *sent = ho_node_new(t->arena, HO_KIND_LIST);
  int64_t newest = mark->ended, after = mark->ended > RECORDED_MS ? mark->ended - RECORDED_MS : 0;
  ho_code code = ho_runs_ended(t->project->store, after, EVENTS, t->arena, &runs, err);
  if (!code)
    code = ho_runs_ended_teammates(t->project->store, after, EVENTS, t->arena, &mates, err);
  for (size_t i = 0; !code && i < runs.count; i++)
    if (note_sent(t, mark, sent, &newest, runs.rows[i].id, runs.rows[i].ended))
      put_run(t, &runs.rows[i]);
  for (size_t i = 0; !code && i < mates.count; i++)
    if (note_sent(t, mark, sent, &newest, mates.rows[i].id, mates.rows[i].ended))
      put_teammate(t, &mates.rows[i]);
  *more = *more || (newest > mark->ended && (runs.count == EVENTS || mates.count == EVENTS));
  mark->ended = newest;
  mark->sent = sent;
  return code;
}

/* ---- All of it. */

static void put_resource(const telling *t, ho_node *root)
{
  ho_arena *arena = t->arena;
  ho_node *list = ho_map_addz(root, "resourceSpans", ho_node_new(arena, HO_KIND_LIST));
  ho_node *resource = ho_list_add(list, ho_node_new(arena, HO_KIND_MAP));
  ho_node *about = ho_map_addz(resource, "resource", ho_node_new(arena, HO_KIND_MAP));
  about = ho_map_addz(about, "attributes", ho_node_new(arena, HO_KIND_LIST));
  add_text(arena, about, "service.name", HO_STR("handoff"));
  add_text(arena, about, "service.version", HO_STR(HO_VERSION));
  add_text(arena, about, "handoff.project", ho_fs_name(t->project->home));
  ho_node *scopes = ho_map_addz(resource, "scopeSpans", ho_node_new(arena, HO_KIND_LIST));
  ho_node *scope = ho_list_add(scopes, ho_node_new(arena, HO_KIND_MAP));
  ho_node *by = ho_map_addz(scope, "scope", ho_node_new(arena, HO_KIND_MAP));
  ho_map_addz(by, "name", ho_node_textz(arena, "handoff"));
  ho_map_addz(by, "version", ho_node_textz(arena, HO_VERSION));
  ho_map_addz(scope, "spans", t->spans);
}

ho_code ho_telemetry_spans(ho_project *project, ho_arena *arena, ho_telemetry_mark *mark, ho_buf *out, size_t *spans,
                           bool *more, ho_error *err)
{
  telling t = {.project = project, .arena = arena, .spans = ho_node_new(arena, HO_KIND_LIST)};
  ho_node *root = ho_node_new(arena, HO_KIND_MAP);
  ho_code code = put_events(&t, mark, more, err);
  if (!code)
    code = put_ended(&t, mark, more, err);
  if (!code)
    code = ho_arena_code(arena, err);
  if (code)
    return code;
  *spans = t.spans->count;
  put_resource(&t, root);
  ho_json_write(out, root, 0);
  return ho_buf_code(out, err);
}
