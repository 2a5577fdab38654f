/* The only callers of malloc, realloc and free in this project's own code.
 *
 * In the fault build (HO_FAULT) allocation number N fails, where N comes from ho_fault_arm or from
 * HANDOFF_FAULT_ALLOC in the environment; a sweep over N visits every failure that can happen. When the allocation
 * fails, the empty file named by HANDOFF_FAULT_MARK is created: if it does not appear, N is beyond the last
 * allocation and the sweep is over. */
#ifndef HO_BASE_MEMORY_H
#define HO_BASE_MEMORY_H

#include "base/str.h"

void *ho_malloc(size_t n) HO_NODISCARD;
void *ho_realloc(void *old, size_t n) HO_NODISCARD; /* on failure NULL, and `old` is still valid */
void ho_free(void *block);

#ifdef HO_FAULT
/* The n-th allocation from now on fails (once; n from 1); 0 disarms. */
void ho_fault_arm(unsigned long n);
/* True if the armed failure has happened. */
bool ho_fault_fired(void);
#endif
#endif
