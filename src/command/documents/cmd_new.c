#include "base/fs.h"
#include "command/call.h"
#include "command/commands.h"
#include "command/documents/new.h"
#include "command/findings.h"
#include "engine/project/redact.h"
#include "model/bind.h"
#include "model/document/write.h"

/* A document in the making. */
typedef struct draft {
  const ho_format *format;
  ho_doc from;      /* what --from gave */
  ho_node *root;    /* bound */
  ho_str place;     /* below the root; "" with --print */
  ho_report report; /* errors of reading --from, then those of the tree */
  ho_report secrets;
  ho_str text; /* as it is written */
} draft;

/* The tree that the values go into: that of --from, or an empty one. */
static ho_code begin(ho_call *call, draft *d, ho_error *err)
{
  ho_str from = ho_arg_str(call, "from");
  if (from.n) {
    ho_code code = ho_read_document(call, from, d->format, &d->from, err);
    if (code)
      return code;
  }
  ho_report_init(&d->report, call->arena, d->from.source.text.p ? &d->from.source : NULL);
  for (size_t i = 0; i < d->from.report.count; i++) {
    const ho_finding *finding = &d->from.report.items[i];
    if (finding->severity == HO_ERROR)
      ho_report_add(&d->report, finding->rule, finding->offset, NULL, "%.*s", HO_ARG(finding->message));
  }
  bool usable = ho_node_is(d->from.root, HO_KIND_MAP);
  d->root = usable ? ho_node_copy(call->arena, d->from.root) : ho_node_new(call->arena, HO_KIND_MAP);
  return ho_arena_code(call->arena, err);
}

/* The key that the written document stands under, so that findings point at what a reader would see. */
static ho_str wrapper_of(const ho_format *format)
{
  return format->encoding == HO_MARKDOWN ? HO_EMPTY : ho_str_of(format->wrapper);
}

static ho_code build(ho_call *call, draft *d, ho_error *err)
{
  ho_code code = begin(call, d, err);
  HO_EACH_CONST (assignment, ho_arg(call, "set"))
    if (!code)
      code = ho_new_set(d->format, d->root, assignment->text, call->arena, err);
  if (code)
    return code;
  ho_new_fill(call, d->format, d->root);
  code = ho_new_follow(call, d->format, d->root, err);
  if (code)
    return code;
  ho_path base = {NULL, wrapper_of(d->format), 0};
  d->root = ho_bind(d->format, d->root, base.key.n ? &base : NULL, call->arena, &d->report);
  return ho_arena_code(call->arena, err);
}

static ho_check_env environment(ho_call *call, const draft *d)
{
  ho_check_env env = ho_call_check_env(call, HO_EMPTY);
  env.path = d->place;
  env.strict = true;
  return env;
}

/* First the tree, so that findings point at what was given; then the text as it would stand in the file, which has no
 * credentials whoever gave them. */
static ho_code check_draft(ho_call *call, draft *d, ho_error *err)
{
  ho_buf text;
  ho_doc written;
  ho_check_env env = environment(call, d);
  ho_check check = {.format = d->format,
                    .root = d->root,
                    .source = d->report.source,
                    .encoding = d->format->encoding,
                    .wrapper = wrapper_of(d->format),
                    .report = &d->report,
                    .env = &env};
  ho_check_run(&check);
  ho_report_sort(&d->report);
  if (d->report.errors)
    return ho_arena_code(call->arena, err);
  ho_buf_init(&text, 0);
  ho_code code = ho_doc_write(d->format, d->root, d->format->encoding, &text, err);
  d->text = ho_buf_move(&text, call->arena);
  if (!code)
    code = ho_project_begin(&call->project, err);
  if (!code)
    code = ho_redact_read(&call->project, call->arena, d->place.n ? d->place : HO_STR("-"), &d->text, d->format,
                          &written, &d->secrets, err);
  if (!code)
    code = ho_doc_check(&written, &env, err);
  if (!code && written.report.errors)
    d->report = written.report;
  return code;
}

static ho_code write_file(ho_call *call, const draft *d, ho_error *err)
{
  ho_str full = ho_fs_join(call->arena, call->host->root, d->place);
  ho_str shown = ho_shown_path(call, full);
  if (!ho_fs_inside(call->host->root.p, full.p))
    return ho_fail_file(err, HO_IO, shown, "would be outside the project");
  ho_code code = ho_fs_mkdirs_in(call->host->root.p, ho_arena_z(call->arena, ho_fs_parent(full)), err);
  if (!code)
    code = ho_fs_write_in(call->host->root.p, full.p, d->text, HO_FS_CREATE, err);
  if (code) {
    ho_error_copy(err->file, sizeof err->file, shown);
    return code;
  }
  ho_map_addz(call->result, "path", ho_node_text(call->arena, shown));
  return HO_OK;
}

/* What is wrong, for the result and for people. */
static void put_findings(ho_call *call, const draft *d)
{
  ho_buf line;
  ho_str from = ho_arg_str(call, "from");
  size_t errors = d->report.errors + d->secrets.errors;
  ho_node *findings = ho_map_addz(call->result, "findings", ho_findings_node(call->arena, &d->report));
  HO_EACH_CONST (finding, ho_findings_node(call->arena, &d->secrets))
    ho_list_add(findings, ho_node_copy(call->arena, finding));
  ho_map_addz(call->result, "errors", ho_node_number(call->arena, (long long)errors));
  ho_map_addz(call->result, "warnings",
              ho_node_number(call->arena, (long long)(d->report.warnings + d->secrets.warnings)));
  HO_EACH_CONST (finding, findings) {
    ho_buf_init(&line, 0);
    ho_finding_text(&line, from.n ? from : ho_str_of(d->format->name), finding, false);
    ho_str text = ho_str_trim_end(ho_buf_move(&line, call->arena));
    ho_call_note(call, "%.*s", HO_ARG(text));
  }
  if (errors)
    ho_call_note(call, "nothing was written: the document breaks %zu rule%s; use --set or --from", errors,
                 ho_plural((long long)errors));
}

static ho_code finish(ho_call *call, draft *d, ho_error *err)
{
  ho_error misplaced = {0};
  bool print = ho_arg_true(call, "print");
  if (!print && ho_new_place(call, d->format, d->root, &d->place, &misplaced))
    d->place = HO_EMPTY;
  ho_code code = check_draft(call, d, err);
  if (!code) {
    put_findings(call, d);
    if (d->report.errors + d->secrets.errors)
      code = HO_INVALID;
    else if (misplaced.code)
      code = (*err = misplaced).code;
    else if (print)
      ho_map_addz(call->result, "text", ho_node_text(call->arena, d->text));
    else
      code = write_file(call, d, err);
  }
  return code;
}

static ho_code run(ho_call *call, ho_error *err)
{
  draft d = {.place = HO_EMPTY};
  ho_code code = ho_arg_format(call, "format", &d.format, err);
  if (code)
    return code;
  ho_map_addz(call->result, "format", ho_node_textz(call->arena, d.format->name));
  code = build(call, &d, err);
  return code ? code : finish(call, &d, err);
}

static void render(const ho_call *call, ho_buf *out, bool colour)
{
  const ho_node *path = ho_map_getz(call->result, "path"), *text = ho_map_getz(call->result, "text");
  (void)colour;
  ho_buf_put(out, ho_node_str(text));
  if (path)
    ho_buf_printf(out, "%.*s\n", HO_ARG(path->text));
}

static const ho_field params[] = {
    {.name = "format",
     .label = "FORMAT",
     .doc = "Format of the document.",
     .type = HO_T_TEXT,
     .flags = HO_REQUIRED | HO_POSITIONAL | HO_IS_FORMAT},
    {.name = "set",
     .label = "POINTER=VALUE",
     .doc = "Set a value, for example /context/summary=TEXT. '-' appends to a list (/key_decisions/-/decision). The "
            "value of a list or record may be JSON.",
     .type = HO_T_LIST,
     .item = HO_T_TEXT},
    {.name = "from",
     .label = "FILE",
     .doc = "Start from this document, in any encoding; '-' for standard input.",
     .type = HO_T_TEXT,
     .flags = HO_IS_FILE},
    {.name = "task", .label = "N", .doc = "Number of the task.", .type = HO_T_TEXT},
    {.name = "slug",
     .label = "S",
     .doc = "Name of the task in its folder; needed only if the folder does not exist yet.",
     .type = HO_T_TEXT},
    {.name = "phase", .label = "P", .doc = "Phase of the task's plan.", .type = HO_T_TEXT},
    {.name = "print", .doc = "Print the document and write nothing.", .type = HO_T_BOOL},
    HO_FIELDS_END};
static const ho_record params_record = {.name = "new", .fields = params};
static const ho_field result[] = {
    {.name = "format", .doc = "Format of the document.", .type = HO_T_TEXT, .flags = HO_REQUIRED},
    {.name = "path", .doc = "Path of the file; absent if none was written.", .type = HO_T_TEXT},
    {.name = "text", .doc = "With --print: the document.", .type = HO_T_TEXT},
    HO_FINDINGS_FIELD("findings", "The findings."),
    HO_FINDING_COUNTS,
    HO_NOTES_FIELD,
    HO_FIELDS_END};
static const ho_record result_record = {.name = "new result", .fields = result};

const ho_command ho_command_new = {
    .name = "new",
    .group = "documents",
    .summary = "Create a checked document at its usual path",
    .doc =
        "Times, ids and defaults are filled in; a request continues from the newest response of its task (--task, else "
        "the newest of all). A document that breaks a rule is refused with findings (exit status "
        "4), and an existing file is never overwritten (exit status 6).",
    .examples = "handoff new progress --task 7 --slug fast_start --phase 1 --set /phase_name=Measure "
                "--set /objectives/-/description='Measure the start' --set /objectives/0/id=1 "
                "--set /objectives/0/status=not_started --set /current_objective=1",
    .effect = HO_EFFECT_WRITE,
    .params = &params_record,
    .result = &result_record,
    .run = run,
    .render = render,
    .raw = true,
};
