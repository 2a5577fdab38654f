#include "command/commands.h"
#include "command/context_shown.h"
#include "doc/json/json.h"
#include "engine/hook/hook.h"

static const ho_tokens *tokens(void *world)
{
  return ho_host_tokens(world);
}

static void give_up(void *world, int64_t ms, const char *log, const char *line)
{
  const ho_host *host = world;
  host->give_up(host->world, ms, log, line);
}

/* The agent continues, whatever happens. */
static ho_code run(ho_call *call, ho_error *err)
{
  ho_error failure = {0}, unread = {0};
  ho_host *host = call->host;
  (void)err;
  ho_hook hook = {.arena = call->arena,
                  .project = &call->project,
                  .named = ho_arg_str(call, "harness"),
                  .tokens = tokens,
                  .counter = ho_context_shown_counter(host),
                  .give_up = host->give_up ? give_up : NULL,
                  .confine = host->confine,
                  .world = host};
  host->hurry = true;
  if (host->read_input(host->world, call->arena, &hook.input, &unread))
    hook.input = HO_EMPTY;
  ho_code code = ho_hook_run(&hook, &failure);
  if (code)
    hook.said = HO_EMPTY;
  if (unread.code || code)
    ho_hook_log(&hook, unread.code ? &unread : &failure);
  ho_node *reply = ho_hook_reply(&hook, call->arena);
  if (reply)
    ho_map_addz(call->result, "reply", reply);
  return HO_OK;
}

static void render(const ho_call *call, ho_buf *out, bool colour)
{
  const ho_node *reply = ho_map_getz(call->result, "reply");
  (void)colour;
  if (!reply)
    return;
  ho_json_write(out, reply, 0);
  ho_buf_putc(out, '\n');
}

static const ho_field params[] = {{.name = "harness",
                                   .label = "HARNESS",
                                   .doc = "Harness that sent the event: " HO_HOOKED_NAMES ".",
                                   .type = HO_T_TEXT,
                                   .flags = HO_REQUIRED | HO_POSITIONAL},
                                  HO_FIELDS_END};
static const ho_record params_record = {.name = "hook", .fields = params};
static const ho_field result[] = {
    {.name = "reply", .doc = "Reply in the harness's own format.", .type = HO_T_ANY, .flags = HO_MAY_BE_EMPTY},
    HO_FIELDS_END};
static const ho_record result_record = {.name = "hook result", .fields = result};

const ho_command ho_command_hook = {
    .name = "hook",
    .group = "agents",
    .summary = "Answer a hook event of a harness",
    .doc =
        "Reads one event of " HO_HOOKED_TITLES " as JSON on standard input and prints the reply in the "
        "harness's own format. 'handoff install' registers it.\n- When a session starts, it offers open handoffs and "
        "drafts, and claims one if HANDOFF_TASK is set. After a compaction, it shows what the session works "
        "on.\n- When a trigger of 'handoff context' fires, it asks the agent for a handoff: once per level, not "
        "again within five minutes, and not after the agent has handed off.\n- Before a compaction, it saves what is "
        "known as a draft.\n- When an "
        "agent stops without a handoff although its context is above the threshold or objectives are open, it says "
        "so; the setting 'without_handoff: block' keeps the agent from stopping.\n- While the session works, it "
        "renews the leases of what the session has claimed.\n\nIf anything goes wrong, the reply is {}, the exit "
        "status is 0, and .handoff/hook.log has the reason. Projects without a .handoff folder are left alone.",
    .examples = "echo '{\"hook_event_name\": \"Stop\", \"session_id\": \"s1\"}' | handoff hook claude",
    .local = true,
    .effect = HO_EFFECT_LONG,
    .params = &params_record,
    .result = &result_record,
    .run = run,
    .render = render,
    .finds_root = true,
    .raw = true,
    .always_ok = "{}\n",
};
