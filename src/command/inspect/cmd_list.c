#include "command/commands.h"
#include "command/ledger_call.h"
#include "engine/ledger/describe.h"
#include "engine/ledger/turn.h"
#include "store/handoffs/handoffs.h"

/* What only this list is filtered by. */
static ho_code filter_more(ho_call *call, ho_filter *filter, ho_error *err)
{
  ho_turn turn = {0};
  ho_str before = ho_arg_str(call, "before");
  filter->session = ho_arg_str(call, "session");
  if (!before.n || !call->project.store)
    return HO_OK;
  ho_code code = ho_turn_begin(&call->project, before, call->arena, &turn, err);
  filter->before_seq = turn.row.seq;
  return code;
}

static ho_code put_total(ho_call *call, const ho_filter *filter, ho_error *err)
{
  ho_filter all = *filter;
  int64_t total = 0;
  all.before_seq = 0;
  ho_code code = call->project.store ? ho_handoffs_count(call->project.store, &all, call->arena, &total, err) : HO_OK;
  ho_map_addz(call->result, "total", ho_node_number(call->arena, total));
  return code;
}

static ho_code run(ho_call *call, ho_error *err)
{
  ho_project *project = &call->project;
  ho_filter filter;
  ho_handoff_list list = {0};
  ho_code code = ho_ledger_call_filter(call, &filter, err);
  if (!code)
    code = filter_more(call, &filter, err);
  if (code)
    return code;
  if (project->store)
    code = ho_handoffs_select(project->store, &filter, call->arena, &list, err);
  if (!code && ho_arg_true(call, "count"))
    code = put_total(call, &filter, err);
  ho_node *handoffs = ho_map_addz(call->result, "handoffs", ho_node_new(call->arena, HO_KIND_LIST));
  for (size_t i = 0; !code && i < list.count; i++)
    ho_list_add(handoffs, ho_describe_listed(project, &list.rows[i], call->arena));
  if (!code && project->store && !list.count)
    ho_call_note(call, "no handoffs found");
  if (!code)
    ho_ledger_call_limit(call, "newest", list.count, filter.limit, "shown");
  return code;
}

static const ho_field params[] = {
    HO_FILTER_PARAMS,
    {.name = "session", .label = "S", .doc = "Only handoffs sent in this session.", .type = HO_T_TEXT},
    {.name = "before", .label = "ID", .doc = "Only handoffs that are older than ID.", .type = HO_T_TEXT},
    {.name = "count", .doc = "Also count those that --limit and --before leave out.", .type = HO_T_BOOL},
    HO_FIELDS_END};
static const ho_record params_record = {.name = "list", .fields = params};
static const ho_field result[] = {HO_LIST_FIELD("handoffs", "The handoffs, newest first.", ho_handoff_record),
                                  {.name = "total", .doc = "With --count: how many there are.", .type = HO_T_INT},
                                  HO_NOTES_FIELD,
                                  HO_FIELDS_END};
static const ho_record result_record = {.name = "list result", .fields = result};

static const ho_table table = {.list = "handoffs", .record = &ho_handoff_record, .columns = ho_handoff_columns};

const ho_command ho_command_list = {
    .name = "list",
    .group = "inspect",
    .summary = "List handoffs and their states",
    .doc = "The newest come first. The number alone is enough wherever an id of this year is taken: 'handoff show 14'.",
    .examples = "handoff list --state ready,acked --since yesterday\n"
                "handoff list --mine --sort state --fields id,state,subject",
    .common = true,
    .teammate = true,
    .stored = true,
    .effect = HO_EFFECT_READ,
    .params = &params_record,
    .result = &result_record,
    .run = run,
    .table = &table,
};
