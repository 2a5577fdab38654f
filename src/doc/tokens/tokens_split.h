/* The first half of counting: text is cut into pieces, and no token crosses a cut. */
#ifndef HO_DOC_TOKENS_TOKENS_SPLIT_H
#define HO_DOC_TOKENS_TOKENS_SPLIT_H

#include "base/str.h"

/* The end of the piece that starts at `at` (< text.n), according to the pattern of o200k_base; greater than `at`.
 * Takes linear time over a whole text. A byte that is not UTF-8 counts as punctuation. */
size_t ho_tokens_split(ho_str text, size_t at);
#endif
