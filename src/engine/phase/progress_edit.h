/* Changes members of a JSON document in place: only what changes is rewritten, laid out like its neighbours. */
#ifndef HO_ENGINE_PHASE_PROGRESS_EDIT_H
#define HO_ENGINE_PHASE_PROGRESS_EDIT_H

#include "doc/text/splice.h"
#include "doc/tree.h"

/* Failure is sticky: check once, with ho_edit_finish. Nodes are those of the text, with their positions (a bound
 * tree keeps them). A bound tree lacks what counts as absent, above all members that are null: whether a key stands in
 * the text, the text itself says. A node whose value is not what the text says is HO_INVALID: run `handoff fix` first. */
typedef struct ho_edit {
  ho_splice splice;
  ho_arena *arena;
  ho_str text;
  ho_node *written; /* the text as it was read, unbound */
  ho_code failed;
  ho_error error;
} ho_edit;

void ho_edit_init(ho_edit *edit, ho_arena *arena, ho_str text);
/* Sets the member of that name to `value`; if there is none, adds it at the end of the map. */
void ho_edit_set(ho_edit *edit, const ho_node *map, const char *key, const ho_node *value);
/* Adds an item at the end of the list `key` of `map`; creates the list if there is none. */
void ho_edit_append(ho_edit *edit, const ho_node *map, const char *key, const ho_node *item);
/* The text with all changes applied, which is valid JSON again. */
ho_code ho_edit_finish(ho_edit *edit, ho_str *out, ho_error *err) HO_NODISCARD;
#endif
