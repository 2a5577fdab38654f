/* Claude Code. What its PreCompact prints, even {}, it takes for instructions to the compaction. A tool call that fails
 * has an event of its own. Its Stop takes context, with which the agent continues: used for an
 * agent that works on a task; in other sessions the person is told (engine/hook/hook_stop.c). */
#include "model/harness/harness.h"

#define READERS "Read|NotebookRead"

static const ho_tool tools[] = {
    {READERS, HO_TOOL_READ, "file_path|notebook_path|path", "offset|limit|pages"},
    {"Grep", HO_TOOL_SEARCH, "path|pattern", "pattern|glob|type|output_mode|head_limit|offset"},
    {"Edit|Write|MultiEdit|NotebookEdit", HO_TOOL_EDIT, "file_path|notebook_path|path", NULL},
    {"Bash", HO_TOOL_SHELL, "command", NULL},
    {0},
};

static const ho_hook_event events[] = {
    {"SessionStart", HO_MOMENT_START, HO_HOOK_CONTEXT, 30, ""},
    {"PreToolUse", HO_MOMENT_BEFORE_TOOL, HO_HOOK_CONTEXT, 10, READERS},
    {"PostToolUse", HO_MOMENT_AFTER_TOOL, HO_HOOK_CONTEXT, 10, ""},
    {"PostToolUseFailure", HO_MOMENT_AFTER_TOOL, HO_HOOK_CONTEXT, 10, ""},
    {"PreCompact", HO_MOMENT_COMPACT, HO_HOOK_NOTHING, 30, ""},
    {"Stop", HO_MOMENT_STOP, HO_HOOK_CONTEXT, 10, ""},
    {"SubagentStop", HO_MOMENT_SUBAGENT_STOP, HO_HOOK_CONTEXT, 10, ""},
    {"SessionEnd", HO_MOMENT_END, HO_HOOK_SILENT, 1, ""},
    {0},
};

const ho_harness ho_harness_claude = {
    .name = "claude",
    .inside = {"CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT"},
    .session = {"CLAUDE_CODE_SESSION_ID", "CLAUDE_SESSION_ID"},
    .programs = "claude|claude-code",
    .folders = "@anthropic-ai/claude-code|claude/versions",
    .tools = tools,
    .folder = ".claude",
    .variable = "CLAUDE_CONFIG_DIR",
    .settings = "settings.json",
    .instructions = "CLAUDE.md",
    .agents = "agents",
    .plugins = true,
    .events = events,
    .refusal = "block",
    .second = 1,
    .env_file = "CLAUDE_ENV_FILE",
    .denied_in = "permissions",
    .denied_list = "deny",
    /* Its prefix form (":*") lets through what stands behind a path, an option or another command. The words of a command
     * stand together, or a note about "the key newest first" would be denied. */
    .denied_word = {"Bash(*handoff $C)", "Bash(*handoff $C *)", "Bash(*handoff --* $C)", "Bash(*handoff --* $C *)"},
    .denied_words = {"Bash(*handoff $C*)", "Bash(*handoff --* $C*)", "Bash(*=handoff* $C*)"},
    .denied_before = {"Bash(handoff gate decide:*)", "Bash(*$C*)", "Bash(*handoff*$C*)"},
    .servers = ".mcp.json",
    .servers_home = ".claude.json",
    .servers_list = "mcpServers",
    .status_line = true,
    .compact_window = "CLAUDE_CODE_AUTO_COMPACT_WINDOW",
    .compact_percent = "CLAUDE_AUTOCOMPACT_PCT_OVERRIDE",
    .limit_key = "autoCompactWindow",
    .limit_files = {"settings.local.json", "settings.json"},
};
