/* "did you mean …": the nearest of a list of names. */
#ifndef HO_BASE_SUGGEST_H
#define HO_BASE_SUGGEST_H

#include "base/str.h"

/* name_at(0), name_at(1), … up to NULL are the candidates. NULL if none is near. */
const char *ho_suggest(ho_str word, const char *(*name_at)(size_t index));
/* How many letters have to be added, removed, replaced or swapped with their neighbour; at most 64 are looked at. */
unsigned ho_distance(ho_str a, ho_str b);
/* From this distance on, a name is another word: the shorter the word, the fewer slips it can have. */
unsigned ho_distance_far(ho_str word);
#endif
