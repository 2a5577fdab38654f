#include "command/documents/pages.h"

static const char *type_name(ho_type type)
{
  static const char *const names[] = {
      [HO_T_TEXT] = "text",      [HO_T_ID] = "id",      [HO_T_INT] = "whole number", [HO_T_NUMBER] = "number",
      [HO_T_BOOL] = "yes or no", [HO_T_RECORD] = "map", [HO_T_LIST] = "list",        [HO_T_ANY] = "anything"};
  return names[type];
}

/* A text in a cell of a table. */
static void put_cell(ho_buf *out, const char *text)
{
  for (const char *at = text; *at; at++) {
    if (*at == '|')
      ho_buf_putc(out, '\\');
    ho_buf_putc(out, *at == '\n' ? ' ' : *at);
  }
}

static void put_choices(ho_buf *out, const ho_field *field)
{
  for (const ho_choice *choice = field->choices; choice && choice->value; choice++)
    ho_buf_printf(out, "%s`%s`", choice == field->choices ? field->flags & HO_OPEN ? " Mostly " : " One of " : ", ",
                  choice->value);
  if (field->choices)
    ho_buf_putc(out, '.');
}

/* A row per field, those of a record after it, under their path. */
static void put_fields(ho_buf *out, const ho_record *record, const char *path)
{
  for (const ho_field *field = record->fields; field->name; field++) {
    char own[256];
    bool list = field->type == HO_T_LIST;
    if (field->home) /* it belongs elsewhere, and is described there */
      continue;
    snprintf(own, sizeof own, "%s%s%s", path, field->name, list ? "[]" : "");
    ho_buf_printf(out, "| `%s` | %s%s | %s | ", own, list ? "list of " : "",
                  type_name(list ? field->item : field->type),
                  field->flags & HO_REQUIRED   ? "required"
                  : field->flags & HO_EXPECTED ? "expected"
                                               : "optional");
    put_cell(out, field->doc ? field->doc : "");
    put_choices(out, field);
    ho_buf_puts(out, " |\n");
    if (field->record && field->record != record && strlen(own) < sizeof own - 64) {
      snprintf(own + strlen(own), 2, ".");
      put_fields(out, field->record, own);
    }
  }
}

static void put_rules(ho_buf *out, const ho_format *format)
{
  if (format->rules && format->rules->info.id)
    ho_buf_puts(out, "\nRules:\n");
  for (const ho_rule *rule = format->rules; rule && rule->info.id; rule++)
    ho_buf_printf(out, "- `%s`: %s\n", rule->info.id, rule->info.doc);
}

/* A fence that is longer than any in the text. */
static void put_example(ho_buf *out, const ho_format *format)
{
  size_t fence = 3, run = 0;
  for (const char *at = format->example; at && *at; at++) {
    run = *at == '`' ? run + 1 : 0;
    fence = run >= fence ? run + 1 : fence;
  }
  if (!format->example)
    return;
  ho_buf_puts(out, "\nExample:\n");
  ho_buf_fill(out, '`', fence);
  ho_buf_printf(out, "%s\n%s", ho_encoding_name(format->encoding), format->example);
  if (!ho_str_ends(ho_str_of(format->example), "\n"))
    ho_buf_putc(out, '\n');
  ho_buf_fill(out, '`', fence);
  ho_buf_putc(out, '\n');
}

void ho_pages_format(ho_buf *out, const ho_format *format)
{
  ho_buf_printf(out, "## %s: %s\n\n%s\n\n", format->name, format->title, format->doc);
  if (format->place)
    ho_buf_printf(out, "Place: `%s`\n\n", format->place);
  ho_buf_puts(out, "| field | type | need | what it holds |\n| --- | --- | --- | --- |\n");
  put_fields(out, format->root, "");
  put_rules(out, format);
  put_example(out, format);
}
