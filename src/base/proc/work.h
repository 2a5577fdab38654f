/* Runs many similar jobs on a few threads. */
#ifndef HO_BASE_PROC_WORK_H
#define HO_BASE_PROC_WORK_H

#include "base/str.h"

enum { HO_WORK_THREADS = 2 }; /* the maximum; `worker` below is less than this */

typedef void (*ho_work_job)(void *world, unsigned worker, size_t index);

/* Calls job(world, worker, i) once for each i below count and returns when all are done. Jobs are taken in order; no
 * two run with the same `worker` at once, so each worker may keep its own things in `world`. On a single core, or if
 * a thread cannot be created, the caller's thread does everything. */
void ho_work_run(size_t count, ho_work_job job, void *world);
#endif
