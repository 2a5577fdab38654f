#include "base/fs.h"
#include "command/commands.h"
#include "command/documents/composed.h"
#include "engine/ledger/gate_step.h"
#include "model/formats/formats.h"

/* Words, not a file: nothing has that name, and it has a blank in it. */
static bool is_line(const ho_call *call, ho_str path)
{
  return !ho_str_is(path, "-") && !ho_arg(call, "format") && ho_str_find_char(ho_str_trim(path), ' ') != HO_NONE &&
         !ho_fs_exists(ho_full_path(call, path));
}

static ho_code compose(ho_call *call, ho_send *in, ho_str line, ho_error *err)
{
  if (!in->to.n)
    return ho_fail(err, HO_USAGE, "'%.*s' is not a file; to send it as a line of text, use --to AGENT",
                   HO_ARG(ho_str_sub(line, 0, 80)));
  ho_composed c = ho_composed_begin(call, &ho_format_package, in->to, err);
  ho_composed_put(&c, "/context/summary", line, err);
  ho_composed_put(&c, "/expectations/deliverable", line, err);
  ho_composed_put_all(&c, "/expectations/success_criteria/-", ho_arg(call, "criterion"), err);
  HO_EACH_CONST (file, ho_arg(call, "file"))
    ho_composed_put(&c, "/context/artifacts/-/path",
                    ho_fs_relative(call->host->root, ho_str_of(ho_full_path(call, ho_node_str(file)))), err);
  return ho_composed_end(&c, in, err);
}

static ho_code refuse_options(const ho_call *call, ho_error *err)
{
  static const char *const names[] = {"file", "criterion", "summary"};
  for (size_t i = 0; i < HO_COUNT(names); i++)
    if (ho_arg(call, names[i]))
      return ho_fail(err, HO_USAGE, "--%s is for a line of text; a document says that itself", names[i]);
  return HO_OK;
}

static ho_code run(ho_call *call, ho_error *err)
{
  ho_send in = {.to = ho_arg_str(call, "to"),
                .type = ho_arg_str(call, "type"),
                .key = ho_arg_str(call, "key"),
                .once = !ho_arg_true(call, "again")};
  if (ho_str_starts(in.key, HO_RUNS_KEYS))
    return ho_fail(err, HO_USAGE, "keys that begin with '" HO_RUNS_KEYS "' are those of 'handoff run'; use another");
  ho_str path = ho_arg_str(call, "path");
  ho_code code = is_line(call, path) ? compose(call, &in, path, err) : refuse_options(call, err);
  return code ? code : ho_send_call_run(call, &in, err);
}

static const ho_choice types[] = {{.value = "sequential", .doc = "to the next agent of the workflow"},
                                  {.value = "delegation", .doc = "part of the work; a return is expected"},
                                  {.value = "escalation", .doc = "to a person"},
                                  {.value = "return", .doc = "back to the agent that delegated"},
                                  {0}};
static const ho_field params[] = {
    {.name = "path",
     .label = "PATH|TEXT",
     .doc = "The document, '-' for standard input, or what is to be done, in words.",
     .type = HO_T_TEXT,
     .flags = HO_REQUIRED | HO_POSITIONAL | HO_IS_FILE},
    {.name = "to",
     .label = "AGENT",
     .doc = "Receiver, if the document does not name one; 'human' asks a person.",
     .type = HO_T_TEXT,
     .syntax = &ho_syntax_NAME},
    {.name = "file",
     .label = "PATH",
     .doc = "With TEXT: a file that it is about.",
     .type = HO_T_LIST,
     .item = HO_T_TEXT,
     .flags = HO_IS_FILE},
    {.name = "criterion",
     .label = "C",
     .doc = "With TEXT: how to tell that it is done; must be measurable.",
     .type = HO_T_LIST,
     .item = HO_T_TEXT},
    HO_PARAM_SUMMARY("With TEXT: what was done before. Default: the text."),
    {.name = "type", .doc = "Type of handoff, if the document does not say.", .type = HO_T_TEXT, .choices = types},
    {.name = "key",
     .label = "K",
     .doc = "Idempotency key: sending the same content again returns the existing handoff; different content is "
            "refused. A key that is new sends another one, as --again does.",
     .type = HO_T_TEXT},
    HO_PARAM_SEND_AGAIN,
    HO_PARAM_AS,
    HO_PARAM_TOKEN,
    HO_PARAM_FORMAT("document"),
    HO_FIELDS_END};
static const ho_record params_record = {.name = "send", .fields = params};

const ho_command ho_command_send = {
    .name = "send",
    .group = "handoffs",
    .summary = "Check a document, record it and queue it for its receiver",
    .doc =
        "Prints the id of the handoff. A document that breaks a rule, or names an artifact that does not exist, is "
        "refused with findings (exit status 4). Credentials are removed first (setting 'secrets').\n\nWho receives "
        "it depends on the format:\n- package: the agent it names; 'human' raises a gate\n- artifact, task: --to, "
        "or whoever asks for the task with 'handoff next'\n- request: --to\n- response: the sender of the request, "
        "which is then done\n- ack, gate: the same as 'handoff ack' and 'handoff gate raise'\n\nAn unchanged document "
        "from the same sender to the same receiver is the same handoff as long as that is open: its id is printed, "
        "nothing is recorded, and --again sends another one. A file that is sent "
        "again after a change supersedes the earlier handoff and its copies if that is for the same receiver, nobody "
        "has claimed it, and this is a new version of it: it states the earlier one's id; or, in a format without ids, "
        "it is "
        "about the same task and phase; or, without an id, it has the same sender and deliverable (or gate) and "
        "most of its lines. Otherwise both stay open, and 'handoff supersede' replaces one.\n\nA document that says "
        "nearly "
        "the same as one that waits at a gate, or that was rejected there, waits for a person as well, whatever its "
        "file, id, sender or encoding. One that was really rewritten does not.",
    .examples = "handoff send package.yaml\nhandoff send --to reviewer 'Review the CSV import'",
    .common = true,
    .teammate = true,
    .effect = HO_EFFECT_WRITE,
    .params = &params_record,
    .result = &ho_send_call_result,
    .run = run,
    .render = ho_send_call_render,
};
