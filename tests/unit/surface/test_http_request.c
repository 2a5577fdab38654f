/* Requests as they come from clients, and as attackers write them. */
#include "surface/http/http_request.h"

#include "unit.h"

static ho_arena arena;

static int status_of(const char *head, ho_http_request *out)
{
  const char *why = "";
  ho_arena_reset(&arena);
  int status = ho_http_request_read(&arena, ho_str_of(head), out, &why);
  assert_true(status == 0 || *why);
  return status;
}

#define GET(path) "GET " path " HTTP/1.1\r\nHost: localhost\r\n\r\n"
#define WITH(headers) "POST /mcp HTTP/1.1\r\nHost: localhost\r\n" headers "\r\n"

static void test_right(void **state)
{
  ho_http_request r;
  (void)state;
  assert_int_equal(status_of(GET("/api/v1/list?state=ready&to=a%20b+c"), &r), 0);
  assert_true(ho_str_is(r.path, "/api/v1/list"));
  ho_str query = r.query, name, value;
  bool bad = false;
  assert_true(ho_http_request_param(&arena, &query, &name, &value, &bad) && !bad && ho_str_is(value, "ready"));
  assert_true(ho_http_request_param(&arena, &query, &name, &value, &bad) && !bad && ho_str_is(value, "a b c"));
  assert_false(ho_http_request_param(&arena, &query, &name, &value, &bad));
  assert_int_equal(status_of(WITH("content-LENGTH: 12\r\nX: \r\nX: \t1 \r\n"), &r), 0);
  assert_true(r.length == 12 && !r.closes && !r.chunked);
  assert_int_equal(ho_http_request_count(&r, "x"), 2);
  assert_true(ho_str_is(ho_http_request_header(&r, "X"), ""));
  assert_int_equal(
      status_of(WITH("Transfer-Encoding: chunked\r\nConnection: x, Close\r\nExpect: 100-continue\r\n"), &r), 0);
  assert_true(r.chunked && r.closes && r.asks);
  assert_int_equal(status_of("GET / HTTP/1.0\r\n\r\n", &r), 0);
  assert_true(r.old && r.closes);
  assert_int_equal(ho_http_request_head(HO_STR("GET / HTTP/1.1\r\n\r")), 0);
  assert_int_equal(ho_http_request_head(HO_STR("GET / HTTP/1.1\r\n\r\nGET")), 18);
}

static void test_wrong(void **state)
{
  static const struct {
    const char *head;
    int status;
  } cases[] = {
      {"GET / HTTP/1.1\nHost: a\n\n", 400},
      {"GET / HTTP/1.1\r\nHost: a\nX: b\r\n\r\n", 400},
      {"GET / HTTP/1.1\r\nHost: a\rX: b\r\n\r\n", 400},
      {"GET / HTTP/1.1\r\nHost: a\r\n X: b\r\n\r\n", 400},
      {"GET / HTTP/1.1\r\n Host: a\r\n\r\n", 400},
      {"GET  / HTTP/1.1\r\nHost: a\r\n\r\n", 400},
      {"GET /\r\nHost: a\r\n\r\n", 400},
      {"GET / HTTP/2.0\r\nHost: a\r\n\r\n", 505},
      {"GET / HTTP/1.1 \r\nHost: a\r\n\r\n", 505},
      {"G\tT / HTTP/1.1\r\nHost: a\r\n\r\n", 400},
      {"GET http://localhost/ HTTP/1.1\r\nHost: localhost\r\n\r\n", 400},
      {"OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n", 400},
      {"GET / HTTP/1.1\r\n\r\n", 400},
      {"GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n", 400},
      {GET("/a/../b"), 400},
      {GET("/a/%2e%2e/b"), 400},
      {GET("/a/%2E%2e"), 400},
      {GET("/a%2fb"), 400},
      {GET("/a%5Cb"), 400},
      {GET("/a\\b"), 400},
      {GET("//a"), 400},
      {GET("/a/"), 400},
      {GET("/%00"), 400},
      {GET("/%0a"), 400},
      {GET("/%ff"), 400},
      {GET("/%c0%ae"), 400},
      {GET("/%4"), 400},
      {GET("/%zz"), 400},
      {GET("/#a"), 400},
      {GET("/\xc3\xa4"), 400},
      {WITH("Content-Length: 1\r\nContent-Length: 1\r\n"), 400},
      {WITH("Content-Length: 1\r\nTransfer-Encoding: chunked\r\n"), 400},
      {WITH("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n"), 400},
      {WITH("Transfer-Encoding: gzip, chunked\r\n"), 501},
      {WITH("Transfer-Encoding: xchunked\r\n"), 501},
      {WITH("Transfer-Encoding : chunked\r\n"), 400},
      {WITH("Transfer-Encoding\r\n"), 400},
      {WITH("Content-Length: +1\r\n"), 400},
      {WITH("Content-Length: -1\r\n"), 400},
      {WITH("Content-Length: 0x1\r\n"), 400},
      {WITH("Content-Length: 1, 1\r\n"), 400},
      {WITH("Content-Length: \r\n"), 400},
      {WITH("Content-Length: 99999999999999999999\r\n"), 400},
      {WITH("X: a\x01\r\n"), 400},
      {WITH("X: a\x7f\r\n"), 400},
      {WITH("X: \xff\r\n"), 400},
      {WITH(": a\r\n"), 400},
      {WITH("X y: a\r\n"), 400},
      {WITH("Expect: something\r\n"), 417},
      {"POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n", 400},
  };
  ho_http_request r;
  (void)state;
  for (size_t i = 0; i < HO_COUNT(cases); i++)
    if (status_of(cases[i].head, &r) != cases[i].status)
      fail_msg("status %d, not %d, for: %s", status_of(cases[i].head, &r), cases[i].status, cases[i].head);
}

static void test_too_much(void **state)
{
  ho_http_request r;
  ho_buf head;
  (void)state;
  ho_buf_init(&head, 0);
  ho_buf_puts(&head, "GET / HTTP/1.1\r\nHost: a\r\n");
  for (int i = 1; i < HO_HTTP_HEADERS_MOST; i++)
    ho_buf_puts(&head, "a: b\r\n");
  size_t most = head.n;
  ho_buf_puts(&head, "\r\n");
  assert_int_equal(status_of(head.p, &r), 0);
  ho_buf_cut(&head, most);
  ho_buf_puts(&head, "a: b\r\n\r\n");
  assert_int_equal(status_of(head.p, &r), 431);
  ho_buf_reset(&head);
  ho_buf_puts(&head, "GET /");
  ho_buf_fill(&head, 'a', 8192);
  ho_buf_puts(&head, " HTTP/1.1\r\nHost: a\r\n\r\n");
  assert_int_equal(status_of(head.p, &r), 414);
  ho_buf_free(&head);
}

/* The status of a body that comes in pieces of so many bytes; its data is in *out. */
static int chunks(const char *body, size_t piece, ho_buf *out, bool *done)
{
  ho_http_chunks state = {0};
  ho_str all = ho_str_of(body);
  const char *why = "";
  size_t at = 0, taken = 0;
  ho_buf_reset(out);
  for (size_t end = 0; end < all.n;) {
    end = end + piece < all.n ? end + piece : all.n;
    int status = ho_http_request_chunks(&state, ho_str_sub(all, at, end), &taken, out, 64, &why);
    if (status)
      return status;
    at += taken;
  }
  *done = state.phase == HO_HTTP_CHUNK_DONE;
  return 0;
}

static void test_chunks(void **state)
{
  static const char *const wrong[] = {"-1\r\na\r\n", "1;x=y\r\na\r\n",    "1 \r\na\r\n",   "g\r\n",
                                      "\r\n",        "1\na\r\n",          "123456789\r\n", "1\r\nab\r\n",
                                      "1\r\na\n",    "0\r\nX: y\r\n\r\n", "0x1\r\na\r\n"};
  ho_buf out;
  bool done = false;
  (void)state;
  ho_buf_init(&out, 0);
  for (size_t piece = 1; piece < 30; piece++) {
    assert_int_equal(chunks("5\r\nhello\r\nA\r\n, everyone\r\n0\r\n\r\n", piece, &out, &done), 0);
    assert_true(done && ho_str_is(ho_buf_str(&out), "hello, everyone"));
    for (size_t i = 0; i < HO_COUNT(wrong); i++)
      assert_true(chunks(wrong[i], piece, &out, &done) == 400);
    assert_int_equal(chunks("41\r\n", piece, &out, &done), 413);
    assert_int_equal(chunks("ffffffff\r\n", piece, &out, &done), 413);
  }
  ho_buf_free(&out);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_right), cmocka_unit_test(test_wrong),
                                     cmocka_unit_test(test_too_much), cmocka_unit_test(test_chunks)};
  ho_arena_init(&arena, 0);
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  ho_arena_free(&arena);
  return failed;
}
