/* The agent card: who can be handed work, and how. */
#include "base/fs.h"
#include "surface/a2a/a2a.h"
#include "surface/a2a/a2a_task.h"

static void add_text(ho_a2a *a, ho_node *to, const char *key, const char *text)
{
  ho_map_addz(to, key, ho_node_textz(a->arena, text));
}

static ho_node *add_map(ho_a2a *a, ho_node *to, const char *key)
{
  return ho_map_addz(to, key, ho_node_new(a->arena, HO_KIND_MAP));
}

static ho_node *add_list(ho_a2a *a, ho_node *to, const char *key)
{
  return ho_map_addz(to, key, ho_node_new(a->arena, HO_KIND_LIST));
}

/* Each agent with a queue is a skill: its id says for whom a message is. */
static void add_skill(ho_a2a *a, ho_node *skills, const ho_node *agent)
{
  ho_node *skill = ho_list_add(skills, ho_node_new(a->arena, HO_KIND_MAP));
  ho_str name = ho_map_str(agent, "agent");
  ho_map_put(a->arena, skill, "id", name);
  ho_map_put(a->arena, skill, "name", name);
  ho_map_addz(skill, "description",
              ho_node_text(a->arena, ho_arena_printf(a->arena,
                                                     "Work for the agent %.*s; %lld wait. Send a message with "
                                                     "metadata.skill = \"%.*s\".",
                                                     HO_ARG(name), ho_map_int(agent, "waiting"), HO_ARG(name))));
  ho_list_add(add_list(a, skill, "tags"), ho_node_textz(a->arena, "handoff"));
}

ho_node *ho_a2a_card(ho_a2a *a, ho_error *err)
{
  static const char *const modes[][4] = {{"text/plain", "application/json", "application/yaml", "text/markdown"},
                                         {"text/plain", "application/json"}};
  ho_a2a_fault fault = {0};
  ho_node *args = ho_node_new(a->arena, HO_KIND_MAP), *card = ho_node_new(a->arena, HO_KIND_MAP);
  ho_map_addz(args, "agents", ho_node_bool(a->arena, true));
  const ho_node *status = ho_a2a_run(a, &ho_command_status, args, &fault);
  if (!status) {
    ho_fail(err, HO_STORE, "%s", fault.message);
    return NULL;
  }
  ho_str project = ho_fs_name(ho_map_str(status, "root"));
  add_text(a, card, "name", "handoff");
  ho_map_addz(card, "description",
              ho_node_text(a->arena, ho_arena_printf(a->arena,
                                                     "Hands work to the agents and people of %.*s, and tells "
                                                     "what becomes of it.",
                                                     HO_ARG(project))));
  add_text(a, card, "version", HO_VERSION);
  ho_node *interface = ho_list_add(add_list(a, card, "supportedInterfaces"), ho_node_new(a->arena, HO_KIND_MAP));
  ho_map_addz(interface, "url", ho_node_text(a->arena, ho_arena_printf(a->arena, "%.*s/a2a", HO_ARG(a->base))));
  add_text(a, interface, "protocolBinding", "JSONRPC");
  add_text(a, interface, "protocolVersion", HO_A2A_VERSION);
  ho_node *can = add_map(a, card, "capabilities");
  ho_map_addz(can, "streaming", ho_node_bool(a->arena, true));
  ho_map_addz(can, "pushNotifications", ho_node_bool(a->arena, false));
  ho_map_addz(can, "extendedAgentCard", ho_node_bool(a->arena, false));
  ho_node *scheme = add_map(a, add_map(a, add_map(a, card, "securitySchemes"), "token"), "httpAuthSecurityScheme");
  add_text(a, scheme, "scheme", "Bearer");
  ho_node *needed = ho_list_add(add_list(a, card, "securityRequirements"), ho_node_new(a->arena, HO_KIND_MAP));
  add_list(a, add_map(a, add_map(a, needed, "schemes"), "token"), "list");
  ho_node *lists[] = {add_list(a, card, "defaultInputModes"), add_list(a, card, "defaultOutputModes")};
  for (size_t i = 0; i < HO_COUNT(lists); i++)
    for (size_t j = 0; j < HO_COUNT(modes[i]) && modes[i][j]; j++)
      ho_list_add(lists[i], ho_node_textz(a->arena, modes[i][j]));
  ho_node *skills = add_list(a, card, "skills");
  HO_EACH_CONST (agent, ho_map_getz(status, "agents"))
    add_skill(a, skills, agent);
  return card;
}
