/* Is everything as it was written? Checks chains, rows, bodies, seals, and the database itself. */
#ifndef HO_STORE_HANDOFFS_CHAIN_H
#define HO_STORE_HANDOFFS_CHAIN_H

#include "store/store.h"

/* One thing that is not as it was written. */
typedef struct ho_flaw {
  const char *part;  /* "database", "handoff", "event", "body", "seal" or "search" */
  char name[160];    /* which one: an id, "ID #n" of an event, a digest, a seal's number */
  char message[256]; /* one sentence */
} ho_flaw;
/* Called for each flaw; any code other than HO_OK stops. */
typedef ho_code (*ho_flaw_each)(void *data, const ho_flaw *flaw, ho_error *err);

/* Is the file itself sound? quick: without comparing indexes with tables, nor the full-text index with the bodies.
 * Returns HO_OK even if there are flaws; so do all of these. */
ho_code ho_chain_check_database(ho_store *store, bool quick, ho_flaw_each each, void *data, ho_error *err) HO_NODISCARD;
/* Recomputes every event's hash and link, every handoff's head and row, every body's digest and every seal. Reads
 * everything in one snapshot. watch: may be NULL. */
ho_code ho_chain_verify(ho_store *store, const ho_store_watch *watch, ho_flaw_each each, void *data,
                        ho_error *err) HO_NODISCARD;
/* The same of one handoff, without its body; and of the newest seal. */
ho_code ho_chain_verify_one(ho_store *store, ho_str handoff, ho_flaw_each each, void *data, ho_error *err) HO_NODISCARD;
ho_code ho_chain_verify_seal(ho_store *store, ho_flaw_each each, void *data, ho_error *err) HO_NODISCARD;
/* Compares the file `seal` with the store, unless it is still to be written. In ho_store_read_still, if others may write. */
ho_code ho_chain_verify_seal_file(ho_store *store, ho_flaw_each each, void *data, ho_error *err) HO_NODISCARD;
/* Does the history of this one handoff lead to its row? */
ho_code ho_chain_check(ho_store *store, ho_str handoff, bool *sound, ho_error *err) HO_NODISCARD;
#endif
