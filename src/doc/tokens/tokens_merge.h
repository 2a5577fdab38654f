/* The second half of counting: the bytes of a piece are joined into tokens, the lowest rank first. */
#ifndef HO_DOC_TOKENS_TOKENS_MERGE_H
#define HO_DOC_TOKENS_TOKENS_MERGE_H

#include "doc/tokens/tokens_image.h"

/* Tokens in the piece: 1 where it is a token itself; else its bytes, with the two neighbours that make the token of the
 * lowest rank (the leftmost of equal ones) joined for as long as there are any. Takes no memory but about 50 KB of
 * stack; linear in the piece. */
size_t ho_tokens_merge(const ho_image *image, ho_str piece);
#endif
