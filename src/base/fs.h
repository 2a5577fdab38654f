/* Files and folders.
 *
 * Paths are NUL-ended, as the system wants them; in errors, bytes that are not UTF-8 are replaced. */
#ifndef HO_BASE_FS_H
#define HO_BASE_FS_H

#include "base/arena.h"

/* Reads the whole file into the arena. limit: bytes, 0 means HO_LIMIT_DOCUMENT; a longer file is HO_LIMIT.
 * HO_NOT_FOUND if there is none; HO_IO for folders and failures. A pipe that nobody writes to is empty. */
ho_code ho_fs_read(ho_arena *arena, const char *path, size_t limit, ho_str *out, ho_error *err) HO_NODISCARD;
/* The same from an open descriptor, to its end; `name` is used in errors. */
ho_code ho_fs_read_fd(ho_arena *arena, int fd, ho_str name, size_t limit, ho_str *out, ho_error *err) HO_NODISCARD;

/* The same for as long as `more` returns true; it is called before every read, with what has been read so far. */
typedef bool (*ho_fs_more)(void *data, ho_str so_far);
ho_code ho_fs_read_while(ho_arena *arena, int fd, ho_str name, size_t limit, ho_fs_more more, void *data, ho_str *out,
                         ho_error *err) HO_NODISCARD;

typedef enum ho_fs_mode {
  HO_FS_REPLACE, /* an existing file is replaced */
  HO_FS_CREATE,  /* an existing file is left alone: HO_CONFLICT */
} ho_fs_mode;
/* All or nothing, even if the machine stops: a temporary file in the same folder is synced and renamed, and the
 * folder is synced. */
ho_code ho_fs_write(const char *path, ho_str content, ho_fs_mode mode, ho_error *err) HO_NODISCARD;
/* Makes the names in this path's folder durable, as far as the file system can. */
void ho_fs_sync(const char *path);
/* Creates the folder and those above it; existing ones are fine. */
ho_code ho_fs_mkdirs(const char *path, ho_error *err) HO_NODISCARD;

bool ho_fs_exists(const char *path);
bool ho_fs_is_folder(const char *path);
bool ho_fs_is_file(const char *path);
bool ho_fs_is_link(const char *path); /* a symbolic link, wherever it leads */

/* True if what `path` names, with symbolic links resolved, is the folder `root` or inside it. Something that does
 * not exist yet is judged by its nearest existing folder. */
bool ho_fs_inside(const char *root, const char *path);
/* folder/path, or path if it is absolute; ".", ".." and repeated slashes are resolved textually. */
ho_str ho_fs_join(ho_arena *arena, ho_str folder, ho_str path);
/* path without the folder in front, if its text shows it to be inside; else unchanged. "." for the folder itself. */
ho_str ho_fs_relative(ho_str folder, ho_str path);
/* Everything but the last name of a path; "." if there is only one name, "/" at the top. */
ho_str ho_fs_parent(ho_str path);
/* The last name of a path. */
ho_str ho_fs_name(ho_str path);
/* The current folder. */
ho_code ho_fs_here(ho_arena *arena, ho_str *out, ho_error *err) HO_NODISCARD;
/* The project's root: the nearest folder from `folder` upwards that contains .handoff, else .git, else `folder`. */
ho_str ho_fs_root(ho_arena *arena, ho_str folder);
/* The file of the running program, absolute; "" if the system does not say. */
ho_str ho_fs_program(ho_arena *arena);
/* A path as text: bytes that are not UTF-8 become U+FFFD. */
ho_str ho_fs_text(ho_arena *arena, ho_str path);

typedef struct ho_fs_list {
  const char **paths; /* each starts with the folder's path as given */
  size_t count;
} ho_fs_list;
/* All regular files below `folder` that `wanted` accepts (NULL: all), sorted. Symbolic links are not followed; .git,
 * node_modules and unreadable folders are skipped. HO_LIMIT if the tree is too deep or has too many files. */
ho_code ho_fs_walk(ho_arena *arena, const char *folder, bool (*wanted)(ho_str path), ho_fs_list *out,
                   ho_error *err) HO_NODISCARD;
#endif
