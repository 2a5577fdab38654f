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

static const ho_field params[] = {{.name = "listen",
                                   .label = "ADDRESS",
                                   .doc = "Where to listen; port 0 is a free one.",
                                   .type = HO_T_TEXT,
                                   .fallback = "127.0.0.1:8420"},
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
