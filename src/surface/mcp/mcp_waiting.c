#include "surface/mcp/mcp_waiting.h"

#include "base/memory.h"
#include "base/time.h"

/* How often it is looked, and how often a client that asked for it is told that the call goes on. */
enum { LOOK_MS = 200, TOLD_MS = 5000, MOST = 64 };

struct ho_mcp_waiting {
  ho_mcp_waiting *next;
  ho_arena arena;
  const ho_mcp_tool *tool;
  ho_mcp_client client;
  bool stateless;
  ho_node *id, *args, *token; /* token: for progress, or NULL */
  int64_t began_ms, end_ms, look_ms, told_ms;
};

static size_t count(const ho_mcp *mcp)
{
  size_t n = 0;
  for (const ho_mcp_waiting *w = mcp->waiting; w; w = w->next)
    n++;
  return n;
}

static void drop(ho_mcp *mcp, ho_mcp_waiting *gone)
{
  for (ho_mcp_waiting **at = &mcp->waiting; *at; at = &(*at)->next)
    if (*at == gone) {
      *at = gone->next;
      break;
    }
  ho_arena_free(&gone->arena);
  ho_free(gone);
}

bool ho_mcp_waiting_add(ho_mcp_request *r, const ho_mcp_act *act, long long seconds)
{
  ho_mcp_waiting *w = count(r->mcp) < MOST ? ho_malloc(sizeof *w) : NULL;
  if (!w)
    return false;
  *w = (ho_mcp_waiting){.tool = act->tool, .stateless = r->stateless, .client = r->client};
  ho_arena_init(&w->arena, 0);
  w->client.name = ho_arena_copy(&w->arena, r->client.name);
  w->id = ho_node_copy(&w->arena, r->id);
  w->args = ho_node_copy(&w->arena, act->args);
  w->token = ho_node_copy(&w->arena, ho_map_getz(ho_map_getz(r->params, "_meta"), "progressToken"));
  w->began_ms = w->told_ms = ho_time_monotonic_ms();
  w->look_ms = w->began_ms + LOOK_MS;
  w->end_ms = w->began_ms + seconds * 1000;
  w->next = r->mcp->waiting;
  r->mcp->waiting = w;
  if (w->arena.failed) {
    drop(r->mcp, w);
    return false;
  }
  return true;
}

void ho_mcp_waiting_cancel(ho_mcp *mcp, const ho_node *id)
{
  for (ho_mcp_waiting *w = mcp->waiting; id && w; w = w->next)
    if (w->id->kind == id->kind && ho_str_eq(w->id->text, id->text)) {
      drop(mcp, w);
      return;
    }
}

static void tell(ho_mcp *mcp, ho_mcp_waiting *w, ho_arena *arena, int64_t now)
{
  if (!w->token || now - w->told_ms < TOLD_MS)
    return;
  ho_node *params = ho_node_new(arena, HO_KIND_MAP);
  ho_map_addz(params, "progressToken", ho_node_copy(arena, w->token));
  ho_map_addz(params, "progress", ho_node_number(arena, (now - w->began_ms) / 1000));
  ho_map_addz(params, "total", ho_node_number(arena, (w->end_ms - w->began_ms) / 1000));
  ho_mcp_rpc_put_notice(&mcp->out, "notifications/progress", params);
  w->told_ms = now;
}

/* Runs the call again. Answers it, and drops it, if there is an answer or no time left. */
static void look(ho_mcp *mcp, ho_mcp_waiting *w, int64_t now)
{
  ho_arena arena;
  ho_arena_init(&arena, 0);
  ho_mcp_act act = {.mcp = mcp, .arena = &arena, .tool = w->tool, .client = &w->client};
  ho_mcp_request r = {.mcp = mcp, .arena = &arena, .id = w->id, .stateless = w->stateless, .client = w->client};
  ho_mcp_act_run(&act, w->args);
  w->look_ms = now + LOOK_MS;
  if (act.waits && now < w->end_ms) {
    tell(mcp, w, &arena, now);
  } else {
    ho_mcp_reply(&r, &act);
    ho_mcp_rpc_put_result(&mcp->out, r.id, r.result);
    drop(mcp, w);
  }
  ho_arena_free(&arena);
}

int ho_mcp_waiting_look(ho_mcp *mcp)
{
  int64_t now = ho_time_monotonic_ms(), soonest = INT64_MAX;
  for (ho_mcp_waiting *w = mcp->waiting, *next; w; w = next) {
    next = w->next;
    if (now >= w->look_ms)
      look(mcp, w, now);
  }
  now = ho_time_monotonic_ms();
  for (const ho_mcp_waiting *w = mcp->waiting; w; w = w->next)
    soonest = w->look_ms < soonest ? w->look_ms : soonest;
  return soonest == INT64_MAX ? -1 : soonest > now ? (int)(soonest - now) : 0;
}

void ho_mcp_waiting_end(ho_mcp *mcp)
{
  while (mcp->waiting)
    drop(mcp, mcp->waiting);
}
