/* The settings for people: `config` lists them, `init` writes the file that explains them. */
#ifndef HO_COMMAND_SETUP_SETTINGS_SHOWN_H
#define HO_COMMAND_SETUP_SETTINGS_SHOWN_H

#include "base/buf.h"
#include "command/call.h"

/* Calls visit(world, "limits.document", field, default or "") for each setting, in the table's order. */
void ho_settings_shown_each(ho_arena *arena,
                            void (*visit)(void *world, ho_str name, const ho_field *field, ho_str fallback),
                            void *world);
/* The file as `init` writes it: each setting explained, those with a default set to it, the others as comments. */
void ho_settings_shown_write(ho_buf *out, ho_arena *arena);
#endif
