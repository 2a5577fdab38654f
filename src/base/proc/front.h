/* Programs that a person chose and to which the terminal is lent: a pager, an editor. */
#ifndef HO_BASE_PROC_FRONT_H
#define HO_BASE_PROC_FRONT_H

#include <sys/types.h>

#include "base/arena.h"

/* Starts a command (for a shell, as in PAGER and EDITOR) in the foreground, with one more argument unless that is NULL, and
 * with `in` as its standard input (-1: ours). -1 if that is not possible. */
pid_t ho_front_start(const char *command, const char *argument, int in);
/* Waits for it; what Ctrl-C means in between is its own business. Its exit status, or -1. */
int ho_front_wait(pid_t pid);
/* Starts a program in a process group of its own, to which the terminal belongs until ho_front_take: signals of its keys are
 * not for us, and it cannot be halted by one. We go on meanwhile. -1 if that is not possible. */
pid_t ho_front_lend(const char *const *argv);
/* Once it has ended: its exit status, or -1. The terminal is ours again. */
int ho_front_take(pid_t pid);
/* The person's editor: VISUAL, else EDITOR; NULL if there is none. */
const char *ho_front_editor(void);
/* Has the person edit a text, in a file that only they can read and that is removed again. HO_GATED if the editor fails:
 * then they do not want the text. */
ho_code ho_front_edit(ho_arena *arena, const char *editor, ho_str text, ho_str *out, ho_error *err) HO_NODISCARD;
#endif
