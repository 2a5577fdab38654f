#include "surface/http/http_mcp_hub.h"

#include <pthread.h>

#include "base/digest.h"
#include "base/memory.h"
#include "base/time.h"
#include "surface/http/http_act.h"
#include "surface/http/http_server.h"

enum { HUBS_MOST = 4096, IDLE_MS = 3600 * 1000, BUCKETS = 512, ID_BYTES = 32, ID_SIZE = 65 };

struct ho_http_mcp_hub {
  ho_arena arena;
  ho_host host;
  ho_access access;
  ho_mcp *mcp;
  uint64_t generation; /* of the store, when the server was last told of it */
  /* Of everybody, under the lock. */
  ho_str key;               /* "": nobody finds it */
  ho_http_mcp_hub *next;    /* of its bucket */
  ho_http_mcp_visit *owner; /* whose turn it is; NULL: nobody's */
  ho_http_mcp_visit *visits, *main, *first, *last;
  int64_t used_ms;
};

/* Whoever lets others go has the turn. */
static ho_http_mcp_visit leaving;

static struct {
  pthread_mutex_t lock;
  ho_http_mcp_hub *buckets[BUCKETS];
  size_t count; /* those that nobody finds included */
} hubs = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* ---- All of them. Under the lock. */

static ho_http_mcp_hub **bucket_of(ho_str key)
{
  return &hubs.buckets[ho_str_hash(key) % BUCKETS];
}

static ho_http_mcp_hub *find(ho_str key)
{
  for (ho_http_mcp_hub *hub = *bucket_of(key); hub; hub = hub->next)
    if (ho_str_eq(hub->key, key))
      return hub;
  return NULL;
}

static void list(ho_http_mcp_hub *hub, ho_str key)
{
  hub->key = key;
  hub->next = *bucket_of(key);
  *bucket_of(key) = hub;
}

static void unlist(ho_http_mcp_hub *hub)
{
  ho_http_mcp_hub **link = hub->key.n ? bucket_of(hub->key) : NULL;
  while (link && *link != hub)
    link = &(*link)->next;
  if (link)
    *link = hub->next;
  hub->key = HO_EMPTY;
}

/* That which nobody has visited for the longest time, and not since `before_ms`, taken out; NULL if there is none. */
static ho_http_mcp_hub *take_oldest(int64_t before_ms)
{
  ho_http_mcp_hub *oldest = NULL;
  for (size_t i = 0; i < BUCKETS; i++)
    for (ho_http_mcp_hub *hub = hubs.buckets[i]; hub; hub = hub->next)
      if (!hub->visits && hub->used_ms < (oldest ? oldest->used_ms : before_ms))
        oldest = hub;
  if (oldest)
    unlist(oldest);
  return oldest;
}

/* ---- One. */

static void free_hub(ho_http_mcp_hub *hub)
{
  if (!hub)
    return;
  ho_mcp_end(hub->mcp);
  ho_arena_free(&hub->arena);
  ho_free(hub);
  pthread_mutex_lock(&hubs.lock);
  hubs.count--;
  pthread_mutex_unlock(&hubs.lock);
}

/* Each new one takes the place of one that nobody needs any more, if there is such. */
static bool has_room(void)
{
  int64_t now = ho_time_monotonic_ms();
  pthread_mutex_lock(&hubs.lock);
  ho_http_mcp_hub *oldest = take_oldest(hubs.count < HUBS_MOST ? now - IDLE_MS : INT64_MAX);
  bool room = oldest || hubs.count < HUBS_MOST;
  if (room)
    hubs.count++;
  pthread_mutex_unlock(&hubs.lock);
  free_hub(oldest);
  return room;
}

/* The tools that the client wants. */
static ho_str wanted_of(const ho_http_exchange *x)
{
  return ho_http_request_header(&x->request, "handoff-tools");
}

/* A server for whoever asks, in this session of theirs. */
static ho_code make(const ho_http_exchange *x, ho_str session, ho_http_mcp_hub **out, ho_error *err)
{
  const ho_host *host = ho_http_host(x->server);
  if (!has_room())
    return ho_fail(err, HO_LIMIT, "the server has too many sessions; try again in a moment");
  ho_http_mcp_hub *hub = ho_malloc(sizeof *hub);
  if (!hub) {
    pthread_mutex_lock(&hubs.lock);
    hubs.count--;
    pthread_mutex_unlock(&hubs.lock);
    return ho_fail_memory(err);
  }
  *hub = (ho_http_mcp_hub){.host = *host, .access = *x->access, .key = HO_EMPTY};
  ho_arena_init(&hub->arena, 0);
  hub->access.name = ho_arena_copy(&hub->arena, x->access->name);
  hub->access.who = ho_arena_copy(&hub->arena, x->access->who);
  hub->host.access = &hub->access;
  hub->host.session = ho_arena_copy(&hub->arena, session);
  hub->host.agent = HO_EMPTY;
  hub->host.folder = host->root;
  ho_code code = ho_mcp_begin(&hub->mcp, &hub->host, x->server->args, wanted_of(x), err);
  if (!code)
    code = ho_arena_code(&hub->arena, err);
  if (code)
    free_hub(hub);
  else
    ho_mcp_changed(hub->mcp); /* from now on it is told */
  *out = code ? NULL : hub;
  return code;
}

/* What a hub of the stateless era is found by: who asks, from where, in which session, and for which tools. */
static ho_str key_of(ho_http_exchange *x, ho_str session)
{
  return ho_arena_printf(&x->arena, "%.*s\n%d\n%.*s\n%.*s", HO_ARG(ho_access_shown(x->access, &x->arena)),
                         x->access->files, HO_ARG(session), HO_ARG(wanted_of(x)));
}

/* Is whoever asks the one whose session it is? */
static bool is_theirs(const ho_http_mcp_hub *hub, const ho_access *access)
{
  return hub->access.role == access->role && hub->access.how == access->how && hub->access.files == access->files &&
         ho_str_eq(hub->access.name, access->name) && ho_str_eq(hub->access.who, access->who);
}

/* ---- Visits. */

/* The next one's turn begins. Under the lock. */
static void pass_on(ho_http_mcp_hub *hub)
{
  while (hub->first && !hub->first->x) {
    hub->first->queued = false;
    hub->first = hub->first->after;
  }
  hub->owner = hub->first;
  if (!hub->owner)
    return;
  hub->first = hub->owner->after;
  hub->owner->queued = false;
  ho_http_again(hub->owner->x);
}

/* One whose exchange has gone, and that is in no queue, taken out; or NULL. */
static ho_http_mcp_visit *take_gone(ho_http_mcp_hub *hub)
{
  pthread_mutex_lock(&hubs.lock);
  ho_http_mcp_visit **link = &hub->visits, *gone = NULL;
  while (*link && ((*link)->x || (*link)->queued))
    link = &(*link)->next;
  gone = *link;
  if (gone)
    *link = gone->next;
  if (gone && hub->main == gone)
    hub->main = NULL;
  pthread_mutex_unlock(&hubs.lock);
  return gone;
}

/* With the turn: lets those go that have gone, and passes it on. */
static void leave(ho_http_mcp_hub *hub)
{
  pthread_mutex_lock(&hubs.lock);
  hub->owner = &leaving;
  pthread_mutex_unlock(&hubs.lock);
  for (ho_http_mcp_visit *gone; (gone = take_gone(hub));) {
    ho_mcp_leave(hub->mcp, &gone->own);
    ho_free(gone);
  }
  pthread_mutex_lock(&hubs.lock);
  hub->used_ms = ho_time_monotonic_ms();
  pass_on(hub);
  bool forgotten = !hub->owner && !hub->visits && !hub->key.n;
  pthread_mutex_unlock(&hubs.lock);
  if (forgotten)
    free_hub(hub);
}

/* The exchange ends; on the loop. */
static void gone(ho_http_exchange *x)
{
  ho_http_mcp_visit *visit = x->world;
  ho_http_mcp_hub *hub = visit->hub;
  pthread_mutex_lock(&hubs.lock);
  visit->x = NULL;
  bool free = !hub->owner || hub->owner == visit; /* else whoever has the turn sees it */
  if (free)
    hub->owner = &leaving;
  pthread_mutex_unlock(&hubs.lock);
  if (free)
    leave(hub);
}

/* Adds the visit to the hub that is there, or to `made`, which is listed then; NULL if there is none. */
static ho_http_mcp_hub *join(ho_http_mcp_visit *visit, ho_str key, ho_http_mcp_hub *made)
{
  pthread_mutex_lock(&hubs.lock);
  ho_http_mcp_hub *hub = key.n ? find(key) : NULL;
  if (hub && !is_theirs(hub, visit->x->access))
    hub = NULL;
  else if (!hub && made && key.n)
    list(made, ho_arena_copy(&made->arena, key));
  if (!hub)
    hub = made;
  if (hub) {
    visit->hub = hub;
    visit->next = hub->visits;
    hub->visits = visit;
  }
  pthread_mutex_unlock(&hubs.lock);
  return hub;
}

ho_code ho_http_mcp_hub_visit(ho_http_exchange *x, ho_str id, bool fresh, ho_http_mcp_visit **out, ho_error *err)
{
  ho_str session;
  ho_http_mcp_hub *made = NULL;
  ho_http_mcp_visit *visit = ho_malloc(sizeof *visit);
  if (!visit)
    return ho_fail_memory(err);
  *visit = (ho_http_mcp_visit){.x = x};
  ho_code code = ho_http_act_session(x, &session, err);
  ho_str key = id.n || fresh ? id : key_of(x, session);
  if (!code && (fresh || !join(visit, key, NULL))) {
    code = id.n ? ho_fail(err, HO_NOT_FOUND, "there is no such session (Mcp-Session-Id); call initialize")
                : make(x, session, &made, err);
    if (!code && join(visit, key, made) != made) /* somebody else has made it meanwhile */
      free_hub(made);
  }
  if (code) {
    ho_free(visit);
    return code;
  }
  ho_mcp_channel_begin(&visit->own);
  visit->own.head = &visit->head;
  visit->channel = &visit->own;
  x->world = *out = visit;
  x->gone = gone;
  return HO_OK;
}

bool ho_http_mcp_hub_enter(ho_http_mcp_visit *visit)
{
  ho_http_mcp_hub *hub = visit->hub;
  pthread_mutex_lock(&hubs.lock);
  if (!hub->owner)
    hub->owner = visit;
  bool entered = hub->owner == visit;
  if (!entered && !visit->queued) {
    visit->queued = true;
    visit->after = NULL;
    if (hub->first)
      hub->last->after = visit;
    else
      hub->first = visit;
    hub->last = visit;
  }
  pthread_mutex_unlock(&hubs.lock);
  return entered;
}

void ho_http_mcp_hub_leave(ho_http_mcp_visit *visit)
{
  leave(visit->hub);
}

/* ---- While it is the visit's turn. */

ho_mcp *ho_http_mcp_hub_server(const ho_http_mcp_visit *visit)
{
  ho_http_mcp_hub *hub = visit->hub;
  uint64_t generation = ho_http_generation(visit->x);
  if (generation != hub->generation)
    ho_mcp_changed(hub->mcp);
  hub->generation = generation;
  return hub->mcp;
}

ho_code ho_http_mcp_hub_name(ho_http_mcp_visit *visit, ho_str *id, ho_error *err)
{
  char made[ID_SIZE];
  ho_http_mcp_hub *hub = visit->hub;
  ho_code code = ho_random_hex(made, ID_BYTES, err);
  if (code)
    return code;
  *id = ho_arena_copy(&hub->arena, ho_str_of(made));
  pthread_mutex_lock(&hubs.lock);
  if (id->n)
    list(hub, *id);
  pthread_mutex_unlock(&hubs.lock);
  return ho_arena_code(&hub->arena, err);
}

void ho_http_mcp_hub_close(ho_http_mcp_visit *visit)
{
  pthread_mutex_lock(&hubs.lock);
  unlist(visit->hub);
  pthread_mutex_unlock(&hubs.lock);
}

bool ho_http_mcp_hub_main(ho_http_mcp_visit *visit)
{
  ho_http_mcp_hub *hub = visit->hub;
  pthread_mutex_lock(&hubs.lock);
  bool taken = hub->main && hub->main->x;
  if (!taken)
    hub->main = visit;
  pthread_mutex_unlock(&hubs.lock);
  if (!taken)
    visit->channel = ho_mcp_main(hub->mcp);
  return !taken;
}

void ho_http_mcp_hub_each(ho_http_mcp_visit *visit, void (*each)(ho_http_mcp_visit *other, void *data), void *data)
{
  pthread_mutex_lock(&hubs.lock);
  for (ho_http_mcp_visit *other = visit->hub->visits; other; other = other->next)
    if (other != visit && other->x)
      each(other, data);
  pthread_mutex_unlock(&hubs.lock);
}
