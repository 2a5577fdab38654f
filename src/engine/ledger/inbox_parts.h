/* What the files of the inbox share. */
#ifndef HO_ENGINE_LEDGER_INBOX_PARTS_H
#define HO_ENGINE_LEDGER_INBOX_PARTS_H

#include "engine/ledger/inbox.h"
#include "model/lifecycle.h"
#include "store/handoffs/events.h"

/* How far a reader has looked: every event up to `upto`, and those in `seen`. */
typedef struct ho_inbox_marker {
  int64_t upto;
  int64_t *seen;
  size_t count;
} ho_inbox_marker;

/* Kinds of events: of the lifecycle, as bits, and notes, separated by '|', or NULL. */
#define HO_INBOX_EVENT(name) (1u << HO_EVENT_##name)
_Static_assert(HO_EVENT_COUNT <= 32, "ho_inbox_kinds has a bit for each");
typedef struct ho_inbox_kinds {
  uint32_t events;
  const char *notes;
} ho_inbox_kinds;

/* A handoff that the reader holds in this session. */
typedef struct ho_inbox_holding {
  ho_str handoff, task;
  int64_t sent;
} ho_inbox_holding;

typedef struct ho_inbox_reading {
  ho_project *project;
  ho_arena *arena;
  ho_inbox *inbox;
  ho_str me;                      /* name of the agent, or the person as the log has it */
  ho_str self;                    /* the same with the instance, if one was given: whose marker it is */
  bool person;                    /* asked for decisions, and for everything that has no agent to go to */
  ho_inbox_marker marker, common; /* its own, and that of all instances of the agent */
  ho_inbox_marker session;        /* that of this session, for what came of its own doing */
  ho_inbox_holding *held;
  size_t held_count;
  ho_event *events; /* since the marker that may matter to somebody, newest first */
  size_t count;
} ho_inbox_reading;

/* Whose inbox it is, as its marker is called. */
ho_str ho_inbox_reader(ho_project *project);
/* Is that the reader, or an instance of it? */
bool ho_inbox_is_me(const ho_inbox_reading *r, ho_str who);
/* The same where an instance is meant: what builder/1 holds or has asked is not builder/2's. */
bool ho_inbox_is_self(const ho_inbox_reading *r, ho_str who);
/* Did the reader send it (ho_describe_sender)? */
ho_code ho_inbox_is_sender(const ho_inbox_reading *r, const ho_handoff *row, bool *out, ho_error *err) HO_NODISCARD;
/* Adds an item; commands are formats of ho_project_command, NULL-ended. */
ho_inbox_item *ho_inbox_add(ho_inbox_reading *r, ho_waiting kind, ho_str id, const char *const *commands);
/* An item about a handoff that is pending; news: what makes it new. */
ho_inbox_item *ho_inbox_add_row(ho_inbox_reading *r, ho_waiting kind, const ho_handoff *row,
                                const char *const *commands, const ho_inbox_kinds *news);
/* Adds what is asked about a handoff, if it is for the reader to answer. */
ho_code ho_inbox_add_question(ho_inbox_reading *r, const ho_handoff *row, ho_error *err) HO_NODISCARD;
/* The same of every handoff that need not wait for its answer: it may be held, given back, or done. */
ho_code ho_inbox_add_questions(ho_inbox_reading *r, ho_error *err) HO_NODISCARD;
/* Has the reader anything open in the task, but that handoff: sent by it, for it, or held by it? */
ho_code ho_inbox_takes_part(ho_inbox_reading *r, ho_str task, ho_str but, bool *out, ho_error *err) HO_NODISCARD;
/* Loads the marker, and the events since. */
ho_code ho_inbox_look(ho_inbox_reading *r, ho_error *err) HO_NODISCARD;
/* Adds the events about what this session holds or held, sent or asked, whoever else has heard of them: also what another
 * session of the reader has answered. */
ho_code ho_inbox_look_session(ho_inbox_reading *r, ho_error *err) HO_NODISCARD;
/* Adds what has happened, as far as it concerns the reader. */
ho_code ho_inbox_add_news(ho_inbox_reading *r, ho_error *err) HO_NODISCARD;
/* Adds what tasks that are not completed ask people for. What was learned is as new as it was derived. */
ho_code ho_inbox_add_asked(ho_inbox_reading *r, ho_error *err) HO_NODISCARD;
bool ho_inbox_kinds_have(const ho_inbox_kinds *kinds, ho_str kind);
/* Is that kind of event told to anybody as news? */
bool ho_inbox_tells(ho_str kind);
/* Is the event for this session of the reader, whoever else of that name has read it: is it about a handoff that the session
 * had sent or claimed, about the answer to one that it sent, or about the task of one that it holds, and that was sent
 * before? */
bool ho_inbox_for_session(const ho_inbox_reading *r, const ho_event *event);
/* The number of an event that happened, or 0 if the reader has seen it. */
int64_t ho_inbox_unseen(const ho_inbox_reading *r, ho_waiting as, const ho_event *event);
/* The newest event since the marker, of another's, that made this handoff or gate wait so; 0 if that was seen. */
int64_t ho_inbox_fresh(const ho_inbox_reading *r, ho_waiting as, ho_str handoff, const ho_inbox_kinds *kinds);
#endif
