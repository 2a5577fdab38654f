/* Files and folders.
 *
 * Paths are NUL-ended, as the system wants them; in errors, bytes that are not UTF-8 are replaced. */
#ifndef HO_BASE_FS_H
#define HO_BASE_FS_H

#include <dirent.h>
#include <sys/stat.h>

#include "base/arena.h"

/* ---- The guard.
 *
 * A repository may come from a stranger, so nothing below a folder `.handoff` is believed to be what its name says. All
 * functions here, given such a path, open the folder first, which must not be a link and must belong to the user (or,
 * for root, to the user of sudo), and from there follow no link, use nothing but regular files and folders of the user,
 * and write to no file that has a second name. A folder that others may enter is closed to them; new folders get
 * mode 0700, new files 0600. Work trees below `.handoff/run` are projects, not part of it.
 *
 * Files elsewhere in the project are written by the functions whose names end in `_in`: if the path's text shows it to
 * be inside `root`, no link on the way may lead out of root, nor into `.git` or `.handoff`. A path that is not inside
 * was named by a person, and is used as it is.
 *
 * These return -1 and set errno, which ho_fs_reason puts into words. */
int ho_fs_open(const char *path, int flags); /* O_CLOEXEC is added */
/* The same for a file that may have several names. mode: for a new file that is not below `.handoff`. */
int ho_fs_open_named(const char *path, int flags, mode_t mode);
/* A file that the program itself keeps beside a store, wherever that is: the same is asked of it as below `.handoff`. */
int ho_fs_open_beside(const char *path, int flags);
int ho_fs_stat_beside(const char *path, struct stat *info);
DIR *ho_fs_opendir(const char *path);
int ho_fs_stat(const char *path, struct stat *info); /* of the file that a link leads to, where links are followed */
int ho_fs_unlink(const char *path);
int ho_fs_unlink_in(const char *root, const char *path);
int ho_fs_rmdir(const char *path);
int ho_fs_rmdir_in(const char *root, const char *path);
int ho_fs_rename(const char *from, const char *to, bool replace);
int ho_fs_rename_in(const char *root, const char *from, const char *to);
/* The file that `path` leads to, for whoever keeps links and writes what is behind them; `path` itself if there is nothing.
 * real: PATH_MAX bytes. */
int ho_fs_resolve_in(const char *root, const char *path, char *real);
int ho_fs_link_in(const char *root, const char *from, const char *to); /* a second name */
const char *ho_fs_reason(int number);
/* Does what this user owns count as ours? Like git: root, started by sudo, also works on what belongs to whoever started
 * it. */
bool ho_fs_ours(uid_t owner);
/* Is it in a folder to which everybody may write, such as /tmp, and belongs to somebody who is neither us nor that
 * folder's owner? */
bool ho_fs_is_planted(const char *path);
/* Is it a folder `.handoff`, or below one? real (or NULL): the same path, with the links before that folder resolved. */
bool ho_fs_own(const char *path, char *real);

/* ---- Locks */

/* Waits for the lock (flock) on an open file or folder, for `ms` at most; then HO_CONFLICT, which says who holds it. */
ho_code ho_fs_lock(int fd, ho_str path, int ms, ho_error *err) HO_NODISCARD;
typedef struct ho_fs_holder {
  long pid;     /* 0: not known */
  char who[96]; /* "process 4711 (handoff send)", or "another process" */
  bool stopped;
  int64_t age;     /* seconds since it was started; -1: not known */
  char advice[80]; /* "wait for it or end it"; of a stopped process, that it is stopped, and how it goes on */
} ho_fs_holder;
/* Who, other than this process, holds a lock. byte: of the file, as far as locks have bytes. */
void ho_fs_lock_holder(int fd, long byte, ho_fs_holder *out);
/* The same of a lock that belongs to a process (fcntl) on one of these bytes of a file, without opening it: closing it would
 * release what this process holds there. Whoever holds it alone comes first, unless somebody is stopped; *stopped: it is. */
void ho_fs_file_holder(const char *path, long from, long to, ho_fs_holder *out);

/* ---- Reading and writing */

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
  HO_FS_CACHE,   /* as REPLACE, but nobody waits for the disk (ho_fs_flush) */
} ho_fs_mode;
/* All or nothing, even if the machine stops: a temporary file in the same folder (NAME.handoff-new) is synced and
 * renamed, and the folder is synced. If the writer is killed, the next one of that file takes it over. */
ho_code ho_fs_write(const char *path, ho_str content, ho_fs_mode mode, ho_error *err) HO_NODISCARD;
ho_code ho_fs_write_in(const char *root, const char *path, ho_str content, ho_fs_mode mode, ho_error *err) HO_NODISCARD;
/* Has the system begin to write what is in the file, and does not wait for it. */
void ho_fs_flush_soon(const char *path);
/* Makes durable what is in the file; one that does not exist is fine. */
ho_code ho_fs_flush(const char *path, ho_error *err) HO_NODISCARD;
/* Makes the names in this path's folder durable, as far as the file system can. */
void ho_fs_sync(const char *path);
/* Creates the folder and those above it, durably; existing ones are fine. */
ho_code ho_fs_mkdirs(const char *path, ho_error *err) HO_NODISCARD;
ho_code ho_fs_mkdirs_in(const char *root, const char *path, ho_error *err) HO_NODISCARD;
/* The same, but nobody waits for the disk: what is put there can be written again (HO_FS_CACHE). */
ho_code ho_fs_mkdirs_later(const char *root, const char *path, ho_error *err) HO_NODISCARD;

/* Something that the guard refuses exists, but is neither a file nor a folder. */
bool ho_fs_exists(const char *path);
bool ho_fs_is_folder(const char *path);
bool ho_fs_is_file(const char *path);
bool ho_fs_is_link(const char *path); /* a symbolic link, wherever it leads */
/* A file from which everybody's permission to write was taken. Files are replaced by a rename, which that does not
 * prevent: whoever writes over people's documents asks this first. */
bool ho_fs_is_protected(const char *path);

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
/* Has the folder a `.git` as git makes it, and not planted: a folder with a HEAD, or a file that names one? */
bool ho_fs_is_repository(ho_str folder);
/* The project's root: the nearest folder from `folder` upwards that contains .handoff, else the nearest repository, else
 * `folder`. */
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
/* The same, but without the folders below .handoff: runs, worktrees and the like belong to the program, and whole
 * checkouts may be in them. */
ho_code ho_fs_walk_documents(ho_arena *arena, const char *folder, bool (*wanted)(ho_str path), ho_fs_list *out,
                             ho_error *err) HO_NODISCARD;

/* ---- Internals of the guard, only for the files of fs and their test. */

/* Opens `path`, which is below the open folder, without following a link: with openat2, or name by name on a kernel
 * that does not have it. -1 and errno: ELOOP for a link, EXDEV for a path that leads upwards. */
int ho_fs_beneath(int folder, const char *path, int flags, mode_t mode);
int ho_fs_beneath_by_names(int folder, const char *path, int flags, mode_t mode);

/* A name in an open folder: whatever is done to it happens in that folder, even if its path leads elsewhere by now. */
typedef struct ho_fs_spot {
  int folder; /* O_PATH; to be closed */
  const char *name;
  bool own; /* it is a folder .handoff, or below one */
} ho_fs_spot;
/* 0, or -1 and errno. root: as in ho_fs_write_in, or NULL. */
int ho_fs_enter(const char *root, const char *path, ho_fs_spot *out);

/* Gives a new file to the owner of its folder: what root kept would be lost to the user of sudo. */
void ho_fs_give(const ho_fs_spot *spot, const char *name);

/* True if path is folder or below it, judging by the text. */
bool ho_fs_below(ho_str folder, ho_str path);
#endif
