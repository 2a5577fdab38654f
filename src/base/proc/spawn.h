/* Running other programs for an answer (git, dot): without a shell, found in PATH. Their standard error is
 * discarded. For programs that work on their own and must be watched, use the shim. */
#ifndef HO_BASE_PROC_SPAWN_H
#define HO_BASE_PROC_SPAWN_H

#include <sys/types.h>

#include "base/str.h"

/* Starts argv[0] with `in` and `out` as its standard input and output; -1 means /dev/null. Returns 0 or an errno. */
int ho_spawn(const char *const *argv, int in, int out, pid_t *pid);
/* Waits for it; true if it exited with status 0. */
bool ho_spawn_wait(pid_t pid);
/* Starts it and waits; true if it succeeded. */
bool ho_spawn_run(const char *const *argv);
/* Starts it and reads its output: returns the number of bytes, or -1 if it cannot be started, fails, or takes longer
 * than `ms` (-1: no limit). After `most` bytes it is ended without waiting for the rest. */
ssize_t ho_spawn_read(const char *const *argv, int64_t ms, char *bytes, size_t most);
#endif
