/* The progress file of a phase: read, begun, and changed in place under a lock.
 *
 * Objectives never change; only their status and note do. What is not changed keeps its bytes, including keys that
 * the format does not know. Every change updates last_updated and keeps current_objective correct. */
#ifndef HO_ENGINE_PHASE_PROGRESS_H
#define HO_ENGINE_PHASE_PROGRESS_H

#include "engine/phase/phase.h"
#include "model/document/read.h"

typedef enum ho_progress_kind {
  HO_PROGRESS_DONE,
  HO_PROGRESS_BLOCK,
  HO_PROGRESS_UNBLOCK, /* in progress again; HO_CONFLICT if it is not blocked */
  HO_PROGRESS_REOPEN,  /* in progress again; HO_CONFLICT if it is not done */
  HO_PROGRESS_NOTE,
  HO_PROGRESS_TRIED,
  HO_PROGRESS_PASS,   /* handoff_count, and what a later pass compares with */
  HO_PROGRESS_FINISH, /* the phase is over; note: what was done */
  HO_PROGRESS_TOUCH,  /* nothing but the files */
} ho_progress_kind;

typedef struct ho_progress_change {
  ho_progress_kind kind;
  ho_str objective; /* its id; "" for the current one (note), or none in particular (tried) */
  ho_str note;      /* done: may be "" */
  ho_str approach, result, reason;
  size_t handoffs; /* pass: how many handoffs the phase has now */
  ho_str handoff;  /* pass: the newest */
  /* pass: what it says did not work, a list of {approach, reason}; logged like `tried`. And what it takes back, a list of
   * texts: those approaches stay in the log, but no longer count. */
  const ho_node *dead_ends, *revoked;
  /* Any kind: files that were read or edited meanwhile, texts, the newest last. They are added to files_touched of the
   * objective that the change is about, else of the current one. */
  const ho_node *files;
} ho_progress_change;

/* The result of a change. */
typedef struct ho_progress_answer {
  ho_doc doc;       /* as it is now */
  ho_str objective; /* the id that was changed, or "" */
  bool changed;
  ho_str said; /* one sentence */
} ho_progress_answer;

/* HO_NOT_FOUND if there is no progress file; HO_INVALID if it is not a progress file. */
ho_code ho_progress_read(const ho_phase *phase, ho_doc *doc, ho_error *err) HO_NODISCARD;

/* Creates the file. If it exists with the same objectives, nothing happens; with others, it is HO_CONFLICT, because
 * objectives never change. name "": "Phase P". */
ho_code ho_progress_start(const ho_phase *phase, ho_str name, const ho_node *objectives, ho_progress_answer *out,
                          ho_error *err) HO_NODISCARD;
/* Reads, changes and writes the file under the lock. An unknown objective is HO_NOT_FOUND with a list of the
 * existing ones. If nothing has to change, the file is left alone. */
ho_code ho_progress_apply(const ho_phase *phase, const ho_progress_change *change, ho_progress_answer *out,
                          ho_error *err) HO_NODISCARD;
/* The same without lock and file: the new text for a document that was read. */
ho_code ho_progress_text(const ho_phase *phase, const ho_doc *doc, const ho_progress_change *change, ho_str *text,
                         ho_progress_answer *out, ho_error *err) HO_NODISCARD;

typedef struct ho_progress_count {
  size_t total, done, blocked;
} ho_progress_count;
ho_progress_count ho_progress_counted(const ho_node *root);
/* Is something left, and all of it blocked? Then nobody can continue before a person has helped. */
bool ho_progress_stuck(const ho_node *root);
/* How a person is asked, as commands that work as they stand. */
#define HO_PROGRESS_ASK HO_PROGRESS_ASK_WITH("")
/* The same with further options: --for the handoff, so that the answer is there for whoever takes it. */
#define HO_PROGRESS_ASK_WITH(options)                                                                                  \
  "`handoff template gate >gate.yaml`, fill it in, `handoff gate raise gate.yaml" options "`"
/* Has `finish` ended the phase, and no `pass` gone on with it since? */
bool ho_progress_finished(const ho_node *root);
/* The objective in progress or next to start; NULL if all are done. */
const ho_node *ho_progress_current(const ho_node *root);
/* What the objectives that are done say, a list of texts. */
ho_node *ho_progress_done(const ho_node *root, ho_arena *arena);
/* Likewise those that are not; with an id, that one alone. */
ho_node *ho_progress_undone(const ho_node *root, ho_str id, ho_arena *arena);
/* Does an entry of approaches_tried still count? One that was taken back is history. */
bool ho_progress_counts(const ho_node *tried);
/* An objective's id; its position in the list (from 1) if it has none. */
ho_str ho_progress_id(const ho_node *root, const ho_node *objective, ho_arena *arena);
/* How many handoffs in a row were written without an objective done in between: successors may be going in circles. */
enum { HO_PROGRESS_CIRCLES = 3 };
long long ho_progress_idle(const ho_node *root);
/* A digest of everything that work changes: which objectives are done or blocked, approaches tried, deviations. Not
 * notes. A failure becomes the arena's. */
void ho_progress_digest(const ho_node *root, ho_arena *arena, char out[65]);

/* Calls `each` for objectives of phases in use that are not as they were when their phase began (model/formats/objectives.h),
 * at most `most` times. Archived tasks and files that cannot be read are left out. */
typedef void (*ho_progress_edit)(void *data, ho_str path, ho_str id, const char *what);
ho_code ho_progress_edits(ho_arena *arena, ho_str root, size_t most, ho_progress_edit each, void *data,
                          ho_error *err) HO_NODISCARD;
#endif
