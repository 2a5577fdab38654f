/* The parts of `new`: values from the command line, what the tool fills in itself, and where a document goes. */
#ifndef HO_COMMAND_DOCUMENTS_NEW_H
#define HO_COMMAND_DOCUMENTS_NEW_H

#include "command/command.h"

/* Puts one "POINTER=VALUE" into the unwrapped tree. The pointer may begin with the wrapper's key or leave it out; "-"
 * appends to a list; what lies on the way is made as the table says. A value is text unless its field is a number or a
 * truth value, or it is meant for a list or record and begins with '[' or '{': then it is JSON. */
ho_code ho_new_set(const ho_format *format, ho_node *root, ho_str assignment, ho_arena *arena,
                   ho_error *err) HO_NODISCARD;

/* Fills what is needed, absent and known: --task and --phase, times (now), defaults, empty lists, and an id of the form
 * that the table's example shows. */
void ho_new_fill(ho_call *call, const ho_format *format, ho_node *root);
/* A request, filled as above: fills what the newest response of its task tells (new_follow.c). */
ho_code ho_new_follow(ho_call *call, const ho_format *format, ho_node *root, ho_error *err) HO_NODISCARD;
/* The path below the root where the document goes, from the format's template; HO_USAGE if a name in it has no
 * value, or if the format has no usual place. */
ho_code ho_new_place(ho_call *call, const ho_format *format, const ho_node *root, ho_str *out,
                     ho_error *err) HO_NODISCARD;
#endif
