/* Text for people: wrapped lines, bold headings. */
#ifndef HO_COMMAND_WRAP_H
#define HO_COMMAND_WRAP_H

#include "base/buf.h"

enum { HO_TEXT_WIDTH = 80 };

/* Writes text with `indent` spaces before each line and at most HO_TEXT_WIDTH cells per line, unless a single word is
 * longer; between wide characters (Chinese, emoji) a line may break without a space. Line breaks in the text are kept,
 * and so is the indentation of each line; list items hang behind their markers. The first line continues the output,
 * which already has `column` cells. Ends in a newline. Nothing in it can control a terminal. */
void ho_wrap(ho_buf *out, ho_str text, size_t indent, size_t column);
/* The same at another width. */
void ho_wrap_to(ho_buf *out, ho_str text, size_t width, size_t indent, size_t column);
/* Writes text as one paragraph, its line breaks as spaces: wrapped to a terminal's width, or on one line if that is 0. */
void ho_put_flow(ho_buf *out, ho_str text, size_t width, size_t indent);
/* In bold if `colour`. */
void ho_put_bold(ho_buf *out, ho_str text, bool colour);
/* "0:07", "1:02:33". */
void ho_put_elapsed(ho_buf *out, int64_t ms);
/* At most `cells` of a text on one line, with "…" if it was cut; nothing in it can control a terminal. */
void ho_put_cut(ho_buf *out, ho_str text, size_t cells);
#endif
