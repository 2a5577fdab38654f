#include "base/term.h"
#include "command/commands.h"
#include "command/ledger_call.h"
#include "doc/json/json.h"
#include "engine/ledger/describe.h"
#include "engine/ledger/gate_read.h"
#include "engine/ledger/turn.h"
#include "engine/project/quote.h"
#include "store/handoffs/handoffs.h"

enum { PAGE = 500 };

typedef struct logging {
  ho_call *call;
  ho_project *project;
  ho_str id; /* "" for all */
  ho_filter filter;
  bool filtered; /* by what only the handoff tells */
  ho_node *events;
} logging;

static bool fits(const ho_filter *f, const ho_handoff *row, ho_arena *arena)
{
  return (!f->receiver.n || ho_str_eq(f->receiver, row->receiver)) &&
         (!f->sender.n || ho_str_eq(f->sender, row->sender)) &&
         (!f->state.n || ho_str_list_has(ho_arena_z(arena, f->state), row->state)) &&
         (!f->kind.n || ho_str_eq(f->kind, row->kind)) && (!f->task.n || ho_str_eq(f->task, row->task)) &&
         (!f->phase.n || ho_str_eq(f->phase, row->phase));
}

static bool wanted(logging *l, const ho_event *event)
{
  ho_handoff row;
  ho_error err;
  if (!l->filtered)
    return true;
  return ho_handoffs_get(l->project->store, event->handoff, l->call->arena, &row, &err) == HO_OK &&
         fits(&l->filter, &row, l->call->arena);
}

/* Adds the event to the result; a decision with its proof. */
static void put(logging *l, const ho_event *event)
{
  ho_arena *arena = l->call->arena;
  ho_node *item = ho_list_add(l->events, ho_describe_event(event, arena)), *data = ho_map_getz(item, "data");
  ho_str proof = ho_gate_read_proof(l->project, arena, data);
  if (proof.n)
    ho_map_addz(data, "proof", ho_node_text(arena, proof));
}

/* All events, the newest first, page by page until there are enough. */
static ho_code log_all(logging *l, ho_error *err)
{
  int64_t before = 0;
  for (;;) {
    ho_event_list page;
    ho_code code = ho_events_select(l->project->store, HO_EMPTY, before, PAGE, l->call->arena, &page, err);
    if (code)
      return code;
    for (size_t i = 0; i < page.count; i++) {
      if (page.rows[i].at < l->filter.since || (int64_t)l->events->count >= l->filter.limit)
        return HO_OK;
      if (wanted(l, &page.rows[i]))
        put(l, &page.rows[i]);
    }
    if (page.count < PAGE)
      return HO_OK;
    before = page.rows[page.count - 1].seq;
  }
}

static ho_code log_one(logging *l, ho_str id, ho_error *err)
{
  ho_turn turn = {0};
  ho_event_list events;
  ho_code code = ho_turn_begin(l->project, id, l->call->arena, &turn, err);
  if (code == HO_NOT_FOUND)
    ho_ledger_call_elsewhere(l->call, id, err);
  if (!code)
    code = ho_events_select(l->project->store, turn.row.id, 0, l->filter.limit, l->call->arena, &events, err);
  for (size_t i = 0; !code && i < events.count; i++)
    if (events.rows[i].at >= l->filter.since)
      put(l, &events.rows[i]);
  return code;
}

/* In one snapshot: what `prune` removes meanwhile is there with all its events, or with none. */
static ho_code read_log(ho_store *store, void *data, ho_error *err)
{
  logging *l = data;
  (void)store;
  return l->id.n ? log_one(l, l->id, err) : log_all(l, err);
}

static ho_code run(ho_call *call, ho_error *err)
{
  ho_project *project = &call->project;
  logging l = {.call = call, .project = project, .id = ho_arg_str(call, "id")};
  ho_code code = ho_ledger_call_filter(call, &l.filter, err);
  if (!code && l.id.n && !project->store)
    code = ho_fail(err, HO_NOT_FOUND, "there is no handoff %.*s", HO_ARG(l.id));
  if (code)
    return code;
  ho_filter *f = &l.filter;
  l.filtered = f->receiver.n || f->sender.n || f->state.n || f->kind.n || f->task.n || f->phase.n;
  l.events = ho_map_addz(call->result, "events", ho_node_new(call->arena, HO_KIND_LIST));
  if (l.events && project->store)
    code = ho_store_read(project->store, read_log, &l, err);
  if (!code && project->store && l.events && !l.events->count)
    ho_call_note(call, "no events found");
  return code;
}

static void put_event(ho_buf *out, const ho_node *event)
{
  ho_buf data;
  const ho_node *said = ho_map_getz(event, "data");
  ho_put_padded(out, ho_map_str(event, "at"), 20);
  ho_buf_putc(out, ' ');
  ho_put_padded(out, ho_map_str(event, "handoff"), 13);
  ho_buf_putc(out, ' ');
  ho_put_padded(out, ho_map_str(event, "event"), 13);
  ho_buf_putc(out, ' ');
  ho_quote_put_name(out, ho_map_str(event, "actor"));
  ho_buf_init(&data, 0);
  if (said && said->count) {
    ho_json_write(&data, said, 0);
    ho_buf_puts(out, "  ");
    ho_term_put(out, ho_buf_str(&data), HO_TERM_LINE);
  }
  ho_buf_free_into(&data, out);
  ho_buf_putc(out, '\n');
}

static void render(const ho_call *call, ho_buf *out, bool colour)
{
  (void)colour;
  HO_EACH_CONST (event, ho_map_getz(call->result, "events"))
    put_event(out, event);
}

static const ho_field params[] = {{.name = "id",
                                   .label = "ID",
                                   .doc = "Only events of this handoff, oldest first.",
                                   .type = HO_T_TEXT,
                                   .flags = HO_POSITIONAL},
                                  HO_FILTER_PARAMS,
                                  HO_FIELDS_END};
static const ho_record params_record = {.name = "log", .fields = params};
static const ho_field result[] = {HO_LIST_FIELD("events", "The events.", ho_event_record), HO_NOTES_FIELD,
                                  HO_FIELDS_END};
static const ho_record result_record = {.name = "log result", .fields = result};

const ho_command ho_command_log = {
    .name = "log",
    .group = "inspect",
    .summary = "Show the events of a handoff, or of the whole project",
    .doc = "Without ID, the newest events come first.",
    .examples = "handoff log --limit 20",
    .teammate = true,
    .effect = HO_EFFECT_READ,
    .params = &params_record,
    .result = &result_record,
    .run = run,
    .render = render,
};
