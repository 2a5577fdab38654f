#include "command/call.h"
#include "command/show.h"
#include "model/write.h"

static ho_code run(ho_call *call, ho_error *err)
{
  ho_doc doc;
  ho_buf text;
  ho_encoding encoding;
  const ho_format *format;
  ho_str path = ho_arg_str(call, "path"), as = ho_arg_str(call, "as");
  ho_code code = ho_arg_format(call, "format", &format, err);
  if (!code)
    code = ho_read_document(call, path, format, &doc, err);
  if (code)
    return code;
  ho_buf_init(&text, 0);
  if (!doc.root || doc.root->kind != HO_KIND_MAP)
    code = ho_fail_file(err, HO_INVALID, path, "is no %s: 'handoff check' says why", doc.format->name);
  else if (ho_str_is(as, "text"))
    ho_show_text(&text, doc.format, doc.root);
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
  (void)colour;
  ho_buf_put(out, ho_node_str(ho_map_getz(call->result, "text")));
}

static const ho_choice forms[] = {{.value = "text", .doc = "for reading, at 80 columns"},
                                  {.value = "md", .doc = "Markdown, for formats that have it", .synonyms = "markdown"},
                                  {.value = "yaml", .doc = "canonical YAML", .synonyms = "yml"},
                                  {.value = "json", .doc = "canonical JSON"},
                                  {.value = "html", .doc = "a page, safe to open"},
                                  {0}};
static const ho_field params[] = {
    {.name = "path",
     .label = "PATH",
     .doc = "A file, or '-' for standard input.",
     .type = HO_T_TEXT,
     .flags = HO_REQUIRED | HO_POSITIONAL | HO_IS_FILE},
    {.name = "as", .doc = "In which form.", .type = HO_T_TEXT, .choices = forms, .fallback = "text"},
    {.name = "format",
     .label = "F",
     .doc = "Take it to be of this format, instead of recognising it.",
     .type = HO_T_TEXT,
     .flags = HO_IS_FORMAT},
    HO_FIELDS_END};
static const ho_record params_record = {.name = "show", .fields = params};
static const ho_field result[] = {
    {.name = "path", .doc = "Of the document.", .type = HO_T_TEXT, .flags = HO_REQUIRED},
    {.name = "format", .doc = "Of the document.", .type = HO_T_TEXT, .flags = HO_REQUIRED},
    {.name = "as", .doc = "In which form.", .type = HO_T_TEXT, .flags = HO_REQUIRED},
    {.name = "text", .doc = "The document in that form.", .type = HO_T_TEXT, .flags = HO_REQUIRED},
    HO_FIELDS_END};
static const ho_record result_record = {.name = "show result", .fields = result};

extern const ho_command ho_command_show;
const ho_command ho_command_show = {
    .name = "show",
    .group = "Documents",
    .summary = "Render a document as text, Markdown, YAML, JSON or HTML",
    .doc = "Renders one document. Everything that stands in it is shown, also what its format does not know.",
    .examples = "handoff show package.yaml\nhandoff show package.yaml --as json",
    .effect = HO_EFFECT_READ,
    .params = &params_record,
    .result = &result_record,
    .run = run,
    .render = render,
    .raw = true,
};
