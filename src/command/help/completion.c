#include "command/help/completion.h"

#include "base/escape.h"
#include "command/commands.h"
#include "command/help/help.h"

void ho_completion_words(ho_buf *out, const ho_field *field)
{
  const char *space = "";
  for (const ho_choice *choice = field->choices; choice && choice->value; choice++, space = " ")
    ho_buf_printf(out, "%s%s", space, choice->value);
  for (size_t i = 0; (field->flags & HO_IS_FORMAT) && ho_formats[i]; i++, space = " ")
    ho_buf_printf(out, "%s%s", space, ho_formats[i]->name);
  for (size_t i = 0; (field->flags & HO_IS_COMMAND) && ho_commands[i]; i++, space = " ")
    ho_buf_printf(out, "%s%s", space, ho_commands[i]->name);
}

void ho_completion_quote(ho_buf *out, const char *text, const char *special)
{
  ho_str rest = ho_str_of(text), part;
  for (bool first = true; ho_str_next(&rest, '\'', &part); first = false) {
    ho_buf_puts(out, first ? "" : "'\\''");
    ho_escape_backslash(out, part, special);
  }
}

/* The name of a command as a pattern of a shell: its two words joined by '-'. */
static void put_name(ho_buf *out, const ho_command *command)
{
  for (const char *p = command->name; *p; p++)
    ho_buf_putc(out, *p == ' ' ? '-' : *p);
}

/* bash: after an option its values, after a command its options or values; files if nothing else is meant. */

static void bash_names(ho_buf *out, const ho_field *field)
{
  ho_buf_puts(out, "--");
  ho_help_option_name(out, field);
  if (field->flags & HO_SHORT_O)
    ho_buf_puts(out, " -o");
}

static void bash_values(ho_buf *out, const ho_command *command, const ho_field *field)
{
  ho_buf words;
  if (field->type == HO_T_BOOL || (field->flags & HO_POSITIONAL))
    return;
  ho_buf_init(&words, 0);
  ho_completion_words(&words, field);
  ho_buf_puts(out, "    ");
  put_name(out, command);
  ho_buf_puts(out, ":--");
  ho_help_option_name(out, field);
  if (field->flags & HO_SHORT_O)
    ho_buf_printf(out, " | %s:-o", command->name);
  if (words.n)
    ho_buf_printf(out, ") mapfile -t COMPREPLY < <(compgen -W '%s' -- \"$word\"); return ;;\n", words.p);
  else
    ho_buf_puts(out, ") return ;;\n");
  ho_buf_free_into(&words, out);
}

static void bash_command(ho_buf *out, const ho_command *command)
{
  ho_buf_puts(out, "    ");
  put_name(out, command);
  ho_buf_puts(out, ") options='");
  for (const ho_field *field = command->params->fields; field->name; field++)
    if (!(field->flags & (HO_POSITIONAL | HO_HIDDEN))) {
      bash_names(out, field);
      ho_buf_putc(out, ' ');
    }
  ho_buf_puts(out, "' words='");
  for (const ho_field *field = command->params->fields; field->name; field++)
    if (field->flags & HO_POSITIONAL)
      ho_completion_words(out, field);
  ho_buf_puts(out, "' ;;\n");
}

void ho_completion_bash(ho_buf *out)
{
  ho_buf_puts(out, "# bash completion for handoff, written by 'handoff completion bash'\n"
                   "_handoff()\n{\n"
                   "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}\n"
                   "  local command='' options='' words='' i\n"
                   "  for ((i = 1; i < COMP_CWORD; i++)); do\n"
                   "    case ${COMP_WORDS[i]} in\n"
                   "    --root | --store) i=$((i + 1)) ;;\n"
                   "    -*) ;;\n"
                   "    *) command=${command:+$command-}${COMP_WORDS[i]}; [[ $command == gate ]] || break ;;\n"
                   "    esac\n  done\n"
                   "  case $command:$before in\n");
  for (const ho_command *const *each = ho_commands; *each; each++)
    for (const ho_field *field = (*each)->params->fields; field->name; field++)
      bash_values(out, *each, field);
  ho_buf_puts(out, "    *:--root) mapfile -t COMPREPLY < <(compgen -d -- \"$word\"); return ;;\n  esac\n"
                   "  case $command in\n"
                   "    gate) words='raise list show wait decide' ;;\n    '') words='");
  for (const ho_command *const *each = ho_commands; *each; each++)
    ho_buf_printf(out, "%s%s", each == ho_commands ? "" : " ", (*each)->name);
  ho_buf_puts(out, "' ;;\n");
  for (const ho_command *const *each = ho_commands; *each; each++)
    bash_command(out, *each);
  ho_buf_puts(out, "  esac\n  case $word in\n  -*) words=\"$options");
  for (const ho_field *field = ho_global_options.fields; field->name; field++) {
    ho_buf_putc(out, ' ');
    bash_names(out, field);
  }
  ho_buf_puts(out, "\" ;;\n  esac\n"
                   "  mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$word\")\n}\n"
                   "complete -o bashdefault -o default -F _handoff handoff\n");
}
