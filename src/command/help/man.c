/* The manual pages, in the man macros that every roff knows. */
#include "command/commands.h"
#include "command/help/help.h"

/* Text as roff shows it unchanged: '\' and '-' escaped, no line that begins like a request; "- " begins a list item. */
static void put_roff(ho_buf *out, ho_str text)
{
  bool start = true;
  for (size_t i = 0; i < text.n; i++) {
    char c = text.p[i];
    if (start && ho_str_starts(ho_str_sub(text, i, text.n), "- ")) {
      ho_buf_puts(out, ".IP \\(bu 2\n");
      i++;
      start = false;
      continue;
    }
    if (start && (c == '.' || c == '\''))
      ho_buf_puts(out, "\\&");
    if (c == '\\')
      ho_buf_puts(out, "\\e");
    else if (c == '-')
      ho_buf_puts(out, "\\-");
    else if (c == '\n' && i + 1 < text.n && text.p[i + 1] == '\n')
      ho_buf_puts(out, "\n.PP");
    else
      ho_buf_putc(out, c);
    start = c == '\n';
  }
}

static void put_field(ho_buf *out, const ho_field *field)
{
  ho_buf name;
  ho_buf_init(&name, 0);
  if (field->flags & HO_POSITIONAL)
    ho_help_value(&name, field);
  else
    ho_help_option(&name, field);
  ho_buf_puts(out, ".TP\n.B ");
  put_roff(out, ho_buf_str(&name));
  ho_buf_putc(out, '\n');
  put_roff(out, ho_str_of(field->doc));
  if (field->fallback) {
    ho_buf_puts(out, " Default: ");
    put_roff(out, ho_str_of(field->fallback));
    ho_buf_putc(out, '.');
  }
  ho_buf_putc(out, '\n');
  if (field->choices && field->choices->doc) {
    ho_buf_puts(out, ".RS\n");
    for (const ho_choice *choice = field->choices; choice->value; choice++) {
      ho_buf_printf(out, ".TP\n.B %s\n", choice->value);
      put_roff(out, ho_str_of(choice->doc));
      ho_buf_putc(out, '\n');
    }
    ho_buf_puts(out, ".RE\n");
  }
  ho_buf_free_into(&name, out);
}

/* "handoff-gate-raise", escaped. */
static void put_page(ho_buf *out, const ho_command *command)
{
  ho_buf_puts(out, "handoff\\-");
  for (const char *p = command->name; *p; p++)
    ho_buf_puts(out, *p == ' ' || *p == '-' ? "\\-" : (const char[]){*p, 0});
}

static void put_title(ho_buf *out, const ho_command *command)
{
  ho_buf_puts(out, ".TH HANDOFF");
  for (const char *p = command ? command->name : ""; *p; p++) {
    ho_buf_puts(out, p == command->name ? "\\-" : "");
    ho_buf_puts(out, *p == ' ' || *p == '-' ? "\\-" : (const char[]){(char)toupper((unsigned char)*p), 0});
  }
  ho_buf_printf(out, " 1 \"\" \"handoff %s\"\n.nh\n.ad l\n.SH NAME\n", HO_VERSION);
}

/* "handoff gate raise PATH [--as AGENT]", the words of the name in bold. */
static void put_usage(ho_buf *out, const ho_command *command)
{
  ho_buf usage;
  ho_buf_init(&usage, 0);
  ho_help_usage(&usage, command);
  ho_str all = ho_buf_str(&usage);
  size_t name = strlen("handoff ") + strlen(command->name);
  ho_buf_printf(out, "\\fBhandoff %s\\fR", command->name);
  put_roff(out, ho_str_sub(all, name, all.n));
  ho_buf_putc(out, '\n');
  ho_buf_free_into(&usage, out);
}

static bool has_fields(const ho_record *record)
{
  for (const ho_field *field = record->fields; field->name; field++)
    if (!(field->flags & HO_HIDDEN))
      return true;
  return false;
}

/* handoff(1), and the other commands of the group. */
static void put_see_also(ho_buf *out, const ho_command *command)
{
  ho_buf_puts(out, ".SH SEE ALSO\n.BR handoff (1)");
  for (const ho_command *const *each = ho_commands; *each; each++)
    if (*each != command && strcmp((*each)->group, command->group) == 0) {
      ho_buf_puts(out, ",\n.BR ");
      put_page(out, *each);
      ho_buf_puts(out, " (1)");
    }
  ho_buf_putc(out, '\n');
}

void ho_help_man_command(ho_buf *out, const ho_command *command)
{
  put_title(out, command);
  put_page(out, command);
  ho_buf_printf(out, " \\- %s\n.SH SYNOPSIS\n", command->summary);
  put_usage(out, command);
  ho_buf_printf(out, ".SH DESCRIPTION\n%s.\n", command->summary);
  put_roff(out, ho_str_of(command->doc));
  ho_buf_printf(out, "%s%s.PP\n", *command->doc ? "\n" : "", command->person ? ".PP\n" HO_HELP_PERSON "\n" : "");
  ho_buf_puts(out, "Options of every command, exit statuses and environment variables are in\n.BR handoff (1).\n");
  if (has_fields(command->params))
    ho_buf_puts(out, ".SH OPTIONS\n");
  for (const ho_field *field = command->params->fields; field->name; field++)
    if (!(field->flags & HO_HIDDEN))
      put_field(out, field);
  ho_buf_puts(out, ".SH EXAMPLES\n.EX\n");
  put_roff(out, ho_str_of(command->examples));
  ho_buf_puts(out, "\n.EE\n");
  put_see_also(out, command);
}

/* Every command with its usage and summary, below its group. */
static void put_commands(ho_buf *out)
{
  const char *group = "";
  ho_buf_puts(out,
              ".SH COMMANDS\nEach has a page of its own:\n.BR handoff\\-send (1),\n.BR handoff\\-gate\\-raise (1).\n");
  for (const ho_command *const *each = ho_commands; *each; each++) {
    if (strcmp(group, (*each)->group) != 0)
      ho_buf_printf(out, ".SS %s\n", (*each)->group);
    group = (*each)->group;
    ho_buf_puts(out, ".TP\n");
    put_usage(out, *each);
    ho_buf_printf(out, "%s.\n", (*each)->summary);
  }
}

void ho_help_man(ho_buf *out)
{
  put_title(out, NULL);
  ho_buf_puts(out,
              "handoff \\- hand work over between AI agents and people\n.SH SYNOPSIS\n"
              ".B handoff\n.I COMMAND\n[\\fIARGUMENT\\fR]… [\\fIOPTION\\fR]…\n.SH DESCRIPTION\n"
              "When one AI agent stops and another continues, a document passes between them: what is done, what "
              "comes next, what was decided, what not to try again.\n.B handoff\n"
              "checks, fixes, converts, stores and delivers these documents. If a decision needs a person, it asks "
              "one.\n");
  put_commands(out);
  ho_buf_puts(out, ".SH OPTIONS OF EVERY COMMAND\nThese may be given before or after the name of the command.\n");
  for (const ho_field *field = ho_global_options.fields; field->name; field++)
    put_field(out, field);
  ho_buf_puts(out, ".SH FORMATS\n");
  for (const ho_format *const *format = ho_formats; *format; format++) {
    ho_buf_printf(out, ".TP\n.B %s\n%s (%s). ", (*format)->name, (*format)->title,
                  ho_encoding_name((*format)->encoding));
    put_roff(out, ho_str_of((*format)->doc));
    ho_buf_putc(out, '\n');
  }
  ho_buf_puts(out, ".SH EXIT STATUS\n");
#define X(name, text, exit, http, meaning) ho_buf_printf(out, ".TP\n.B %d\n%s\n", exit, meaning);
  HO_CODES(X)
#undef X
  ho_buf_puts(out, ".SH ENVIRONMENT\n");
  for (const ho_variable *each = ho_help_variables; each->name; each++) {
    ho_buf_printf(out, ".TP\n.B %s\n", each->name);
    put_roff(out, ho_str_of(each->doc));
    ho_buf_putc(out, '\n');
  }
  ho_buf_puts(out, ".SH FILES\n"
                   ".TP\n.B .handoff/config.yaml\nSettings of the project; 'handoff config' shows them.\n"
                   ".TP\n.B .handoff/handoff.db\nThe store.\n");
}
