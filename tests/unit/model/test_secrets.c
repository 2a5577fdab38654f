/* Credentials are found by their shapes. Every secret here is put together at run time, so that none stands in a file.
 */
#include "growth.h"

#include "base/buf.h"
#include "model/secrets.h"

typedef struct sample {
  const char *shape;
  const char *parts[4]; /* joined; a digit string "40a" means 40 times 'a7' cut to length */
} sample;

static const sample samples[] = {
    {"aws-access-key", {"AK", "IA", "IOSFODNN7", "QXYZW12"}},
    {"github-token", {"gh", "p_", "*36"}},
    {"github-token", {"github", "_pat_", "*40"}},
    {"gitlab-token", {"gl", "pat-", "*20"}},
    {"slack-token", {"xo", "xb-", "*24"}},
    {"slack-webhook", {"https://hooks.", "slack.com/", "services/T0/B0/", "*24"}},
    {"anthropic-key", {"sk-", "ant-", "*40"}},
    {"openai-key", {"sk-", "proj-", "*48"}},
    {"openai-key", {"s", "k-", "*48"}},
    {"google-api-key", {"AI", "za", "*35"}},
    {"npm-token", {"np", "m_", "*36"}},
    {"stripe-key", {"sk_", "live_", "*24"}},
    {"sendgrid-key", {"S", "G.", "*22", "*44"}},
    {"huggingface-token", {"h", "f_", "*34"}},
    {"json-web-token", {"ey", "J*20.", "ey", "J*30.*30"}},
    {"private-key", {"-----BEGIN RSA ", "PRIVATE KEY-----\n", "*64\n", "-----END RSA PRIVATE KEY-----"}},
    {"url-password", {"postgres://admin:", "*12", "@db.example.org/x"}},
    {"bearer-token", {"Authorization: ", "Bearer ", "*40"}},
    {"password", {"password: ", "*12"}},
    {"password", {"\"client_secret\": \"", "*24", "\""}},
};

/* "*N" becomes N letters and digits. */
static void expand(ho_buf *out, const char *part)
{
  for (; *part; part++) {
    if (*part != '*') {
      ho_buf_putc(out, *part);
      continue;
    }
    char *end;
    unsigned long n = strtoul(part + 1, &end, 10);
    for (unsigned long i = 0; i < n; i++)
      ho_buf_putc(out, "a7Bq9Zk3"[i % 8]);
    part = end - 1;
  }
}

static void make(ho_buf *out, const sample *s)
{
  for (size_t i = 0; i < HO_COUNT(s->parts) && s->parts[i]; i++)
    expand(out, s->parts[i]);
}

static void each_shape_is_found_and_taken_out(void **state)
{
  (void)state;
  for (size_t i = 0; i < HO_COUNT(samples); i++) {
    ho_buf text;
    ho_arena arena;
    ho_secret secret;
    size_t count = 0;
    ho_buf_init(&text, 0);
    ho_arena_init(&arena, 0);
    ho_buf_puts(&text, "Before. ");
    make(&text, &samples[i]);
    ho_buf_puts(&text, " After.");
    if (!ho_secret_find(ho_buf_str(&text), 0, &secret))
      fail_msg("%s is not found in: %s", samples[i].shape, text.p);
    assert_string_equal(secret.shape, samples[i].shape);
    ho_str clean = ho_secret_redact(ho_buf_str(&text), &arena, &count);
    assert_int_equal(count, 1);
    assert_false(ho_secret_find(clean, 0, &secret));
    assert_true(ho_str_starts(clean, "Before. "));
    assert_true(ho_str_ends(clean, " After."));
    assert_true(ho_str_has(clean, "REDACTED-"));
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
  };
  for (size_t i = 0; i < HO_COUNT(texts); i++) {
    ho_secret secret;
    if (ho_secret_find(ho_str_of(texts[i]), 0, &secret))
      fail_msg("'%s' is taken for a secret (%s)", texts[i], secret.shape);
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
  static const char *const units[] = {"token=", "-----BEGIN ", "sk-", "://a:", "eyJabcdefgh.", "bearer ", "password: "};
  for (size_t i = 0; i < HO_COUNT(units); i++)
    assert_linear(units[i], redact_repeated, 20000, units[i]);
}

static void trees_are_searched_with_their_keys(void **state)
{
  (void)state;
  ho_arena arena;
  ho_secret secret;
  ho_buf value;
  ho_arena_init(&arena, 0);
  ho_buf_init(&value, 0);
  expand(&value, "*12");
  ho_node *map = ho_node_new(&arena, HO_KIND_MAP), *list = ho_node_new(&arena, HO_KIND_LIST);
  ho_node *inner = ho_node_new(&arena, HO_KIND_MAP);
  ho_map_addz(map, "items", list);
  ho_list_add(list, inner);
  ho_map_addz(inner, "note", ho_node_textz(&arena, "nothing here"));
  assert_null(ho_secret_in_tree(map, &secret));
  ho_node *bad = ho_map_addz(inner, "password", ho_node_text(&arena, ho_buf_str(&value)));
  assert_ptr_equal(ho_secret_in_tree(map, &secret), bad);
  ho_buf_free(&value);
  ho_arena_free(&arena);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_shape_is_found_and_taken_out),
      cmocka_unit_test(ordinary_text_is_left_alone),
      cmocka_unit_test(long_text_takes_linear_time),
      cmocka_unit_test(trees_are_searched_with_their_keys),
  };
  return unit_run(tests);
}
