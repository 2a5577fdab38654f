/* Bodies: the texts of handoffs, immutable, each content once. ho_handoff_add puts its own. */
#ifndef HO_STORE_HANDOFFS_BODIES_H
#define HO_STORE_HANDOFFS_BODIES_H

#include "store/store.h"

ho_code ho_body_get(ho_store *store, ho_str digest, ho_arena *arena, ho_str *out, ho_error *err) HO_NODISCARD;
/* Of a task's newest handoff of this kind, with the handoff's path; both "" where the task has none. */
ho_code ho_body_newest(ho_store *store, ho_str task, ho_str kind, ho_arena *arena, ho_str *path, ho_str *out,
                       ho_error *err) HO_NODISCARD;
/* digest: room for HO_DIGEST_SIZE. For bodies that are no handoff's own (an answer, a decision's document). */
ho_code ho_body_put(ho_store *store, ho_str body, char *digest, ho_error *err) HO_NODISCARD;
#endif
