#include "surface/mcp/mcp_task.h"

#include "base/time.h"
#include "surface/mcp/mcp_ask.h"
#include "surface/mcp/mcp_waiting.h"

static const char *const states[] = {
#define X(name, text) text,
    HO_MCP_TASK_STATES(X)
#undef X
};

static ho_mcp_waiting *find(const ho_mcp *mcp, ho_str id)
{
  for (ho_mcp_waiting *w = mcp->waiting; w; w = w->next)
    if (w->task[0] && ho_str_is(id, w->task))
      return w;
  return NULL;
}

/* A gate is a task as long as it is in the store, whoever asks for it and whichever server raised it. */
static ho_mcp_waiting *revive(ho_mcp_request *r, ho_str id)
{
  ho_mcp_rpc_fault none = {0};
  ho_node *params = ho_node_new(r->arena, HO_KIND_MAP), *args = ho_node_new(r->arena, HO_KIND_MAP);
  if (!ho_str_starts(id, "G-"))
    return NULL;
  ho_map_put(r->arena, params, "name", HO_STR("ask_person"));
  ho_map_addz(params, "arguments", args);
  ho_map_put(r->arena, args, "gate", id);
  ho_map_addz(args, "wait", ho_node_number(r->arena, 1));
  ho_mcp_request again = {.mcp = r->mcp,
                          .arena = r->arena,
                          .method = HO_STR("tools/call"),
                          .id = r->id,
                          .params = params,
                          .stateless = true,
                          .client = r->client};
  if (ho_mcp_answer(&again, &none) || ho_node_true(ho_map_getz(again.result, "isError")))
    return NULL;
  ho_mcp_waiting *w = ho_mcp_waiting_task(&again, id);
  if (w)
    ho_mcp_waiting_again(r->mcp, w);
  return w;
}

/* The task that params.taskId names. */
static ho_mcp_rpc_code need(ho_mcp_request *r, ho_mcp_waiting **out, ho_mcp_rpc_fault *fault)
{
  ho_str id;
  if (!ho_mcp_stateless_tasks(&r->client))
    return ho_mcp_client_lacks(r, ho_mcp_stateless_tasks_needed(r->arena), fault);
  ho_mcp_rpc_code code = ho_mcp_server_need(r, "taskId", &id, fault);
  if (code)
    return code;
  *out = find(r->mcp, id);
  if (!*out)
    *out = revive(r, id);
  return *out ? HO_MCP_RPC_OK
              : ho_mcp_rpc_fail(fault, HO_MCP_RPC_PARAMS, "there is no task '%.*s'", HO_ARG(ho_str_sub(id, 0, 80)));
}

ho_mcp_rpc_code ho_mcp_task_get(ho_mcp_request *r, ho_mcp_rpc_fault *fault)
{
  ho_mcp_waiting *w = NULL;
  ho_mcp_rpc_code code = need(r, &w, fault);
  if (code)
    return code;
  ho_mcp_stateless_put_task(r->arena, r->result, w->task, states[w->state], w->created_ms, w->updated_ms);
  if (w->state == HO_MCP_TASK_COMPLETED)
    ho_map_addz(r->result, "result", ho_node_copy(r->arena, w->result));
  else if (w->state == HO_MCP_TASK_FAILED)
    ho_map_addz(r->result, "error", ho_node_copy(r->arena, w->result));
  else if (w->state == HO_MCP_TASK_INPUT)
    ho_map_addz(r->result, "inputRequests", ho_node_copy(r->arena, w->asked));
  return HO_MCP_RPC_OK;
}

ho_mcp_rpc_code ho_mcp_task_update(ho_mcp_request *r, ho_mcp_rpc_fault *fault)
{
  ho_mcp_waiting *w = NULL;
  ho_mcp_rpc_code code = need(r, &w, fault);
  if (code)
    return code;
  if (!r->answers)
    return ho_mcp_rpc_fail(fault, HO_MCP_RPC_PARAMS, "params.inputResponses is missing");
  HO_EACH_CONST (answer, r->answers)
    if (ho_node_is(answer, HO_KIND_MAP))
      ho_mcp_waiting_take(w, answer->key, answer);
  if (w->state == HO_MCP_TASK_INPUT && !w->look_ms)
    ho_mcp_waiting_again(r->mcp, w);
  return HO_MCP_RPC_OK;
}

ho_mcp_rpc_code ho_mcp_task_cancel(ho_mcp_request *r, ho_mcp_rpc_fault *fault)
{
  ho_mcp_waiting *w = NULL;
  ho_mcp_rpc_code code = need(r, &w, fault);
  if (code || ho_mcp_waiting_ended(w))
    return code;
  w->state = HO_MCP_TASK_CANCELLED;
  w->updated_ms = ho_time_now_ms();
  return HO_MCP_RPC_OK;
}
