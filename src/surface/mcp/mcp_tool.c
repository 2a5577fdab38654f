/* The list of tools, and which of them are offered. */
#include "surface/mcp/mcp_tool.h"

#include "base/suggest.h"
#include "surface/mcp/mcp_fixture.h"

#define X(name) &ho_mcp_tool_##name,
const ho_mcp_tool *const ho_mcp_tools[] = {HO_MCP_TOOLS(X) NULL};
#undef X

const ho_mcp_tool *ho_mcp_tool_named(const ho_mcp *mcp, ho_str name)
{
  for (const ho_mcp_tool *const *each = mcp->tools; *each; each++)
    if (ho_str_is(name, (*each)->name))
      return *each;
  return NULL;
}

/* ---- Which are offered. */

static const char *name_at(size_t index)
{
  return index < HO_COUNT(ho_mcp_tools) - 1 ? ho_mcp_tools[index]->name : NULL;
}

static unsigned set_named(ho_str name)
{
#define X(set, text, doc)                                                                                              \
  if (ho_str_is(name, text))                                                                                           \
    return HO_MCP_SET_##set;
  HO_MCP_SETS(X)
#undef X
  return 0;
}

/* Adds to *tools, by their bits, what the word names: a set, or a tool. */
static ho_code add_named(ho_str word, unsigned *tools, ho_error *err)
{
  unsigned set = set_named(word), found = 0;
  for (size_t i = 0; ho_mcp_tools[i]; i++)
    if (set ? (ho_mcp_tools[i]->sets & set) != 0 : ho_str_is(word, ho_mcp_tools[i]->name))
      found |= 1u << i;
  *tools |= found;
  if (found)
    return HO_OK;
  const char *near = ho_suggest(word, name_at);
  return near ? ho_fail(err, HO_USAGE, "there is no tool '%.*s'; did you mean '%s'?", HO_ARG(word), near)
              : ho_fail(err, HO_USAGE, "there is no tool '%.*s'; see docs/mcp.md", HO_ARG(word));
}

static ho_code add_list(ho_str names, unsigned *tools, ho_error *err)
{
  ho_str word;
  ho_code code = HO_OK;
  while (!code && ho_str_next(&names, ',', &word))
    if (ho_str_trim(word).n)
      code = add_named(ho_str_trim(word), tools, err);
  return code;
}

ho_code ho_mcp_tool_offer(ho_mcp *mcp, const ho_node *args, ho_str wanted, ho_error *err)
{
  _Static_assert(HO_COUNT(ho_mcp_tools) <= HO_MCP_TOOLS_MOST, "a bit, and a place, for each");
  unsigned offered = 0, excluded = 0, chosen = 0;
  size_t count = 0;
  ho_str names = ho_map_str(args, "tools");
  const ho_access *access = mcp->host->access;
  bool reads = ho_node_true(ho_map_getz(args, "read_only")) || (access && access->role != HO_ACCESS_AGENT);
  ho_code code = add_list(names.n ? names : HO_STR("default"), &offered, err);
  if (!code)
    code = add_list(ho_map_str(args, "exclude"), &excluded, err);
  if (!code)
    code = add_list(wanted.n ? wanted : HO_STR("all"), &chosen, err);
  for (size_t i = 0; !code && ho_mcp_tools[i]; i++)
    if ((offered & ~excluded & chosen) >> i & 1 && (!reads || ho_mcp_tools[i]->reads))
      mcp->tools[count++] = ho_mcp_tools[i];
  return code;
}

/* ---- tools/list. */

static ho_node *schema_of(ho_arena *arena, const ho_record *record, const char *only);

/* Of arguments it is flat: some clients' models refuse what is nested or has alternatives. */
static ho_node *property(ho_arena *arena, const ho_field *field, ho_type type)
{
  static const char *const types[] = {[HO_T_TEXT] = "string",   [HO_T_ID] = "string",    [HO_T_INT] = "integer",
                                      [HO_T_NUMBER] = "number", [HO_T_BOOL] = "boolean", [HO_T_LIST] = "array"};
  if (type == HO_T_RECORD)
    return schema_of(arena, field->record, NULL);
  ho_node *map = ho_node_new(arena, HO_KIND_MAP);
  if (type == HO_T_ANY)
    return map;
  ho_map_addz(map, "type", ho_node_textz(arena, types[type]));
  if (type == HO_T_LIST)
    ho_map_addz(map, "items", property(arena, field, field->item));
  else if (field->choices) {
    ho_node *values = ho_map_addz(map, "enum", ho_node_new(arena, HO_KIND_LIST));
    for (const ho_choice *choice = field->choices; choice->value; choice++)
      ho_list_add(values, ho_node_textz(arena, choice->value));
  }
  return map;
}

/* only: names of fields, "id|state"; NULL: all. */
static ho_node *schema_of(ho_arena *arena, const ho_record *record, const char *only)
{
  ho_node *map = ho_node_new(arena, HO_KIND_MAP), *required = ho_node_new(arena, HO_KIND_LIST);
  ho_map_addz(map, "type", ho_node_textz(arena, "object"));
  ho_node *properties = ho_map_addz(map, "properties", ho_node_new(arena, HO_KIND_MAP));
  for (const ho_field *field = record->fields; field->name; field++) {
    if (only && !ho_str_list_has(only, ho_str_of(field->name)))
      continue;
    ho_node *one = ho_map_addz(properties, field->name, property(arena, field, field->type));
    if (field->doc)
      ho_map_addz(one, "description", ho_node_textz(arena, field->doc));
    if (field->flags & HO_REQUIRED)
      ho_list_add(required, ho_node_textz(arena, field->name));
  }
  if (required->count)
    ho_map_addz(map, "required", required);
  return map;
}

static void put_hints(ho_arena *arena, ho_node *map, const ho_mcp_tool *tool)
{
  ho_node *hints = ho_map_addz(map, "annotations", ho_node_new(arena, HO_KIND_MAP));
  ho_map_addz(hints, tool->reads ? "readOnlyHint" : "destructiveHint", ho_node_bool(arena, tool->reads));
  ho_map_addz(hints, "openWorldHint", ho_node_bool(arena, false));
  if (tool->once)
    ho_map_addz(hints, "idempotentHint", ho_node_bool(arena, true));
  if (!tool->always)
    return;
  ho_node *meta = ho_map_addz(map, "_meta", ho_node_new(arena, HO_KIND_MAP));
  ho_map_addz(meta, "anthropic/alwaysLoad", ho_node_bool(arena, true));
}

static ho_node *described(ho_mcp_request *r, const ho_mcp_tool *tool)
{
  ho_node *map = ho_node_new(r->arena, HO_KIND_MAP);
  ho_map_addz(map, "name", ho_node_textz(r->arena, tool->name));
  ho_map_addz(map, "description", ho_node_textz(r->arena, tool->description));
  ho_map_addz(map, "inputSchema", schema_of(r->arena, tool->fields, NULL));
  if (r->mcp->output_schemas)
    ho_map_addz(map, "outputSchema", schema_of(r->arena, &ho_mcp_answers, tool->answers));
  put_hints(r->arena, map, tool);
  return map;
}

ho_mcp_rpc_code ho_mcp_tool_list(ho_mcp_request *r, ho_mcp_rpc_fault *fault)
{
  (void)fault;
  ho_node *list = ho_map_addz(r->result, "tools", ho_node_new(r->arena, HO_KIND_LIST));
  for (const ho_mcp_tool *const *each = r->mcp->tools; *each; each++)
    ho_list_add(list, described(r, *each));
  ho_mcp_fixture_list(r, "tools", list);
  return HO_MCP_RPC_OK;
}
