/* Help, usage and manual from the command table. */
#ifndef HO_COMMAND_HELP_HELP_H
#define HO_COMMAND_HELP_HELP_H

#include "base/buf.h"
#include "command/command.h"

/* "handoff check PATH… [--format F] [--strict]", without a newline. */
void ho_help_usage(ho_buf *out, const ho_command *command);
/* "--format F", "-o text|json": how an option is written. */
void ho_help_option(ho_buf *out, const ho_field *field);
/* What stands for a parameter's value: "F", "text|json". */
void ho_help_value(ho_buf *out, const ho_field *field);
/* The name of an option on the command line: '_' is '-'. */
void ho_help_option_name(ho_buf *out, const ho_field *field);

void ho_help_list(ho_buf *out, bool colour);
void ho_help_command(ho_buf *out, const ho_command *command, bool colour);
/* The manual page handoff.1, as roff. */
void ho_help_man(ho_buf *out);
#endif
