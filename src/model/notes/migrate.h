/* Turns freeform handoff notes into a task handoff, in the same file.
 *
 * The result is the same text with one addition: the structured block, as YAML under the heading Handoff, at the end
 * of the notes. Every byte of the notes stays, so nothing can be lost, and the line numbers in the items are valid
 * for the result too. If the file has a section Handoff of its own, only that is read, and the block goes at its
 * end; else the whole text is. Notes that already have their block are left alone. */
#ifndef HO_MODEL_NOTES_MIGRATE_H
#define HO_MODEL_NOTES_MIGRATE_H

#include "model/notes/notes.h"
#include "model/document/read.h"

typedef struct ho_migrated {
  const ho_format *is; /* the format that the text was recognised as before, by its content; or NULL */
  bool changed;        /* a block was added */
  ho_str text;         /* the whole document, with its block */
  /* what was taken (nothing if the block was already there), and what is ambiguous; for notes with a block: the
   * passages that no item of it refers to by line */
  ho_notes notes;
  unsigned before, after; /* completeness (model/formats/complete.h) */
  ho_node *parts;         /* of `after` */
  ho_doc doc;             /* the result, read and checked; a fact that the notes do not state is a finding */
} ho_migrated;

/* path: the name of the notes. text: Markdown, or plain text, which is treated as Markdown. root: as for
 * ho_notes_read. */
ho_code ho_migrate(ho_str path, ho_str text, ho_str root, const ho_check_env *env, ho_arena *arena, ho_migrated *out,
                   ho_error *err) HO_NODISCARD;
/* The empty block for an agent to fill in: what the format asks for, as YAML. */
ho_str ho_migrate_template(ho_arena *arena);
#endif
