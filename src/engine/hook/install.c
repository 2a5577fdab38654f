#include "engine/hook/install.h"

#include "doc/json/json.h"

const ho_install_marks ho_install_markdown = {"<!-- handoff:begin -->", "<!-- handoff:end -->"};
const ho_install_marks ho_install_hash = {"# handoff:begin", "# handoff:end"};
const ho_install_marks ho_install_script = {"// handoff:begin", "// handoff:end"};
const ho_install_marks ho_install_server_hash = {"# handoff mcp:begin", "# handoff mcp:end"};

static ho_node *add(ho_arena *arena, ho_node *parent, const char *key, ho_kind kind)
{
  ho_node *node = ho_node_new(arena, kind);
  return key ? ho_map_addz(parent, key, node) : ho_list_add(parent, node);
}

static void add_event(ho_arena *arena, ho_node *hooks, const ho_harness *harness, const ho_hook_event *event)
{
  ho_node *group = add(arena, add(arena, hooks, event->name, HO_KIND_LIST), NULL, HO_KIND_MAP);
  if (*event->matcher)
    ho_map_addz(group, "matcher", ho_node_textz(arena, event->matcher));
  ho_node *handler = add(arena, add(arena, group, "hooks", HO_KIND_LIST), NULL, HO_KIND_MAP);
  ho_map_addz(handler, "type", ho_node_textz(arena, "command"));
  ho_map_addz(handler, "command", ho_node_text(arena, ho_arena_printf(arena, "handoff hook %s", harness->name)));
  ho_map_addz(handler, "timeout", ho_node_number(arena, event->timeout_s * harness->second));
}

static void deny(ho_arena *arena, ho_node *root, const ho_harness *harness, const ho_rights *rights)
{
  ho_node *list = add(arena, add(arena, root, harness->denied_in, HO_KIND_MAP), harness->denied_list, HO_KIND_LIST);
  for (const char *const *each = rights->people; each && *each; each++)
    for (const char *const *entry = ho_harness_denied(harness, *each); *entry; entry++)
      ho_list_add(list, ho_node_text(arena, ho_harness_fill(arena, *entry, *each)));
}

ho_node *ho_install_wanted(ho_arena *arena, const ho_harness *harness, const ho_rights *rights)
{
  ho_node *root = ho_node_new(arena, HO_KIND_MAP), *hooks = add(arena, root, "hooks", HO_KIND_MAP);
  for (const ho_hook_event *event = harness->events; event->name; event++)
    if (event->matcher)
      add_event(arena, hooks, harness, event);
  if (harness->status_line) {
    ho_node *line = add(arena, root, "statusLine", HO_KIND_MAP);
    ho_map_addz(line, "type", ho_node_textz(arena, "command"));
    ho_map_addz(line, "command", ho_node_textz(arena, "handoff statusline"));
  }
  if (harness->denied_word[0])
    deny(arena, root, harness, rights);
  return root;
}

ho_str ho_install_plugin(ho_arena *arena, const ho_harness *harness, const ho_rights *rights)
{
  ho_buf rules;
  ho_str text = ho_str_of(harness->plugin);
  size_t at = ho_str_find(text, "$P");
  ho_buf_init(&rules, 0);
  for (const char *const *each = rights->people; each && *each; each++)
    ho_buf_put(&rules, ho_harness_fill(arena, harness->plugin_rule, *each));
  ho_str list = ho_buf_move(&rules, arena);
  return ho_arena_printf(arena, "%.*s%.*s%.*s", HO_ARG(ho_str_sub(text, 0, at)), HO_ARG(list),
                         HO_ARG(ho_str_sub(text, at + 2, text.n)));
}

ho_node *ho_install_server(ho_arena *arena, const ho_harness *harness)
{
  ho_node *root = ho_node_new(arena, HO_KIND_MAP);
  ho_node *server = add(arena, add(arena, root, harness->servers_list, HO_KIND_MAP), "handoff", HO_KIND_MAP);
  if (!harness->servers_words) {
    ho_map_addz(server, "command", ho_node_textz(arena, "handoff"));
    ho_list_add(add(arena, server, "args", HO_KIND_LIST), ho_node_textz(arena, "mcp"));
    return root;
  }
  ho_map_addz(server, "type", ho_node_textz(arena, "local"));
  ho_node *words = add(arena, server, "command", HO_KIND_LIST);
  ho_list_add(words, ho_node_textz(arena, "handoff"));
  ho_list_add(words, ho_node_textz(arena, "mcp"));
  return root;
}

/* An entry of earlier versions; with a command in it, one for each command of two words. */
static void add_former(ho_arena *arena, ho_node *list, const char *entry, const ho_rights *rights)
{
  if (!strchr(entry, '$'))
    ho_list_add(list, ho_node_textz(arena, entry));
  for (const char *const *each = rights->people; strchr(entry, '$') && each && *each; each++)
    if (strchr(*each, ' '))
      ho_list_add(list, ho_node_text(arena, ho_harness_fill(arena, entry, *each)));
}

/* The list of denied commands in the settings, which is added if they have none. */
static ho_node *denied_list(ho_arena *arena, const ho_harness *harness, ho_node *root)
{
  ho_node *in = ho_map_getz(root, harness->denied_in);
  in = in ? in : add(arena, root, harness->denied_in, HO_KIND_MAP);
  ho_node *list = in ? ho_map_getz(in, harness->denied_list) : NULL;
  return list || !in ? list : add(arena, in, harness->denied_list, HO_KIND_LIST);
}

static void deny_former(ho_arena *arena, ho_node *root, const ho_harness *harness, const ho_rights *rights)
{
  ho_node *list = harness->denied_before[0] ? denied_list(arena, harness, root) : NULL;
  for (const char *const *entry = harness->denied_before; list && *entry; entry++)
    add_former(arena, list, *entry, rights);
}

ho_node *ho_install_former(ho_arena *arena, const ho_harness *harness, const ho_rights *rights)
{
  ho_node *root = ho_node_new(arena, HO_KIND_MAP);
  deny_former(arena, root, harness, rights);
  return root && root->count ? root : NULL;
}

ho_node *ho_install_ours(ho_arena *arena, const ho_harness *harness, const ho_rights *rights)
{
  ho_node *root = ho_install_wanted(arena, harness, rights);
  deny_former(arena, root, harness, rights);
  return root;
}

/* ---- Marks */

static ho_str joined(ho_arena *arena, ho_str a, ho_str b, ho_str c)
{
  return ho_arena_printf(arena, "%.*s%.*s%.*s", HO_ARG(a), HO_ARG(b), HO_ARG(c));
}

ho_str ho_install_marked(ho_arena *arena, ho_str text, bool there, ho_str block, const ho_install_marks *marks)
{
  size_t begin = ho_str_find(text, marks->begin), end = HO_NONE;
  if (begin != HO_NONE) {
    end = ho_str_find(ho_str_sub(text, begin, text.n), marks->end);
    end = end == HO_NONE ? HO_NONE : begin + end + strlen(marks->end);
  }
  ho_str marked = block.n
                      ? ho_arena_printf(arena, "%s\n%.*s\n%s", marks->begin, HO_ARG(ho_str_trim_end(block)), marks->end)
                      : HO_EMPTY;
  if (end != HO_NONE && marked.n)
    return joined(arena, ho_str_sub(text, 0, begin), marked, ho_str_sub(text, end, text.n));
  if (end != HO_NONE) { /* together with the line breaks that were added, so that the file ends as it did */
    ho_str before = ho_str_sub(text, 0, begin), after = ho_str_sub(text, end, text.n);
    if (!after.n)
      before.n -= ho_str_ends(before, "\n\n") ? 2 : 0;
    else if (ho_str_starts(after, "\n")) {
      before.n -= ho_str_ends(before, "\n\n") ? 1 : 0;
      after = ho_str_sub(after, 1, after.n);
    }
    return joined(arena, before, after, HO_EMPTY);
  }
  if (!marked.n)
    return text;
  if (!text.n)
    return joined(arena, marked, there ? HO_EMPTY : HO_STR("\n"), HO_EMPTY);
  bool whole = ho_str_ends(text, "\n");
  return ho_arena_printf(arena, "%.*s%s%.*s%s", HO_ARG(text), whole ? "\n" : "\n\n", HO_ARG(marked), whole ? "\n" : "");
}

bool ho_install_was_empty(ho_str text, const ho_install_marks *marks)
{
  return ho_str_starts(text, marks->begin) && ho_str_ends(text, marks->end);
}

/* ---- Agents */

/* Does a line of front matter, or of a list below it, name a tool that runs commands? "Bash(git:*)" runs only some. */
static bool names_shell(const ho_harness *harness, ho_str line)
{
  size_t at = 0;
  while (at < line.n) {
    size_t begin = at;
    while (at < line.n && !strchr(", \t[]\"'", line.p[at]))
      at++;
    ho_str word = ho_str_sub(line, begin, at);
    const ho_tool *tool = ho_harness_tool(harness, word);
    if ((tool && tool->kind == HO_TOOL_SHELL) || ho_str_is(word, "*"))
      return true;
    at++;
  }
  return false;
}

bool ho_install_agent_runs(const ho_harness *harness, ho_str text)
{
  ho_str line;
  bool in_tools = false, in_denied = false, listed = false, named = false, denied = false;
  if (!ho_str_next_line(&text, &line) || !ho_str_is(ho_str_trim(line), "---"))
    return true;
  while (ho_str_next_line(&text, &line) && !ho_str_is(ho_str_trim(line), "---")) {
    bool key = line.n && !isspace((unsigned char)line.p[0]) && line.p[0] != '-';
    if (key) {
      in_tools = ho_str_starts(line, "tools:");
      in_denied = ho_str_starts(line, "disallowedTools:");
    }
    listed = listed || in_tools;
    named = named || (in_tools && names_shell(harness, line));
    denied = denied || (in_denied && names_shell(harness, line));
  }
  return (!listed || named) && !denied;
}

/* ---- Plugins */

ho_str ho_install_skill(ho_arena *arena, const char *name, const char *description, ho_str body)
{
  return ho_arena_printf(arena, "---\nname: %s\ndescription: %s\n---\n\n%s\n%.*s\n%s\n", name, description,
                         ho_install_markdown.begin, HO_ARG(ho_str_trim_end(body)), ho_install_markdown.end);
}

bool ho_install_is_skill(ho_arena *arena, ho_str text, const char *name)
{
  /* Version 0.1.0 had no marks. */
  static const char unmarked[] =
      "---\nname: handoff\ndescription: Hand work over to a successor before the context runs "
      "out, and continue work that was handed over.\n---\n\n";
  ho_str line, begin = ho_arena_printf(arena, "---\nname: %s\n", name);
  if (strcmp(name, "handoff") == 0 && ho_str_starts(text, unmarked))
    return true;
  if (!begin.n || !ho_str_starts(text, begin.p))
    return false;
  text = ho_str_sub(text, begin.n, text.n);
  return ho_str_next_line(&text, &line) && ho_str_starts(line, "description: ") && ho_str_next_line(&text, &line) &&
         ho_str_is(line, "---") && ho_str_next_line(&text, &line) && !line.n &&
         ho_str_starts(text, ho_install_markdown.begin) && ho_str_ends(ho_str_trim_end(text), ho_install_markdown.end);
}

static const ho_node *tree_of(ho_arena *arena, ho_str text)
{
  ho_source source;
  ho_node *root = NULL;
  ho_error none = {0};
  if (ho_source_init(&source, arena, HO_STR("plugin"), text, &none) ||
      ho_json_read(&source, 0, arena, NULL, &root, &none))
    return NULL;
  return root;
}

bool ho_install_is_manifest(ho_arena *arena, ho_str text)
{
  const ho_node *root = tree_of(arena, text);
  HO_EACH_CONST (member, root)
    if (!ho_str_list_has("name|version|description", member->key))
      return false;
  return ho_str_is(ho_map_str(root, "name"), HO_INSTALL_PLUGIN);
}

bool ho_install_only_hooks(ho_arena *arena, const ho_harness *harness, const ho_rights *rights, ho_str text)
{
  ho_str rest = HO_EMPTY;
  ho_error none = {0};
  return ho_install_remove(arena, harness, rights, text, &rest, &none) == HO_OK && !rest.n;
}
