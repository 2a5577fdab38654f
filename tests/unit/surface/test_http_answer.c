/* What an answer looks like on the wire, and what handlers are told of their client. */
#include "surface/http/http_server.h"

#include "unit.h"

static ho_http_server server;

static ho_http_exchange *begin(bool old)
{
  static const ho_http_peer peer = {.address = "127.0.0.1", .local = true};
  server.thread = pthread_self();
  ho_http_exchange *x = ho_http_exchange_new(&server, NULL, &peer);
  assert_non_null(x);
  x->request.method = HO_STR("GET");
  x->request.old = old;
  x->request.closes = old;
  return x;
}

static void test_whole(void **state)
{
  ho_http_exchange *x = begin(false);
  (void)state;
  ho_http_header_add(x, "X-Good", HO_STR("yes"));
  ho_http_header_add(x, "X-Split", HO_STR("a\r\nX-Bad: b"));
  ho_http_answer(x, 200, "text/plain", HO_STR("hello"));
  ho_http_answer(x, 500, "text/plain", HO_STR("twice"));
  ho_str head = ho_buf_str(&x->inside->head);
  assert_true(ho_str_starts(head, "HTTP/1.1 200 OK\r\nX-Good: yes\r\nCache-Control: no-store\r\n"));
  assert_false(ho_str_has(head, "X-Bad") || ho_str_has(head, "X-Split") || ho_str_has(head, "500"));
  assert_true(ho_str_has(head, "\r\nContent-Length: 5\r\n") && ho_str_ends(head, "\r\n\r\n"));
  assert_true(ho_str_is(ho_buf_str(&x->inside->out), "hello"));
  ho_http_exchange_drop(x);
}

static void test_pieces(void **state)
{
  (void)state;
  for (int old = 0; old < 2; old++) {
    ho_http_exchange *x = begin(old);
    ho_http_stream(x, 200, "text/event-stream");
    ho_http_put(x, HO_STR("one piece\n"));
    ho_http_put(x, HO_EMPTY); /* would end the stream */
    ho_http_wait(x, 50, true);
    assert_false(ho_http_gone(x) || ho_http_ending(x));
    assert_false(x->inside->answered);
    ho_http_end(x);
    ho_http_put(x, HO_STR("too late"));
    assert_true(x->inside->answered);
    assert_int_equal(ho_str_has(ho_buf_str(&x->inside->head), "Transfer-Encoding: chunked"), !old);
    assert_true(ho_str_is(ho_buf_str(&x->inside->out), old ? "one piece\n" : "a\r\none piece\n\r\n0\r\n\r\n"));
    ho_http_exchange_drop(x);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_whole), cmocka_unit_test(test_pieces)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
