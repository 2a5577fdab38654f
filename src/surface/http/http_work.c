/* Threads for whatever may block: some for what is quick, others, as many as are needed, for what takes long. */
#include "surface/http/http_server.h"

static ho_http_exchange *take(ho_http_pool *pool, struct ho_http_queue *queue)
{
  pthread_mutex_lock(&pool->lock);
  queue->idle++;
  while (!queue->first)
    pthread_cond_wait(&queue->some, &pool->lock);
  ho_http_exchange *x = queue->first;
  queue->first = x->inside->queued;
  queue->count--;
  queue->idle--;
  pthread_mutex_unlock(&pool->lock);
  return x;
}

static void *work(void *data)
{
  struct ho_http_queue *queue = data;
  for (;;) {
    ho_http_exchange *x = take(queue->pool, queue);
    x->inside->work(x);
    ho_http_exchange_returned(x);
  }
  return NULL;
}

/* Starts a thread if nobody is free. False if there is none at all. */
static bool has_thread(struct ho_http_queue *queue)
{
  pthread_t thread;
  pthread_attr_t detached;
  if (queue->idle > queue->count || queue->threads == queue->most)
    return true;
  pthread_attr_init(&detached);
  pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
  if (pthread_create(&thread, &detached, work, queue) == 0)
    queue->threads++;
  pthread_attr_destroy(&detached);
  return queue->threads > 0;
}

void ho_http_work_begin(ho_http_pool *pool)
{
  static const unsigned most[HO_HTTP_LANES] = {
      [HO_HTTP_QUICK] = HO_HTTP_QUICK_THREADS, [HO_HTTP_LONG] = HO_HTTP_LONG_THREADS};
  pthread_mutex_init(&pool->lock, NULL);
  for (size_t i = 0; i < HO_HTTP_LANES; i++) {
    pool->lanes[i] = (struct ho_http_queue){.pool = pool, .most = most[i]};
    pthread_cond_init(&pool->lanes[i].some, NULL);
  }
}

bool ho_http_work_add(ho_http_pool *pool, ho_http_exchange *x, bool must)
{
  struct ho_http_queue *queue = &pool->lanes[x->inside->lane];
  pthread_mutex_lock(&pool->lock);
  bool taken = (must || queue->count < HO_HTTP_QUEUE_MOST) && has_thread(queue);
  if (taken) {
    x->inside->queued = NULL;
    if (queue->first)
      queue->last->inside->queued = x;
    else
      queue->first = x;
    queue->last = x;
    queue->count++;
    pthread_cond_signal(&queue->some);
  }
  pthread_mutex_unlock(&pool->lock);
  return taken;
}
