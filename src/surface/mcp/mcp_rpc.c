#include "surface/mcp/mcp_rpc.h"

#include "doc/json/json.h"

ho_mcp_rpc_code ho_mcp_rpc_fail(ho_mcp_rpc_fault *fault, ho_mcp_rpc_code code, const char *format, ...)
{
  va_list args;
  char message[sizeof fault->message * 2];
  va_start(args, format);
  vsnprintf(message, sizeof message, format, args);
  va_end(args);
  fault->code = code;
  ho_error_copy(fault->message, sizeof fault->message, ho_str_of(message));
  return code;
}

ho_mcp_rpc_code ho_mcp_rpc_read(ho_arena *arena, ho_str line, ho_node **out, ho_mcp_rpc_fault *fault)
{
  ho_source source;
  ho_error err = {0};
  ho_code code = ho_source_init(&source, arena, HO_STR("message"), line, &err);
  if (!code)
    code = ho_json_read(&source, 0, arena, NULL, out, &err);
  if (!code)
    return HO_MCP_RPC_OK;
  return code == HO_MEMORY
             ? ho_mcp_rpc_fail(fault, HO_MCP_RPC_INTERNAL, "out of memory")
             : ho_mcp_rpc_fail(fault, HO_MCP_RPC_PARSE, "the message is not JSON that can be read: %s", err.message);
}

static bool is_whole(const ho_node *node)
{
  long long ignored;
  return ho_node_is(node, HO_KIND_NUMBER) && ho_node_to_int(node, &ignored);
}

static const ho_node *map_or_null(const ho_node *node)
{
  return ho_node_is(node, HO_KIND_MAP) ? node : NULL;
}

ho_mcp_rpc_code ho_mcp_rpc_take(const ho_node *value, ho_mcp_rpc_message *message, ho_mcp_rpc_fault *fault)
{
  *message = (ho_mcp_rpc_message){.method = HO_EMPTY};
  if (!ho_node_is(value, HO_KIND_MAP))
    return ho_mcp_rpc_fail(fault, HO_MCP_RPC_REQUEST, "a message is an object");
  const ho_node *id = ho_map_getz(value, "id"), *method = ho_map_getz(value, "method"),
                *params = ho_map_getz(value, "params");
  if (ho_node_is(id, HO_KIND_TEXT) || is_whole(id))
    message->id = id;
  else if (id)
    return ho_mcp_rpc_fail(fault, HO_MCP_RPC_REQUEST, "an id is a text or a whole number");
  if (!ho_str_is(ho_map_str(value, "jsonrpc"), "2.0"))
    return ho_mcp_rpc_fail(fault, HO_MCP_RPC_REQUEST, "jsonrpc is \"2.0\"");
  message->params = map_or_null(params);
  message->result = map_or_null(ho_map_getz(value, "result"));
  bool answers = !method && message->id && (ho_map_getz(value, "result") || ho_map_getz(value, "error"));
  if (answers)
    return HO_MCP_RPC_OK;
  if (!ho_node_is(method, HO_KIND_TEXT) || !method->text.n)
    return ho_mcp_rpc_fail(fault, HO_MCP_RPC_REQUEST, "method is the name of a method");
  message->method = method->text;
  if (params && !message->params)
    return ho_mcp_rpc_fail(fault, HO_MCP_RPC_PARAMS, "params is an object");
  return HO_MCP_RPC_OK;
}

static void put_head(ho_buf *out)
{
  ho_buf_puts(out, "{\"jsonrpc\":\"2.0\"");
}

static void put_member(ho_buf *out, const char *key, const ho_node *value)
{
  ho_buf_printf(out, ",\"%s\":", key);
  if (value)
    ho_json_write(out, value, 0);
  else
    ho_buf_puts(out, "null");
}

void ho_mcp_rpc_put_result(ho_buf *out, const ho_node *id, const ho_node *result)
{
  put_head(out);
  put_member(out, "id", id);
  put_member(out, "result", result);
  ho_buf_puts(out, "}\n");
}

void ho_mcp_rpc_put_fault(ho_buf *out, const ho_node *id, const ho_mcp_rpc_fault *fault)
{
  put_head(out);
  put_member(out, "id", id);
  ho_buf_printf(out, ",\"error\":{\"code\":%d,\"message\":", (int)fault->code);
  ho_json_write_text(out, ho_str_of(fault->message));
  if (fault->data)
    put_member(out, "data", fault->data);
  ho_buf_puts(out, "}}\n");
}

static void put_call(ho_buf *out, ho_str method, const ho_node *params)
{
  ho_buf_puts(out, ",\"method\":");
  ho_json_write_text(out, method);
  put_member(out, "params", params);
  ho_buf_puts(out, "}\n");
}

void ho_mcp_rpc_put_notice(ho_buf *out, const char *method, const ho_node *params)
{
  put_head(out);
  put_call(out, ho_str_of(method), params);
}

void ho_mcp_rpc_put_request(ho_buf *out, ho_str id, ho_str method, const ho_node *params)
{
  put_head(out);
  ho_buf_puts(out, ",\"id\":");
  ho_json_write_text(out, id);
  put_call(out, method, params);
}
