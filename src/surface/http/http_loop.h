/* The loop: one thread that is told when something has happened, and does nothing otherwise. */
#ifndef HO_SURFACE_HTTP_HTTP_LOOP_H
#define HO_SURFACE_HTTP_HTTP_LOOP_H

#include "base/error.h"

struct event_base;

typedef struct ho_http_loop ho_http_loop;
typedef struct ho_http_event ho_http_event;
typedef void ho_http_happened(void *data);

ho_code ho_http_loop_new(ho_http_loop **out, ho_error *err) HO_NODISCARD;
void ho_http_loop_free(ho_http_loop *loop);
/* Waits until something happens, and has it done. False: it cannot go on, or was told to stop. */
bool ho_http_loop_turn(ho_http_loop *loop);
void ho_http_loop_stop(ho_http_loop *loop);
struct event_base *ho_http_loop_base(const ho_http_loop *loop);

/* Each is NULL without memory, and to be freed before the loop. */
ho_http_event *ho_http_loop_timer(ho_http_loop *loop, ho_http_happened *happened, void *data);
ho_http_event *ho_http_loop_signal(ho_http_loop *loop, int number, ho_http_happened *happened, void *data);
ho_http_event *ho_http_loop_readable(ho_http_loop *loop, int fd, ho_http_happened *happened, void *data);
/* When the timer happens, once: in so many milliseconds; -1: never. */
void ho_http_event_in(ho_http_event *timer, int64_t ms);
void ho_http_event_free(ho_http_event *event); /* NULL is allowed */
#endif
