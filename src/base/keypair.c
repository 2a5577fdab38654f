#include "base/keypair.h"

#include <sodium.h>

#include "base/digest.h"

enum {
  SEED = crypto_sign_SEEDBYTES,
  SALT = crypto_pwhash_SALTBYTES,
  NONCE = crypto_secretbox_NONCEBYTES,
  BOX = NONCE + crypto_secretbox_MACBYTES + SEED,
  MOST_PASSES = 64, /* what a key file may ask for: more would only hold the program up */
  BASE64 = sodium_base64_VARIANT_ORIGINAL
};
static const uint64_t most_bytes = (uint64_t)1 << 30;

/* What a guess at a passphrase costs: about a second and 256 MiB. Each key's file says its own, so keys of all builds open
 * everywhere. Sanitized builds are for tests, which make hundreds of keys that guard nothing. */
#ifdef HO_QUICK_KEYS
enum { PASSES = crypto_pwhash_OPSLIMIT_MIN, BYTES = crypto_pwhash_MEMLIMIT_MIN };
#else
enum { PASSES = crypto_pwhash_OPSLIMIT_MODERATE, BYTES = crypto_pwhash_MEMLIMIT_MODERATE };
#endif

_Static_assert(sizeof((ho_keypair){0}.public_key) == crypto_sign_PUBLICKEYBYTES, "Ed25519");
_Static_assert(sizeof((ho_keypair){0}.secret) == crypto_sign_SECRETKEYBYTES, "Ed25519");
_Static_assert(HO_KEY_SIZE == sodium_base64_ENCODED_LEN(crypto_sign_PUBLICKEYBYTES, BASE64), "room");
_Static_assert(HO_SIGNATURE_SIZE == sodium_base64_ENCODED_LEN(crypto_sign_BYTES, BASE64), "room");
_Static_assert(sizeof((ho_locked_key){0}.salt) == sodium_base64_ENCODED_LEN(SALT, BASE64), "room");
_Static_assert(sizeof((ho_locked_key){0}.box) == sodium_base64_ENCODED_LEN(BOX, BASE64), "room");

/* Reads exactly `size` bytes of base64. */
static bool decode(ho_str text, unsigned char *out, size_t size)
{
  size_t n = 0;
  return text.n && sodium_base642bin(out, size, text.p, text.n, NULL, &n, NULL, BASE64) == 0 && n == size;
}

static ho_code begin(ho_error *err)
{
  return sodium_init() < 0 ? ho_fail(err, HO_IO, "the system provides no random numbers") : HO_OK;
}

ho_code ho_keypair_new(ho_keypair *out, ho_error *err)
{
  ho_code code = begin(err);
  if (!code)
    crypto_sign_keypair(out->public_key, out->secret);
  return code;
}

void ho_keypair_wipe(ho_keypair *pair)
{
  sodium_memzero(pair, sizeof *pair);
}

void ho_keypair_forget(char *text, size_t size)
{
  sodium_memzero(text, size);
}

void ho_keypair_public(const ho_keypair *pair, char out[HO_KEY_SIZE])
{
  sodium_bin2base64(out, HO_KEY_SIZE, pair->public_key, sizeof pair->public_key, BASE64);
}

bool ho_keypair_valid(ho_str key)
{
  unsigned char bytes[crypto_sign_PUBLICKEYBYTES];
  return decode(key, bytes, sizeof bytes);
}

void ho_keypair_fingerprint(ho_str key, char out[HO_FINGERPRINT_SIZE])
{
  unsigned char bytes[crypto_sign_PUBLICKEYBYTES];
  char digest[HO_DIGEST_SIZE];
  out[0] = '\0';
  if (!decode(key, bytes, sizeof bytes))
    return;
  ho_digest_text((ho_str){(const char *)bytes, sizeof bytes}, digest);
  snprintf(out, HO_FINGERPRINT_SIZE, "%.*s", HO_FINGERPRINT_SIZE - 1, digest);
}

void ho_keypair_sign(const ho_keypair *pair, ho_str text, char out[HO_SIGNATURE_SIZE])
{
  unsigned char signature[crypto_sign_BYTES];
  crypto_sign_detached(signature, NULL, (const unsigned char *)text.p, text.n, pair->secret);
  sodium_bin2base64(out, HO_SIGNATURE_SIZE, signature, sizeof signature, BASE64);
}

bool ho_keypair_verify(ho_str key, ho_str text, ho_str signature)
{
  unsigned char public_key[crypto_sign_PUBLICKEYBYTES], bytes[crypto_sign_BYTES];
  return decode(key, public_key, sizeof public_key) && decode(signature, bytes, sizeof bytes) &&
         crypto_sign_verify_detached(bytes, (const unsigned char *)text.p, text.n, public_key) == 0;
}

/* The key of the box, from the passphrase. */
static ho_code stretch(const ho_locked_key *locked, ho_str passphrase, unsigned char *out, ho_error *err)
{
  unsigned char salt[SALT];
  if (!decode(ho_str_of(locked->salt), salt, sizeof salt) || locked->passes < 1 || locked->passes > MOST_PASSES ||
      locked->bytes < crypto_pwhash_MEMLIMIT_MIN || locked->bytes > most_bytes)
    return ho_fail(err, HO_INVALID, "the key's file is damaged: its parameters make no sense");
  if (crypto_pwhash(out, crypto_secretbox_KEYBYTES, passphrase.p, passphrase.n, salt, locked->passes,
                    (size_t)locked->bytes, crypto_pwhash_ALG_ARGON2ID13))
    return ho_fail_memory(err);
  return HO_OK;
}

ho_code ho_keypair_lock(const ho_keypair *pair, ho_str passphrase, ho_locked_key *out, ho_error *err)
{
  unsigned char key[crypto_secretbox_KEYBYTES], seed[SEED], salt[SALT], box[BOX];
  if (passphrase.n < HO_PASSPHRASE_LEAST)
    return ho_fail(err, HO_USAGE, "a passphrase must have at least %d characters", HO_PASSPHRASE_LEAST);
  ho_code code = begin(err);
  if (code)
    return code;
  randombytes_buf(salt, sizeof salt);
  randombytes_buf(box, NONCE);
  *out = (ho_locked_key){.passes = PASSES, .bytes = BYTES};
  sodium_bin2base64(out->salt, sizeof out->salt, salt, sizeof salt, BASE64);
  code = stretch(out, passphrase, key, err);
  if (!code) {
    crypto_sign_ed25519_sk_to_seed(seed, pair->secret);
    crypto_secretbox_easy(box + NONCE, seed, sizeof seed, box, key);
    sodium_bin2base64(out->box, sizeof out->box, box, sizeof box, BASE64);
  }
  sodium_memzero(key, sizeof key);
  sodium_memzero(seed, sizeof seed);
  return code;
}

ho_code ho_keypair_unlock(const ho_locked_key *locked, ho_str key, ho_str passphrase, ho_keypair *out, ho_error *err)
{
  unsigned char inner[crypto_secretbox_KEYBYTES], seed[SEED], box[BOX];
  char public_key[HO_KEY_SIZE];
  if (!decode(ho_str_of(locked->box), box, sizeof box))
    return ho_fail(err, HO_INVALID, "the key's file is damaged: its secret cannot be read");
  ho_code code = begin(err);
  if (!code)
    code = stretch(locked, passphrase, inner, err);
  if (!code && crypto_secretbox_open_easy(seed, box + NONCE, sizeof box - NONCE, box, inner))
    code = ho_fail(err, HO_GATED, "the passphrase is wrong");
  if (!code) {
    crypto_sign_seed_keypair(out->public_key, out->secret, seed);
    ho_keypair_public(out, public_key);
    if (!ho_str_is(key, public_key)) {
      ho_keypair_wipe(out);
      code = ho_fail(err, HO_GATED, "the key's file is damaged: its secret belongs to another public key");
    }
  }
  sodium_memzero(inner, sizeof inner);
  sodium_memzero(seed, sizeof seed);
  return code;
}
