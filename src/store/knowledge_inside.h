/* What the files of the knowledge share. */
#ifndef HO_STORE_KNOWLEDGE_INSIDE_H
#define HO_STORE_KNOWLEDGE_INSIDE_H

#include "store/inside.h"
#include "store/knowledge.h"

enum { HO_KNOWN_COLUMN_COUNT = 11 };
/* Kinds whose nodes are open as long as a source of theirs is. */
#define HO_KNOWN_ASKING_KINDS "question|blocker"

void ho_known_take(ho_known *known, const ho_value *values, ho_arena *arena);

typedef struct ho_one_known {
  ho_arena *arena;
  ho_known known;
  bool found;
} ho_one_known;
ho_code ho_known_take_one(void *data, const ho_value *values, ho_error *err);

ho_code ho_known_take_numbers(void *data, const ho_value *values, ho_error *err);

/* One word of the index that stands for a value: kind, state, tag. */
void ho_known_facet(ho_buf *out, const char *what, ho_str value);
#endif
