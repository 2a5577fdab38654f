/* The exchange of a workflow's step, in the store: what the teammate was asked is a request delegated by the lead,
 * and its answer is the response that returns it. Both are recorded once the answer is there. Their keys ensure that
 * a lead that was killed and processes the same answer again records nothing twice. A document that is refused stays
 * a file, and people are told; the run continues. */
#include "base/buf.h"
#include "base/digest.h"
#include "doc/json/json.h"
#include "engine/ledger/gate_step.h"
#include "engine/ledger/send.h"
#include "engine/ledger/write.h"
#include "engine/project/event_data.h"
#include "engine/project/identity.h"
#include "engine/project/project.h"
#include "engine/run/run_parts.h"
#include "model/formats/formats.h"

static ho_project lead_of(const ho_run *run)
{
  return ho_project_acting(run->project, HO_STR("lead"), HO_EMPTY, run->row.id);
}

static ho_project teammate_of(const ho_run *run, const ho_run_mate *mate)
{
  ho_project as = ho_project_acting(run->project, mate->row.agent, HO_EMPTY, mate->row.session);
  as.root = mate->row.folder;
  return as;
}

/* ---- Recording a document. */

/* *id: that of the handoff; "" if the document is refused. */
static ho_code take_in(ho_run_exchange *x, ho_send *in, ho_project as, const char *what, ho_str *id, ho_error *err)
{
  ho_error why = {0};
  ho_run *run = x->run;
  in->project = &as;
  in->arena = x->arena;
  in->path = ho_str_of(what);
  in->tokens = run->options->tokens;
  in->also_data = x;
  *id = HO_EMPTY;
  ho_code code = ho_send_read(in, &why);
  if (!code && !in->seen.refused)
    code = ho_send_record(in, &why);
  if (ho_code_http(code) >= 500) { /* not the document's fault */
    *err = why;
    return code;
  }
  const ho_finding *refusal = ho_send_refusal(in);
  if (code || refusal)
    ho_run_note(run, "the %s of %.*s is not recorded: %.*s", what, HO_ARG(x->mate ? x->mate->row.id : run->row.id),
                HO_ARG(code ? ho_str_of(why.message) : refusal->message));
  else
    *id = in->made.row.id;
  return HO_OK;
}

static ho_node *given(const ho_run_exchange *x)
{
  ho_node *data = ho_node_new(x->arena, HO_KIND_MAP);
  if (x->mate)
    ho_event_data_put(x->run->project, x->arena, data, "teammate", x->mate->row.id);
  return data;
}

/* ---- The request. */

/* It belongs to the teammate, which has it in its prompt. */
static ho_code hold(ho_run_exchange *x, ho_turn *turn, ho_error *err)
{
  char token[65], hash[HO_DIGEST_SIZE];
  ho_code code = ho_random_hex(token, 16, err);
  if (code || !(turn->state == HO_STATE_READY || turn->state == HO_STATE_CLAIMED || turn->state == HO_STATE_ACKED))
    return code;
  ho_digest_text(ho_str_of(token), hash);
  x->token = ho_arena_copy(x->arena, ho_str_of(token));
  turn->actor = HO_STR("lead");
  turn->row.token = ho_arena_copy(x->arena, ho_str_of(hash));
  turn->row.claimed_by = x->mate->row.agent;
  turn->row.claim_session = x->mate->row.session;
  ho_turn_lease(turn, HO_RUN_CLAIM);
  if (turn->state == HO_STATE_READY)
    code = ho_turn_apply(turn, HO_EVENT_CLAIMED, given(x), err);
  else
    code = ho_turn_mark(turn, "claimed_again", given(x), err);
  if (!code && turn->state == HO_STATE_CLAIMED)
    code = ho_turn_apply(turn, HO_EVENT_ACKED, given(x), err);
  return code;
}

static ho_code hold_new(ho_send *in, void *data, ho_error *err)
{
  ho_turn turn;
  ho_code code = ho_turn_of(in->project, &in->made.row, in->arena, &turn, err);
  if (!code)
    code = hold(data, &turn, err);
  in->made.row = turn.row;
  return code;
}

/* A previous lead already recorded it. */
static ho_code hold_again(ho_store *store, void *data, ho_error *err)
{
  ho_run_exchange *x = data;
  ho_turn turn;
  (void)store;
  ho_code code = ho_turn_begin(x->run->project, x->request, x->arena, &turn, err);
  return code ? code : hold(x, &turn, err);
}

ho_code ho_run_exchange_begin(ho_run_exchange *x, ho_error *err)
{
  ho_str text;
  ho_error none = {0};
  if (x->run->plan.format != &ho_format_workflow)
    return HO_OK;
  ho_str file = ho_fs_join(x->arena, ho_run_files(x->run, x->arena, x->mate->row.id), HO_STR(HO_RUN_REQUEST));
  if (!file.n || ho_fs_read(x->arena, file.p, 0, &text, &none) != HO_OK)
    return ho_arena_code(x->arena, err); /* from a run that an older version began */
  ho_send in = {.text = text,
                .key = ho_arena_printf(x->arena, HO_RUNS_KEYS "%.*s:request", HO_ARG(x->mate->row.id)),
                .format = &ho_format_request,
                .to = ho_identity_name(x->mate->row.agent),
                .asked = true, /* it was started before the task was halted */
                .also = hold_new};
  ho_code code = take_in(x, &in, lead_of(x->run), "request", &x->request, err);
  if (!code && x->request.n && in.made.same)
    code = ho_ledger_write(x->run->project, hold_again, x, err);
  return code;
}

/* ---- The response. */

/* The lead has read it. */
static ho_code take_over(ho_send *in, void *data, ho_error *err)
{
  static const ho_event_kind events[] = {HO_EVENT_CLAIMED, HO_EVENT_ACKED, HO_EVENT_DONE};
  ho_run_exchange *x = data;
  ho_turn turn;
  ho_code code = ho_turn_of(in->project, &in->made.row, in->arena, &turn, err);
  turn.actor = turn.row.claimed_by = HO_STR("lead");
  turn.row.claim_session = x->run->row.id;
  for (size_t i = 0; !code && i < HO_COUNT(events); i++)
    code = ho_turn_apply(&turn, events[i], given(x), err);
  in->made.row = turn.row;
  return code;
}

/* It was done without a response. */
static ho_code close_request(ho_store *store, void *data, ho_error *err)
{
  ho_run_exchange *x = data;
  ho_turn turn;
  (void)store;
  ho_code code = ho_turn_begin(x->run->project, x->request, x->arena, &turn, err);
  turn.actor = HO_STR("lead");
  return code || turn.state != HO_STATE_ACKED ? code : ho_turn_apply(&turn, HO_EVENT_DONE, given(x), err);
}

/* What is left of a response that breaks a rule, but halts the task. */
static ho_str bare_stop(const ho_run_exchange *x)
{
  ho_buf text;
  ho_arena *a = x->arena;
  ho_node *root = ho_node_new(a, HO_KIND_MAP);
  ho_map_addz(root, "task_id", ho_node_text(a, x->run->row.task));
  ho_map_addz(root, "phase", ho_node_textz(a, ho_plan_steps_kind_name(x->run->plan.items[x->mate->step].kind)));
  ho_map_addz(root, "status", ho_node_textz(a, "blocked"));
  ho_map_addz(root, "decision", ho_node_textz(a, "STOP"));
  ho_map_addz(root, "findings", ho_node_new(a, HO_KIND_MAP));
  ho_map_addz(root, "context_summary", ho_node_text(a, x->stop));
  ho_list_add(ho_map_addz(root, "issues", ho_node_new(a, HO_KIND_LIST)), ho_node_text(a, x->stop));
  ho_buf_init(&text, 0);
  ho_json_write(&text, root, 2);
  return ho_buf_move(&text, a);
}

static ho_code send_response(ho_run_exchange *x, ho_str text, ho_str *id, ho_error *err)
{
  ho_send in = {.text = text,
                .key = ho_run_response_key(x->arena, x->mate->row.id),
                .format = &ho_format_response,
                .to = x->request.n ? HO_EMPTY : HO_STR("lead"),
                .returns = x->request,
                .token = x->token,
                .asked = true,
                .also = take_over};
  return take_in(x, &in, teammate_of(x->run, x->mate), "response", id, err);
}

ho_code ho_run_exchange_end(ho_run_exchange *x, ho_str response, ho_error *err)
{
  ho_str id = HO_EMPTY;
  ho_code code = HO_OK;
  if (response.n && (x->request.n || x->stop.n))
    code = send_response(x, response, &id, err);
  if (!code && !id.n && x->stop.n)
    code = send_response(x, bare_stop(x), &id, err);
  if (!code && !id.n && x->request.n)
    code = ho_ledger_write(x->run->project, close_request, x, err);
  return code;
}

ho_code ho_run_exchange_joined(ho_run_exchange *x, ho_str key, ho_str full, ho_str text, ho_error *err)
{
  ho_str id;
  ho_send in = {.text = text,
                .full = full,
                .key = key,
                .format = &ho_format_response,
                .to = HO_STR("lead"),
                .asked = true,
                .also = take_over};
  return take_in(x, &in, lead_of(x->run), "response", &id, err);
}
