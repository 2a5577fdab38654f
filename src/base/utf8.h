/* UTF-8: validity, code points, columns. */
#ifndef HO_BASE_UTF8_H
#define HO_BASE_UTF8_H

#include "base/str.h"

/* Offset of the first byte that is not well-formed UTF-8 (surrogates and overlong forms included), or HO_NONE. */
size_t ho_utf8_bad(ho_str s);
/* Returns the code point at *at and moves *at past it. s is valid UTF-8 and *at < s.n. */
uint32_t ho_utf8_next(ho_str s, size_t *at);
/* Writes the code point to `to` (at least 4 bytes) and returns the number of bytes. */
size_t ho_utf8_put(char *to, uint32_t cp);
/* Code points in s. */
size_t ho_utf8_count(ho_str s);
/* The greatest offset <= at that starts a code point. */
size_t ho_utf8_floor(ho_str s, size_t at);
/* Control characters (below U+0020, U+007F to U+009F) and the bidirectional controls: what must not reach a terminal. Tab and newline count too. */
bool ho_utf8_control(uint32_t cp);
/* Is cp, between `before` and `after` (0 at an end), a character that nobody sees but a machine reads, which can hide,
 * reorder or smuggle text? Zero-width and filling characters, separators of lines, tags, variation selectors,
 * interlinear marks, the bidirectional controls, and controls other than tab, newline (also U+0085) and carriage return.
 * Not hidden: a joiner after a letter of a script that needs it, or inside an emoji, and the one selector that may follow
 * an emoji. What is hidden is escaped on terminals, left out of prompts and reported by `check`. */
bool ho_utf8_hidden(uint32_t before, uint32_t cp, uint32_t after);
/* How a code point looks, wherever it stands: it has ink; as a blank; as a blank or nothing, by font; or nobody sees it. */
typedef enum ho_utf8_look { HO_LOOK_INK, HO_LOOK_BLANK, HO_LOOK_FILLER, HO_LOOK_NOTHING } ho_utf8_look;
ho_utf8_look ho_utf8_looks(uint32_t cp);
/* A letter, mark or digit of a script that is in use: what a name may consist of. */
bool ho_utf8_letter(uint32_t cp);
/* The code point at `at`, or 0 at the end. */
uint32_t ho_utf8_peek(ho_str s, size_t at);
/* Terminal cells: 0 for combining marks, 2 for wide East Asian characters and emoji, else 1. */
int ho_utf8_width(uint32_t cp);
#endif
