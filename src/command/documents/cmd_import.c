#include "base/fs.h"
#include "base/term.h"
#include "command/call.h"
#include "command/commands.h"
#include "command/documents/batch.h"
#include "command/findings.h"
#include "engine/project/redact.h"
#include "model/foreign/foreign.h"

typedef struct totals {
  long long imported, again, ours, unknown, unread, errors;
} totals;

/* NAME.handoff.yaml beside the original: the name by which task handoffs are recognised. */
static ho_str place_for(ho_call *call, const char *full)
{
  ho_str path = ho_str_of(full), name = ho_fs_name(path);
  size_t dot = name.n;
  while (dot > 1 && name.p[dot - 1] != '.')
    dot--;
  ho_str stem = dot > 1 ? ho_str_sub(path, 0, path.n - (name.n - dot) - 1) : path;
  return ho_arena_printf(call->arena, "%.*s.handoff.yaml", HO_ARG(stem));
}

/* A file that is there and says something else is not written over. */
static ho_code write_result(ho_call *call, ho_str path, ho_str text, bool *changed, ho_error *err)
{
  ho_str there;
  ho_str shown = ho_fs_text(call->arena, ho_shown_path(call, path));
  *changed = true;
  if (ho_fs_exists(path.p)) {
    ho_code code = ho_fs_read(call->arena, path.p, 0, &there, err);
    if (!code && ho_str_eq(there, text)) {
      *changed = false;
      return HO_OK;
    }
    return code ? code : ho_fail_file(err, HO_CONFLICT, shown, "already exists; move it away or use -o FILE");
  }
  ho_code code = ho_fs_write_in(call->host->root.p, path.p, text, HO_FS_CREATE, err);
  if (code)
    ho_error_copy(err->file, sizeof err->file, shown);
  return code;
}

static void put(ho_node *map, const char *key, ho_arena *arena, ho_str text)
{
  ho_map_addz(map, key, ho_node_text(arena, ho_arena_copy(arena, text)));
}

/* The result is a new document, and holds every word of the old one: without the credentials among them. */
static ho_code clean(ho_call *call, ho_imported *in, ho_report *secrets, ho_error *err)
{
  ho_doc *doc = HO_NEW(call->arena, ho_doc);
  ho_code code = ho_project_begin(&call->project, err);
  if (!code)
    code = ho_arena_code(call->arena, err);
  if (!code)
    code =
        ho_redact_read(&call->project, call->arena, in->doc.source.path, &in->text, in->doc.format, doc, secrets, err);
  return code;
}

/* Reads one file and adds its part of the result. */
static ho_code import_file(ho_call *call, const ho_batch_file *file, totals *sum, ho_error *err)
{
  ho_arena *arena = call->arena;
  ho_error why = {0};
  ho_imported in = {0};
  ho_report secrets = {0};
  ho_str text, output = ho_arg_str(call, "output");
  bool print = ho_arg_true(call, "print") || (!file->full && !output.n), changed = false;
  ho_check_env env = ho_call_check_env(call, HO_EMPTY);
  ho_code code = ho_batch_text(call, arena, file->full, &text, &why);
  if (!code)
    code = ho_import(file->path, text, file->named, call->host->root, &env, arena, &in, &why);
  if (!code && in.task)
    code = clean(call, &in, &secrets, &why);
  if (code == HO_SYNTAX && !file->named) { /* of a folder: need not be a handoff at all */
    sum->unknown++;
    return HO_OK;
  }
  ho_node *node = ho_node_new(arena, HO_KIND_MAP);
  put(node, "path", arena, file->path);
  ho_map_addz(node, "from", in.from ? ho_node_textz(arena, in.from->format->name) : ho_node_new(arena, HO_KIND_NULL));
  if (!code && in.task && !print && !secrets.errors) {
    ho_str place = output.n ? ho_str_of(ho_full_path(call, output)) : place_for(call, file->full);
    code = write_result(call, place, in.text, &changed, &why);
    put(node, "written", arena, ho_fs_text(arena, ho_shown_path(call, place)));
    ho_map_addz(node, "changed", ho_node_bool(arena, changed));
  }
  if (code && (code != HO_SYNTAX && code != HO_LIMIT)) {
    *err = why;
    return code;
  }
  sum->unread += code != HO_OK;
  sum->imported += !code && in.task;
  sum->again += !code && in.task && !print && !changed;
  sum->ours += !code && in.ours;
  sum->unknown += !code && !in.task && !in.ours;
  if (!code && !in.task && !in.ours && !file->named)
    return HO_OK;
  if (in.ours)
    ho_map_addz(node, "ours", ho_node_textz(arena, in.ours->name));
  if (print && in.task)
    ho_map_addz(node, "text", ho_node_text(arena, in.text));
  ho_map_addz(node, "kept", in.kept ? in.kept : ho_node_new(arena, HO_KIND_LIST));
  ho_node *source = ho_map_addz(node, "source_findings",
                                code ? ho_node_new(arena, HO_KIND_LIST) : ho_findings_node(arena, &in.report));
  if (code)
    ho_list_add(source, ho_finding_of_error(arena, HO_ERROR, &why));
  ho_node *findings = ho_map_addz(node, "findings",
                                  in.task ? ho_findings_node(arena, &in.doc.report) : ho_node_new(arena, HO_KIND_LIST));
  HO_EACH_CONST (finding, ho_findings_node(arena, &secrets))
    ho_list_add(findings, ho_node_copy(arena, finding));
  sum->errors += in.task ? (long long)(in.doc.report.errors + secrets.errors) : 0;
  ho_list_add(ho_map_getz(call->result, "files"), node);
  return ho_arena_code(arena, err);
}

static ho_code run(ho_call *call, ho_error *err)
{
  ho_batch_files files = {0};
  totals sum = {0};
  ho_map_addz(call->result, "files", ho_node_new(call->arena, HO_KIND_LIST));
  ho_code code = ho_batch_collect(call, &files, err);
  if (!code && ho_arg(call, "output") && (files.count != 1 || !files.items[0].named))
    code = ho_fail(err, HO_USAGE, "-o can only be used with a single document");
  for (size_t i = 0; i < files.count && !code; i++)
    code = import_file(call, &files.items[i], &sum, err);
  if (code)
    return code;
  ho_map_addz(call->result, "imported", ho_node_number(call->arena, sum.imported));
  ho_map_addz(call->result, "ours", ho_node_number(call->arena, sum.ours));
  ho_map_addz(call->result, "not_recognised", ho_node_number(call->arena, sum.unknown));
  ho_map_addz(call->result, "errors", ho_node_number(call->arena, sum.errors));
  ho_str again = sum.again ? ho_arena_printf(call->arena, ", %lld already imported", sum.again) : HO_EMPTY;
  ho_call_note(call, "%lld imported%.*s, %lld already %s, %lld not recognised, %lld unreadable; %lld missing fact%s",
               sum.imported - sum.again, HO_ARG(again), sum.ours,
               ho_plural_of(sum.ours, "a handoff document", "handoff documents"), sum.unknown, sum.unread, sum.errors,
               ho_plural(sum.errors));
  if (sum.unread)
    return HO_SYNTAX;
  return !sum.imported ? HO_NO : sum.errors ? HO_INVALID : HO_OK;
}

static void put_findings(ho_buf *out, ho_str path, const ho_node *findings, bool all, bool colour)
{
  HO_EACH_CONST (finding, findings)
    if (all || ho_str_is(ho_map_str(finding, "severity"), "error"))
      ho_finding_text(out, path, finding, colour);
}

static void render(const ho_call *call, ho_buf *out, bool colour)
{
  HO_EACH_CONST (file, ho_map_getz(call->result, "files")) {
    ho_str path = ho_map_str(file, "path"), written = ho_map_str(file, "written");
    const ho_node *text = ho_map_getz(file, "text"), *ours = ho_map_getz(file, "ours");
    if (text) {
      ho_buf_puts(out, out->n ? "---\n" : "");
      ho_buf_put(out, text->text);
      continue;
    }
    ho_term_put(out, path, HO_TERM_LINE);
    if (ours)
      ho_buf_printf(out, ": already a handoff document: %.*s", HO_ARG(ours->text));
    else if (written.n) {
      ho_buf_printf(out, ": %.*s → ", HO_ARG(ho_map_str(file, "from")));
      ho_term_put(out, written, HO_TERM_LINE);
      ho_buf_puts(out, ho_node_true(ho_map_getz(file, "changed")) ? "" : " (already imported)");
    }
    ho_buf_putc(out, '\n');
    put_findings(out, path, ho_map_getz(file, "source_findings"), true, colour);
    put_findings(out, written, ho_map_getz(file, "findings"), false, colour);
  }
}

static const ho_field params[] = {
    HO_PATHS_FIELD("A file, a folder and everything in it, or '-' for standard input (implies --print).", HO_REQUIRED),
    {.name = "print", .doc = "Print the task handoffs and write nothing.", .type = HO_T_BOOL},
    {.name = "output",
     .label = "FILE",
     .doc = "Write the task handoff to FILE. Default: NAME.handoff.yaml beside the original.",
     .type = HO_T_TEXT,
     .flags = HO_SHORT_O | HO_IS_FILE},
    HO_FIELDS_END};
static const ho_record params_record = {.name = "import", .fields = params};
static const ho_field file_fields[] = {
    {.name = "path", .doc = "Path of the original.", .type = HO_T_TEXT, .flags = HO_REQUIRED},
    {.name = "from",
     .doc = "What it was recognised as; null if it was not.",
     .type = HO_T_TEXT,
     .flags = HO_REQUIRED | HO_NULLABLE},
    {.name = "ours", .doc = "Its format, if it already is a handoff document.", .type = HO_T_TEXT},
    {.name = "written", .doc = "Path of the task handoff.", .type = HO_T_TEXT},
    {.name = "changed", .doc = "True if the task handoff is new, false if the same one existed.", .type = HO_T_BOOL},
    {.name = "text", .doc = "With --print: the task handoff.", .type = HO_T_TEXT},
    {.name = "kept",
     .doc = "Pointers to what has no place in a task handoff; the whole original is kept too.",
     .type = HO_T_LIST,
     .item = HO_T_TEXT,
     .flags = HO_REQUIRED | HO_MAY_BE_EMPTY},
    HO_FINDINGS_FIELD("source_findings", "Findings in the original."),
    HO_FINDINGS_FIELD("findings", "Findings in the task handoff: facts that the original does not state."),
    HO_FIELDS_END};
static const ho_record file_record = {.name = "file", .fields = file_fields};
static const ho_field result[] = {
    HO_FILES_FIELD("All documents that were recognised or named.", file_record),
    {.name = "imported", .doc = "Number of documents that were imported.", .type = HO_T_INT, .flags = HO_REQUIRED},
    {.name = "ours",
     .doc = "Number of documents that already are handoff documents.",
     .type = HO_T_INT,
     .flags = HO_REQUIRED},
    {.name = "not_recognised", .doc = "Number of other files.", .type = HO_T_INT, .flags = HO_REQUIRED},
    {.name = "errors", .doc = "Number of missing facts.", .type = HO_T_INT, .flags = HO_REQUIRED},
    HO_NOTES_FIELD,
    HO_FIELDS_END};
static const ho_record result_record = {.name = "import result", .fields = result};

const ho_command ho_command_import = {
    .name = "import",
    .group = "documents",
    .summary = "Convert handoffs of other tools to task handoffs",
    .doc = "Recognises Continuous-Claude YAML (also as front matter), HumanLayer-style Markdown and orchestrator "
           "handoffs (.orchestrator-handoff.json) by their content, and writes each as NAME.handoff.yaml beside the "
           "original, ready for 'handoff send' and 'handoff learn'. What was learned becomes patterns, what failed "
           "becomes gotchas. What has no place in a task handoff is listed and kept under x_kept, with the whole "
           "original. Existing files are not overwritten.\n\nIn a folder, other files are skipped. A file that you "
           "name is imported in any case: other JSON and YAML by its keys, Markdown and broken text by its words. "
           "Damaged YAML is read as far as possible, with findings. Nothing is invented.\n\nExits 4 if a result lacks "
           "a required fact, 3 if a text cannot be read, 1 if there was nothing to import.",
    .examples = "handoff import thoughts/shared/handoffs --print\nhandoff import thoughts/shared/handoffs",
    .local = true,
    .effect = HO_EFFECT_WRITE,
    .params = &params_record,
    .result = &result_record,
    .run = run,
    .render = render,
    .raw = true,
};
