/* Running other programs for an answer (git, dot): without a shell, within a time. Their standard error is
 * discarded, unless it is asked for. For programs that work on their own and must be watched, use the shim. */
#ifndef HO_BASE_PROC_SPAWN_H
#define HO_BASE_PROC_SPAWN_H

#include <limits.h>
#include <sys/types.h>

#include "base/str.h"

/* What ho_spawn_wait returns for a program that was ended by a signal, or by us because its time was up. */
enum { HO_SPAWN_KILLED = -1, HO_SPAWN_LATE = -2 };

/* Starts argv[0] with `in` and `out` as its standard input and output (-1: /dev/null) and the environment `env`
 * (NULL: ours), in a process group of its own. A name without '/' is looked up in the absolute folders of PATH only: a
 * relative one would find programs in whatever folder is being worked on. Returns 0 or an errno. */
int ho_spawn(const char *const *argv, const char *const *env, int in, int out, pid_t *pid);
/* Where such a name leads: the file's path, in `path` if it has to be looked for; NULL if there is none. A file that
 * cannot be executed is found only if there is no other. */
const char *ho_spawn_find(const char *name, char path[PATH_MAX]);
/* Waits for it, at most until the monotonic time `end` in ms (-1: no limit); then it and what it started are killed.
 * Returns its exit status, HO_SPAWN_KILLED or HO_SPAWN_LATE. */
int ho_spawn_wait(pid_t pid, int64_t end);
/* Starts it and reads its output: returns the number of bytes, or -1 if it cannot be started, fails, or takes longer
 * than `ms` (-1: no limit). After `most` bytes it is ended without waiting for the rest. */
ssize_t ho_spawn_read(const char *const *argv, const char *const *env, int64_t ms, char *bytes, size_t most);
/* The same. why: if it fails, the last line that it wrote to its standard error; else "". */
ssize_t ho_spawn_read_why(const char *const *argv, const char *const *env, int64_t ms, char *bytes, size_t most,
                          char *why, size_t size);
#endif
