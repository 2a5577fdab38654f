#include "command/commands.h"
#include "command/ledger_call.h"
#include "engine/telemetry/telemetry.h"
#include "engine/telemetry/telemetry_tell.h"

static ho_code run(ho_call *call, ho_error *err)
{
  ho_telemetry_told told = {0};
  ho_str to = ho_str_trim(ho_str_of(getenv(HO_TELEMETRY_TO)));
  if (!to.n)
    return ho_fail(err, HO_USAGE, HO_TELEMETRY_TO " names no collector; set " HO_TELEMETRY_TO "=http://127.0.0.1:4318");
  ho_code code = ho_ledger_call_maybe(call, err);
  if (!code && call->project.store)
    code = ho_telemetry_tell(&call->project, to, ho_number_arg(call, "linger") * 1000, &told, err);
  if (code)
    return code;
  ho_map_addz(call->result, "to", ho_node_text(call->arena, to));
  ho_map_addz(call->result, "spans", ho_node_number(call->arena, told.spans));
  ho_map_addz(call->result, "refused", ho_node_number(call->arena, told.refused));
  if (told.elsewhere)
    ho_call_note(call, "another process is sending");
  if (told.refused)
    ho_call_note(call, "the collector refused %lld spans, which are not sent again", (long long)told.refused);
  return HO_OK;
}

static void render(const ho_call *call, ho_buf *out, bool colour)
{
  long long spans = ho_map_int(call->result, "spans");
  (void)colour;
  ho_buf_printf(out, "%lld span%s sent\n", spans, ho_plural(spans));
}

static const ho_field params[] = {{.name = "linger",
                                   .label = "S",
                                   .doc = "Seconds to wait for something more before it ends.",
                                   .type = HO_T_INT,
                                   .min = 0,
                                   .max = 3600,
                                   .fallback = "0"},
                                  HO_FIELDS_END};
static const ho_record params_record = {.name = "telemetry", .fields = params};
static const ho_field result[] = {{.name = "to", .doc = "The collector.", .type = HO_T_TEXT, .flags = HO_REQUIRED},
                                  {.name = "spans", .doc = "Number of spans that it took.", .type = HO_T_INT},
                                  {.name = "refused", .doc = "Number of spans that it refused.", .type = HO_T_INT},
                                  HO_NOTES_FIELD,
                                  HO_FIELDS_END};
static const ho_record result_record = {.name = "telemetry result", .fields = result};

const ho_command ho_command_telemetry = {
    .name = "telemetry",
    .group = "maintenance",
    .summary = "Send what has happened to an OpenTelemetry collector",
    .doc = "Sends the handoffs and gates that have ended, runs and teammates as spans to the collector that "
           "HANDOFF_OTLP names (http://ADDRESS:PORT), from where the last time ended. With HANDOFF_OTLP set, every "
           "command that changes something starts this in the background and does not wait for it.",
    .examples = "HANDOFF_OTLP=http://127.0.0.1:4318 handoff telemetry || echo 'there is no collector'",
    .local = true,
    .effect = HO_EFFECT_LONG,
    .params = &params_record,
    .result = &result_record,
    .run = run,
    .render = render,
};
