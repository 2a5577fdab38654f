/* The names that a list of records gives to its items (ids of objectives, names of steps), sorted, so that
 * duplicates and references are found without comparing every pair. */
#ifndef HO_MODEL_FORMATS_NAMES_H
#define HO_MODEL_FORMATS_NAMES_H

#include "model/check.h"

typedef struct ho_name {
  ho_str text;
  const ho_node *node; /* the item's name */
  size_t index;        /* of the item in its list */
} ho_name;

typedef struct ho_names {
  ho_name *items;
  size_t count;
} ho_names;

/* The texts of field `key` of every item of `list`; items without it are skipped. Empty if memory runs out. */
ho_names ho_names_of(ho_arena *arena, const ho_node *list, const char *key);
/* The first item with that name, or NULL. */
const ho_name *ho_names_find(const ho_names *names, ho_str text);
/* Adds a finding of `rule` for every name that an earlier item already has; `what` is "objective", "step", … */
void ho_names_check_unique(ho_check *check, const ho_rule *rule, const ho_names *names, const char *what);
#endif
