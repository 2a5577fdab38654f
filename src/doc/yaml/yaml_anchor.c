#include "doc/yaml/yaml_anchor.h"

enum { BUCKETS = 1024, BUCKET_ROOM = 64 };

static ho_yaml_anchor **bucket_of(const ho_yaml_anchors *anchors, ho_str name)
{
  return &anchors->buckets[ho_str_hash(name) % BUCKETS];
}

/* *room is the space left in the bucket. */
static ho_yaml_anchor *find(const ho_yaml_anchors *anchors, ho_str name, unsigned *room)
{
  *room = BUCKET_ROOM;
  for (ho_yaml_anchor *each = *bucket_of(anchors, name); each; each = each->next) {
    if (ho_str_eq(each->name, name))
      return each;
    --*room;
  }
  return NULL;
}

const ho_yaml_anchor *ho_yaml_anchor_find(const ho_yaml_anchors *anchors, ho_str name)
{
  unsigned room;
  return anchors->buckets ? find(anchors, name, &room) : NULL;
}

bool ho_yaml_anchor_set(ho_yaml_anchors *anchors, ho_arena *arena, ho_str name, const ho_node *node, ho_yaml_size size)
{
  unsigned room;
  if (!anchors->buckets)
    anchors->buckets = ho_arena_array(arena, BUCKETS, sizeof *anchors->buckets);
  if (!anchors->buckets)
    return false;
  ho_yaml_anchor *anchor = find(anchors, name, &room), **bucket = bucket_of(anchors, name);
  if (!anchor) {
    anchor = room ? HO_NEW(arena, ho_yaml_anchor) : NULL;
    if (!anchor)
      return false;
    *anchor = (ho_yaml_anchor){.next = *bucket, .name = ho_arena_copy(arena, name)};
    *bucket = anchor;
  }
  anchor->node = node;
  anchor->size = size;
  return !arena->failed;
}
