/* Bodies: the texts of handoffs, immutable, stored once per content. ho_handoffs_add stores its own. */
#ifndef HO_STORE_HANDOFFS_BODIES_H
#define HO_STORE_HANDOFFS_BODIES_H

#include "store/store.h"

/* Is there one, right or wrong? */
ho_code ho_bodies_has(ho_store *store, ho_str digest, bool *out, ho_error *err) HO_NODISCARD;
/* HO_NOT_FOUND if there is none, HO_STORE if its text was changed in the store. */
ho_code ho_bodies_get(ho_store *store, ho_str digest, ho_arena *arena, ho_str *out, ho_error *err) HO_NODISCARD;
/* The body of a task's newest handoff of this kind, and the handoff's path; both "" if the task has none. */
ho_code ho_bodies_newest(ho_store *store, ho_str task, ho_str kind, ho_arena *arena, ho_str *path, ho_str *out,
                         ho_error *err) HO_NODISCARD;
/* digest: room for HO_DIGEST_SIZE. For bodies that are no handoff's document (an answer, the document of a
 * decision, details). */
ho_code ho_bodies_put(ho_store *store, ho_str body, char *digest, ho_error *err) HO_NODISCARD;
#endif
