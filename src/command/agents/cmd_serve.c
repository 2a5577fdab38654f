#include "command/commands.h"

static ho_code run(ho_call *call, ho_error *err)
{
  if (!call->host->listen)
    return ho_fail(err, HO_USAGE, "only the program can be a server; start it as: handoff serve");
  return call->host->listen(call, err);
}

/* What was to be said, was said at once. */
static void render(const ho_call *call, ho_buf *out, bool colour)
{
  (void)call, (void)out, (void)colour;
}

static const ho_field params[] = {
    {.name = "listen",
     .label = "ADDRESS",
     .doc = "Where to listen; port 0 is a free one. Default: 127.0.0.1:8420. Others than this machine need a token.",
     .type = HO_T_TEXT},
    {.name = "socket",
     .label = "PATH",
     .doc = "Listen at a Unix socket, which only you can reach.",
     .type = HO_T_TEXT,
     .flags = HO_IS_FILE},
    {.name = "open", .doc = "Open the sign-in page in the browser; the terminal shows the link.", .type = HO_T_BOOL},
    {.name = "host",
     .label = "NAME",
     .doc = "A name by which clients call the server, besides localhost; may be repeated.",
     .type = HO_T_LIST,
     .item = HO_T_TEXT},
    {.name = "proxy",
     .label = "ADDRESS",
     .doc = "A proxy that is trusted to say who its users are: its address, or 'unix' for the socket; may be repeated.",
     .type = HO_T_LIST,
     .item = HO_T_TEXT},
    {.name = "proxy_header",
     .label = "NAME",
     .doc = "The header in which it says that.",
     .type = HO_T_TEXT,
     .fallback = "X-Forwarded-User"},
    {.name = "proxy_user",
     .label = "USER=ROLE",
     .doc = "What a user of the proxy may do: alice=decide:alice, bot=agent:coder, *=read; may be repeated.",
     .type = HO_T_LIST,
     .item = HO_T_TEXT},
    {.name = "tools",
     .label = "SET|NAME,…",
     .doc = "MCP tools to offer: default, work, lead, all, or names of tools, with commas.",
     .type = HO_T_TEXT,
     .fallback = "default"},
    {.name = "exclude", .label = "NAME,…", .doc = "MCP tools not to offer, likewise.", .type = HO_T_TEXT},
    {.name = "fixtures",
     .label = "FILE",
     .doc = "Also offer what this file describes, for MCP test suites.",
     .type = HO_T_TEXT,
     .flags = HO_IS_FILE | HO_HIDDEN},
    HO_FIELDS_END};
static const ho_record params_record = {.name = "serve", .fields = params};
static const ho_field result[] = {HO_FIELDS_END};
static const ho_record result_record = {.name = "serve result", .fields = result};

const ho_command ho_command_serve = {
    .name = "serve",
    .group = "agents",
    .summary = "Serve tools, agents and browsers over HTTP",
    .doc = "Serves the project until it is told to end (SIGTERM, Ctrl-C); docs/server.md says what is at which path. "
           "It is a "
           "program of its own, handoff-server, which is installed with this one.",
    .examples = "timeout --preserve-status 1 handoff serve --listen 127.0.0.1:0",
    .local = true,
    .effect = HO_EFFECT_LONG,
    .finds_root = true, /* whether its settings can be read is the matter of each request */
    .params = &params_record,
    .result = &result_record,
    .run = run,
    .render = render,
};
