/* Key pairs: what was signed is verified, by this key and for this text only; a locked secret needs its passphrase. */
#include "unit.h"

#include "base/keypair.h"

static void signs(void **state)
{
  ho_keypair one, other;
  ho_error err = {0};
  char key[HO_KEY_SIZE], another[HO_KEY_SIZE], signature[HO_SIGNATURE_SIZE];
  (void)state;
  assert_int_equal(ho_keypair_new(&one, &err), HO_OK);
  assert_int_equal(ho_keypair_new(&other, &err), HO_OK);
  ho_keypair_public(&one, key);
  ho_keypair_public(&other, another);
  ho_keypair_sign(&one, HO_STR("approve"), signature);
  assert_true(ho_keypair_verify(ho_str_of(key), HO_STR("approve"), ho_str_of(signature)));
  assert_false(ho_keypair_verify(ho_str_of(key), HO_STR("reject"), ho_str_of(signature)));
  assert_false(ho_keypair_verify(ho_str_of(another), HO_STR("approve"), ho_str_of(signature)));
  assert_false(ho_keypair_verify(ho_str_of(key), HO_STR("approve"), HO_EMPTY));
  assert_false(ho_keypair_verify(HO_STR("x"), HO_STR("approve"), ho_str_of(signature)));
  for (size_t i = 0; i < 85; i += 7) { /* no other text is the same signature */
    char changed = signature[i] == 'A' ? 'B' : 'A', kept = signature[i];
    signature[i] = changed;
    assert_false(ho_keypair_verify(ho_str_of(key), HO_STR("approve"), ho_str_of(signature)));
    signature[i] = kept;
  }
}

static void has_a_fingerprint(void **state)
{
  char print[HO_FINGERPRINT_SIZE], zero[HO_KEY_SIZE] = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";
  (void)state;
  ho_keypair_fingerprint(ho_str_of(zero), print);
  assert_string_equal(print, "66687aadf862bd776c8fc18b8e9f8e20"); /* SHA-256 of 32 zero bytes */
  ho_keypair_fingerprint(HO_STR("AAAA"), print);
  assert_string_equal(print, "");
  assert_true(ho_keypair_valid(ho_str_of(zero)));
  assert_false(ho_keypair_valid(HO_STR("AAAA")));
  assert_false(ho_keypair_valid(HO_EMPTY));
}

static void locks(void **state)
{
  ho_keypair pair, again;
  ho_locked_key locked;
  ho_error err = {0};
  char key[HO_KEY_SIZE];
  (void)state;
  assert_int_equal(ho_keypair_new(&pair, &err), HO_OK);
  ho_keypair_public(&pair, key);
  assert_int_equal(ho_keypair_lock(&pair, HO_STR("short"), &locked, &err), HO_USAGE);
  assert_int_equal(ho_keypair_lock(&pair, HO_STR("long enough"), &locked, &err), HO_OK);
  assert_int_equal(ho_keypair_unlock(&locked, ho_str_of(key), HO_STR("long enough"), &again, &err), HO_OK);
  assert_memory_equal(&pair, &again, sizeof pair);
  assert_int_equal(ho_keypair_unlock(&locked, ho_str_of(key), HO_STR("Long enough"), &again, &err), HO_GATED);
  assert_int_equal(ho_keypair_unlock(&locked, HO_STR("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="),
                                     HO_STR("long enough"), &again, &err),
                   HO_GATED);
  ho_locked_key bad = locked;
  bad.bytes = (uint64_t)1 << 40; /* a file must not make the program ask for all the memory there is */
  assert_int_equal(ho_keypair_unlock(&bad, ho_str_of(key), HO_STR("long enough"), &again, &err), HO_INVALID);
  bad = locked;
  bad.passes = 0;
  assert_int_equal(ho_keypair_unlock(&bad, ho_str_of(key), HO_STR("long enough"), &again, &err), HO_INVALID);
  bad = locked;
  bad.box[0] = '!';
  assert_int_equal(ho_keypair_unlock(&bad, ho_str_of(key), HO_STR("long enough"), &again, &err), HO_INVALID);
  ho_keypair_wipe(&pair);
  static const ho_keypair nothing;
  assert_memory_equal(&pair, &nothing, sizeof pair);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(signs), cmocka_unit_test(has_a_fingerprint),
                                     cmocka_unit_test(locks)};
  return unit_run(tests);
}
