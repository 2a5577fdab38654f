#include "base/term.h"
#include "command/commands.h"
#include "command/ledger_call.h"

static ho_code run(ho_call *call, ho_error *err)
{
  ho_project *project = &call->project;
  ho_str path = ho_arg_str(call, "file");
  ho_code code = ho_open_ledger(call, false, err);
  if (code)
    return code;
  code = ho_store_backup(project->store, ho_full_path(call, path), err);
  ho_map_addz(call->result, "path", ho_node_text(call->arena, path));
  return code;
}

static void render(const ho_call *call, ho_buf *out, bool colour)
{
  (void)colour;
  ho_term_put(out, ho_map_str(call->result, "path"), HO_TERM_LINE);
  ho_buf_putc(out, '\n');
}

static const ho_field params[] = {{.name = "file",
                                   .label = "FILE",
                                   .doc = "File to write; it must not exist yet.",
                                   .type = HO_T_TEXT,
                                   .flags = HO_REQUIRED | HO_POSITIONAL | HO_IS_FILE},
                                  HO_FIELDS_END};
static const ho_record params_record = {.name = "backup", .fields = params};
static const ho_field result[] = {{.name = "path", .doc = "Path of the copy.", .type = HO_T_TEXT, .flags = HO_REQUIRED},
                                  HO_NOTES_FIELD,
                                  HO_FIELDS_END};
static const ho_record result_record = {.name = "backup result", .fields = result};

const ho_command ho_command_backup = {
    .name = "backup",
    .group = "maintenance",
    .summary = "Copy the store to a file, even while it is in use",
    .doc = "The copy is consistent; 'handoff --store FILE list' reads it.",
    .examples = "handoff backup ledger-copy.db",
    .local = true,
    .effect = HO_EFFECT_READ,
    .params = &params_record,
    .result = &result_record,
    .run = run,
    .render = render,
};
