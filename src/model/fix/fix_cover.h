/* Does every line of a document stand in what was made of it? What `fix` promises rests on the answer.
 *
 * Lines are compared as sequences of words: white space and the marks of Markdown (bullets, numbers, heading marks,
 * quote marks at the start of a line, `**` anywhere) do not count, everything else does. When in doubt the answer is
 * no: a line too many in the details loses nothing. */
#ifndef HO_MODEL_FIX_FIX_COVER_H
#define HO_MODEL_FIX_FIX_COVER_H

#include "base/buf.h"
#include "doc/markdown/markdown.h"

typedef struct ho_cover {
  ho_buf words;  /* of the texts added so far: " one two … \n three … " */
  ho_buf line;   /* of the line that is asked about */
  size_t budget; /* bytes that may still be searched: what would take longer is answered with no */
} ho_cover;

void ho_cover_init(ho_cover *cover);
/* A failure of its memory becomes the arena's, which may be NULL. */
void ho_cover_free(ho_cover *cover, ho_arena *arena);
/* Adds the words of a text. */
void ho_cover_add(ho_cover *cover, ho_str text);
/* Do the words of the line stand together in one line of the texts? A line without words does. */
bool ho_cover_has_line(ho_cover *cover, ho_str line);
/* Of every line of the text? */
bool ho_cover_has(ho_cover *cover, ho_str text);

/* Appends what the texts lack of a Markdown document, as it stood there: whole blocks and list items, in order, each
 * under the headings it stood under. A section whose heading is lacking is there as a whole. Returns how many blocks
 * that were. */
size_t ho_cover_put_missing(ho_cover *cover, const ho_source *source, const ho_md *md, ho_buf *out);
#endif
