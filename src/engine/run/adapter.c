/* Command lines of the harnesses. */
#include "engine/run/adapter.h"

#include "base/fs.h"
#include "engine/project/identity.h"
#include "engine/run/adapter_parts.h"

/* Edits and this program's commands are allowed; for everything else the harness's own settings decide. To allow
 * more, define an agent in the settings with a command of its own. */
static const char *const claude_args[] = {"--print",        "--output-format",   "stream-json",
                                          "--verbose",      "--permission-mode", "acceptEdits",
                                          "--allowedTools", "Bash(handoff *)",   NULL};
static const char *const codex_args[] = {
    "exec", "--json", "--sandbox", "workspace-write", "--skip-git-repo-check", "--color", "never", "-", NULL};
static const char *const gemini_args[] = {"--output-format",
                                          "stream-json",
                                          "--approval-mode",
                                          "auto_edit",
                                          "--allowed-tools",
                                          "run_shell_command(handoff)",
                                          "--prompt",
                                          "Do what the text above asks for.",
                                          NULL};
static const char *const opencode_args[] = {"run", "--format", "json", NULL};

/* clang-format off */
const ho_adapter ho_adapters[] = {
#define X(name, title, synonyms, hooked, started) \
  HO_IF_##started({&ho_harness_##name, name##_args, "--model", ho_adapter_take_##name},)
    HO_HARNESSES(X)
#undef X
    {0},
};
/* clang-format on */

static const char *const environment[] = {"NO_COLOR=1", NULL};

/* The variables that tell a harness that it runs inside a session. */
static const char *const *not_inherited(ho_arena *arena)
{
  size_t count = 0;
  for (const ho_harness *const *each = ho_harnesses; *each; each++)
    count += HO_COUNT((*each)->inside);
  const char **names = ho_arena_array(arena, count + 1, sizeof *names), **at = names;
  for (const ho_harness *const *each = ho_harnesses; names && *each; each++)
    for (const char *const *name = (*each)->inside; *name; name++)
      *at++ = *name;
  return names;
}

const ho_adapter *ho_adapter_named(ho_str name)
{
  for (const ho_adapter *each = ho_adapters; each->harness; each++)
    if (ho_str_is(name, each->harness->name))
      return each;
  return NULL;
}

static size_t count_words(const char *const *words)
{
  size_t n = 0;
  while (words[n])
    n++;
  return n;
}

/* The program, the harness's arguments, and the model if one is set. `codex exec … -` ends in its operand, so the
 * model comes before the rest; a first argument that is not an option is a subcommand and stays first. */
static const char **compose(ho_arena *arena, const ho_adapter *adapter, const char *program, ho_str model)
{
  size_t n = count_words(adapter->args), at = 0, from = 0;
  const char **argv = ho_arena_array(arena, n + 4, sizeof *argv);
  if (!argv)
    return NULL;
  argv[at++] = program;
  if (adapter->args[0][0] != '-')
    argv[at++] = adapter->args[from++];
  if (model.n) {
    argv[at++] = adapter->model;
    argv[at++] = ho_arena_z(arena, model);
  }
  while (from < n)
    argv[at++] = adapter->args[from++];
  return argv;
}

/* A program with a '/' in its name is relative to `folder`, not to where the agent will work. */
static const char *placed(ho_arena *arena, ho_str folder, const char *program)
{
  return strchr(program, '/') ? ho_fs_join(arena, folder, ho_str_of(program)).p : program;
}

static const ho_node *find_setting(const ho_node *agents, ho_str name)
{
  HO_EACH_CONST (agent, agents)
    if (name.n && ho_str_eq(ho_map_str(agent, "name"), name))
      return agent;
  return NULL;
}

/* An agent from the settings: its command as given; a harness without arguments gets the harness's arguments. */
static ho_code from_setting(ho_arena *arena, const ho_adapter_use *use, const ho_node *agent, ho_adapter_call *out,
                            ho_error *err)
{
  const ho_node *command = ho_map_getz(agent, "command");
  ho_str model = ho_map_str(agent, "model");
  size_t at = 0;
  if (!ho_node_is(command, HO_KIND_LIST) || !command->first || !ho_node_str(command->first).n)
    return ho_fail(err, HO_USAGE, "agent '%.*s' in the settings has no command", HO_ARG(out->agent));
  out->adapter = ho_adapter_named(ho_map_str(agent, "harness"));
  const char *program = placed(arena, use->root, ho_arena_z(arena, ho_node_str(command->first)));
  if (out->adapter && command->count == 1) {
    out->argv = compose(arena, out->adapter, program, model);
    return ho_arena_code(arena, err);
  }
  out->argv = ho_arena_array(arena, command->count + 1, sizeof *out->argv);
  if (out->argv)
    HO_EACH_CONST (word, command)
      out->argv[at++] = word == command->first ? program : ho_arena_z(arena, ho_node_str(word));
  return ho_arena_code(arena, err);
}

static ho_code must_be_trusted(ho_str name, ho_error *err)
{
  return ho_fail(err, HO_GATED,
                 "agent '%.*s' in .handoff/config.yaml is not started until a person trusts it; run: handoff trust",
                 HO_ARG(name));
}

static ho_code from_command(ho_arena *arena, const ho_adapter_use *use, ho_adapter_call *out, ho_error *err)
{
  ho_str here;
  if (find_setting(use->waiting, use->told)) /* a program that happens to have the same name is not meant */
    return must_be_trusted(use->told, err);
  if (use->sign.n)
    return ho_fail(err, HO_GATED,
                   "only a person may start a command of their choice, but %.*s, so an agent is running this; use "
                   "--agent with one of " HO_HARNESSES_STARTED
                   ", or an agent in the settings that a person has trusted",
                   HO_ARG(use->sign));
  ho_code code = ho_adapter_words(arena, use->told, &out->argv, err);
  if (!code)
    code = ho_fs_here(arena, &here, err);
  if (code)
    return code;
  out->agent = ho_identity_safe(arena, ho_fs_name(ho_str_of(out->argv[0])));
  out->argv[0] = placed(arena, here, out->argv[0]);
  return ho_arena_code(arena, err);
}

ho_code ho_adapter_command(ho_arena *arena, const ho_adapter_use *use, ho_adapter_call *out, ho_error *err)
{
  const ho_str names[] = {use->wanted, use->told};
  ho_adapter_call call = {.input = use->prompt, .env = environment, .drop = not_inherited(arena)};
  ho_code code = HO_OK;
  for (size_t i = 0; i < HO_COUNT(names) && !call.argv && !code; i++) {
    const ho_node *setting = find_setting(use->agents, names[i]);
    call.agent = names[i];
    call.adapter = ho_adapter_named(names[i]);
    if (call.adapter)
      call.argv = compose(arena, call.adapter, call.adapter->harness->name, HO_EMPTY);
    else if (setting)
      code = from_setting(arena, use, setting, &call, err);
  }
  if (!code && !call.argv && use->told.n)
    code = from_command(arena, use, &call, err);
  else if (!code && !call.argv && find_setting(use->waiting, use->wanted))
    code = must_be_trusted(use->wanted, err);
  else if (!code && !call.argv && use->wanted.n)
    code = ho_fail(err, HO_USAGE, "'%.*s' is not an agent in the settings; use --agent", HO_ARG(use->wanted));
  else if (!code && !call.argv)
    code = ho_fail(err, HO_USAGE,
                   "use --agent to say who does the work: " HO_HARNESSES_STARTED
                   ", an agent in the settings, or a command");
  if (!code)
    code = ho_arena_code(arena, err);
  if (code)
    return code;
  if (use->wanted.n)
    call.agent = use->wanted;
  *out = call;
  return HO_OK;
}
