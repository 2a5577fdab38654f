/* Private keys: wherever one stands, all of its lines are taken, and no other. */
#include "model/secrets/made.h"

#include "model/secrets/secrets.h"

enum { LINES = 6 };

static const char *const kinds[] = {"RSA PRIVATE KEY", "PRIVATE KEY", "OPENSSH PRIVATE KEY", "EC PRIVATE KEY",
                                    "OpenVPN Static key V1"};

/* A key of this kind, with what `before` and `after` say around each line; "%d" is the line's number. */
static ho_str make_key(ho_arena *arena, const char *kind, const char *before, const char *after, bool ends)
{
  ho_buf out;
  char number[64];
  ho_buf_init(&out, 0);
  for (int i = 0; i < LINES + 1 + ends; i++) {
    snprintf(number, sizeof number, before, i + 1);
    ho_buf_puts(&out, number);
    if (i == 0 || i == LINES + 1)
      ho_buf_printf(&out, "-----%s %s-----", i ? "END" : "BEGIN", kind);
    else
      made_put(&out, i == LINES ? "*30=" : i % 2 ? "+*63" : "*64");
    ho_buf_puts(&out, after);
  }
  return ho_buf_move(&out, arena);
}

static ho_str clean_of(ho_arena *arena, ho_str text)
{
  size_t count = 0;
  ho_str clean = ho_secret_redact(text, arena, &count);
  assert_int_equal(arena->failed, 0);
  if (ho_str_has(clean, MADE_PART))
    fail_msg("lines of the key are left: %.*s", HO_ARG(clean));
  return clean;
}

static void assert_taken(ho_arena *arena, const char *head, ho_str key, const char *tail)
{
  ho_str clean = clean_of(arena, ho_arena_printf(arena, "%s%.*s%s", head, HO_ARG(key), tail));
  if (!ho_str_starts(clean, head) || !ho_str_ends(clean, tail) || !ho_str_has(clean, "REDACTED-private-key"))
    fail_msg("not what is expected: %.*s", HO_ARG(clean));
}

/* In mails, lists, diffs, programs and listings. */
static void a_key_is_found_behind_marks(void **state)
{
  (void)state;
  static const struct {
    const char *before, *after;
  } forms[] = {{"", "\n"},        {"    ", "\n"}, {"> ", "\n"},    {"+", "\n"},       {"-", "\n"},
               {"- ", "\n"},      {"  * ", "\n"}, {"# ", "\n"},    {"| ", "\n"},      {"%d: ", "\n"},
               {"%6d\t", "\n"},   {"%6d→", "\n"}, {"%d | ", "\n"}, {"", "\r\n"},      {"\"", "\",\n"},
               {"'", "\\n' +\n"}, {"", "\\n"},    {"", "\\\\n"},   {"", "\\\\\\\\n"}, {"", " "},
               {"`", "`\n"},      {"", "\n\n"},   {"", "<br>"},    {"    %d: ", "\n"}};
  for (size_t i = 0; i < HO_COUNT(forms); i++)
    for (size_t kind = 0; kind < HO_COUNT(kinds); kind++)
      for (int ends = 0; ends < 2; ends++) {
        ho_arena arena;
        ho_arena_init(&arena, 0);
        assert_taken(&arena, "Fact one.\n", make_key(&arena, kinds[kind], forms[i].before, forms[i].after, ends),
                     "\nFact two, and no more.\n");
        ho_arena_free(&arena);
      }
}

/* The name before a key takes nothing away from it. */
static void a_key_is_found_behind_a_name(void **state)
{
  (void)state;
  static const struct {
    const char *before, *between, *after;
  } forms[] = {{"{\"type\": \"service_account\", \"private_key\": \"", "\\n", "\", \"client_email\": \"a@b\"}"},
               {"PRIVATE_KEY=\"", "\n", "\"\nPORT=1"},
               {"PRIVATE_KEY=\"", "\\n", "\"\nPORT=1"},
               {"FIREBASE_PRIVATE_KEY=", "\\n", "\nPORT=1"},
               {"private_key=", " ", "\nPORT=1"},
               {"SSH_KEY_PASSWORD=", "\\n", "\nPORT=1"},
               {"private_key: |\n  ", "\n  ", "\nport: 1"},
               {"secret: '", " ", "'\nport: 1"},
               {"\"{\\\"private_key\\\": \\\"", "\\\\n", "\\\", \\\"port\\\": 1}\""}};
  for (size_t i = 0; i < HO_COUNT(forms); i++) {
    ho_arena arena;
    ho_arena_init(&arena, 0);
    assert_taken(&arena, forms[i].before, make_key(&arena, "PRIVATE KEY", "", forms[i].between, true), forms[i].after);
    ho_arena_free(&arena);
  }
}

static void a_key_of_putty_is_found(void **state)
{
  (void)state;
  static const char *const ends[] = {"\n", "\r\n", "\\n", "\n  "};
  for (size_t i = 0; i < HO_COUNT(ends); i++)
    for (int from = 0; from < 2; from++) {
      static const char *const lines[] = {"PuTTY-User-Key-File-3: ssh-ed25519",
                                          "Encryption: none",
                                          "Comment: mine",
                                          "Public-Lines: 2",
                                          "AAAA",
                                          "BBBB",
                                          "Private-Lines: 3",
                                          "*64",
                                          "*64",
                                          "a7Bq",
                                          "Private-MAC: *40"};
      ho_buf key;
      ho_arena arena;
      ho_arena_init(&arena, 0);
      ho_buf_init(&key, 0);
      for (size_t k = from ? 6 : 0; k < HO_COUNT(lines); k++) {
        made_put(&key, lines[k]);
        ho_buf_puts(&key, ends[i]);
      }
      assert_taken(&arena, "Mine:\n", ho_buf_move(&key, &arena), "The rest stays.\n");
      ho_buf text;
      ho_buf_init(&text, 0);
      made_put(&text, "Private-Lines: 1\\n*64\\nPrivate-MAC: *40");
      assert_taken(&arena, "{\"key\": \"", ho_buf_move(&text, &arena), "\", \"port\": 1}");
      ho_arena_free(&arena);
    }
}

/* Without its end, a key has the lines that follow each other, and only the last of them is shorter. */
static void what_follows_a_key_stays(void **state)
{
  (void)state;
  static const char digest[] = "5feceb66ffc86f38d952786c6d696c79c2dbc239dd4e91b46729d73a27fb57e9\n";
  static const char *const marks[] = {"", "    ", "> "};
  for (size_t i = 0; i < HO_COUNT(marks); i++) {
    ho_arena arena;
    ho_arena_init(&arena, 0);
    ho_str key = make_key(&arena, "RSA PRIVATE KEY", marks[i], "\n", false);
    ho_str tail =
        ho_arena_printf(&arena, "\nFact: never delete the table\nDigests:\n%s%s%send\n", digest, digest, digest);
    assert_taken(&arena, "Old key:\n", key, tail.p);
    tail = ho_arena_printf(&arena, "\n%s%s", digest, digest);
    assert_taken(&arena, "Old key:\n", key, tail.p);
    ho_arena_free(&arena);
  }
}

/* What only speaks of keys has none. */
static void a_head_alone_is_no_key(void **state)
{
  (void)state;
  static const char *const texts[] = {
      "It looks for -----BEGIN RSA PRIVATE KEY----- and stops at -----END RSA PRIVATE KEY----- or at the end.",
      "START = b\"-----BEGIN OPENSSH PRIVATE KEY-----\"\nEND = b\"-----END OPENSSH PRIVATE KEY-----\"\n",
      "Private-Lines: 3 of them are printed.", "PuTTY-User-Key-File-3: says which version it is.\nNothing more.\n"};
  for (size_t i = 0; i < HO_COUNT(texts); i++) {
    ho_arena arena;
    ho_arena_init(&arena, 0);
    if (ho_secret_find(ho_str_of(texts[i]), &arena).count)
      fail_msg("taken for a key: %s", texts[i]);
    ho_arena_free(&arena);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_key_is_found_behind_marks), cmocka_unit_test(a_key_is_found_behind_a_name),
      cmocka_unit_test(a_key_of_putty_is_found),     cmocka_unit_test(what_follows_a_key_stays),
      cmocka_unit_test(a_head_alone_is_no_key),
  };
  return unit_run(tests);
}
