/* Help, usage and manual from the command table. */
#ifndef HO_COMMAND_HELP_HELP_H
#define HO_COMMAND_HELP_HELP_H

#include "base/buf.h"
#include "command/command.h"

/* What is said of a command that is refused to agents. */
#define HO_HELP_PERSON "Only for people: agents are refused (exit status 7), as far as that can be told."

/* An environment variable and what it does. */
typedef struct ho_variable {
  const char *name, *doc;
} ho_variable;
extern const ho_variable ho_help_variables[]; /* NULL-ended */

/* "handoff check PATH… [--format FORMAT] [--strict]", without a newline. */
void ho_help_usage(ho_buf *out, const ho_command *command);
/* "--format FORMAT", "-o text|json": how an option is written. */
void ho_help_option(ho_buf *out, const ho_field *field);
/* What stands for a parameter's value: "FORMAT", "text|json". */
void ho_help_value(ho_buf *out, const ho_field *field);
/* The name of an option on the command line: '_' is '-'. */
void ho_help_option_name(ho_buf *out, const ho_field *field);

/* A heading on a line of its own, with an empty line before it unless it is the first. */
void ho_help_heading(ho_buf *out, const char *heading, bool colour);
/* The record's options under a heading, in two columns. */
void ho_help_options(ho_buf *out, const char *heading, const ho_record *record, bool colour);

/* Pages of at most a screen (60 lines). What holds for every command is on the overview and on no other page, but for
 * exit statuses: those are with all commands. */
void ho_help_overview(ho_buf *out, bool colour);
void ho_help_all(ho_buf *out, bool colour);
void ho_help_group(ho_buf *out, ho_str group, bool colour);
/* Part of it, under a heading: its commands, or those that begin with this word. */
void ho_help_family(ho_buf *out, ho_str group, const char *heading, bool colour);
void ho_help_environment(ho_buf *out, bool colour);
void ho_help_command(ho_buf *out, const ho_command *command, bool colour);
/* Manual pages, as roff: handoff.1, which names every command with its usage, and the page of a command. */
void ho_help_man(ho_buf *out);
void ho_help_man_command(ho_buf *out, const ho_command *command);
#endif
