/* Files of the user's own, outside every project: what a person decided on this machine, and no clone can bring along.
 *
 * They are in FOLDER/handoff/KIND, a folder that only the user can enter. Nothing below FOLDER is reached through a
 * symbolic link, and nothing that belongs to another user is read. */
#ifndef HO_BASE_PRIVATE_H
#define HO_BASE_PRIVATE_H

#include "base/arena.h"

typedef struct ho_private {
  ho_str folder;        /* ho_private_data */
  const char *kind;     /* "trust" */
  const char *apart[3]; /* NULL-ended: folders that it must not be in, such as the project's root */
} ho_private;

/* The user's folder for data: $XDG_DATA_HOME, else ~/.local/share; "" if the environment names no absolute path. */
ho_str ho_private_data(ho_arena *arena);
/* Where files of that kind are, below that folder. */
ho_str ho_private_folder(ho_arena *arena, ho_str folder, const char *kind);
/* A whole file. HO_NOT_FOUND if there is none; HO_IO, with the reason, if the place cannot be relied on. */
ho_code ho_private_read(ho_arena *arena, const ho_private *place, const char *name, ho_str *out,
                        ho_error *err) HO_NODISCARD;
/* All or nothing; creates the folders. */
ho_code ho_private_write(ho_arena *arena, const ho_private *place, const char *name, ho_str content,
                         ho_error *err) HO_NODISCARD;
/* Does the work while nobody else is at it here; creates the folders. */
ho_code ho_private_alone(ho_arena *arena, const ho_private *place, ho_code (*work)(void *data, ho_error *err),
                         void *data, ho_error *err) HO_NODISCARD;
/* HO_NOT_FOUND if there is none. */
ho_code ho_private_remove(ho_arena *arena, const ho_private *place, const char *name, ho_error *err) HO_NODISCARD;
#endif
