#include "engine/project/quote.h"
#include "base/fs.h"
#include "command/commands.h"
#include "command/delivered.h"
#include "command/documents/show.h"
#include "engine/ledger/turn.h"
#include "engine/ledger/write.h"
#include "engine/project/identity.h"
#include "model/document/write.h"
#include "store/handoffs/bodies.h"

/* A handoff by its id: the document as it is stored, and what is known about it. */
static ho_code read_stored(ho_call *call, ho_str id, ho_doc *doc, ho_error *err)
{
  ho_project *project = &call->project;
  ho_turn turn = {0};
  ho_str body = HO_EMPTY;
  ho_node *handoff = NULL;
  ho_code code = ho_open_ledger(call, false, err);
  if (code)
    return code;
  ho_ledger_settle(project);
  code = ho_turn_begin(project, id, call->arena, &turn, err);
  if (!code)
    code = ho_bodies_get(project->store, turn.row.digest, call->arena, &body, err);
  if (!code)
    code = ho_delivered_node(call, project, &turn.row, body, &handoff, err);
  if (!code)
    code = ho_doc_read(doc, call->arena, id, body, ho_format_named(turn.row.kind), err);
  ho_map_addz(call->result, "handoff", handoff);
  return code;
}

static bool is_id(ho_call *call, ho_str path)
{
  return ho_id_fits(path) && !ho_fs_exists(ho_full_path(call, path)) &&
         (ho_str_starts(path, "HO-") || ho_str_find_char(path, '.') == HO_NONE);
}

/* A file or, if there is none of that name, the handoff with that id. */
static ho_code read_either(ho_call *call, ho_str path, const ho_format *format, ho_doc *doc, ho_error *err)
{
  ho_error other = {0};
  if (format || !is_id(call, path))
    return ho_read_document(call, path, format, doc, err);
  ho_code code = read_stored(call, path, doc, &other);
  if (code == HO_NOT_FOUND && ho_ledger_call_elsewhere(call, path, err))
    return code;
  if (code == HO_NOT_FOUND)
    return ho_fail_file(err, HO_NOT_FOUND, path, "no such file or handoff");
  if (code)
    *err = other;
  return code;
}

static ho_code run(ho_call *call, ho_error *err)
{
  ho_doc doc;
  ho_buf text;
  ho_encoding encoding;
  const ho_format *format;
  ho_str path = ho_arg_str(call, "path"), as = ho_arg_str(call, "form");
  ho_code code = ho_arg_format(call, "format", &format, err);
  if (!code)
    code = read_either(call, path, format, &doc, err);
  if (code)
    return code;
  ho_buf_init(&text, 0);
  if (!doc.root || doc.root->kind != HO_KIND_MAP)
    code = ho_fail_file(err, HO_INVALID, path, "is not a valid %s; run: handoff check %.*s", doc.format->name,
                        HO_ARG(ho_quote_shell(call->arena, path)));
  else if (ho_str_is(as, "text"))
    ho_show_text(&text, doc.format, doc.root, call->host->columns);
  else if (ho_str_is(as, "html"))
    ho_show_html(&text, doc.format, doc.root);
  else if (ho_encoding_named(as, &encoding))
    code = ho_doc_write(doc.format, doc.root, encoding, &text, err);
  ho_map_addz(call->result, "path", ho_node_text(call->arena, path));
  ho_map_addz(call->result, "format", ho_node_textz(call->arena, doc.format->name));
  ho_map_addz(call->result, "as", ho_node_text(call->arena, as));
  ho_map_addz(call->result, "text", ho_node_text(call->arena, ho_buf_move(&text, call->arena)));
  return code;
}

static void render(const ho_call *call, ho_buf *out, bool colour)
{
  const ho_node *handoff = ho_map_getz(call->result, "handoff");
  (void)colour;
  ho_str text = ho_map_str(call->result, "text");
  if (!handoff || !ho_str_is(ho_arg_str(call, "form"), "text")) {
    ho_buf_put(out, text);
    return;
  }
  ho_delivered_head(out, handoff);
  ho_delivered_rendered(out, call->arena, text);
  ho_str details = ho_map_str(handoff, "details");
  if (details.n) {
    ho_buf_putc(out, '\n');
    ho_delivered_marked(out, call->arena, details);
  }
}

static const ho_choice forms[] = {{.value = "text", .doc = "for reading, as wide as the terminal (up to 100 columns)"},
                                  {.value = "md", .doc = "Markdown, for formats that have it", .synonyms = "markdown"},
                                  {.value = "yaml", .doc = "canonical YAML", .synonyms = "yml"},
                                  {.value = "json", .doc = "canonical JSON"},
                                  {.value = "html", .doc = "a page that is safe to open"},
                                  {0}};
static const ho_field params[] = {{.name = "path",
                                   .label = "PATH|ID",
                                   .doc = "A file, '-' for standard input, or the id of a handoff.",
                                   .type = HO_T_TEXT,
                                   .flags = HO_REQUIRED | HO_POSITIONAL | HO_IS_FILE},
                                  HO_PARAM_FORM("Output format.", "as", .choices = forms, .fallback = "text"),
                                  HO_PARAM_FORMAT("document"),
                                  HO_FIELDS_END};
static const ho_record params_record = {.name = "show", .fields = params};
static const ho_field result[] = {
    {.name = "path", .doc = "Path or id of the document.", .type = HO_T_TEXT, .flags = HO_REQUIRED},
    {.name = "format", .doc = "Format of the document.", .type = HO_T_TEXT, .flags = HO_REQUIRED},
    {.name = "as", .doc = "Output format.", .type = HO_T_TEXT, .flags = HO_REQUIRED},
    {.name = "text", .doc = "The rendered document.", .type = HO_T_TEXT, .flags = HO_REQUIRED},
    {.name = "handoff",
     .doc = "For a handoff: its state, what was said about it, and what has changed since it was sent.",
     .type = HO_T_RECORD,
     .record = &ho_delivered_record},
    HO_NOTES_FIELD,
    HO_FIELDS_END};
static const ho_record result_record = {.name = "show result", .fields = result};

const ho_command ho_command_show = {
    .name = "show",
    .group = "documents",
    .summary = "Show a document or handoff",
    .doc = "Shows everything in the document, including fields that its format does not define. A handoff also comes "
           "with its state, what was said about it, what has changed since it was sent, and what did not fit in it.",
    .examples = "handoff show package.yaml\nhandoff show package.yaml --form json",
    .common = true,
    .teammate = true,
    .effect = HO_EFFECT_READ,
    .params = &params_record,
    .result = &result_record,
    .run = run,
    .confined = true,
    .render = render,
    .raw = true,
};
