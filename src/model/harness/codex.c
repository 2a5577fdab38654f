/* Codex. Its Stop has no context to add to. Before a tool runs, only reads of files are priced, and it has no tool
 * for those: the event is understood, but not registered. */
#include "model/harness/harness.h"

static const ho_tool tools[] = {
    {"Bash|shell|container.exec|shell_command|exec_command", HO_TOOL_SHELL, "command|cmd", NULL},
    {"read_file|view_image", HO_TOOL_READ, "file_path|path", "offset|limit"},
    {"grep_files", HO_TOOL_SEARCH, "path|pattern", "pattern|include"},
    {"apply_patch", HO_TOOL_EDIT, "input|patch|command", NULL},
    {0},
};

static const ho_hook_event events[] = {
    {"SessionStart", HO_MOMENT_START, HO_HOOK_CONTEXT, 30, ""},
    {"PreToolUse", HO_MOMENT_BEFORE_TOOL, HO_HOOK_CONTEXT, 10, NULL},
    {"PostToolUse", HO_MOMENT_AFTER_TOOL, HO_HOOK_CONTEXT, 10, ""},
    {"PreCompact", HO_MOMENT_COMPACT, HO_HOOK_MESSAGE, 30, ""},
    {"Stop", HO_MOMENT_STOP, HO_HOOK_MESSAGE, 10, ""},
    {"SubagentStop", HO_MOMENT_SUBAGENT_STOP, HO_HOOK_MESSAGE, 10, ""},
    {"SessionEnd", HO_MOMENT_END, HO_HOOK_SILENT, 1, ""},
    {0},
};

/* Its rules are about the first words of each command in a list or pipe, so an option that may stand before the others
 * has a rule of its own. They do not see a command inside parentheses, `bash -c`, `env` and the like: that one is refused
 * by the program itself. */
#define RULE(words, text)                                                                                              \
  "prefix_rule(\n"                                                                                                     \
  "    pattern = [\"handoff\", " words "$W],\n"                                                                        \
  "    decision = \"forbidden\",\n"                                                                                    \
  "    justification = \"Only people may run this: report that it is needed, and continue with other work.\",\n"       \
  "    match = [\"handoff " text "$C x\"],\n"                                                                          \
  "    not_match = [\"handoff status\"],\n"                                                                            \
  ")\n"

const ho_harness ho_harness_codex = {
    .name = "codex",
    .inside = {"CODEX_SANDBOX", "CODEX_THREAD_ID", "CODEX_SESSION_ID", "CODEX_CI"},
    .session = {"CODEX_SESSION_ID", "CODEX_THREAD_ID"},
    .programs = "codex|codex-linux-sandbox",
    .folders = "@openai/codex",
    .tools = tools,
    .transcripts = "rollout-",
    .folder = ".codex",
    .variable = "CODEX_HOME",
    .settings = "hooks.json",
    .toml = "config.toml",
    .instructions = "AGENTS.md",
    .events = events,
    .refusal = "block",
    .second = 1,
    .trusts = "config.toml",
    .advice = "Codex runs hooks only once you trust them; review them with /hooks",
    .rules = "rules/handoff.rules",
    .rule_word = {RULE("", ""), RULE("\"--json\", ", "--json ")},
    .rule_words = {RULE("", ""), RULE("\"--json\", ", "--json ")},
    .servers = ".codex/config.toml",
    .servers_home = ".codex/config.toml",
    .limit_key = "model_auto_compact_token_limit",
    .limit_files = {"config.toml"},
};
