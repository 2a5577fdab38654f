#include "surface/mcp/mcp.h"

#include "base/limits.h"
#include "base/memory.h"
#include "surface/mcp/mcp_ask.h"
#include "surface/mcp/mcp_complete.h"
#include "surface/mcp/mcp_fixture.h"
#include "surface/mcp/mcp_listen.h"
#include "surface/mcp/mcp_prompt.h"
#include "surface/mcp/mcp_resource.h"
#include "surface/mcp/mcp_task.h"
#include "surface/mcp/mcp_tool.h"
#include "surface/mcp/mcp_waiting.h"

enum { LASTING_S = 3600 };

/* What clients ask for, by era. A list is the same as long as the server runs. */
static const ho_mcp_method methods[] = {
    {"initialize", HO_MCP_INITIALIZE, ho_mcp_initialize, -1},
    {"ping", HO_MCP_INITIALIZE, ho_mcp_initialize_ping, -1},
    {"logging/setLevel", HO_MCP_INITIALIZE, ho_mcp_initialize_level, -1},
    {"server/discover", HO_MCP_STATELESS, ho_mcp_stateless_discover, LASTING_S},
    {"tools/list", HO_MCP_BOTH, ho_mcp_tool_list, LASTING_S},
    {"tools/call", HO_MCP_BOTH, ho_mcp_tool_call, -1},
    {"resources/list", HO_MCP_BOTH, ho_mcp_resource_list, LASTING_S},
    {"resources/templates/list", HO_MCP_BOTH, ho_mcp_resource_templates, LASTING_S},
    {"resources/read", HO_MCP_BOTH, ho_mcp_resource_read, 0},
    {"resources/subscribe", HO_MCP_INITIALIZE, ho_mcp_listen_subscribe, -1},
    {"resources/unsubscribe", HO_MCP_INITIALIZE, ho_mcp_listen_unsubscribe, -1},
    {"subscriptions/listen", HO_MCP_STATELESS, ho_mcp_listen_open, -1},
    {"prompts/list", HO_MCP_BOTH, ho_mcp_prompt_list, LASTING_S},
    {"prompts/get", HO_MCP_BOTH, ho_mcp_prompt_get, -1},
    {"completion/complete", HO_MCP_BOTH, ho_mcp_complete, -1},
    {"tasks/get", HO_MCP_STATELESS, ho_mcp_task_get, -1},
    {"tasks/update", HO_MCP_STATELESS, ho_mcp_task_update, -1},
    {"tasks/cancel", HO_MCP_STATELESS, ho_mcp_task_cancel, -1},
    {NULL, HO_MCP_BOTH, NULL, 0},
};

static const ho_mcp_method *named(ho_str name, bool stateless)
{
  for (const ho_mcp_method *each = methods; each->name; each++)
    if (ho_str_is(name, each->name) && each->era != (stateless ? HO_MCP_INITIALIZE : HO_MCP_STATELESS))
      return each;
  return NULL;
}

/* Fills who asks, as far as the era says it before a method is looked at. */
static ho_mcp_rpc_code read_era(ho_mcp_request *r, ho_mcp_rpc_fault *fault)
{
  if (ho_mcp_stateless_is(r))
    return ho_mcp_stateless_read(r, fault);
  r->client = r->mcp->client;
  return HO_MCP_RPC_OK;
}

ho_mcp_rpc_code ho_mcp_answer(ho_mcp_request *r, ho_mcp_rpc_fault *fault)
{
  const ho_mcp_method *method = named(r->method, r->stateless);
  if (!method)
    return ho_mcp_rpc_fail(fault, HO_MCP_RPC_METHOD, "there is no method '%.*s'", HO_ARG(ho_str_sub(r->method, 0, 80)));
  if (!r->stateless && !r->mcp->version && method->era == HO_MCP_BOTH)
    return ho_mcp_rpc_fail(fault, HO_MCP_RPC_PARAMS,
                           "call initialize first, or state the version in _meta of each request");
  r->result = ho_node_new(r->arena, HO_KIND_MAP);
  ho_mcp_rpc_code code = method->answer(r, fault);
  if (!code && r->arena->failed)
    code = ho_mcp_rpc_fail(fault, HO_MCP_RPC_INTERNAL, "the request needs too much memory");
  if (!code && r->stateless)
    ho_mcp_stateless_finish(r, method->ttl_s);
  return code;
}

/* Whatever a request made fail, it gets an answer. */
static void take_request(ho_mcp *mcp, ho_mcp_channel *channel, ho_arena *arena, const ho_mcp_rpc_message *message)
{
  ho_mcp_rpc_fault fault = {0};
  ho_mcp_request r = {.mcp = mcp,
                      .arena = arena,
                      .channel = channel,
                      .id = message->id,
                      .method = message->method,
                      .params = message->params};
  ho_mcp_rpc_code code = read_era(&r, &fault);
  channel->status = code ? 400 : 200;
  if (!code)
    code = ho_mcp_ask_take(&r, &fault);
  if (!code)
    code = ho_mcp_answer(&r, &fault);
  ho_mcp_waiting_settle(&r, code, &fault);
}

static void take_notice(ho_mcp *mcp, ho_mcp_channel *channel, const ho_mcp_rpc_message *message)
{
  const ho_node *id = ho_map_getz(message->params, "requestId");
  if (!id || !ho_str_is(message->method, "notifications/cancelled"))
    return;
  ho_mcp_waiting_cancel(mcp, channel, id);
  ho_mcp_listen_cancel(mcp, channel, id);
}

static void take_message(ho_mcp *mcp, ho_mcp_channel *channel, ho_arena *arena, const ho_node *value)
{
  ho_mcp_rpc_message message;
  ho_mcp_rpc_fault fault = {0};
  if (ho_mcp_rpc_take(value, &message, &fault)) {
    if (message.id || !message.method.n) { /* a notification is never answered */
      ho_mcp_rpc_put_fault(&channel->out, message.id, &fault);
      channel->status = 400;
    }
  } else if (!message.method.n) {
    ho_mcp_waiting_answer(mcp, message.id, message.result);
  } else if (message.id) {
    take_request(mcp, channel, arena, &message);
  } else {
    take_notice(mcp, channel, &message);
  }
}

void ho_mcp_take(ho_mcp *mcp, ho_mcp_channel *channel, ho_str line)
{
  ho_arena arena;
  ho_node *value = NULL;
  ho_mcp_rpc_fault fault = {0};
  if (ho_str_blank(line))
    return;
  ho_arena_init(&arena, 0);
  if (ho_mcp_rpc_read(&arena, line, &value, &fault)) {
    ho_mcp_rpc_put_fault(&channel->out, NULL, &fault);
    channel->status = 400;
  } else if (!ho_node_is(value, HO_KIND_LIST) || !value->count || !ho_mcp_initialize_batches(mcp)) {
    take_message(mcp, channel, &arena, value);
  } else {
    HO_EACH_CONST (each, value)
      take_message(mcp, channel, &arena, each);
  }
  ho_arena_free(&arena);
}

void ho_mcp_take_long(ho_mcp_channel *channel)
{
  ho_mcp_rpc_fault fault = {0};
  (void)ho_mcp_rpc_fail(&fault, HO_MCP_RPC_REQUEST, "the message is longer than %zu bytes", (size_t)HO_LIMIT_DOCUMENT);
  ho_mcp_rpc_put_fault(&channel->out, NULL, &fault);
  channel->status = 400;
}

void ho_mcp_changed(ho_mcp *mcp)
{
  mcp->told = true;
  ho_mcp_waiting_changed(mcp);
  ho_mcp_listen_news(mcp);
}

bool ho_mcp_watches(const ho_mcp *mcp)
{
  return ho_mcp_waiting_watches(mcp) || ho_mcp_listen_watches(mcp);
}

bool ho_mcp_agreed(const ho_mcp *mcp)
{
  return mcp->version != NULL;
}

int ho_mcp_look(ho_mcp *mcp)
{
  int calls = ho_mcp_waiting_look(mcp), changes = ho_mcp_listen_look(mcp);
  return calls < 0 || (changes >= 0 && changes < calls) ? changes : calls;
}

ho_mcp_channel *ho_mcp_main(ho_mcp *mcp)
{
  return &mcp->main;
}

void ho_mcp_leave(ho_mcp *mcp, ho_mcp_channel *channel)
{
  ho_mcp_waiting_leave(mcp, channel);
  ho_mcp_listen_leave(mcp, channel);
  ho_mcp_channel_end(channel);
}

ho_code ho_mcp_begin(ho_mcp **out, const ho_host *host, const ho_node *args, ho_str wanted, ho_error *err)
{
  ho_mcp *mcp = ho_malloc(sizeof *mcp);
  *out = NULL;
  if (!mcp)
    return ho_fail_memory(err);
  *mcp = (ho_mcp){.host = host, .session = HO_EMPTY, .client.name = HO_EMPTY};
  ho_arena_init(&mcp->arena, 0);
  ho_mcp_channel_begin(&mcp->main);
  mcp->output_schemas = ho_node_true(ho_map_getz(args, "output_schemas"));
  ho_code code = ho_mcp_tool_offer(mcp, args, wanted, err);
  if (!code)
    code = ho_mcp_fixture_begin(mcp, ho_map_str(args, "fixtures"), err);
  if (!code)
    ho_mcp_act_begin(mcp);
  if (!code)
    code = ho_arena_code(&mcp->arena, err);
  if (code)
    ho_mcp_end(mcp);
  else
    *out = mcp;
  return code;
}

void ho_mcp_end(ho_mcp *mcp)
{
  if (!mcp)
    return;
  ho_mcp_leave(mcp, &mcp->main);
  ho_mcp_waiting_end(mcp);
  ho_mcp_listen_end(mcp);
  ho_arena_free(&mcp->arena);
  ho_free(mcp);
}
