/* What the files of the Markdown reader share among themselves. */
#ifndef HO_MODEL_MARKDOWN_MARKDOWN_PARTS_H
#define HO_MODEL_MARKDOWN_MARKDOWN_PARTS_H

#include "model/markdown/markdown_read.h"

/* The column (from 0, tabs worked out) of a byte. */
unsigned ho_md_column(const ho_md_reader *r, uint32_t offset);
/* Bytes from..to, lines after the first without `column` columns of indentation. */
void ho_md_put_slice(const ho_md_reader *r, ho_buf *out, uint32_t from, uint32_t to, unsigned column);
/* The same for what is kept as it stands: backslashes that a writer put before would-be headings are gone, and what is
 * never closed is closed (ho_md_put_close). */
void ho_md_put_kept(const ho_md_reader *r, ho_buf *out, ho_md_kind kind, uint32_t from, uint32_t to, unsigned column);
/* The buffer's text without blank lines around it, in the arena; the buffer is freed. */
ho_str ho_md_taken(const ho_md_reader *r, ho_buf *out);
/* A text with its place. */
ho_node *ho_md_node(const ho_md_reader *r, ho_str text, uint32_t from, uint32_t to);
/* The last block of a part, or NULL. */
const ho_md_block *ho_md_last(const ho_md_part *part);
/* Where an item's content begins, and in which column. */
uint32_t ho_md_item_content(const ho_md_reader *r, const ho_md_block *item, unsigned *column);
#endif
