/* The anchors of a YAML document: nodes by name. */
#ifndef HO_DOC_YAML_YAML_ANCHOR_H
#define HO_DOC_YAML_YAML_ANCHOR_H

#include "doc/tree.h"

/* The size of a node including everything below it. */
typedef struct ho_yaml_size {
  size_t nodes, bytes; /* bytes of text */
  unsigned height;     /* 0 for a scalar */
} ho_yaml_size;

typedef struct ho_yaml_anchor {
  struct ho_yaml_anchor *next;
  ho_str name;
  const ho_node *node;
  ho_yaml_size size;
} ho_yaml_anchor;

/* Zeroed at first. */
typedef struct ho_yaml_anchors {
  ho_yaml_anchor **buckets;
} ho_yaml_anchors;

const ho_yaml_anchor *ho_yaml_anchor_find(const ho_yaml_anchors *anchors, ho_str name);
/* Names a complete node; from here on, a name used again means the newer node. False if there are too many (buckets
 * stay short, so that no text can make lookups slow) or the arena has failed. `name` is copied. */
bool ho_yaml_anchor_set(ho_yaml_anchors *anchors, ho_arena *arena, ho_str name, const ho_node *node,
                        ho_yaml_size size) HO_NODISCARD;
#endif
