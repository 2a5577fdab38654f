/* The only callers of malloc, realloc and free of this project's own code.
 *
 * In the fault build (HO_FAULT) allocation number N fails, where N is what ho_fault_arm said or the environment's
 * HANDOFF_FAULT_ALLOC; a sweep over N then visits every failure that can happen. When it fails, the empty file named by
 * the environment's HANDOFF_FAULT_MARK is created: where none appears, N is beyond the last allocation and the sweep
 * has ended. */
#ifndef HO_BASE_MEMORY_H
#define HO_BASE_MEMORY_H

#include "base/str.h"

void *ho_malloc(size_t n) HO_NODISCARD;
void *ho_realloc(void *old, size_t n) HO_NODISCARD; /* on failure NULL, and `old` is still there */
void ho_free(void *block);

#ifdef HO_FAULT
/* The n-th allocation from now fails (once; n from 1); 0 disarms. */
void ho_fault_arm(unsigned long n);
/* True if the armed failure has happened. */
bool ho_fault_fired(void);
#endif
#endif
