/* Changing members of a JSON document in place: only what changes is rewritten, laid out like its neighbours. */
#ifndef HO_ENGINE_PHASE_PROGRESS_EDIT_H
#define HO_ENGINE_PHASE_PROGRESS_EDIT_H

#include "doc/text/splice.h"
#include "doc/tree.h"

/* Failure is sticky: ask once, with ho_edit_finish. Nodes are those of the text, with their places (a bound tree keeps
 * them). A node that does not stand in the text as what it is now is HO_INVALID: `handoff fix` comes first. */
typedef struct ho_edit {
  ho_splice splice;
  ho_arena *arena;
  ho_str text;
  ho_code failed;
  ho_error error;
} ho_edit;

void ho_edit_init(ho_edit *edit, ho_arena *arena, ho_str text);
/* The member of that name becomes `value`; where there is none it is added at the end of the map. */
void ho_edit_set(ho_edit *edit, const ho_node *map, const char *key, const ho_node *value);
/* Adds an item at the end of the list that is the member `key` of `map`; a list is made where there is none. */
void ho_edit_append(ho_edit *edit, const ho_node *map, const char *key, const ho_node *item);
/* The text with all changes, which is JSON again. */
ho_code ho_edit_finish(ho_edit *edit, ho_str *out, ho_error *err) HO_NODISCARD;
#endif
