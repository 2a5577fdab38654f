/* What freeform handoff notes say, in the terms of the task format (C8).
 *
 * Headings, labels, check boxes, tables and the words of each passage tell what it is about: a path that was created or
 * changed, "watch out" and "be careful", "pattern" and "always use", "next", "then" and "should", "question" and
 * "unclear", "blocked by". Nothing is invented: an item is the passage's own text, and a field is filled only where the
 * passage states it. A passage with a sign of something that does not settle what it is becomes no item: it is
 * ambiguous, and an agent can be asked. What has no sign at all is left to stand as the prose it is. */
#ifndef HO_MODEL_NOTES_NOTES_H
#define HO_MODEL_NOTES_NOTES_H

#include "model/format.h"

typedef struct ho_notes {
  ho_node *task;      /* a raw tree of the format task; every item of a list has the line it came from as x_line */
  ho_node *items;     /* list of {field, line, text}: what was taken, in the order of the lines */
  ho_node *ambiguous; /* list of {line, text, why} */
} ho_notes;

/* Blocks first..end of the text (end excluded, NULL: to the last), and the front matter where md has one and `first` is
 * its first block. root: the project's folder, absolute, so that paths inside it can be written from it; "" where it is
 * not known. Linear in the text. When memory runs out the arena says so. */
void ho_notes_read(const ho_source *source, const ho_md *md, const ho_md_block *first, const ho_md_block *end,
                   ho_str root, ho_arena *arena, ho_notes *out);
#endif
