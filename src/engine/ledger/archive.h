/* The audit archive (E6): .project/07-audit/sessions/SESSION/handoffs/ID.yaml.
 *
 * A copy has one line of comment with what the ledger knows (JSON after "# handoff "), then the document: as it is where
 * it is YAML or JSON, else as {format, body}. A store that is lost is rebuilt from these. */
#ifndef HO_ENGINE_LEDGER_ARCHIVE_H
#define HO_ENGINE_LEDGER_ARCHIVE_H

#include "engine/project/project.h"
#include "model/format.h"

#define HO_ARCHIVE_FOLDER ".project/07-audit/sessions"

/* Writes the copy together with the transaction, and notes it among the handoff's files. */
ho_code ho_archive_copy(ho_project *project, const ho_handoff *row, ho_arena *arena, ho_error *err) HO_NODISCARD;

typedef struct ho_archived {
  ho_handoff row; /* what the comment says */
  ho_str body;
} ho_archived;
/* Reads a copy back. HO_INVALID where it is none. */
ho_code ho_archive_parse(ho_str text, ho_arena *arena, ho_archived *out, ho_error *err) HO_NODISCARD;

/* Whether a folder's path is that of a copy: …/handoffs/ID.yaml. */
bool ho_archive_is_copy(ho_str path);
/* Is there any copy that this program has written? */
bool ho_archive_any(ho_arena *arena, ho_str home);

/* Ended → archived, for each of `ids` (texts; NULL: every ended handoff). *done lists {id, path}. Seals. */
ho_code ho_archive_run(ho_project *project, const ho_node *ids, ho_arena *arena, ho_node *done,
                       ho_error *err) HO_NODISCARD;
enum { HO_PRUNED_AT_ONCE = 10000 };
/* Removes archived handoffs that were sent before `before` (the oldest HO_PRUNED_AT_ONCE), and what was learned from
 * them alone (store/knowledge/known.h); their events stay as hashes. */
ho_code ho_archive_prune(ho_project *project, int64_t before, ho_arena *arena, ho_node *done,
                         ho_error *err) HO_NODISCARD;
/* The ids of handoffs that were removed so, and their removal in a store that was made again from copies: ids is a list of
 * texts. */
ho_code ho_archive_pruned(ho_store *store, ho_text_each each, void *data, ho_error *err) HO_NODISCARD;
ho_code ho_archive_prune_again(ho_project *project, const ho_node *ids, ho_arena *arena, ho_error *err) HO_NODISCARD;
#endif
