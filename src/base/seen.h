/* A text as a reader sees it, so that texts that look the same are the same when they are compared. */
#ifndef HO_BASE_SEEN_H
#define HO_BASE_SEEN_H

#include "base/buf.h"

/* What nobody sees is left out wherever it stands, every kind of blank is one, and letters that look alike are the same
 * (ho_seen_alike). The fillers of Hangul are shown as a blank or not at all, so whoever compares has to try both: `filler`
 * is what stands for one, and *fillers whether there are any. A text that is not UTF-8 stays as it is. */
ho_str ho_seen_text(ho_arena *arena, ho_str text, const char *filler, bool *fillers);

/* The letter or digit of ASCII that this one, beyond ASCII, looks like, small (for a Cyrillic A, an E with an accent, a wide
 * one); 0 for a mark that only changes the letter before it; the small letter of another capital; else itself. */
uint32_t ho_seen_alike(uint32_t cp);
#endif
