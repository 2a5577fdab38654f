/* Shared by the files of this folder. */
#ifndef HO_STORE_KNOWLEDGE_KNOWN_INSIDE_H
#define HO_STORE_KNOWLEDGE_KNOWN_INSIDE_H

#include "store/columns.h"
#include "store/knowledge/known.h"

ho_code ho_known_take(ho_known *known, const ho_value *values, ho_arena *arena, ho_error *err) HO_NODISCARD;

typedef struct ho_one_known {
  ho_arena *arena;
  ho_known known;
  bool found;
} ho_one_known;
ho_code ho_known_take_one(void *data, const ho_value *values, ho_error *err);

/* Adds the node to the full-text index, or removes it in exactly the form in which it was added. */
ho_code ho_known_index(ho_store *store, const ho_known *known, ho_sql statement, ho_error *err) HO_NODISCARD;
/* Writes what may change, and the indexed words if they changed. */
ho_code ho_known_change(ho_store *store, const ho_known *old, const ho_known *known, ho_error *err) HO_NODISCARD;

/* ---- What each source said about a node, so that one of them can be forgotten (known_forget.c). */

/* The node's text, detail, tags and severity, as a source records them; "" if the kind consists only of its name. */
ho_str ho_known_saying(const ho_known *known, ho_arena *arena);
bool ho_known_has_tag(ho_str tags, ho_str tag);
ho_str ho_known_merge_tags(ho_arena *arena, ho_str tags, ho_str more);
/* Determines whether it is still open, after part of it was closed. */
ho_code ho_known_find_state(ho_store *store, int64_t n, ho_arena *arena, ho_error *err) HO_NODISCARD;
/* Removes what a document said: its sources, their edges, and nodes that nobody else mentioned. The others become
 * what their remaining sources say. */
ho_code ho_known_forget_origin(ho_store *store, int64_t origin, ho_error *err) HO_NODISCARD;

/* Appends one word for the index that represents a value: kind, state, tag. */
void ho_known_facet(ho_buf *out, const char *what, ho_str value);
#endif
