/* The server from its start to its end. */
#include <errno.h>
#include <event2/listener.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/proc/spawn.h"
#include "base/term.h"
#include "command/call.h"
#include "engine/project/identity.h"
#include "surface/http/http.h"
#include "surface/http/http_server.h"
#include "surface/http/http_watch.h"
#include "surface/http/http_who.h"

enum {
  CONNS_MOST = 8192,
  FILES_KEPT = 256, /* descriptors that are not connections: stores, documents */
  DRAIN_MS = 5000,  /* for what is being done when the server is told to end */
};

static void on_news(void *data)
{
  ho_http_server *server = data;
  uint64_t count;
  (void)!read(server->wake_fd, &count, sizeof count);
  ho_http_exchange_news(server);
}

static void on_last(void *data)
{
  ho_http_server *server = data;
  ho_http_loop_stop(server->loop);
}

static void stop_listening(ho_http_server *server)
{
  for (size_t i = 0; i < server->listening; i++)
    evconnlistener_free(server->listeners[i]);
  server->listening = 0;
}

/* Nobody new comes in; what is being done may end, and what waits is told. */
static void on_end(void *data)
{
  ho_http_server *server = data;
  if (atomic_exchange(&server->ending, true)) { /* told twice */
    ho_http_loop_stop(server->loop);
    return;
  }
  stop_listening(server);
  ho_http_exchange_wake(server, true);
  ho_http_event_in(server->last, DRAIN_MS);
}

/* As many connections as descriptors are left for. */
static size_t conns_most(void)
{
  struct rlimit files;
  if (getrlimit(RLIMIT_NOFILE, &files) != 0)
    return CONNS_MOST / 16;
  if (files.rlim_cur < files.rlim_max) {
    files.rlim_cur = files.rlim_max < CONNS_MOST + FILES_KEPT ? files.rlim_max : CONNS_MOST + FILES_KEPT;
    setrlimit(RLIMIT_NOFILE, &files);
  }
  size_t left = files.rlim_cur > FILES_KEPT * 2 ? files.rlim_cur - FILES_KEPT : files.rlim_cur / 2;
  return left < CONNS_MOST ? left : CONNS_MOST;
}

static ho_code make_loop(ho_http_server *server, ho_error *err)
{
  ho_code code = ho_http_loop_new(&server->loop, err);
  if (code)
    return code;
  server->wake_fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
  if (server->wake_fd < 0)
    return ho_fail(err, HO_IO, "cannot begin to serve: %s", strerror(errno));
  server->wake = ho_http_loop_readable(server->loop, server->wake_fd, on_news, server);
  server->term = ho_http_loop_signal(server->loop, SIGTERM, on_end, server);
  server->interrupt = ho_http_loop_signal(server->loop, SIGINT, on_end, server);
  server->last = ho_http_loop_timer(server->loop, on_last, server);
  return server->wake && server->term && server->interrupt && server->last ? HO_OK : ho_fail_memory(err);
}

static void free_loop(ho_http_server *server)
{
  ho_http_event *events[] = {server->wake, server->term, server->interrupt, server->last};
  stop_listening(server);
  ho_http_watch_end(server);
  for (size_t i = 0; i < HO_COUNT(events); i++)
    ho_http_event_free(events[i]);
  ho_http_loop_free(server->loop);
}

/* Until it is told to end, and nobody is left whom something is owed. */
static void run(ho_http_server *server)
{
  while (!atomic_load(&server->ending) || server->conns) {
    if (!ho_http_loop_turn(server->loop))
      return;
    if (atomic_load(&server->ending))
      ho_http_conn_close_idle(server);
  }
}

/* The link by which the person at this terminal comes in. Nobody else sees it: agents read files, pipes and the arguments of
 * processes, so it goes to a terminal or nowhere, and the browser is opened without it. */
static ho_code show_link(ho_http_server *server, const ho_call *call, ho_error *err)
{
  ho_identity_signs signs = {0};
  ho_str address = ho_http_listen_address(server, call->arena);
  bool open = ho_arg_true(call, "open");
  ho_identity_read_signs(call->arena, &signs);
  if (!address.n || signs.count || !ho_term_is(STDERR_FILENO))
    return open ? ho_fail(err, HO_USAGE, "--open is for a person at a terminal, which shows the link to sign in with")
                : HO_OK;
  ho_code code = ho_http_who_link(&server->doors, err);
  if (code)
    return code;
  fprintf(stderr, "sign in within five minutes: %.*s/link/%s\n", HO_ARG(address), server->doors.link);
  const char *argv[] = {"xdg-open", ho_arena_z(call->arena, ho_arena_printf(call->arena, "%.*s/link", HO_ARG(address))),
                        NULL};
  pid_t pid;
  if (open && ho_spawn(argv, NULL, -1, -1, &pid) != 0)
    fprintf(stderr, "no browser could be opened (xdg-open); open the link yourself\n");
  return HO_OK;
}

ho_code ho_http_serve(const ho_call *call, ho_error *err)
{
  static ho_http_server server; /* threads that are still at work when the process ends may look at it */
  server.host = call->host;
  server.args = call->args;
  server.conn_most = conns_most();
  server.thread = pthread_self();
  pthread_mutex_init(&server.lock, NULL);
  signal(SIGPIPE, SIG_IGN);
  ho_http_work_begin(&server.pool);
  ho_code code = make_loop(&server, err);
  if (!code)
    code = ho_http_who_begin(&server.doors, call, err);
  if (!code)
    code = ho_http_watch_begin(&server, err);
  if (!code)
    code = ho_http_listen(&server, call, err);
  if (!code)
    code = show_link(&server, call, err);
  if (!code) {
    run(&server);
    if (server.socket_path)
      (void)ho_fs_unlink_in(ho_arena_z(call->arena, call->host->root), server.socket_path);
    _exit(0); /* whatever a thread does now, nobody is told of: as if the process had ended in the middle of it */
  }
  free_loop(&server);
  return code;
}
