/* The era from 2026-07-28 on, in which every request says itself what it speaks, and nothing is remembered of it. */
#include "base/time.h"
#include "surface/mcp/mcp.h"
#include "surface/mcp/mcp_head.h"
#include "surface/mcp/mcp_server.h"

#define META "io.modelcontextprotocol/"

static const ho_node *meta_of(const ho_mcp_request *r)
{
  return ho_map_getz(r->params, "_meta");
}

bool ho_mcp_stateless_is(const ho_mcp_request *r)
{
  const ho_node *version = ho_map_getz(meta_of(r), META "protocolVersion");
  const ho_mcp_head *head = r->channel->head;
  return (head && head->version.n && !ho_mcp_initialize_speaks(head->version)) ||
         (version && !(r->mcp->version && ho_str_is(ho_node_str(version), r->mcp->version)));
}

static ho_node *supported(ho_arena *arena)
{
  ho_node *list = ho_node_new(arena, HO_KIND_LIST);
  ho_list_add(list, ho_node_textz(arena, HO_MCP_STATELESS_VERSION));
  return list;
}

ho_mcp_rpc_code ho_mcp_stateless_read(ho_mcp_request *r, ho_mcp_rpc_fault *fault)
{
  const ho_node *version = ho_map_getz(meta_of(r), META "protocolVersion"),
                *capabilities = ho_map_getz(meta_of(r), META "clientCapabilities");
  r->stateless = true;
  if (!ho_node_is(version, HO_KIND_TEXT))
    return ho_mcp_rpc_fail(fault, HO_MCP_RPC_PARAMS, "_meta[\"" META "protocolVersion\"] is a text");
  ho_mcp_rpc_code code = ho_mcp_head_version(r->channel->head, version->text, fault);
  if (code)
    return code;
  if (!ho_str_is(version->text, HO_MCP_STATELESS_VERSION)) {
    fault->data = ho_node_new(r->arena, HO_KIND_MAP);
    ho_map_addz(fault->data, "supported", supported(r->arena));
    ho_map_addz(fault->data, "requested", ho_node_text(r->arena, version->text));
    return ho_mcp_rpc_fail(fault, HO_MCP_RPC_VERSION, "version %.*s is not supported; use " HO_MCP_STATELESS_VERSION,
                           HO_ARG(ho_str_sub(version->text, 0, 40)));
  }
  if (!ho_node_is(capabilities, HO_KIND_MAP))
    return ho_mcp_rpc_fail(fault, HO_MCP_RPC_PARAMS, "_meta[\"" META "clientCapabilities\"] is missing");
  r->client = ho_mcp_client_of(r->arena, ho_map_getz(meta_of(r), META "clientInfo"), capabilities);
  return ho_mcp_head_judge(r, fault);
}

ho_mcp_rpc_code ho_mcp_stateless_discover(ho_mcp_request *r, ho_mcp_rpc_fault *fault)
{
  (void)fault;
  ho_map_addz(r->result, "supportedVersions", supported(r->arena));
  ho_map_addz(r->result, "capabilities", ho_mcp_server_capabilities(r->mcp, r->arena, true));
  ho_map_addz(r->result, "instructions", ho_node_textz(r->arena, ho_mcp_server_instructions));
  return HO_MCP_RPC_OK;
}

void ho_mcp_stateless_finish(const ho_mcp_request *r, int ttl_s)
{
  if (!ho_map_getz(r->result, "resultType"))
    ho_map_addz(r->result, "resultType", ho_node_textz(r->arena, "complete"));
  if (ttl_s >= 0) { /* what lasts is the same for everybody; what is read belongs to whoever may read it */
    ho_map_addz(r->result, "ttlMs", ho_node_number(r->arena, ttl_s * 1000LL));
    ho_map_addz(r->result, "cacheScope", ho_node_textz(r->arena, ttl_s ? "public" : "private"));
  }
  ho_node *meta = ho_map_getz(r->result, "_meta");
  if (!meta)
    meta = ho_map_addz(r->result, "_meta", ho_node_new(r->arena, HO_KIND_MAP));
  ho_map_addz(meta, META "serverInfo", ho_mcp_server_info(r->arena));
}

/* ---- Tasks. */

ho_node *ho_mcp_stateless_tasks_needed(ho_arena *arena)
{
  ho_node *needs = ho_node_new(arena, HO_KIND_MAP);
  ho_node *extensions = ho_map_addz(needs, "extensions", ho_node_new(arena, HO_KIND_MAP));
  ho_map_addz(extensions, META "tasks", ho_node_new(arena, HO_KIND_MAP));
  return needs;
}

bool ho_mcp_stateless_tasks(const ho_mcp_client *client)
{
  return ho_node_is(ho_map_getz(ho_map_getz(client->can, "extensions"), META "tasks"), HO_KIND_MAP);
}

static void put_time(ho_arena *arena, ho_node *to, const char *key, int64_t ms)
{
  char text[HO_TIME_SIZE];
  ho_time_text(ms, true, text);
  ho_map_addz(to, key, ho_node_text(arena, ho_arena_copy(arena, ho_str_of(text))));
}

void ho_mcp_stateless_put_task(ho_arena *arena, ho_node *to, const char *id, const char *status, int64_t created_ms,
                               int64_t updated_ms)
{
  enum { POLL_MS = 1000 };
  ho_map_addz(to, "taskId", ho_node_text(arena, ho_arena_copy(arena, ho_str_of(id))));
  ho_map_addz(to, "status", ho_node_textz(arena, status));
  put_time(arena, to, "createdAt", created_ms);
  put_time(arena, to, "lastUpdatedAt", updated_ms);
  ho_map_addz(to, "ttlMs", ho_node_new(arena, HO_KIND_NULL)); /* it is there as long as it goes on */
  ho_map_addz(to, "pollIntervalMs", ho_node_number(arena, POLL_MS));
}

ho_node *ho_mcp_stateless_task(const ho_mcp_request *r, const char *id, int64_t created_ms)
{
  ho_mcp_request made = {.arena = r->arena, .result = ho_node_new(r->arena, HO_KIND_MAP)};
  ho_map_addz(made.result, "resultType", ho_node_textz(r->arena, "task"));
  ho_mcp_stateless_put_task(r->arena, made.result, id, "working", created_ms, created_ms);
  ho_mcp_stateless_finish(&made, -1);
  return made.result;
}
