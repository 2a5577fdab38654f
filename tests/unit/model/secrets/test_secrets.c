/* Credentials are found by their shapes. Every secret here is put together at run time, so that none stands in a file.
 */
#include "growth.h"
#include "model/secrets/made.h"

#include "base/buf.h"
#include "base/fs.h"
#include "base/limits.h"
#include "doc/json/json.h"
#include "model/secrets/secrets.h"

typedef struct sample {
  const char *shape;
  const char *parts[4]; /* joined, see made.h */
} sample;

static const sample samples[] = {
    {"aws-access-key", {"AK", "IA", "IOSFODNN7", "QXYZW12"}},
    {"github-token", {"gh", "p_", "*36"}},
    {"github-token", {"github", "_pat_", "*40"}},
    {"gitlab-token", {"gl", "pat-", "*20"}},
    {"slack-token", {"xo", "xb-", "*24"}},
    {"slack-token", {"xo", "xp-", "276258674965-456652013622-734655855359-", "620480604775050afbb8619c497a8e1b"}},
    {"slack-webhook", {"https://hooks.", "slack.com/", "services/T0/B0/", "*24"}},
    {"anthropic-key", {"sk-", "ant-", "*40"}},
    {"openai-key", {"sk-", "proj-", "*48"}},
    {"openai-key", {"s", "k-", "*48"}},
    {"google-api-key", {"AI", "za", "*35"}},
    {"npm-token", {"np", "m_", "*36"}},
    {"stripe-key", {"sk_", "live_", "*24"}},
    {"sendgrid-key", {"S", "G.", "*22", "*44"}},
    {"huggingface-token", {"h", "f_", "*34"}},
    {"apify-token", {"apify", "_api_", "*36"}},
    {"depot-token", {"depot", "_project_", "*64"}},
    {"runpod-key", {"rp", "a_", "*46"}},
    {"browserbase-key", {"bb_", "live_", "*27"}},
    {"brave-key", {"B", "SA", "*28"}},
    {"polar-token", {"polar", "_oat_", "*43"}},
    {"paddle-key", {"pdl_live_", "apikey_", "*50"}},
    {"trigger-key", {"tr_", "prod_", "*24"}},
    {"dnsimple-token", {"dnsimple", "_a_", "*32"}},
    {"confluent-secret", {"cf", "lt", "*60"}},
    {"adafruit-key", {"ai", "o_", "*28"}},
    {"deno-token", {"dd", "o_", "*36"}},
    {"infisical-token", {"s", "t.", "*24.*32.*32"}},
    {"json-web-token", {"ey", "J*20.", "ey", "J*30.*30"}},
    {"private-key", {"-----BEGIN RSA ", "PRIVATE KEY-----\n", "*64\n", "-----END RSA PRIVATE KEY-----"}},
    {"url-password", {"postgres://admin:", "*12", "@db.example.org/x"}},
    {"bearer-token", {"Authorization: ", "Bearer ", "*40"}},
    {"password", {"password: ", "*12"}},
    {"password", {"\"client_secret\": \"", "*24", "\""}},
};

static void make(ho_buf *out, const sample *s)
{
  for (size_t i = 0; i < HO_COUNT(s->parts) && s->parts[i]; i++)
    made_put(out, s->parts[i]);
}

/* The shape of the only secret in the text, "" if there is none; what is left when it is taken out. */
static const char *shape_of(ho_arena *arena, ho_str text, ho_str *clean)
{
  size_t count = 0;
  ho_secret_list list = ho_secret_find(text, arena);
  *clean = ho_secret_redact(text, arena, &count);
  assert_int_equal(arena->failed, 0);
  assert_int_equal(count, list.count);
  if (list.count > 1)
    fail_msg("%zu secrets in: %.*s", list.count, HO_ARG(text));
  return list.count ? list.items[0].shape : "";
}

static void each_shape_is_found_and_taken_out(void **state)
{
  (void)state;
  for (size_t i = 0; i < HO_COUNT(samples); i++) {
    ho_buf text;
    ho_arena arena;
    ho_str clean;
    ho_buf_init(&text, 0);
    ho_arena_init(&arena, 0);
    ho_buf_puts(&text, "Before. ");
    make(&text, &samples[i]);
    ho_buf_puts(&text, " After.");
    assert_string_equal(shape_of(&arena, ho_buf_str(&text), &clean), samples[i].shape);
    assert_int_equal(ho_secret_find(clean, &arena).count, 0);
    assert_true(ho_str_starts(clean, "Before. "));
    assert_true(ho_str_ends(clean, " After."));
    assert_true(ho_str_has(clean, "REDACTED-"));
    ho_buf_free(&text);
    ho_arena_free(&arena);
  }
}

/* What hides a token from a reader of bytes is undone, and goes with it. */
static void hidden_ones_are_found(void **state)
{
  (void)state;
  static const char *const texts[] = {
      "a gh~p_*18\xe2\x80\x8b*18 b",
      "a gh~p_*18**a7Bq9Zk3*10 b",
      "a gh~p_*10`*26 b",
      "a gh~p_*18\\\n*18 b",
      "a gh~p_*18\n    *18 b",
      "a %67h~p_*36 b",
      "a \\u0067h~p_*36 b",
      "a gh~p\\_*36 b",
      "a g<b>h~p_</b>*36 b",
      "a &#103;h~p_*36 b",
      "a gh~p_*18\r\n> *18 b",
      "a \"gh~p_*18\" +\n  \"*18\" b",
      "a \xef\xbd\x87h~p_*36 b",
      "a gh~p_\x1b[31m*18\x1b[0m*18 b",
      "a gh~p_*10\\u001b[1;31m*26 b",
      "a gh~p_*10\\x1b[m*26 b",
  };
  for (size_t i = 0; i < HO_COUNT(texts); i++) {
    ho_buf text;
    ho_arena arena;
    ho_str clean;
    ho_buf_init(&text, 0);
    ho_arena_init(&arena, 0);
    made_put(&text, texts[i]);
    if (strcmp(shape_of(&arena, ho_buf_str(&text), &clean), "github-token"))
      fail_msg("not found in: %s", text.p);
    assert_true(ho_str_starts(clean, "a "));
    assert_true(ho_str_ends(clean, " b"));
    assert_false(ho_str_has(clean, "a7Bq"));
    ho_buf_free(&text);
    ho_arena_free(&arena);
  }
}

static void ordinary_text_is_left_alone(void **state)
{
  (void)state;
  static const char *const texts[] = {
      "Refresh token rotation: JWT with refresh token rotation",
      "token: expired",
      "The password is in the vault; password: ${DB_PASSWORD}",
      "password: <your password>",
      "sk-learn and ask-me-anything",
      "See https://example.org/a:b@c and git@github.com:user/repo.git",
      "secret: REDACTED-password",
      "commit 0f43c1a2b3c4d5e6f708192a3b4c5d6e7f809102",
      "api_key: process.env.API_KEY",
      "tokens: 12345678",
      "phase-3-handoff-20260212T143022Z.md",
      "password = getPassword(user); secret = config.db.secret; token = await fetchToken();",
      "password: string; api_key: str; secret: not-required; Password: hashed",
      "AKIAIOSFODNN7"
      "EXAMPLE is Amazon's example",
      "docker run -u 1000:1000 image; curl -s https://example.org",
      "Use sk-ant-... or glpat-<your token>, and Authorization: Bearer <token>",
      "npm_config_registry and hf_transfer and test_secrets_are_removed_from_everything",
  };
  for (size_t i = 0; i < HO_COUNT(texts); i++) {
    ho_arena arena;
    ho_arena_init(&arena, 0);
    ho_secret_list list = ho_secret_find(ho_str_of(texts[i]), &arena);
    if (list.count)
      fail_msg("'%s' is taken for a secret (%s)", texts[i], list.items[0].shape);
    ho_arena_free(&arena);
  }
}

static void redact_repeated(size_t size, const void *unit)
{
  ho_buf text;
  ho_arena arena;
  size_t count = 0;
  ho_buf_init(&text, 0);
  ho_arena_init(&arena, 0);
  while (text.n < size)
    ho_buf_puts(&text, unit);
  ho_secret_redact(ho_buf_str(&text), &arena, &count);
  ho_buf_free(&text);
  ho_arena_free(&arena);
}

/* Beginnings of secrets that never end: each is a place where a search could start over. */
static void long_text_takes_linear_time(void **state)
{
  (void)state;
  static const char *const units[] = {"token=",
                                      "-----BEGIN ",
                                      "-----BEGIN RSA PRIVATE KEY-----",
                                      "sk-",
                                      "://a:",
                                      "eyJabcdefgh.",
                                      "bearer ",
                                      "hvs.",
                                      "pwd:a-",
                                      "password: auto-",
                                      "glpat-",
                                      "ICAg",
                                      "%41",
                                      "a**b",
                                      "abc1\n",
                                      "pwd=\\",
                                      "key: abc123abc123abc123 ",
                                      "curl -u ",
                                      "machine ",
                                      "cGFzc3dvcmQ6",
                                      "--a "};
  for (size_t i = 0; i < HO_COUNT(units); i++)
    assert_linear(units[i], redact_repeated, 20000, units[i]);
}

/* ---- Ordinary texts */

typedef struct tally {
  ho_arena arena;
  size_t texts, touched;
} tally;

static void count_text(tally *t, ho_str text, ho_str path)
{
  text = ho_str_trim(text);
  if (text.n < 20)
    return;
  t->texts++;
  ho_secret_list list = ho_secret_find(text, &t->arena);
  t->touched += list.count > 0;
  if (list.count)
    print_message("%.*s: %s\n", HO_ARG(path), list.items[0].shape);
}

static bool is_readable(ho_str path)
{
  if (ho_str_has(ho_fs_name(path), "secret"))
    return false; /* these are about credentials, and have some in them */
  return ho_str_ends(path, ".md") || ho_str_ends(path, ".yaml") || ho_str_ends(path, ".json") ||
         ho_str_ends(path, ".c") || ho_str_ends(path, ".h") || ho_str_ends(path, ".sh") || ho_str_ends(path, ".txt");
}

/* Each paragraph of each file is a text. */
static void count_folder(tally *t, const char *folder)
{
  ho_fs_list files;
  ho_error err = {0};
  ho_arena arena;
  ho_arena_init(&arena, 0);
  assert_int_equal(ho_fs_walk(&arena, folder, is_readable, &files, &err), HO_OK);
  for (size_t i = 0; i < files.count; i++) {
    ho_str text, line;
    ho_code code = ho_fs_read(&arena, files.paths[i], HO_LIMIT_DOCUMENT, &text, &err);
    if (code)
      continue;
    const char *begin = text.p;
    for (ho_str rest = text; ho_str_next_line(&rest, &line);)
      if (ho_str_blank(line) || !rest.n) {
        count_text(t, (ho_str){begin, (size_t)(line.p + line.n - begin)}, ho_str_of(files.paths[i]));
        begin = line.p + line.n;
        ho_arena_reset(&t->arena);
      }
  }
  ho_arena_free(&arena);
}

static void assert_few(tally *t, const char *what)
{
  print_message("%s: %zu of %zu texts touched (%.2f %%)\n", what, t->touched, t->texts,
                100.0 * (double)t->touched / (double)(t->texts ? t->texts : 1));
  assert_true(t->texts >= 2000);
  assert_true(t->touched * 100 <= t->texts);
  ho_arena_free(&t->arena);
}

static void own_texts_are_left_alone(void **state)
{
  (void)state;
  static const char *const folders[] = {"docs", "src", "tests/unit", "tests/cli", "tests/data", "examples", "schemas"};
  tally t = {0};
  ho_arena_init(&t.arena, 0);
  for (size_t i = 0; i < HO_COUNT(folders); i++) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", TEST_SOURCE_DIR, folders[i]);
    count_folder(&t, path);
  }
  assert_few(&t, "this project");
}

static void real_texts_are_left_alone(void **state)
{
  (void)state;
  const char *corpus = unit_shared("corpus");
  tally t = {0};
  ho_arena_init(&t.arena, 0);
  count_folder(&t, corpus);
  assert_few(&t, "the corpus");
}

/* ---- Trees */

typedef struct hits {
  const ho_node *nodes[4];
  size_t count;
} hits;

static void note_hit(void *data, const ho_node *node, const char *shape)
{
  hits *h = data;
  assert_non_null(shape);
  assert_true(h->count < HO_COUNT(h->nodes));
  h->nodes[h->count++] = node;
}

/* "key: value" pairs, lists "key: [value]" and maps "key: {…}" of a document, as a tree. */
static ho_node *tree_of(ho_arena *arena, const char *text)
{
  ho_source *source = HO_NEW(arena, ho_source);
  ho_report *report = HO_NEW(arena, ho_report);
  ho_error err = {0};
  ho_node *root = NULL;
  assert_int_equal(ho_source_init(source, arena, HO_STR("-"), made_text(arena, text), &err), HO_OK);
  ho_report_init(report, arena, source);
  assert_int_equal(ho_json_read(source, 0, arena, report, &root, &err), HO_OK);
  return root;
}

/* A value is a secret because of its key, of the list or map it is in, or of a name beside it. */
static void trees_are_searched_with_their_names(void **state)
{
  (void)state;
  static const struct {
    const char *text;
    size_t count;
  } trees[] = {{"{\"items\": [{\"note\": \"nothing here\", \"value\": \"*12\"}]}", 0},
               {"{\"items\": [{\"note\": \"nothing here\", \"password\": \"*12\"}]}", 1},
               {"{\"password\": \"*6,*7\"}", 1},
               {"{\"password\": \"*6 *7 z\"}", 1},
               {"{\"password\": 8765430192}", 1},
               {"{\"passwords\": [\"*12\", \"b\"]}", 1},
               {"{\"password\": {\"value\": \"*12\", \"length\": \"*12\"}}", 2},
               {"{\"password\": \"*12\", \"other\": [\"*12\"]}", 2},
               {"[{\"name\": \"DB_PASSWORD\", \"value\": \"*12\"}, {\"name\": \"DB_HOST\", \"value\": \"*12b\"}]", 1},
               {"{\"kind\": \"Secret\", \"data\": {\"db\": \"eHl6enk=\"}, \"type\": \"Opaque\"}", 1},
               {"{\"kind\": \"ConfigMap\", \"data\": {\"db\": \"eHl6enk=\"}}", 0},
               {"{\"kty\": \"EC\", \"x\": \"*43\", \"d\": \"*43b\"}", 1},
               {"{\"private_key\": \"-----BEGIN PRIVATE KEY-----\\n*64\\n-----END PRIVATE KEY-----\\n\"}", 1}};
  for (size_t i = 0; i < HO_COUNT(trees); i++) {
    ho_arena arena;
    hits found = {0};
    ho_arena_init(&arena, 0);
    ho_secret_in_tree(tree_of(&arena, trees[i].text), &arena, note_hit, &found);
    if (found.count != trees[i].count)
      fail_msg("%zu found in %s", found.count, trees[i].text);
    ho_arena_free(&arena);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_shape_is_found_and_taken_out),   cmocka_unit_test(hidden_ones_are_found),
      cmocka_unit_test(ordinary_text_is_left_alone),         cmocka_unit_test(own_texts_are_left_alone),
      cmocka_unit_test(real_texts_are_left_alone),           cmocka_unit_test(long_text_takes_linear_time),
      cmocka_unit_test(trees_are_searched_with_their_names),
  };
  return unit_run(tests);
}
