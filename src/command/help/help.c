#include "command/help/help.h"

#include "base/term.h"
#include "command/commands.h"
#include "command/wrap.h"

enum { MARGIN = 2, GAP = 2, WIDEST_NAME = 24 };

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

/* One parameter in a usage line: "PATH…", "[--to AGENT]". */
static void put_part(ho_buf *out, const ho_field *field)
{
  bool optional = !(field->flags & HO_REQUIRED), positional = field->flags & HO_POSITIONAL;
  const char *more = field->type == HO_T_LIST ? "…" : "";
  ho_buf_puts(out, optional ? "[" : "");
  if (positional)
    ho_help_value(out, field);
  else
    ho_help_option(out, field);
  ho_buf_printf(out, "%s%s%s", positional ? more : "", optional ? "]" : "", positional ? "" : more);
}

/* Calls `part` for every parameter in the order of the usage: arguments, then options. */
static void each_part(ho_buf *out, const ho_command *command, void (*part)(ho_buf *out, const ho_field *field))
{
  for (unsigned turn = 0; turn < 2; turn++)
    for (const ho_field *field = command->params->fields; field->name; field++)
      if (!(field->flags & HO_HIDDEN) && !(field->flags & HO_POSITIONAL) == (turn == 1))
        part(out, field);
}

static void add_part(ho_buf *out, const ho_field *field)
{
  ho_buf_putc(out, ' ');
  put_part(out, field);
}

void ho_help_usage(ho_buf *out, const ho_command *command)
{
  ho_buf_printf(out, "handoff %s", command->name);
  each_part(out, command, add_part);
}

/* Adds a part, on a new line if the current one is full. */
static void wrap_part(ho_buf *out, const ho_field *field)
{
  ho_buf part;
  size_t begin = out->n;
  while (begin && out->p[begin - 1] != '\n')
    begin--;
  size_t column = ho_term_cells((ho_str){out->p + begin, out->n - begin});
  ho_buf_init(&part, 0);
  put_part(&part, field);
  bool fits = column + 1 + ho_term_cells(ho_buf_str(&part)) <= HO_TEXT_WIDTH;
  ho_buf_printf(out, "%s%.*s", fits ? " " : "\n      ", HO_ARG(ho_buf_str(&part)));
  ho_buf_free_into(&part, out);
}

/* Options that a usage line names; if there are more, the list below it is easier to read. */
enum { USAGE_OPTIONS = 8 };

static void put_usage(ho_buf *out, const ho_command *command)
{
  size_t options = 0;
  for (const ho_field *field = command->params->fields; field->name; field++)
    options += !(field->flags & (HO_HIDDEN | HO_POSITIONAL));
  if (options <= USAGE_OPTIONS) {
    each_part(out, command, wrap_part);
    return;
  }
  for (const ho_field *field = command->params->fields; field->name; field++)
    if ((field->flags & HO_POSITIONAL) && !(field->flags & HO_HIDDEN))
      wrap_part(out, field);
  for (const ho_field *field = command->params->fields; field->name; field++)
    if ((field->flags & HO_REQUIRED) && !(field->flags & (HO_HIDDEN | HO_POSITIONAL)))
      wrap_part(out, field);
  ho_buf_puts(out, " [OPTION…]");
}

void ho_help_heading(ho_buf *out, const char *heading, bool colour)
{
  ho_buf_puts(out, out->n ? "\n" : "");
  ho_put_bold(out, ho_str_of(heading), colour);
  ho_buf_putc(out, '\n');
}

/* A name in the first column, and what it means beside it; a name that is too wide has a line of its own. */
static void put_row(ho_buf *out, ho_str name, ho_str text, size_t indent, size_t width)
{
  size_t cells = ho_term_cells(name);
  ho_buf_fill(out, ' ', indent);
  ho_buf_put(out, name);
  if (cells > width)
    ho_buf_putc(out, '\n');
  ho_wrap(out, text, indent + width + GAP, cells > width ? 0 : indent + cells);
}

/* How a parameter is written in the list of parameters. */
static void put_name(ho_buf *out, const ho_field *field)
{
  if (field->flags & HO_POSITIONAL)
    ho_help_value(out, field);
  else
    ho_help_option(out, field);
  if (field->flags & HO_SHORT_O) {
    ho_buf_puts(out, ", --");
    ho_help_option_name(out, field);
  }
}

/* The width of the first column: the widest name that is not too wide for it. */
static size_t name_width(ho_buf *out, const ho_record *record)
{
  size_t widest = 0;
  for (const ho_field *field = record->fields; field->name; field++) {
    ho_buf name;
    ho_buf_init(&name, 0);
    put_name(&name, field);
    size_t cells = ho_term_cells(ho_buf_str(&name));
    if (!(field->flags & HO_HIDDEN) && cells > widest && cells <= WIDEST_NAME)
      widest = cells;
    ho_buf_free_into(&name, out);
  }
  return widest;
}

static void put_choices(ho_buf *out, const ho_choice *choices, size_t indent)
{
  size_t width = 0;
  for (const ho_choice *choice = choices; choice && choice->value; choice++)
    width = strlen(choice->value) > width ? strlen(choice->value) : width;
  for (const ho_choice *choice = choices; choice && choice->value && choice->doc; choice++)
    put_row(out, ho_str_of(choice->value), ho_str_of(choice->doc), indent, width);
}

static void put_field(ho_buf *out, const ho_field *field, size_t width)
{
  ho_buf name, text;
  ho_buf_init(&name, 0);
  ho_buf_init(&text, 0);
  put_name(&name, field);
  ho_buf_puts(&text, field->doc);
  if (field->fallback)
    ho_buf_printf(&text, " Default: %s.", field->fallback);
  put_row(out, ho_buf_str(&name), ho_buf_str(&text), MARGIN, width);
  put_choices(out, field->choices, MARGIN + width + GAP);
  ho_buf_free_into(&name, out);
  ho_buf_free_into(&text, out);
}

static void put_fields(ho_buf *out, const char *heading, const ho_record *record, unsigned with, unsigned without,
                       bool colour)
{
  size_t width = name_width(out, record);
  bool any = false;
  for (const ho_field *field = record->fields; field->name; field++) {
    if ((field->flags & with) != with || (field->flags & (without | HO_HIDDEN)))
      continue;
    if (!any)
      ho_help_heading(out, heading, colour);
    any = true;
    put_field(out, field, width);
  }
}

static void put_examples(ho_buf *out, const ho_command *command, bool colour)
{
  ho_str rest = ho_str_of(command->examples), line;
  ho_help_heading(out, "Examples", colour);
  while (ho_str_next_line(&rest, &line))
    ho_buf_printf(out, "  %.*s\n", HO_ARG(line));
}

void ho_help_options(ho_buf *out, const char *heading, const ho_record *record, bool colour)
{
  put_fields(out, heading, record, 0, HO_POSITIONAL, colour);
}

void ho_help_command(ho_buf *out, const ho_command *command, bool colour)
{
  ho_help_heading(out, "Usage", colour);
  ho_buf_printf(out, "  handoff %s", command->name);
  put_usage(out, command);
  ho_buf_printf(out, "\n\n%s.\n", command->summary);
  if (*command->doc) {
    ho_buf_putc(out, '\n');
    ho_wrap(out, ho_str_of(command->doc), 0, 0);
  }
  if (command->person)
    ho_wrap(out, ho_str_of("\n" HO_HELP_PERSON), 0, 0);
  if (ho_command_leads(ho_str_of(command->name)))
    ho_help_family(out, ho_str_of(command->name), "Subcommands", colour);
  put_fields(out, "Arguments", command->params, HO_POSITIONAL, 0, colour);
  ho_help_options(out, "Options", command->params, colour);
  put_examples(out, command, colour);
  ho_buf_puts(out, "\nSee 'handoff help' for the options that every command takes.\n");
}
