#include "engine/project/quote.h"
#include "base/fs.h"
#include "base/limits.h"
#include "command/call.h"
#include "command/commands.h"
#include "command/findings.h"
#include "model/convert/convert.h"
#include "model/document/write.h"

/* A conversion under way. */
typedef struct job {
  ho_conversion how;
  ho_doc doc;     /* the source */
  ho_node *out;   /* the result's tree */
  ho_node *kept;  /* pointers of what has no place in it */
  ho_str file;    /* absolute path of -o; "" without */
  ho_str details; /* absolute path of the file beside it that holds x_kept; "" if it is in the document */
  ho_str details_text;
} job;

static const char details_head[] = "# Details\n\nContent that has no place in the document beside this file.\n\n";

/* Written for people, on few lines. Task files have a block of YAML, which holds x_kept as well. */
static bool is_page(const ho_format *format, ho_encoding encoding)
{
  return encoding == HO_MARKDOWN && format->encoding == HO_MARKDOWN;
}

/* NAME-details.md beside NAME.md. */
static ho_str details_path(ho_str file, ho_arena *arena)
{
  ho_str stem = ho_str_ends(file, ".md") ? ho_str_sub(file, 0, file.n - 3) : file;
  return ho_arena_printf(arena, "%.*s-details.md", HO_ARG(stem));
}

/* A source in Markdown may have its x_kept in the file beside it. */
static ho_code read_details(ho_call *call, job *j, ho_error *err)
{
  ho_str path = ho_arg_str(call, "path"), text;
  ho_node *kept = NULL;
  if (!is_page(j->how.from, j->how.from_encoding) || ho_str_is(path, "-"))
    return HO_OK;
  ho_str beside = details_path(ho_str_of(ho_full_path(call, path)), call->arena);
  if (!ho_fs_is_file(beside.p))
    return ho_arena_code(call->arena, err);
  ho_code code = ho_fs_read(call->arena, beside.p, 0, &text, err);
  if (!code)
    code = ho_kept_read(text, call->arena, &kept, err);
  if (!code && kept)
    ho_map_set(j->doc.root, HO_STR(HO_KEPT), kept);
  return code;
}

static ho_code begin(ho_call *call, job *j, ho_error *err)
{
  const ho_format *format;
  ho_str path = ho_arg_str(call, "path"), output = ho_arg_str(call, "output");
  ho_code code = ho_arg_format(call, "to", &j->how.to, err);
  if (!code)
    code = ho_arg_format(call, "format", &format, err);
  if (!code)
    code = ho_read_document(call, path, format, &j->doc, err);
  if (code)
    return code;
  if (!ho_node_is(j->doc.root, HO_KIND_MAP))
    return ho_fail_file(err, HO_INVALID, path, "is not a valid %s; run: handoff check %.*s", j->doc.format->name,
                        HO_ARG(ho_quote_shell(call->arena, path)));
  j->how.from = j->doc.format;
  j->how.from_encoding = j->doc.encoding;
  if (!ho_arg(call, "form") || !ho_encoding_named(ho_arg_str(call, "form"), &j->how.to_encoding))
    j->how.to_encoding = j->how.to->encoding;
  j->file = output.n ? ho_str_of(ho_full_path(call, output)) : HO_EMPTY;
  return read_details(call, j, err);
}

/* In Markdown, x_kept goes to a file beside the result, if the result is a file. */
static ho_code place_kept(ho_call *call, job *j, ho_error *err)
{
  ho_node *kept = ho_map_getz(j->out, HO_KEPT);
  if (!kept || !j->file.n || !is_page(j->how.to, j->how.to_encoding))
    return HO_OK;
  ho_buf text;
  ho_buf_init(&text, 0);
  ho_node_remove(j->out, kept);
  ho_buf_puts(&text, details_head);
  ho_kept_write(&text, kept);
  j->details = details_path(j->file, call->arena);
  j->details_text = ho_arena_copy(call->arena, ho_buf_str(&text));
  ho_code code = ho_buf_code(&text, err);
  ho_buf_free(&text);
  return code ? code : ho_arena_code(call->arena, err);
}

/* What is there, unless it is from the same conversion, is not overwritten. */
static ho_code check_free(ho_call *call, ho_str path, ho_str text, ho_error *err)
{
  ho_str there;
  if (!path.n || !ho_fs_exists(path.p))
    return HO_OK;
  ho_code code = ho_fs_read(call->arena, path.p, 0, &there, err);
  if (!code && !ho_str_eq(there, text))
    code = ho_fail_file(err, HO_CONFLICT, ho_shown_path(call, path), "already exists; move it away first");
  return code;
}

static ho_code write_file(ho_call *call, ho_str path, ho_str text, const char *key, ho_error *err)
{
  ho_str shown = ho_shown_path(call, path);
  ho_code code = ho_fs_write_in(call->host->root.p, path.p, text, HO_FS_REPLACE, err);
  if (code)
    ho_error_copy(err->file, sizeof err->file, shown);
  ho_map_addz(call->result, key, ho_node_text(call->arena, shown));
  return code;
}

/* Does the result say it, outside of what is kept? */
static bool stands_in(const ho_node *node, const char *text)
{
  if (node->kind == HO_KIND_TEXT && *text && ho_str_has(node->text, text))
    return true;
  HO_EACH_CONST (child, node)
    if (!ho_str_is(child->key, HO_KEPT) && stands_in(child, text))
      return true;
  return false;
}

/* As many as findings: each is looked for in both documents. */
static void put_notes(ho_call *call, const job *j)
{
  size_t noted = 0, most = HO_LIMIT_NOW(FINDINGS);
  ho_str shown = j->file.n ? ho_shown_path(call, j->file) : ho_str_of(j->how.to->name);
  ho_str where = j->details.n ? ho_shown_path(call, j->details) : HO_STR(HO_KEPT);
  HO_EACH_CONST (pointer, j->kept) {
    if (noted++ == most) {
      ho_call_note(call, "%zu more kept in %.*s", (size_t)j->kept->count - most, HO_ARG(where));
      break;
    }
    if (stands_in(j->out, ho_arena_z(call->arena, ho_node_str(ho_node_at(j->doc.root, pointer->text)))))
      ho_call_note(call, "also kept in %.*s, so that it can be converted back: %.*s", HO_ARG(where),
                   HO_ARG(pointer->text));
    else
      ho_call_note(call, "kept in %.*s because %s has no place for it: %.*s", HO_ARG(where), j->how.to->name,
                   HO_ARG(pointer->text));
  }
  ho_findings_note(call, shown, ho_map_getz(call->result, "findings"));
}

/* Reads the result as its reader will, and says what is wrong with it. */
static ho_code check_result(ho_call *call, job *j, ho_str text, ho_error *err)
{
  ho_doc doc;
  ho_str name = ho_arena_printf(call->arena, "converted.%s", ho_encoding_name(j->how.to_encoding));
  ho_check_env env = ho_call_check_env(call, j->file);
  ho_code code = ho_doc_read(&doc, call->arena, name, text, j->how.to, err);
  if (!code)
    code = ho_doc_check(&doc, &env, err);
  if (code)
    return code;
  ho_map_addz(call->result, "findings", ho_findings_node(call->arena, &doc.report));
  ho_map_addz(call->result, "errors", ho_node_number(call->arena, (long long)doc.report.errors));
  ho_map_addz(call->result, "warnings", ho_node_number(call->arena, (long long)doc.report.warnings));
  return doc.report.errors ? HO_INVALID : HO_OK;
}

static ho_code finish(ho_call *call, job *j, ho_error *err)
{
  ho_buf buffer;
  ho_buf_init(&buffer, 0);
  ho_code code = ho_doc_write(j->how.to, j->out, j->how.to_encoding, &buffer, err);
  ho_str text = ho_arena_copy(call->arena, ho_buf_str(&buffer));
  ho_buf_free(&buffer);
  if (!code)
    code = check_free(call, j->file, text, err);
  if (!code)
    code = check_free(call, j->details, j->details_text, err);
  if (code)
    return code;
  ho_map_addz(call->result, "kept", j->kept);
  ho_code verdict = check_result(call, j, text, err);
  if (verdict && verdict != HO_INVALID)
    return verdict;
  if (!j->file.n)
    ho_map_addz(call->result, "text", ho_node_text(call->arena, text));
  else if (!verdict)
    code = write_file(call, j->file, text, "path", err);
  if (!code && !verdict && j->details.n)
    code = write_file(call, j->details, j->details_text, "details", err);
  put_notes(call, j);
  if (verdict && j->file.n)
    ho_call_note(call, "%.*s was not written: the result has errors; without -o it is printed",
                 HO_ARG(ho_shown_path(call, j->file)));
  return code ? code : verdict;
}

static ho_code run(ho_call *call, ho_error *err)
{
  job j = {.file = HO_EMPTY, .details = HO_EMPTY};
  ho_code code = begin(call, &j, err);
  if (code)
    return code;
  ho_map_addz(call->result, "from", ho_node_textz(call->arena, j.how.from->name));
  ho_map_addz(call->result, "to", ho_node_textz(call->arena, j.how.to->name));
  ho_map_addz(call->result, "as", ho_node_textz(call->arena, ho_encoding_name(j.how.to_encoding)));
  code = ho_convert(&j.how, j.doc.root, call->arena, &j.out, &j.kept, err);
  if (!code)
    code = place_kept(call, &j, err);
  return code ? code : finish(call, &j, err);
}

static void render(const ho_call *call, ho_buf *out, bool colour)
{
  const ho_node *path = ho_map_getz(call->result, "path"), *details = ho_map_getz(call->result, "details");
  (void)colour;
  ho_buf_put(out, ho_map_str(call->result, "text"));
  if (path)
    ho_buf_printf(out, "%.*s\n", HO_ARG(path->text));
  if (details)
    ho_buf_printf(out, "%.*s\n", HO_ARG(details->text));
}

static const ho_choice encodings[] = {{.value = "md", .doc = "Markdown", .synonyms = "markdown"},
                                      {.value = "yaml", .doc = "YAML", .synonyms = "yml"},
                                      {.value = "json", .doc = "JSON"},
                                      {0}};
static const ho_field params[] = {
    {.name = "path",
     .label = "PATH",
     .doc = "A file, or '-' for standard input.",
     .type = HO_T_TEXT,
     .flags = HO_REQUIRED | HO_POSITIONAL | HO_IS_FILE},
    {.name = "to",
     .label = "FORMAT",
     .doc = "Format to convert to.",
     .type = HO_T_TEXT,
     .flags = HO_REQUIRED | HO_IS_FORMAT},
    HO_PARAM_FORM("Encoding of the result. Default: the usual one of its format.", "as", .choices = encodings),
    {.name = "output",
     .label = "FILE",
     .doc = "Write the result to FILE, which must not exist yet. Default: standard output.",
     .type = HO_T_TEXT,
     .flags = HO_SHORT_O | HO_IS_FILE},
    HO_PARAM_FORMAT("source"),
    HO_FIELDS_END};
static const ho_record params_record = {.name = "convert", .fields = params};
static const ho_field result[] = {
    {.name = "from", .doc = "Format of the source.", .type = HO_T_TEXT, .flags = HO_REQUIRED},
    {.name = "to", .doc = "Format of the result.", .type = HO_T_TEXT, .flags = HO_REQUIRED},
    {.name = "as", .doc = "Encoding of the result.", .type = HO_T_TEXT, .flags = HO_REQUIRED},
    {.name = "text", .doc = "The result, unless it was written to a file.", .type = HO_T_TEXT},
    {.name = "path", .doc = "The file that was written.", .type = HO_T_TEXT},
    {.name = "details", .doc = "The details file beside it, with what has no place in the result.", .type = HO_T_TEXT},
    {.name = "kept",
     .doc = "Pointers to what has no place in the result's format.",
     .type = HO_T_LIST,
     .item = HO_T_TEXT,
     .flags = HO_REQUIRED | HO_MAY_BE_EMPTY},
    HO_FINDINGS_FIELD("findings", "Findings in the result."),
    HO_FINDING_COUNTS,
    HO_NOTES_FIELD,
    HO_FIELDS_END};
static const ho_record result_record = {.name = "convert result", .fields = result};

const ho_command ho_command_convert = {
    .name = "convert",
    .group = "documents",
    .summary = "Convert a document to another format",
    .doc = "Moves each value to the field that has the same role in the other format. What has no place there is "
           "listed on standard error and kept under x_kept; in Markdown, in a details file beside FILE, or without "
           "FILE in the last section. Converting back restores it.\n\nNothing is invented: a fact that the source does "
           "not state becomes a finding. Exits 4 if the result has errors: it is then printed, but not written to "
           "FILE. Exits 6 "
           "if FILE exists and holds something else.",
    .examples = "handoff convert response.json --to task\nhandoff convert response.json --to meta -o meta.json",
    .effect = HO_EFFECT_WRITE,
    .params = &params_record,
    .result = &result_record,
    .run = run,
    .confined = true,
    .render = render,
    .raw = true,
};
