/* Gemini. Its AfterAgent and BeforeTool have no context to add to. It announces a compression before every request. */
#include "model/harness/harness.h"

static const ho_tool tools[] = {
    {"read_file|ReadFile", HO_TOOL_READ, "file_path|absolute_path|path", "offset|limit|start_line|end_line"},
    {"search_file_content|grep_search", HO_TOOL_SEARCH, "path|dir_path|pattern", "pattern|include"},
    {"replace|write_file|Edit|WriteFile", HO_TOOL_EDIT, "file_path|path", NULL},
    {"run_shell_command|Shell", HO_TOOL_SHELL, "command", NULL},
    {0},
};

static const ho_hook_event events[] = {
    {"SessionStart", HO_MOMENT_START, HO_HOOK_CONTEXT, 30, ""},
    {"BeforeTool", HO_MOMENT_BEFORE_TOOL, HO_HOOK_MESSAGE, 10, "read_file"},
    {"AfterTool", HO_MOMENT_AFTER_TOOL, HO_HOOK_CONTEXT, 10, ""},
    {"PreCompress", HO_MOMENT_COMPACT, HO_HOOK_MESSAGE, 30, ""},
    {"AfterAgent", HO_MOMENT_STOP, HO_HOOK_MESSAGE, 10, ""},
    {"SessionEnd", HO_MOMENT_END, HO_HOOK_SILENT, 1, ""},
    {0},
};

/* Written as a TOML text, in which a backslash is written twice. */
#define RULE(regex)                                                                                                    \
  "[[rule]]\n"                                                                                                         \
  "toolName = \"run_shell_command\"\n"                                                                                 \
  "commandRegex = \"" regex "\"\n"                                                                                     \
  "decision = \"deny\"\n"                                                                                              \
  "priority = 900\n"

const ho_harness ho_harness_gemini = {
    .name = "gemini",
    .inside = {"GEMINI_CLI"},
    .session = {"GEMINI_SESSION_ID"},
    .programs = "gemini|gemini-cli",
    .folders = "@google/gemini-cli",
    .tools = tools,
    .folder = ".gemini",
    .settings = "settings.json",
    .instructions = "GEMINI.md",
    .events = events,
    .compacts_from = 50,
    .refusal = "deny",
    .second = 1000,
    .denied_in = "tools", /* read by older versions only: now the rules count */
    .denied_list = "exclude",
    .denied_before = {"run_shell_command(handoff gate decide)"},
    .advice = "Gemini reads rules only from ~/.gemini/policies, or if it is started with --policy "
              ".gemini/policies/handoff.toml; for all projects, run: handoff install gemini --global",
    .rules = "policies/handoff.toml",
    .rule_word = {RULE(".*handoff +$R\\\\b"), RULE(".*handoff +--.* +$R\\\\b")},
    .rule_words = {RULE(".*handoff +$R\\\\b"), RULE(".*handoff +--.* +$R\\\\b"), RULE(".*=handoff.* +$R\\\\b")},
    .servers = ".gemini/settings.json",
    .servers_home = ".gemini/settings.json",
    .servers_list = "mcpServers",
    .rule_allowed = "[[rule]]\n"
                    "toolName = \"run_shell_command\"\n"
                    "commandPrefix = \"handoff $C\"\n"
                    "decision = \"allow\"\n"
                    "priority = 500\n",
};
