#include "base/fs.h"
#include "base/term.h"
#include "base/utf8.h"
#include "command/call.h"
#include "command/commands.h"
#include "command/findings.h"
#include "engine/relay/prompt_migrate.h"
#include "model/document/recognise.h"
#include "model/formats/formats.h"
#include "model/notes/migrate.h"

static bool is_task(const ho_format *format)
{
  return format == &ho_format_task;
}

/* Only Markdown and plain text are notes. */
static ho_code refuse_trees(ho_str path, const ho_format *named, ho_error *err)
{
  if (!ho_str_ends(path, ".json") && !ho_str_ends(path, ".yaml") && !ho_str_ends(path, ".yml"))
    return HO_OK;
  if (is_task(named))
    return ho_fail_file(err, HO_INVALID, path, "is already structured; run: handoff check");
  return ho_fail_file(err, HO_INVALID, path,
                      "is not freeform text; use 'handoff import' or 'handoff convert --to task'");
}

/* Source code and other files that merely look like text are not notes, whatever they hold. */
static bool is_notes(ho_str path)
{
  static const char *const endings[] = {".md", ".markdown", ".txt", ".text"};
  ho_str name = ho_fs_name(path);
  for (size_t i = 0; i < HO_COUNT(endings); i++)
    if (ho_str_ends(name, endings[i]))
      return true;
  return ho_str_find_char(ho_str_sub(name, 1, name.n), '.') == HO_NONE;
}

/* A file that is not notes, or says nothing that the format has a field for, gets no block. */
static bool is_nothing(ho_call *call, ho_str path, ho_str text, ho_migrated *m)
{
  if (!m->changed || (is_notes(path) && m->notes.items->count))
    return false;
  *m = (ho_migrated){
      .text = text,
      .notes = {.items = ho_node_new(call->arena, HO_KIND_LIST), .ambiguous = m->notes.ambiguous},
      .parts = ho_node_new(call->arena, HO_KIND_LIST),
  };
  ho_call_note(call, "nothing to migrate; %.*s is unchanged", HO_ARG(path));
  return true;
}

/* A document with a format of its own keeps it: it is not written over. */
static ho_code refuse_formats(ho_str path, const ho_format *format, ho_error *err)
{
  if (!format || is_task(format))
    return HO_OK;
  return ho_fail_file(err, HO_INVALID, path,
                      "is a %s document; 'handoff convert --to task' keeps its structure, --print shows what 'migrate' "
                      "would make of it",
                      format->name);
}

static void put_completeness(ho_call *call, const ho_migrated *m)
{
  ho_node *map = ho_map_addz(call->result, "completeness", ho_node_new(call->arena, HO_KIND_MAP));
  ho_map_addz(map, "before", ho_node_number(call->arena, m->before));
  ho_map_addz(map, "after", ho_node_number(call->arena, m->after));
  ho_map_addz(map, "parts", m->parts);
}

static bool put_findings(ho_call *call, const ho_report *report)
{
  ho_node *findings = ho_map_addz(call->result, "findings", ho_findings_node(call->arena, report));
  long long errors = 0, warnings = 0;
  HO_EACH_CONST (finding, findings) {
    ho_str severity = ho_map_str(finding, "severity");
    errors += ho_str_is(severity, "error");
    warnings += ho_str_is(severity, "warning");
  }
  ho_map_addz(call->result, "errors", ho_node_number(call->arena, errors));
  ho_map_addz(call->result, "warnings", ho_node_number(call->arena, warnings));
  return errors > 0;
}

static ho_code put_prompt(ho_call *call, ho_str path, const ho_migrated *m, ho_error *err)
{
  ho_prompt prompt;
  if (!m->notes.ambiguous->count) {
    ho_call_note(call, "%.*s: nothing is ambiguous", HO_ARG(path));
    return HO_NO;
  }
  ho_code code = ho_prompt_migrate(m->notes.ambiguous, path, ho_host_tokens(call->host), call->arena, &prompt, err);
  if (!code)
    ho_map_addz(call->result, "prompt", ho_node_text(call->arena, prompt.text));
  return code;
}

static ho_code run(ho_call *call, ho_error *err)
{
  ho_str path = ho_arg_str(call, "path"), text;
  bool file = !ho_str_is(path, "-"), prompt = ho_arg_true(call, "prompt");
  bool print = ho_arg_true(call, "print") || !file;
  ho_migrated m;
  if (prompt && ho_arg_true(call, "print"))
    return ho_fail(err, HO_USAGE, "use either --print or --prompt");
  ho_code code = ho_read_text(call, path, &text, err);
  const ho_format *named = file ? ho_recognise_path(ho_str_of(ho_full_path(call, path))) : NULL;
  if (!code)
    code = refuse_trees(path, named, err);
  if (code)
    return code;
  ho_check_env env = ho_call_check_env(call, HO_EMPTY);
  code = ho_migrate(path, text, call->host->root, &env, call->arena, &m, err);
  if (!code && !print && !prompt)
    code = refuse_formats(path, named ? named : m.is, err);
  bool nothing = !code && !prompt && is_nothing(call, path, text, &m);
  if (!code && m.changed && !print && !prompt)
    code = ho_rewrite(call, ho_full_path(call, path), path, m.text, err);
  if (code)
    return code;
  ho_map_addz(call->result, "path", ho_node_text(call->arena, path));
  ho_map_addz(call->result, "changed", ho_node_bool(call->arena, m.changed));
  if (print && !prompt)
    ho_map_addz(call->result, "text", ho_node_text(call->arena, m.text));
  ho_map_addz(call->result, "items", m.notes.items);
  ho_map_addz(call->result, "ambiguous", m.notes.ambiguous);
  put_completeness(call, &m);
  bool broken = put_findings(call, &m.doc.report);
  if (prompt)
    return put_prompt(call, path, &m, err);
  return nothing ? HO_NO : broken ? HO_INVALID : HO_OK;
}

/* --- for people ------------------------------------------------------------------------------------------------------
 */

static void put_counts(ho_buf *out, const ho_node *items)
{
  static const char *const fields[][3] = {{"outcome", "outcome", ""},
                                          {"files_created", "file", " created"},
                                          {"files_modified", "file", " modified"},
                                          {"patterns_discovered", "pattern", ""},
                                          {"gotchas", "gotcha", ""},
                                          {"dependencies_for_next", "file", " to read"},
                                          {"open_questions", "question", ""},
                                          {"suggested_next_steps", "next step", ""},
                                          {"blockers", "blocker", ""}};
  const char *joint = "";
  for (size_t i = 0; i < HO_COUNT(fields); i++) {
    unsigned count = 0;
    HO_EACH_CONST (item, items)
      count += ho_str_is(ho_map_str(item, "field"), fields[i][0]);
    if (count)
      ho_buf_printf(out, "%s%u %s%s%s", joint, count, fields[i][1], ho_plural(count), fields[i][2]);
    joint = count ? ", " : joint;
  }
}

static void put_ambiguous(ho_buf *out, ho_str path, const ho_node *ambiguous)
{
  enum { SHOWN = 160 };
  HO_EACH_CONST (passage, ambiguous) {
    ho_str text = ho_map_str(passage, "text");
    ho_term_put(out, path, HO_TERM_LINE);
    ho_buf_printf(out, ":%.*s: %.*s: ", HO_ARG(ho_map_str(passage, "line")), HO_ARG(ho_map_str(passage, "why")));
    ho_term_put(out, ho_str_sub(text, 0, ho_utf8_floor(text, SHOWN)), HO_TERM_LINE);
    ho_buf_puts(out, text.n > SHOWN ? "…\n" : "\n");
  }
}

static void render(const ho_call *call, ho_buf *out, bool colour)
{
  const ho_node *result = call->result, *complete = ho_map_getz(result, "completeness");
  const ho_node *text = ho_map_getz(result, "text"), *prompt = ho_map_getz(result, "prompt");
  ho_str path = ho_map_str(result, "path");
  if (text || prompt || ho_arg_true(call, "prompt")) {
    ho_buf_put(out, ho_node_str(text ? text : prompt));
    return;
  }
  bool nothing = ho_map_getz(result, "notes"); /* which say so */
  if (ho_node_true(ho_map_getz(result, "changed"))) {
    ho_term_put(out, path, HO_TERM_LINE);
    ho_buf_puts(out, ": migrated: ");
    put_counts(out, ho_map_getz(result, "items"));
    ho_buf_putc(out, '\n');
  } else if (!nothing) {
    ho_term_put(out, path, HO_TERM_LINE);
    ho_buf_puts(out, ": already structured, left unchanged\n");
  }
  if (!nothing)
    ho_buf_printf(out, "completeness: %.*s of 100 before, %.*s after\n", HO_ARG(ho_map_str(complete, "before")),
                  HO_ARG(ho_map_str(complete, "after")));
  put_ambiguous(out, path, ho_map_getz(result, "ambiguous"));
  if (ho_map_getz(result, "ambiguous")->count)
    ho_buf_puts(out, "Ambiguous passages were left unchanged; --prompt asks an agent to structure them.\n");
  HO_EACH_CONST (finding, ho_map_getz(result, "findings"))
    if (ho_str_is(ho_map_str(finding, "severity"), "error"))
      ho_finding_text(out, path, finding, colour);
}

static const ho_field params[] = {
    {.name = "path",
     .label = "PATH",
     .doc = "The notes, as Markdown or plain text; '-' for standard input (implies --print).",
     .type = HO_T_TEXT,
     .flags = HO_REQUIRED | HO_POSITIONAL | HO_IS_FILE},
    {.name = "print", .doc = "Print the resulting document and write nothing.", .type = HO_T_BOOL},
    {.name = "prompt",
     .doc = "Print a prompt that asks an agent to structure the ambiguous passages; write nothing.",
     .type = HO_T_BOOL},
    HO_FIELDS_END};
static const ho_record params_record = {.name = "migrate", .fields = params};
static const ho_field item_fields[] = {
    {.name = "field", .doc = "The field it was taken into.", .type = HO_T_TEXT, .flags = HO_REQUIRED},
    {.name = "line", .doc = "Line in the notes.", .type = HO_T_INT, .flags = HO_REQUIRED},
    {.name = "text", .doc = "The text.", .type = HO_T_TEXT, .flags = HO_REQUIRED},
    HO_FIELDS_END};
static const ho_record item_record = {.name = "item", .fields = item_fields};
static const ho_field passage_fields[] = {
    {.name = "line", .doc = "Line in the notes.", .type = HO_T_INT, .flags = HO_REQUIRED},
    {.name = "text", .doc = "The passage.", .type = HO_T_TEXT, .flags = HO_REQUIRED},
    {.name = "why", .doc = "What it might be.", .type = HO_T_TEXT, .flags = HO_REQUIRED},
    HO_FIELDS_END};
static const ho_record passage_record = {.name = "passage", .fields = passage_fields};
static const ho_field part_fields[] = {
    {.name = "part", .doc = "Part of the score.", .type = HO_T_TEXT, .flags = HO_REQUIRED},
    {.name = "score", .doc = "Its score, out of 100.", .type = HO_T_INT, .flags = HO_REQUIRED},
    HO_FIELDS_END};
static const ho_record part_record = {.name = "part", .fields = part_fields};
static const ho_field completeness_fields[] = {
    {.name = "before", .doc = "Completeness before, out of 100.", .type = HO_T_INT, .flags = HO_REQUIRED},
    {.name = "after", .doc = "Completeness after, out of 100.", .type = HO_T_INT, .flags = HO_REQUIRED},
    {.name = "parts", .doc = "The parts of `after`.", .type = HO_T_LIST, .item = HO_T_RECORD, .record = &part_record},
    HO_FIELDS_END};
static const ho_record completeness_record = {.name = "completeness", .fields = completeness_fields};
static const ho_field result[] = {
    {.name = "path", .doc = "Path of the notes.", .type = HO_T_TEXT, .flags = HO_REQUIRED},
    {.name = "changed", .doc = "True if a block was added, or would be.", .type = HO_T_BOOL, .flags = HO_REQUIRED},
    {.name = "text", .doc = "With --print: the resulting document.", .type = HO_T_TEXT},
    {.name = "prompt", .doc = "With --prompt: the prompt.", .type = HO_T_TEXT},
    {.name = "items",
     .doc = "What was taken from the notes.",
     .type = HO_T_LIST,
     .item = HO_T_RECORD,
     .record = &item_record,
     .flags = HO_REQUIRED | HO_MAY_BE_EMPTY},
    {.name = "ambiguous",
     .doc = "Ambiguous passages, which are left unchanged.",
     .type = HO_T_LIST,
     .item = HO_T_RECORD,
     .record = &passage_record,
     .flags = HO_REQUIRED | HO_MAY_BE_EMPTY},
    {.name = "completeness",
     .doc = "How much of what the format asks for is stated.",
     .type = HO_T_RECORD,
     .record = &completeness_record,
     .flags = HO_REQUIRED},
    HO_FINDINGS_FIELD("findings", "Findings in the result: facts that the notes do not state."),
    HO_FINDING_COUNTS,
    HO_NOTES_FIELD,
    HO_FIELDS_END};
static const ho_record result_record = {.name = "migrate result", .fields = result};

const ho_command ho_command_migrate = {
    .name = "migrate",
    .group = "documents",
    .summary = "Add a structured task handoff to freeform notes",
    .doc = "Adds a section 'Handoff' with the YAML of a task handoff to the same file: outcome, files, patterns, "
           "gotchas, files to read, questions, next steps and blockers, each with the line it came from (x_line). The "
           "notes themselves stay unchanged, byte for byte. If the file already has a section 'Handoff', only that "
           "section is read. Migrating again changes nothing.\n\nNothing is invented: what the notes do not state "
           "remains a finding, and ambiguous passages are listed with their lines; --prompt asks an agent to structure "
           "them. Completeness is the share of what the format asks for that the notes state.\n\nExits 4 if the result "
           "lacks a required fact, 1 if there is nothing to migrate (the file is then unchanged) or nothing to ask.",
    .examples = "handoff migrate HANDOFF.md --print\nhandoff migrate HANDOFF.md",
    .local = true,
    .effect = HO_EFFECT_WRITE,
    .params = &params_record,
    .result = &result_record,
    .run = run,
    .render = render,
};
