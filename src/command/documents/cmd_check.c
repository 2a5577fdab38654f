#include "command/call.h"
#include "command/commands.h"
#include "command/documents/batch.h"
#include "command/findings.h"
#include "doc/json/json.h"
#include "engine/project/redact.h"
#include "model/document/recognise.h"

typedef struct checking {
  ho_call *call;
  const ho_batch_files *files;
  const ho_format *format; /* NULL: recognised file by file */
} checking;

static ho_code read_and_check(const checking *c, ho_arena *arena, const ho_batch_file *file, ho_doc *doc, ho_error *err)
{
  ho_str text, full = ho_str_of(file->full);
  const ho_format *format = !c->format && full.n ? ho_recognise_path_only(full) : c->format;
  ho_check_env env = ho_call_check_env(c->call, full);
  ho_code code = ho_batch_text(c->call, arena, file->full, &text, err);
  if (!code)
    code = ho_doc_read(doc, arena, file->path, text, format, err);
  if (!code)
    code = ho_doc_check(doc, &env, err);
  return code ? code : ho_redact_warn(doc, arena, err);
}

static void job(void *world, ho_batch *batch, ho_arena *arena, size_t index)
{
  const checking *c = world;
  ho_batch_file *file = &c->files->items[index];
  ho_doc doc = {0};
  ho_error err = {0};
  ho_code code = read_and_check(c, arena, file, &doc, &err);
  ho_batch_enter(batch);
  ho_arena *kept = c->call->arena;
  file->node = ho_node_new(kept, HO_KIND_MAP);
  ho_map_addz(file->node, "path", ho_node_text(kept, file->path));
  ho_map_addz(file->node, "format",
              doc.format ? ho_node_textz(kept, doc.format->name) : ho_node_new(kept, HO_KIND_NULL));
  ho_batch_findings(c->call, file, &doc, &doc.report, code, &err);
  if (doc.report.left_out)
    ho_map_addz(file->node, "left_out", ho_node_number(kept, (long long)doc.report.left_out));
}

typedef struct totals {
  long long checked, skipped, errors, warnings;
  bool unread, broken;
} totals;

static void count_findings(const ho_batch_file *file, totals *sum)
{
  HO_EACH_CONST (finding, ho_map_getz(file->node, "findings")) {
    ho_str severity = ho_map_str(finding, "severity");
    if (ho_str_is(severity, "error")) {
      sum->errors++;
      /* The finding that says that the text cannot be read is the last one. */
      sum->broken |= !(file->unread && !finding->next);
    } else if (ho_str_is(severity, "warning")) {
      sum->warnings++;
    }
  }
}

/* Puts the files into the result, in order, with what is worth a word about each. */
static totals collect(ho_call *call, const ho_batch_files *files)
{
  totals sum = {0};
  ho_node *list = ho_map_addz(call->result, "files", ho_node_new(call->arena, HO_KIND_LIST));
  for (size_t i = 0; i < files->count; i++) {
    const ho_batch_file *file = &files->items[i];
    bool unknown = !file->unread && ho_node_is(ho_map_getz(file->node, "format"), HO_KIND_NULL);
    ho_list_add(list, file->node);
    sum.checked += !unknown;
    sum.skipped += unknown;
    sum.unread |= file->unread;
    count_findings(file, &sum);
    if (unknown && file->named)
      ho_batch_note_unknown(call, file);
    long long left_out = ho_map_int(file->node, "left_out");
    if (left_out)
      ho_call_note(call, "%.*s: %lld more %s not shown", HO_ARG(file->path), left_out,
                   ho_plural_of(left_out, "finding is", "findings are"));
  }
  return sum;
}

static void summarise(ho_call *call, const totals *sum)
{
  ho_map_addz(call->result, "errors", ho_node_number(call->arena, sum->errors));
  ho_map_addz(call->result, "warnings", ho_node_number(call->arena, sum->warnings));
  ho_map_addz(call->result, "skipped", ho_node_number(call->arena, sum->skipped));
  if (sum->skipped)
    ho_call_note(call, "%lld %s", sum->skipped,
                 ho_plural_of(sum->skipped, "file is not recognised as a handoff document",
                              "files are not recognised as handoff documents"));
  ho_call_note(call, "%lld file%s: %lld error%s, %lld warning%s", sum->checked, ho_plural(sum->checked), sum->errors,
               ho_plural(sum->errors), sum->warnings, ho_plural(sum->warnings));
}

/* Is the only thing that was named one file, or standard input, and not a handoff document? Whoever asks about one
 * document must not be told that it is fine. */
static bool only_unknown(const ho_call *call, const ho_batch_files *files, const totals *sum)
{
  return !ho_arg_true(call, "ignore_unknown") && ho_arg(call, "paths")->count == 1 && files->count == 1 &&
         files->items[0].named && sum->skipped;
}

static ho_code run(ho_call *call, ho_error *err)
{
  const ho_format *format;
  ho_batch_files files = {0};
  ho_code code = ho_arg_format(call, "format", &format, err);
  if (!code)
    code = ho_batch_collect_documents(call, true, &files, err);
  if (!code)
    code = ho_batch_run(call, &files, job, &(checking){call, &files, format}, err);
  if (code)
    return code;
  totals sum = collect(call, &files);
  summarise(call, &sum);
  if (sum.broken || (ho_arg_true(call, "strict") && sum.warnings) || only_unknown(call, &files, &sum))
    return HO_INVALID;
  return sum.unread ? HO_SYNTAX : HO_OK;
}

static void render(const ho_call *call, ho_buf *out, bool colour)
{
  ho_str form = ho_arg_str(call, "form");
  if (ho_str_is(form, "json")) {
    ho_json_write(out, call->result, 2);
    ho_buf_putc(out, '\n');
  } else if (ho_str_is(form, "sarif")) {
    ho_findings_sarif(out, call->result, call->arena);
  } else if (ho_str_is(form, "github")) {
    ho_findings_github(out, call->result);
  } else {
    HO_EACH_CONST (file, ho_map_getz(call->result, "files"))
      HO_EACH_CONST (finding, ho_map_getz(file, "findings"))
        ho_finding_text(out, ho_map_str(file, "path"), finding, colour);
  }
}

static const ho_choice outputs[] = {{.value = "text", .doc = "one line per finding, for people and editors"},
                                    {.value = "json", .doc = "the same as --json"},
                                    {.value = "sarif", .doc = "SARIF 2.1.0, for code scanning"},
                                    {.value = "github", .doc = "annotations for GitHub Actions"},
                                    {0}};
static const ho_field params[] = {
    HO_PATHS_FIELD("A file, a folder and everything in it, or '-' for standard input.", HO_REQUIRED),
    HO_PARAM_FORMAT("documents"),
    {.name = "strict", .doc = "Treat warnings as errors in the exit status.", .type = HO_T_BOOL},
    HO_PARAM_IGNORE_UNKNOWN,
    HO_PARAM_FORM("Output format.", "output|o", .choices = outputs, .fallback = "text"),
    HO_FIELDS_END};
static const ho_record params_record = {.name = "check", .fields = params};
static const ho_field file_fields[] = {
    {.name = "path", .doc = "Path of the file.", .type = HO_T_TEXT, .flags = HO_REQUIRED},
    {.name = "format",
     .doc = "Format of the document; null if it is not recognised.",
     .type = HO_T_TEXT,
     .flags = HO_REQUIRED | HO_NULLABLE},
    HO_FINDINGS_FIELD("findings", "The findings."),
    {.name = "left_out", .doc = "Number of findings beyond the limit.", .type = HO_T_INT},
    HO_FIELDS_END};
static const ho_record file_record = {.name = "file", .fields = file_fields};
static const ho_field result[] = {HO_FILES_FIELD("All files that were checked.", file_record),
                                  HO_FINDING_COUNTS,
                                  {.name = "skipped",
                                   .doc = "Number of files that are not recognised; their format is null.",
                                   .type = HO_T_INT,
                                   .flags = HO_REQUIRED},
                                  HO_NOTES_FIELD,
                                  HO_FIELDS_END};
static const ho_record result_record = {.name = "check result", .fields = result};

const ho_command ho_command_check = {
    .name = "check",
    .group = "documents",
    .summary = "Report what is wrong in documents, with line and column",
    .doc =
        "Checks documents against the rules of their format and prints one line per finding:\n\n    FILE:LINE:COL: "
        "SEVERITY[RULE] POINTER: sentence\n\n'handoff explain RULE' says what a rule asks for, with an example. "
        "Skipped in folders: symbolic links, .git, node_modules, folders below "
        ".handoff, and the copies of handoffs in .project/07-audit. Files "
        "that are not handoff documents are only counted; --json lists them with format null. JSON and YAML that "
        "cannot be read is an error if its "
        "name, its folder (specs, .project, .handoff) or its first keys say that it is one.\n\nExits 4 if a "
        "document has an error (with --strict, also a warning) or if the only file named is not recognised, and 3 if a "
        "text cannot be read.",
    .examples = "handoff check package.yaml\nhandoff check specs\nhandoff check --format task - <task.yaml\n"
                "handoff check specs --form sarif >findings.sarif",
    .common = true,
    .teammate = true,
    .effect = HO_EFFECT_READ,
    .params = &params_record,
    .result = &result_record,
    .run = run,
    .confined = true,
    .render = render,
};
