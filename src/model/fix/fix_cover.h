/* Does what was made of a document contain every line of it? The promise of `fix` rests on the answer.
 *
 * Lines are compared as sequences of words: white space and Markdown marks (bullets, numbers, heading marks, quote
 * marks at the start of a line, `**` anywhere) do not count, everything else does. When in doubt the answer is no:
 * an extra line in the details file loses nothing. */
#ifndef HO_MODEL_FIX_FIX_COVER_H
#define HO_MODEL_FIX_FIX_COVER_H

#include "base/buf.h"
#include "doc/markdown/markdown.h"

typedef struct ho_cover {
  ho_buf words;  /* of the texts added so far: " one two … \n three … " */
  ho_buf line;   /* the words of the line in question */
  size_t budget; /* bytes that may still be searched; beyond that the answer is no */
} ho_cover;

void ho_cover_init(ho_cover *cover);
/* Passes a memory failure on to the arena, which may be NULL. */
void ho_cover_free(ho_cover *cover, ho_arena *arena);
/* Adds the words of a text. */
void ho_cover_add(ho_cover *cover, ho_str text);
/* The same for every line of the text. */
bool ho_cover_has(ho_cover *cover, ho_str text);

/* Appends what the texts lack of a Markdown document, as it was there: whole blocks and list items, in order, each
 * under its headings. If the heading of a section is missing, the whole section is appended. Returns the number of
 * blocks. */
size_t ho_cover_put_missing(ho_cover *cover, const ho_source *source, const ho_md *md, ho_buf *out);
#endif
