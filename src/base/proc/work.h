/* Many equal jobs on a few threads. */
#ifndef HO_BASE_PROC_WORK_H
#define HO_BASE_PROC_WORK_H

#include "base/str.h"

enum { HO_WORK_THREADS = 2 }; /* at most; `worker` below is less than this */

typedef void (*ho_work_job)(void *world, unsigned worker, size_t index);

/* Calls job(world, worker, i) once for each i below count and returns when all are done. Jobs are taken in order; no
 * two run with the same `worker` at once, so each worker may keep things of its own in `world`. Where the machine has
 * one core, or a thread cannot be had, the caller's thread does everything. */
void ho_work_run(size_t count, ho_work_job job, void *world);
#endif
