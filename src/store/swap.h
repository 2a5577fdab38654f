/* The files of a swap (swap_files.c), for the store's own files only. */
#ifndef HO_STORE_SWAP_H
#define HO_STORE_SWAP_H

#include "store/inside.h"

/* Where the new store is made. */
typedef struct ho_swap_fresh {
  const char *folder, *database;
} ho_swap_fresh;

/* Removes what a killed process, or this one, has left there. */
ho_code ho_swap_clear(const ho_store *store, ho_arena *arena, ho_swap_fresh *out, ho_error *err) HO_NODISCARD;
/* Puts the new store, which nobody has open, into the place of the old one, which is kept beside it under this name. If
 * it fails, the old one is unchanged; if the process is killed, it is the old one or, once the swap is decided, the new one
 * as soon as somebody opens it. */
ho_code ho_swap_decide(ho_store *store, const ho_swap_fresh *fresh, ho_str kept, ho_arena *arena,
                       ho_error *err) HO_NODISCARD;
#endif
