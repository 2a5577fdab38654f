#include "doc/keyset.h"

#include <sys/auxv.h>

#include "base/grow.h"

enum { SMALL = 16 };

/* The kernel gives every process 16 random bytes at its start. */
static uint64_t seed(void)
{
  uint64_t value = 0;
  const void *random = (const void *)getauxval(AT_RANDOM);
  if (random)
    memcpy(&value, random, sizeof value);
  return value;
}

static size_t hash(ho_str key)
{
  uint64_t h = seed() ^ 0xcbf29ce484222325u;
  for (size_t i = 0; i < key.n; i++)
    h = (h ^ (unsigned char)key.p[i]) * 0x100000001b3u;
  h ^= h >> 32;
  h *= 0x9e3779b97f4a7c15u;
  return (size_t)(h >> 20);
}

/* The slot of the key, or the empty slot where it belongs. */
static const ho_node **slot_of(const ho_keyset *set, ho_str key)
{
  size_t at = hash(key) & (set->room - 1);
  while (set->slots[at] && !ho_str_eq(set->slots[at]->key, key))
    at = (at + 1) & (set->room - 1);
  return &set->slots[at];
}

/* Doubles the table and enters all children up to `end` (excluded). */
static bool grow(ho_keyset *set, ho_arena *arena, const ho_node *map, const ho_node *end)
{
  ho_keyset larger = {.room = ho_grow_room(set->room ? set->room : 4 * SMALL, 2 * map->count)};
  larger.slots = ho_arena_array(arena, larger.room, sizeof *larger.slots);
  if (!larger.slots)
    return false;
  for (const ho_node *child = map->first; child != end; child = child->next) {
    const ho_node **slot = slot_of(&larger, child->key);
    if (!*slot)
      *slot = child;
  }
  *set = larger;
  return true;
}

const ho_node *ho_keyset_earlier(ho_keyset *set, ho_arena *arena, const ho_node *map)
{
  const ho_node *last = map->last;
  if (map->count <= SMALL) {
    for (const ho_node *child = map->first; child != last; child = child->next)
      if (ho_str_eq(child->key, last->key))
        return child;
    return NULL;
  }
  if (map->count > set->room / 2 && !grow(set, arena, map, last))
    return NULL;
  const ho_node **slot = slot_of(set, last->key);
  if (*slot)
    return *slot;
  *slot = last;
  return NULL;
}

ho_node *ho_keyset_add(ho_keyset *set, ho_arena *arena, ho_node *map, ho_node *child)
{
  ho_node *last = map->last;
  ho_list_add(map, child);
  const ho_node *earlier = ho_keyset_earlier(set, arena, map);
  if (!earlier)
    return NULL;
  map->last = last;
  last->next = NULL;
  map->count--;
  return (ho_node *)earlier;
}

void ho_keyset_note(ho_keyset *set, ho_arena *arena, const ho_node *map)
{
  *set = (ho_keyset){0};
  if (!ho_node_is(map, HO_KIND_MAP))
    return;
  if (map->count > SMALL)
    grow(set, arena, map, NULL);
  set->last = map->last;
}

ho_node *ho_keyset_find(const ho_keyset *set, const ho_node *map, ho_str key)
{
  if (set->slots)
    return (ho_node *)*slot_of(set, key);
  for (const ho_node *child = set->last ? map->first : NULL; child; child = child == set->last ? NULL : child->next)
    if (ho_str_eq(child->key, key))
      return (ho_node *)child;
  return NULL;
}
