/* Signatures of people: an Ed25519 key pair, and its secret half locked with a passphrase (Argon2id, then XSalsa20 and
 * Poly1305), from libsodium. Keys and signatures are written in base64. */
#ifndef HO_BASE_KEYPAIR_H
#define HO_BASE_KEYPAIR_H

#include "base/error.h"

enum {
  HO_KEY_SIZE = 45,         /* room for a public key as text and its NUL */
  HO_SIGNATURE_SIZE = 89,   /* for a signature */
  HO_FINGERPRINT_SIZE = 33, /* for a fingerprint: 32 hexadecimal digits of the key's SHA-256 */
  HO_PASSPHRASE_LEAST = 8,  /* bytes of a passphrase */
};

typedef struct ho_keypair {
  unsigned char public_key[32], secret[64];
} ho_keypair;

ho_code ho_keypair_new(ho_keypair *out, ho_error *err) HO_NODISCARD;
/* Overwrites the secret; the compiler cannot leave it out. */
void ho_keypair_wipe(ho_keypair *pair);
/* The same for a passphrase. */
void ho_keypair_forget(char *text, size_t size);

void ho_keypair_public(const ho_keypair *pair, char out[HO_KEY_SIZE]);
/* Is it a public key as text? */
bool ho_keypair_valid(ho_str key);
/* Of a public key as text; "" if it is none. */
void ho_keypair_fingerprint(ho_str key, char out[HO_FINGERPRINT_SIZE]);
/* The text should begin with words that no other kind of text begins with, so that no signature fits two purposes. */
void ho_keypair_sign(const ho_keypair *pair, ho_str text, char out[HO_SIGNATURE_SIZE]);
bool ho_keypair_verify(ho_str key, ho_str text, ho_str signature);

/* A locked secret, and what is needed besides the passphrase to unlock it. */
typedef struct ho_locked_key {
  uint64_t passes, bytes; /* of Argon2id */
  char salt[25];          /* base64 */
  char box[97];           /* base64: nonce and box */
} ho_locked_key;
/* Takes about a second and 256 MiB, on purpose. HO_USAGE if the passphrase is too short. */
ho_code ho_keypair_lock(const ho_keypair *pair, ho_str passphrase, ho_locked_key *out, ho_error *err) HO_NODISCARD;
/* HO_GATED if the passphrase is wrong, or the secret is not that of `key`. */
ho_code ho_keypair_unlock(const ho_locked_key *locked, ho_str key, ho_str passphrase, ho_keypair *out,
                          ho_error *err) HO_NODISCARD;
#endif
