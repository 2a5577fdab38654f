/* The manual page, in the man macros that every roff knows. */
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

static void put_command(ho_buf *out, const ho_command *command)
{
  ho_buf usage;
  ho_buf_init(&usage, 0);
  ho_help_usage(&usage, command);
  ho_buf_printf(out, ".SS %s\n", command->name);
  put_roff(out, ho_buf_str(&usage));
  ho_buf_printf(out, "\n.PP\n%s.\n", command->summary);
  put_roff(out, ho_str_of(command->doc));
  ho_buf_printf(out, "%s\n", command->person ? "\n.PP\n" HO_HELP_PERSON : "");
  for (const ho_field *field = command->params->fields; field->name; field++)
    if (!(field->flags & HO_HIDDEN))
      put_field(out, field);
  ho_buf_puts(out, ".PP\n.EX\n");
  put_roff(out, ho_str_of(command->examples));
  ho_buf_puts(out, "\n.EE\n");
  ho_buf_free_into(&usage, out);
}

void ho_help_man(ho_buf *out)
{
  ho_buf_printf(out, ".TH HANDOFF 1 \"\" \"handoff %s\"\n.SH NAME\n", HO_VERSION);
  ho_buf_puts(out,
              "handoff \\- hand work over between AI agents and people\n.SH SYNOPSIS\n"
              ".B handoff\n.I COMMAND\n[\\fIARGUMENT\\fR]… [\\fIOPTION\\fR]…\n.SH DESCRIPTION\n"
              "When one AI agent stops and another continues, a document passes between them: what is done, what "
              "comes next, what was decided, what not to try again.\n.B handoff\n"
              "checks, fixes, converts, stores and delivers these documents. If a decision needs a person, it asks "
              "one.\n.SH COMMANDS\n");
  for (const ho_command *const *each = ho_commands; *each; each++)
    put_command(out, *each);
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
