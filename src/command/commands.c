#include "command/command.h"

/* The order of the manual: name of each command's struct. */
/* clang-format off */
#define COMMANDS(X) \
  X(send) X(return) X(next) X(ack) X(done) X(reject) X(supersede) X(renew) X(answer) \
  X(gate_raise) X(gate_list) X(gate_show) X(gate_decide) X(gate_wait) \
  X(status) X(list) X(log) X(search) X(quality) \
  X(check) X(show) X(new) X(fix) X(convert) X(migrate) X(import) X(tokens) X(formats) X(schema) X(template) \
  X(progress_start) X(progress_done) X(progress_block) X(progress_note) X(progress_tried) X(progress_show) X(pass) \
  X(prompt_teammate) X(prompt_recovery) X(prompt_successor) X(prompt_inject) \
  X(run) X(ps) X(lineage) X(aggregate) X(install) X(hook) X(context) X(statusline) \
  X(learn) X(know) X(graph) X(journal) \
  X(archive) X(state) X(verify) X(backup) X(prune) X(rebuild) \
  X(init) X(config) X(doctor) X(limits) X(completion) X(help) X(version)
/* clang-format on */

#define X(name) extern const ho_command ho_command_##name;
COMMANDS(X)
#undef X

const ho_command *const ho_commands[] = {
#define X(name) &ho_command_##name,
    COMMANDS(X)
#undef X
        NULL};

const ho_command *ho_command_named(ho_str name)
{
  for (const ho_command *const *each = ho_commands; *each; each++)
    if (ho_str_is(name, (*each)->name))
      return *each;
  return NULL;
}

static const ho_field global_fields[] = {
    {.name = "json", .doc = "Print the result, and any error, as one JSON value.", .type = HO_T_BOOL},
    {.name = "root",
     .label = "DIR",
     .doc = "Project root. Default: the nearest parent folder with .handoff, else with .git, else the current folder.",
     .type = HO_T_TEXT,
     .flags = HO_IS_FILE},
    {.name = "store",
     .label = "PATH",
     .doc = "Store to use. Default: HANDOFF_STORE, else .handoff/handoff.db.",
     .type = HO_T_TEXT},
    {.name = "help", .doc = "Show help for the command.", .type = HO_T_BOOL},
    HO_FIELDS_END};
const ho_record ho_global_options = {.name = "global options", .fields = global_fields};
