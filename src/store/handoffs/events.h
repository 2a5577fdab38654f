/* Events: what happened to handoffs, in one chain per handoff. They are only added, never changed. */
#ifndef HO_STORE_HANDOFFS_EVENTS_H
#define HO_STORE_HANDOFFS_EVENTS_H

#include "store/store.h"

/* One thing that happened. To add one: at, actor, kind, data; the rest is set by the store. */
typedef struct ho_event {
  int64_t seq; /* within the project, from 1 without gaps */
  ho_str handoff;
  int64_t n; /* within its handoff, from 1 without gaps */
  int64_t at;
  ho_str actor, kind;
  ho_str data; /* a JSON value as ho_json_write(indent 0) writes it; hashed byte for byte. Empty: {} */
  ho_str row;  /* fingerprint of the handoff's row after it */
  ho_str prev, hash;
} ho_event;

typedef struct ho_event_list {
  ho_event *rows;
  size_t count;
} ho_event_list;

/* The chain of what concerns the project as a whole and no handoff. No handoff can have this id. */
#define HO_EVENTS_PROJECT HO_STR("(project)")
/* Adds an event to it. */
ho_code ho_events_add_project(ho_store *store, const ho_event *event, ho_error *err) HO_NODISCARD;

/* Adds an event that does not change the row. HO_NOT_FOUND if there is no such handoff. */
ho_code ho_events_add(ho_store *store, ho_str id, const ho_event *event, ho_error *err) HO_NODISCARD;
/* Of one handoff, oldest first; of all handoffs (id empty), newest first, older than before_seq (0: all). */
ho_code ho_events_select(ho_store *store, ho_str id, int64_t before_seq, int64_t limit, ho_arena *arena,
                         ho_event_list *out, ho_error *err) HO_NODISCARD;
/* Of all handoffs, after that number, oldest first. */
ho_code ho_events_since(ho_store *store, int64_t after, int64_t limit, ho_arena *arena, ho_event_list *out,
                        ho_error *err) HO_NODISCARD;
/* All of one handoff, oldest first, for whoever judges by them: more than can be looked at is HO_LIMIT, never a part. */
ho_code ho_events_whole(ho_store *store, ho_str id, ho_arena *arena, ho_event_list *out, ho_error *err) HO_NODISCARD;
#endif
