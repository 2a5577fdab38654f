#include "command/commands.h"

static ho_code run(ho_call *call, ho_error *err)
{
  if (!call->host->serve)
    return ho_fail(err, HO_USAGE, "only the program can be an MCP server; start it as: handoff mcp");
  return call->host->serve(call, err);
}

/* What was to be said, the client was told. */
static void render(const ho_call *call, ho_buf *out, bool colour)
{
  (void)call, (void)out, (void)colour;
}

static const ho_field params[] = {
    {.name = "tools",
     .label = "SET|NAME,…",
     .doc = "Tools to offer: default, work, lead, all, or names of tools, with commas.",
     .type = HO_T_TEXT,
     .fallback = "default"},
    {.name = "exclude", .label = "NAME,…", .doc = "Tools not to offer, likewise.", .type = HO_T_TEXT},
    {.name = "read_only", .doc = "Only tools that change nothing, whatever else is said.", .type = HO_T_BOOL},
    {.name = "fixtures",
     .label = "FILE",
     .doc = "Also offer what this file describes, for test suites.",
     .type = HO_T_TEXT,
     .flags = HO_IS_FILE | HO_HIDDEN},
    {.name = "output_schemas", .doc = "Describe the results of tools as well.", .type = HO_T_BOOL},
    HO_FIELDS_END};
static const ho_record params_record = {.name = "mcp", .fields = params};
static const ho_field result[] = {HO_FIELDS_END};
static const ho_record result_record = {.name = "mcp result", .fields = result};

const ho_command ho_command_mcp = {
    .name = "mcp",
    .group = "agents",
    .summary = "Serve agents by the Model Context Protocol on standard input",
    .doc =
        "A client such as Claude Code starts it and speaks to it, until it closes standard input. Its tools run the "
        "commands of this program for the client's agent, which is known as HANDOFF_AGENT, as its harness, or by the "
        "name of the client. What only a person may do is not among them.",
    .examples = "handoff mcp --tools work </dev/null",
    .local = true,
    .effect = HO_EFFECT_LONG,
    .finds_root = true, /* whether its settings can be read is the matter of each call */
    .params = &params_record,
    .result = &result_record,
    .run = run,
    .render = render,
};
