/* What of a result is shown: --fields, --sort and --jq, for every command alike. */
#ifndef HO_COMMAND_PICK_H
#define HO_COMMAND_PICK_H

#include "base/buf.h"
#include "command/table.h"

/* HO_USAGE if the command has no table although --fields or --sort is given, if one of them names what its rows do not
 * have, or if --jq is not a path. Asked before the command runs, so that a typing error changes nothing. */
ho_code ho_pick_check(const ho_command *command, const ho_call *call, ho_error *err) HO_NODISCARD;
/* Sorts the rows by --sort: numbers as numbers, everything else as text, what is equal as it was. */
void ho_pick_sort(const ho_command *command, ho_call *call);
/* The result as JSON has it: every list that its record names is there, also if it is empty; of rows, only what --fields
 * names. */
ho_node *ho_pick_json(const ho_command *command, const ho_call *call);
/* What --jq finds, one value per line: texts as they are, everything else as JSON. */
void ho_pick_path(ho_buf *out, const ho_node *result, ho_str path);
#endif
