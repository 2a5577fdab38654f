/* Completion scripts from the command table. */
#ifndef HO_COMMAND_HELP_COMPLETION_H
#define HO_COMMAND_HELP_COMPLETION_H

#include "base/buf.h"
#include "command/command.h"

void ho_completion_bash(ho_buf *out);
void ho_completion_zsh(ho_buf *out);
void ho_completion_fish(ho_buf *out);

/* The words that a parameter's value can be, separated by spaces; nothing if any text or a file is allowed. */
void ho_completion_words(ho_buf *out, const ho_field *field);
/* Text inside single quotes of a shell, with a backslash before each character of `special`. */
void ho_completion_quote(ho_buf *out, const char *text, const char *special);
#endif
