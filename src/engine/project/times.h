/* Times as documents write them. */
#ifndef HO_ENGINE_PROJECT_TIMES_H
#define HO_ENGINE_PROJECT_TIMES_H

#include "base/arena.h"

/* "2026-02-12T14:30:22Z" in the arena; "" for 0. */
ho_str ho_time_str(ho_arena *arena, int64_t ms);
/* A point in time in any of the forms that documents use; a date alone is its first moment. */
bool ho_time_read(ho_str text, int64_t *out);
#endif
