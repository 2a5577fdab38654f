/* The tree that every encoding is read into.
 *
 * A node is null, a boolean, a number, a text, a list or a map. Children are in document order; a child of a map has
 * a key. Nodes live in an arena; texts are slices of the source or of the arena, so both must outlive the tree.
 * Nodes know the bytes they came from (begin..end of the source, without the key); a node that was built rather than
 * read has HO_NOWHERE. Lines and columns are computed from offsets on demand (doc/source.h). */
#ifndef HO_DOC_TREE_H
#define HO_DOC_TREE_H

#include "base/arena.h"

typedef enum ho_kind { HO_KIND_NULL, HO_KIND_BOOL, HO_KIND_NUMBER, HO_KIND_TEXT, HO_KIND_LIST, HO_KIND_MAP } ho_kind;
const char *ho_kind_name(ho_kind kind); /* "null", "true or false", "number", "text", "list", "map" */

#define HO_NOWHERE UINT32_MAX

typedef struct ho_node {
  struct ho_node *next;
  struct ho_node *first, *last; /* children of a list or map */
  ho_str key;                   /* in a map; else the empty slice */
  ho_str text;                  /* of a scalar: decoded text; numbers exactly as written; "true"/"false"; "" for null */
  uint32_t begin, end;          /* bytes of the value in the source, quotes and brackets included */
  uint32_t key_begin, key_end;
  uint32_t count; /* children */
  uint8_t kind;   /* ho_kind */
  /* YAML plain scalar: `text` is the original spelling, so that a format that wants text gets it unchanged */
  bool plain;
} ho_node;

/* NULL if the arena has failed. Every function that takes a node accepts NULL, and then does nothing or says
 * "absent". */
ho_node *ho_node_new(ho_arena *arena, ho_kind kind);
ho_node *ho_node_text(ho_arena *arena, ho_str text); /* text is not copied */
ho_node *ho_node_textz(ho_arena *arena, const char *text);
ho_node *ho_node_bool(ho_arena *arena, bool value);
ho_node *ho_node_number(ho_arena *arena, long long value);
/* A deep copy in `arena`, including keys, spans and texts; `next` is not followed. */
ho_node *ho_node_copy(ho_arena *arena, const ho_node *node);

/* Appends; returns child. */
ho_node *ho_list_add(ho_node *list, ho_node *child);
ho_node *ho_map_add(ho_node *map, ho_str key, ho_node *child); /* key is not copied; duplicates are not checked */
ho_node *ho_map_addz(ho_node *map, const char *key, ho_node *child);
/* Adds a text, not copied; null if it is "". */
void ho_map_put(ho_arena *arena, ho_node *map, const char *key, ho_str text);
/* Replaces the child with that key, or appends it. */
ho_node *ho_map_set(ho_node *map, ho_str key, ho_node *child);
/* Removes the child (it is not freed). */
void ho_node_remove(ho_node *parent, ho_node *child);
/* Removes every child for which `stays` is false, in one walk. */
void ho_node_filter(ho_node *parent, bool (*stays)(void *world, ho_node *child), void *world);
/* Puts another value in the place of `old`, under its key; its children are shared. */
void ho_node_replace(ho_node *old, const ho_node *by);

/* The first child with that key, or NULL; also NULL if `map` is not a map. */
ho_node *ho_map_get(const ho_node *map, ho_str key);
ho_node *ho_map_getz(const ho_node *map, const char *key);
ho_str ho_map_str(const ho_node *map, const char *key);    /* ho_node_str of that child */
long long ho_map_int(const ho_node *map, const char *key); /* the whole number of that child, else 0 */
ho_node *ho_list_at(const ho_node *list, size_t index);
bool ho_list_has(const ho_node *list, ho_str text); /* is it one of its texts? */
/* By keys with dots between them ("context.summary"), or NULL. */
ho_node *ho_node_by_names(const ho_node *node, const char *dotted);
/* The node that an RFC 6901 pointer names ("/a/0/b", "" for the node itself), or NULL. */
ho_node *ho_node_at(const ho_node *node, ho_str pointer);
/* The key that a pointer token means: "~1" is '/' and "~0" is '~'. */
ho_str ho_pointer_key(ho_arena *arena, ho_str token);

bool ho_node_is(const ho_node *node, ho_kind kind);       /* false for NULL */
bool ho_node_absent(const ho_node *node);                 /* NULL or a null node */
bool ho_node_empty(const ho_node *node);                  /* absent, blank text, empty list or map */
ho_str ho_node_str(const ho_node *node);                  /* text of a scalar, else the empty slice */
bool ho_node_true(const ho_node *node);                   /* a boolean that is true */
bool ho_node_to_int(const ho_node *node, long long *out); /* a whole number that fits */

/* Same kinds, texts, keys and order; spans do not matter. */
bool ho_node_equal(const ho_node *a, const ho_node *b);
/* NULL if equal, else the JSON Pointer (in `arena`) of the first difference. */
const char *ho_node_difference(ho_arena *arena, const ho_node *a, const ho_node *b);

#define HO_EACH(child, parent) for (ho_node *child = (parent) ? (parent)->first : NULL; child; child = child->next)
#define HO_EACH_CONST(child, parent)                                                                                   \
  for (const ho_node *child = (parent) ? (parent)->first : NULL; child; child = child->next)
#endif
