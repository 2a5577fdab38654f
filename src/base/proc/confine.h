/* What this process may still do to files, whatever a document makes of it: Landlock, where the kernel has it. */
#ifndef HO_BASE_PROC_CONFINE_H
#define HO_BASE_PROC_CONFINE_H

#include <stdbool.h>
#include <stddef.h>

/* The version of Landlock, or 0 if the kernel has none that can be used. */
int ho_confine_version(void);
/* From now on this thread, and every thread and process it starts, can change files only below these folders, through
 * descriptors that are open already, and in /dev/null. It cannot be undone. Folders that do not exist are left out.
 * Where there is no Landlock, nothing happens. */
void ho_confine_writes(const char *const *folders, size_t count);
/* Calls `work` in a thread that is confined so, and waits for it: only that thread and what it starts are. False if there
 * is no thread to be had; then it was not called. */
bool ho_confine_call(const char *const *folders, size_t count, void (*work)(void *data), void *data);
#endif
