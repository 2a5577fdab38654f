/* Which addresses a request can go to. */
#include "base/post.h"

#include "unit.h"

static void good(const char *text, const char *host, unsigned port, const char *path)
{
  ho_post_url url;
  ho_error err = {0};
  assert_int_equal(ho_post_url_read(ho_str_of(text), &url, &err), HO_OK);
  assert_true(ho_str_is(url.host, host) && ho_str_is(url.path, path));
  assert_int_equal(url.port, port);
}

static void test_addresses(void **state)
{
  static const char *const bad[] = {"",
                                    "x",
                                    "https://127.0.0.1",
                                    "http://",
                                    "http://:4318",
                                    "http://127.0.0.1:0",
                                    "http://127.0.0.1:65536",
                                    "http://127.0.0.1:x",
                                    "http://127.0.0.1:",
                                    "http://a@b",
                                    "http://127.0.0.1/a b",
                                    "http://127.0.0.1/\r\nX: y",
                                    "http://127.0.0.1?a"};
  ho_post_url url;
  (void)state;
  good("http://127.0.0.1:4318", "127.0.0.1", 4318, "");
  good("http://127.0.0.1", "127.0.0.1", 80, "");
  good("http://localhost:4318/", "127.0.0.1", 4318, "");
  good("http://10.0.0.7:1/a/b/", "10.0.0.7", 1, "/a/b");
  good("http://[::1]:4318/x", "::1", 4318, "/x");
  good("http://[fe80::1]", "fe80::1", 80, "");
  for (size_t i = 0; i < HO_COUNT(bad); i++) {
    ho_error err = {0};
    assert_int_equal(ho_post_url_read(ho_str_of(bad[i]), &url, &err), HO_USAGE);
  }
}

/* Nobody listens: that is said at once. */
static void test_nobody(void **state)
{
  ho_arena arena;
  ho_post_url url;
  ho_error err = {0};
  int status = 0;
  unsigned retry_s = 0;
  (void)state;
  ho_arena_init(&arena, 0);
  assert_int_equal(ho_post_url_read(HO_STR("http://127.0.0.1:9"), &url, &err), HO_OK);
  assert_int_equal(ho_post_json(&arena, &url, "/v1/traces", HO_STR("{}"), 2000, &status, &retry_s, &err), HO_IO);
  assert_int_equal(ho_post_url_read(HO_STR("http://collector.invalid"), &url, &err), HO_OK);
  assert_int_equal(ho_post_json(&arena, &url, "", HO_STR("{}"), 2000, &status, &retry_s, &err), HO_USAGE);
  ho_arena_free(&arena);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_addresses), cmocka_unit_test(test_nobody)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
