#include "command/commands.h"
#include "command/inbox_shown.h"
#include "command/ledger_call.h"
#include "command/table.h"
#include "engine/ledger/write.h"

/* Whoever only looks has seen nothing for an agent, or for the person who decides. */
static bool acts(const ho_call *call)
{
  return !call->host->access || call->host->access->role == HO_ACCESS_AGENT;
}

static ho_code put_items(ho_call *call, ho_inbox *inbox, ho_error *err)
{
  ho_project *project = &call->project;
  ho_node *list = ho_map_getz(call->result, "items");
  ho_error unmarked = {0};
  ho_ledger_settle(project);
  ho_code code = project->name.n ? HO_OK : ho_ledger_call_derive(call, HO_DERIVED_KNOWLEDGE, err); /* for people */
  if (!code)
    code = ho_inbox_read(project, call->arena, inbox, err);
  for (size_t i = 0; !code && i < inbox->count; i++)
    ho_list_add(list, ho_inbox_shown(call->arena, &inbox->items[i]));
  if (!code && inbox->missed)
    ho_call_note(call, "%zu more are waiting; run: handoff list", inbox->missed);
  if (!code && inbox->fresh && !ho_arg_true(call, "peek") && acts(call) &&
      ho_inbox_seen(project, call->arena, inbox, NULL, &unmarked)) /* they are new again next time: nothing is lost */
    ho_call_note(call, "could not remember that this was shown: %s", unmarked.message);
  return code;
}

static ho_code run(ho_call *call, ho_error *err)
{
  ho_inbox inbox = {.everything = ho_arg_true(call, "all")};
  ho_map_addz(call->result, "items", ho_node_new(call->arena, HO_KIND_LIST));
  bool open = false;
  ho_code code = ho_ledger_call_maybe(call, err);
  if (code || !call->project.store)
    return code;
  code = put_items(call, &inbox, err);
  if (!code && !inbox.count)
    code = ho_inbox_shown_open(call, HO_STR("nothing is waiting for you"), &open, err);
  if (!code && !inbox.count && !open)
    ho_call_note(call, "nothing is waiting");
  return code ? code : ho_inbox_shown_waiting(call, err);
}

static const ho_field params[] = {
    HO_PARAM_AS,
    {.name = "all", .doc = "Also answers, rejections and decisions that were shown before.", .type = HO_T_BOOL},
    {.name = "peek", .doc = "Do not remember what was shown: it is new again next time.", .type = HO_T_BOOL},
    HO_FIELDS_END};
static const ho_record params_record = {.name = "inbox", .fields = params};
static const ho_field result[] = {HO_LIST_FIELD("items", "What waits, most urgent first.", ho_inbox_item_record),
                                  HO_NOTES_FIELD, HO_FIELDS_END};
static const ho_record result_record = {.name = "inbox result", .fields = result};

static void put_new(ho_buf *out, const ho_node *item)
{
  ho_buf_puts(out, ho_node_true(ho_map_getz(item, "new")) ? "new" : "");
}

static const ho_table_column columns[] = {{.title = "KIND", .key = "kind"},
                                          {.title = "ID", .key = "id", .as = HO_CELL_ID},
                                          {.title = "FROM", .key = "from", .as = HO_CELL_NAME, .least = 8},
                                          {.title = "SUBJECT", .key = "subject", .least = 16},
                                          {.title = "SINCE", .key = "since", .as = HO_CELL_TIME},
                                          HO_COLUMNS_END};
static const ho_table table = {.list = "items", .record = &ho_inbox_item_record, .columns = columns};
static const ho_table_column all_columns[] = {{.title = "KIND", .key = "kind", .as = HO_CELL_STATE},
                                              {.title = "ID", .key = "id", .as = HO_CELL_ID},
                                              {.title = "FROM", .key = "from", .as = HO_CELL_NAME, .least = 8},
                                              {.title = "SUBJECT", .key = "subject", .least = 16},
                                              {.title = "UNTIL", .key = "until", .as = HO_CELL_TIME, .spare = true},
                                              {.title = "SINCE", .key = "since", .as = HO_CELL_TIME},
                                              {.title = "", .key = "new", .put = put_new, .spare = true},
                                              HO_COLUMNS_END};
static const ho_table whole = {
    .list = "items", .record = &ho_inbox_item_record, .columns = all_columns, .below = ho_inbox_shown_below};

/* A table for people; for others, who read it line by line, each item as a block in which nothing is cut. */
static void render(const ho_call *call, ho_buf *out, bool colour)
{
  const ho_node *items = ho_map_getz(call->result, "items");
  if (call->host->terminal)
    ho_table_put(call, out, &whole, items, 0, true, colour);
  else
    HO_EACH_CONST (item, items)
      ho_inbox_shown_put(out, item, colour);
}

const ho_command ho_command_inbox = {
    .name = "inbox",
    .group = "inspect",
    .summary = "Show everything that waits for an agent or a person",
    .doc = "Shows, most urgent first: tasks that were stopped, questions to answer, gates to decide, rejections, "
           "decisions, answers, returned work, what you hold, what is ready for you, and drafts to confirm, each with "
           "the commands that may follow. Without an agent's name, it is the inbox of the person at the keyboard. What "
           "has happened is shown once, what waits until it is dealt with.",
    .examples = "handoff inbox --as reviewer",
    .common = true,
    .teammate = true,
    .roles = HO_MAY_ALL,
    .effect = HO_EFFECT_WRITE,
    .params = &params_record,
    .result = &result_record,
    .run = run,
    .render = render,
    .table = &table,
};
