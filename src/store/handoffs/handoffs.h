/* Handoffs.
 *
 * Functions that change something must be called inside ho_store_write. A handoff's row never changes without an
 * event, except for its lease: the event's hash covers the resulting row, so that a row changed by hand is detected. */
#ifndef HO_STORE_HANDOFFS_HANDOFFS_H
#define HO_STORE_HANDOFFS_HANDOFFS_H

#include "store/handoffs/events.h"

/* One handoff. The words in kind, type, state and marks are chosen by the engine. */
typedef struct ho_handoff {
  ho_str id;
  int64_t seq; /* order of arrival, from 1; set by the store */

  /* Fixed once added. */
  ho_str kind;   /* format of the document */
  ho_str type;   /* sequential, delegation, … */
  ho_str sender; /* agent */
  ho_str task, phase;
  ho_str session; /* the sender's */
  int64_t created;
  ho_str digest; /* of its body; set by the store */
  ho_str key;    /* idempotency key, unique; empty: none */
  ho_str parent; /* the handoff it answers */

  /* Changed by ho_handoffs_change. */
  ho_str state;
  ho_str receiver; /* agent; empty: whoever asks for the task */
  ho_str path;     /* its readable copy */
  int64_t updated;
  int64_t attempt;
  int64_t lease_until, deadline;
  int64_t due;  /* when it must be looked at again (lease or deadline, whichever is earlier); 0: never. Not hashed */
  ho_str token; /* hash of the claim token, never the token itself */
  ho_str claimed_by, claim_session;
  ho_str gate; /* the open gate */
  ho_str superseded_by;
  ho_str marks; /* JSON or words, up to the engine */

  /* Set by the store. */
  ho_str head;    /* hash of its newest event */
  int64_t events; /* how many it has */
} ho_handoff;

typedef struct ho_handoff_list {
  ho_handoff *rows;
  size_t count;
} ho_handoff_list;

/* What a copy of a handoff says about its row, so that it can be made again; ended by one without a name. */
typedef struct ho_kept_column {
  const char *name;
  size_t offset; /* of the field in ho_handoff */
  bool number;   /* an int64_t, else a ho_str */
} ho_kept_column;
extern const ho_kept_column ho_handoff_kept[];

/* Adds the row, the body and the first event; what follows from the body is derived later (derived.h). Uses row->id as given; sets row's seq,
 * digest, head and events (the texts it sets live in the arena). HO_CONFLICT if the id or the key is taken:
 * err->rule is "handoff-id" or "handoff-key". */
ho_code ho_handoffs_add(ho_store *store, ho_handoff *row, ho_str body, const ho_event *event, ho_arena *arena,
                        ho_error *err) HO_NODISCARD;
/* Writes the changeable fields of *row and adds the event, if the stored state is still `from` and its head still
 * row->head; else HO_CONFLICT, and nothing changes. `row` must therefore come from a get, next or list. Sets head
 * and events. HO_STORE if the stored row is not the one that its newest event recorded, unless *row is: an event must
 * not make good what was changed behind its back. */
ho_code ho_handoffs_change(ho_store *store, ho_handoff *row, ho_str from, const ho_event *event, ho_arena *arena,
                           ho_error *err) HO_NODISCARD;
/* Moves only the lease and `due`, without an event, if state and token hash are still these; else HO_CONFLICT. */
ho_code ho_handoffs_renew(ho_store *store, ho_str id, ho_str state, ho_str token, int64_t lease_until, int64_t due,
                          int64_t updated, ho_error *err) HO_NODISCARD;

/* HO_NOT_FOUND if there is none. */
ho_code ho_handoffs_get(ho_store *store, ho_str id, ho_arena *arena, ho_handoff *out, ho_error *err) HO_NODISCARD;
/* These set *found to false and *out to nothing if there is none; if there are several, they return the newest. */
ho_code ho_handoffs_by_key(ho_store *store, ho_str key, ho_arena *arena, ho_handoff *out, bool *found,
                           ho_error *err) HO_NODISCARD;
ho_code ho_handoffs_by_path(ho_store *store, ho_str path, ho_arena *arena, ho_handoff *out, bool *found,
                            ho_error *err) HO_NODISCARD;
ho_code ho_handoffs_by_digest(ho_store *store, ho_str digest, ho_arena *arena, ho_handoff *out, bool *found,
                              ho_error *err) HO_NODISCARD;

/* Those with this body, newest first. */
ho_code ho_handoffs_all_by_digest(ho_store *store, ho_str digest, int64_t limit, ho_arena *arena, ho_handoff_list *out,
                                  ho_error *err) HO_NODISCARD;

/* Those for this receiver in this state, newest first. */
ho_code ho_handoffs_newest(ho_store *store, ho_str receiver, ho_str state, int64_t limit, ho_arena *arena,
                           ho_handoff_list *out, ho_error *err) HO_NODISCARD;

/* The oldest in `state` for `receiver`; with a task, the oldest of that task (and phase, if given) that is for
 * `receiver` or for nobody in particular. */
ho_code ho_handoffs_next(ho_store *store, ho_str state, ho_str receiver, ho_str task, ho_str phase, ho_arena *arena,
                         ho_handoff *out, bool *found, ho_error *err) HO_NODISCARD;

/* Empty and 0 do not filter. */
typedef struct ho_filter {
  ho_str receiver, sender, kind, task, phase, parent, session;
  ho_str state;         /* or several: "draft|ready" */
  ho_str holder;        /* the session that claimed it */
  ho_str party;         /* the agent that sent it, gets it or has claimed it */
  int64_t since, until; /* created, since <= t < until */
  int64_t before_seq;   /* paging: older than this */
  int64_t limit;        /* 0: 1000 */
  bool oldest_first;    /* else newest first */
} ho_filter;
ho_code ho_handoffs_select(ho_store *store, const ho_filter *filter, ho_arena *arena, ho_handoff_list *out,
                           ho_error *err) HO_NODISCARD;

/* What a list shows of each handoff: a third of the columns, and less than half of the time. */
typedef struct ho_handoff_brief {
  ho_str id, kind, sender, task, phase, state, receiver, path, marks;
  int64_t seq, created, updated;
} ho_handoff_brief;
typedef struct ho_handoff_briefs {
  ho_arena *arena; /* where they are */
  ho_handoff_brief *rows;
  size_t count;
} ho_handoff_briefs;
/* Adds those in a state, newest first, at most `limit`. */
ho_code ho_handoffs_add_briefs(ho_store *store, ho_str state, int64_t limit, ho_handoff_briefs *out,
                               ho_error *err) HO_NODISCARD;
/* Those with 0 < due <= now, most overdue first. */
ho_code ho_handoffs_due(ho_store *store, int64_t now, int64_t limit, ho_arena *arena, ho_handoff_list *out,
                        ho_error *err) HO_NODISCARD;

/* Those with the mark HO_MARK_HALT, oldest first. */
#define HO_MARK_HALT "halt"
ho_code ho_handoffs_halting(ho_store *store, int64_t limit, ho_arena *arena, ho_handoff_list *out,
                            ho_error *err) HO_NODISCARD;
/* Those with the mark HO_MARK_QUESTIONS: how many questions have no answer. Oldest first. */
#define HO_MARK_QUESTIONS "questions"
ho_code ho_handoffs_asking(ho_store *store, int64_t limit, ho_arena *arena, ho_handoff_list *out,
                           ho_error *err) HO_NODISCARD;
/* Those with a lease, due after `due` and last changed after `now`: by a clock that was ahead. The latest first. */
ho_code ho_handoffs_ahead(ho_store *store, int64_t due, int64_t now, int64_t limit, ho_arena *arena,
                          ho_handoff_list *out, ho_error *err) HO_NODISCARD;

/* Those whose key begins so, in the order in which they were sent. `begin` is not empty, and ends in ASCII. */
ho_code ho_handoffs_by_key_begin(ho_store *store, ho_str begin, ho_arena *arena, ho_handoff_list *out,
                                 ho_error *err) HO_NODISCARD;

/* How many of the store's handoffs fit the filter, whatever its limit. */
ho_code ho_handoffs_count(ho_store *store, const ho_filter *filter, ho_arena *arena, int64_t *out,
                          ho_error *err) HO_NODISCARD;

typedef struct ho_handoff_count {
  ho_str name;
  int64_t count;
} ho_handoff_count;
/* How many handoffs there are in each state; sorted by name. */
ho_code ho_handoffs_states(ho_store *store, ho_arena *arena, ho_handoff_count **out, size_t *count,
                           ho_error *err) HO_NODISCARD;
/* Every receiver there is, with how many handoffs in `state` are for it; sorted by name. */
ho_code ho_handoffs_receivers(ho_store *store, ho_str state, ho_arena *arena, ho_handoff_count **out, size_t *count,
                              ho_error *err) HO_NODISCARD;

/* Retention: removes the handoff, the rows of its files and gates, its search text, and its body and that of its details
 * (unless another handoff has the same). Its id is never given again. Its events remain as bare hashes without actor and data,
 * so that seals still verify; `event` (actor, at, kind) closes its chain. HO_CONFLICT if its state is not `from`, HO_STORE if its row is not as it was recorded. */
ho_code ho_handoffs_remove(ho_store *store, ho_str id, ho_str from, const ho_event *event, ho_error *err) HO_NODISCARD;
#endif
