#include "surface/mcp/mcp_head.h"

#include "base/base64.h"

/* What a method is about, which the header Mcp-Name repeats. */
static const struct {
  const char *method, *param;
} names[] = {{"tools/call", "name"},  {"prompts/get", "name"},    {"resources/read", "uri"},
             {"tasks/get", "taskId"}, {"tasks/update", "taskId"}, {"tasks/cancel", "taskId"}};

static ho_mcp_rpc_code differ(const char *header, bool missing, ho_mcp_rpc_fault *fault)
{
  return ho_mcp_rpc_fail(fault, HO_MCP_RPC_HEADERS, "the header %s %s", header,
                         missing ? "is missing" : "says something else than the message");
}

ho_mcp_rpc_code ho_mcp_head_version(const ho_mcp_head *head, ho_str version, ho_mcp_rpc_fault *fault)
{
  return head && head->version.p && !ho_str_eq(head->version, version) ? differ("MCP-Protocol-Version", false, fault)
                                                                       : HO_MCP_RPC_OK;
}

static bool is_base64(ho_str text)
{
  size_t n = 0;
  while (n < text.n && (isalnum((unsigned char)text.p[n]) || strchr("+/", text.p[n])))
    n++;
  return text.n % 4 == 0 && text.n - n <= 2 &&
         ho_str_find_char(ho_str_sub(text, n, text.n), '=') == (n < text.n ? 0 : HO_NONE);
}

/* What stands in a header: as it is, or, because it does not fit into one, as =?base64?…?=. False: it is wrongly encoded. */
static bool decode(ho_arena *arena, ho_str value, ho_str *out)
{
  static const char begin[] = "=?base64?", end[] = "?=";
  ho_buf text;
  *out = value;
  if (!ho_str_starts_nocase(value, begin) || !ho_str_ends(value, end) || value.n < strlen(begin) + strlen(end))
    return true;
  value = ho_str_sub(value, strlen(begin), value.n - strlen(end));
  ho_buf_init(&text, 0);
  ho_base64_decode(&text, value);
  *out = ho_buf_move(&text, arena);
  return is_base64(value);
}

ho_mcp_rpc_code ho_mcp_head_judge(ho_mcp_request *r, ho_mcp_rpc_fault *fault)
{
  const ho_mcp_head *head = r->channel->head;
  ho_str name;
  if (!head)
    return HO_MCP_RPC_OK;
  if (!head->version.p)
    return differ("MCP-Protocol-Version", true, fault);
  if (!ho_str_eq(head->method, r->method))
    return differ("Mcp-Method", !head->method.p, fault);
  for (size_t i = 0; i < HO_COUNT(names); i++) {
    const ho_node *value = ho_str_is(r->method, names[i].method) ? ho_map_getz(r->params, names[i].param) : NULL;
    if (!ho_node_is(value, HO_KIND_TEXT))
      continue;
    if (!head->name.p || !decode(r->arena, head->name, &name) || !ho_str_eq(name, value->text))
      return differ("Mcp-Name", !head->name.p, fault);
  }
  return HO_MCP_RPC_OK;
}
