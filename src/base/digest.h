/* SHA-256, random bytes and comparison of secrets, from libsodium; the inner part of SHA-256 is the processor's own where it has one. */
#ifndef HO_BASE_DIGEST_H
#define HO_BASE_DIGEST_H

#include "base/error.h"

enum {
  HO_DIGEST_BYTES = 32,
  HO_DIGEST_SIZE = 65, /* room for 64 hexadecimal digits and their NUL */
};

/* A hash that is fed in pieces. The contents are as libsodium's. */
typedef struct ho_digest {
  uint64_t state[16];
} ho_digest;
void ho_digest_begin(ho_digest *digest);
void ho_digest_put(ho_digest *digest, ho_str part);
/* As 64 lower-case hexadecimal digits. */
void ho_digest_end(ho_digest *digest, char out[HO_DIGEST_SIZE]);

/* The hash of one text, as 64 lower-case hexadecimal digits. */
void ho_digest_text(ho_str text, char out[HO_DIGEST_SIZE]);
/* HMAC-SHA-256: only who knows the key can make it. As 64 lower-case hexadecimal digits. */
void ho_digest_keyed(ho_str key, ho_str text, char out[HO_DIGEST_SIZE]);
/* True if the text is 64 lower-case hexadecimal digits. */
bool ho_digest_valid(ho_str text);

/* bytes × 2 random hexadecimal digits and a NUL, so `out` has room for bytes × 2 + 1. At most HO_DIGEST_BYTES. */
ho_code ho_random_hex(char *out, size_t bytes, ho_error *err) HO_NODISCARD;

/* Compares in a time that does not reveal where they differ: for tokens and their hashes. */
bool ho_digest_eq(ho_str a, ho_str b);
#endif
