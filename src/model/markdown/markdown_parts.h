/* Shared by the files of the Markdown reader. */
#ifndef HO_MODEL_MARKDOWN_MARKDOWN_PARTS_H
#define HO_MODEL_MARKDOWN_MARKDOWN_PARTS_H

#include "model/format.h"

struct ho_markdown_reader;
struct ho_markdown_part;

/* The column (from 0, tabs expanded) of a byte. */
unsigned ho_markdown_column(const struct ho_markdown_reader *r, uint32_t offset);
/* The same for text that is kept as is: removes the backslashes that a writer put before would-be headings, and
 * closes what is never closed (ho_markdown_put_close). */
void ho_markdown_put_kept(const struct ho_markdown_reader *r, ho_buf *out, ho_md_kind kind, uint32_t from, uint32_t to,
                          unsigned column);
/* The buffer's text without blank lines around it, in the arena; frees the buffer. */
ho_str ho_markdown_taken(const struct ho_markdown_reader *r, ho_buf *out);
/* A text with its source position. */
ho_node *ho_markdown_node(const struct ho_markdown_reader *r, ho_str text, uint32_t from, uint32_t to);
/* The last block of a part, or NULL. */
const ho_md_block *ho_markdown_last(const struct ho_markdown_part *part);
/* Where an item's content begins, and at which column. */
uint32_t ho_markdown_item_content(const struct ho_markdown_reader *r, const ho_md_block *item, unsigned *column);
#endif
