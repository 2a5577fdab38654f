/* Text for people: wrapped lines, bold headings. */
#ifndef HO_COMMAND_WRAP_H
#define HO_COMMAND_WRAP_H

#include "base/buf.h"

enum { HO_TEXT_WIDTH = 80 };

/* Puts text with `indent` spaces before each line and at most HO_TEXT_WIDTH cells a line, words that are longer apart;
 * between wide characters (Chinese, emoji) a line may be broken without a blank. Line breaks stay where they are, and so
 * does the indentation of each line; list items hang behind their markers. The first line goes on where the output is:
 * `column` cells are taken already. Ends in a newline. Nothing in it can steer a terminal. */
void ho_wrap(ho_buf *out, ho_str text, size_t indent, size_t column);
/* The same at another width. */
void ho_wrap_to(ho_buf *out, ho_str text, size_t width, size_t indent, size_t column);
/* In bold where `colour`. */
void ho_put_bold(ho_buf *out, ho_str text, bool colour);
/* "0:07", "1:02:33". */
void ho_put_elapsed(ho_buf *out, int64_t ms);
/* At most `cells` of a text on one line, with "…" where it was cut; nothing in it can steer a terminal. */
void ho_put_cut(ho_buf *out, ho_str text, size_t cells);
#endif
