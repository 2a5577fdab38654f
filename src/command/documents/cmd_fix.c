#include "base/term.h"
#include "command/call.h"
#include "command/commands.h"
#include "command/documents/fix_files.h"
#include "command/findings.h"

typedef struct totals {
  long long files, changed, errors, unknown;
  bool unread, broken;
} totals;

static bool is_error(const ho_node *finding)
{
  return ho_str_is(ho_map_str(finding, "severity"), "error");
}

static void count_errors(const ho_batch_file *file, totals *sum)
{
  HO_EACH_CONST (finding, ho_map_getz(file->node, "findings"))
    if (is_error(finding)) {
      sum->errors++;
      sum->broken |= !(file->unread && !finding->next); /* the last one says that the text cannot be read */
    }
}

/* If standard output holds a document or a diff, the remaining findings go to standard error. */
static void note_errors(ho_call *call, const ho_batch_file *file)
{
  ho_buf line;
  ho_buf_init(&line, 0);
  HO_EACH_CONST (finding, ho_map_getz(file->node, "findings")) {
    ho_buf_reset(&line);
    ho_finding_text(&line, ho_map_str(file->node, "path"), finding, false);
    if (is_error(finding))
      ho_call_note(call, "%.*s", HO_ARG(ho_str_trim_end(ho_buf_str(&line))));
  }
  ho_buf_free(&line);
}

static totals collect(ho_call *call, const ho_batch_files *files)
{
  totals sum = {0};
  ho_node *list = ho_map_addz(call->result, "files", ho_node_new(call->arena, HO_KIND_LIST));
  for (size_t i = 0; i < files->count; i++) {
    const ho_batch_file *file = &files->items[i];
    if (!file->node)
      continue;
    ho_list_add(list, file->node);
    sum.files++;
    sum.changed += ho_node_true(ho_map_getz(file->node, "changed"));
    sum.unread |= file->unread;
    count_errors(file, &sum);
    if (ho_arg_true(call, "print") || ho_map_getz(call->result, "text"))
      note_errors(call, file);
    if (!file->named || file->unread || !ho_node_is(ho_map_getz(file->node, "format"), HO_KIND_NULL))
      continue;
    sum.unknown++;
    ho_batch_note_unknown(call, file);
  }
  return sum;
}

static ho_code run(ho_call *call, ho_error *err)
{
  const ho_format *format;
  ho_batch_files files = {0};
  ho_fix_name **names = NULL;
  ho_error unwritten = {0};
  bool print = ho_arg_true(call, "print");
  ho_code code = ho_arg_format(call, "format", &format, err);
  if (!code)
    code = ho_batch_collect_documents(call, false, &files, err);
  if (!code && !print)
    code = ho_fix_files_follow(call, &files, ho_arg_true(call, "rename"), err);
  if (!code && ho_arg_true(call, "rename"))
    code = ho_fix_files_rename(call, &files, print, &names, err);
  if (!code)
    code = ho_fix_files_all(call, &files, format, print, names, &unwritten, err);
  if (!code && unwritten.code && files.count == 1) {
    *err = unwritten;
    code = unwritten.code;
  }
  if (code)
    return code;
  totals sum = collect(call, &files);
  ho_map_addz(call->result, "changed", ho_node_number(call->arena, sum.changed));
  ho_map_addz(call->result, "errors", ho_node_number(call->arena, sum.errors));
  ho_call_note(call, "%lld file%s: %lld %s, %lld error%s left", sum.files, ho_plural(sum.files), sum.changed,
               print ? "would change" : "fixed", sum.errors, ho_plural(sum.errors));
  if (unwritten.code)
    return unwritten.code;
  /* As in `check`: whoever names one document must not be told that it is fine. */
  bool only_unknown =
      sum.unknown && !ho_arg_true(call, "ignore_unknown") && files.count == 1 && ho_arg(call, "paths")->count == 1;
  if (sum.broken || only_unknown)
    return HO_INVALID;
  return sum.unread ? HO_SYNTAX : HO_OK;
}

static void put_change(ho_buf *out, const ho_node *file)
{
  ho_str from = ho_map_str(file, "renamed_from"), details = ho_map_str(file, "details");
  ho_term_put(out, ho_map_str(file, "path"), HO_TERM_LINE);
  ho_buf_puts(out, ": fixed");
  if (from.n) {
    ho_buf_puts(out, ", was ");
    ho_term_put(out, from, HO_TERM_LINE);
  }
  if (details.n) {
    long long moved = ho_map_int(file, "moved");
    ho_buf_printf(out, ", %lld block%s moved to ", moved, ho_plural(moved));
    ho_term_put(out, details, HO_TERM_LINE);
  }
  ho_buf_putc(out, '\n');
}

/* The diff alone, so that `patch` can read it, or the text of standard input; else one line per changed file, and
 * the remaining errors. */
static void render(const ho_call *call, ho_buf *out, bool colour)
{
  const ho_node *text = ho_map_getz(call->result, "text");
  bool print = ho_arg_true(call, "print");
  if (text)
    ho_buf_put(out, text->text);
  if (print)
    ho_buf_put(out, ho_map_str(call->result, "diff"));
  HO_EACH_CONST (file, ho_map_getz(call->result, "files")) {
    ho_buf_put(out, print ? ho_map_str(file, "diff") : HO_EMPTY);
    if (!print && !text && ho_node_true(ho_map_getz(file, "changed")))
      put_change(out, file);
    HO_EACH_CONST (finding, ho_map_getz(file, "findings"))
      if (!print && !text && is_error(finding))
        ho_finding_text(out, ho_map_str(file, "path"), finding, colour);
  }
}

static const ho_field params[] = {
    HO_PATHS_FIELD("A file, a folder and everything in it, or '-' for standard input (the result is printed).",
                   HO_REQUIRED),
    {.name = "print", .doc = "Print the changes as a unified diff and write nothing.", .type = HO_T_BOOL},
    {.name = "rename",
     .doc = "Also rename phase handoffs to their proper names, and update the paths in JSON and YAML files of the "
            "task; Markdown that names them is listed.",
     .type = HO_T_BOOL},
    HO_PARAM_FORMAT("documents"),
    HO_PARAM_IGNORE_UNKNOWN,
    HO_FIELDS_END};
static const ho_record params_record = {.name = "fix", .fields = params};
static const ho_field file_fields[] = {
    {.name = "path", .doc = "Path of the file, after renaming.", .type = HO_T_TEXT, .flags = HO_REQUIRED},
    {.name = "format",
     .doc = "Format of the document; null if it is not recognised.",
     .type = HO_T_TEXT,
     .flags = HO_REQUIRED | HO_NULLABLE},
    {.name = "changed", .doc = "True if it was rewritten or renamed.", .type = HO_T_BOOL, .flags = HO_REQUIRED},
    {.name = "renamed_from", .doc = "Path before renaming.", .type = HO_T_TEXT},
    {.name = "details", .doc = "The details file with what did not fit.", .type = HO_T_TEXT},
    {.name = "moved", .doc = "Number of blocks that were moved there.", .type = HO_T_INT},
    {.name = "diff", .doc = "With --print: the changes.", .type = HO_T_TEXT},
    HO_FINDINGS_FIELD("findings", "Remaining findings: facts that the document does not state."),
    HO_FIELDS_END};
static const ho_record file_record = {.name = "file", .fields = file_fields};
static const ho_field result[] = {
    HO_FILES_FIELD("All documents.", file_record),
    {.name = "changed",
     .doc = "Number of documents that were rewritten or renamed.",
     .type = HO_T_INT,
     .flags = HO_REQUIRED},
    {.name = "errors", .doc = "Number of remaining errors.", .type = HO_T_INT, .flags = HO_REQUIRED},
    {.name = "diff", .doc = "With --print and --rename: changes in other files.", .type = HO_T_TEXT},
    {.name = "text", .doc = "The result for standard input.", .type = HO_T_TEXT},
    HO_NOTES_FIELD,
    HO_FIELDS_END};
static const ho_record result_record = {.name = "fix result", .fields = result};

const ho_command ho_command_fix = {
    .name = "fix",
    .group = "documents",
    .summary = "Rewrite documents so that they are valid, losing nothing",
    .doc =
        "Works in place and invents nothing: a fact that a document does not state remains a finding. Comments and "
        "everything that is already right stay unchanged, and fixing again changes nothing.\n\nWhat does not fit "
        "the one screen of a phase handoff moves to NAME-details.md beside it, which its References then name. In "
        "YAML and JSON, a value that does not fit its field is kept beside it as x_FIELD.\n\nThe copies of handoffs in "
        ".project/07-audit and read-only files are never changed.\n\nExits 4 if errors "
        "remain or the only file named is not recognised, 3 if a text cannot be read, 9 if a file cannot be written.",
    .examples = "handoff fix package.yaml\nhandoff fix specs --print\nhandoff fix specs --rename",
    .local = true,
    .effect = HO_EFFECT_WRITE,
    .params = &params_record,
    .result = &result_record,
    .run = run,
    .confined = true,
    .render = render,
};
