#include <time.h>

#include "base/time.h"
#include "command/commands.h"
#include "command/delivered.h"
#include "engine/ledger/claim.h"
#include "engine/ledger/draft.h"
#include "engine/which/which.h"
#include "model/formats/formats.h"

enum { LOOK_MS = 500 };

static ho_code put_delivery(ho_call *call, ho_project *project, const ho_delivery *d, ho_error *err)
{
  ho_node *handoff = NULL;
  ho_code code = ho_delivered_node(call, project, &d->row, d->body, &handoff, err);
  ho_str token = ho_arena_copy(call->arena, ho_str_of(d->token));
  ho_map_addz(call->result, "id", ho_node_text(call->arena, d->row.id));
  ho_map_addz(call->result, "token", ho_node_text(call->arena, token));
  ho_map_addz(call->result, "lease_until", ho_node_text(call->arena, ho_time_str(call->arena, d->row.lease_until)));
  ho_map_addz(call->result, "handoff", handoff);
  return code;
}

/* Waits up to *ms for somebody to hand something off in a project without a store, and takes the time from *ms. Whoever
 * only asks creates none: it would become the store of every folder below. */
static ho_code open_ledger(ho_call *call, int64_t *ms, bool *there, ho_error *err)
{
  int64_t begin = ho_time_monotonic_ms();
  for (;;) {
    ho_code code = ho_open_ledger(call, false, err);
    int64_t left = *ms - (ho_time_monotonic_ms() - begin);
    *there = !code;
    if (code != HO_NOT_FOUND || left <= 0) {
      *ms = left > 0 ? left : 0;
      return code == HO_NOT_FOUND && !ho_ledger_call_named(call, code) ? HO_OK : code;
    }
    int64_t nap = left < LOOK_MS ? left : LOOK_MS;
    nanosleep(&(struct timespec){nap / 1000, nap % 1000 * 1000000}, NULL);
  }
}

/* The session now works on that phase, if it is one. */
static void remember(ho_call *call, const ho_handoff *row)
{
  if (row->task.n && row->phase.n && (ho_str_is(row->kind, ho_format_artifact.name) || ho_draft_is(row, call->arena)))
    ho_which_remember(&call->project, call->arena, row->task, row->phase);
}

static ho_code run(ho_call *call, ho_error *err)
{
  ho_project *project = &call->project;
  ho_delivery d = {
      .task = ho_arg_str(call, "task"), .phase = ho_arg_str(call, "phase"), .lease = ho_number_arg(call, "lease")};
  int64_t ms = ho_number_arg(call, "wait") * 1000;
  bool there;
  ho_error missing = {0};
  ho_code code = open_ledger(call, &ms, &there, &missing);
  if (!code && !there)
    code = ho_claim_asker(project, d.task, &missing);
  if (code)
    *err = missing;
  if (!code && there)
    code = ho_claim_wait(project, call->arena, &d, ms, err);
  if (!code && d.found)
    remember(call, &d.row);
  if (!code && d.found)
    code = put_delivery(call, project, &d, err);
  else if (!code)
    ho_call_note(call, "nothing is ready for '%.*s'", HO_ARG(project->name));
  return code ? code : d.found ? HO_OK : HO_NO;
}

static void render(const ho_call *call, ho_buf *out, bool colour)
{
  const ho_node *handoff = ho_map_getz(call->result, "handoff");
  (void)colour;
  if (!handoff)
    return;
  ho_buf_printf(out, "# token: %.*s\n", HO_ARG(ho_map_str(call->result, "token")));
  ho_delivered_head(out, handoff);
  ho_delivered_body(out, call->arena, ho_map_str(handoff, "kind"), ho_map_str(handoff, "text"));
}

static const ho_field params[] = {
    HO_PARAM_AS,
    {.name = "task", .label = "N", .doc = "Also handoffs for whoever takes this task.", .type = HO_T_TEXT},
    {.name = "phase", .label = "P", .doc = "Only this phase of the task.", .type = HO_T_TEXT},
    HO_PARAM_LEASE,
    {.name = "wait",
     .label = "S",
     .doc = "Wait up to S seconds for a handoff to become ready.",
     .type = HO_T_INT,
     .min = 1,
     .max = 604800},
    HO_FIELDS_END};
static const ho_record params_record = {.name = "next", .fields = params};
static const ho_field result[] = {
    HO_TEXT_FIELD("id", "Id of the handoff; absent if nothing is ready."),
    HO_TEXT_FIELD("token", "The claim token; 'ack', 'done' and the other commands of the receiver need it."),
    HO_TEXT_FIELD("lease_until", "When the lease runs out unless the handoff is acknowledged or renewed."),
    {.name = "handoff", .doc = "The handoff.", .type = HO_T_RECORD, .record = &ho_delivered_record},
    HO_NOTES_FIELD,
    HO_FIELDS_END};
static const ho_record result_record = {.name = "next result", .fields = result};

const ho_command ho_command_next = {
    .name = "next",
    .group = "handoffs",
    .summary = "Claim the oldest handoff that is ready for an agent",
    .doc = "Prints the claim token on the first line, what else is known about the handoff on lines that start with "
           "'# ', and below a line that says so the document; its own comments at the top then start with '#|' (--json "
           "has it as it was sent). The receiver has to match AGENT exactly; an instance "
           "after '/' appears only in the log. If the handoff is not acknowledged before the lease runs out, it is "
           "ready again for others. Exits 1 if nothing is ready.",
    .examples = "handoff next --as reviewer --json >claim.json",
    .common = true,
    .teammate = true,
    .effect = HO_EFFECT_LONG,
    .params = &params_record,
    .result = &result_record,
    .run = run,
    .render = render,
    .raw = true,
};
