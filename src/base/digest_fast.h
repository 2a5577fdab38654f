/* The inner part of SHA-256, where the processor has instructions for it; only for digest.c. */
#ifndef HO_BASE_DIGEST_FAST_H
#define HO_BASE_DIGEST_FAST_H

#include "base/str.h"

enum { HO_DIGEST_BLOCK = 64 }; /* bytes */

/* Has it? Otherwise the other one must not be called. */
bool ho_digest_fast(void);
/* Takes so many whole blocks into the state. */
void ho_digest_fast_blocks(uint32_t state[8], const uint8_t *at, size_t count);
#endif
