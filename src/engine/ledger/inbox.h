/* Everything that waits for one agent or person, most urgent first.
 *
 * What is pending (a handoff that is ready, a question that nobody answered) is read from the ledger's rows and stays until
 * it is dealt with. What has happened (an answer, a rejection, a decision) is read from the events since the reader last
 * looked: a marker per reader says how far that was, so that nothing is new twice. What comes of a session's own doing is
 * new to that session once, and to the others of its agent until one has seen it. Nothing is stored for an inbox but the
 * marker, so an inbox cannot disagree with the ledger. */
#ifndef HO_ENGINE_LEDGER_INBOX_H
#define HO_ENGINE_LEDGER_INBOX_H

#include "base/words.h"
#include "engine/project/project.h"
#include "store/handoffs/handoffs.h"

/* clang-format off */
/* What waits, the most urgent first: somebody who cannot go on comes before what changed, and that before work. */
#define HO_WAITINGS(X) \
  X(STOP, "stop")          /* the task was halted, or what the reader holds was withdrawn */ \
  X(QUESTION, "question")  /* somebody asked, and waits for the answer */ \
  X(GATE, "gate")          /* a person has to decide: the reader, or one whom its request waits for */ \
  X(REJECTED, "rejected")  /* what the reader sent was refused, withdrawn by a person, or expired */ \
  X(DECISION, "decision")  /* a person decided what the reader waited for */ \
  X(ANSWER, "answer")      /* to what the reader asked, or to what was asked about its work */ \
  X(RETURNED, "returned")  /* the result of what the reader delegated */ \
  X(HELD, "held")          /* claimed by the reader */ \
  X(HANDOFF, "handoff")    /* ready for the reader */ \
  X(DRAFT, "draft")        /* to be confirmed */
/* clang-format on */

typedef enum ho_waiting {
  HO_WAITING_NONE,
#define X(name, text) HO_WAITING_##name,
  HO_WAITINGS(X)
#undef X
} ho_waiting;
extern const ho_words ho_waitings;

typedef struct ho_inbox_item {
  ho_waiting kind;
  ho_str id;      /* of the handoff, of the gate, or of what a task asks */
  ho_str handoff; /* that it is about */
  ho_str from;    /* who waits, or who said it */
  ho_str subject; /* what it is about, on one line */
  ho_str text;    /* what was said, or "" */
  int64_t since;
  int64_t until;     /* when the lease ends, or 0 */
  bool ready;        /* it can be claimed */
  bool kept;         /* it could be, but for another instance of the reader that comes first */
  bool elsewhere;    /* held, but by another session of the reader */
  int64_t seq;       /* of the event that the reader has not seen yet; 0: nothing new */
  ho_str chain;      /* the handoff that has this event */
  bool own;          /* it is for this session of the reader (ho_inbox_for_session) */
  ho_node *commands; /* that may follow, most likely first: a list of texts */
} ho_inbox_item;

typedef struct ho_inbox {
  bool everything; /* given: also what was seen before */
  bool quick;      /* given: only the newest events are looked at, as hooks do, which everybody waits for */
  ho_inbox_item *items;
  size_t count;
  size_t fresh;   /* of them, new */
  size_t missed;  /* more of the pending ones that were left out */
  int64_t newest; /* the last event that was looked at */
} ho_inbox;

/* Who reads: the agent, known by its name or harness, else the person. Nothing is marked as seen. */
ho_code ho_inbox_read(ho_project *project, ho_arena *arena, ho_inbox *inbox, ho_error *err) HO_NODISCARD;
/* The items with a seq were shown: all of them, or only `one`. A write. */
ho_code ho_inbox_seen(ho_project *project, ho_arena *arena, const ho_inbox *inbox, const ho_inbox_item *one,
                      ho_error *err) HO_NODISCARD;
/* Of a handoff about which something was asked: does that want an answer although the handoff does not wait for it? Also when
 * it is done, and archived; what was rejected, replaced or withdrawn took its questions with it. */
bool ho_inbox_asks(const ho_handoff *row, ho_arena *arena);
/* The commands with which the holder of a claimed handoff can go on, and whoever reads a draft. */
ho_node *ho_inbox_follow(const ho_project *project, ho_arena *arena, const ho_handoff *row);
#endif
