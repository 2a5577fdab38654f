/* install HARNESS: the harness's configuration, merged with what is there. */
#include <dirent.h>
#include <limits.h>

#include "base/fs.h"
#include "base/proc/spawn.h"
#include "base/term.h"
#include "command/agents/install_files.h"
#include "command/agents/install_server.h"
#include "command/commands.h"
#include "doc/json/json.h"
#include "engine/hook/install.h"
#include "engine/project/paths.h"
#include "engine/project/project.h"
#include "engine/project/settings.h"
#include "engine/relay/prompt.h"

static ho_code put_hooks(const ho_installer *in, ho_str text, ho_str *out, ho_error *err)
{
  return ho_install_put(in->arena, in->harness, &in->rights, text, out, err);
}

static ho_code remove_hooks(const ho_installer *in, ho_str text, ho_str *out, ho_error *err)
{
  return ho_install_remove(in->arena, in->harness, &in->rights, text, out, err);
}

static ho_code settings(ho_installer *in, ho_error *err)
{
  static const ho_install_part hooks = {put_hooks, remove_hooks};
  return ho_install_files_json(in, ho_fs_join(in->arena, in->folder, ho_str_of(in->harness->settings)), &hooks, err);
}

static ho_code plugin_file(ho_installer *in, ho_error *err)
{
  ho_str path = ho_fs_join(in->arena, in->folder, ho_str_of(in->harness->settings));
  ho_str block = in->uninstall ? HO_EMPTY : ho_install_plugin(in->arena, in->harness, &in->rights);
  return ho_install_files_mark(in, path.p, block, &ho_install_script, err);
}

/* Hooks go into the harness's TOML file if only that exists, or if they are there already; otherwise into its settings.
 * Uninstalling removes them from both. */
static ho_code toml_or_settings(ho_installer *in, ho_error *err)
{
  ho_str toml = in->harness->toml ? ho_fs_join(in->arena, in->folder, ho_str_of(in->harness->toml)) : HO_EMPTY, old,
         block;
  bool other = ho_fs_exists(ho_fs_join(in->arena, in->folder, ho_str_of(in->harness->settings)).p);
  if (!toml.n || !ho_fs_exists(toml.p))
    return settings(in, err);
  ho_code code = ho_fs_read(in->arena, toml.p, 0, &old, err);
  if (code)
    return code;
  if (in->uninstall) {
    code = ho_install_files_mark(in, toml.p, HO_EMPTY, &ho_install_hash, err);
    return code ? code : settings(in, err);
  }
  if (other && !ho_str_has(old, ho_install_hash.begin))
    return settings(in, err);
  old = ho_install_marked(in->arena, old, true, HO_EMPTY, &ho_install_hash);
  code = ho_install_toml(in->arena, in->harness, old, &block, err);
  if (code == HO_INVALID)
    ho_error_copy(err->file, sizeof err->file, ho_shown_path(in->call, toml));
  return code ? code : ho_install_files_mark(in, toml.p, block, &ho_install_hash, err);
}

/* What only people may run, for harnesses whose settings cannot express it. */
static ho_code rules(ho_installer *in, ho_error *err)
{
  if (!in->harness->rules)
    return HO_OK;
  ho_str path = ho_fs_join(in->arena, in->folder, ho_str_of(in->harness->rules));
  return ho_install_files_mark(in, path.p,
                               in->uninstall ? HO_EMPTY : ho_harness_rules(in->arena, in->harness, &in->rights),
                               &ho_install_hash, err);
}

/* ---- Texts for agents */

/* A text per role. Whoever has one role reads the others in vain, or takes them for its own: each is a section, and a skill,
 * of its own. */
static const struct {
  const char *skill, *description;
  ho_code (*make)(const ho_prompt_about *about, ho_prompt *out, ho_error *err);
} roles[] = {
    {"handoff", "Track progress, and hand work over to a successor before the context runs out.", ho_prompt_teammate},
    {"handoff-lead", "Start successors for agents that ran out of context.", ho_prompt_recovery},
    {"handoff-receive", "Take work that was sent to you, acknowledge it, and return it.", ho_prompt_receiver}};
enum { TEAMMATE };

static ho_code make_text(ho_installer *in, size_t role, ho_str *out, ho_error *err)
{
  ho_prompt prompt;
  ho_error none = {0};
  ho_prompt_about about = {.arena = in->arena, .root = in->call->host->root, .budget = 4 * HO_PROMPT_BUDGET};
  (void)!ho_project_begin(&in->call->project, &none); /* settings that cannot be read leave the defaults */
  about.threshold = ho_settings_number(&in->call->project.settings, "threshold");
  ho_code code = roles[role].make(&about, &prompt, err);
  *out = code ? HO_EMPTY : prompt.text;
  return code;
}

static ho_code make_texts(ho_installer *in, ho_str *out, ho_error *err)
{
  ho_str each;
  ho_code code = HO_OK;
  *out = HO_EMPTY;
  for (size_t i = 0; !code && i < HO_COUNT(roles); i++) {
    code = make_text(in, i, &each, err);
    *out = ho_arena_printf(in->arena, "%.*s%s%.*s", HO_ARG(*out), i ? "\n" : "", HO_ARG(each));
  }
  return code;
}

/* Is the agent meant? Without --agents all are. */
static bool is_chosen(const ho_installer *in, ho_str name)
{
  ho_str rest = ho_arg_str(in->call, "agents"), each;
  if (!rest.n || in->uninstall)
    return true;
  while (ho_str_next(&rest, ',', &each))
    if (ho_str_eq(ho_str_trim(each), name))
      return true;
  return false;
}

/* The text for one agent; one that cannot run commands gets none, and loses one that it was given before. */
static ho_code agent(ho_installer *in, ho_str path, ho_str block, ho_error *err)
{
  ho_str text;
  ho_code code = ho_fs_read(in->arena, path.p, 0, &text, err);
  if (code)
    return code;
  if (!in->uninstall && !ho_install_agent_runs(in->harness, text)) {
    ho_call_note(in->call, "%.*s cannot run commands, so it gets no text", HO_ARG(ho_shown_path(in->call, path)));
    block = HO_EMPTY;
  }
  return block.n || ho_str_has(text, ho_install_markdown.begin)
             ? ho_install_files_mark(in, path.p, block, &ho_install_markdown, err)
             : HO_OK;
}

/* --agents names only agents that there are. */
static ho_code check_agents(const ho_installer *in, ho_str folder, ho_error *err)
{
  ho_str rest = ho_arg_str(in->call, "agents"), each;
  while (rest.n && ho_str_next(&rest, ',', &each)) {
    ho_str name = ho_arena_printf(in->arena, "%.*s.md", HO_ARG(ho_str_trim(each)));
    if (ho_str_find_char(name, '/') != HO_NONE || !ho_fs_is_file(ho_fs_join(in->arena, folder, name).p))
      return ho_fail(err, HO_NOT_FOUND, "there is no agent '%.*s' in %.*s", HO_ARG(ho_str_trim(each)),
                     HO_ARG(ho_shown_path(in->call, folder)));
  }
  return HO_OK;
}

/* Each agent of the project gets the Context Management text. */
static ho_code agents(ho_installer *in, ho_error *err)
{
  ho_str folder = ho_fs_join(in->arena, in->folder, ho_str_of(in->harness->agents)), block = HO_EMPTY;
  ho_code code = in->uninstall ? HO_OK : make_text(in, TEAMMATE, &block, err);
  DIR *dir = code ? NULL : ho_fs_opendir(folder.p);
  for (struct dirent *entry; !code && dir && (entry = readdir(dir));) {
    ho_str path = ho_fs_join(in->arena, folder, ho_str_of(entry->d_name)), name = ho_str_of(entry->d_name);
    if (entry->d_name[0] != '.' && ho_str_ends(path, ".md") && ho_fs_is_file(path.p) &&
        is_chosen(in, ho_str_sub(name, 0, name.n - strlen(".md"))))
      code = agent(in, path, block, err);
  }
  if (dir)
    closedir(dir);
  return code;
}

/* Adds all texts to the project's instructions if asked to; uninstalling always removes them. */
static ho_code instructions(ho_installer *in, ho_error *err)
{
  ho_str block = HO_EMPTY;
  ho_str path = ho_fs_join(in->arena, in->global ? in->folder : in->base, ho_str_of(in->harness->instructions));
  if (!ho_arg_true(in->call, "instructions") && !(in->uninstall && ho_fs_is_file(path.p)))
    return HO_OK;
  ho_code code = in->uninstall ? HO_OK : make_texts(in, &block, err);
  return code ? code : ho_install_files_mark(in, path.p, block, &ho_install_markdown, err);
}

/* The lead's text, for a file that only the lead reads. */
static ho_code into_file(ho_installer *in, ho_str file, ho_error *err)
{
  ho_prompt prompt = {0};
  ho_prompt_about about = {.arena = in->arena, .root = in->call->host->root, .budget = 4 * HO_PROMPT_BUDGET};
  ho_code code = in->uninstall ? HO_OK : ho_prompt_recovery(&about, &prompt, err);
  return code ? code : ho_install_files_mark(in, ho_full_path(in->call, file), prompt.text, &ho_install_markdown, err);
}

/* ---- A plugin of Claude Code */

static ho_str plugin_json(ho_installer *in, bool manifest)
{
  ho_node *map = ho_node_new(in->arena, HO_KIND_MAP);
  ho_buf out;
  if (manifest) {
    ho_map_addz(map, "name", ho_node_textz(in->arena, HO_INSTALL_PLUGIN));
    ho_map_addz(map, "version", ho_node_textz(in->arena, HO_VERSION));
    ho_map_addz(map, "description",
                ho_node_textz(in->arena, "Handoffs between agents, requested before the context runs out"));
  } else {
    ho_node *hooks = ho_map_getz(ho_install_wanted(in->arena, in->harness, &in->rights), "hooks");
    ho_map_addz(map, "hooks", ho_node_copy(in->arena, hooks));
  }
  ho_buf_init(&out, 0);
  ho_json_write(&out, map, 2);
  ho_buf_putc(&out, '\n');
  return ho_buf_move(&out, in->arena);
}

/* Its files: manifest, hooks, and a skill per role. */
enum { MANIFEST, HOOKS, SKILLS, PARTS = SKILLS + HO_COUNT(roles) };

typedef struct part {
  ho_str path, text; /* path: where it is written */
  ho_str old;
  bool there;
} part;

/* Did some version of this program write it? Nothing else is replaced or removed. */
static bool is_ours(const ho_installer *in, size_t which, ho_str old)
{
  if (which == MANIFEST)
    return ho_install_is_manifest(in->arena, old);
  if (which == HOOKS)
    return ho_install_only_hooks(in->arena, in->harness, &in->rights, old);
  return ho_install_is_skill(in->arena, old, roles[which - SKILLS].skill);
}

static ho_code make_part(ho_installer *in, size_t which, ho_str *name, ho_str *text, ho_error *err)
{
  ho_str body;
  if (which < SKILLS) {
    *name = which == MANIFEST ? HO_STR(".claude-plugin/plugin.json") : HO_STR("hooks/hooks.json");
    *text = plugin_json(in, which == MANIFEST);
    return ho_arena_code(in->arena, err);
  }
  ho_code code = make_text(in, which - SKILLS, &body, err);
  if (code)
    return code;
  *name = ho_arena_printf(in->arena, "skills/%s/SKILL.md", roles[which - SKILLS].skill);
  *text = ho_install_skill(in->arena, roles[which - SKILLS].skill, roles[which - SKILLS].description, body);
  return ho_arena_code(in->arena, err);
}

static ho_code find_part(ho_installer *in, size_t which, part *out, ho_error *err)
{
  ho_str name;
  ho_code code = make_part(in, which, &name, &out->text, err);
  if (!code)
    code = ho_install_files_real(in, ho_fs_join(in->arena, ho_str_of(in->root), name).p, &out->path, err);
  if (!code)
    code = ho_install_files_read(in, out->path.p, &out->old, &out->there, err);
  if (!code && out->there && out->old.n && !is_ours(in, which, out->old))
    code =
        ho_fail_file(err, HO_CONFLICT, ho_shown_path(in->call, out->path),
                     "was not written by handoff, so it is left as it is; move it away, or use another --plugin DIR");
  return code;
}

/* The folder may be anywhere, but no link of a project leads out of it; and nothing in it leads out of the folder. All
 * files are looked at before one is changed. */
static ho_code plugin(ho_installer *in, ho_str folder, ho_error *err)
{
  part parts[PARTS] = {0};
  ho_str base;
  in->root = in->call->host->root.p;
  ho_code code = ho_install_files_real(in, ho_full_path(in->call, folder), &base, err);
  if (!code && !in->uninstall && !in->only_print)
    code = ho_fs_mkdirs_in(in->root, base.p, err);
  in->root = base.p;
  for (size_t i = 0; !code && i < PARTS; i++)
    code = find_part(in, i, &parts[i], err);
  for (size_t i = 0; !code && i < PARTS; i++)
    code = ho_install_files_change(in, parts[i].path, parts[i].old, parts[i].there,
                                   in->uninstall ? HO_EMPTY : parts[i].text, HO_EMPTIED_REMOVED, err);
  return code;
}

/* ---- The command */

static ho_code find_folder(ho_installer *in, ho_error *err)
{
  const char *home = getenv("HOME"), *own = in->harness->variable ? getenv(in->harness->variable) : NULL;
  in->base = in->call->host->root;
  if (in->global && (!home || home[0] != '/'))
    return ho_fail(err, HO_USAGE, "--global needs the environment variable HOME");
  if (in->global)
    in->base = ho_arena_copy(in->arena, ho_str_of(home));
  in->root = in->global ? NULL : in->base.p;
  const char *folder = in->global && in->harness->folder_home ? in->harness->folder_home : in->harness->folder;
  in->folder = ho_fs_join(in->arena, in->base, ho_str_of(folder));
  if (in->global && own && own[0] == '/')
    in->folder = ho_arena_copy(in->arena, ho_str_of(own));
  return ho_arena_code(in->arena, err);
}

/* Folders that are empty now that what was installed is gone; others stay. */
static void remove_folders(const ho_installer *in)
{
  const char *const below[] = {in->harness->rules, in->harness->plugin ? in->harness->settings : NULL};
  for (size_t i = 0; i < HO_COUNT(below); i++) {
    ho_str path = below[i] ? ho_fs_join(in->arena, in->folder, ho_str_of(below[i])) : HO_EMPTY;
    if (path.n)
      (void)!ho_fs_rmdir_in(in->root, ho_arena_z(in->arena, ho_fs_parent(path)));
  }
  (void)!ho_fs_rmdir_in(in->root, in->folder.p);
}

static bool is_changed(const ho_installer *in)
{
  HO_EACH_CONST (file, in->files)
    if (!ho_str_is(ho_map_str(file, "what"), "unchanged"))
      return true;
  return false;
}

/* Of a server: where people are asked first, the harness says so itself. */
static ho_code server(ho_installer *in, ho_error *err)
{
  char path[PATH_MAX];
  if (!in->harness->servers)
    return ho_fail(err, HO_USAGE, "it is not known where %s lists its servers; add 'handoff mcp' to them",
                   in->harness->name);
  ho_code code = ho_install_server_change(in, err);
  if (code)
    return code;
  if (in->uninstall && !is_changed(in))
    ho_call_note(in->call, "no server is registered for %s here", in->harness->name);
  if (in->uninstall && !in->only_print) {
    ho_str folder = ho_fs_parent(ho_fs_join(in->arena, in->base, ho_str_of(in->harness->servers)));
    if (!in->global && !ho_str_eq(folder, in->base))
      (void)!ho_fs_rmdir_in(in->root, ho_arena_z(in->arena, folder)); /* stays if there is something in it */
  }
  if (!in->uninstall && !ho_spawn_find("handoff", path))
    ho_call_note(in->call, "'handoff' is not on PATH, so the harness will not find it");
  return HO_OK;
}

static void advise(ho_installer *in)
{
  char path[PATH_MAX];
  ho_str folder = ho_fs_join(in->arena, in->call->host->root, HO_STR(HO_PATH_FOLDER));
  if (in->uninstall && !is_changed(in))
    ho_call_note(in->call, "nothing is installed for %s here", in->harness->name);
  if (in->uninstall)
    return;
  if (!ho_spawn_find("handoff", path)) /* the harness starts it by that name */
    ho_call_note(in->call, "'handoff' is not on PATH, so the harness will not find it");
  if (in->harness->advice)
    ho_call_note(in->call, "%s", in->harness->advice);
  if (is_changed(in) && !in->only_print && ho_fs_is_folder(folder.p))
    ho_call_note(in->call, "next: start %s in this project; then 'handoff doctor' says whether its hooks run",
                 in->harness->name);
  if (!ho_fs_is_folder(folder.p)) /* last, where it is seen: nothing works without it */
    ho_call_note(in->call, "hooks do nothing in a project without a .handoff folder; run: handoff init");
}

static ho_code run(ho_call *call, ho_error *err)
{
  ho_installer in = {.call = call,
                     .arena = call->arena,
                     .harness = ho_harness_named(ho_arg_str(call, "harness")),
                     .rights = ho_command_rights(call->arena),
                     .global = ho_arg_true(call, "global"),
                     .uninstall = ho_arg_true(call, "uninstall"),
                     .only_print = ho_arg_true(call, "print")};
  ho_str folder = ho_arg_str(call, "plugin");
  in.files = ho_map_addz(call->result, "files", ho_node_new(call->arena, HO_KIND_LIST));
  ho_map_addz(call->result, "written", ho_node_bool(call->arena, !in.only_print));
  if (folder.n && !in.harness->plugins)
    return ho_fail(err, HO_USAGE, "%s has no plugins; use --plugin with claude", in.harness->name);
  ho_code code = find_folder(&in, err);
  if (!code && ho_arg_true(call, "mcp"))
    return server(&in, err);
  if (!code && !in.harness->events)
    return ho_fail(err, HO_USAGE, "%s has no hooks that are known here; to register the server, use --mcp",
                   in.harness->name);
  if (!code && folder.n)
    return plugin(&in, folder, err);
  if (!code && ho_arg_str(call, "agents").n && !in.harness->agents)
    code = ho_fail(err, HO_USAGE, "%s has no files of agents; use --agents with claude", in.harness->name);
  if (!code && in.harness->agents)
    code = check_agents(&in, ho_fs_join(in.arena, in.folder, ho_str_of(in.harness->agents)), err);
  if (!code)
    code = in.harness->plugin ? plugin_file(&in, err) : toml_or_settings(&in, err);
  if (!code)
    code = rules(&in, err);
  if (!code && in.harness->agents)
    code = agents(&in, err);
  if (!code)
    code = instructions(&in, err);
  if (!code && ho_arg_str(call, "into").n)
    code = into_file(&in, ho_arg_str(call, "into"), err);
  if (!code && in.uninstall && in.harness->servers)
    code = ho_install_server_change(&in, err);
  if (!code && in.uninstall && !in.only_print)
    remove_folders(&in);
  if (!code)
    advise(&in);
  return code;
}

static void render(const ho_call *call, ho_buf *out, bool colour)
{
  bool written = ho_node_true(ho_map_getz(call->result, "written"));
  (void)colour;
  HO_EACH_CONST (file, ho_map_getz(call->result, "files"))
    ho_term_put(out, ho_map_str(file, "diff"), HO_TERM_LINES);
  HO_EACH_CONST (file, ho_map_getz(call->result, "files")) {
    bool same = ho_str_is(ho_map_str(file, "what"), "unchanged");
    ho_term_put(out, ho_map_str(file, "path"), HO_TERM_LINE);
    ho_buf_printf(out, ": %s%.*s\n", written || same ? "" : "would be ", HO_ARG(ho_map_str(file, "what")));
  }
}

static const ho_field params[] = {
    {.name = "harness",
     .label = "HARNESS",
     .doc = "Harness to configure.",
     .type = HO_T_TEXT,
     .choices = ho_harness_install_choices,
     .flags = HO_REQUIRED | HO_POSITIONAL},
    {.name = "mcp",
     .doc = "Register the server of 'handoff mcp' instead, in the harness's list of servers.",
     .type = HO_T_BOOL},
    {.name = "print", .doc = "Show the changes and write nothing.", .type = HO_T_BOOL},
    {.name = "uninstall", .doc = "Remove what was installed.", .type = HO_T_BOOL},
    {.name = "global", .doc = "Install in the home folder, for all projects.", .type = HO_T_BOOL},
    {.name = "instructions",
     .doc = "Also add the texts for agents, for leads and for receivers to the harness's instructions (such as "
            "CLAUDE.md).",
     .type = HO_T_BOOL},
    {.name = "agents",
     .label = "LIST",
     .doc =
         "Only these of the harness's agents get the Context Management text: names, separated by commas. Default: all "
         "that can run commands.",
     .type = HO_T_TEXT},
    {.name = "into",
     .label = "FILE",
     .doc = "Also add the Recovery text to FILE, which whoever starts agents reads. With --uninstall, take it out.",
     .type = HO_T_TEXT,
     .flags = HO_IS_FILE},
    {.name = "plugin",
     .label = "DIR",
     .doc = "Write a Claude Code plugin to DIR instead. Files there that handoff did not write are left as they are.",
     .type = HO_T_TEXT,
     .flags = HO_IS_FILE},
    HO_FIELDS_END};
static const ho_record params_record = {.name = "install", .fields = params};

static const ho_field file_fields[] = {
    {.name = "path", .doc = "Path of the file.", .type = HO_T_TEXT, .flags = HO_REQUIRED},
    {.name = "what", .doc = "created, changed, removed or unchanged.", .type = HO_T_TEXT, .flags = HO_REQUIRED},
    {.name = "diff", .doc = "The changes.", .type = HO_T_TEXT, .flags = HO_REQUIRED | HO_MAY_BE_EMPTY},
    HO_FIELDS_END};
static const ho_record file_record = {.name = "installed file", .fields = file_fields};
static const ho_field result[] = {HO_FILES_FIELD("Files that were changed, or would be.", file_record),
                                  {.name = "written", .doc = "True unless --print was given.", .type = HO_T_BOOL},
                                  HO_NOTES_FIELD,
                                  HO_FIELDS_END};
static const ho_record result_record = {.name = "install result", .fields = result};

const ho_command ho_command_install = {
    .name = "install",
    .group = "agents",
    .summary = "Register the hooks with " HO_HOOKED_TITLES,
    .doc = "Merges into the harness's settings in the project (such as .claude/settings.json), shows the changes, and "
           "leaves "
           "everything else unchanged, including order and comments:\n- the hook events that are used\n- the status "
           "line, if the harness has one and none is set\n- rules against the commands that only people may run ('gate "
           "decide', 'install' and others), in a file of their own if the harness reads rules there\n- the Context "
           "Management text for the harness's agents (such as those "
           "in .claude/agents)\n\nWith --mcp, it registers the server of 'handoff mcp' and nothing else, in the file "
           "in which the "
           "harness lists servers: .mcp.json, .codex/config.toml, .gemini/settings.json, .cursor/mcp.json or "
           "opencode.json.\n\nInstalling again changes nothing. --uninstall restores the original bytes "
           "if nothing else has changed.",
    .examples = "handoff install claude --print",
    .common = true,
    .person = true,
    .shows = "print",
    .local = true,
    .effect = HO_EFFECT_WRITE,
    .params = &params_record,
    .result = &result_record,
    .run = run,
    .render = render,
};
