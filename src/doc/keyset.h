/* Finds keys of a map: duplicates while the map is being read, or any key. Compares every key in small maps, uses a
 * hash table in large ones.
 *
 * One keyset per map, zeroed at first. The hash is seeded per process, so that no document can be crafted to cause
 * collisions. */
#ifndef HO_DOC_KEYSET_H
#define HO_DOC_KEYSET_H

#include "doc/tree.h"

typedef struct ho_keyset {
  const ho_node **slots; /* NULL while the map is small */
  size_t room;           /* slots, a power of two */
  const ho_node *last;   /* of the children noted */
} ho_keyset;

/* Call this after each child is appended to the map: returns the first earlier child with the same key as the last
 * one, or NULL. NULL too if the arena fails. */
const ho_node *ho_keyset_earlier(ho_keyset *set, ho_arena *arena, const ho_node *map);
/* Appends the child unless the map already has its key; returns the existing child then, else NULL. */
ho_node *ho_keyset_add(ho_keyset *set, ho_arena *arena, ho_node *map, ho_node *child);

/* Enters the children that the map has now (NULL: none). */
void ho_keyset_note(ho_keyset *set, ho_arena *arena, const ho_node *map);
/* The first entered child with this key, or NULL. None of them may have been removed since. */
ho_node *ho_keyset_find(const ho_keyset *set, const ho_node *map, ho_str key);
#endif
