#include "surface/mcp/mcp_listen.h"

#include "base/digest.h"
#include "base/memory.h"
#include "base/time.h"
#include "command/commands.h"
#include "doc/json/json.h"

/* How often it is looked, how many may listen, and to how many resources each. */
enum { LOOK_MS = 1000, MOST = 256, MOST_URIS = 64 };

static const char id_key[] = "io.modelcontextprotocol/subscriptionId";

/* A resource that somebody wants to hear of, and what it was when that was last told. */
typedef struct watched {
  struct watched *next;
  ho_str uri;
  char was[HO_DIGEST_SIZE];
} watched;

struct ho_mcp_listen {
  ho_mcp_listen *next;
  ho_arena arena;
  ho_mcp_channel *channel;
  ho_node *id; /* of the stream; NULL: what the client of the era of `initialize` has subscribed to */
  bool tools, prompts;
  ho_mcp_client client;
  watched *uris;
  size_t uri_count;
  int64_t look_ms;
  long long seq; /* of the newest event when it was last looked */
};

static void drop(ho_mcp *mcp, ho_mcp_listen *gone)
{
  for (ho_mcp_listen **at = &mcp->listens; *at; at = &(*at)->next)
    if (*at == gone) {
      *at = gone->next;
      break;
    }
  if (gone->id)
    gone->channel->pending--;
  ho_arena_free(&gone->arena);
  ho_free(gone);
}

static ho_mcp_listen *add(ho_mcp_request *r, ho_mcp_channel *channel, const ho_node *id)
{
  size_t n = 0;
  for (const ho_mcp_listen *l = r->mcp->listens; l; l = l->next)
    n++;
  ho_mcp_listen *l = n < MOST ? ho_malloc(sizeof *l) : NULL;
  if (!l)
    return NULL;
  *l = (ho_mcp_listen){.channel = channel, .next = r->mcp->listens, .look_ms = ho_time_monotonic_ms() + LOOK_MS};
  ho_arena_init(&l->arena, 0);
  l->id = ho_node_copy(&l->arena, id);
  l->client.name = ho_arena_copy(&l->arena, r->client.name);
  if (l->id)
    channel->pending++;
  r->mcp->listens = l;
  return l;
}

/* ---- What a resource is now. */

static void read_now(ho_mcp *mcp, const ho_mcp_listen *l, ho_str uri, char out[HO_DIGEST_SIZE])
{
  ho_arena arena;
  ho_buf json;
  ho_mcp_rpc_fault none = {0};
  ho_arena_init(&arena, 0);
  ho_node *params = ho_node_new(&arena, HO_KIND_MAP);
  ho_map_addz(params, "uri", ho_node_text(&arena, uri));
  ho_mcp_request r = {.mcp = mcp,
                      .arena = &arena,
                      .method = HO_STR("resources/read"),
                      .params = params,
                      .stateless = true,
                      .client = l->client};
  out[0] = 0; /* there is none */
  if (!ho_mcp_answer(&r, &none)) {
    ho_buf_init(&json, 0);
    ho_json_write(&json, ho_map_getz(r.result, "contents"), 0);
    ho_digest_text(ho_buf_str(&json), out);
    ho_buf_free(&json);
  }
  ho_arena_free(&arena);
}

/* The number of the newest event: as long as it is the same, nothing has changed. */
static long long newest(ho_mcp *mcp)
{
  ho_arena arena;
  ho_error none = {0};
  long long seq = 0;
  ho_arena_init(&arena, 0);
  ho_host host = *mcp->host;
  host.arena = &arena;
  ho_node *args = ho_node_new(&arena, HO_KIND_MAP);
  ho_map_addz(args, "limit", ho_node_number(&arena, 1));
  ho_call call = {.host = &host, .args = args, .arena = &arena};
  if (!ho_dispatch(&ho_command_log, &call, &none))
    seq = ho_map_int(ho_list_at(ho_map_getz(call.result, "events"), 0), "seq");
  ho_host_close(&host);
  ho_arena_free(&arena);
  return seq;
}

static bool watch(ho_mcp *mcp, ho_mcp_listen *l, ho_str uri)
{
  for (const watched *each = l->uris; each; each = each->next)
    if (ho_str_eq(each->uri, uri))
      return true;
  watched *one = l->uri_count < MOST_URIS ? HO_NEW(&l->arena, watched) : NULL;
  if (!one)
    return false;
  one->uri = ho_arena_copy(&l->arena, uri);
  read_now(mcp, l, one->uri, one->was);
  one->next = l->uris;
  l->uris = one;
  l->uri_count++;
  return true;
}

/* ---- Asking for it. */

/* Tells it, marked as that of the stream. */
static void tell(const ho_mcp_listen *l, ho_arena *arena, const char *method, ho_node *params)
{
  if (l->id) {
    ho_node *meta = ho_map_addz(params, "_meta", ho_node_new(arena, HO_KIND_MAP));
    ho_map_addz(meta, id_key, ho_node_copy(arena, l->id));
  }
  ho_mcp_rpc_put_notice(&l->channel->out, method, params);
}

static bool wants(const ho_node *filter, const char *what)
{
  return ho_node_true(ho_map_getz(filter, what));
}

ho_mcp_rpc_code ho_mcp_listen_open(ho_mcp_request *r, ho_mcp_rpc_fault *fault)
{
  const ho_node *filter = ho_map_getz(r->params, "notifications");
  if (!ho_node_is(filter, HO_KIND_MAP))
    return ho_mcp_rpc_fail(fault, HO_MCP_RPC_PARAMS, "params.notifications says what to listen to");
  ho_mcp_listen *l = add(r, r->channel, r->id);
  if (!l)
    return ho_mcp_rpc_fail(fault, HO_MCP_RPC_INTERNAL, "too many listen already");
  ho_node *params = ho_node_new(r->arena, HO_KIND_MAP);
  ho_node *granted = ho_map_addz(params, "notifications", ho_node_new(r->arena, HO_KIND_MAP));
  l->tools = r->mcp->fixtures && wants(filter, "toolsListChanged");
  l->prompts = r->mcp->fixtures && wants(filter, "promptsListChanged");
  if (l->tools)
    ho_map_addz(granted, "toolsListChanged", ho_node_bool(r->arena, true));
  if (l->prompts)
    ho_map_addz(granted, "promptsListChanged", ho_node_bool(r->arena, true));
  ho_node *uris = ho_node_new(r->arena, HO_KIND_LIST);
  l->seq = newest(r->mcp);
  HO_EACH_CONST (uri, ho_map_getz(filter, "resourceSubscriptions"))
    if (ho_node_is(uri, HO_KIND_TEXT) && watch(r->mcp, l, uri->text))
      ho_list_add(uris, ho_node_text(r->arena, uri->text));
  if (uris->count)
    ho_map_addz(granted, "resourceSubscriptions", uris);
  tell(l, r->arena, "notifications/subscriptions/acknowledged", params);
  r->opens = true;
  return HO_MCP_RPC_OK;
}

static ho_mcp_listen *own(ho_mcp *mcp)
{
  for (ho_mcp_listen *l = mcp->listens; l; l = l->next)
    if (!l->id)
      return l;
  return NULL;
}

ho_mcp_rpc_code ho_mcp_listen_subscribe(ho_mcp_request *r, ho_mcp_rpc_fault *fault)
{
  ho_str uri;
  ho_mcp_rpc_code code = ho_mcp_server_need(r, "uri", &uri, fault);
  if (code)
    return code;
  ho_mcp_listen *l = own(r->mcp);
  if (!l) {
    l = add(r, &r->mcp->main, NULL);
    if (l)
      l->seq = newest(r->mcp);
  }
  return l && watch(r->mcp, l, uri) ? HO_MCP_RPC_OK
                                    : ho_mcp_rpc_fail(fault, HO_MCP_RPC_INTERNAL, "too many subscriptions already");
}

ho_mcp_rpc_code ho_mcp_listen_unsubscribe(ho_mcp_request *r, ho_mcp_rpc_fault *fault)
{
  ho_str uri;
  ho_mcp_listen *l = own(r->mcp);
  ho_mcp_rpc_code code = ho_mcp_server_need(r, "uri", &uri, fault);
  for (watched **at = l ? &l->uris : NULL; !code && at && *at; at = &(*at)->next)
    if (ho_str_eq((*at)->uri, uri)) {
      *at = (*at)->next;
      l->uri_count--;
      break;
    }
  return code;
}

/* ---- Changes. */

void ho_mcp_listen_changed(ho_mcp *mcp, ho_arena *arena, ho_str what)
{
  const char *method = ho_arena_z(arena, ho_arena_printf(arena, "notifications/%.*s/list_changed", HO_ARG(what)));
  bool tools = ho_str_is(what, "tools");
  for (const ho_mcp_listen *l = mcp->listens; l; l = l->next)
    if (tools ? l->tools : l->prompts)
      tell(l, arena, method, ho_node_new(arena, HO_KIND_MAP));
  if (mcp->version)
    ho_mcp_rpc_put_notice(&mcp->main.out, method, ho_node_new(arena, HO_KIND_MAP));
}

static void look(ho_mcp *mcp, ho_mcp_listen *l)
{
  ho_arena arena;
  long long seq = newest(mcp);
  if (seq == l->seq)
    return;
  l->seq = seq;
  ho_arena_init(&arena, 0);
  for (watched *one = l->uris; one; one = one->next) {
    char now[HO_DIGEST_SIZE];
    read_now(mcp, l, one->uri, now);
    if (strcmp(now, one->was) == 0)
      continue;
    memcpy(one->was, now, sizeof now);
    ho_node *params = ho_node_new(&arena, HO_KIND_MAP);
    ho_map_addz(params, "uri", ho_node_text(&arena, one->uri));
    tell(l, &arena, "notifications/resources/updated", params);
  }
  ho_arena_free(&arena);
}

void ho_mcp_listen_news(ho_mcp *mcp)
{
  for (ho_mcp_listen *l = mcp->listens; l; l = l->next)
    l->look_ms = 0;
}

bool ho_mcp_listen_watches(const ho_mcp *mcp)
{
  for (const ho_mcp_listen *l = mcp->listens; l; l = l->next)
    if (l->uris)
      return true;
  return false;
}

int ho_mcp_listen_look(ho_mcp *mcp)
{
  int64_t now = ho_time_monotonic_ms(), soonest = INT64_MAX;
  for (ho_mcp_listen *l = mcp->listens; l; l = l->next) {
    if (l->uris && now >= l->look_ms) {
      look(mcp, l);
      l->look_ms = mcp->told ? INT64_MAX : now + LOOK_MS;
    }
    if (l->uris && l->look_ms < soonest)
      soonest = l->look_ms;
  }
  return soonest == INT64_MAX ? -1 : soonest > now ? (int)(soonest - now) : 0;
}

void ho_mcp_listen_cancel(ho_mcp *mcp, const ho_mcp_channel *channel, const ho_node *id)
{
  for (ho_mcp_listen *l = mcp->listens; l; l = l->next)
    if (l->id && l->channel == channel && l->id->kind == id->kind && ho_str_eq(l->id->text, id->text)) {
      drop(mcp, l);
      return;
    }
}

void ho_mcp_listen_leave(ho_mcp *mcp, const ho_mcp_channel *channel)
{
  for (ho_mcp_listen *l = mcp->listens, *next; l; l = next) {
    next = l->next;
    if (l->channel == channel)
      drop(mcp, l);
  }
}

void ho_mcp_listen_end(ho_mcp *mcp)
{
  while (mcp->listens)
    drop(mcp, mcp->listens);
}
