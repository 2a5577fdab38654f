/* What `pass` is given: a document, and options, which count before it. */
#ifndef HO_COMMAND_PHASES_PASS_GIVEN_H
#define HO_COMMAND_PHASES_PASS_GIVEN_H

#include "command/call.h"

/* As an artifact with any of its fields. HO_USAGE if there is no next step; notes if a text looks as if a shell had taken
 * something out of it. */
ho_code ho_pass_given(ho_call *call, ho_node **out, ho_error *err) HO_NODISCARD;
#endif
