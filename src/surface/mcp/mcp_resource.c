#include "surface/mcp/mcp_resource.h"

#include "surface/mcp/mcp_fixture.h"
#include "surface/mcp/mcp_tool.h"

const ho_mcp_resource_kind ho_mcp_resource_kinds[] = {
    {.name = "journal",
     .title = "Journal",
     .doc = "What the project knows: files, blockers, tasks, decisions.",
     .uri = "handoff://journal",
     .mime = "text/markdown",
     .shows = &ho_command_journal},
    {.name = "handoff",
     .title = "Handoff",
     .doc = "A handoff's document, by its id (HO-…).",
     .uri = "handoff://handoff/",
     .argument = "id",
     .shows = &ho_command_show,
     .param = "path",
     .text = "handoff.text",
     .lists = &ho_command_list,
     .list = "handoffs",
     .key = "id"},
    {.name = "gate",
     .title = "Gate",
     .doc = "A gate, and what is to be approved, by its id (G-…).",
     .uri = "handoff://gate/",
     .argument = "id",
     .mime = "text/plain",
     .shows = &ho_command_gate_show,
     .param = "gate",
     .lists = &ho_command_gate_list,
     .list = "gates",
     .key = "id"},
    {.name = "format",
     .title = "Format",
     .doc = "The JSON Schema of a document's format, by its name.",
     .uri = "handoff://format/",
     .argument = "name",
     .mime = "application/schema+json",
     .shows = &ho_command_schema,
     .param = "format",
     .lists = &ho_command_formats,
     .list = "formats",
     .key = "name"},
    {0}};

static ho_node *described(ho_mcp_request *r, const ho_mcp_resource_kind *kind)
{
  ho_node *map = ho_node_new(r->arena, HO_KIND_MAP);
  ho_str uri = kind->argument ? ho_arena_printf(r->arena, "%s{%s}", kind->uri, kind->argument) : ho_str_of(kind->uri);
  ho_map_addz(map, kind->argument ? "uriTemplate" : "uri", ho_node_text(r->arena, uri));
  ho_map_addz(map, "name", ho_node_textz(r->arena, kind->name));
  ho_map_addz(map, "title", ho_node_textz(r->arena, kind->title));
  ho_map_addz(map, "description", ho_node_textz(r->arena, kind->doc));
  if (kind->mime)
    ho_map_addz(map, "mimeType", ho_node_textz(r->arena, kind->mime));
  return map;
}

static void put_kinds(ho_mcp_request *r, const char *key, bool templates)
{
  ho_node *list = ho_map_addz(r->result, key, ho_node_new(r->arena, HO_KIND_LIST));
  for (const ho_mcp_resource_kind *kind = ho_mcp_resource_kinds; kind->name; kind++)
    if ((kind->argument != NULL) == templates)
      ho_list_add(list, described(r, kind));
  ho_mcp_fixture_list(r, key, list);
}

ho_mcp_rpc_code ho_mcp_resource_list(ho_mcp_request *r, ho_mcp_rpc_fault *fault)
{
  (void)fault;
  put_kinds(r, "resources", false);
  return HO_MCP_RPC_OK;
}

ho_mcp_rpc_code ho_mcp_resource_templates(ho_mcp_request *r, ho_mcp_rpc_fault *fault)
{
  (void)fault;
  put_kinds(r, "resourceTemplates", true);
  return HO_MCP_RPC_OK;
}

/* ---- Reading one. */

static ho_mcp_rpc_code fail_unknown(ho_mcp_request *r, ho_str uri, const char *why, ho_mcp_rpc_fault *fault)
{
  fault->data = ho_node_new(r->arena, HO_KIND_MAP);
  ho_map_addz(fault->data, "uri", ho_node_text(r->arena, uri));
  return ho_mcp_rpc_fail(fault, r->stateless ? HO_MCP_RPC_PARAMS : HO_MCP_RPC_NO_RESOURCE,
                         "there is no resource '%.*s'%s%s", HO_ARG(ho_str_sub(uri, 0, 120)), why[0] ? ": " : "", why);
}

static const ho_mcp_resource_kind *kind_of(ho_str uri, ho_str *name)
{
  *name = HO_EMPTY;
  for (const ho_mcp_resource_kind *kind = ho_mcp_resource_kinds; kind->name; kind++) {
    if (!kind->argument && ho_str_is(uri, kind->uri))
      return kind;
    *name = ho_str_sub(uri, strlen(kind->uri), uri.n);
    if (kind->argument && ho_str_starts(uri, kind->uri) && name->n && ho_str_find_char(*name, '/') == HO_NONE)
      return kind;
  }
  return NULL;
}

/* What a document is: by how it is written. */
static const char *mime_of(ho_str text)
{
  ho_str start = ho_str_trim(text);
  return ho_str_starts(start, "{")                                    ? "application/json"
         : ho_str_starts(start, "#") || ho_str_starts(start, "---\n") ? "text/markdown"
                                                                      : "application/yaml";
}

/* Only ids: `show` also reads files, which a resource is not. */
static bool may_be_named(const ho_mcp_resource_kind *kind, ho_str name)
{
  return kind->shows != &ho_command_show || ho_str_starts(name, "HO-");
}

ho_mcp_rpc_code ho_mcp_resource_read(ho_mcp_request *r, ho_mcp_rpc_fault *fault)
{
  ho_str uri, name, text;
  ho_error err = {0};
  ho_mcp_rpc_code code = ho_mcp_server_need(r, "uri", &uri, fault);
  if (code)
    return code;
  const ho_node *fixture = ho_mcp_fixture_resource(r, uri);
  if (fixture)
    return ho_mcp_fixture_run(r, fixture, fault);
  const ho_mcp_resource_kind *kind = kind_of(uri, &name);
  if (!kind || !may_be_named(kind, name))
    return fail_unknown(r, uri, "", fault);
  ho_mcp_act act = {.r = r, .mcp = r->mcp, .arena = r->arena, .client = &r->client};
  ho_node *args = ho_node_new(r->arena, HO_KIND_MAP);
  if (kind->param)
    ho_map_put(r->arena, args, kind->param, name);
  if (!ho_mcp_act_text_of(&act, kind->shows, args, kind->text, &text, &err))
    return fail_unknown(r, uri, ho_arena_z(r->arena, ho_mcp_error_said(r->arena, &err)), fault);
  ho_node *list = ho_map_addz(r->result, "contents", ho_node_new(r->arena, HO_KIND_LIST));
  ho_node *one = ho_list_add(list, ho_node_new(r->arena, HO_KIND_MAP));
  ho_map_addz(one, "uri", ho_node_text(r->arena, uri));
  ho_map_addz(one, "mimeType", ho_node_textz(r->arena, kind->mime ? kind->mime : mime_of(text)));
  ho_map_addz(one, "text", ho_node_text(r->arena, text));
  return HO_MCP_RPC_OK;
}
