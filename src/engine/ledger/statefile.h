/* state/current.json: every open handoff, the most recently ended ones, and the gates that wait for a person, in a
 * file that others write to as well. */
#ifndef HO_ENGINE_LEDGER_STATEFILE_H
#define HO_ENGINE_LEDGER_STATEFILE_H

#include "engine/project/project.h"

/* Updates the lists `handoffs` and `gates_pending` and the time `updated_at`; every other byte of the file stays,
 * and so do entries unknown to the store and keys it does not write. A file that is not of the state format is never
 * changed. On failure *err says why and the file is unchanged; a file outside the project, reached by a symbolic link, is
 * not written. */
void ho_statefile_refresh(ho_project *project, ho_error *err);
/* The same if the file does not include the newest event, unless another process gets there first: several at once write
 * it once. A large file is written at most once in as many seconds as it has megabytes. False: it was written within the
 * last `ms`, so it was left as it is. */
bool ho_statefile_follow(ho_project *project, int64_t ms, ho_error *err);

/* Does the file not include the newest event, for whatever reason? */
bool ho_statefile_behind(ho_project *project);
/* Why the file does not include the newest event and no command can write it; "" if it does, or the next one will. Changes
 * nothing. store: it may be open to look at only. */
ho_code ho_statefile_drift(ho_project *project, ho_store *store, ho_arena *arena, ho_str *why,
                           ho_error *err) HO_NODISCARD;

/* In an entry: who has it now, if that is not whom it was sent to. */
#define HO_STATEFILE_NOW_FOR "x_now_for"
/* In an entry: the gate at which it was rejected. */
#define HO_STATEFILE_REJECTED_AT "x_rejected_at"
/* In an entry: whether it halts its task, "yes" or, if it has, "resumed". */
#define HO_STATEFILE_HALTS "x_halts"
#define HO_STATEFILE_HALTS_YES "yes"

/* The open gates as the file shows them, oldest first: [{gate, handoff, name, step, type, waiting_for, deliverable,
 * since}]. */
ho_code ho_statefile_gates(ho_project *project, ho_arena *arena, ho_node **out, ho_error *err) HO_NODISCARD;
/* The new text of `gates_pending`: the entries of others in `old` (a list in the file with this text, or NULL)
 * unchanged, then `gates`. Entries that have both `gate` and `handoff` are our own and are written anew. */
ho_str ho_statefile_gate_list(ho_arena *arena, ho_str text, const ho_node *old, const ho_node *gates);
#endif
