/* Where the server listens: addresses on this machine, Unix sockets, and sockets that whoever started it has opened. */
#include <arpa/inet.h>
#include <errno.h>
#include <event2/listener.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "command/call.h"
#include "surface/http/http_server.h"

enum { BACKLOG = 512 };

static ho_http_peer peer_of(int fd, const struct sockaddr *address)
{
  ho_http_peer peer = {.address = "unix", .local = true};
  if (address->sa_family == AF_INET) {
    const struct sockaddr_in *in = (const struct sockaddr_in *)address;
    inet_ntop(AF_INET, &in->sin_addr, peer.address, sizeof peer.address);
    peer.local = ntohl(in->sin_addr.s_addr) >> 24 == 127;
  } else if (address->sa_family == AF_INET6) {
    const struct sockaddr_in6 *in = (const struct sockaddr_in6 *)address;
    inet_ntop(AF_INET6, &in->sin6_addr, peer.address, sizeof peer.address);
    peer.local = IN6_IS_ADDR_LOOPBACK(&in->sin6_addr);
  } else {
    struct ucred who = {0};
    socklen_t size = sizeof who;
    peer.ours = getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &who, &size) == 0 && who.uid == geteuid();
  }
  return peer;
}

static void accepted(struct evconnlistener *listener, evutil_socket_t fd, struct sockaddr *address, int size,
                     void *data)
{
  ho_http_server *server = data;
  ho_http_peer peer = peer_of(fd, address);
  (void)listener, (void)size;
  if (server->conn_count >= server->conn_most)
    evutil_closesocket(fd);
  else
    ho_http_conn_open(server, fd, &peer);
}

static ho_code add(ho_http_server *server, int fd, ho_str shown, ho_error *err)
{
  if (server->listening == HO_HTTP_LISTENERS)
    return ho_fail(err, HO_LIMIT, "cannot listen on more than %d addresses", HO_HTTP_LISTENERS);
  evutil_make_socket_nonblocking(fd);
  evutil_make_socket_closeonexec(fd);
  struct evconnlistener *listener =
      evconnlistener_new(ho_http_loop_base(server->loop), accepted, server, LEV_OPT_CLOSE_ON_FREE, BACKLOG, fd);
  if (!listener)
    return ho_fail(err, HO_IO, "cannot listen on %.*s: %s", HO_ARG(shown), strerror(errno));
  server->listeners[server->listening++] = listener;
  return HO_OK;
}

/* "127.0.0.1:8420", "[::1]:8420", "localhost:8420" or "8420". */
static ho_code split(ho_arena *arena, ho_str given, const char **host, const char **port, ho_error *err)
{
  size_t colon = given.n;
  uint64_t number;
  while (colon && given.p[colon - 1] != ':')
    colon--;
  ho_str name = ho_str_sub(given, 0, colon ? colon - 1 : 0), digits = ho_str_sub(given, colon, given.n);
  if (ho_str_starts(name, "[") && ho_str_ends(name, "]"))
    name = ho_str_sub(name, 1, name.n - 1);
  if (!ho_str_to_u64(digits, &number) || number > 65535)
    return ho_fail(err, HO_USAGE, "'%.*s' is not an address to listen on; write it as 127.0.0.1:8420 or [::1]:8420",
                   HO_ARG(given));
  *host = ho_arena_z(arena, !name.n || ho_str_is(name, "localhost") ? HO_STR("127.0.0.1") : name);
  *port = ho_arena_z(arena, digits);
  return HO_OK;
}

static bool is_loopback(const struct sockaddr *address)
{
  ho_http_peer peer = peer_of(-1, address);
  return peer.local;
}

static ho_code listen_on(ho_http_server *server, const ho_call *call, ho_str given, ho_error *err)
{
  const char *host, *port;
  struct addrinfo hints = {.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV | AI_PASSIVE, .ai_socktype = SOCK_STREAM},
                  *found;
  ho_code code = split(call->arena, given, &host, &port, err);
  int on = 1;
  if (code)
    return code;
  if (getaddrinfo(host, port, &hints, &found) != 0)
    return ho_fail(err, HO_USAGE, "'%s' is not a numeric address; write it as 127.0.0.1:8420 or [::1]:8420", host);
  int fd = socket(found->ai_family, SOCK_STREAM, 0);
  if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) != 0 ||
      bind(fd, found->ai_addr, found->ai_addrlen) != 0 || listen(fd, BACKLOG) != 0)
    code = ho_fail(err, HO_IO, "cannot listen on %.*s: %s", HO_ARG(given), strerror(errno));
  if (!code && !is_loopback(found->ai_addr))
    code = ho_fail(err, HO_USAGE, "%.*s is not an address of this machine alone (loopback)", HO_ARG(given));
  freeaddrinfo(found);
  if (code) {
    if (fd >= 0)
      close(fd);
    return code;
  }
  return add(server, fd, given, err);
}

/* "http://127.0.0.1:8420" of a listener. */
static ho_str shown(ho_arena *arena, struct evconnlistener *listener)
{
  struct sockaddr_storage address;
  socklen_t size = sizeof address;
  if (getsockname(evconnlistener_get_fd(listener), (struct sockaddr *)&address, &size) != 0)
    return HO_EMPTY;
  if (address.ss_family == AF_UNIX)
    return ho_str_of(((const struct sockaddr_un *)&address)->sun_path);
  ho_http_peer peer = peer_of(-1, (const struct sockaddr *)&address);
  bool six = address.ss_family == AF_INET6;
  unsigned port = ntohs(six ? ((const struct sockaddr_in6 *)&address)->sin6_port
                            : ((const struct sockaddr_in *)&address)->sin_port);
  return ho_arena_printf(arena, six ? "http://[%s]:%u" : "http://%s:%u", peer.address, port);
}

ho_code ho_http_listen(ho_http_server *server, const ho_call *call, ho_error *err)
{
  ho_code code = listen_on(server, call, ho_arg_str(call, "listen"), err);
  for (size_t i = 0; !code && i < server->listening; i++) {
    ho_str line = ho_arena_printf(call->arena, "listening on %.*s\n", HO_ARG(shown(call->arena, server->listeners[i])));
    if (call->host->show)
      call->host->show(call->host->world, line);
  }
  return code;
}
