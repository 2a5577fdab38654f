/* An error as --json shows it, on every surface. */
#ifndef HO_COMMAND_ERROR_SHOWN_H
#define HO_COMMAND_ERROR_SHOWN_H

#include "doc/tree.h"

/* {"error": {code, rule, message, file, line, column, pointer}}, without credentials; what is not known is null. Texts are
 * copied. commands: what could be run instead, or NULL. */
ho_node *ho_error_shown(ho_arena *arena, const ho_error *err, const ho_node *commands);
#endif
