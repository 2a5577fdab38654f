/* Items of an inbox (engine/ledger/inbox.h) in results, and as lines for people and agents. */
#ifndef HO_COMMAND_INBOX_SHOWN_H
#define HO_COMMAND_INBOX_SHOWN_H

#include "base/buf.h"
#include "command/call.h"
#include "engine/ledger/inbox.h"

/* What nobody in particular is to receive waits in no inbox. If such a handoff is ready: a note, "BEGIN, but HO-2026-001 is
 * for whoever takes task 7", with the command that claims it. The ledger is open. */
ho_code ho_inbox_shown_open(ho_call *call, ho_str begin, bool *found, ho_error *err) HO_NODISCARD;
/* What the agent cannot go on with waits in the inbox of whoever answers what it asked, or decides the gate: a note for each
 * such handoff says so. The ledger is open. */
ho_code ho_inbox_shown_waiting(ho_call *call, ho_error *err) HO_NODISCARD;
extern const ho_record ho_inbox_item_record;
ho_node *ho_inbox_shown(ho_arena *arena, const ho_inbox_item *item);
/* What was said, and the commands that may follow, each on a line of its own. */
void ho_inbox_shown_below(ho_buf *out, const ho_node *item, size_t width);
/* One line that says what waits, what was said, and the commands that may follow, each on a line of its own. */
void ho_inbox_shown_put(ho_buf *out, const ho_node *item, bool colour);
/* What somebody said, every line of it marked as such; nothing if it is "". */
void ho_inbox_shown_said(ho_buf *out, ho_str text);
#endif
