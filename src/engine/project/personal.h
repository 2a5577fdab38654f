/* What the user keeps about a project outside of it (base/private): a file per project and kind, by the project's path. No
 * clone can bring it, and an agent that can write nothing but the project cannot change it. */
#ifndef HO_ENGINE_PROJECT_PERSONAL_H
#define HO_ENGINE_PROJECT_PERSONAL_H

#include "base/buf.h"

typedef struct ho_personal {
  ho_arena *arena;
  ho_str home, root; /* the project's main worktree, and the one worked in */
  const char *kind;  /* "trust" */
} ho_personal;

/* HO_NOT_FOUND if there is none; HO_IO, with the reason, if the place cannot be relied on. */
ho_code ho_personal_read(const ho_personal *kept, ho_str *out, ho_error *err) HO_NODISCARD;
ho_code ho_personal_write(const ho_personal *kept, ho_str content, ho_error *err) HO_NODISCARD;
/* Makes the new content of the old one, "" if there is none, while nobody else changes it. */
typedef ho_code (*ho_personal_change)(void *data, ho_str old, ho_buf *out, ho_error *err);
ho_code ho_personal_update(const ho_personal *kept, ho_personal_change change, void *data, ho_error *err) HO_NODISCARD;
ho_code ho_personal_remove(const ho_personal *kept, ho_error *err) HO_NODISCARD;
#endif
