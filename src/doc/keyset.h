/* Finds duplicate keys while a map is being read: by looking at each one in small maps, by a hash table in large ones.
 *
 * One keyset a map, zeroed to begin with. The table's hash is seeded per process, so a document cannot be made to
 * collide with itself. */
#ifndef HO_DOC_KEYSET_H
#define HO_DOC_KEYSET_H

#include "doc/tree.h"

typedef struct ho_keyset {
  const ho_node **slots; /* NULL as long as the map is small */
  size_t room;           /* slots, a power of two */
} ho_keyset;

/* To be called after each child is appended to the map: the first earlier child with the key of the last one, or NULL.
 * When the arena fails the answer is NULL. */
const ho_node *ho_keyset_earlier(ho_keyset *set, ho_arena *arena, const ho_node *map);
#endif
