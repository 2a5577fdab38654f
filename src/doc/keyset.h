/* Finds keys of a map, twice the same while it is being read, or any: by looking at each one in small maps, by a hash
 * table in large ones.
 *
 * One keyset a map, zeroed to begin with. The table's hash is seeded per process, so a document cannot be made to
 * collide with itself. */
#ifndef HO_DOC_KEYSET_H
#define HO_DOC_KEYSET_H

#include "doc/tree.h"

typedef struct ho_keyset {
  const ho_node **slots; /* NULL as long as the map is small */
  size_t room;           /* slots, a power of two */
  const ho_node *last;   /* of the children noted */
} ho_keyset;

/* To be called after each child is appended to the map: the first earlier child with the key of the last one, or NULL.
 * When the arena fails the answer is NULL. */
const ho_node *ho_keyset_earlier(ho_keyset *set, ho_arena *arena, const ho_node *map);
/* Appends the child, unless the map has one of its key already: that one is returned, else NULL. */
ho_node *ho_keyset_add(ho_keyset *set, ho_arena *arena, ho_node *map, ho_node *child);

/* Notes the children that the map has now, NULL having none. */
void ho_keyset_note(ho_keyset *set, ho_arena *arena, const ho_node *map);
/* The first of the children noted that has the key, or NULL. None of them may have been taken out since. */
ho_node *ho_keyset_find(const ho_keyset *set, const ho_node *map, ho_str key);
#endif
