/* Trust: the chain, the digests and the files against each other; and a store made again from files. */
#ifndef HO_ENGINE_LEDGER_VERIFY_H
#define HO_ENGINE_LEDGER_VERIFY_H

#include "engine/project/project.h"

typedef struct ho_verdict {
  ho_node *differences; /* [{part, name, message}]: something is not as it was written */
  ho_node *drift;       /* likewise: the world has moved on since */
  int64_t handoffs, files;
} ho_verdict;

/* The database, every chain, body and seal, every gate, and every copy. A copy that is kept in the audit archive and
 * differs is a difference; so is a changed copy of an open handoff. Artifacts that changed are drift, and so are files
 * that a killed process left unwritten and that cannot be written now either. Works where nothing may be written. */
ho_code ho_verify(ho_project *project, ho_arena *arena, ho_verdict *out, ho_error *err) HO_NODISCARD;

/* Each gate against the events of its handoff: calls `flaw` for what differs. */
typedef ho_code (*ho_gate_flaw)(void *data, ho_str gate, ho_str message, ho_error *err);
ho_code ho_verify_gates(ho_project *project, ho_gate_flaw flaw, void *data, ho_error *err) HO_NODISCARD;

typedef struct ho_rebuilt {
  ho_node *restored;   /* [{id, state, path}] */
  ho_node *lost;       /* [{what, message}] */
  ho_node *pruned;     /* [id]: restored from copies, but pruned before */
  ho_str kept;         /* where the old database is now, or "" */
  ho_error state_file; /* code is set: all is done, but the state file could not be brought up to date */
} ho_rebuilt;
/* Makes a new store from the audit archive and the state file, and puts it in the place of the old one, which is kept.
 * Others may send meanwhile: they wait, and go on with the new store. What was unfinished is finished first, and the
 * state file brought up to date where the old store is sound; handoffs that then only it has are listed as lost. No id
 * is given again. What the old store had pruned is restored from its copies too, for what it has settled can be
 * learned from nothing else; it is for the caller to prune it again after learning (ho_archive_prune_again). Until it
 * is ready, and where it fails, the old store stays. The project, begun and
 * without an open store, has the new one open afterwards. */
ho_code ho_rebuild(ho_project *project, ho_arena *arena, ho_rebuilt *out, ho_error *err) HO_NODISCARD;
#endif
