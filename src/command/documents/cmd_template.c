#include "command/call.h"
#include "command/commands.h"
#include "model/document/write.h"
#include "model/formats/formats.h"
#include "model/formats/response_findings.h"

static ho_code run(ho_call *call, ho_error *err)
{
  const ho_format *format;
  ho_encoding encoding;
  ho_code code = ho_arg_format(call, "format", &format, err);
  if (code)
    return code;
  ho_str phase = ho_arg_str(call, "phase");
  if (phase.n && (format != &ho_format_response || !ho_response_findings_fields(phase)))
    return ho_fail(err, HO_USAGE, "--phase is for a response of the phase research, write, validate or parallel");
  if (!ho_arg(call, "form") || !ho_encoding_named(ho_arg_str(call, "form"), &encoding))
    encoding = format->encoding;
  ho_buf text;
  ho_buf_init(&text, 0);
  if (encoding == HO_YAML)
    ho_buf_puts(&text,
                "# Replace every {placeholder}; those marked (required) are needed, other fields may be deleted.\n");
  const ho_node *root =
      phase.n ? ho_response_findings_form(call->arena, HO_STR("…"), phase) : ho_doc_template(format, call->arena);
  code = root ? ho_doc_write(format, root, encoding, &text, err) : ho_arena_code(call->arena, err);
  ho_map_addz(call->result, "format", ho_node_textz(call->arena, format->name));
  ho_map_addz(call->result, "encoding", ho_node_textz(call->arena, ho_encoding_name(encoding)));
  ho_map_addz(call->result, "text", ho_node_text(call->arena, ho_buf_move(&text, call->arena)));
  return code;
}

static const ho_choice encodings[] = {{.value = "md", .doc = "Markdown", .synonyms = "markdown"},
                                      {.value = "yaml", .doc = "YAML", .synonyms = "yml"},
                                      {.value = "json", .doc = "JSON"},
                                      {0}};
static const ho_field params[] = {
    {.name = "format",
     .label = "FORMAT",
     .doc = "Name of the format.",
     .type = HO_T_TEXT,
     .flags = HO_REQUIRED | HO_POSITIONAL | HO_IS_FORMAT},
    HO_PARAM_FORM("Encoding. Default: the usual one of the format.", "as", .choices = encodings),
    {.name = "phase", .label = "P", .doc = "Of a response: only what its phase returns, in short.", .type = HO_T_TEXT},
    HO_FIELDS_END};
static const ho_record params_record = {.name = "template", .fields = params};
static const ho_field result[] = {
    {.name = "format", .doc = "Name of the format.", .type = HO_T_TEXT, .flags = HO_REQUIRED},
    {.name = "encoding", .doc = "md, yaml or json.", .type = HO_T_TEXT, .flags = HO_REQUIRED},
    {.name = "text", .doc = "The template.", .type = HO_T_TEXT, .flags = HO_REQUIRED},
    HO_FIELDS_END};
static const ho_record result_record = {.name = "template result", .fields = result};

const ho_command ho_command_template = {
    .name = "template",
    .group = "documents",
    .summary = "Print an empty document to fill in",
    .doc =
        "The document has every field that a complete one has, each with a placeholder that says what belongs there. "
        "Those marked (required) must be replaced; other fields may be deleted.",
    .examples =
        "handoff template artifact\nhandoff template package --form json\nhandoff template response --phase research",
    .teammate = true,
    .effect = HO_EFFECT_NONE,
    .params = &params_record,
    .result = &result_record,
    .run = run,
    .render = ho_render_text,
    .raw = true,
};
