/* The least that a server with libevent can do: every request gets the same short answer. Prints its port. */
#include <event2/buffer.h>
#include <event2/event.h>
#include <event2/http.h>
#include <netinet/in.h>
#include <stdio.h>
#include <sys/socket.h>

static void answer(struct evhttp_request *request, void *data)
{
  struct evbuffer *body = evbuffer_new();
  (void)data;
  evbuffer_add_printf(body, "{\"status\":\"ok\",\"events\":1}\n");
  evhttp_add_header(evhttp_request_get_output_headers(request), "Content-Type", "application/json");
  evhttp_send_reply(request, HTTP_OK, "OK", body);
  evbuffer_free(body);
}

int main(void)
{
  struct sockaddr_in at;
  socklen_t size = sizeof at;
  struct event_base *base = event_base_new();
  struct evhttp *http = base ? evhttp_new(base) : NULL;
  struct evhttp_bound_socket *bound = http ? evhttp_bind_socket_with_handle(http, "127.0.0.1", 0) : NULL;
  if (!bound || getsockname(evhttp_bound_socket_get_fd(bound), (struct sockaddr *)&at, &size))
    return 1;
  evhttp_set_gencb(http, answer, NULL);
  printf("%d\n", ntohs(at.sin_port));
  fflush(stdout);
  return event_base_dispatch(base) < 0;
}
