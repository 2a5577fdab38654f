#include "command/send_call.h"

static ho_code run(ho_call *call, ho_error *err)
{
  ho_send in = {.to = ho_arg_str(call, "to"), .type = ho_arg_str(call, "type"), .key = ho_arg_str(call, "key")};
  return ho_send_call_run(call, &in, err);
}

static const ho_choice types[] = {{.value = "sequential", .doc = "to the next agent of the workflow"},
                                  {.value = "delegation", .doc = "for a part of the work; a return is expected"},
                                  {.value = "escalation", .doc = "to a person"},
                                  {.value = "return", .doc = "back to the agent that delegated"},
                                  {0}};
static const ho_field params[] = {
    HO_PARAM_DOCUMENT,
    {.name = "to",
     .label = "AGENT",
     .doc = "Who gets it, where the document does not say; 'human' asks a person.",
     .type = HO_T_TEXT},
    {.name = "type",
     .doc = "What kind of handoff it is, where the document does not say.",
     .type = HO_T_TEXT,
     .choices = types},
    {.name = "key",
     .label = "K",
     .doc = "Names this sending: the same key with the same content is the same handoff, with other content refused.",
     .type = HO_T_TEXT},
    HO_PARAM_AS,
    HO_PARAM_TOKEN,
    HO_PARAM_FORMAT,
    HO_FIELDS_END};
static const ho_record params_record = {.name = "send", .fields = params};

extern const ho_command ho_command_send;
const ho_command ho_command_send = {
    .name = "send",
    .group = "handoffs",
    .summary = "Hand a document over: check, record and queue it",
    .doc =
        "Takes a document in and prints the handoff's id. Credentials are taken out first (setting 'secrets'). A "
        "document that breaks a rule, or names an artifact that is not there, is refused with findings (4) and nothing "
        "is recorded. A package goes to the agent it names, and to a person by a gate where that is 'human'; artifacts "
        "and tasks to --to, else to whoever asks for their task; a request to --to; a response to whoever sent its "
        "request, which is done then. An acknowledgement is an 'ack', a gate document a 'gate raise'. A file that "
        "changed and is sent again takes the place of what was sent before.",
    .examples = "handoff send package.yaml",
    .common = true,
    .effect = HO_EFFECT_WRITE,
    .params = &params_record,
    .result = &ho_send_call_result,
    .run = run,
    .render = ho_send_call_render,
};
