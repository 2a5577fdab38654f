/* SHA-256: the published examples, and libsodium's own of every length and cut into every piece, whichever of the two the
 * program uses here. */
#include <sodium.h>

#include "unit.h"

#include "base/digest.h"

static void check(const char *text, const char *expected)
{
  char out[HO_DIGEST_SIZE];
  ho_digest_text(ho_str_of(text), out);
  assert_string_equal(out, expected);
}

static void published_examples_hold(void **state)
{
  (void)state;
  check("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  check("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  check("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
}

enum { LONGEST = 1000 };
static unsigned char bytes[LONGEST];

static void expect(size_t n, char out[HO_DIGEST_SIZE])
{
  unsigned char hash[crypto_hash_sha256_BYTES];
  crypto_hash_sha256(hash, bytes, n);
  sodium_bin2hex(out, HO_DIGEST_SIZE, hash, sizeof hash);
}

static void every_length_is_as_libsodium_has_it(void **state)
{
  (void)state;
  for (size_t n = 0; n <= LONGEST; n++) {
    char out[HO_DIGEST_SIZE], expected[HO_DIGEST_SIZE];
    expect(n, expected);
    ho_digest_text((ho_str){(const char *)bytes, n}, out);
    assert_string_equal(out, expected);
  }
}

/* In pieces of one length, and in pieces that grow. */
static void pieces_make_no_difference(void **state)
{
  char out[HO_DIGEST_SIZE], expected[HO_DIGEST_SIZE];
  (void)state;
  expect(LONGEST, expected);
  for (size_t first = 1; first < 200; first++)
    for (size_t more = 0; more < 3; more++) {
      ho_digest digest;
      ho_digest_begin(&digest);
      ho_digest_put(&digest, HO_EMPTY);
      for (size_t at = 0, piece = first; at < LONGEST; at += piece, piece += more)
        ho_digest_put(&digest, (ho_str){(const char *)bytes + at, at + piece < LONGEST ? piece : LONGEST - at});
      ho_digest_end(&digest, out);
      assert_string_equal(out, expected);
    }
}

/* A million times the same letter, as published, in pieces across the blocks. */
static void a_million_letters_hash_as_published(void **state)
{
  ho_digest digest;
  char out[HO_DIGEST_SIZE], piece[1000];
  (void)state;
  memset(piece, 'a', sizeof piece);
  ho_digest_begin(&digest);
  for (int i = 0; i < 1000; i++)
    ho_digest_put(&digest, (ho_str){piece, sizeof piece});
  ho_digest_end(&digest, out);
  assert_string_equal(out, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

int main(void)
{
  for (size_t i = 0; i < LONGEST; i++)
    bytes[i] = (unsigned char)(i * 131 + i / 7);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(published_examples_hold), cmocka_unit_test(every_length_is_as_libsodium_has_it),
      cmocka_unit_test(pieces_make_no_difference), cmocka_unit_test(a_million_letters_hash_as_published)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
