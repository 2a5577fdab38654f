/* The splice editor: replaces byte spans of a text and leaves every other byte alone. */
#ifndef HO_DOC_TEXT_SPLICE_H
#define HO_DOC_TEXT_SPLICE_H

#include "base/buf.h"

typedef struct ho_splice {
  ho_arena *arena;
  ho_str text;
  struct ho_splice_edit *edits, *last; /* sorted by position */
} ho_splice;

void ho_splice_init(ho_splice *splice, ho_arena *arena, ho_str text);
/* Replaces bytes from..to by `with` (from == to inserts). Edits may come in any order; front to back is fastest.
 * Overlapping edits are HO_CONFLICT (an insertion at either end of a span does not overlap). Insertions at the same
 * position keep the order in which they were made. `with` is not copied. A span outside the text is HO_BUG. */
ho_code ho_splice_replace(ho_splice *splice, uint32_t from, uint32_t to, ho_str with, ho_error *err) HO_NODISCARD;
void ho_splice_write(const ho_splice *splice, ho_buf *out);
#endif
