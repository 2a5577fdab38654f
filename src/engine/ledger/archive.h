/* The audit archive: ended handoffs are archived, and archived ones may be pruned. */
#ifndef HO_ENGINE_LEDGER_ARCHIVE_H
#define HO_ENGINE_LEDGER_ARCHIVE_H

#include "engine/project/project.h"

/* Ended → archived, for each of `ids` (texts; NULL: every ended handoff). *done lists {id, path}. Makes a seal. */
ho_code ho_archive_run(ho_project *project, const ho_node *ids, ho_arena *arena, ho_node *done,
                       ho_error *err) HO_NODISCARD;
enum { HO_PRUNED_AT_ONCE = 10000 };
typedef struct ho_pruning {
  int64_t before;  /* only handoffs that were sent before */
  bool unapproved; /* also those that nobody approved at their gate: what says the same then no longer waits */
  /* Filled. */
  ho_node *done;   /* list of ids */
  int64_t kept;    /* how many stay because nobody approved them */
  int64_t halting; /* how many stay because they halt their task */
} ho_pruning;
/* Removes archived handoffs (the oldest HO_PRUNED_AT_ONCE), and what was learned only from them
 * (store/knowledge/known.h); their events remain as hashes. */
ho_code ho_archive_prune(ho_project *project, ho_pruning *how, ho_arena *arena, ho_error *err) HO_NODISCARD;
#endif
