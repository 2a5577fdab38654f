#include "base/grow.h"

bool ho_grow(ho_arena *arena, void *items, size_t count, size_t size)
{
  enum { FIRST = 8 };
  bool full = count == 0 || (count >= FIRST && (count & (count - 1)) == 0);
  void *old, *more;
  if (!full)
    return true;
  more = ho_arena_array(arena, count ? ho_grow_room(count, count + 1) : FIRST, size);
  if (!more)
    return false;
  memcpy(&old, items, sizeof old); /* a pointer of any type */
  if (count)
    memcpy(more, old, count * size);
  memcpy(items, &more, sizeof more);
  return true;
}

size_t ho_grow_room(size_t room, size_t needed)
{
  while (room < needed)
    room = room > SIZE_MAX / 2 ? needed : room * 2;
  return room;
}
