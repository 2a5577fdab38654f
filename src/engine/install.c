#include "engine/install.h"

#include "engine/hook.h"

static const ho_install_place places[] = {
    {"claude", ".claude", "settings.json", "CLAUDE_CONFIG_DIR", "CLAUDE.md", NULL, NULL, NULL},
    {"codex", ".codex", "hooks.json", "CODEX_HOME", "AGENTS.md", "config.toml", "rules/handoff.rules",
     "prefix_rule(\n"
     "    pattern = [\"handoff\", \"gate\", \"decide\"],\n"
     "    decision = \"forbidden\",\n"
     "    justification = \"Gates are decided by people: say that the gate waits, and go on with other work.\",\n"
     "    match = [\"handoff gate decide G-1 approve\"],\n"
     "    not_match = [\"handoff gate list\"],\n"
     ")\n"},
    /* Older versions read the list of excluded tools in the settings for it. */
    {"gemini", ".gemini", "settings.json", NULL, "GEMINI.md", NULL, "policies/handoff.toml",
     "[[rule]]\n"
     "toolName = \"run_shell_command\"\n"
     "commandPrefix = \"handoff gate decide\"\n"
     "decision = \"deny\"\n"
     "priority = 900\n"},
};
const ho_install_marks ho_install_markdown = {"<!-- handoff:begin -->", "<!-- handoff:end -->"};
const ho_install_marks ho_install_hash = {"# handoff:begin", "# handoff:end"};

const ho_install_place *ho_install_place_of(ho_str harness)
{
  for (size_t i = 0; i < HO_COUNT(places); i++)
    if (ho_str_is(harness, places[i].harness))
      return &places[i];
  return NULL;
}

static ho_node *add(ho_arena *arena, ho_node *parent, const char *key, ho_kind kind)
{
  ho_node *node = ho_node_new(arena, kind);
  return key ? ho_map_addz(parent, key, node) : ho_list_add(parent, node);
}

static void add_event(ho_arena *arena, ho_node *hooks, const ho_hook_event *event)
{
  bool gemini = strcmp(event->harness, "gemini") == 0;
  ho_node *group = add(arena, add(arena, hooks, event->name, HO_KIND_LIST), NULL, HO_KIND_MAP);
  if (*event->matcher)
    ho_map_addz(group, "matcher", ho_node_textz(arena, event->matcher));
  ho_node *handler = add(arena, add(arena, group, "hooks", HO_KIND_LIST), NULL, HO_KIND_MAP);
  ho_map_addz(handler, "type", ho_node_textz(arena, "command"));
  ho_map_addz(handler, "command", ho_node_text(arena, ho_arena_printf(arena, "handoff hook %s", event->harness)));
  ho_map_addz(handler, "timeout", ho_node_number(arena, event->timeout_s * (gemini ? 1000 : 1)));
}

ho_node *ho_install_wanted(ho_arena *arena, ho_str harness)
{
  ho_node *root = ho_node_new(arena, HO_KIND_MAP), *hooks = add(arena, root, "hooks", HO_KIND_MAP);
  for (const ho_hook_event *event = ho_hook_events; event->name; event++)
    if (ho_str_is(harness, event->harness) && event->matcher)
      add_event(arena, hooks, event);
  if (ho_str_is(harness, "claude")) {
    ho_node *line = add(arena, root, "statusLine", HO_KIND_MAP);
    ho_map_addz(line, "type", ho_node_textz(arena, "command"));
    ho_map_addz(line, "command", ho_node_textz(arena, "handoff statusline"));
    ho_node *deny = add(arena, add(arena, root, "permissions", HO_KIND_MAP), "deny", HO_KIND_LIST);
    ho_list_add(deny, ho_node_textz(arena, "Bash(handoff gate decide:*)"));
  }
  if (ho_str_is(harness, "gemini")) {
    ho_node *exclude = add(arena, add(arena, root, "tools", HO_KIND_MAP), "exclude", HO_KIND_LIST);
    ho_list_add(exclude, ho_node_textz(arena, "run_shell_command(handoff gate decide)"));
  }
  return root;
}

/* ---- Marks */

static ho_str joined(ho_arena *arena, ho_str a, ho_str b, ho_str c)
{
  return ho_arena_printf(arena, "%.*s%.*s%.*s", HO_ARG(a), HO_ARG(b), HO_ARG(c));
}

ho_str ho_install_marked(ho_arena *arena, ho_str text, ho_str block, const ho_install_marks *marks)
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
  if (end != HO_NONE) { /* with the line breaks that came with it: the file ends as it did */
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
    return joined(arena, marked, HO_STR("\n"), HO_EMPTY);
  bool whole = ho_str_ends(text, "\n");
  return ho_arena_printf(arena, "%.*s%s%.*s%s", HO_ARG(text), whole ? "\n" : "\n\n", HO_ARG(marked), whole ? "\n" : "");
}
