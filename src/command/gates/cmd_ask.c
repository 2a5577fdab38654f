#include "command/commands.h"
#include "command/documents/composed.h"
#include "command/findings.h"
#include "command/gate_call.h"
#include "engine/ledger/gate_read.h"
#include "model/formats/formats.h"

/* Blocking: whoever asks wants the answer. With options, each is a point to look at, and the note names one. */
static ho_code compose(ho_call *call, ho_send *in, ho_error *err)
{
  ho_str question = ho_arg_str(call, "question");
  const ho_node *options = ho_arg(call, "option");
  bool choice = options && options->count;
  ho_composed c = ho_composed_begin(call, &ho_format_gate, HO_STR("human"), err);
  ho_str asks = ho_arena_printf(call->arena, "%.*s asks a person: %.*s", HO_ARG(c.from.n ? c.from : HO_STR("A person")),
                                HO_ARG(question));
  ho_composed_put(&c, "/context/summary", asks, err);
  ho_composed_put(&c, "/gate/type", HO_STR("blocking"), err);
  ho_composed_put(&c, "/gate/name", question, err);
  ho_composed_put_all(&c, "/validation_request/items/-", options, err);
  if (!choice)
    ho_composed_put(&c, "/validation_request/items/-", question, err);
  ho_composed_put(&c, "/validation_request/options/approve", choice ? HO_STR(HO_GATE_CHOICE) : HO_STR("Yes"), err);
  ho_composed_put(&c, "/validation_request/options/reject", choice ? HO_STR("None of them") : HO_STR("No"), err);
  ho_composed_put(&c, "/validation_request/options/question", HO_STR("Whoever asks answers it first"), err);
  return ho_composed_end(&c, in, err);
}

static ho_code run(ho_call *call, ho_error *err)
{
  ho_send in = {.only_gate = true, .once = true};
  int64_t seconds = ho_number_arg(call, "wait");
  if (ho_str_blank(ho_arg_str(call, "question")))
    return ho_fail(err, HO_USAGE, "the question is empty");
  ho_code code = compose(call, &in, err);
  if (!code)
    code = ho_send_call_run(call, &in, err);
  if (code)
    return code;
  ho_node *waited = seconds ? ho_map_addz(call->result, "waited", ho_node_new(call->arena, HO_KIND_MAP)) : NULL;
  if (seconds && call->host->show) /* whoever watches can decide it meanwhile */
    call->host->show(call->host->world, ho_arena_printf(call->arena, "%.*s\n", HO_ARG(in.made.gate)));
  if (seconds)
    code = ho_gate_call_wait(call, in.made.gate, seconds, waited, err);
  if (!seconds || (code == HO_GATED && !ho_map_str(waited, "decision").n))
    ho_call_note(call, "to wait for the decision, run: %.*s",
                 HO_ARG(ho_project_command(&call->project, call->arena, "gate wait ID --timeout 300@", in.made.gate)));
  return code;
}

static void render(const ho_call *call, ho_buf *out, bool colour)
{
  const ho_node *waited = ho_map_getz(call->result, "waited");
  ho_str gate = ho_map_str(call->result, "gate");
  (void)colour;
  if (waited)
    ho_gate_call_put_waited(call, out, waited);
  else if (gate.n)
    ho_buf_printf(out, "%.*s\n", HO_ARG(gate));
}

static const ho_field params[] = {
    {.name = "question",
     .label = "TEXT",
     .doc = "What a person has to decide.",
     .type = HO_T_TEXT,
     .flags = HO_REQUIRED | HO_POSITIONAL},
    {.name = "option",
     .label = "O",
     .doc = "One of several answers; the person names one in a note, by its words or its number.",
     .type = HO_T_LIST,
     .item = HO_T_TEXT},
    HO_PARAM_SUMMARY("What the person needs to know to decide. Default: who asks, and the question."),
    {.name = "wait",
     .label = "S",
     .doc = "Wait up to S seconds for the decision, as 'gate wait' does.",
     .type = HO_T_INT,
     .min = 1,
     .max = 31536000},
    HO_PARAM_AS,
    HO_FIELDS_END};
static const ho_record params_record = {.name = "ask", .fields = params};
static const ho_field result[] = {HO_SEND_CALL_FIELDS,
                                  {.name = "waited",
                                   .doc = "With --wait: the gate as it stands then.",
                                   .type = HO_T_RECORD,
                                   .record = &ho_gate_shown_record},
                                  HO_NOTES_FIELD,
                                  HO_FIELDS_END};
static const ho_record result_record = {.name = "ask result", .fields = result};

const ho_command ho_command_ask = {
    .name = "ask",
    .group = "gates",
    .summary = "Ask a person for a decision, in one line",
    .doc =
        "Raises a blocking gate with the question and prints its id. The person answers with 'handoff approve G' or "
        "'handoff reject G', and the answer is in 'handoff gate wait G --timeout 300' and in your inbox. The same "
        "question that is still open is the same gate. With options, the answer is a note with the words of one. What "
        "is decided is told to whoever works on your task later.\n\nWith --wait, it exits 0 if it was approved, 1 if "
        "it was rejected, and 7 if nobody decided in time or the person has a question.",
    .examples = "handoff ask 'Which export comes first?' --option CSV --option JSON",
    .teammate = true,
    .effect = HO_EFFECT_LONG,
    .params = &params_record,
    .result = &result_record,
    .run = run,
    .render = render,
};
