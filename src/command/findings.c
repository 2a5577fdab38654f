#include "command/findings.h"

#include "base/term.h"
#include "command/call.h"
#include "engine/project/redact.h"
#include "model/general_rules.h"
#include "model/secrets/secrets.h"

static const ho_rule_info rule_limit = {"limit", HO_ERROR, "The document is within the program's limits.",
                                        "Make it smaller; 'handoff limits' lists the limits."};
static const ho_rule_info rule_unreadable = {"unreadable", HO_ERROR, "The file can be read.",
                                             "Check that it is a file and that you have permission to read it."};

/* A finding quotes what it found, which may be a credential: it never shows one. */
static ho_node *quoting(ho_arena *arena, ho_str text)
{
  size_t count = 0;
  return ho_node_text(arena, ho_arena_copy(arena, ho_secret_redact(text, arena, &count)));
}

static void fill(ho_node *map, ho_arena *arena, const ho_rule_info *rule, ho_severity severity, unsigned line,
                 unsigned column, ho_str pointer, ho_str message)
{
  ho_map_addz(map, "rule", ho_node_textz(arena, rule->id));
  ho_map_addz(map, "severity", ho_node_textz(arena, ho_severity_name(severity)));
  ho_map_addz(map, "line", ho_node_number(arena, line ? line : 1));
  ho_map_addz(map, "column", ho_node_number(arena, column ? column : 1));
  ho_map_addz(map, "pointer", quoting(arena, pointer));
  ho_map_addz(map, "message", quoting(arena, message));
  ho_map_addz(map, "fix", ho_node_textz(arena, rule->fix ? rule->fix : ""));
}

/* One finding as a map; a finding about the whole document is placed at its start. */
static ho_node *finding_node(ho_arena *arena, const ho_finding *finding)
{
  ho_node *map = ho_node_new(arena, HO_KIND_MAP);
  fill(map, arena, finding->rule, finding->severity, finding->line, finding->column, finding->pointer,
       finding->message);
  return map;
}

ho_node *ho_findings_node(ho_arena *arena, const ho_report *report)
{
  ho_node *list = ho_node_new(arena, HO_KIND_LIST);
  for (size_t i = 0; i < report->count; i++)
    ho_list_add(list, finding_node(arena, &report->items[i]));
  return list;
}

ho_node *ho_finding_of_error(ho_arena *arena, ho_severity severity, const ho_error *err)
{
  const ho_rule_info *rule = err->code == HO_SYNTAX                            ? &ho_rule_SYNTAX
                             : err->code == HO_LIMIT || err->code == HO_MEMORY ? &rule_limit
                                                                               : &rule_unreadable;
  ho_node *map = ho_node_new(arena, HO_KIND_MAP);
  fill(map, arena, rule, severity, err->line, err->column, ho_str_of(err->pointer), ho_str_of(err->message));
  return map;
}

static const char *paint(ho_str severity)
{
  return ho_str_is(severity, "error") ? "\x1b[31m" : ho_str_is(severity, "warning") ? "\x1b[33m" : "\x1b[36m";
}

void ho_finding_text(ho_buf *out, ho_str path, const ho_node *finding, bool colour)
{
  ho_str severity = ho_map_str(finding, "severity");
  ho_str pointer = ho_map_str(finding, "pointer");
  ho_term_put(out, path, HO_TERM_LINE);
  ho_buf_printf(out, ":%.*s:%.*s: ", HO_ARG(ho_map_str(finding, "line")), HO_ARG(ho_map_str(finding, "column")));
  ho_buf_puts(out, colour ? paint(severity) : "");
  ho_buf_printf(out, "%.*s[%.*s]", HO_ARG(severity), HO_ARG(ho_map_str(finding, "rule")));
  ho_buf_puts(out, colour ? "\x1b[0m" : "");
  if (pointer.n)
    ho_buf_putc(out, ' ');
  ho_term_put(out, pointer, HO_TERM_LINE);
  ho_buf_puts(out, ": ");
  ho_term_put(out, ho_map_str(finding, "message"), HO_TERM_LINE);
  ho_buf_putc(out, '\n');
}

void ho_finding_note(ho_buf *out, ho_str note, bool colour)
{
  static const char *const severities[] = {"error", "warning", "note"};
  for (size_t i = 0; colour && i < HO_COUNT(severities); i++) {
    char start[16];
    size_t n = (size_t)snprintf(start, sizeof start, ": %s[", severities[i]), at = ho_str_find(note, start);
    size_t end = at == HO_NONE ? HO_NONE : ho_str_find_char(ho_str_sub(note, at, note.n), ']');
    if (end == HO_NONE)
      continue;
    ho_term_put(out, ho_str_sub(note, 0, at + 2), HO_TERM_LINE);
    ho_buf_puts(out, paint(ho_str_sub(note, at + 2, at + n - 1)));
    ho_term_put(out, ho_str_sub(note, at + 2, at + end + 1), HO_TERM_LINE);
    ho_buf_puts(out, "\x1b[0m");
    ho_term_put(out, ho_str_sub(note, at + end + 1, note.n), HO_TERM_LINE);
    return;
  }
  ho_term_put(out, note, HO_TERM_LINE);
}

void ho_findings_note(ho_call *call, ho_str path, const ho_node *findings)
{
  ho_buf line;
  ho_buf_init(&line, 0);
  for (int errors = 1; errors >= 0; errors--)
    HO_EACH_CONST (finding, findings) {
      ho_buf_reset(&line);
      ho_finding_text(&line, path, finding, false);
      if (ho_str_is(ho_map_str(finding, "severity"), "error") == (errors != 0))
        ho_call_note(call, "%.*s", HO_ARG(ho_str_trim_end(ho_buf_str(&line))));
    }
  ho_buf_free(&line);
}

/* Rules without a table: of what the program itself does with a document. */
static const ho_rule_info *const own_rules[] = {&rule_limit, &rule_unreadable, &ho_rule_secret, NULL};

/* Counts `index` down by the list's rules: the one it then means, or NULL. */
static const ho_rule_info *at_in(const ho_rule_info *const *rules, size_t *index)
{
  for (; *rules; rules++)
    if (!(*index)--)
      return *rules;
  return NULL;
}

const ho_rule_info *ho_finding_rule_at(size_t index, const ho_format **of)
{
  const ho_rule_info *const *const lists[] = {ho_doc_rules, ho_model_rules, own_rules};
  *of = NULL;
  for (size_t i = 0; i < HO_COUNT(lists); i++) {
    const ho_rule_info *rule = at_in(lists[i], &index);
    if (rule)
      return rule;
  }
  for (const ho_syntax *const *syntax = ho_syntaxes; *syntax; syntax++)
    if (!index--)
      return &(*syntax)->rule;
  for (const ho_format *const *format = ho_formats; *format; format++)
    for (const ho_rule *rule = (*format)->rules; rule && rule->info.id; rule++)
      if (!index--) {
        *of = *format;
        return &rule->info;
      }
  return NULL;
}

const ho_rule_info *ho_finding_rule(ho_str id)
{
  const ho_format *of;
  const ho_rule_info *rule;
  for (size_t i = 0; (rule = ho_finding_rule_at(i, &of)); i++)
    if (ho_str_is(id, rule->id))
      return rule;
  return NULL;
}

static const ho_choice severities[] = {{.value = "error"}, {.value = "warning"}, {.value = "note"}, {0}};
static const ho_field fields[] = {
    {.name = "rule", .doc = "Name of the rule.", .type = HO_T_TEXT, .flags = HO_REQUIRED},
    {.name = "severity",
     .doc = "error, warning or note.",
     .type = HO_T_TEXT,
     .flags = HO_REQUIRED,
     .choices = severities},
    {.name = "line", .doc = "Line, from 1.", .type = HO_T_INT, .flags = HO_REQUIRED},
    {.name = "column", .doc = "Column in code points, from 1.", .type = HO_T_INT, .flags = HO_REQUIRED},
    {.name = "pointer",
     .doc = "JSON Pointer to the value; empty for the whole document.",
     .type = HO_T_TEXT,
     .flags = HO_REQUIRED | HO_MAY_BE_EMPTY},
    {.name = "message", .doc = "What is wrong, in a sentence.", .type = HO_T_TEXT, .flags = HO_REQUIRED},
    {.name = "fix", .doc = "How to fix it.", .type = HO_T_TEXT, .flags = HO_REQUIRED | HO_MAY_BE_EMPTY},
    HO_FIELDS_END};
const ho_record ho_finding_record = {.name = "finding", .fields = fields};
