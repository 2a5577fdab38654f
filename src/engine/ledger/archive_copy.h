/* Copies in the audit archive: .project/07-audit/sessions/SESSION/handoffs/ID.yaml.
 *
 * A copy has one comment line with what the store knows (JSON after "# handoff "), then the document: as it is if it
 * is YAML or JSON, else as {format, body}. A lost store is rebuilt from these. Once the handoff has ended, what happened to
 * it follows after a line "# handoff history": x_outcome, x_from and x_to as it was sent, x_history with every event, who and
 * why; after JSON, as a second YAML document. */
#ifndef HO_ENGINE_LEDGER_ARCHIVE_COPY_H
#define HO_ENGINE_LEDGER_ARCHIVE_COPY_H

#include "engine/project/project.h"
#include "model/document/read.h"
#include "model/format.h"
#include "store/handoffs/events.h"
#include "store/handoffs/handoffs.h"

/* Writes the copy together with the transaction, and records it among the handoff's files. body: its document, "" for the
 * one in the store. last: the event that comes with it, and is not in the store yet; NULL: a handoff that is sent. *digest is the copy's: the event that comes with it has it in its data, by which verify knows the
 * copy. */
ho_code ho_archive_copy(ho_project *project, const ho_handoff *row, ho_str body, const ho_event *last, ho_arena *arena,
                        ho_str *digest, ho_error *err) HO_NODISCARD;
/* The text of a copy that was written earlier. history: without it, as earlier versions wrote it. */
ho_code ho_archive_copy_text(ho_project *project, const ho_handoff *row, ho_str body, bool history, ho_arena *arena,
                             ho_str *out, ho_error *err) HO_NODISCARD;
/* Is it plain from how the document was read that its history can follow as further keys? Whoever sends it marks its row
 * with that (HO_MARK_GOES_ON), so that it need not be read again when it ends; without the mark it is. */
bool ho_archive_copy_goes_on(const ho_doc *doc);
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
