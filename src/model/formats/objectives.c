#include "model/formats/objectives.h"

#include <stdio.h>

#include "base/digest.h"

enum { DIGITS = 8, ID_SIZE = 24 };

/* Its id, or its place if it has none. */
static ho_str id_of(const ho_node *objective, size_t place, char room[ID_SIZE])
{
  ho_str id = ho_map_str(objective, "id");
  if (id.n)
    return id;
  snprintf(room, ID_SIZE, "%zu", place);
  return ho_str_of(room);
}

static void digest_of(const ho_node *objective, char out[HO_DIGEST_SIZE])
{
  ho_digest_text(ho_map_str(objective, "description"), out);
  out[DIGITS] = '\0';
}

ho_node *ho_objectives_digests(ho_arena *arena, const ho_node *objectives)
{
  ho_node *map = ho_node_new(arena, HO_KIND_MAP);
  size_t place = 1;
  HO_EACH_CONST (objective, objectives) {
    char room[ID_SIZE], digest[HO_DIGEST_SIZE];
    digest_of(objective, digest);
    ho_map_add(map, ho_arena_copy(arena, id_of(objective, place++, room)),
               ho_node_text(arena, ho_arena_copy(arena, ho_str_of(digest))));
  }
  return map;
}

static bool has(const ho_node *objectives, ho_str id)
{
  size_t place = 1;
  HO_EACH_CONST (objective, objectives) {
    char room[ID_SIZE];
    if (ho_str_eq(id_of(objective, place++, room), id))
      return true;
  }
  return false;
}

void ho_objectives_changes(const ho_node *root, ho_objectives_each each, void *data)
{
  const ho_node *known = ho_map_getz(root, HO_OBJECTIVES_KEY), *objectives = ho_map_getz(root, "objectives");
  size_t place = 1;
  if (!ho_node_is(known, HO_KIND_MAP))
    return;
  HO_EACH_CONST (objective, objectives) {
    char room[ID_SIZE], digest[HO_DIGEST_SIZE];
    ho_str id = id_of(objective, place++, room);
    const ho_node *before = ho_map_get(known, id);
    digest_of(objective, digest);
    if (!before)
      each(data, objective, id, "was added after the phase began");
    else if (!ho_str_is(ho_node_str(before), digest))
      each(data, objective, id, "is not described as it was when the phase began");
  }
  HO_EACH_CONST (before, known)
    if (!has(objectives, before->key))
      each(data, objectives, before->key, "was removed after the phase began");
}
