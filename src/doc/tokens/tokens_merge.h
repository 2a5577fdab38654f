/* The second half of counting: the bytes of a piece are joined into tokens, the lowest rank first. */
#ifndef HO_DOC_TOKENS_TOKENS_MERGE_H
#define HO_DOC_TOKENS_TOKENS_MERGE_H

#include "doc/tokens/tokens_image.h"

/* The number of tokens in the piece: 1 if it is a token itself; else its bytes are joined: the two neighbours that
 * form the token of the lowest rank (the leftmost of equal ones), for as long as there are any. Uses no memory but
 * about 50 KB of stack; takes linear time. */
size_t ho_tokens_merge(const ho_image *image, ho_str piece);
#endif
