#include "command/command.h"

extern const ho_command ho_command_init, ho_command_doctor, ho_command_config, ho_command_version, ho_command_limits,
    ho_command_completion, ho_command_help, ho_command_check, ho_command_show, ho_command_new, ho_command_formats,
    ho_command_schema, ho_command_template, ho_command_tokens, ho_command_fix;

const ho_command *const ho_commands[] = {
    &ho_command_check,      &ho_command_show,    &ho_command_new,     &ho_command_fix,
    &ho_command_tokens,     &ho_command_formats, &ho_command_schema,  &ho_command_template,
    &ho_command_init,       &ho_command_config,  &ho_command_doctor,  &ho_command_limits,
    &ho_command_completion, &ho_command_help,    &ho_command_version, NULL};

const ho_command *ho_command_named(ho_str name)
{
  for (const ho_command *const *each = ho_commands; *each; each++)
    if (ho_str_is(name, (*each)->name))
      return *each;
  return NULL;
}

static const ho_field global_fields[] = {
    {.name = "json", .doc = "Print the result, and errors, as one JSON value.", .type = HO_T_BOOL},
    {.name = "root",
     .label = "DIR",
     .doc = "The project's root; without it the nearest folder upwards with .handoff, else with .git, else here.",
     .type = HO_T_TEXT,
     .flags = HO_IS_FILE},
    {.name = "store",
     .label = "URL",
     .doc = "The store: a path, sqlite:PATH or postgresql://…; also HANDOFF_STORE.",
     .type = HO_T_TEXT},
    {.name = "help", .doc = "Show help.", .type = HO_T_BOOL},
    HO_FIELDS_END};
const ho_record ho_global_options = {.name = "global options", .fields = global_fields};
