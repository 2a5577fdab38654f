/* What the files of intents share; only for the store's own files. */
#ifndef HO_STORE_INTENTS_H
#define HO_STORE_INTENTS_H

#include <limits.h>

#include "store/columns.h"

/* The intents of this database and project. */
typedef struct ho_intents_range {
  int64_t first, last; /* ids of those without trouble; 0 if there is none */
  int64_t since;       /* when the first of them was made */
  int64_t troubled;    /* how many could not be carried out */
} ho_intents_range;
ho_code ho_intents_pending(ho_store *store, ho_intents_range *out, ho_error *err) HO_NODISCARD;
/* To be called before a transaction changes which of them are in trouble: they are counted anew. */
void ho_intents_uncount(ho_store *store);

/* Names database and project, so that no other one carries these intents out: by their inodes, which stay when a project
 * is moved, and which a copy does not have. */
ho_str ho_intents_owner(ho_store *store);
enum { HO_INTENTS_OWNER_SIZE = 48 };
void ho_intents_name_owner(const char *database, const char *root, char out[HO_INTENTS_OWNER_SIZE]);

/* HO_LIMIT unless an intent may write there. below: the folder that the path must not leave. */
ho_code ho_intents_may_write(const ho_store *store, const char *path, char below[PATH_MAX], ho_error *err) HO_NODISCARD;
#endif
