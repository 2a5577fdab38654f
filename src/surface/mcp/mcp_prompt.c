#include "surface/mcp/mcp_prompt.h"

#include "surface/mcp/mcp_fixture.h"
#include "surface/mcp/mcp_tool.h"

typedef struct prompt_argument {
  const char *name, *doc;
  const char *param; /* of the command */
  bool required;
} prompt_argument;

typedef struct prompt {
  const char *name, *title, *doc;
  const ho_command *command;
  prompt_argument arguments[3]; /* ended by one without a name */
} prompt;

static const prompt prompts[] = {
    {"teammate",
     "Context management for an agent",
     "How to track progress on a phase, when to hand it over, and how.",
     &ho_command_prompt_teammate,
     {{"task", "Number of the task; default: yours", "task", false}, {"phase", "Default: yours", "phase", false}, {0}}},
    {"successor",
     "Continue where another agent stopped",
     "The next action, the state, what not to do again, from a handoff.",
     &ho_command_prompt_successor,
     {{"id", "The handoff (HO-…); default: the newest of your phase", "path", false}, {0}}},
    {"inject",
     "What predecessors learned",
     "Warnings, decisions and patterns from earlier work, for an agent that starts on a task.",
     &ho_command_prompt_inject,
     {{"task", "Number of the task", "task", true}, {0}}},
};

ho_mcp_rpc_code ho_mcp_prompt_list(ho_mcp_request *r, ho_mcp_rpc_fault *fault)
{
  (void)fault;
  ho_node *list = ho_map_addz(r->result, "prompts", ho_node_new(r->arena, HO_KIND_LIST));
  for (size_t i = 0; i < HO_COUNT(prompts); i++) {
    const prompt *p = &prompts[i];
    ho_node *one = ho_list_add(list, ho_node_new(r->arena, HO_KIND_MAP));
    ho_map_addz(one, "name", ho_node_textz(r->arena, p->name));
    ho_map_addz(one, "title", ho_node_textz(r->arena, p->title));
    ho_map_addz(one, "description", ho_node_textz(r->arena, p->doc));
    ho_node *arguments = ho_map_addz(one, "arguments", ho_node_new(r->arena, HO_KIND_LIST));
    for (const prompt_argument *a = p->arguments; a->name; a++) {
      ho_node *argument = ho_list_add(arguments, ho_node_new(r->arena, HO_KIND_MAP));
      ho_map_addz(argument, "name", ho_node_textz(r->arena, a->name));
      ho_map_addz(argument, "description", ho_node_textz(r->arena, a->doc));
      ho_map_addz(argument, "required", ho_node_bool(r->arena, a->required));
    }
  }
  ho_mcp_fixture_list(r, "prompts", list);
  return HO_MCP_RPC_OK;
}

static ho_mcp_rpc_code take_arguments(ho_mcp_request *r, const prompt *p, ho_node *args, ho_mcp_rpc_fault *fault)
{
  const ho_node *given = ho_map_getz(r->params, "arguments");
  for (const prompt_argument *a = p->arguments; a->name; a++) {
    ho_str value = ho_str_trim(ho_map_str(given, a->name));
    if (value.n)
      ho_map_put(r->arena, args, a->param, value);
    else if (a->required)
      return ho_mcp_rpc_fail(fault, HO_MCP_RPC_PARAMS, "params.arguments.%s is missing: %s", a->name, a->doc);
  }
  return HO_MCP_RPC_OK;
}

/* What was not passed on by an agent before it, but sent to it, is continued as it was sent. */
static bool read_sent(ho_mcp_act *act, const prompt *p, ho_str *text)
{
  ho_error none = {0};
  ho_str id = ho_str_trim(ho_map_str(ho_map_getz(act->r->params, "arguments"), "id"));
  ho_node *args = ho_node_new(act->arena, HO_KIND_MAP);
  ho_map_put(act->arena, args, "path", id);
  return p->command == &ho_command_prompt_successor && ho_str_starts(id, "HO-") &&
         ho_mcp_act_text_of(act, &ho_command_show, args, "handoff.text", text, &none);
}

ho_mcp_rpc_code ho_mcp_prompt_get(ho_mcp_request *r, ho_mcp_rpc_fault *fault)
{
  ho_str name, text = HO_EMPTY;
  const prompt *p = NULL;
  ho_error err = {0};
  ho_mcp_rpc_code code = ho_mcp_server_need(r, "name", &name, fault);
  if (code)
    return code;
  const ho_node *fixture = ho_mcp_fixture_named(r->mcp, "prompts", name);
  if (fixture)
    return ho_mcp_fixture_run(r, fixture, fault);
  for (size_t i = 0; i < HO_COUNT(prompts); i++)
    if (ho_str_is(name, prompts[i].name))
      p = &prompts[i];
  if (!p)
    return ho_mcp_rpc_fail(fault, HO_MCP_RPC_PARAMS, "there is no prompt '%.*s'", HO_ARG(ho_str_sub(name, 0, 80)));
  ho_mcp_act act = {.r = r, .mcp = r->mcp, .arena = r->arena, .client = &r->client};
  ho_node *args = ho_node_new(r->arena, HO_KIND_MAP);
  code = take_arguments(r, p, args, fault);
  if (code)
    return code;
  bool nothing_yet = !ho_mcp_act_text_of(&act, p->command, args, "text", &text, &err) &&
                     p->command == &ho_command_prompt_inject && err.code == HO_NOT_FOUND;
  if (err.code && !nothing_yet && !read_sent(&act, p, &text))
    return ho_mcp_rpc_fail(fault, HO_MCP_RPC_PARAMS, "%s: %.*s", p->name, HO_ARG(ho_mcp_error_said(r->arena, &err)));
  ho_map_addz(r->result, "description", ho_node_textz(r->arena, p->doc));
  ho_node *messages = ho_map_addz(r->result, "messages", ho_node_new(r->arena, HO_KIND_LIST));
  ho_node *message = ho_list_add(messages, ho_node_new(r->arena, HO_KIND_MAP));
  ho_map_addz(message, "role", ho_node_textz(r->arena, "user"));
  ho_node *content = ho_map_addz(message, "content", ho_node_new(r->arena, HO_KIND_MAP));
  ho_map_addz(content, "type", ho_node_textz(r->arena, "text"));
  ho_map_addz(content, "text",
              text.n ? ho_node_text(r->arena, text) : ho_node_textz(r->arena, "Nothing is known yet about this task."));
  return HO_MCP_RPC_OK;
}
