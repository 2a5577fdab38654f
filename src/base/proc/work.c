#include "base/proc/work.h"

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#include "base/limits.h"

typedef struct pool {
  size_t count;
  atomic_size_t next;
  ho_work_job job;
  void *world;
  ho_document_limits limits; /* of the project */
} pool;

typedef struct worker {
  pool *pool;
  unsigned number;
  pthread_t thread;
} worker;

static void *work(void *data)
{
  const worker *self = data;
  pool *p = self->pool;
  ho_limits_project = p->limits;
  for (size_t i; (i = atomic_fetch_add(&p->next, 1)) < p->count;)
    p->job(p->world, self->number, i);
  return NULL;
}

static unsigned threads_for(size_t count)
{
  long cores = count < 2 ? 1 : sysconf(_SC_NPROCESSORS_ONLN);
  if (cores < 1)
    return 1;
  if (cores > HO_WORK_THREADS)
    cores = HO_WORK_THREADS;
  return (size_t)cores > count ? (unsigned)count : (unsigned)cores;
}

void ho_work_run(size_t count, ho_work_job job, void *world)
{
  pool p = {.count = count, .job = job, .world = world, .limits = ho_limits_project};
  worker workers[HO_WORK_THREADS];
  unsigned wanted = threads_for(count), started = 1;
  for (unsigned i = 0; i < HO_WORK_THREADS; i++)
    workers[i] = (worker){.pool = &p, .number = i};
  while (started < wanted && pthread_create(&workers[started].thread, NULL, work, &workers[started]) == 0)
    started++;
  work(&workers[0]);
  for (unsigned i = 1; i < started; i++)
    pthread_join(workers[i].thread, NULL);
}
