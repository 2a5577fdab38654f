#include "command/help/help.h"

#include "command/wrap.h"

void ho_help_value(ho_buf *out, const ho_field *field)
{
  if (field->label) {
    ho_buf_puts(out, field->label);
  } else if (field->choices) {
    for (const ho_choice *choice = field->choices; choice->value; choice++)
      ho_buf_printf(out, "%s%s", choice == field->choices ? "" : "|", choice->value);
  } else {
    for (const char *p = field->name; *p; p++)
      ho_buf_putc(out, (char)toupper((unsigned char)*p));
  }
}

void ho_help_option_name(ho_buf *out, const ho_field *field)
{
  for (const char *p = field->name; *p; p++)
    ho_buf_putc(out, *p == '_' ? '-' : *p);
}

void ho_help_option(ho_buf *out, const ho_field *field)
{
  if (field->flags & HO_SHORT_O) {
    ho_buf_puts(out, "-o");
  } else {
    ho_buf_puts(out, "--");
    ho_help_option_name(out, field);
  }
  if (field->type != HO_T_BOOL) {
    ho_buf_putc(out, ' ');
    ho_help_value(out, field);
  }
}

static void put_positional(ho_buf *out, const ho_field *field)
{
  bool optional = !(field->flags & HO_REQUIRED);
  ho_buf_puts(out, optional ? " [" : " ");
  ho_help_value(out, field);
  ho_buf_puts(out, field->type == HO_T_LIST ? "…" : "");
  ho_buf_puts(out, optional ? "]" : "");
}

void ho_help_usage(ho_buf *out, const ho_command *command)
{
  ho_buf_printf(out, "handoff %s", command->name);
  for (const ho_field *field = command->params->fields; field->name; field++)
    if (field->flags & HO_POSITIONAL)
      put_positional(out, field);
  for (const ho_field *field = command->params->fields; field->name; field++) {
    if (field->flags & (HO_POSITIONAL | HO_HIDDEN))
      continue;
    bool optional = !(field->flags & HO_REQUIRED);
    ho_buf_puts(out, optional ? " [" : " ");
    ho_help_option(out, field);
    ho_buf_puts(out, optional ? "]" : "");
    ho_buf_puts(out, field->type == HO_T_LIST ? "…" : "");
  }
}

void ho_help_list(ho_buf *out, bool colour)
{
  ho_put_bold(out, HO_STR("Usage"), colour);
  ho_buf_puts(out, "\n  handoff COMMAND [ARGUMENT]… [OPTION]…\n");
  const char *group = "";
  for (const ho_command *const *each = ho_commands; *each; each++) {
    if (strcmp(group, (*each)->group) != 0) {
      ho_buf_putc(out, '\n');
      ho_put_bold(out, ho_str_of((*each)->group), colour);
      ho_buf_putc(out, '\n');
    }
    group = (*each)->group;
    ho_buf_printf(out, "  %-16s %s\n", (*each)->name, (*each)->summary);
  }
  ho_buf_puts(out, "\n'handoff COMMAND --help' shows a command, 'handoff --help' this list.\n");
}

static void put_field(ho_buf *out, const ho_field *field)
{
  ho_buf_puts(out, "  ");
  if (field->flags & HO_POSITIONAL)
    ho_help_value(out, field);
  else
    ho_help_option(out, field);
  if (field->flags & HO_SHORT_O) {
    ho_buf_puts(out, ", --");
    ho_help_option_name(out, field);
  }
  ho_buf_putc(out, '\n');
  ho_wrap(out, ho_str_of(field->doc), 6, 0);
  for (const ho_choice *choice = field->choices; choice && choice->value; choice++)
    ho_buf_printf(out, "        %-8s %s\n", choice->value, choice->doc ? choice->doc : "");
  if (field->fallback)
    ho_buf_printf(out, "      Default: %s\n", field->fallback);
}

static void put_fields(ho_buf *out, const char *heading, const ho_record *record, unsigned with, unsigned without,
                       bool colour)
{
  bool any = false;
  for (const ho_field *field = record->fields; field->name; field++) {
    if ((field->flags & with) != with || (field->flags & (without | HO_HIDDEN)))
      continue;
    if (!any) {
      ho_buf_putc(out, '\n');
      ho_put_bold(out, ho_str_of(heading), colour);
      ho_buf_putc(out, '\n');
    }
    any = true;
    put_field(out, field);
  }
}

static void put_examples(ho_buf *out, const ho_command *command, bool colour)
{
  ho_str rest = ho_str_of(command->examples), line;
  ho_buf_putc(out, '\n');
  ho_put_bold(out, HO_STR("Examples"), colour);
  ho_buf_putc(out, '\n');
  while (ho_str_next_line(&rest, &line))
    ho_buf_printf(out, "  %.*s\n", HO_ARG(line));
}

void ho_help_command(ho_buf *out, const ho_command *command, bool colour)
{
  ho_buf_printf(out, "%s\n\n", command->summary);
  ho_put_bold(out, HO_STR("Usage"), colour);
  ho_buf_puts(out, "\n  ");
  ho_help_usage(out, command);
  ho_buf_puts(out, "\n\n");
  ho_wrap(out, ho_str_of(command->doc), 0, 0);
  put_fields(out, "Arguments", command->params, HO_POSITIONAL, 0, colour);
  put_fields(out, "Options", command->params, 0, HO_POSITIONAL, colour);
  put_fields(out, "Options of every command", &ho_global_options, 0, 0, colour);
  put_examples(out, command, colour);
  ho_buf_putc(out, '\n');
  ho_put_bold(out, HO_STR("Exit status"), colour);
  ho_buf_putc(out, '\n');
#define X(name, text, exit, http, meaning) ho_buf_printf(out, "  %2d  %s\n", exit, meaning);
  HO_CODES(X)
#undef X
}
