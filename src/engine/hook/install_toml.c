/* Hooks in Codex's config.toml. Other tables are left alone; no more TOML is understood than that requires. */
#include "base/buf.h"
#include "engine/hook/install.h"

/* Does the key of the line name `name`, or something in it? "hooks = 1", "hooks.Stop = []", "\"hooks\".Stop" */
static bool names(ho_str key, const char *name)
{
  size_t n = strlen(name);
  if (key.n && (key.p[0] == '"' || key.p[0] == '\'')) {
    char quote = key.p[0];
    key = ho_str_sub(key, 1, key.n);
    return ho_str_starts(key, name) && key.n > n && key.p[n] == quote;
  }
  return ho_str_starts(key, name) && (key.n == n || strchr(" \t.=", key.p[n]));
}

/* How many times the line opens or closes a multi-line text with these quotes. */
static size_t count_quotes(ho_str line, const char *quotes)
{
  size_t count = 0, at;
  while ((at = ho_str_find(line, quotes)) != HO_NONE) {
    count++;
    line = ho_str_sub(line, at + 3, line.n);
  }
  return count;
}

static bool is_event(const ho_harness *harness, ho_str key)
{
  for (const ho_hook_event *event = harness->events; event->name; event++)
    if (event->matcher && names(key, event->name))
      return true;
  return false;
}

/* "hooks]" with optional white space. */
static bool is_head(ho_str head, const char *name)
{
  size_t end = ho_str_find_char(head, ']');
  return end != HO_NONE && ho_str_is(ho_str_trim(ho_str_sub(head, 0, end)), name);
}

/* Hooks given as a value rather than as tables cannot be added to: naming their table again would break the file. */
static ho_code check_hooks(const ho_harness *harness, ho_str text, ho_error *err)
{
  bool top = true, in_hooks = false, inside = false; /* before any table; in [hooks]; in a multi-line text */
  ho_str line;
  for (size_t number = 1; ho_str_next_line(&text, &line); number++) {
    bool began = inside;
    if ((count_quotes(line, "\"\"\"") + count_quotes(line, "'''")) % 2)
      inside = !inside;
    line = ho_str_trim(line);
    if (began || !line.n || line.p[0] == '#')
      continue;
    if (line.p[0] == '[') { /* [hooks] is a table; [[hooks]] is a list, as in older versions */
      ho_str head = ho_str_sub(line, 1, line.n);
      top = false;
      in_hooks = is_head(head, "hooks");
      if (in_hooks || !ho_str_starts(head, "[") || !is_head(ho_str_sub(head, 1, head.n), "hooks"))
        continue;
    } else if (!(top && names(line, "hooks")) && !(in_hooks && is_event(harness, line))) {
      continue;
    }
    return ho_fail(err, HO_INVALID,
                   "line %zu has hooks in a form that cannot be extended; write them as tables, [[hooks.EVENT]]",
                   number);
  }
  return HO_OK;
}

static void put_event(ho_buf *out, const ho_harness *harness, const ho_hook_event *event)
{
  ho_buf_printf(out, "[[hooks.%s]]\n", event->name);
  if (*event->matcher)
    ho_buf_printf(out, "matcher = \"%s\"\n", event->matcher);
  ho_buf_printf(out, "[[hooks.%s.hooks]]\ntype = \"command\"\ncommand = \"handoff hook %s\"\ntimeout = %d\n",
                event->name, harness->name, event->timeout_s * harness->second);
}

ho_code ho_install_toml(ho_arena *arena, const ho_harness *harness, ho_str text, ho_str *block, ho_error *err)
{
  ho_buf out;
  ho_code code = check_hooks(harness, text, err);
  if (code)
    return code;
  ho_buf_init(&out, 0);
  for (const ho_hook_event *event = harness->events; event->name; event++)
    if (event->matcher)
      put_event(&out, harness, event);
  *block = ho_buf_move(&out, arena);
  return ho_arena_code(arena, err);
}

ho_code ho_install_server_toml(ho_arena *arena, ho_str text, ho_str *block, ho_error *err)
{
  bool top = true, in_servers = false, inside = false;
  ho_str line;
  *block = HO_STR("[mcp_servers.handoff]\ncommand = \"handoff\"\nargs = [\"mcp\"]\n");
  for (size_t number = 1; ho_str_next_line(&text, &line); number++) {
    bool began = inside;
    if ((count_quotes(line, "\"\"\"") + count_quotes(line, "'''")) % 2)
      inside = !inside;
    line = ho_str_trim(line);
    if (began || !line.n || line.p[0] == '#')
      continue;
    if (line.p[0] == '[') {
      ho_str head = ho_str_sub(line, 1, line.n);
      top = false;
      in_servers = is_head(head, "mcp_servers");
      if (is_head(head, "mcp_servers.handoff") || is_head(head, "mcp_servers.\"handoff\""))
        *block = HO_EMPTY;
    } else if (in_servers && names(line, "handoff")) {
      *block = HO_EMPTY;
    } else if (top && names(line, "mcp_servers")) {
      return ho_fail(err, HO_INVALID,
                     "line %zu has servers in a form that cannot be extended; write them as tables, [mcp_servers.NAME]",
                     number);
    }
  }
  return ho_arena_code(arena, err);
}
