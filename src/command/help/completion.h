/* Completion in shells. The scripts only ask the program, so that one table of commands serves every shell. */
#ifndef HO_COMMAND_HELP_COMPLETION_H
#define HO_COMMAND_HELP_COMPLETION_H

#include "base/buf.h"
#include "command/command.h"

/* What a shell is told in place of words: to complete a file's name itself. */
#define HO_COMPLETION_FILES ":files"

/* One thing that the last word can become; what: a few words about it, or "". */
typedef void ho_completion_each(void *data, ho_str word, ho_str what);
/* Calls `each` for everything that the last of the words can become, by the table of commands and what the store has. The
 * words are those of the command line after "handoff"; the last one is not finished, and may be "". */
void ho_completion_find(ho_call *call, const ho_node *words, ho_completion_each *each, void *data);
#endif
