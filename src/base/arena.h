/* One arena per lifetime: a document, a request, a loop.
 *
 * Everything allocated from an arena is freed together. Failure is sticky: an allocation that fails returns NULL,
 * and so do all later ones, so that a function can make many and check once at the end (ho_arena_code). In the fault
 * build every allocation is a malloc of its own. */
#ifndef HO_BASE_ARENA_H
#define HO_BASE_ARENA_H

#include "base/error.h"

typedef struct ho_arena {
  struct ho_arena_block *head;
  size_t used, limit;
  ho_code failed; /* HO_OK, HO_MEMORY, or HO_LIMIT if `limit` was reached */
} ho_arena;

/* limit: bytes in total; 0 means HO_LIMIT_ARENA. Allocates nothing. */
void ho_arena_init(ho_arena *arena, size_t limit);
void ho_arena_free(ho_arena *arena);
/* Drops all allocations and the failure, and keeps a block for reuse. */
void ho_arena_reset(ho_arena *arena);

/* Zeroed and aligned for any type. */
void *ho_arena_alloc(ho_arena *arena, size_t n);
/* count × size with overflow checked. */
void *ho_arena_array(ho_arena *arena, size_t count, size_t size);
#define HO_NEW(arena, type) ((type *)ho_arena_alloc((arena), sizeof(type)))

/* The copy ends in NUL (not counted). On failure the empty slice. */
ho_str ho_arena_copy(ho_arena *arena, ho_str s);
ho_str ho_arena_printf(ho_arena *arena, const char *format, ...) HO_PRINTF(2, 3);
ho_str ho_arena_vprintf(ho_arena *arena, const char *format, va_list args);
/* s as a NUL-ended string; "" on failure. */
const char *ho_arena_z(ho_arena *arena, ho_str s);

/* HO_OK if nothing has failed; otherwise the code, with *err filled. */
ho_code ho_arena_code(const ho_arena *arena, ho_error *err) HO_NODISCARD;
#endif
