/* Arrays and buffers that grow by doubling.
 *
 * An array in an arena is a pointer and a count, both 0 at first; how many items fit follows from the count (8, then the
 * next power of two), so nothing else has to be kept. Only an array that began empty and grew here may grow here. The
 * items may move: what points to one is good until the next push. */
#ifndef HO_BASE_GROW_H
#define HO_BASE_GROW_H

#include "base/arena.h"

/* Makes room for one more item of `size` bytes after the first `count`. `items` is the address of the pointer to
 * them, whatever its type. False if there is no memory: the arena records that, and the array is unchanged. */
bool ho_grow(ho_arena *arena, void *items, size_t count, size_t size);

/* Appends an item and returns its address; NULL if there is no memory, and then the count stays the same. `items`
 * and `count` are evaluated more than once. */
#define HO_PUSH(arena, items, count) (ho_grow((arena), &(items), (count), sizeof *(items)) ? &(items)[(count)++] : NULL)

/* For arrays that keep track of their own size, on the heap too: `room` (not 0), doubled until `needed` fits, or
 * `needed` itself if no doubling would fit. */
size_t ho_grow_room(size_t room, size_t needed);
#endif
