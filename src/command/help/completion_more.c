/* Completion for zsh and fish. */
#include "command/commands.h"
#include "command/help/completion.h"
#include "command/help/help.h"

/* ':what:(a b c)' or ':what:_files', after an option or for an argument. */
static void zsh_value(ho_buf *out, const ho_field *field)
{
  ho_buf words;
  ho_buf_init(&words, 0);
  ho_completion_words(&words, field);
  ho_buf_putc(out, ':');
  ho_completion_quote(out, field->label ? field->label : field->name, "[]:\\");
  if (words.n)
    ho_buf_printf(out, ":(%s)", words.p);
  else
    ho_buf_puts(out, field->flags & HO_IS_FILE ? ":_files" : ":");
  ho_buf_free_into(&words, out);
}

static void zsh_option(ho_buf *out, const ho_field *field, bool short_form)
{
  bool many = field->type == HO_T_LIST;
  ho_buf_puts(out, many ? " \\\n        '*" : " \\\n        '");
  if (short_form) {
    ho_buf_puts(out, "-o");
  } else {
    ho_buf_puts(out, "--");
    ho_help_option_name(out, field);
  }
  ho_buf_putc(out, '[');
  ho_completion_quote(out, field->doc, "[]:\\");
  ho_buf_putc(out, ']');
  if (field->type != HO_T_BOOL)
    zsh_value(out, field);
  ho_buf_putc(out, '\'');
}

static void zsh_fields(ho_buf *out, const ho_record *record)
{
  for (const ho_field *field = record->fields; field->name; field++) {
    if (field->flags & HO_HIDDEN)
      continue;
    if (field->flags & HO_POSITIONAL) {
      ho_buf_puts(out, field->type == HO_T_LIST ? " \\\n        '*" : " \\\n        '");
      zsh_value(out, field);
      ho_buf_putc(out, '\'');
    } else {
      zsh_option(out, field, false);
      if (field->flags & HO_SHORT_O)
        zsh_option(out, field, true);
    }
  }
}

void ho_completion_zsh(ho_buf *out)
{
  ho_buf_puts(out, "#compdef handoff\n# zsh completion for handoff, written by 'handoff completion zsh'\n"
                   "_handoff()\n{\n  local -a commands\n  local context state line\n  commands=(\n");
  for (const ho_command *const *each = ho_commands; *each; each++) {
    ho_buf_printf(out, "    '%s:", (*each)->name);
    ho_completion_quote(out, (*each)->summary, ":\\");
    ho_buf_puts(out, "'\n");
  }
  ho_buf_puts(out, "  )\n  _arguments -C");
  zsh_fields(out, &ho_global_options);
  ho_buf_puts(out, " \\\n        '1:command:->command' '*::argument:->argument'\n"
                   "  case $state in\n  command) _describe command commands ;;\n  argument)\n    case $words[1] in\n");
  for (const ho_command *const *each = ho_commands; *each; each++) {
    ho_buf_printf(out, "    '%s')\n      _arguments", (*each)->name);
    zsh_fields(out, (*each)->params);
    zsh_fields(out, &ho_global_options);
    ho_buf_puts(out, " ;;\n");
  }
  ho_buf_puts(out, "    esac ;;\n  esac\n}\n_handoff \"$@\"\n");
}

static void fish_option(ho_buf *out, const char *command, const ho_field *field)
{
  ho_buf words;
  ho_buf_init(&words, 0);
  ho_completion_words(&words, field);
  ho_buf_puts(out, "complete -c handoff");
  if (command)
    ho_buf_printf(out, " -n '__fish_seen_subcommand_from %s'", command);
  if (!(field->flags & HO_POSITIONAL)) {
    ho_buf_puts(out, " -l ");
    ho_help_option_name(out, field);
    ho_buf_puts(out, field->flags & HO_SHORT_O ? " -s o" : "");
    ho_buf_puts(out, field->type == HO_T_BOOL ? "" : field->flags & HO_IS_FILE ? " -r -F" : " -x");
  } else if (field->flags & HO_IS_FILE) {
    ho_buf_puts(out, " -F");
  }
  if (words.n)
    ho_buf_printf(out, " -a '%s'", words.p);
  ho_buf_puts(out, " -d '");
  ho_completion_quote(out, field->doc, "\\");
  ho_buf_puts(out, "'\n");
  ho_buf_free_into(&words, out);
}

void ho_completion_fish(ho_buf *out)
{
  ho_buf_puts(out, "# fish completion for handoff, written by 'handoff completion fish'\ncomplete -c handoff -f\n");
  for (const ho_field *field = ho_global_options.fields; field->name; field++)
    fish_option(out, NULL, field);
  for (const ho_command *const *each = ho_commands; *each; each++) {
    ho_buf_printf(out, "complete -c handoff -n __fish_use_subcommand -a '%s' -d '", (*each)->name);
    ho_completion_quote(out, (*each)->summary, "\\");
    ho_buf_puts(out, "'\n");
    for (const ho_field *field = (*each)->params->fields; field->name; field++)
      if (!(field->flags & HO_HIDDEN))
        fish_option(out, (*each)->name, field);
  }
}
