/* Text inside another language: what would mean something there is written so that it does not. */
#ifndef HO_BASE_ESCAPE_H
#define HO_BASE_ESCAPE_H

#include "base/buf.h"

/* With a backslash before each character of `special` (ASCII). */
void ho_escape_backslash(ho_buf *out, ho_str text, const char *special);
/* With each character of `special` (ASCII) as %XX. */
void ho_escape_percent(ho_buf *out, ho_str text, const char *special);
/* Inside HTML, also inside an attribute's double quotes. */
void ho_escape_html(ho_buf *out, ho_str text);
/* Inside the double quotes of a label of Mermaid, where HTML counts too. */
void ho_escape_mermaid(ho_buf *out, ho_str text);
/* A character that cannot be shown: \n, \t, \r, \x1b, \u200b or \U000e0041; `hex` is 'x' or 'X', the case of its digits. */
void ho_escape_character(ho_buf *out, uint32_t cp, char hex);
#endif
