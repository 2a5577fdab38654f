/* Marks of a handoff: small named values stored with its row, as JSON. */
#ifndef HO_ENGINE_LEDGER_MARKS_H
#define HO_ENGINE_LEDGER_MARKS_H

#include "store/handoffs/handoffs.h"

/* At which gate it was rejected: what its events say of that gate, as JSON. Copies in the archive keep it, so that a
 * rebuild without the database knows the rejection. */
#define HO_MARK_REJECTED_AT "rejected_at"
/* Who rejected it, if that was not at a gate. */
#define HO_MARK_REJECTED_BY "rejected_by"
#define HO_MARK_OUTCOME "outcome" /* of an archived handoff: how it ended, by the name of that state, or "finished" */
#define HO_MARK_ASKS "asks"       /* its gate is a question, which its approval answers */
#define HO_MARK_KEPT_FOR "asker"  /* the agent or instance that may claim it before others */
/* The same as it was when it was sent: its event has it in its data. */
#define HO_DATA_KEPT_FOR "kept_for"
#define HO_MARK_SUBJECT "subject" /* what it is about, as its document says */
#define HO_MARK_TO "to"           /* whom it was sent to, if it went on to somebody else */
#define HO_MARK_GOES_ON "goes_on" /* its history can follow its document as further keys (archive_copy.h) */

#define HO_MARK_LEASE "lease"         /* how long its claim lasts, if whoever claimed it said so */
#define HO_MARK_QUESTIONS "questions" /* how many of its receiver are open */

/* A value set by an earlier ho_marks_set in row->marks, or "". */
ho_str ho_marks_get(const ho_handoff *row, ho_arena *arena, const char *key);
/* "" removes it. */
void ho_marks_set(ho_handoff *row, ho_arena *arena, const char *key, ho_str value);
#endif
