/* Objectives of a phase never change: only their status and note do. A progress file that the program began has a digest
 * of each, so that a change by hand is seen:
 *
 *   "x_objectives": {"1": "5df6e0e2", "2": "9c56cc51"} */
#ifndef HO_MODEL_FORMATS_OBJECTIVES_H
#define HO_MODEL_FORMATS_OBJECTIVES_H

#include "doc/tree.h"

#define HO_OBJECTIVES_KEY "x_objectives"

/* The value for that key: the objectives as they are. */
ho_node *ho_objectives_digests(ho_arena *arena, const ho_node *objectives);
/* Calls `each` for every objective that is not as it was when the phase began. at: the objective, or the list if it is
 * gone; what: the rest of a sentence that begins with "objective ID". */
typedef void (*ho_objectives_each)(void *data, const ho_node *at, ho_str id, const char *what);
void ho_objectives_changes(const ho_node *root, ho_objectives_each each, void *data);
#endif
