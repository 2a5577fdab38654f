/* Where the server listens: addresses on this machine, Unix sockets, and sockets that whoever started it has opened. */
#include <arpa/inet.h>
#include <errno.h>
#include <event2/listener.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/fs.h"
#include "command/call.h"
#include "engine/project/access_token.h"
#include "engine/project/worktree.h"
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
static ho_code split(ho_arena *arena, ho_str given, const char **host, in_port_t *port, ho_error *err)
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
  *port = htons((uint16_t)number);
  return HO_OK;
}

/* The address that `host` and `port` are; false if the host is not numeric. Names are not looked up: which address they
 * lead to may change, and with it who can reach the server. An address of a link names the link: fe80::1%eth0. */
static bool numeric(ho_arena *arena, const char *host, in_port_t port, struct sockaddr_storage *out, socklen_t *size)
{
  struct sockaddr_in *four = (struct sockaddr_in *)out;
  struct sockaddr_in6 *six = (struct sockaddr_in6 *)out;
  const char *link = strchr(host, '%');
  *out = (struct sockaddr_storage){0};
  if (inet_pton(AF_INET, host, &four->sin_addr) == 1) {
    four->sin_family = AF_INET;
    four->sin_port = port;
    *size = sizeof *four;
    return true;
  }
  if (link)
    host = ho_arena_z(arena, (ho_str){host, (size_t)(link - host)});
  if (inet_pton(AF_INET6, host, &six->sin6_addr) != 1)
    return false;
  six->sin6_family = AF_INET6;
  six->sin6_port = port;
  six->sin6_scope_id = link ? if_nametoindex(link + 1) : 0;
  *size = sizeof *six;
  return !link || six->sin6_scope_id;
}

static bool is_loopback(const struct sockaddr *address)
{
  ho_http_peer peer = peer_of(-1, address);
  return peer.local;
}

/* What others than this machine can reach needs a token that lets somebody in: it is not opened by mistake. */
static ho_code check_tokens(const ho_call *call, ho_str given, ho_error *err)
{
  const ho_host *host = call->host;
  ho_access_token_list list = {0};
  ho_personal place = ho_access_token_place(call->arena, ho_worktree_home(call->arena, host->root), host->root);
  ho_code code = ho_access_tokens_read(&place, &list, err);
  for (size_t i = 0; !code && i < list.count; i++)
    if (ho_access_token_state_of(&list.rows[i], host->clock_ms(host->world)) == HO_TOKEN_ACTIVE)
      return HO_OK;
  return code ? code
              : ho_fail(
                    err, HO_USAGE,
                    "%.*s can be reached from other machines, and nobody has a token yet; run: handoff token new NAME "
                    "--role ROLE",
                    HO_ARG(given));
}

static ho_code listen_on(ho_http_server *server, const ho_call *call, ho_str given, ho_error *err)
{
  const char *host;
  in_port_t port;
  struct sockaddr_storage storage;
  const struct sockaddr *address = (const struct sockaddr *)&storage;
  socklen_t size;
  ho_code code = split(call->arena, given, &host, &port, err);
  int on = 1;
  if (code)
    return code;
  if (!numeric(call->arena, host, port, &storage, &size))
    return ho_fail(err, HO_USAGE, "'%s' is not a numeric address; write it as 127.0.0.1:8420 or [::1]:8420", host);
  if (!is_loopback(address))
    code = check_tokens(call, given, err);
  int fd = code ? -1 : socket(address->sa_family, SOCK_STREAM, 0);
  if (!code && (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) != 0 ||
                bind(fd, address, size) != 0 || listen(fd, BACKLOG) != 0))
    code = ho_fail(err, HO_IO, "cannot listen on %.*s: %s", HO_ARG(given), strerror(errno));
  if (!code)
    return add(server, fd, given, err);
  if (fd >= 0)
    close(fd);
  return code;
}

/* A socket that a server has left behind answers nobody. */
static void remove_dead(const char *root, const struct sockaddr_un *address)
{
  struct stat info;
  int fd = socket(AF_UNIX, SOCK_STREAM, 0);
  bool dead = fd >= 0 && connect(fd, (const struct sockaddr *)address, sizeof *address) != 0 && errno == ECONNREFUSED;
  if (dead && lstat(address->sun_path, &info) == 0 && S_ISSOCK(info.st_mode) && info.st_uid == geteuid())
    (void)ho_fs_unlink_in(root, address->sun_path);
  if (fd >= 0)
    close(fd);
}

static ho_code listen_at(ho_http_server *server, const ho_call *call, ho_str given, ho_error *err)
{
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  const char *path = ho_full_path(call, given);
  if (strlen(path) >= sizeof address.sun_path)
    return ho_fail_file(err, HO_USAGE, given, "the path is too long for a socket (limit %zu bytes)",
                        sizeof address.sun_path - 1);
  ho_error_copy(address.sun_path, sizeof address.sun_path, ho_str_of(path));
  remove_dead(ho_arena_z(call->arena, call->host->root), &address);
  int fd = socket(AF_UNIX, SOCK_STREAM, 0);
  mode_t mask = umask(0177); /* no thread runs yet */
  int failed = fd < 0 || bind(fd, (const struct sockaddr *)&address, sizeof address) != 0 ? errno : 0;
  umask(mask);
  if (!failed && listen(fd, BACKLOG) == 0) {
    server->socket_path = path;
    return add(server, fd, given, err);
  }
  ho_code code = ho_fail_file(err, HO_IO, given, "cannot listen there: %s", strerror(failed ? failed : errno));
  if (fd >= 0)
    close(fd);
  return code;
}

/* Sockets that systemd, or whoever else, has opened for this process. */
static ho_code take_given(ho_http_server *server, const ho_call *call, ho_error *err)
{
  enum { FIRST = 3 };
  uint64_t count = 0, pid = 0;
  ho_code code = HO_OK;
  if (!ho_str_to_u64(ho_str_of(getenv("LISTEN_PID")), &pid) || pid != (uint64_t)getpid() ||
      !ho_str_to_u64(ho_str_of(getenv("LISTEN_FDS")), &count))
    return HO_OK;
  for (int fd = FIRST; !code && fd < FIRST + (int)(count < HO_HTTP_LISTENERS ? count : HO_HTTP_LISTENERS); fd++) {
    struct sockaddr_storage address = {0};
    socklen_t size = sizeof address;
    if (getsockname(fd, (struct sockaddr *)&address, &size) != 0)
      return ho_fail(err, HO_IO, "LISTEN_FDS names no open socket: %s", strerror(errno));
    if (address.ss_family != AF_UNIX && !is_loopback((const struct sockaddr *)&address))
      code = check_tokens(call, HO_STR("the socket that was passed on"), err);
    if (!code)
      code = add(server, fd, HO_STR("the socket that was passed on"), err);
  }
  return code;
}

/* "http://127.0.0.1:8420" of a listener. */
static ho_str shown(ho_arena *arena, struct evconnlistener *listener)
{
  struct sockaddr_storage address;
  socklen_t size = sizeof address;
  if (getsockname(evconnlistener_get_fd(listener), (struct sockaddr *)&address, &size) != 0)
    return HO_EMPTY;
  if (address.ss_family == AF_UNIX)
    return ho_arena_copy(arena, ho_str_of(((const struct sockaddr_un *)&address)->sun_path));
  ho_http_peer peer = peer_of(-1, (const struct sockaddr *)&address);
  bool six = address.ss_family == AF_INET6;
  unsigned port = ntohs(six ? ((const struct sockaddr_in6 *)&address)->sin6_port
                            : ((const struct sockaddr_in *)&address)->sin_port);
  return ho_arena_printf(arena, six ? "http://[%s]:%u" : "http://%s:%u", peer.address, port);
}

ho_str ho_http_listen_address(const ho_http_server *server, ho_arena *arena)
{
  for (size_t i = 0; i < server->listening; i++) {
    ho_str address = shown(arena, server->listeners[i]);
    if (ho_str_starts(address, "http:"))
      return address;
  }
  return HO_EMPTY;
}

ho_code ho_http_listen(ho_http_server *server, const ho_call *call, ho_error *err)
{
  ho_str address = ho_arg_str(call, "listen"), path = ho_arg_str(call, "socket");
  ho_code code = take_given(server, call, err);
  if (!code && path.n)
    code = listen_at(server, call, path, err);
  if (!code && (address.n || !server->listening))
    code = listen_on(server, call, address.n ? address : HO_STR("127.0.0.1:8420"), err);
  for (size_t i = 0; !code && i < server->listening; i++) {
    ho_str line = ho_arena_printf(call->arena, "listening on %.*s\n", HO_ARG(shown(call->arena, server->listeners[i])));
    if (call->host->show)
      call->host->show(call->host->world, line);
  }
  return code;
}
