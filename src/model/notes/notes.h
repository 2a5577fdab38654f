/* What freeform handoff notes say, in terms of the task format.
 *
 * Headings, labels, check boxes, tables and the words of each passage tell what it is about: a path that was created
 * or changed, "watch out" and "be careful", "pattern" and "always use", "next", "then" and "should", "question" and
 * "unclear", "blocked by". Nothing is invented: an item is the passage's own text, and a field is set only if the
 * passage states it. A passage with signs that do not settle what it is does not become an item: it is listed as
 * ambiguous, and an agent can be asked. Passages without any sign remain prose. */
#ifndef HO_MODEL_NOTES_NOTES_H
#define HO_MODEL_NOTES_NOTES_H

#include "model/format.h"

typedef struct ho_notes {
  ho_node *task;      /* a raw tree of the format task; every list item has the line it came from as x_line */
  ho_node *items;     /* list of {field, line, text}: what was taken, in line order */
  ho_node *ambiguous; /* list of {line, text, why} */
} ho_notes;

/* Reads blocks first..end of the text (end excluded, NULL: to the last), and the front matter if md has one and
 * `first` is its first block. root: the project's folder, absolute, so that paths inside it can be made relative; ""
 * if unknown. Takes linear time. If memory runs out, the arena records it. */
void ho_notes_read(const ho_source *source, const ho_md *md, const ho_md_block *first, const ho_md_block *end,
                   ho_str root, ho_arena *arena, ho_notes *out);
#endif
