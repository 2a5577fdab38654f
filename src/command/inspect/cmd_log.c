#include <unistd.h>

#include "base/term.h"
#include "base/time.h"
#include "command/commands.h"
#include "command/inspect/log_said.h"
#include "command/ledger_call.h"
#include "command/pick.h"
#include "engine/ledger/describe.h"
#include "engine/ledger/gate_read.h"
#include "engine/ledger/turn.h"
#include "store/handoffs/handoffs.h"

enum { PAGE = 500 };

typedef struct logging {
  ho_call *call;
  ho_project *project;
  ho_str id; /* "" for all */
  ho_filter filter;
  bool filtered; /* by what only the handoff tells */
  int64_t after; /* only events that were recorded after this one; 0: all */
  ho_node *events;
} logging;

static bool fits(const ho_filter *f, const ho_handoff *row, ho_arena *arena)
{
  return (!f->party.n || ho_str_eq(f->party, row->receiver) || ho_str_eq(f->party, row->sender) ||
          ho_str_eq(f->party, row->claimed_by)) &&
         (!f->receiver.n || ho_str_eq(f->receiver, row->receiver)) &&
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
      if (page.rows[i].at < l->filter.since || page.rows[i].seq <= l->after ||
          (int64_t)l->events->count >= l->filter.limit)
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
    if (events.rows[i].at >= l->filter.since && events.rows[i].seq > l->after)
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

static void put_sentence(ho_buf *out, const ho_node *event)
{
  ho_log_said(out, event);
}

static const ho_table_column columns[] = {{.title = "WHEN", .key = "at", .as = HO_CELL_TIME},
                                          {.title = "HANDOFF", .key = "handoff", .as = HO_CELL_ID},
                                          {.title = "WHAT", .key = "event", .put = put_sentence, .least = 20},
                                          HO_COLUMNS_END};
static const ho_table table = {.list = "events", .record = &ho_event_record, .columns = columns};

/* Lines that stay on the screen name the time of the day: "now" would soon be false. */
static const ho_table_column followed_columns[] = {{.title = "WHEN (UTC)", .key = "when"},
                                                   {.title = "HANDOFF", .key = "handoff", .as = HO_CELL_ID},
                                                   {.title = "WHAT", .key = "event", .put = put_sentence, .least = 20},
                                                   HO_COLUMNS_END};
static const ho_table followed = {.list = "events", .record = &ho_event_record, .columns = followed_columns};

/* The time of what happened today, else the date; both as wide as the heading. */
static void put_when(const ho_call *call, ho_node *events)
{
  enum { DATE = 10, TIME = 8 };
  ho_str today = ho_time_str(call->arena, call->host->clock_ms(call->host->world));
  HO_EACH (event, events) {
    ho_str at = ho_map_str(event, "at");
    bool fresh = at.n > DATE + TIME && ho_str_eq(ho_str_sub(at, 0, DATE), ho_str_sub(today, 0, DATE));
    ho_str shown = fresh ? ho_str_sub(at, DATE + 1, DATE + 1 + TIME) : ho_str_sub(at, 0, DATE);
    ho_map_put(call->arena, event, "when", ho_arena_printf(call->arena, "%-*.*s", DATE, HO_ARG(shown)));
  }
}

/* The events after the one that was shown last, oldest first; each round has its own memory. */
static ho_code show_new(logging *l, int64_t *shown, ho_error *err)
{
  ho_arena arena;
  ho_buf text;
  ho_call call = *l->call;
  logging round = *l;
  ho_arena_init(&arena, 0);
  ho_buf_init(&text, 0);
  call.arena = &arena;
  call.shown.sort = HO_STR("seq");
  call.result = ho_node_new(&arena, HO_KIND_MAP);
  round.call = &call;
  round.after = *shown;
  round.events = ho_map_addz(call.result, "events", ho_node_new(&arena, HO_KIND_LIST));
  ho_code code = ho_store_read(l->project->store, read_log, &round, err);
  ho_pick_sort(&ho_command_log, &call);
  if (!code && round.events->count) {
    put_when(&call, round.events);
    ho_table_put(&call, &text, call.host->terminal ? &followed : &table, round.events, 0, *shown == 0,
                 ho_term_colour(STDOUT_FILENO));
    call.host->show(call.host->world, ho_buf_str(&text));
    *shown = ho_map_int(round.events->last, "seq");
  }
  ho_buf_free(&text);
  ho_arena_free(&arena);
  return code;
}

/* Shows what is there and then what comes, until the reader goes. */
static ho_code follow(logging *l, ho_error *err)
{
  enum { WAIT_MS = 1000 };
  int64_t shown = 0;
  bool changed = true;
  ho_code code = HO_OK;
  if (!l->call->host->show || !l->project->store)
    return ho_fail(err, HO_USAGE,
                   l->project->store ? "--follow prints lines for people; use it without --json"
                                     : "there is nothing to follow yet; run: handoff init");
  while (!code) {
    if (changed)
      code = show_new(l, &shown, err);
    if (!code)
      code = ho_store_wait(l->project->store, WAIT_MS, &changed, err);
  }
  return code;
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
  l.filtered = f->party.n || f->receiver.n || f->sender.n || f->state.n || f->kind.n || f->task.n || f->phase.n;
  l.events = ho_map_addz(call->result, "events", ho_node_new(call->arena, HO_KIND_LIST));
  if (ho_arg_true(call, "follow"))
    code = follow(&l, err);
  else if (l.events && project->store)
    code = ho_store_read(project->store, read_log, &l, err);
  if (!code && project->store && l.events && !l.events->count)
    ho_call_note(call, "no events found");
  return code;
}

static const ho_field params[] = {
    {.name = "id",
     .label = "ID",
     .doc = "Only events of this handoff, oldest first.",
     .type = HO_T_TEXT,
     .flags = HO_POSITIONAL},
    {.name = "follow", .doc = "Show what is there, then each event as it is recorded.", .type = HO_T_BOOL},
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
    .examples = "handoff log --since today",
    .teammate = true,
    .stored = true,
    .effect = HO_EFFECT_READ,
    .params = &params_record,
    .result = &result_record,
    .run = run,
    .table = &table,
};
