#include "base/suggest.h"
#include "base/term.h"
#include "command/commands.h"
#include "command/documents/explained.h"
#include "command/findings.h"
#include "command/ledger_call.h"
#include "command/wrap.h"

static const char *rule_name(size_t index)
{
  const ho_format *of;
  const ho_rule_info *rule = ho_finding_rule_at(index, &of);
  return rule ? rule->id : NULL;
}

/* The example of a rule: the lines after "= RULE FORMAT", up to the next such line. HO_EMPTY if it has none. */
static ho_str example_of(const ho_rule_info *rule, ho_str *format)
{
  ho_str rest = ho_str_of((const char *)ho_rule_examples), line, word;
  while (ho_str_next_line(&rest, &line)) {
    if (!ho_str_starts(line, "= "))
      continue;
    *format = ho_str_sub(line, 2, line.n);
    ho_str_next(format, ' ', &word);
    size_t end = ho_str_find(rest, "\n= ");
    if (ho_str_is(word, rule->id))
      return ho_str_sub(rest, 0, end == HO_NONE ? rest.n : end);
  }
  *format = HO_EMPTY;
  return HO_EMPTY;
}

/* What one of the two has of the changed lines: all but those of the other, which begin with `other`. */
static void put_side(ho_call *call, ho_node *item, const char *key, ho_str change, char other)
{
  ho_buf text;
  ho_str line;
  ho_buf_init(&text, 0);
  while (ho_str_next_line(&change, &line))
    if (line.n && line.p[0] != other && line.p[0] != '@')
      ho_buf_printf(&text, "%.*s\n", HO_ARG(ho_str_sub(line, 1, line.n)));
  ho_map_put(call->arena, item, key, ho_arena_copy(call->arena, ho_buf_str(&text)));
  ho_buf_free(&text);
}

static void put_rule(ho_call *call, ho_node *list, const ho_rule_info *rule, const ho_format *of)
{
  ho_str format = HO_EMPTY, change = example_of(rule, &format);
  ho_node *item = ho_list_add(list, ho_node_new(call->arena, HO_KIND_MAP));
  ho_map_addz(item, "rule", ho_node_textz(call->arena, rule->id));
  ho_map_addz(item, "format", ho_node_textz(call->arena, of ? of->name : "all"));
  ho_map_addz(item, "severity", ho_node_textz(call->arena, ho_severity_name(rule->severity)));
  ho_map_addz(item, "doc", ho_node_textz(call->arena, rule->doc));
  ho_map_addz(item, "fix", ho_node_textz(call->arena, rule->fix));
  ho_map_put(call->arena, item, "example_format", format);
  ho_map_put(call->arena, item, "change", change);
  put_side(call, item, "breaks", change, '+');
  put_side(call, item, "keeps", change, '-');
}

static ho_code run(ho_call *call, ho_error *err)
{
  ho_str wanted = ho_arg_str(call, "rule");
  ho_node *list = ho_map_addz(call->result, "rules", ho_node_new(call->arena, HO_KIND_LIST));
  const ho_format *of;
  const ho_rule_info *rule;
  for (size_t i = 0; (rule = ho_finding_rule_at(i, &of)); i++)
    if (!wanted.n || ho_str_is(wanted, rule->id))
      put_rule(call, list, rule, of);
  if (!list || list->count)
    return HO_OK;
  const char *near = ho_suggest(wanted, rule_name);
  return near ? ho_fail(err, HO_NOT_FOUND, "there is no rule '%.*s'; did you mean '%s'?", HO_ARG(wanted), near)
              : ho_fail(err, HO_NOT_FOUND, "there is no rule '%.*s'; run: handoff explain", HO_ARG(wanted));
}

/* The lines of an example, `indent` before each; "…" where lines between them are left out. */
static void put_change(ho_buf *out, ho_str change, const char *indent, bool colour)
{
  ho_str line;
  bool first = true;
  for (; ho_str_next_line(&change, &line); first = false) {
    bool gap = ho_str_is(line, "@"), changed = line.n && (line.p[0] == '-' || line.p[0] == '+');
    if (gap && first)
      continue;
    ho_buf_puts(out, indent);
    ho_buf_puts(out, colour && changed ? line.p[0] == '-' ? "\x1b[31m" : "\x1b[32m" : "");
    ho_term_put(out, gap ? HO_STR("…") : ho_str_trim_end(line), HO_TERM_LINE);
    ho_buf_puts(out, colour && changed ? "\x1b[0m\n" : "\n");
  }
}

static void put_text(ho_buf *out, const ho_node *rule, bool colour)
{
  ho_str format = ho_map_str(rule, "format"), change = ho_map_str(rule, "change");
  ho_put_bold(out, ho_map_str(rule, "rule"), colour);
  ho_buf_printf(out, "  %.*s, ", HO_ARG(ho_map_str(rule, "severity")));
  ho_buf_printf(out, ho_str_is(format, "all") ? "%.*s formats\n" : "format %.*s\n", HO_ARG(format));
  ho_wrap(out, ho_map_str(rule, "doc"), 0, 0);
  ho_buf_puts(out, "\nFix: ");
  ho_wrap(out, ho_map_str(rule, "fix"), 5, 5);
  if (!change.n)
    return;
  ho_buf_printf(out, "\nExample (%.*s): - breaks the rule, + keeps it\n", HO_ARG(ho_map_str(rule, "example_format")));
  put_change(out, change, "  ", colour);
}

/* A fence of four, since examples may hold one of three. */
static void put_page(ho_buf *out, const ho_node *rule, ho_str *format)
{
  ho_str change = ho_map_str(rule, "change"), own = ho_map_str(rule, "format");
  if (!ho_str_eq(own, *format))
    ho_buf_printf(out, ho_str_is(own, "all") ? "\n## %.*s formats\n" : "\n## %.*s\n", HO_ARG(own));
  *format = own;
  ho_buf_printf(out, "\n### %.*s\n\n**%.*s**: %.*s\n\nFix: %.*s\n", HO_ARG(ho_map_str(rule, "rule")),
                HO_ARG(ho_map_str(rule, "severity")), HO_ARG(ho_map_str(rule, "doc")), HO_ARG(ho_map_str(rule, "fix")));
  if (!change.n)
    return;
  ho_buf_puts(out, "\n````diff\n");
  put_change(out, change, "", false);
  ho_buf_puts(out, "````\n");
}

static void render(const ho_call *call, ho_buf *out, bool colour)
{
  const ho_node *rules = ho_map_getz(call->result, "rules");
  ho_str format = HO_EMPTY;
  bool pages = ho_arg_str(call, "form").n > 0;
  if (!pages && !ho_arg_str(call, "rule").n) {
    ho_table_put(call, out, ho_command_explain.table, rules, 0, true, colour);
    return;
  }
  if (pages)
    ho_buf_puts(out,
                "# Rules\n\nWhat `handoff check` finds, from the tables of the program (`handoff explain RULE`). In "
                "the examples, lines with `-` break\nthe rule, and lines with `+` keep it.\n");
  HO_EACH_CONST (rule, rules)
    if (pages)
      put_page(out, rule, &format);
    else
      put_text(out, rule, colour);
}

static const ho_choice pages[] = {{"md", "A section per rule, in Markdown.", NULL}, {0}};
static const ho_field params[] = {{.name = "rule",
                                   .label = "RULE",
                                   .doc = "The rule, as 'check' names it in brackets. Default: all, as a list.",
                                   .type = HO_T_TEXT,
                                   .flags = HO_POSITIONAL},
                                  HO_PARAM_FORM("Write out each rule, with its example.", "as", .choices = pages),
                                  HO_FIELDS_END};
static const ho_record params_record = {.name = "explain", .fields = params};
static const ho_field rule_fields[] = {
    HO_TEXT_FIELD("rule", "Name of the rule."),
    HO_TEXT_FIELD("format", "The format whose rule it is, or all."),
    HO_TEXT_FIELD("severity", "error, warning or note."),
    HO_TEXT_FIELD("doc", "What must hold, in a sentence."),
    HO_TEXT_FIELD("fix", "How to fix it."),
    HO_TEXT_FIELD("example_format", "Format of the example; null if there is none."),
    HO_TEXT_FIELD("change", "The example as lines of a diff: - breaks the rule, + keeps it."),
    HO_TEXT_FIELD("breaks", "The part of the example that breaks the rule."),
    HO_TEXT_FIELD("keeps", "The same part so that it keeps the rule."),
    HO_FIELDS_END};
static const ho_record rule_record = {.name = "rule", .fields = rule_fields};
static const ho_field result[] = {HO_LIST_FIELD("rules", "The rules.", rule_record), HO_FIELDS_END};
static const ho_record result_record = {.name = "explain result", .fields = result};
static const ho_table_column columns[] = {{.title = "RULE", .key = "rule", .as = HO_CELL_ID},
                                          {.title = "FORMAT", .key = "format"},
                                          {.title = "SEVERITY", .key = "severity"},
                                          {.title = "WHAT MUST HOLD", .key = "doc", .least = 20},
                                          HO_COLUMNS_END};
static const ho_table table = {.list = "rules", .record = &rule_record, .columns = columns};

const ho_command ho_command_explain = {
    .name = "explain",
    .group = "documents",
    .summary = "Explain a rule of documents, with an example",
    .doc = "Shows what the rule asks for, how to fix a document that breaks it, and an example: lines with - break the "
           "rule, lines with + keep it. Without RULE, lists all rules.",
    .examples = "handoff explain next-action-vague\nhandoff explain --fields rule,format",
    .teammate = true,
    .effect = HO_EFFECT_NONE,
    .params = &params_record,
    .result = &result_record,
    .run = run,
    .render = render,
    .table = &table,
};
