/* Counting tokens: o200k_base, exactly, where the rank image is installed; else an estimate that says so. */
#ifndef HO_DOC_TOKENS_TOKENS_H
#define HO_DOC_TOKENS_TOKENS_H

#include "base/error.h"

typedef struct ho_tokens ho_tokens; /* a mapped image */

/* Maps the image at `path` (built from the public rank file by tools/tokens_image.c), in a time that does not depend on
 * its size: pages are read when counting needs them. HO_NOT_FOUND where there is none, HO_IO where its header or size
 * is wrong. Damage behind the header makes counts wrong, nothing else. */
ho_code ho_tokens_open(ho_tokens **out, const char *path, ho_error *err) HO_NODISCARD;
void ho_tokens_close(ho_tokens *tokens);
/* "o200k_base", or "bytes/4" for NULL. */
const char *ho_tokens_name(const ho_tokens *tokens);
/* Tokens in text; special tokens such as <|endoftext|> are ordinary text. With NULL: bytes / 4, rounded up. Linear in
 * the text also for hostile input. Takes no memory but about 50 KB of stack; safe to call from several threads. */
size_t ho_tokens_count(const ho_tokens *tokens, ho_str text);
#endif
