/* opencode. It has no settings for hooks: a plugin calls them, under the names that opencode has for what happens. */
#include "model/harness/harness.h"

static const ho_tool tools[] = {
    {"read", HO_TOOL_READ, "filePath", "offset|limit"},
    {"grep|glob", HO_TOOL_SEARCH, "path|pattern", "pattern|include"},
    {"edit|write", HO_TOOL_EDIT, "filePath", NULL},
    {"bash", HO_TOOL_SHELL, "command", NULL},
    {0},
};

static const ho_hook_event events[] = {
    {"session.created", HO_MOMENT_START, HO_HOOK_CONTEXT, 30, ""},
    {"tool.execute.after", HO_MOMENT_AFTER_TOOL, HO_HOOK_CONTEXT, 10, ""},
    {"experimental.session.compacting", HO_MOMENT_COMPACT, HO_HOOK_CONTEXT, 30, ""},
    {"session.idle", HO_MOMENT_STOP, HO_HOOK_SILENT, 10, ""},
    {"session.deleted", HO_MOMENT_END, HO_HOOK_SILENT, 1, ""},
    {0},
};

/* What the agent is told at the start is in front of every request, and made anew after a compaction; the rest follows what a
 * tool says. Nothing that goes wrong in here keeps the agent from anything. */
static const char plugin[] =
    "// What happens is told to: handoff hook opencode\n"
    "import { execFile } from \"node:child_process\";\n"
    "const people = [\n$P];\n"
    "export const Handoff = async ({ directory }) => {\n"
    "  const starts = new Map();\n"
    "  const hook = (name, session, more) => new Promise((done) => {\n"
    "    const child = execFile(\"handoff\", [\"hook\", \"opencode\"], { cwd: directory, timeout: 20000 }, (_, out) => "
    "{\n"
    "      try { done(JSON.parse(out).hookSpecificOutput?.additionalContext); } catch { done(); }\n"
    "    });\n"
    "    child.stdin.on(\"error\", () => {});\n"
    "    child.stdin.end(JSON.stringify({ hook_event_name: name, session_id: session, cwd: directory, ...more }));\n"
    "  });\n"
    "  const start = (session, source) => starts.set(session, hook(\"session.created\", session, { source "
    "})).get(session);\n"
    "  return {\n"
    "    event: async ({ event: { type, properties: { sessionID, info } } }) => {\n"
    "      if (type === \"session.compacted\") await start(sessionID, \"compact\");\n"
    "      if (type === \"session.idle\" || type === \"session.deleted\") await hook(type, sessionID ?? info.id);\n"
    "    },\n"
    "    \"experimental.chat.system.transform\": async ({ sessionID }, { system }) => {\n"
    "      const text = sessionID && await (starts.get(sessionID) ?? start(sessionID, \"startup\"));\n"
    "      if (text) system.push(text);\n"
    "    },\n"
    "    \"shell.env\": async ({ sessionID }, { env }) => { if (sessionID) env.OPENCODE_SESSION_ID = sessionID; },\n"
    "    \"tool.execute.before\": async ({ tool }, { args }) => {\n"
    "      if (tool === \"bash\" && people.some((words) => words.test(args.command))) throw new Error(\"only a person "
    "may run this\");\n"
    "    },\n"
    "    \"tool.execute.after\": async ({ tool, sessionID, args }, result) => {\n"
    "      const text = await hook(\"tool.execute.after\", sessionID, { tool_name: tool, tool_input: args });\n"
    "      if (text) result.output = `${result.output ?? \"\"}\\n${text}`;\n"
    "    },\n"
    "    \"experimental.session.compacting\": async ({ sessionID }, { context }) => {\n"
    "      const text = await hook(\"experimental.session.compacting\", sessionID, { trigger: \"auto\" });\n"
    "      if (text) context.push(text);\n"
    "    },\n"
    "  };\n"
    "};\n";

const ho_harness ho_harness_opencode = {
    .name = "opencode",
    .inside = {"OPENCODE", "OPENCODE_PID"},
    .session = {"OPENCODE_SESSION_ID"},
    .programs = "opencode",
    .folders = "opencode-ai",
    .tools = tools,
    .folder = ".opencode",
    .folder_home = ".config/opencode",
    .settings = "plugins/handoff.js",
    .plugin = plugin,
    .plugin_rule = "  /handoff\\b.* +$R\\b/,\n",
    .instructions = "AGENTS.md",
    .events = events,
    .refusal = "block",
    .second = 1,
    .servers = "opencode.json",
    .servers_home = ".config/opencode/opencode.json",
    .servers_list = "mcp",
    .servers_words = true,
};
