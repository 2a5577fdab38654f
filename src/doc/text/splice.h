/* The splice editor: replaces byte spans of a text and leaves every other byte alone. */
#ifndef HO_DOC_TEXT_SPLICE_H
#define HO_DOC_TEXT_SPLICE_H

#include "base/buf.h"

typedef struct ho_splice {
  ho_arena *arena;
  ho_str text;
  struct ho_splice_edit *edits, *last; /* sorted by place */
} ho_splice;

void ho_splice_init(ho_splice *splice, ho_arena *arena, ho_str text);
/* Bytes from..to become `with` (from == to inserts). Edits may come in any order, from front to back is quickest; two
 * that overlap are HO_CONFLICT (an insertion at either end of a span does not). Insertions at one place keep the order
 * in which they were made. `with` is not copied. A span that is not in the text is HO_BUG. */
ho_code ho_splice_replace(ho_splice *splice, uint32_t from, uint32_t to, ho_str with, ho_error *err) HO_NODISCARD;
void ho_splice_write(const ho_splice *splice, ho_buf *out);
#endif
