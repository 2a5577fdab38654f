/* What is said once for all commands: which there are, their common options, exit statuses, environment variables. */
#include "command/commands.h"
#include "command/help/help.h"
#include "command/wrap.h"

enum { NAME_WIDTH = 12 };

const ho_variable ho_help_variables[] = {
    {"HANDOFF_AGENT",
     "Who acts: NAME or NAME/INSTANCE. --as takes precedence. Default: the harness, if one is at work."},
    {"HANDOFF_SESSION", "The session that acts. Default: the harness's own session id, else local-YYYYMMDD."},
    {"HANDOFF_TASK",
     "The task that this agent works on: the default of --task in 'pass' and 'progress', and of the task that 'ask' is "
     "about. The session's first hook claims its handoff."},
    {"HANDOFF_PHASE", "The phase that this agent works on: the default of --phase."},
    {"HANDOFF_TOKEN", "The claim token. --token takes precedence."},
    {"HANDOFF_META", "Where 'handoff pass' writes the return metadata, and where 'handoff run' looks for it."},
    {"HANDOFF_ROOT", "The project root, for an agent that works in a worktree below it. --root takes precedence."},
    {"HANDOFF_STORE", "The store. --store takes precedence."},
    {"HANDOFF_TOKENS", "The token image, if it is not installed beside the program."},
    {"HANDOFF_GATE", "Set for the program of the setting 'notify': the gate that waits for a person."},
    {"HANDOFF_ID", "Set for it, too: the handoff that waits at that gate."},
    {"HANDOFF_OTLP", "A collector of OpenTelemetry: what has happened is sent there (handoff help telemetry)."},
    {"HANDOFF_PAGER", "Shows what is longer than the screen. Default: PAGER, else less; cat turns it off."},
    {"VISUAL", "The editor for notes in 'handoff gate'. Default: EDITOR, else notes have one line."},
    {"NO_COLOR", "If set, output is never coloured. TERM=dumb does the same, and nothing is drawn over."},
    {"COLUMNS", "How wide text is where no terminal says it."},
    {"LC_ALL", "If it (else LC_CTYPE, else LANG) is not UTF-8, what is drawn on a terminal is ASCII."},
    {"XDG_CONFIG_HOME", "Holds your key, in handoff/. Default: ~/.config."},
    {"XDG_DATA_HOME", "Holds what you have trusted, and tokens, in handoff/. Default: ~/.local/share."},
    {"CLAUDE_CONFIG_DIR", "Where 'install claude --global' writes. Default: ~/.claude."},
    {"CODEX_HOME", "Where 'install codex --global' writes. Default: ~/.codex."},
    {NULL, NULL}};

static void put_summary(ho_buf *out, const ho_command *command, int width)
{
  ho_buf_printf(out, "  %-*s  %s\n", width, command->name, command->summary);
}

/* "gate raise|list|show": commands that share their first word are written as one. */
static const ho_command *const *put_family(ho_buf *out, const ho_command *const *at)
{
  const char *space = strchr((*at)->name, ' ');
  size_t n = space ? (size_t)(space - (*at)->name) + 1 : 0;
  const ho_command *const *first = at;
  ho_buf_puts(out, (*at)->name);
  for (at++; n && *at && strncmp((*at)->name, (*first)->name, n) == 0; at++)
    ho_buf_printf(out, "|%s", (*at)->name + n);
  return at;
}

static void put_groups(ho_buf *out)
{
  ho_buf name;
  ho_buf_init(&name, 0);
  for (const ho_command *const *each = ho_commands; *each;) {
    const char *group = (*each)->group;
    size_t column = NAME_WIDTH + 4;
    ho_buf_printf(out, "  %-*s  ", NAME_WIDTH, group);
    for (bool first = true; *each && strcmp((*each)->group, group) == 0; first = false) {
      ho_buf_reset(&name);
      each = put_family(&name, each);
      bool fits = first || column + 2 + name.n + 1 <= HO_TEXT_WIDTH; /* with a comma before and after it */
      ho_buf_puts(out, first ? "" : fits ? ", " : ",\n");
      if (!fits)
        ho_buf_fill(out, ' ', NAME_WIDTH + 4);
      column = (first || !fits ? NAME_WIDTH + 4 : column + 2) + name.n;
      ho_buf_put(out, ho_buf_str(&name));
    }
    ho_buf_putc(out, '\n');
  }
  ho_buf_free_into(&name, out);
}

/* In two columns, to fit the page on a screen. */
static void put_statuses(ho_buf *out)
{
  static const struct {
    int exit;
    const char *meaning;
  } codes[] = {
#define X(name, text, exit, http, meaning) {exit, meaning},
      HO_CODES(X)
#undef X
  };
  size_t rows = (HO_COUNT(codes) + 1) / 2;
  for (size_t i = 0; i < rows; i++) {
    ho_buf_printf(out, "  %2d  ", codes[i].exit);
    if (i + rows < HO_COUNT(codes))
      ho_buf_printf(out, "%-32s  %2d  %s\n", codes[i].meaning, codes[i + rows].exit, codes[i + rows].meaning);
    else
      ho_buf_printf(out, "%s\n", codes[i].meaning);
  }
}

static void put_where(ho_buf *out, const char *command, const char *what)
{
  ho_buf_printf(out, "  %-24s  %s\n", command, what);
}

void ho_help_overview(ho_buf *out, bool colour)
{
  ho_help_heading(out, "Usage", colour);
  ho_buf_puts(out, "  handoff COMMAND [ARGUMENT]… [OPTION]…\n");
  ho_help_heading(out, "Common commands", colour);
  for (const ho_command *const *each = ho_commands; *each; each++)
    if ((*each)->common)
      put_summary(out, *each, NAME_WIDTH);
  ho_help_options(out, "Options of every command", &ho_global_options, colour);
  ho_help_heading(out, "More", colour);
  put_where(out, "handoff help --all", "All commands, by group, and exit statuses");
  put_where(out, "handoff help COMMAND", "One command; in full: man handoff-COMMAND");
  put_where(out, "handoff help environment", "Environment variables");
}

void ho_help_all(ho_buf *out, bool colour)
{
  ho_help_heading(out, "All commands, by group", colour);
  put_groups(out);
  ho_help_heading(out, "Exit status", colour);
  put_statuses(out);
  ho_help_heading(out, "More", colour);
  put_where(out, "handoff help GROUP", "What each command of a group does");
  put_where(out, "handoff help COMMAND", "One command; in full: man handoff-COMMAND");
  put_where(out, "handoff help", "Common commands, and the options of every command");
}

void ho_help_family(ho_buf *out, ho_str group, const char *heading, bool colour)
{
  ho_help_heading(out, heading, colour);
  int width = 0;
  for (const ho_command *const *each = ho_commands; *each; each++)
    if (ho_command_in(*each, group) && (int)strlen((*each)->name) > width)
      width = (int)strlen((*each)->name);
  for (const ho_command *const *each = ho_commands; *each; each++)
    if (ho_command_in(*each, group))
      put_summary(out, *each, width);
}

void ho_help_group(ho_buf *out, ho_str group, bool colour)
{
  ho_help_family(out, group, "Commands", colour);
  ho_buf_puts(out, "\n'handoff help COMMAND' explains a command.\n");
}

void ho_help_environment(ho_buf *out, bool colour)
{
  ho_help_heading(out, "Environment variables", colour);
  for (const ho_variable *each = ho_help_variables; each->name; each++) {
    ho_buf_printf(out, "  %-20s", each->name);
    ho_wrap(out, ho_str_of(each->doc), 24, 22);
  }
}
