/* A text as a reader sees it, so that texts that look the same are the same when they are compared. */
#ifndef HO_BASE_SEEN_H
#define HO_BASE_SEEN_H

#include "base/buf.h"

/* What nobody sees is left out wherever it stands, and every kind of blank is one. The fillers of Hangul are shown as a
 * blank or not at all, so whoever compares has to try both: `filler` is what stands for one, and *fillers whether there are
 * any. A text that is not UTF-8 stays as it is. */
ho_str ho_seen_text(ho_arena *arena, ho_str text, const char *filler, bool *fillers);
#endif
