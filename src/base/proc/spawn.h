/* Other programs that are asked something (git, dot): started without a shell, found in PATH. What they say on standard
 * error is not kept. For those that work on their own and must be watched there is the shim. */
#ifndef HO_BASE_PROC_SPAWN_H
#define HO_BASE_PROC_SPAWN_H

#include <sys/types.h>

#include "base/str.h"

/* Starts argv[0] with `in` and `out` as its standard input and output; -1 stands for /dev/null. 0, or an errno. */
int ho_spawn(const char *const *argv, int in, int out, pid_t *pid);
/* Waits for it; true if it ended by itself with status 0. */
bool ho_spawn_wait(pid_t pid);
/* Starts it and waits; true if it did what it was told. */
bool ho_spawn_run(const char *const *argv);
/* Starts it and reads what it writes: the number of bytes, or -1 if it cannot be started, fails, or takes longer than `ms`
 * (-1: it may take as long as it likes). After `most` bytes nobody waits for the rest, and it is ended. */
ssize_t ho_spawn_read(const char *const *argv, int64_t ms, char *bytes, size_t most);
#endif
