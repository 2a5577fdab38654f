/* Freeform handoff notes become a task handoff (C8), in the file they stand in.
 *
 * The result is the same text with one addition: the structured block, as YAML under the heading Handoff, at the end of
 * the notes. Every byte of the notes stays, so nothing can be lost, and the lines that the items name are lines of the
 * result too. Where the file has a section Handoff of its own, only that is read, and the block closes it; else the
 * whole text is. Notes that have their block already are left as they are. */
#ifndef HO_MODEL_NOTES_MIGRATE_H
#define HO_MODEL_NOTES_MIGRATE_H

#include "model/notes/notes.h"
#include "model/document/read.h"

typedef struct ho_migrated {
  const ho_format *is;    /* the format that the text was recognised as before, by its content; or NULL */
  bool changed;           /* a block was added */
  ho_str text;            /* the whole document, with its block */
  ho_notes notes;         /* what was taken (nothing where the block was there already), and what is ambiguous: of
                             notes with a block, what no item of it has as its line */
  unsigned before, after; /* completeness (model/document/complete.h) */
  ho_node *parts;         /* of `after` */
  ho_doc doc;             /* the result, read and checked; a fact that the notes do not state is a finding */
} ho_migrated;

/* path: what the notes are called. text: Markdown, or plain text, which is Markdown too. root: as for ho_notes_read. */
ho_code ho_migrate(ho_str path, ho_str text, ho_str root, const ho_check_env *env, ho_arena *arena, ho_migrated *out,
                   ho_error *err) HO_NODISCARD;
/* The empty block that an agent is to fill: what the format asks for, as YAML. */
ho_str ho_migrate_template(ho_arena *arena);
#endif
