/* Drafts for sessions that said how far a phase is (`progress`) and left it without a handoff. They held none, so no lease
 * expires. */
#ifndef HO_ENGINE_LEDGER_DRAFT_LEFT_H
#define HO_ENGINE_LEDGER_DRAFT_LEFT_H

#include "engine/ledger/draft.h"
#include "engine/which/which.h"

/* Why there is a draft: its session's end. */
#define HO_DRAFT_ENDED "its session ended without a handoff"

/* Drafts what the session left, unless the phase is finished, was handed on since, or has a handoff that the session still
 * holds: its end drafts. A session that is that of a day is nobody's in particular, and a lead drafts for its own. Opens the
 * store, and creates it if there is none. quick: no program may be started. *id is that of the draft, or "". */
ho_code ho_draft_left(ho_project *project, const ho_which_work *work, const char *why, bool quick, ho_str *id,
                      ho_error *err) HO_NODISCARD;
#endif
