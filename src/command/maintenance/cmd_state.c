#include "base/fs.h"
#include "command/commands.h"
#include "command/ledger_call.h"
#include "engine/ledger/statefile.h"
#include "engine/ledger/write.h"
#include "engine/project/paths.h"

static ho_code run(ho_call *call, ho_error *err)
{
  ho_project *project = &call->project;
  ho_str text = HO_EMPTY;
  ho_error failure = {0};
  ho_code code = ho_open_ledger(call, false, err);
  if (!code)
    code = ho_ledger_call_own(call, err);
  if (code)
    return code;
  ho_ledger_settle(project);
  ho_statefile_refresh(project, &failure);
  ho_str path = ho_fs_join(call->arena, project->home, project->written.state);
  if (failure.code)
    *err = failure;
  code = failure.code ? failure.code : ho_fs_read(call->arena, path.p, (size_t)256 << 20, &text, err);
  ho_map_addz(call->result, "path", ho_node_text(call->arena, ho_shown_path(call, path)));
  ho_map_addz(call->result, "text", ho_node_text(call->arena, text));
  return code;
}

static const ho_field params[] = {HO_FIELDS_END};
static const ho_record params_record = {.name = "state", .fields = params};
static const ho_field result[] = {{.name = "path", .doc = "Path of the file.", .type = HO_T_TEXT, .flags = HO_REQUIRED},
                                  HO_TEXT_FIELD("text", "Its content."),
                                  HO_NOTES_FIELD,
                                  HO_FIELDS_END};
static const ho_record result_record = {.name = "state result", .fields = result};

const ho_command ho_command_state = {
    .name = "state",
    .group = "maintenance",
    .summary = "Update state/current.json and print it",
    .doc = "The file lists open handoffs, the newest ended ones and the gates that wait for a person. Other keys in "
           "it, and entries that the ledger does not know, are left unchanged. Every command that changes a handoff "
           "updates the file, but may delay that by some seconds if it is large; this command does not.",
    .examples = "handoff state",
    .effect = HO_EFFECT_WRITE,
    .params = &params_record,
    .result = &result_record,
    .run = run,
    .render = ho_render_text,
    .raw = true,
};
