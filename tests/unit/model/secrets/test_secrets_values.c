/* Values that their names give away: which names, however they are written, and where a value begins and ends. */
#include "model/secrets/made.h"

#include "model/secrets/secrets.h"

/* In each of these texts, what stands between "[[" and "]]" is taken, all of it, and nothing else. */
static void assert_values(const char *const *texts, size_t count)
{
  for (size_t i = 0; i < count; i++) {
    ho_arena arena;
    size_t found = 0;
    ho_arena_init(&arena, 0);
    ho_str text = made_text(&arena, texts[i]);
    size_t open = ho_str_find(text, "[["), close = ho_str_find(text, "]]");
    assert_true(open != HO_NONE && close != HO_NONE);
    ho_str before = ho_str_sub(text, 0, open), after = ho_str_sub(text, close + 2, text.n);
    ho_str whole = ho_arena_printf(&arena, "%.*s%.*s%.*s", HO_ARG(before), HO_ARG(ho_str_sub(text, open + 2, close)),
                                   HO_ARG(after));
    ho_str clean = ho_secret_redact(whole, &arena, &found);
    ho_str middle = ho_str_sub(clean, before.n, clean.n - after.n);
    if (found != 1 || !ho_str_starts(clean, ho_arena_z(&arena, before)) ||
        !ho_str_ends(clean, ho_arena_z(&arena, after)) || !ho_str_starts(middle, "REDACTED-") ||
        ho_str_has(middle, " "))
      fail_msg("%zu found: %.*s became %.*s", found, HO_ARG(whole), HO_ARG(clean));
    ho_arena_free(&arena);
  }
}

static void a_value_is_taken_whole(void **state)
{
  (void)state;
  static const char *const texts[] = {"DB_PASSWORD='[[*6,*7]]' next",
                                      "DB_PASSWORD=\"[[*6;*7]]\"",
                                      "DB_PASSWORD=\"[[*6)*7]]\"",
                                      "DB_PASSWORD='[[*6 *7]]'",
                                      "DB_PASSWORD='[[*6\"*7]]'",
                                      "DB_PASSWORD=\"[[*6'*7]]\"",
                                      "\"password\": \"[[*6\\\"*7]]\"}",
                                      "DB_PASSWORD='[[*6''*7]]'",
                                      "{\\\"password\\\": \\\"[[*6,*7]]\\\"}",
                                      "password: [[*6,*7]]\nnext: 1",
                                      "password: [[*6;*7]]",
                                      "password: [[*6}*7]]",
                                      "password: [[*6'*7]]",
                                      "password: [[*6\"*7]]",
                                      "--password [[*6,*7]] --yes",
                                      "password: [[$*8]]",
                                      "password: [[{*12]]",
                                      "password: [[(*12]]",
                                      "password: [[/*12]]",
                                      "DB_PASSWORD='[[/*12]]'",
                                      "Server=a;Password=[[*9]];Encrypt=true",
                                      "user=a,password=[[*9]],host=b",
                                      "connect(user, password=[[*9]])",
                                      "{password: [[*9]]}",
                                      "https://x/?token=[[*30]]&b=2",
                                      "SMTP_PASSWORD=\"[[abcd efgh ijkl mnop]]\"",
                                      "<password>[[*6,*7]]</password>",
                                      "password: \"[[*9]]\", port: 1"};
  assert_values(texts, HO_COUNT(texts));
}

/* What hides a name from a reader of bytes, but not from people. */
static void hidden_names_are_found(void **state)
{
  (void)state;
  static const char *const texts[] = {"**Password:** [[*12]]\nnext",
                                      "**Password**: [[*12]]",
                                      "__password__: [[*12]]",
                                      "*password*: [[*12]]",
                                      "`password`: `[[*12]]`",
                                      "password: **[[*12]]**",
                                      "pass\xe2\x80\x8bword: [[*12]]",
                                      "password%3D[[*12]]",
                                      "p%61ssword=[[*12]]",
                                      "password\\u003d[[*12]]",
                                      "password&#61;[[*12]]",
                                      "password&#58; [[*12]]",
                                      "password:\n  [[*12]]\nnext: 1",
                                      "password: >\n  [[*12]]\n",
                                      "password: |\n  [[*12]]\nport: 1",
                                      "password: >-\n  [[*6\n  *7]]\nport: 1",
                                      "password: \\\n  [[*12]]\n",
                                      "Password:\n- `[[*12]]`\n",
                                      "password -> [[*12]]",
                                      "conf[\"password\"] = \"[[*12]]\"",
                                      "os.environ[\"DB_PASSWORD\"] = \"[[*12]]\"",
                                      "x.setPassword(\"[[*12]]\")",
                                      "auth=(\"admin\", \"[[*12]]\")",
                                      "os.getenv(\"DB_PASSWORD\", \"[[*12]]\")",
                                      "${DB_PASSWORD:-[[*12]]}",
                                      "var pwd = @\"[[*12]]\";"};
  assert_values(texts, HO_COUNT(texts));
}

/* What takes a secret's place keeps the document readable. */
static void a_number_becomes_a_text(void **state)
{
  (void)state;
  static const char *const texts[][2] = {
      {"{\"password\": 8765430192}", "{\"password\": \"REDACTED-password\"}"},
      {"{\\\"password\\\": 8765430192}", "{\\\"password\\\": \\\"REDACTED-password\\\"}"},
      {"password: 8765430192", "password: REDACTED-password"},
      {"{\"password\": \"8765430192\"}", "{\"password\": \"REDACTED-password\"}"}};
  for (size_t i = 0; i < HO_COUNT(texts); i++) {
    ho_arena arena;
    size_t count = 0;
    ho_arena_init(&arena, 0);
    assert_string_equal(ho_arena_z(&arena, ho_secret_redact(ho_str_of(texts[i][0]), &arena, &count)), texts[i][1]);
    ho_arena_free(&arena);
  }
}

static void what_is_no_value_stays(void **state)
{
  (void)state;
  static const char *const texts[] = {"signature = base64url_decode(crypto_segment)",
                                      "private_key: ed25519.Ed25519PrivateKey",
                                      "_DD_SIGNATURE = 0x08074b50",
                                      "api_key: sha256",
                                      "password: argon2id",
                                      "secret: HS256, token: RS512",
                                      "encryption_key: AES-256-GCM",
                                      "password = base64.b16encode(random_bytes[8:])",
                                      "auth = base64.b64encode(user_passwd.encode()).decode('ascii')",
                                      "password: $DB_PASSWORD",
                                      "password: ${DB_PASSWORD}",
                                      "password: $(pass show db)",
                                      "password: {{ db_password }}",
                                      "password: %DB_PASSWORD%",
                                      "password: {password}",
                                      "DB_PASSWORD=/run/secrets/db_password1",
                                      "password: /etc/keys/db1.key",
                                      "password: *default_password1",
                                      "password:\n  description: at least 12 characters\n",
                                      "password:\n  required: true\n",
                                      "\"password\": \"Please enter your password\"",
                                      "first_pass: completed, second_pass = refactoring",
                                      "\"session_id\": \"0b0e4a0e-6f0d-4b0e-9d0a-1c2d3e4f5a6b\"",
                                      "The password -> see the vault",
                                      "secret->description_of_it"};
  for (size_t i = 0; i < HO_COUNT(texts); i++) {
    ho_arena arena;
    ho_arena_init(&arena, 0);
    if (ho_secret_find(ho_str_of(texts[i]), &arena).count)
      fail_msg("taken for a secret: %s", texts[i]);
    ho_arena_free(&arena);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_value_is_taken_whole),
      cmocka_unit_test(hidden_names_are_found),
      cmocka_unit_test(a_number_becomes_a_text),
      cmocka_unit_test(what_is_no_value_stays),
  };
  return unit_run(tests);
}
