/* Counting tokens: exactly (o200k_base) if the rank image is installed; else an estimate that is marked as such. */
#ifndef HO_DOC_TOKENS_TOKENS_H
#define HO_DOC_TOKENS_TOKENS_H

#include "base/error.h"

typedef struct ho_tokens ho_tokens; /* a mapped image */

/* Maps the image at `path` (built from the public rank file by tools/tokens_image.c), in constant time: pages are
 * read when counting needs them. HO_NOT_FOUND if there is none, HO_IO if its header or size is wrong. Damage after
 * the header makes counts wrong, nothing else. */
ho_code ho_tokens_open(ho_tokens **out, const char *path, ho_error *err) HO_NODISCARD;
void ho_tokens_close(ho_tokens *tokens);
/* "o200k_base", or "bytes/4" for NULL. */
const char *ho_tokens_name(const ho_tokens *tokens);
/* The number of tokens in text; special tokens such as <|endoftext|> are ordinary text. With NULL: bytes / 4,
 * rounded up. Takes linear time even for hostile input. Uses no memory but about 50 KB of stack; safe to call from
 * several threads. */
size_t ho_tokens_count(const ho_tokens *tokens, ho_str text);
#endif
