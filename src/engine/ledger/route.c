/* Where a document goes: by how its format is sent (ho_sending, model/format.h). */
#include "base/fs.h"
#include "base/utf8.h"
#include "engine/ledger/describe.h"
#include "engine/ledger/halt.h"
#include "engine/ledger/send.h"
#include "engine/project/access.h"
#include "engine/project/identity.h"
#include "engine/project/project.h"
#include "engine/project/quote.h"
#include "model/formats/place.h"
#include "model/formats/response_findings.h"
#include "model/lifecycle.h"
#include "store/handoffs/handoffs.h"

enum { SHORT = 120, LONG = 200 }; /* of a summary, and of a question, in a gate's name */

void ho_route_files(const ho_doc *doc, void (*visit)(void *data, ho_str path), void *data)
{
  for (const char *const *list = doc->format->sending->files; list && *list; list++)
    HO_EACH_CONST (item, ho_node_by_names(doc->root, *list)) {
      ho_str path = item->kind == HO_KIND_MAP ? ho_map_str(item, "path") : ho_node_str(item);
      if (path.n)
        visit(data, ho_str_trim(path));
    }
}

/* What the document says in a field; "" if its format has none. */
static ho_str get(const ho_send *in, const char *path)
{
  return path ? ho_str_trim(ho_node_str(ho_node_by_names(in->seen.doc.root, path))) : HO_EMPTY;
}

static const ho_sending *how(const ho_send *in)
{
  return in->seen.doc.format->sending;
}

/* What the document says in short, in whole characters. */
static ho_str short_summary(const ho_send *in)
{
  ho_str text = get(in, how(in)->summary);
  return ho_str_sub(text, 0, ho_utf8_floor(text, SHORT));
}

/* Spellings of the one receiver that is not an agent. */
static bool is_human(ho_str name)
{
  return ho_str_list_has_nocase("human|humain|humaine|user|utilisateur|person", ho_identity_name(name));
}

/* How near a handoff is to whoever answers it. Several may be asked about one phase of one task at the same time, and each
 * answers its own: what it holds, then what is addressed to it, then what nobody holds; what another holds, it cannot. */
typedef enum nearness { NOT_FOUND, ANOTHERS, ANYBODYS, ADDRESSED, HELD } nearness;

static nearness near_to(ho_send *in, const ho_route *r, const ho_handoff *row)
{
  ho_turn turn = {0};
  ho_error none = {0};
  if (row->token.n)
    return !ho_turn_of(in->project, row, in->arena, &turn, &none) && !ho_turn_claimer(&turn, in->token, true, &none)
               ? HELD
               : ANOTHERS;
  if (row->claimed_by.n) /* it asked about it, and waits */
    return ho_str_eq(row->claimed_by, ho_project_actor(in->project)) ? HELD : ANOTHERS;
  return r->sender.n && ho_str_eq(row->receiver, ho_identity_name(r->sender)) ? ADDRESSED : ANYBODYS;
}

/* The nearest handoff that can be answered; of several, the one that got furthest, then the newest. */
static ho_code find_open(ho_send *in, const ho_route *r, const ho_filter *wanted, ho_handoff *out, nearness *found,
                         ho_error *err)
{
  static const ho_state states[] = {HO_STATE_ACKED, HO_STATE_CLAIMED, HO_STATE_READY, HO_STATE_CLARIFY, HO_STATE_GATED};
  *found = NOT_FOUND;
  for (size_t i = 0; *found < HELD && i < HO_COUNT(states); i++) {
    ho_handoff_list list;
    ho_filter filter = *wanted;
    filter.state = ho_str_of(ho_state_name(states[i]));
    filter.limit = 100;
    ho_code code = ho_handoffs_select(in->project->store, &filter, in->arena, &list, err);
    if (code)
      return code;
    for (size_t k = 0; k < list.count; k++) {
      nearness near = ho_str_is(list.rows[k].type, "delegation") ? near_to(in, r, &list.rows[k]) : NOT_FOUND;
      if (near > *found) {
        *out = list.rows[k];
        *found = near;
      }
    }
  }
  return HO_OK;
}

static const ho_node *node(const ho_send *in, const char *path)
{
  return path ? ho_node_by_names(in->seen.doc.root, path) : NULL;
}

/* Does the sender say that it has no step in the workflow? Whoever has none was called by somebody who has one. */
static bool is_outside(const ho_send *in)
{
  return ho_node_is(node(in, how(in)->step), HO_KIND_NULL);
}

/* Has this agent been given a step of a workflow, or done one? */
static ho_code is_in_workflow(ho_send *in, ho_str agent, bool *out, ho_error *err)
{
  ho_filter filters[] = {{.sender = agent, .limit = 100}, {.receiver = agent, .limit = 100}};
  ho_code code = HO_OK;
  *out = false;
  for (size_t i = 0; !code && !*out && i < HO_COUNT(filters); i++) {
    ho_handoff_list list;
    code = ho_handoffs_select(in->project->store, &filters[i], in->arena, &list, err);
    for (size_t k = 0; !code && k < list.count; k++)
      *out = *out ||
             (ho_str_is(list.rows[k].kind, in->seen.doc.format->name) && ho_str_is(list.rows[k].type, "sequential"));
  }
  return code;
}

/* The type of a document that does not say it and answers nothing. A step of a workflow that asks for a deliverable, and
 * does not say where the workflow goes on, asks a specialist, unless the receiver has a step of its own. */
static ho_code find_type(ho_send *in, ho_route *r, ho_error *err)
{
  bool expects = get(in, how(in)->deliverable).n > 0, known = true;
  ho_code code = HO_OK;
  r->type = HO_STR("sequential");
  if (is_outside(in) && !expects)
    r->type = HO_STR("return");
  else if (get(in, how(in)->step).n && expects && ho_node_absent(node(in, how(in)->workflow)))
    code = is_in_workflow(in, r->receiver, &known, err);
  if (!known)
    r->type = HO_STR("delegation");
  return code;
}

/* The document is a return if its receiver delegated work to its sender, and either it calls itself a return or that
 * work was acknowledged. */
static ho_code find_delegation(ho_send *in, ho_route *r, ho_error *err)
{
  ho_handoff parent;
  nearness found;
  ho_filter filter = {.sender = r->receiver, .receiver = ho_identity_name(r->sender)};
  ho_code code = find_open(in, r, &filter, &parent, &found, err);
  if (code)
    return code;
  if (!found && r->type.n)
    return ho_fail(err, HO_NOT_FOUND, "is a return, but %.*s has no open delegation to %.*s", HO_ARG(r->receiver),
                   HO_ARG(r->sender));
  if (found && (r->type.n || ho_str_is(parent.state, ho_state_name(HO_STATE_ACKED)))) {
    r->parent = parent.id;
    r->type = HO_STR("return");
  }
  return HO_OK;
}

static ho_code route_on(ho_send *in, ho_route *r, ho_error *err)
{
  ho_str named = get(in, how(in)->receiver), said = get(in, how(in)->type);
  if (named.n && in->to.n && !ho_str_eq(in->to, named))
    return ho_fail(err, HO_USAGE, "the %s is addressed to '%.*s', not to '%.*s'", in->seen.doc.format->name,
                   HO_ARG(named), HO_ARG(in->to));
  r->receiver = named.n ? named : in->to;
  if (how(in)->in_task_folder && !r->task.n)
    r->task = ho_place_task_around(in->full);
  r->human = is_human(r->receiver);
  r->type = said.n ? said : in->type;
  if (!r->type.n && r->human)
    r->type = HO_STR("escalation");
  bool may_answer = how(in)->type && (!r->type.n || ho_str_is(r->type, "return"));
  ho_code code = HO_OK;
  if (may_answer && !in->returns.n && r->sender.n)
    code = find_delegation(in, r, err);
  return code || r->type.n ? code : find_type(in, r, err);
}

static ho_code route_request(ho_send *in, ho_route *r, ho_error *err)
{
  if (in->returns.n)
    return ho_fail_file(err, HO_INVALID, in->path,
                        "is a %s, which asks for work and answers nothing; to return %.*s, write a response; to send "
                        "the %s, run: handoff send %.*s --to AGENT",
                        in->seen.doc.format->name, HO_ARG(in->returns), in->seen.doc.format->name,
                        HO_ARG(ho_quote_shell(in->arena, in->path)));
  if (!in->to.n)
    return ho_fail(err, HO_USAGE, "a %s needs a receiver; use --to AGENT", in->seen.doc.format->name);
  r->receiver = in->to;
  r->type = HO_STR("delegation");
  return in->asked ? HO_OK : ho_halt_refuse(in->project, r->task, in->arena, err);
}

/* The question that a response asks a person: the first of its questions that is one, else the first. */
static ho_str asked(const ho_send *in, const ho_route *r)
{
  ho_str first = HO_EMPTY, text;
  HO_EACH_CONST (item, ho_response_findings_questions(in->seen.doc.root)) {
    text = ho_response_findings_text(item);
    bool asks = ho_str_find_char(text, '?') != HO_NONE;
    if (!first.n || asks)
      first = text;
    if (asks)
      break;
  }
  return first.n ? ho_quote_clean(in->arena, first, LONG, true)
                 : ho_arena_printf(in->arena, "Clarify %.*s, %.*s: %.*s", HO_ARG(r->task), HO_ARG(r->phase),
                                   HO_ARG(short_summary(in)));
}

/* Nobody asked for this task and phase. Whoever holds a request has probably misspelt them. */
static ho_code refuse_unasked(ho_send *in, const ho_route *r, const char *kind, ho_error *err)
{
  ho_handoff held;
  nearness found;
  ho_filter filter = {.kind = ho_str_of(kind)};
  ho_code code = find_open(in, r, &filter, &held, &found, err);
  if (code)
    return code;
  ho_str task = ho_quote_name(in->arena, r->task), phase = ho_quote_name(in->arena, r->phase);
  if (found == HELD)
    return ho_fail(err, HO_NOT_FOUND,
                   "there is no open %s for task %.*s, phase %.*s, but you hold %.*s (task %.*s, phase %.*s); correct "
                   "task_id and phase, or use --to AGENT",
                   kind, HO_ARG(task), HO_ARG(phase), HO_ARG(held.id), HO_ARG(ho_quote_name(in->arena, held.task)),
                   HO_ARG(ho_quote_name(in->arena, held.phase)));
  return ho_fail(err, HO_NOT_FOUND, "there is no open %s for task %.*s, phase %.*s; use --to AGENT", kind, HO_ARG(task),
                 HO_ARG(phase));
}

/* The request that a response answers says where it goes. */
static ho_code find_request(ho_send *in, ho_route *r, ho_error *err)
{
  ho_handoff request;
  ho_turn turn = {0};
  nearness found;
  const char *kind = how(in)->answers->name;
  ho_filter filter = {.kind = ho_str_of(kind), .task = ho_id_plain(r->task), .phase = ho_id_plain(r->phase)};
  ho_code code = find_open(in, r, &filter, &request, &found, err);
  if (code || (!found && in->to.n))
    return code;
  if (!found)
    return refuse_unasked(in, r, kind, err);
  code = ho_turn_of(in->project, &request, in->arena, &turn, err);
  if (!code && (turn.state == HO_STATE_ACKED || turn.state == HO_STATE_CLAIMED))
    code = ho_turn_claimer(&turn, in->token, true, err);
  if (code)
    return code;
  r->parent = request.id;
  if (!r->sender.n)
    r->sender = ho_identity_name(request.claimed_by);
  return ho_describe_sender(in->project, &request, in->arena, &r->receiver, err);
}

static ho_code route_response(ho_send *in, ho_route *r, ho_error *err)
{
  r->receiver = in->to;
  r->type = HO_STR("return");
  ho_code code = HO_OK;
  if (!in->returns.n && !(in->asked && in->to.n)) /* a run knows what its teammates answer */
    code = find_request(in, r, err);
  if (!code && ho_str_list_has(how(in)->asks, get(in, how(in)->decision))) { /* before the orchestrator continues */
    r->human = r->blocking = r->asks = true;
    r->gate_name = asked(in, r);
  }
  return code;
}

static ho_code route_gate(ho_send *in, ho_route *r, ho_error *err)
{
  (void)err;
  ho_str type = get(in, how(in)->gate_type), name = get(in, how(in)->gate);
  r->receiver = HO_STR("human");
  r->type = HO_STR("escalation");
  r->human = true;
  r->blocking = !type.n || ho_str_is(type, "blocking");
  r->gate_name = name.n ? name : short_summary(in);
  return HO_OK;
}

/* The sender that the document states; but it makes nobody a person who is none: then it is whoever sends it. */
static ho_str stated_sender(const ho_send *in)
{
  ho_str from = get(in, how(in)->sender);
  bool posed = ho_str_starts(from, HO_PROJECT_PERSON) && !ho_str_eq(from, ho_project_actor(in->project));
  return from.n && !posed ? from : in->project->name;
}

static ho_code route(ho_send *in, ho_route *r, ho_error *err)
{
  r->sender = stated_sender(in);
  r->id = get(in, how(in)->id);
  r->task = get(in, how(in)->task);
  r->phase = get(in, how(in)->phase);
  switch (how(in)->kind) {
  case HO_SEND_ON:
    return route_on(in, r, err);
  case HO_SEND_REQUEST:
    return route_request(in, r, err);
  case HO_SEND_RESPONSE:
    return route_response(in, r, err);
  case HO_SEND_GATE:
    return route_gate(in, r, err);
  case HO_SEND_ACK:
    break;
  }
  return ho_fail(err, HO_BUG, "an acknowledgement is not a handoff");
}

/* A response echoes the task and the phase of its request. */
static ho_code match(const ho_send *in, const ho_route *r, const ho_handoff *request, ho_error *err)
{
  if (how(in)->kind != HO_SEND_RESPONSE || !ho_str_is(request->kind, how(in)->answers->name) ||
      (ho_str_eq(ho_id_plain(r->task), request->task) && ho_str_eq(ho_id_plain(r->phase), request->phase)))
    return HO_OK;
  return ho_fail_file(err, HO_INVALID, in->path,
                      "has task_id '%.*s' and phase '%.*s', but the request %.*s has '%.*s' and '%.*s'",
                      HO_ARG(ho_str_sub(r->task, 0, 80)), HO_ARG(ho_str_sub(r->phase, 0, 80)), HO_ARG(request->id),
                      HO_ARG(request->task), HO_ARG(request->phase));
}

/* `return ID PATH`: the handoff that it answers is known. */
static ho_code route_return(ho_send *in, ho_route *r, ho_error *err)
{
  ho_turn turn = {0};
  ho_code code = ho_turn_begin(in->project, in->returns, in->arena, &turn, err);
  if (code)
    return code;
  if (r->receiver.n && turn.row.sender.n &&
      !ho_str_eq(ho_identity_name(r->receiver), ho_identity_name(turn.row.sender)))
    return ho_fail(err, HO_CONFLICT, "%.*s came from '%.*s', so it must be returned there, not to '%.*s'",
                   HO_ARG(turn.row.id), HO_ARG(turn.row.sender), HO_ARG(r->receiver));
  code = match(in, r, &turn.row, err);
  if (code)
    return code;
  if (!r->receiver.n)
    code = ho_describe_sender(in->project, &turn.row, in->arena, &r->receiver, err);
  if (code)
    return code;
  r->parent = turn.row.id;
  r->type = HO_STR("return");
  if (!r->task.n)
    r->task = turn.row.task;
  if (!r->phase.n)
    r->phase = turn.row.phase;
  return HO_OK;
}

/* What a person is asked, if the document does not name it. */
static ho_str question(const ho_send *in, const ho_route *r)
{
  ho_str who = r->sender.n ? r->sender : in->project->actor, what = short_summary(in);
  return ho_arena_printf(in->arena, what.n ? "%.*s asks: %.*s" : "%.*s asks for a decision%.*s", HO_ARG(who),
                         HO_ARG(what));
}

/* The task during which a person is asked, if the document names none: HANDOFF_TASK, else that of what this session holds,
 * if all of it has one. Whoever works on the task later is told what was decided. */
static ho_code find_task_at_work(ho_send *in, ho_str *out, ho_error *err)
{
  static const ho_state states[] = {HO_STATE_ACKED, HO_STATE_CLAIMED};
  ho_str actor = ho_project_actor(in->project), task = HO_EMPTY;
  *out = ho_access_variable("HANDOFF_TASK");
  ho_code code = HO_OK;
  bool one = !out->n && !ho_str_starts(actor, HO_PROJECT_PERSON);
  for (size_t s = 0; !code && one && s < HO_COUNT(states); s++) {
    ho_handoff_list list;
    ho_filter filter = {.state = ho_str_of(ho_state_name(states[s])), .holder = in->project->session};
    code = ho_handoffs_select(in->project->store, &filter, in->arena, &list, err);
    for (size_t i = 0; !code && i < list.count; i++) {
      const ho_handoff *row = &list.rows[i];
      if (!row->task.n || !ho_str_eq(row->claimed_by, actor))
        continue;
      one = one && (!task.n || ho_str_eq(row->task, task));
      task = row->task;
    }
  }
  if (one)
    *out = task;
  return code;
}

ho_code ho_route_find(ho_send *in, ho_route *out, ho_error *err)
{
  *out = (ho_route){.blocking = true, .gate_name = HO_EMPTY};
  ho_code code = route(in, out, err);
  if (!code && in->returns.n)
    code = route_return(in, out, err);
  if (!code && !ho_str_list_has("sequential|delegation|escalation|return", out->type))
    code = ho_fail(err, HO_USAGE, "unknown type '%.*s'; use sequential, delegation, escalation or return",
                   HO_ARG(out->type));
  if (!code && out->human && !in->asked && !in->gates.n && !out->task.n)
    code = find_task_at_work(in, &out->task, err);
  if (is_human(out->receiver))
    out->receiver = HO_STR("human");
  /* It is for the agent, whichever instance: those come and go. The one that was named has it first (ho_claim_next). */
  if (!ho_str_eq(out->receiver, ho_identity_name(out->receiver)))
    out->kept_for = out->receiver;
  out->receiver = ho_identity_name(out->receiver);
  if (is_human(out->sender))
    out->sender = HO_STR("human");
  out->task = ho_id_plain(out->task);
  out->phase = ho_id_plain(out->phase);
  if (!code && out->human && !out->gate_name.n)
    out->gate_name = question(in, out);
  return code;
}
