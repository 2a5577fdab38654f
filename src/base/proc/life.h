/* Whether a process that was noted earlier still runs. */
#ifndef HO_BASE_PROC_LIFE_H
#define HO_BASE_PROC_LIFE_H

#include <sys/types.h>

#include "base/arena.h"

/* The process in one line, to be kept: its number, when it began, the boot, and the space in which numbers count; "" if not all
 * of that can be seen. */
ho_str ho_life_of(ho_arena *arena, pid_t pid);
/* Has the process of that line ended? Only what is certain counts: not of a process of another boot or space (another machine
 * may share the folder, a container has numbers of its own), of one that cannot be seen, or of a line that is none. */
bool ho_life_over(ho_str line);
#endif
