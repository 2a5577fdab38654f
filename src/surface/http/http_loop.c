#include "surface/http/http_loop.h"

#include <errno.h>
#include <event2/event.h>

#include "base/memory.h"

struct ho_http_loop {
  struct event_base *base;
};

struct ho_http_event {
  struct event *event;
  ho_http_happened *happened;
  void *data;
};

ho_code ho_http_loop_new(ho_http_loop **out, ho_error *err)
{
  ho_http_loop *loop = ho_malloc(sizeof *loop);
  struct event_base *base = loop ? event_base_new() : NULL;
  if (!base) {
    ho_free(loop);
    return loop ? ho_fail(err, HO_IO, "cannot make an event loop: %s", strerror(errno)) : ho_fail_memory(err);
  }
  loop->base = base;
  *out = loop;
  return HO_OK;
}

void ho_http_loop_free(ho_http_loop *loop)
{
  if (loop)
    event_base_free(loop->base);
  ho_free(loop);
}

bool ho_http_loop_turn(ho_http_loop *loop)
{
  return event_base_loop(loop->base, EVLOOP_ONCE) == 0 && !event_base_got_break(loop->base);
}

void ho_http_loop_stop(ho_http_loop *loop)
{
  event_base_loopbreak(loop->base);
}

struct event_base *ho_http_loop_base(const ho_http_loop *loop)
{
  return loop->base;
}

static void call(evutil_socket_t fd, short what, void *data)
{
  const ho_http_event *event = data;
  (void)fd, (void)what;
  event->happened(event->data);
}

static ho_http_event *make(ho_http_loop *loop, int fd, short what, ho_http_happened *happened, void *data)
{
  ho_http_event *event = ho_malloc(sizeof *event);
  if (!event)
    return NULL;
  *event = (ho_http_event){event_new(loop->base, fd, what, call, event), happened, data};
  if (event->event && (fd < 0 || event_add(event->event, NULL) == 0))
    return event;
  ho_http_event_free(event);
  return NULL;
}

ho_http_event *ho_http_loop_timer(ho_http_loop *loop, ho_http_happened *happened, void *data)
{
  return make(loop, -1, 0, happened, data);
}

ho_http_event *ho_http_loop_signal(ho_http_loop *loop, int number, ho_http_happened *happened, void *data)
{
  return make(loop, number, EV_SIGNAL | EV_PERSIST, happened, data);
}

ho_http_event *ho_http_loop_readable(ho_http_loop *loop, int fd, ho_http_happened *happened, void *data)
{
  return make(loop, fd, EV_READ | EV_PERSIST, happened, data);
}

void ho_http_event_in(ho_http_event *timer, int64_t ms)
{
  struct timeval time = {ms / 1000, ms % 1000 * 1000};
  if (ms < 0)
    event_del(timer->event);
  else
    event_add(timer->event, &time);
}

void ho_http_event_free(ho_http_event *event)
{
  if (event && event->event)
    event_free(event->event);
  ho_free(event);
}
