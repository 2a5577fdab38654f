/* The project's settings: .handoff/config.yaml over the defaults of the config table. */
#ifndef HO_COMMAND_SETTINGS_H
#define HO_COMMAND_SETTINGS_H

#include "base/buf.h"
#include "command/call.h"

#define HO_SETTINGS_PATH ".handoff/config.yaml"

/* Reads and checks the file. *there is false where there is none; a file that breaks a rule is the error at its place.
 * doc->root is NULL where nothing is set. */
ho_code ho_settings_read(ho_call *call, ho_doc *doc, bool *there, ho_error *err) HO_NODISCARD;
/* Lowers this thread's limits of documents (ho_limits_project) to what the project's settings say. Settings that cannot
 * be read lower none: the commands that use them say what is wrong. */
ho_code ho_settings_limits(ho_call *call, ho_error *err) HO_NODISCARD;
/* Calls visit(world, "limits.document", field, default or NULL) for each setting, in the table's order. */
void ho_settings_each(ho_arena *arena, void (*visit)(void *world, ho_str name, const ho_field *field, ho_str fallback),
                      void *world);
/* The file as `init` writes it: each setting explained, those with a default set to it, the others as comments. */
void ho_settings_write(ho_buf *out, ho_arena *arena);
#endif
