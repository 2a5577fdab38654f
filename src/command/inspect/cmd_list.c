#include "command/commands.h"
#include "command/ledger_call.h"
#include "engine/ledger/describe.h"
#include "store/handoffs/handoffs.h"

static ho_code run(ho_call *call, ho_error *err)
{
  ho_project *project = &call->project;
  ho_filter filter;
  ho_handoff_list list = {0};
  ho_code code = ho_ledger_call_filter(call, &filter, err);
  if (code)
    return code;
  if (project->store)
    code = ho_handoffs_select(project->store, &filter, call->arena, &list, err);
  ho_node *handoffs = ho_map_addz(call->result, "handoffs", ho_node_new(call->arena, HO_KIND_LIST));
  for (size_t i = 0; !code && i < list.count; i++)
    ho_list_add(handoffs, ho_describe_listed(project, &list.rows[i], call->arena));
  if (!code && project->store && !list.count)
    ho_call_note(call, "no handoffs found");
  if (!code)
    ho_ledger_call_limit(call, "newest", list.count, filter.limit, "shown");
  return code;
}

static const ho_field params[] = {HO_FILTER_PARAMS, HO_FIELDS_END};
static const ho_record params_record = {.name = "list", .fields = params};
static const ho_field result[] = {HO_LIST_FIELD("handoffs", "The handoffs, newest first.", ho_handoff_record),
                                  HO_NOTES_FIELD, HO_FIELDS_END};
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
    .effect = HO_EFFECT_READ,
    .params = &params_record,
    .result = &result_record,
    .run = run,
    .table = &table,
};
