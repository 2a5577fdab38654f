/* Opens no file and looks at nothing: it is also what the start of the program is measured by. */
#include "command/commands.h"
#include "doc/markdown/markdown.h"
#include "doc/yaml/yaml.h"
#include "store/store.h"

static ho_code run(ho_call *call, ho_error *err)
{
  (void)err;
  ho_node *libraries = ho_node_new(call->arena, HO_KIND_MAP);
  ho_map_addz(libraries, "sqlite", ho_node_textz(call->arena, ho_store_library()));
  ho_map_addz(libraries, "libyaml", ho_node_textz(call->arena, ho_yaml_library()));
  ho_map_addz(libraries, "cmark", ho_node_textz(call->arena, ho_md_library()));
  ho_map_addz(call->result, "version", ho_node_textz(call->arena, HO_VERSION));
  ho_map_addz(call->result, "libraries", libraries);
  return HO_OK;
}

static void render(const ho_call *call, ho_buf *out, bool colour)
{
  (void)colour;
  ho_buf_printf(out, "handoff %s\n", HO_VERSION);
  HO_EACH_CONST (library, ho_map_getz(call->result, "libraries"))
    ho_buf_printf(out, "  %.*s %.*s\n", HO_ARG(library->key), HO_ARG(library->text));
}

static const ho_field params[] = {HO_FIELDS_END};
static const ho_record params_record = {.name = "version", .fields = params};
static const ho_field library_fields[] = {
    {.name = "sqlite", .doc = "Version of the database.", .type = HO_T_TEXT, .flags = HO_REQUIRED},
    {.name = "libyaml", .doc = "Version of the YAML reader.", .type = HO_T_TEXT, .flags = HO_REQUIRED},
    {.name = "cmark", .doc = "Version of the Markdown reader.", .type = HO_T_TEXT, .flags = HO_REQUIRED},
    HO_FIELDS_END};
static const ho_record library_record = {.name = "libraries", .fields = library_fields};
static const ho_field result[] = {
    {.name = "version", .doc = "Version of the program.", .type = HO_T_TEXT, .flags = HO_REQUIRED},
    {.name = "libraries",
     .doc = "Versions of the libraries.",
     .type = HO_T_RECORD,
     .record = &library_record,
     .flags = HO_REQUIRED},
    HO_FIELDS_END};
static const ho_record result_record = {.name = "version result", .fields = result};

const ho_command ho_command_version = {
    .name = "version",
    .group = "setup",
    .summary = "Show the version of the program and its libraries",
    .doc = "'handoff --version' does the same.",
    .examples = "handoff version",
    .teammate = true,
    .effect = HO_EFFECT_NONE,
    .params = &params_record,
    .result = &result_record,
    .run = run,
    .render = render,
};
