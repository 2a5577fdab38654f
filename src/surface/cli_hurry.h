/* For commands that may not keep their caller waiting: input that nobody closes, and an answer in time. */
#ifndef HO_SURFACE_CLI_HURRY_H
#define HO_SURFACE_CLI_HURRY_H

#include "base/arena.h"

/* Reads to the end, or until a whole JSON value has come and then nothing for a moment. HO_LIMIT if that takes longer
 * than some seconds. */
ho_code ho_cli_read_value(ho_arena *arena, int fd, ho_str *out, ho_error *err) HO_NODISCARD;

/* Once: what is printed when time is up. From then on there is a limit. */
void ho_cli_give_up_with(const char *answer);
/* Another limit, `ms` after ho_cli_give_up_with: the answer is printed, the line added to the log, and the process ends
 * with status 0. What it was about to write to a store or a file is as if it had been killed. */
void ho_cli_give_up(void *world, int64_t ms, const char *log, const char *line);
void ho_cli_give_up_never(void);
#endif
