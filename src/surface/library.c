/* The C library: include/handoff.h on the same model and the same commands as the program. */
#include <dlfcn.h>
#include <handoff.h>

#include "base/fs.h"
#include "base/memory.h"
#include "base/time.h"
#include "command/commands.h"
#include "doc/json/json.h"
#include "model/convert/convert.h"
#include "model/fix/fix.h"
#include "model/secrets/secrets.h"
#include "model/document/write.h"

struct handoff_document {
  ho_arena arena;
  ho_doc doc;
  bool checked, strict;
};

/* A code and its status in handoff.h are the same number. */
#define X(name, text, exit, http, meaning) _Static_assert(HANDOFF_##name == (exit), "see handoff_status in handoff.h");
HO_CODES(X)
#undef X

static handoff_status status_of(ho_code code)
{
  return (handoff_status)ho_code_exit(code);
}

static handoff_status fail(handoff_error *error, const ho_error *err)
{
  if (error) {
    ho_error shown = *err;
    ho_secret_redact_error(&shown);
    *error = (handoff_error){.status = status_of(err->code), .line = err->line, .column = err->column};
    ho_error_copy(error->rule, sizeof error->rule, ho_str_of(shown.rule));
    ho_error_copy(error->file, sizeof error->file, ho_str_of(shown.file));
    ho_error_copy(error->pointer, sizeof error->pointer, ho_str_of(shown.pointer));
    ho_error_copy(error->message, sizeof error->message, ho_str_of(shown.message));
  }
  return status_of(err->code);
}

static handoff_status misuse(handoff_error *error, const char *what)
{
  ho_error err = {0};
  ho_fail(&err, HO_USAGE, "%s is NULL", what);
  return fail(error, &err);
}

static ho_str slice(const char *text, size_t length)
{
  return length == HANDOFF_WHOLE || !text ? ho_str_of(text) : (ho_str){text, length};
}

/* A text for the caller to free. */
static char *give(ho_str text)
{
  char *copy = ho_malloc(text.n + 1);
  if (!copy)
    return NULL;
  if (text.n)
    memcpy(copy, text.p, text.n);
  copy[text.n] = '\0';
  return copy;
}

const char *handoff_version(void)
{
  return HO_VERSION;
}

void handoff_free(void *text)
{
  ho_free(text);
}

static ho_code parse(handoff_document *document, ho_str path, ho_str text, const char *format, ho_error *err)
{
  const ho_format *wanted = format ? ho_format_named(ho_str_of(format)) : NULL;
  if (format && !wanted)
    return ho_fail(err, HO_USAGE, "unknown format '%s'", format);
  path = ho_arena_copy(&document->arena, path);
  text = ho_arena_copy(&document->arena, text);
  ho_code code = ho_arena_code(&document->arena, err);
  if (!code)
    code = ho_doc_read(&document->doc, &document->arena, path, text, wanted, err);
  if (!code && !document->doc.format)
    code = ho_fail_file(err, HO_NOT_FOUND, path, "is not recognised as a handoff document");
  return code;
}

static handoff_status parse_new(handoff_document **out, ho_str path, ho_str text, const char *format,
                                handoff_error *error)
{
  ho_error err = {0};
  handoff_document *document = ho_malloc(sizeof *document);
  *out = NULL;
  if (!document) {
    ho_fail_memory(&err);
    return fail(error, &err);
  }
  *document = (handoff_document){.checked = false};
  ho_arena_init(&document->arena, 0);
  if (parse(document, path, text, format, &err)) {
    handoff_document_free(document);
    return fail(error, &err);
  }
  *out = document;
  return HANDOFF_OK;
}

handoff_status handoff_document_parse(handoff_document **out, const char *path, const char *text, size_t length,
                                      const char *format, handoff_error *error)
{
  if (!out)
    return misuse(error, "out");
  *out = NULL;
  if (!text && length)
    return misuse(error, "text");
  return parse_new(out, ho_str_of(path), slice(text, length), format, error);
}

void handoff_document_free(handoff_document *document)
{
  if (!document)
    return;
  ho_arena_free(&document->arena);
  ho_free(document);
}

const char *handoff_document_format(const handoff_document *document)
{
  return document ? document->doc.format->name : NULL;
}

/* Findings of the rules are added once; those of reading are there from the start. */
static ho_code check(handoff_document *document, bool strict, ho_error *err)
{
  ho_check_env env = {.path = document->doc.source.path, .strict = strict};
  if (document->checked && document->strict == strict)
    return HO_OK;
  if (document->checked)
    return ho_fail(err, HO_USAGE, "the document is already checked, %s", strict ? "leniently" : "strictly");
  document->checked = true;
  document->strict = strict;
  ho_code code = ho_doc_check(&document->doc, &env, err);
  ho_secret_redact_report(&document->doc.report);
  return code ? code : ho_arena_code(&document->arena, err);
}

handoff_status handoff_document_check(handoff_document *document, int strict, handoff_error *error)
{
  ho_error err = {0};
  if (!document)
    return misuse(error, "document");
  if (check(document, strict != 0, &err))
    return fail(error, &err);
  return document->doc.report.errors ? HANDOFF_INVALID : HANDOFF_OK;
}

size_t handoff_document_finding_count(const handoff_document *document)
{
  return document ? document->doc.report.count : 0;
}

handoff_finding handoff_document_finding_at(const handoff_document *document, size_t index)
{
  if (index >= handoff_document_finding_count(document))
    return (handoff_finding){.severity = HANDOFF_NOTE, .rule = "", .pointer = "", .message = "", .fix = ""};
  const ho_finding *finding = &document->doc.report.items[index];
  return (handoff_finding){.severity = (handoff_severity)finding->severity,
                           .rule = finding->rule->id,
                           .pointer = finding->pointer.p,
                           .message = finding->message.p,
                           .fix = finding->rule->fix,
                           .line = finding->line,
                           .column = finding->column};
}

/* Hands over what is in the buffer, and frees it. */
static handoff_status hand_over(ho_buf *out, ho_code code, char **text, ho_error *err, handoff_error *error)
{
  if (!code)
    code = ho_buf_code(out, err);
  if (!code && !(*text = give(ho_buf_str(out))))
    code = ho_fail_memory(err);
  ho_buf_free(out);
  return code ? fail(error, err) : HANDOFF_OK;
}

handoff_status handoff_document_write(const handoff_document *document, const char *encoding, char **text,
                                      handoff_error *error)
{
  ho_error err = {0};
  ho_buf out;
  if (!text || !document)
    return misuse(error, text ? "document" : "text");
  ho_encoding wanted = document->doc.format->encoding;
  *text = NULL;
  if (encoding && !ho_encoding_named(ho_str_of(encoding), &wanted)) {
    ho_fail(&err, HO_USAGE, "unknown encoding '%s'; use json, yaml or md", encoding);
    return fail(error, &err);
  }
  ho_buf_init(&out, 0);
  ho_code code = ho_doc_write(document->doc.format, document->doc.root, wanted, &out, &err);
  return hand_over(&out, code, text, &err, error);
}

/* Reads the source afresh and checks it, so that the caller's document stays as it is, and fixes that. */
static ho_code fix(const handoff_document *document, const char *existing, ho_arena *arena, ho_fixed *fixed,
                   ho_error *err)
{
  ho_doc doc;
  ho_fix_env env = {.check = {.path = document->doc.source.path}, .root = HO_EMPTY, .old_details = HO_EMPTY};
  env.details = ho_str_of(existing);
  ho_code code =
      ho_doc_read(&doc, arena, document->doc.source.path, document->doc.source.text, document->doc.format, err);
  if (!code)
    code = ho_doc_check(&doc, &env.check, err);
  return code ? code : ho_fix(&doc, &env, arena, fixed, err);
}

handoff_status handoff_document_fix(const handoff_document *document, const char *existing, char **text, char **details,
                                    handoff_error *error)
{
  ho_error err = {0};
  ho_arena arena;
  ho_fixed fixed = {0};
  if (!text || !details || !document)
    return misuse(error, !text ? "text" : !details ? "details" : "document");
  *text = *details = NULL;
  ho_arena_init(&arena, 0);
  ho_code code = fix(document, existing, &arena, &fixed, &err);
  if (!code) {
    *text = give(fixed.text);
    *details = fixed.details.n ? give(fixed.details) : NULL;
    if (!*text || (fixed.details.n && !*details)) {
      ho_free(*text);
      ho_free(*details);
      *text = *details = NULL;
      code = ho_fail_memory(&err);
    }
  }
  ho_arena_free(&arena);
  return code ? fail(error, &err) : HANDOFF_OK;
}

static ho_code convert(const handoff_document *document, const ho_format *to, ho_buf *out, ho_error *err)
{
  ho_arena arena;
  ho_node *tree = NULL, *kept = NULL;
  ho_conversion how = {
      .from = document->doc.format, .to = to, .from_encoding = document->doc.encoding, .to_encoding = to->encoding};
  ho_arena_init(&arena, 0);
  ho_code code = ho_convert(&how, document->doc.root, &arena, &tree, &kept, err);
  if (!code)
    code = ho_doc_write(to, tree, to->encoding, out, err);
  ho_arena_free(&arena);
  return code;
}

handoff_status handoff_document_convert(const handoff_document *document, const char *to, handoff_document **out,
                                        handoff_error *error)
{
  ho_error err = {0};
  ho_buf text;
  char name[64];
  if (!out || !document)
    return misuse(error, out ? "document" : "out");
  *out = NULL;
  const ho_format *format = ho_format_named(ho_str_of(to));
  if (!format) {
    ho_fail(&err, HO_USAGE, "unknown format '%s'", to ? to : "");
    return fail(error, &err);
  }
  ho_buf_init(&text, 0);
  ho_code code = convert(document, format, &text, &err);
  snprintf(name, sizeof name, "converted.%s", ho_encoding_name(format->encoding));
  handoff_status status =
      code ? fail(error, &err) : parse_new(out, ho_str_of(name), ho_buf_str(&text), format->name, error);
  ho_buf_free(&text);
  return status;
}

static int64_t clock_ms(void *world)
{
  (void)world;
  return ho_time_now_ms();
}

static ho_code no_input(void *world, ho_arena *arena, ho_str *out, ho_error *err)
{
  (void)world;
  (void)arena;
  (void)out;
  return ho_fail(err, HO_USAGE, "a library call cannot read standard input ('-')");
}

/* The file that this code was loaded from, or "". */
static ho_str own_file(void)
{
  Dl_info info;
  bool known = dladdr((const void *)&ho_global_options, &info) && info.dli_fname && info.dli_fname[0] == '/';
  return known ? ho_str_of(info.dli_fname) : HO_EMPTY;
}

static ho_host new_engine(ho_arena *arena)
{
  return (ho_host){.arena = arena,
                   .root = HO_EMPTY,
                   .folder = HO_EMPTY,
                   .store = ho_str_of(getenv("HANDOFF_STORE")),
                   .library = own_file(),
                   .clock_ms = clock_ms,
                   .read_input = no_input};
}

size_t handoff_tokens(const char *text, size_t length, int *exact)
{
  ho_arena arena;
  ho_arena_init(&arena, 0);
  ho_host host = new_engine(&arena);
  const ho_tokens *tokens = ho_host_tokens(&host);
  size_t count = ho_tokens_count(tokens, slice(text, length));
  if (exact)
    *exact = tokens != NULL;
  ho_host_close(&host);
  ho_arena_free(&arena);
  return count;
}

static ho_code read_arguments(ho_arena *arena, const char *arguments, ho_node **out, ho_error *err)
{
  ho_source source;
  ho_str text = arguments ? ho_str_of(arguments) : HO_STR("{}");
  ho_code code = ho_source_init(&source, arena, HO_STR("arguments"), text, err);
  return code ? code : ho_json_read(&source, 0, arena, NULL, out, err);
}

/* *err stays untouched if the code is an answer that comes with a result. */
static ho_code call_command(ho_host *host, const char *root, const char *name, const char *arguments, ho_buf *out,
                            ho_error *err)
{
  ho_node *args = NULL;
  const ho_command *command = ho_command_named(ho_str_of(name));
  if (!command)
    return ho_fail(err, HO_USAGE, "unknown command '%s'", name ? name : "");
  ho_code code = read_arguments(host->arena, arguments, &args, err);
  if (!code && command->effect != HO_EFFECT_NONE)
    code = ho_host_root(host, root, err);
  if (code)
    return code;
  ho_call call = {.host = host, .args = args, .arena = host->arena};
  code = ho_dispatch(command, &call, err);
  if (!err->code)
    ho_json_write(out, call.result, 0);
  return code;
}

handoff_status handoff_call(const char *root, const char *command, const char *arguments, char **result,
                            handoff_error *error)
{
  ho_error err = {0};
  ho_arena arena;
  ho_buf out;
  if (!result)
    return misuse(error, "result");
  *result = NULL;
  ho_arena_init(&arena, 0);
  ho_buf_init(&out, 0);
  ho_host host = new_engine(&arena);
  ho_code code = call_command(&host, root, command, arguments, &out, &err);
  if (!err.code && !ho_buf_code(&out, &err) && !(*result = give(ho_buf_str(&out))))
    ho_fail_memory(&err);
  ho_buf_free(&out);
  ho_host_close(&host);
  ho_arena_free(&arena);
  return err.code ? fail(error, &err) : status_of(code);
}
