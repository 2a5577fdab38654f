#include <time.h>

#include "base/time.h"
#include "command/commands.h"
#include "command/handoffs/claimed.h"
#include "command/inbox_shown.h"
#include "engine/ledger/draft.h"
#include "engine/ledger/gate_step.h"
#include "engine/ledger/halt.h"
#include "engine/ledger/holder.h"
#include "engine/ledger/release.h"
#include "engine/project/identity.h"
#include "engine/project/quote.h"

enum { LOOK_MS = 500 };

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

/* What there is besides work that is ready. */
typedef struct besides {
  bool found;                     /* something more urgent, which is handed out */
  ho_str result;                  /* the handoff that brings such news: it is ready */
  size_t waiting;                 /* more of that in the inbox, which was handed out before */
  const ho_inbox_item *elsewhere; /* work that another session of this agent holds */
} besides;

/* What is more urgent than work: somebody waits for this agent, or what it waits for has happened. Each is handed out
 * once; what still waits then is in the inbox, and counted. What a handoff brings that is ready (a result, a decision, an
 * answer) comes with its claim, before what this agent holds: that may wait for it. */
static ho_code put_news(ho_call *call, besides *out, ho_error *err)
{
  ho_inbox inbox = {0};
  if (!ho_project_addressee(&call->project).n || ho_arg_str(call, "task").n)
    return HO_OK;
  ho_code code = ho_inbox_read(&call->project, call->arena, &inbox, err);
  for (size_t i = 0; !code && !out->found && i < inbox.count; i++) {
    const ho_inbox_item *item = &inbox.items[i];
    bool news = item->kind < HO_WAITING_HELD, urgent = news && !item->ready && !item->kept;
    if (item->elsewhere)
      out->elsewhere = item;
    if (news && item->ready && !out->result.n)
      out->result = item->handoff.n ? item->handoff : item->id;
    out->waiting += urgent;
    if (!urgent || !item->seq)
      continue;
    out->found = true;
    ho_map_addz(call->result, "item", ho_inbox_shown(call->arena, item));
    code = ho_inbox_seen(&call->project, call->arena, &inbox, item, err);
  }
  return code;
}

/* What somebody left of the task without a handoff is not handed out before it is confirmed. */
static ho_code note_draft(ho_call *call, ho_str task, ho_str phase, bool *noted, ho_error *err)
{
  ho_handoff_list list = {0};
  ho_filter filter = {.state = ho_str_of(ho_state_name(HO_STATE_DRAFT)),
                      .task = ho_id_plain(task),
                      .phase = ho_id_plain(phase),
                      .limit = 1};
  ho_code code =
      task.n && call->project.store ? ho_handoffs_select(call->project.store, &filter, call->arena, &list, err) : HO_OK;
  *noted = !code && list.count;
  if (!*noted)
    return code;
  const ho_handoff *row = &list.rows[0];
  ho_str by;
  code = ho_draft_taken(&call->project, row, call->arena, &by, err);
  if (!code && by.n)
    ho_call_note(call, "nothing is ready for task %.*s: %.*s already continues draft %.*s; see: handoff ps",
                 HO_ARG(task), HO_ARG(by), HO_ARG(row->id));
  if (code || by.n)
    return code;
  ho_str more = row->phase.n
                    ? ho_arena_printf(call->arena, " --phase %.*s", HO_ARG(ho_quote_shell(call->arena, row->phase)))
                    : HO_EMPTY;
  ho_call_note(call,
               "nothing is ready for task %.*s, but draft %.*s tells what was left of it; to continue it, run: handoff "
               "answer %.*s --note 'I continue it' && handoff next --as %.*s --task %.*s%.*s",
               HO_ARG(task), HO_ARG(row->id), HO_ARG(row->id), HO_ARG(ho_quote_shell(call->arena, row->receiver)),
               HO_ARG(ho_quote_shell(call->arena, row->task)), HO_ARG(more));
  return HO_OK;
}

/* Nothing of a halted task is handed out, whatever there is of it. */
static ho_code note_halted(ho_call *call, ho_str task, bool *noted, ho_error *err)
{
  ho_error why = {0};
  if (!task.n || !call->project.store)
    return HO_OK;
  ho_code code = ho_halt_refuse(&call->project, task, call->arena, &why);
  *noted = code == HO_GATED;
  if (*noted)
    ho_call_note(call, "nothing is ready: %s", why.message);
  else if (code)
    *err = why;
  return *noted ? HO_OK : code;
}

/* What a run has asked a person about is handed out to nobody. */
static ho_code note_asked(ho_call *call, ho_str task, ho_str phase, bool *noted, ho_error *err)
{
  enum { LOOKED_AT = 100 };
  ho_handoff_list list = {0};
  ho_filter filter = {
      .state = ho_arena_printf(call->arena, "%s|%s", ho_state_name(HO_STATE_READY), ho_state_name(HO_STATE_DRAFT)),
      .task = ho_id_plain(task),
      .phase = ho_id_plain(phase),
      .limit = LOOKED_AT};
  ho_code code =
      task.n && call->project.store ? ho_handoffs_select(call->project.store, &filter, call->arena, &list, err) : HO_OK;
  for (size_t i = 0; !code && !*noted && i < list.count; i++) {
    ho_gate gate;
    ho_error why = {0};
    code = ho_gate_step_holds(&call->project, &list.rows[i], call->arena, &gate, noted, err);
    if (!code && *noted && ho_gate_step_refuse(&list.rows[i], &gate, &why))
      ho_call_note(call, "nothing is ready: %s", why.message);
  }
  return code;
}

/* What was asked for may be in somebody's hands: then it is known when to come back. */
static ho_code note_held(ho_call *call, ho_str task, ho_str phase, bool *noted, ho_error *err)
{
  ho_error why = {0};
  if (!task.n || !call->project.store)
    return HO_OK;
  ho_code code = ho_holder_check(&call->project, call->arena, ho_id_plain(task), ho_id_plain(phase), &why);
  *noted = code == HO_CONFLICT;
  if (*noted)
    ho_call_note(call, "nothing is ready: %s", why.message);
  else if (code)
    *err = why;
  return *noted ? HO_OK : code;
}

/* For an agent without a name there can only be handoffs for whoever takes the task. */
static ho_code note_nothing(ho_call *call, ho_str task, ho_str phase, const besides *others, ho_error *err)
{
  ho_str name = ho_project_addressee(&call->project);
  bool open = false;
  size_t waiting = others->waiting;
  ho_code code = note_halted(call, task, &open, err);
  if (!code && !open)
    code = note_asked(call, task, phase, &open, err);
  if (!code && !open)
    code = note_draft(call, task, phase, &open, err);
  if (!code && !open)
    code = note_held(call, task, phase, &open, err);
  if (!code && !open && call->project.store && !task.n && !waiting && !others->elsewhere)
    code = ho_inbox_shown_open(call, ho_arena_printf(call->arena, "nothing is ready for '%.*s' by name", HO_ARG(name)),
                               &open, err);
  if (code || open)
    return code;
  if (name.n && waiting)
    ho_call_note(call, "nothing is ready for '%.*s', but %zu item%s for you; run: %.*s", HO_ARG(name), waiting,
                 ho_plural_of((long long)waiting, " waits", "s wait"),
                 HO_ARG(ho_project_command(&call->project, call->arena, "inbox@", HO_EMPTY)));
  else if (name.n && others->elsewhere)
    ho_call_note(call, "nothing is ready for '%.*s', but another session of yours holds %.*s until %.*s; run: %.*s",
                 HO_ARG(name), HO_ARG(others->elsewhere->id),
                 HO_ARG(ho_time_str(call->arena, others->elsewhere->until)),
                 HO_ARG(ho_project_command(&call->project, call->arena, "inbox@", HO_EMPTY)));
  else if (name.n)
    ho_call_note(call, "nothing is ready for '%.*s'", HO_ARG(name));
  else
    ho_call_note(call, "nothing is ready for task %.*s%s%.*s", HO_ARG(task), phase.n ? ", phase " : "", HO_ARG(phase));
  return call->project.store ? ho_inbox_shown_waiting(call, err) : HO_OK;
}

static ho_code run(ho_call *call, ho_error *err)
{
  ho_project *project = &call->project;
  ho_delivery d = {.task = ho_arg_str(call, "task"),
                   .phase = ho_arg_str(call, "phase"),
                   .lease = ho_number_arg(call, "lease"),
                   .ack = ho_arg_true(call, "ack"),
                   .again = !ho_arg_true(call, "another")};
  int64_t ms = ho_number_arg(call, "wait") * 1000;
  bool there;
  ho_error missing = {0};
  ho_code code = open_ledger(call, &ms, &there, &missing);
  if (!code && !there)
    code = ho_claim_asker(project, d.task, &missing);
  if (!code && !there)
    code = ho_release_work(project, d.task, d.phase, &missing);
  if (code)
    *err = missing;
  besides others = {0};
  if (!code && there)
    code = put_news(call, &others, err);
  if (!code && others.found)
    return HO_OK;
  d.result = others.result;
  if (!code && there)
    code = ho_release_and_claim(project, call->arena, &d, err);
  if (!code && there && !d.found && ms > 0)
    code = ho_claim_wait(project, call->arena, &d, ms, err);
  if (!code && d.found)
    code = ho_claimed_put(call, &d, err);
  else if (!code)
    code = note_nothing(call, d.task, d.phase, &others, err);
  return code ? code : d.found ? HO_OK : HO_NO;
}

static void render(const ho_call *call, ho_buf *out, bool colour)
{
  const ho_node *item = ho_map_getz(call->result, "item");
  if (item)
    ho_inbox_shown_put(out, item, colour);
  else
    ho_claimed_render(call, out, colour);
}

static const ho_field params[] = {
    HO_PARAM_AS,
    {.name = "task", .label = "N", .doc = "Also handoffs for whoever takes this task.", .type = HO_T_TEXT},
    {.name = "phase", .label = "P", .doc = "Only this phase of the task.", .type = HO_T_TEXT},
    HO_PARAM_LEASE,
    HO_PARAM_ACK,
    {.name = "another", .doc = "One more, although you hold one already.", .type = HO_T_BOOL},
    {.name = "wait",
     .label = "S",
     .doc = "Wait up to S seconds for a handoff to become ready.",
     .type = HO_T_INT,
     .min = 1,
     .max = 604800},
    HO_FIELDS_END};
static const ho_record params_record = {.name = "next", .fields = params};
static const ho_field result[] = {HO_CLAIMED_FIELDS,
                                  {.name = "item",
                                   .doc = "Instead of a handoff: something more urgent.",
                                   .type = HO_T_RECORD,
                                   .record = &ho_inbox_item_record},
                                  HO_NOTES_FIELD,
                                  HO_FIELDS_END};
static const ho_record result_record = {.name = "next result", .fields = result};

const ho_command ho_command_next = {
    .name = "next",
    .group = "handoffs",
    .summary = "Claim the oldest handoff that is ready for an agent",
    .doc =
        "What is more urgent comes first, once: a question to the agent, or news of what it waits for ('handoff inbox' "
        "has them all). Prints the claim token on the first line, what else is known about the handoff on lines that "
        "start with "
        "'# ', and below a line that says so the document; its own comments at the top then start with '#|' (--json "
        "has it as it was sent). The receiver has to match AGENT exactly, without an instance "
        "after '/'; what was sent to an instance, or asked by one, is kept for it for the length of a lease. If the "
        "handoff is not acknowledged before the lease runs out, it is "
        "ready again for others. An agent that works in a session of its own gets what it holds in it again, "
        "unless the result of what it delegated, a decision or an answer has come, or --another is given. Exits 1 if "
        "nothing is "
        "ready.",
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
