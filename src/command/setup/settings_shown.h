/* The settings for people: `config` lists them, `init` writes the file that explains them. */
#ifndef HO_COMMAND_SETUP_SETTINGS_SHOWN_H
#define HO_COMMAND_SETUP_SETTINGS_SHOWN_H

#include "base/buf.h"
#include "command/call.h"

/* Calls visit(world, "limits.document", field, default or "") for each setting, in the table's order. */
void ho_settings_shown_each(const ho_record *root, ho_arena *arena,
                            void (*visit)(void *world, ho_str name, const ho_field *field, ho_str fallback),
                            void *world);
/* A text of the table (a default, an example) as a value of its field: a number, true or false, or the text itself. */
ho_node *ho_settings_shown_value(ho_arena *arena, ho_type type, ho_str text);
/* The file as `init` writes it: each setting explained, those with a default set to it, the others as comments. */
void ho_settings_shown_write(const ho_record *root, ho_buf *out, ho_arena *arena);
#endif
