/* Copies in the audit archive: .project/07-audit/sessions/SESSION/handoffs/ID.yaml.
 *
 * A copy has one comment line with what the store knows (JSON after "# handoff "), then the document: as it is if it
 * is YAML or JSON, else as {format, body}. A lost store is rebuilt from these. */
#ifndef HO_ENGINE_LEDGER_ARCHIVE_COPY_H
#define HO_ENGINE_LEDGER_ARCHIVE_COPY_H

#include "engine/project/project.h"
#include "model/format.h"
#include "store/handoffs/handoffs.h"

/* Writes the copy together with the transaction, and records it among the handoff's files. body: its document, "" for the
 * one in the store. *digest is the copy's: the event that comes with it has it in its data, by which verify knows the
 * copy. */
ho_code ho_archive_copy(ho_project *project, const ho_handoff *row, ho_str body, ho_arena *arena, ho_str *digest,
                        ho_error *err) HO_NODISCARD;
/* The text of a copy. */
ho_code ho_archive_copy_text(ho_project *project, const ho_handoff *row, ho_str body, ho_arena *arena, ho_str *out,
                             ho_error *err) HO_NODISCARD;
#define HO_DATA_ARCHIVE "archive"
/* The same of what was recorded when it was sent (ho_files_digest). */
#define HO_DATA_FILES "files"
/* Where its copy is, or will be: a path once recorded is kept. */
ho_code ho_archive_copy_place(ho_project *project, const ho_handoff *row, ho_arena *arena, ho_str *out,
                              ho_error *err) HO_NODISCARD;

typedef struct ho_archived {
  ho_handoff row; /* what the comment says */
  ho_str body;
} ho_archived;
/* Reads a copy back. HO_INVALID if it is not one. */
ho_code ho_archive_copy_parse(ho_str text, ho_arena *arena, ho_archived *out, ho_error *err) HO_NODISCARD;
#endif
