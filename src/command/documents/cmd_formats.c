#include "command/call.h"
#include "command/commands.h"
#include "command/documents/pages.h"

static ho_code run(ho_call *call, ho_error *err)
{
  (void)err;
  ho_node *list = ho_map_addz(call->result, "formats", ho_node_new(call->arena, HO_KIND_LIST));
  for (const ho_format *const *format = ho_formats; *format; format++) {
    ho_node *item = ho_list_add(list, ho_node_new(call->arena, HO_KIND_MAP));
    ho_map_addz(item, "name", ho_node_textz(call->arena, (*format)->name));
    ho_map_addz(item, "encoding", ho_node_textz(call->arena, ho_encoding_name((*format)->encoding)));
    ho_map_addz(item, "title", ho_node_textz(call->arena, (*format)->title));
    ho_map_addz(item, "doc", ho_node_textz(call->arena, (*format)->doc));
    if ((*format)->place)
      ho_map_addz(item, "place", ho_node_textz(call->arena, (*format)->place));
  }
  return HO_OK;
}

static void render(const ho_call *call, ho_buf *out, bool colour)
{
  bool pages = ho_arg_str(call, "form").n > 0;
  (void)colour;
  ho_buf_puts(out, pages ? "# Formats\n" : "");
  for (const ho_format *const *format = ho_formats; *format; format++) {
    if (pages) {
      ho_buf_putc(out, '\n');
      ho_pages_format(out, *format);
    } else {
      ho_buf_printf(out, "%-9s %-5s %s\n", (*format)->name, ho_encoding_name((*format)->encoding), (*format)->title);
    }
  }
}

static const ho_choice pages[] = {{"md", "A page per format, in Markdown.", NULL}, {0}};
static const ho_field params[] = {
    HO_PARAM_FORM("Write out each format, with its fields, rules and an example.", "as", .choices = pages),
    HO_FIELDS_END};
static const ho_record params_record = {.name = "formats", .fields = params};
static const ho_field format_fields[] = {
    {.name = "name", .doc = "Name of the format.", .type = HO_T_TEXT, .flags = HO_REQUIRED},
    {.name = "encoding", .doc = "Its usual encoding: md, json or yaml.", .type = HO_T_TEXT, .flags = HO_REQUIRED},
    {.name = "title", .doc = "Title of the format.", .type = HO_T_TEXT, .flags = HO_REQUIRED},
    {.name = "doc", .doc = "What it is used for.", .type = HO_T_TEXT, .flags = HO_REQUIRED},
    {.name = "place", .doc = "Where 'handoff new' writes it.", .type = HO_T_TEXT},
    HO_FIELDS_END};
static const ho_record format_record = {.name = "format", .fields = format_fields};
static const ho_field result[] = {{.name = "formats",
                                   .doc = "All formats.",
                                   .type = HO_T_LIST,
                                   .item = HO_T_RECORD,
                                   .record = &format_record,
                                   .flags = HO_REQUIRED},
                                  HO_FIELDS_END};
static const ho_record result_record = {.name = "formats result", .fields = result};

const ho_command ho_command_formats = {
    .name = "formats",
    .group = "documents",
    .summary = "List the formats of handoff documents",
    .doc = "Shows the name, the usual encoding and the title of each format; with --form md, all that its table says.",
    .examples = "handoff formats --form md",
    .teammate = true,
    .effect = HO_EFFECT_NONE,
    .params = &params_record,
    .result = &result_record,
    .run = run,
    .render = render,
};
