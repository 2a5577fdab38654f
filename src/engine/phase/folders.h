/* The folders of tasks: specs/{N}_{SLUG}, and those that were put away below specs/archive, at any depth. */
#ifndef HO_ENGINE_PHASE_FOLDERS_H
#define HO_ENGINE_PHASE_FOLDERS_H

#include "base/fs.h"

typedef struct ho_folder {
  ho_str task; /* without leading zeros */
  ho_str slug;
  ho_str path;   /* below the root: "specs/7_fast_start" */
  bool archived; /* below specs/archive */
} ho_folder;

typedef struct ho_folders {
  ho_folder *items; /* those in use before archived ones */
  size_t count;
} ho_folders;

/* All of them; what cannot be read is left out. */
ho_code ho_folders_list(ho_arena *arena, ho_str root, ho_folders *out, ho_error *err) HO_NODISCARD;
/* An id that can be part of a folder's name. */
bool ho_folder_id_fits(ho_str id);
/* The next free number: above that of every folder, archived ones included, so that no task is ever doubled. */
long long ho_folders_next(const ho_folders *folders);
#endif
