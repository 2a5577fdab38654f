#include "surface/http/http_watch.h"

#include <errno.h>
#include <sys/inotify.h>
#include <unistd.h>

#include "base/fs.h"
#include "engine/project/access_token.h"
#include "engine/project/paths.h"
#include "engine/project/project.h"

enum {
  SOON_MS = 10,        /* so that what is written together is told together */
  AGAIN_MS = 300,      /* a write can be seen a moment after the system has told of it */
  STREAMS_PER_MS = 20, /* the more clients are told, the less often */
};

/* The folder of the store; the project's root as long as there is none. */
static ho_str folder_of(const ho_host *host, ho_arena *arena)
{
  ho_project project = {
      .arena = arena, .root = host->root, .store_url = host->store, .clock_ms = host->clock_ms, .world = host->world};
  ho_error ignored = {0};
  ho_str folder = ho_project_begin(&project, &ignored) ? HO_EMPTY : ho_fs_parent(ho_project_database(&project));
  ho_project_close(&project);
  return ho_fs_is_folder(ho_arena_z(arena, folder)) ? folder : host->root;
}

/* Watches the folder in which the next change will be. */
static void look(ho_http_server *server)
{
  ho_arena arena;
  ho_arena_init(&arena, 0);
  ho_str folder = folder_of(server->host, &arena);
  int watched = inotify_add_watch(server->watch_fd, ho_arena_z(&arena, folder),
                                  IN_MODIFY | IN_CREATE | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR);
  if (watched != server->watched && server->watched >= 0)
    inotify_rm_watch(server->watch_fd, server->watched);
  server->watched = watched;
  server->watches_root = ho_str_eq(folder, server->host->root);
  ho_arena_free(&arena);
}

static void on_time(void *data)
{
  ho_http_server *server = data;
  atomic_fetch_add(&server->generation, 1);
  if (server->watch_again)
    ho_http_event_in(server->watch_timer, AGAIN_MS);
  server->watch_due = server->watch_again;
  server->watch_again = false;
  ho_http_exchange_wake(server, false);
}

/* Who opens the database to read it, may make the memory anew that its processes share: that changes nothing. */
static bool is_memory(const struct inotify_event *event)
{
  return event->len && ho_str_ends(ho_str_of(event->name), "-shm");
}

/* Takes what the system tells. */
static void on_change(void *data)
{
  _Alignas(struct inotify_event) char bytes[8192];
  ho_http_server *server = data;
  bool moved = false, changed = false;
  for (ssize_t n; (n = read(server->watch_fd, bytes, sizeof bytes)) > 0;)
    for (char *at = bytes; at < bytes + n;) {
      const struct inotify_event *event = (const struct inotify_event *)at;
      bool tokens = event->wd == server->watched_tokens,
           gone = event->mask & (IN_DELETE_SELF | IN_MOVE_SELF | IN_IGNORED);
      if (!is_memory(event))
        server->changes++;
      if (tokens && gone)
        server->watched_tokens = -1;
      moved = moved || (gone && !tokens) || server->watches_root;
      changed = changed || !(tokens || is_memory(event));
      at += sizeof *event + event->len;
    }
  if (moved)
    look(server);
  if (!changed)
    return;
  if (!server->watch_due || !server->watch_again)
    ho_http_event_in(server->watch_timer, SOON_MS + (int64_t)server->parked_count / STREAMS_PER_MS);
  server->watch_due = server->watch_again = true;
}

/* Watches the folder of tokens, once there is one. */
static void look_at_tokens(ho_http_server *server)
{
  ho_arena arena;
  ho_arena_init(&arena, 0);
  server->watched_tokens =
      inotify_add_watch(server->watch_fd, ho_arena_z(&arena, ho_access_token_folder(&arena)),
                        IN_MODIFY | IN_CREATE | IN_MOVED_TO | IN_DELETE | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR);
  server->changes++;
  ho_arena_free(&arena);
}

uint64_t ho_http_watch_now(ho_http_server *server)
{
  if (server->watched_tokens < 0)
    look_at_tokens(server);
  on_change(server);
  return server->watched < 0 || server->watched_tokens < 0 ? 0 : server->changes;
}

ho_code ho_http_watch_begin(ho_http_server *server, ho_error *err)
{
  server->watched = server->watched_tokens = -1;
  server->watch_fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
  if (server->watch_fd < 0)
    return ho_fail(err, HO_IO, "cannot watch the store: %s", strerror(errno));
  server->watch = ho_http_loop_readable(server->loop, server->watch_fd, on_change, server);
  server->watch_timer = ho_http_loop_timer(server->loop, on_time, server);
  if (!server->watch || !server->watch_timer)
    return ho_fail_memory(err);
  look(server);
  return HO_OK;
}

void ho_http_watch_end(ho_http_server *server)
{
  ho_http_event_free(server->watch);
  ho_http_event_free(server->watch_timer);
}
