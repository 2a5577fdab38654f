#include "surface/mcp/mcp.h"

#include "base/limits.h"
#include "base/memory.h"
#include "surface/mcp/mcp_tool.h"
#include "surface/mcp/mcp_waiting.h"

enum { LASTING_S = 3600 };

/* What clients ask for, by era. A list is the same as long as the server runs. */
static const ho_mcp_method methods[] = {
    {"initialize", HO_MCP_INITIALIZE, ho_mcp_initialize, -1},
    {"ping", HO_MCP_INITIALIZE, ho_mcp_initialize_ping, -1},
    {"server/discover", HO_MCP_STATELESS, ho_mcp_stateless_discover, LASTING_S},
    {"tools/list", HO_MCP_BOTH, ho_mcp_tool_list, LASTING_S},
    {"tools/call", HO_MCP_BOTH, ho_mcp_tool_call, -1},
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

static ho_mcp_rpc_code answer(ho_mcp_request *r, ho_str name, ho_mcp_rpc_fault *fault)
{
  ho_mcp_rpc_code code = read_era(r, fault);
  if (code)
    return code;
  const ho_mcp_method *method = named(name, r->stateless);
  if (!method)
    return ho_mcp_rpc_fail(fault, HO_MCP_RPC_METHOD, "there is no method '%.*s'", HO_ARG(ho_str_sub(name, 0, 80)));
  if (!r->stateless && !r->mcp->version && method->era == HO_MCP_BOTH)
    return ho_mcp_rpc_fail(fault, HO_MCP_RPC_PARAMS,
                           "call initialize first, or state the version in _meta of each request");
  r->result = ho_node_new(r->arena, HO_KIND_MAP);
  code = method->answer(r, fault);
  if (!code && !r->later && r->stateless)
    ho_mcp_stateless_finish(r, method->ttl_s);
  return code;
}

/* Whatever a request made fail, it gets an answer. */
static void take_request(ho_mcp *mcp, ho_arena *arena, const ho_mcp_rpc_message *message)
{
  ho_mcp_rpc_fault fault = {0};
  ho_mcp_request r = {.mcp = mcp, .arena = arena, .id = message->id, .params = message->params};
  ho_mcp_rpc_code code = answer(&r, message->method, &fault);
  if (!code && arena->failed)
    code = ho_mcp_rpc_fail(&fault, HO_MCP_RPC_INTERNAL, "the request needs too much memory");
  if (code)
    ho_mcp_rpc_put_fault(&mcp->out, r.id, &fault);
  else if (!r.later)
    ho_mcp_rpc_put_result(&mcp->out, r.id, r.result);
}

static void take_message(ho_mcp *mcp, ho_arena *arena, const ho_node *value)
{
  ho_mcp_rpc_message message;
  ho_mcp_rpc_fault fault = {0};
  if (ho_mcp_rpc_take(value, &message, &fault)) {
    if (message.id || !message.method.n) /* a notification is never answered */
      ho_mcp_rpc_put_fault(&mcp->out, message.id, &fault);
  } else if (!message.method.n) {
    return; /* a response to nothing that was asked */
  } else if (message.id) {
    take_request(mcp, arena, &message);
  } else if (ho_str_is(message.method, "notifications/cancelled")) {
    ho_mcp_waiting_cancel(mcp, ho_map_getz(message.params, "requestId"));
  }
}

void ho_mcp_take(ho_mcp *mcp, ho_str line)
{
  ho_arena arena;
  ho_node *value = NULL;
  ho_mcp_rpc_fault fault = {0};
  if (ho_str_blank(line))
    return;
  ho_arena_init(&arena, 0);
  if (ho_mcp_rpc_read(&arena, line, &value, &fault))
    ho_mcp_rpc_put_fault(&mcp->out, NULL, &fault);
  else if (!ho_node_is(value, HO_KIND_LIST) || !value->count || !ho_mcp_initialize_batches(mcp))
    take_message(mcp, &arena, value);
  else
    HO_EACH_CONST (each, value)
      take_message(mcp, &arena, each);
  ho_arena_free(&arena);
}

void ho_mcp_take_long(ho_mcp *mcp)
{
  ho_mcp_rpc_fault fault = {0};
  (void)ho_mcp_rpc_fail(&fault, HO_MCP_RPC_REQUEST, "the message is longer than %zu bytes", (size_t)HO_LIMIT_DOCUMENT);
  ho_mcp_rpc_put_fault(&mcp->out, NULL, &fault);
}

ho_buf *ho_mcp_out(ho_mcp *mcp)
{
  return &mcp->out;
}

int ho_mcp_look(ho_mcp *mcp)
{
  return ho_mcp_waiting_look(mcp);
}

ho_code ho_mcp_begin(ho_mcp **out, const ho_host *host, const ho_node *args, ho_error *err)
{
  ho_mcp *mcp = ho_malloc(sizeof *mcp);
  *out = NULL;
  if (!mcp)
    return ho_fail_memory(err);
  *mcp = (ho_mcp){.host = host, .session = HO_EMPTY, .client.name = HO_EMPTY};
  ho_arena_init(&mcp->arena, 0);
  ho_buf_init(&mcp->out, 0);
  mcp->output_schemas = ho_node_true(ho_map_getz(args, "output_schemas"));
  ho_code code = ho_mcp_tool_offer(mcp, args, err);
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
  ho_mcp_waiting_end(mcp);
  ho_buf_free(&mcp->out);
  ho_arena_free(&mcp->arena);
  ho_free(mcp);
}
