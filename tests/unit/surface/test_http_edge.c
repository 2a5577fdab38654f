/* Who may come in, judged by the head of a request. */
#include "surface/http/http_edge.h"

#include "unit.h"

static ho_http_request request_with(const char *name, const char *value, const char *name2, const char *value2)
{
  ho_http_request r = {.count = 3};
  r.headers[0] = (ho_http_header){HO_STR("Host"), HO_STR("localhost:8420")};
  r.headers[1] = (ho_http_header){ho_str_of(name), ho_str_of(value)};
  r.headers[2] = (ho_http_header){ho_str_of(name2), ho_str_of(value2)};
  return r;
}

static void test_names(void **state)
{
  static const char *const here[] = {"localhost", "LocalHost:1", "127.0.0.1", "127.0.0.1:65535", "[::1]", "[::1]:8"};
  static const char *const elsewhere[] = {"",
                                          "evil.example",
                                          "localhost.evil.example",
                                          "127.0.0.1.evil",
                                          "localhost:1:2",
                                          "localhost:x",
                                          "[::1].evil",
                                          "[::1",
                                          "::1",
                                          "127.0.0.2",
                                          "localhost.",
                                          "@localhost"};
  (void)state;
  for (size_t i = 0; i < HO_COUNT(here); i++)
    if (!ho_http_edge_is_here(ho_str_of(here[i])))
      fail_msg("%s", here[i]);
  for (size_t i = 0; i < HO_COUNT(elsewhere); i++)
    if (ho_http_edge_is_here(ho_str_of(elsewhere[i])))
      fail_msg("%s", elsewhere[i]);
}

static void test_judge(void **state)
{
  static const char *const hosts[] = {"handoff.example", NULL};
  static const struct {
    const char *name, *value;
    int status;
  } cases[] = {
      {"Origin", "http://localhost:8420", 0},
      {"Origin", "https://LOCALHOST:8420", 0},
      {"Origin", "http://localhost:8421", 403},
      {"Origin", "http://localhost", 403},
      {"Origin", "null", 403},
      {"Origin", "http://handoff.example", 403},
      {"Sec-Fetch-Site", "same-origin", 0},
      {"Sec-Fetch-Site", "none", 0},
      {"Sec-Fetch-Site", "same-site", 403},
      {"Sec-Fetch-Site", "cross-site", 403},
      {"Sec-Fetch-Site", "Same-Origin", 403},
  };
  const char *why = NULL;
  (void)state;
  for (size_t i = 0; i < HO_COUNT(cases); i++) {
    ho_http_request r = request_with(cases[i].name, cases[i].value, "x", "");
    if (ho_http_edge_judge(&r, hosts, &why) != cases[i].status)
      fail_msg("%s: %s", cases[i].name, cases[i].value);
  }
  ho_http_request r = request_with("x", "", "x", "");
  r.headers[0].value = HO_STR("Handoff.Example:443");
  assert_int_equal(ho_http_edge_judge(&r, hosts, &why), 0);
  assert_int_equal(ho_http_edge_judge(&r, NULL, &why), 403);
}

static void test_secrets(void **state)
{
  bool bad = false;
  (void)state;
  ho_http_request r = request_with("Authorization", "Bearer abc", "Cookie", "a=1; handoff-1=x; handoff-12=y");
  assert_true(ho_str_is(ho_http_edge_bearer(&r, &bad), "abc") && !bad);
  assert_true(ho_str_is(ho_http_edge_cookie(&r, "handoff-1"), "x"));
  assert_false(ho_http_edge_passed_on(&r));
  r = request_with("Authorization", "Bearer a", "Authorization", "Bearer b");
  assert_true(!ho_http_edge_bearer(&r, &bad).n && bad);
  r = request_with("Authorization", "Basic YTpi", "X-Forwarded-For", "10.0.0.1");
  assert_true(!ho_http_edge_bearer(&r, &bad).n && bad);
  assert_true(ho_http_edge_passed_on(&r));
  r = request_with("Cookie", "handoff-1=x", "Cookie", "handoff-1=y");
  assert_false(ho_http_edge_cookie(&r, "handoff-1").n);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_names), cmocka_unit_test(test_judge),
                                     cmocka_unit_test(test_secrets)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
