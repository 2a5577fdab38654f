/* A process that works at a person's terminal until they leave it: then it goes on without them.
 *
 * Its work is done in a child from the beginning, and the process that the shell started only waits for it. So leaving needs
 * nothing but an end of that process: the work, with its store, locks and teammates, stays where it is, in the same process,
 * with the same number. A fork in the midst of the work would share an open database, which SQLite forbids, and a second
 * lead that takes over could fail to. */
#ifndef HO_BASE_PROC_LEAVE_H
#define HO_BASE_PROC_LEAVE_H

#include <stdbool.h>

/* Goes on in a child; the caller waits, hands on signals that are sent to it alone (Ctrl-C reaches both), gives the terminal
 * back as it was, and ends as the child does: it does not return. False: not possible, and nothing happened. */
bool ho_leave_begin(void);
/* In the child, before it says goodbye: its output goes to `log` from now on, and no terminal can end it. The process that
 * the shell waits for ends with status 0. */
bool ho_leave_go(int log);
#endif
