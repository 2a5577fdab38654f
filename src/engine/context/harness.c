#include "engine/context/harness.h"

#include "base/fs.h"

const ho_harness ho_harness_claude = {
    .name = "claude",
    .transcript = &ho_transcript_claude,
    .folder = ".claude",
    .variable = "CLAUDE_CONFIG_DIR",
    .settings = "settings.json",
    .instructions = "CLAUDE.md",
    .agents = "agents",
    .plugins = true,
    .refusal = "block",
    .second = 1,
    .denied_in = "permissions",
    .denied_list = "deny",
    .denied = "Bash(handoff gate decide:*)",
    .status_line = true,
    .limit_key = "autoCompactWindow",
    .limit_files = {"settings.local.json", "settings.json"},
};

const ho_harness ho_harness_codex = {
    .name = "codex",
    .transcript = &ho_transcript_codex,
    .folder = ".codex",
    .variable = "CODEX_HOME",
    .settings = "hooks.json",
    .toml = "config.toml",
    .instructions = "AGENTS.md",
    .refusal = "block",
    .second = 1,
    .advice = "Codex runs hooks once they are trusted: review them with /hooks",
    .rules = "rules/handoff.rules",
    .rule =
        "prefix_rule(\n"
        "    pattern = [\"handoff\", \"gate\", \"decide\"],\n"
        "    decision = \"forbidden\",\n"
        "    justification = \"Gates are decided by people: say that the gate waits, and go on with other work.\",\n"
        "    match = [\"handoff gate decide G-1 approve\"],\n"
        "    not_match = [\"handoff gate list\"],\n"
        ")\n",
    .limit_key = "model_auto_compact_token_limit",
    .limit_files = {"config.toml"},
};

const ho_harness ho_harness_gemini = {
    .name = "gemini",
    .transcript = &ho_transcript_gemini,
    .folder = ".gemini",
    .settings = "settings.json",
    .instructions = "GEMINI.md",
    .refusal = "deny",
    .second = 1000,
    .denied_in = "tools", /* older versions read this list instead of rules */
    .denied_list = "exclude",
    .denied = "run_shell_command(handoff gate decide)",
    .rules = "policies/handoff.toml",
    .rule = "[[rule]]\n"
            "toolName = \"run_shell_command\"\n"
            "commandPrefix = \"handoff gate decide\"\n"
            "decision = \"deny\"\n"
            "priority = 900\n",
};

#define ROW(name, title) &ho_harness_##name,
const ho_harness *const ho_harnesses[] = {HO_HARNESSES(ROW) NULL};
#undef ROW
#define CHOICE(name, title) {#name, title ".", NULL},
const ho_choice ho_harness_choices[] = {HO_HARNESSES(CHOICE){0}};
#undef CHOICE

const ho_harness *ho_harness_named(ho_str name)
{
  for (const ho_harness *const *each = ho_harnesses; *each; each++)
    if (ho_str_is(name, (*each)->name))
      return *each;
  return NULL;
}

/* Is there such a file anywhere in the harness's folder? */
static bool holds(const ho_harness *harness, ho_str path)
{
  char folder[32];
  snprintf(folder, sizeof folder, "/%s/", harness->folder);
  return ho_str_has(path, folder);
}

const ho_harness *ho_harness_of_path(ho_str path)
{
  for (const ho_harness *const *each = ho_harnesses; *each; each++) {
    const char *prefix = (*each)->transcript->prefix;
    if (holds(*each, path) || (prefix && ho_str_starts(ho_fs_name(path), prefix)))
      return *each;
  }
  return NULL;
}
