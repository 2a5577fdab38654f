/* All commands, declared once: a command is a file with one struct, and its name in this list. */
#ifndef HO_COMMAND_COMMANDS_H
#define HO_COMMAND_COMMANDS_H

#include "command/command.h"
#include "model/harness/harness.h"

/* The order of the manual; commands of a group stand together. */
/* clang-format off */
#define HO_COMMANDS(X) \
  X(send) X(return) X(next) X(claim) X(release) X(ack) X(done) X(reject) X(withdraw) X(supersede) X(renew) X(answer) \
  X(gate) X(gate_raise) X(gate_list) X(gate_show) X(gate_decide) X(gate_wait) X(ask) X(approve) \
  X(key_new) X(key_list) X(key_enrol) X(key_revoke) X(token_new) X(token_list) X(token_revoke) \
  X(overview) X(inbox) X(status) X(list) X(log) X(search) X(quality) \
  X(check) X(explain) X(show) X(new) X(fix) X(convert) X(migrate) X(import) X(tokens) X(formats) X(schema) X(template) \
  X(progress_start) X(progress_done) X(progress_block) X(progress_unblock) X(progress_reopen) X(progress_note) X(progress_tried) X(progress_show) X(pass) X(finish) \
  X(prompt_teammate) X(prompt_recovery) X(prompt_successor) X(prompt_inject) \
  X(run) X(ps) X(logs) X(lineage) X(aggregate) X(install) X(mcp) X(serve) X(hook) X(context) X(statusline) \
  X(learn) X(know) X(graph) X(journal) \
  X(archive) X(state) X(verify) X(repair) X(backup) X(prune) X(rebuild) X(telemetry) \
  X(init) X(config) X(trust) X(doctor) X(limits) X(completion) X(help) X(version)
/* clang-format on */

#define X(name) extern const ho_command ho_command_##name;
HO_COMMANDS(X)
#undef X

extern const ho_command *const ho_commands[];    /* NULL-ended, in the same order */
const ho_command *ho_command_named(ho_str name); /* "gate raise"; NULL if there is none */
/* Do commands begin with this word and a blank, as `gate list` does with "gate"? */
bool ho_command_leads(ho_str word);
/* Does it belong to what the word names: its group, or the commands that begin with this word ("gate")? */
bool ho_command_in(const ho_command *command, ho_str word);
/* The name of the command that was probably meant, or NULL. */
const char *ho_command_near(ho_str name);
/* Fails for want of a command of that name, naming the nearest one. */
ho_code ho_command_unknown(ho_str name, ho_error *err) HO_NODISCARD;
/* What agents may do with the commands, as the table says. */
ho_rights ho_command_rights(ho_arena *arena);
/* The options that every command takes. */
extern const ho_record ho_global_options;
#endif
