/* Command lines of the harnesses. */
#include "engine/run/adapter.h"

#include "base/buf.h"
#include "base/fs.h"
#include "doc/json/json.h"
#include "engine/project/identity.h"
#include "engine/run/adapter_parts.h"

/* Edits are allowed, and of this program's commands those for teammates (see `permit`); for everything else the
 * harness's own settings decide. To allow more, define an agent in the settings with a command of its own. */
static const char *const claude_args[] = {"--print",           "--output-format", "stream-json", "--verbose",
                                          "--permission-mode", "acceptEdits",     NULL};
static const char *const codex_args[] = {
    "exec", "--json", "--sandbox", "workspace-write", "--skip-git-repo-check", "--color", "never", "-", NULL};
static const char *const gemini_args[] = {"--output-format",
                                          "stream-json",
                                          "--approval-mode",
                                          "auto_edit",
                                          "--prompt",
                                          "Do what the text above asks for.",
                                          NULL};
static const char *const opencode_args[] = {"run", "--format", "json", NULL};

static const char *const environment[] = {"NO_COLOR=1", NULL};

/* ---- What agents may do with this program's commands. */

static const char *const *words_of(ho_arena *arena, size_t count, const char *const *words)
{
  const char **copy = ho_arena_array(arena, count + 1, sizeof *copy);
  if (copy)
    memcpy(copy, words, count * sizeof *copy);
  return copy;
}

static const char *const *in_file(ho_arena *arena, const ho_adapter_use *use, ho_adapter_call *call, const char *option,
                                  const char *name)
{
  call->rules_file = ho_fs_join(arena, use->files.n ? use->files : HO_STR("/"), ho_str_of(name));
  const char *const words[] = {option, ho_arena_z(arena, call->rules_file)};
  return words_of(arena, HO_COUNT(words), words);
}

/* Settings beside its own: what is denied anywhere is denied. */
static const char *const *claude_permit(ho_arena *arena, const ho_adapter_use *use, ho_adapter_call *call)
{
  ho_node *root = ho_node_new(arena, HO_KIND_MAP), *in = ho_node_new(arena, HO_KIND_MAP);
  ho_node *allow = ho_node_new(arena, HO_KIND_LIST), *deny = ho_node_new(arena, HO_KIND_LIST);
  ho_buf text;
  ho_map_addz(root, "permissions", in);
  ho_map_addz(in, "allow", allow);
  ho_map_addz(in, "deny", deny);
  for (const char *const *each = use->rights.teammates; each && *each; each++)
    ho_list_add(allow, ho_node_text(arena, ho_harness_fill(arena, "Bash(handoff $C:*)", *each)));
  for (const char *const *each = use->rights.people; each && *each; each++)
    for (const char *const *entry = ho_harness_denied(&ho_harness_claude, *each); *entry; entry++)
      ho_list_add(deny, ho_node_text(arena, ho_harness_fill(arena, *entry, *each)));
  ho_buf_init(&text, 0);
  ho_json_write(&text, root, 2);
  call->rules = ho_buf_move(&text, arena);
  return in_file(arena, use, call, "--settings", "settings.json");
}

/* Its rules are files in its own folders (`install`); its sandbox shows itself to this program, which refuses. */
static const char *const *codex_permit(ho_arena *arena, const ho_adapter_use *use, ho_adapter_call *call)
{
  (void)arena;
  (void)use;
  (void)call;
  return NULL;
}

/* A file of rules; those of the project's own folder it does not read. */
static const char *const *gemini_permit(ho_arena *arena, const ho_adapter_use *use, ho_adapter_call *call)
{
  ho_buf rules;
  ho_buf_init(&rules, 0);
  ho_buf_put(&rules, ho_harness_rules(arena, &ho_harness_gemini, &use->rights));
  for (const char *const *each = use->rights.teammates; each && *each; each++)
    ho_buf_put(&rules, ho_harness_fill(arena, ho_harness_gemini.rule_allowed, *each));
  call->rules = ho_buf_move(&rules, arena);
  return in_file(arena, use, call, "--policy", "policy.toml");
}

/* Everything is allowed unless its settings say otherwise, and the last rule that fits counts. The rules are for
 * "bash*", because rules for "bash" would replace what the settings say about it. */
static const char *const *opencode_permit(ho_arena *arena, const ho_adapter_use *use, ho_adapter_call *call)
{
  ho_node *rules = ho_node_new(arena, HO_KIND_MAP), *bash = ho_node_new(arena, HO_KIND_MAP);
  static const char *const word[] = {"*handoff $C", "*handoff $C *", "*handoff --* $C", "*handoff --* $C *", NULL};
  static const char *const words[] = {"*handoff $C*", "*handoff --* $C*", "*=handoff* $C*", NULL};
  ho_buf text;
  ho_map_addz(rules, "bash*", bash);
  for (const char *const *each = use->rights.people; each && *each; each++)
    for (const char *const *entry = strchr(*each, ' ') ? words : word; *entry; entry++)
      ho_map_add(bash, ho_harness_fill(arena, *entry, *each), ho_node_textz(arena, "deny"));
  ho_buf_init(&text, 0);
  ho_buf_puts(&text, "OPENCODE_PERMISSION=");
  ho_json_write(&text, rules, 0);
  const char *const env[] = {environment[0], ho_arena_z(arena, ho_buf_move(&text, arena))};
  call->env = words_of(arena, HO_COUNT(env), env);
  return NULL;
}

/* clang-format off */
const ho_adapter ho_adapters[] = {
#define X(name, title, synonyms, started) \
  HO_IF_##started({&ho_harness_##name, name##_args, "--model", ho_adapter_take_##name, ho_adapter_tell_##name, name##_permit},)
    HO_HARNESSES(X)
#undef X
    {0},
};
/* clang-format on */

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
static const char **compose(ho_arena *arena, const ho_adapter_use *use, ho_adapter_call *call, const char *program,
                            ho_str model)
{
  const ho_adapter *adapter = call->adapter;
  const char *const *more = adapter->permit(arena, use, call);
  size_t n = count_words(adapter->args), at = 0, from = 0;
  const char **argv = ho_arena_array(arena, n + (more ? count_words(more) : 0) + 4, sizeof *argv);
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
  while (more && *more)
    argv[at++] = *more++;
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
    out->argv = compose(arena, use, out, program, model);
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
                   "--agent with one of " HO_STARTED_NAMES ", or an agent in the settings that a person has trusted",
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
      call.argv = compose(arena, use, &call, call.adapter->harness->name, HO_EMPTY);
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
    code =
        ho_fail(err, HO_USAGE,
                "use --agent to say who does the work: " HO_STARTED_NAMES ", an agent in the settings, or a command");
  if (!code)
    code = ho_arena_code(arena, err);
  if (code)
    return code;
  if (use->wanted.n)
    call.agent = use->wanted;
  *out = call;
  return HO_OK;
}
