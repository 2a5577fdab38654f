#include "command/call.h"
#include "command/commands.h"
#include "doc/json/json.h"
#include "model/document/json_schema.h"

static ho_code run(ho_call *call, ho_error *err)
{
  const ho_format *format;
  ho_code code = ho_arg_format(call, "format", &format, err);
  if (code)
    return code;
  call->result = ho_json_schema(format, call->arena);
  return HO_OK;
}

static void render(const ho_call *call, ho_buf *out, bool colour)
{
  (void)colour;
  ho_json_write(out, call->result, 2);
  ho_buf_putc(out, '\n');
}

static const ho_field params[] = {{.name = "format",
                                   .label = "FORMAT",
                                   .doc = "Name of the format.",
                                   .type = HO_T_TEXT,
                                   .flags = HO_REQUIRED | HO_POSITIONAL | HO_IS_FORMAT},
                                  HO_FIELDS_END};
static const ho_record params_record = {.name = "schema", .fields = params};
static const ho_field result[] = {
    {.name = "title", .doc = "Title of the format.", .type = HO_T_TEXT, .flags = HO_REQUIRED},
    {.name = "description", .doc = "What the format is used for.", .type = HO_T_TEXT},
    {.name = "type", .doc = "Type of the document.", .type = HO_T_TEXT, .flags = HO_REQUIRED},
    {.name = "properties", .doc = "Properties of the document.", .type = HO_T_ANY},
    {.name = "required", .doc = "Names of the required properties.", .type = HO_T_ANY},
    {.name = "additionalProperties", .doc = "Schema of any other properties.", .type = HO_T_ANY},
    {.name = "allOf", .doc = "Conditions.", .type = HO_T_ANY},
    HO_FIELDS_END};
static const ho_record result_record = {.name = "schema result", .fields = result};

const ho_command ho_command_schema = {
    .name = "schema",
    .group = "documents",
    .summary = "Print the JSON Schema of a format",
    .doc = "The schema (2020-12) describes the canonical JSON form. Rules that JSON Schema cannot express are left to "
           "'handoff check'.",
    .examples = "handoff schema package",
    .teammate = true,
    .effect = HO_EFFECT_NONE,
    .params = &params_record,
    .result = &result_record,
    .run = run,
    .render = render,
};
