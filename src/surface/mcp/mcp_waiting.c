#include "surface/mcp/mcp_waiting.h"

#include "base/digest.h"
#include "base/memory.h"
#include "base/time.h"
#include "surface/mcp/mcp_ask.h"

/* How often a client that asked for it is told that the call goes on, and how many may wait at a time. */
enum { TOLD_MS = 5000, MOST = 256 };

bool ho_mcp_waiting_ended(const ho_mcp_waiting *w)
{
  return w->task[0] && w->state >= HO_MCP_TASK_COMPLETED;
}

/* ---- The list. */

static void drop(ho_mcp *mcp, ho_mcp_waiting *gone)
{
  for (ho_mcp_waiting **at = &mcp->waiting; *at; at = &(*at)->next)
    if (*at == gone) {
      *at = gone->next;
      break;
    }
  if (gone->channel)
    gone->channel->pending--;
  ho_arena_free(&gone->arena);
  ho_free(gone);
}

static bool is_over(const ho_mcp_waiting *w, int64_t now)
{
  return ho_mcp_waiting_ended(w) && now - w->updated_ms > HO_MCP_TASK_TTL_MS;
}

/* Is there room for one more? Tasks whose time is over make room. */
static bool has_room(ho_mcp *mcp)
{
  size_t n = 0;
  int64_t now = ho_time_now_ms();
  for (ho_mcp_waiting *w = mcp->waiting, *next; w; w = next) {
    next = w->next;
    if (is_over(w, now))
      drop(mcp, w);
    else
      n++;
  }
  return n < MOST;
}

static ho_mcp_waiting *add(ho_mcp_request *r)
{
  ho_mcp_waiting *w = has_room(r->mcp) ? ho_malloc(sizeof *w) : NULL;
  if (!w)
    return NULL;
  *w = (ho_mcp_waiting){.stateless = r->stateless, .changes = r->changes, .channel = r->channel};
  ho_arena_init(&w->arena, 0);
  w->method = ho_arena_copy(&w->arena, r->method);
  w->client.name = ho_arena_copy(&w->arena, r->client.name);
  w->client.can = ho_node_copy(&w->arena, r->client.can);
  w->id = ho_node_copy(&w->arena, r->id);
  w->params = ho_node_copy(&w->arena, r->params);
  w->answers = r->answers ? ho_node_copy(&w->arena, r->answers) : ho_node_new(&w->arena, HO_KIND_MAP);
  w->began_ms = w->told_ms = ho_time_monotonic_ms();
  w->end_ms = r->wait_ms ? w->began_ms + r->wait_ms : 0;
  w->created_ms = w->updated_ms = ho_time_now_ms();
  w->next = r->mcp->waiting;
  r->mcp->waiting = w;
  if (w->channel)
    w->channel->pending++;
  if (w->arena.failed) {
    drop(r->mcp, w);
    return NULL;
  }
  return w;
}

static bool make_task(ho_mcp_waiting *w, ho_str id)
{
  ho_error none = {0};
  if (id.n && id.n < sizeof w->task)
    snprintf(w->task, sizeof w->task, "%.*s", HO_ARG(id));
  else if (ho_random_hex(w->task, (sizeof w->task - 1) / 2, &none))
    return false;
  w->end_ms = 0; /* its client asks how it stands, so that nothing has to be answered in time */
  if (w->channel)
    w->channel->pending--;
  w->channel = NULL;
  return true;
}

ho_mcp_waiting *ho_mcp_waiting_task(ho_mcp_request *r, ho_str task)
{
  ho_mcp_waiting *w = add(r);
  if (w && make_task(w, task))
    return w;
  if (w)
    drop(r->mcp, w);
  return NULL;
}

/* ---- What comes of it. */

static void put_fault(const ho_mcp_request *r, ho_mcp_rpc_code code, const ho_mcp_rpc_fault *fault)
{
  ho_mcp_rpc_put_fault(&r->channel->out, r->id, fault);
  if (!r->stateless) /* 404 would mean that the session is gone */
    r->channel->status = r->mcp->version ? 200 : 400;
  else if (code == HO_MCP_RPC_METHOD)
    r->channel->status = 404;
  else if (code == HO_MCP_RPC_LACKS || code == HO_MCP_RPC_HEADERS || code == HO_MCP_RPC_VERSION)
    r->channel->status = 400;
}

static void say(const ho_mcp_request *r, ho_mcp_rpc_code code, const ho_mcp_rpc_fault *fault)
{
  if (!r->channel || r->opens)
    return;
  if (code)
    put_fault(r, code, fault);
  else
    ho_mcp_rpc_put_result(&r->channel->out, r->id, r->result);
}

static void end_task(ho_mcp_waiting *w, const ho_mcp_request *r, ho_mcp_rpc_code code, const ho_mcp_rpc_fault *fault)
{
  w->state = code ? HO_MCP_TASK_FAILED : HO_MCP_TASK_COMPLETED;
  w->updated_ms = ho_time_now_ms();
  w->asked = NULL;
  if (!code) {
    w->result = ho_node_copy(&w->arena, r->result);
    return;
  }
  w->result = ho_node_new(&w->arena, HO_KIND_MAP);
  ho_map_addz(w->result, "code", ho_node_number(&w->arena, fault->code));
  ho_map_addz(w->result, "message", ho_node_text(&w->arena, ho_arena_copy(&w->arena, ho_str_of(fault->message))));
  if (fault->data)
    ho_map_addz(w->result, "data", ho_node_copy(&w->arena, fault->data));
}

/* What is asked, as the task says it or as requests of the server's own. */
static void ask(ho_mcp *mcp, ho_mcp_waiting *w, const ho_node *asks)
{
  const ho_node *before = w->asked;
  w->asked = ho_node_copy(&w->arena, asks);
  w->state = HO_MCP_TASK_INPUT;
  for (ho_node *one = w->asked ? w->asked->first : NULL; one && !w->task[0]; one = one->next) {
    const ho_node *told = ho_map_getz(ho_map_get(before, one->key), "id");
    ho_str id = told ? told->text : ho_arena_printf(&w->arena, "ask-%lu", ++mcp->asked);
    ho_map_addz(one, "id", ho_node_text(&w->arena, id));
    if (!told && w->channel)
      ho_mcp_rpc_put_request(&w->channel->out, id, ho_map_str(one, "method"), ho_map_getz(one, "params"));
  }
}

/* It goes on. */
static void keep(ho_mcp_request *r, ho_mcp_waiting *w)
{
  bool asks = r->asks != NULL;
  if (r->keep && !ho_node_equal(r->keep, w->kept))
    w->kept = ho_node_copy(&w->arena, r->keep);
  if (w->task[0] && w->state != (asks ? HO_MCP_TASK_INPUT : HO_MCP_TASK_WORKING))
    w->updated_ms = ho_time_now_ms();
  w->state = HO_MCP_TASK_WORKING;
  w->asked = asks ? w->asked : NULL;
  if (asks)
    ask(r->mcp, w, r->asks);
  w->look_ms = asks ? INT64_MAX : ho_time_monotonic_ms() + r->look_ms;
  if (w->end_ms && w->end_ms < w->look_ms)
    w->look_ms = w->end_ms;
}

static bool goes_on(const ho_mcp_request *r, const ho_mcp_waiting *w)
{
  bool time_is_over = w && w->end_ms && ho_time_monotonic_ms() >= w->end_ms;
  return r->asks || (r->look_ms && !time_is_over);
}

static void settle(ho_mcp_request *r, ho_mcp_waiting *w, ho_mcp_rpc_code code, const ho_mcp_rpc_fault *fault)
{
  bool is_task = w ? w->task[0] != 0 : r->lasts && r->stateless;
  if (!code && r->asks && r->stateless && !is_task)
    ho_mcp_ask_result(r); /* the client sends the request again */
  else if (!code && goes_on(r, w) && (w || (w = add(r)))) {
    bool is_new = is_task && !w->task[0];
    if (is_new && !make_task(w, ho_map_str(r->keep, "gate"))) {
      drop(r->mcp, w);
      return;
    }
    keep(r, w);
    if (is_new)
      ho_mcp_rpc_put_result(&r->channel->out, r->id, ho_mcp_stateless_task(r, w->task, w->created_ms));
    return;
  }
  if (w && w->task[0]) {
    end_task(w, r, code, fault);
    return;
  }
  say(r, code, fault);
  if (w)
    drop(r->mcp, w);
}

void ho_mcp_waiting_settle(ho_mcp_request *r, ho_mcp_rpc_code code, const ho_mcp_rpc_fault *fault)
{
  settle(r, NULL, code, fault);
}

/* ---- Answered again. */

void ho_mcp_waiting_again(ho_mcp *mcp, ho_mcp_waiting *w)
{
  ho_arena arena;
  ho_mcp_rpc_fault fault = {0};
  ho_arena_init(&arena, 0);
  ho_mcp_request r = {.mcp = mcp,
                      .arena = &arena,
                      .channel = w->channel,
                      .id = w->id,
                      .method = w->method,
                      .params = w->params,
                      .stateless = w->stateless,
                      .client = w->client,
                      .answers = w->answers,
                      .kept = w->kept ? w->kept : ho_node_new(&arena, HO_KIND_MAP)};
  ho_mcp_rpc_code code = ho_mcp_answer(&r, &fault);
  int64_t now = ho_time_monotonic_ms();
  if (w->end_ms && now - w->told_ms >= TOLD_MS) {
    ho_mcp_tell_progress(&r, (now - w->began_ms) / 1000, (w->end_ms - w->began_ms) / 1000);
    w->told_ms = now;
  }
  settle(&r, w, code, &fault);
  ho_arena_free(&arena);
}

void ho_mcp_waiting_take(ho_mcp_waiting *w, ho_str key, const ho_node *answer)
{
  ho_node *one = ho_map_get(w->asked, key);
  if (!one)
    return;
  ho_map_set(w->answers, one->key, answer ? ho_node_copy(&w->arena, answer) : ho_node_new(&w->arena, HO_KIND_MAP));
  ho_node_remove(w->asked, one);
  if (!w->asked->count)
    w->look_ms = 0;
}

void ho_mcp_waiting_answer(ho_mcp *mcp, const ho_node *id, const ho_node *result)
{
  for (ho_mcp_waiting *w = mcp->waiting; w; w = w->next)
    HO_EACH_CONST (one, w->asked)
      if (!w->task[0] && ho_str_eq(ho_map_str(one, "id"), ho_node_str(id))) {
        ho_mcp_waiting_take(w, one->key, result);
        if (w->look_ms == 0)
          ho_mcp_waiting_again(mcp, w);
        return;
      }
}

void ho_mcp_waiting_cancel(ho_mcp *mcp, const ho_mcp_channel *channel, const ho_node *id)
{
  for (ho_mcp_waiting *w = mcp->waiting; w; w = w->next)
    if (!w->task[0] && w->id->kind == id->kind && ho_str_eq(w->id->text, id->text) &&
        (w->channel == channel || !w->stateless)) {
      drop(mcp, w);
      return;
    }
}

void ho_mcp_waiting_leave(ho_mcp *mcp, const ho_mcp_channel *channel)
{
  for (ho_mcp_waiting *w = mcp->waiting, *next; w; w = next) {
    next = w->next;
    if (w->channel == channel)
      drop(mcp, w);
  }
}

void ho_mcp_waiting_changed(ho_mcp *mcp)
{
  for (ho_mcp_waiting *w = mcp->waiting; w; w = w->next)
    if (w->changes && !w->asked)
      w->look_ms = 0;
}

bool ho_mcp_waiting_watches(const ho_mcp *mcp)
{
  for (const ho_mcp_waiting *w = mcp->waiting; w; w = w->next)
    if (w->changes && w->channel)
      return true;
  return false;
}

int ho_mcp_waiting_look(ho_mcp *mcp)
{
  int64_t now = ho_time_monotonic_ms(), soonest = INT64_MAX;
  for (ho_mcp_waiting *w = mcp->waiting, *next; w; w = next) {
    next = w->next;
    if (!ho_mcp_waiting_ended(w) && now >= w->look_ms)
      ho_mcp_waiting_again(mcp, w);
  }
  now = ho_time_monotonic_ms();
  for (const ho_mcp_waiting *w = mcp->waiting; w; w = w->next)
    if (!ho_mcp_waiting_ended(w))
      soonest = w->look_ms < soonest ? w->look_ms : soonest;
  return soonest == INT64_MAX ? -1 : soonest > now ? (int)(soonest - now) : 0;
}

void ho_mcp_waiting_end(ho_mcp *mcp)
{
  while (mcp->waiting)
    drop(mcp, mcp->waiting);
}
