#include "base/digest.h"

#include <sodium.h>

#include "base/digest_fast.h"

_Static_assert(sizeof(ho_digest) >= sizeof(crypto_hash_sha256_state), "room for libsodium's state");
_Static_assert(HO_DIGEST_BYTES == crypto_hash_sha256_BYTES, "SHA-256");

static crypto_hash_sha256_state *inner(ho_digest *digest)
{
  return (crypto_hash_sha256_state *)(void *)digest;
}

void ho_digest_begin(ho_digest *digest)
{
  crypto_hash_sha256_init(inner(digest));
}

/* As crypto_hash_sha256_update, on the same state. */
static void put_fast(crypto_hash_sha256_state *state, const uint8_t *at, size_t n)
{
  enum { BLOCK = HO_DIGEST_BLOCK };
  size_t kept = (size_t)(state->count / 8) % BLOCK, whole = 0;
  state->count += (uint64_t)n * 8;
  if (kept && n >= BLOCK - kept) {
    whole = BLOCK - kept;
    memcpy(state->buf + kept, at, whole);
    ho_digest_fast_blocks(state->state, state->buf, 1);
    kept = 0;
  }
  if (!kept && n - whole >= BLOCK) {
    ho_digest_fast_blocks(state->state, at + whole, (n - whole) / BLOCK);
    whole += (n - whole) / BLOCK * BLOCK;
  }
  if (n > whole)
    memcpy(state->buf + kept, at + whole, n - whole);
}

/* As crypto_hash_sha256_final: a bit that is set, zeros up to the end of a block, and there the number of bits. */
static void end_fast(crypto_hash_sha256_state *state, uint8_t out[HO_DIGEST_BYTES])
{
  enum { BLOCK = HO_DIGEST_BLOCK, COUNT = 8 };
  uint8_t end[BLOCK + COUNT] = {0x80};
  uint64_t bits = state->count;
  size_t kept = (size_t)(bits / 8) % BLOCK, before = (kept < BLOCK - COUNT ? BLOCK : 2 * BLOCK) - COUNT - kept;
  for (size_t i = 0; i < COUNT; i++)
    end[before + i] = (uint8_t)(bits >> (56 - 8 * i));
  put_fast(state, end, before + COUNT);
  for (size_t i = 0; i < HO_DIGEST_BYTES; i++)
    out[i] = (uint8_t)(state->state[i / 4] >> (24 - 8 * (i % 4)));
  sodium_memzero(state, sizeof *state);
}

void ho_digest_put(ho_digest *digest, ho_str part)
{
  if (ho_digest_fast())
    put_fast(inner(digest), (const uint8_t *)part.p, part.n);
  else
    crypto_hash_sha256_update(inner(digest), (const unsigned char *)part.p, part.n);
}

void ho_digest_end(ho_digest *digest, char out[HO_DIGEST_SIZE])
{
  unsigned char bytes[HO_DIGEST_BYTES];
  if (ho_digest_fast())
    end_fast(inner(digest), bytes);
  else
    crypto_hash_sha256_final(inner(digest), bytes);
  sodium_bin2hex(out, HO_DIGEST_SIZE, bytes, sizeof bytes);
}

void ho_digest_text(ho_str text, char out[HO_DIGEST_SIZE])
{
  ho_digest digest;
  ho_digest_begin(&digest);
  ho_digest_put(&digest, text);
  ho_digest_end(&digest, out);
}

void ho_digest_keyed(ho_str key, ho_str text, char out[HO_DIGEST_SIZE])
{
  unsigned char bytes[crypto_auth_hmacsha256_BYTES];
  crypto_auth_hmacsha256_state state;
  crypto_auth_hmacsha256_init(&state, (const unsigned char *)key.p, key.n);
  crypto_auth_hmacsha256_update(&state, (const unsigned char *)text.p, text.n);
  crypto_auth_hmacsha256_final(&state, bytes);
  sodium_bin2hex(out, HO_DIGEST_SIZE, bytes, sizeof bytes);
}

bool ho_digest_valid(ho_str text)
{
  for (size_t i = 0; i < text.n; i++)
    if (!((text.p[i] >= '0' && text.p[i] <= '9') || (text.p[i] >= 'a' && text.p[i] <= 'f')))
      return false;
  return text.n == HO_DIGEST_SIZE - 1;
}

ho_code ho_random_hex(char *out, size_t bytes, ho_error *err)
{
  unsigned char random[HO_DIGEST_BYTES];
  if (bytes > sizeof random)
    return ho_fail(err, HO_BUG, "%zu random bytes requested; the maximum is %zu", bytes, sizeof random);
  if (sodium_init() < 0)
    return ho_fail(err, HO_IO, "the system provides no random numbers");
  randombytes_buf(random, bytes);
  sodium_bin2hex(out, bytes * 2 + 1, random, bytes);
  sodium_memzero(random, sizeof random);
  return HO_OK;
}

bool ho_digest_eq(ho_str a, ho_str b)
{
  return a.n == b.n && (a.n == 0 || sodium_memcmp(a.p, b.p, a.n) == 0);
}
