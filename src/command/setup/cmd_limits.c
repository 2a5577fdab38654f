#include "base/limits.h"
#include "command/commands.h"

/* In this project. */
static size_t holds(const ho_limit *limit)
{
  size_t i = (size_t)(limit - ho_limits);
  return i < HO_DOCUMENT_LIMIT_COUNT ? ho_limits_project.value[i] : limit->value;
}

static ho_code run(ho_call *call, ho_error *err)
{
  (void)err;
  ho_node *list = ho_map_addz(call->result, "limits", ho_node_new(call->arena, HO_KIND_LIST));
  for (const ho_limit *limit = ho_limits; limit->name; limit++) {
    ho_node *item = ho_list_add(list, ho_node_new(call->arena, HO_KIND_MAP));
    ho_map_addz(item, "name", ho_node_textz(call->arena, limit->name));
    ho_map_addz(item, "value", ho_node_number(call->arena, (long long)holds(limit)));
    ho_map_addz(item, "unit", ho_node_textz(call->arena, limit->unit));
    ho_map_addz(item, "doc", ho_node_textz(call->arena, limit->doc));
  }
  return HO_OK;
}

static void render(const ho_call *call, ho_buf *out, bool colour)
{
  (void)colour;
  HO_EACH_CONST (item, ho_map_getz(call->result, "limits")) {
    ho_str name = ho_map_str(item, "name"), unit = ho_map_str(item, "unit");
    ho_str value = ho_map_str(item, "value"), doc = ho_map_str(item, "doc");
    ho_buf_printf(out, "%-12.*s %12.*s %-9.*s %.*s\n", HO_ARG(name), HO_ARG(value), HO_ARG(unit), HO_ARG(doc));
  }
}

static const ho_field params[] = {HO_FIELDS_END};
static const ho_record params_record = {.name = "limits", .fields = params};
static const ho_field limit_fields[] = {
    {.name = "name", .doc = "Name of the limit, as in messages.", .type = HO_T_TEXT, .flags = HO_REQUIRED},
    {.name = "value", .doc = "The maximum.", .type = HO_T_INT, .flags = HO_REQUIRED},
    {.name = "unit", .doc = "Unit of the value.", .type = HO_T_TEXT, .flags = HO_REQUIRED},
    {.name = "doc", .doc = "What is limited.", .type = HO_T_TEXT, .flags = HO_REQUIRED},
    HO_FIELDS_END};
static const ho_record limit_record = {.name = "limit", .fields = limit_fields};
static const ho_field result[] = {{.name = "limits",
                                   .doc = "All limits.",
                                   .type = HO_T_LIST,
                                   .item = HO_T_RECORD,
                                   .record = &limit_record,
                                   .flags = HO_REQUIRED},
                                  HO_FIELDS_END};
static const ho_record result_record = {.name = "limits result", .fields = result};

const ho_command ho_command_limits = {
    .name = "limits",
    .group = "setup",
    .summary = "List all limits of the program",
    .doc = "Input above a limit is refused with exit status 8 and a message that names the limit. The setting 'limits' "
           "can lower the limits of a single document.",
    .examples = "handoff limits",
    .teammate = true,
    .effect = HO_EFFECT_READ,
    .params = &params_record,
    .result = &result_record,
    .run = run,
    .render = render,
};
