/* Gates of a run: a person decides how a step continues. Each is an ordinary gate document; its key ensures that a
 * lead that was killed does not ask the same thing twice. */

#include "base/buf.h"
#include "base/time.h"
#include "doc/yaml/yaml.h"
#include "engine/ledger/gate_step.h"
#include "engine/ledger/holder.h"
#include "engine/ledger/send.h"
#include "engine/ledger/write.h"
#include "engine/project/project.h"
#include "engine/project/quote.h"
#include "engine/run/run_parts.h"
#include "model/formats/formats.h"
#include "store/handoffs/gates.h"
#include "store/handoffs/handoffs.h"

ho_str ho_run_question_name(ho_arena *arena, ho_str question)
{
  enum { MOST = 200 };
  return ho_quote_clean(arena, question, MOST, true);
}

static ho_node *map(ho_arena *arena)
{
  return ho_node_new(arena, HO_KIND_MAP);
}

static void put(ho_arena *arena, ho_node *to, const char *key, ho_str text)
{
  ho_map_addz(to, key, ho_node_text(arena, text));
}

static ho_node *request(ho_arena *arena, const ho_run_question *q)
{
  ho_node *out = map(arena), *items = ho_map_addz(out, "items", ho_node_new(arena, HO_KIND_LIST));
  ho_node *options = ho_map_addz(out, "options", map(arena));
  for (size_t i = 0; i < q->item_count; i++)
    ho_list_add(items, ho_node_text(arena, q->items[i]));
  put(arena, options, "approve", ho_str_of(q->approve));
  put(arena, options, "reject", ho_str_of(q->reject));
  put(arena, options, "question", HO_STR("The phase keeps waiting until the question is answered"));
  return out;
}

static ho_node *context(ho_run *run, ho_arena *arena, size_t step, const ho_run_question *q)
{
  ho_node *out = map(arena);
  ho_str handoff = run->steps[step].handoff;
  put(arena, out, "summary", q->summary);
  if (q->said.n)
    ho_list_add(ho_map_addz(out, "key_info", ho_node_new(arena, HO_KIND_LIST)), ho_node_text(arena, q->said));
  if (ho_str_find_char(handoff, '/') == HO_NONE || !ho_fs_exists(ho_fs_join(arena, run->project->root, handoff).p))
    return out;
  ho_node *list = ho_map_addz(out, "artifacts", ho_node_new(arena, HO_KIND_LIST));
  ho_node *one = ho_list_add(list, map(arena));
  put(arena, one, "path", handoff);
  put(arena, one, "type", HO_STR("doc"));
  put(arena, one, "description", HO_STR("The newest handoff of the phase"));
  return out;
}

static ho_str document(ho_run *run, ho_arena *arena, size_t step, const ho_run_question *q)
{
  ho_buf text;
  ho_node *root = map(arena), *doc = ho_map_addz(root, "handoff", map(arena));
  put(arena, doc, "timestamp", ho_time_str(arena, q->at));
  ho_node *from = ho_map_addz(doc, "from", map(arena)), *to = ho_map_addz(doc, "to", map(arena));
  put(arena, from, "agent", HO_STR("lead"));
  put(arena, from, "step", run->plan.items[step].key);
  put(arena, to, "agent", HO_STR("human"));
  put(arena, to, "reason",
      ho_arena_printf(arena, q->advisory ? "Run %.*s asks for advice" : "Run %.*s needs a decision to continue",
                      HO_ARG(run->row.id)));
  ho_node *gate = ho_map_addz(doc, "gate", map(arena));
  put(arena, gate, "type", ho_str_of(q->advisory ? "advisory" : "blocking"));
  put(arena, gate, "name", q->name);
  put(arena, gate, "step", run->plan.items[step].key);
  ho_map_addz(doc, "context", context(run, arena, step, q));
  ho_map_addz(doc, "validation_request", request(arena, q));
  ho_buf_init(&text, 0);
  ho_yaml_write(&text, root);
  return ho_buf_move(&text, arena);
}

/* A lead that was killed may have asked before: then that gate is the answer. */
static ho_code asked_before(ho_run *run, ho_arena *arena, ho_str key, ho_str *gate, ho_error *err)
{
  ho_handoff row;
  ho_gate_list list = {0};
  bool found = false;
  ho_code code = ho_handoffs_by_key(run->project->store, key, arena, &row, &found, err);
  if (!code && found && ho_str_is(row.kind, ho_format_gate.name))
    code = ho_gates_select(run->project->store, HO_GATE_ANY, row.id, 1, arena, &list, err);
  *gate = !code && list.count ? list.rows[0].id : HO_EMPTY;
  return code;
}

/* If what teammates wrote makes the document break a rule, the question is asked without their words. */
static ho_code send(ho_run *run, ho_arena *arena, size_t step, ho_send like, const ho_run_question *question,
                    ho_str *gate, ho_error *err)
{
  ho_str plain = HO_STR("How to continue the phase; what its newest teammate wrote is in its log");
  ho_run_question bare = *question;
  bare.name = ho_arena_printf(arena, "Phase %.*s", HO_ARG(ho_quote_name(arena, run->plan.items[step].id)));
  bare.summary = HO_STR("The phase waits for a decision. What its newest teammate wrote could not be included here; it "
                        "is in the teammate's log (see 'handoff lineage').");
  bare.said = HO_EMPTY;
  bare.items = &plain;
  bare.item_count = 1;
  for (int attempt = 0;; attempt++) {
    ho_send in = like;
    in.project = run->project;
    in.arena = arena;
    in.path = HO_STR("-");
    in.format = &ho_format_gate;
    in.tokens = run->options->tokens;
    in.only_gate = true;
    in.text = document(run, arena, step, attempt ? &bare : question);
    ho_code code = ho_arena_code(arena, err);
    if (!code)
      code = ho_send_read(&in, err);
    const ho_finding *refusal = ho_send_refusal(&in);
    if (!code && refusal && !attempt)
      continue;
    if (!code && refusal)
      return ho_fail(err, HO_BUG, "the gate of phase %.*s breaks the rule %s: %.*s", HO_ARG(run->plan.items[step].id),
                     refusal->rule->id, HO_ARG(refusal->message));
    if (!code)
      code = ho_send_record(&in, err);
    *gate = in.made.gate;
    return code;
  }
}

ho_code ho_run_ask(ho_run *run, size_t step, const ho_run_question *question, ho_error *err)
{
  ho_arena arena;
  ho_str gate = HO_EMPTY;
  ho_run_step *s = &run->steps[step];
  ho_arena_init(&arena, 0);
  ho_str key = ho_gate_step_key(&arena, &(ho_gate_step){.run = run->row.id,
                                                        .step = run->plan.items[step].key,
                                                        .n = ho_run_times(run, step),
                                                        .why = question->why});
  ho_code code = asked_before(run, &arena, key, &gate, err);
  if (!code && !gate.n)
    code = send(run, &arena, step, (ho_send){.key = key}, question, &gate, err);
  if (!code) {
    s->gate = ho_run_keep(run, gate);
    s->gate_why = question->why;
    ho_run_set(run, step, HO_STEP_GATED, question->item_count ? question->items[0] : question->summary);
  }
  ho_arena_free(&arena);
  return code;
}

ho_code ho_run_advise(ho_run *run, size_t step, const ho_run_question *question, ho_str handoff, ho_error *err)
{
  ho_arena arena;
  ho_str gate = HO_EMPTY;
  ho_gate_list before = {0};
  ho_arena_init(&arena, 0);
  ho_code code = ho_gates_select(run->project->store, HO_GATE_ANY, handoff, 1, &arena, &before, err);
  if (!code && !before.count)
    code = send(run, &arena, step, (ho_send){.gates = handoff}, question, &gate, err);
  if (gate.n)
    ho_run_note(run, "advice about step %.*s was requested (%.*s); nothing waits for it",
                HO_ARG(run->plan.items[step].id), HO_ARG(gate));
  ho_arena_free(&arena);
  return code;
}

/* ---- Decisions. */

typedef struct closing {
  ho_run *run;
  ho_arena *arena;
  ho_str handoff;
  ho_str over; /* the phase that is done by this decision, or "" */
} closing;

/* What the phase has handed on, and nobody has taken, is over with it: without this it would be offered, as work that waits,
 * to every session that starts. */
static ho_code end_phase(closing *c, ho_error *err)
{
  enum { MOST = 200 };
  ho_project *project = c->run->project;
  ho_filter filter = {.task = c->run->row.task, .phase = c->over, .limit = MOST};
  ho_handoff_list list = {0};
  ho_code code = ho_handoffs_select(project->store, &filter, c->arena, &list, err);
  for (size_t i = 0; !code && i < list.count; i++) {
    ho_turn turn = {0};
    ho_state state;
    const ho_handoff *row = &list.rows[i];
    if (!ho_state_named(row->state, &state) || !ho_state_open(state) || state == HO_STATE_GATED ||
        ho_holder_other(project, c->arena, row))
      continue;
    code = ho_turn_of(project, row, c->arena, &turn, err);
    turn.actor = HO_STR("lead");
    if (!code)
      code = ho_turn_apply(&turn, HO_EVENT_FINISHED, NULL, err);
  }
  return code;
}

/* The lead accepts the decision: the gate's own handoff has come back to it, and is done. */
static ho_code close_handoff(ho_store *store, void *data, ho_error *err)
{
  closing *c = data;
  ho_turn turn = {0};
  (void)store;
  ho_code code = ho_turn_begin(c->run->project, c->handoff, c->arena, &turn, err);
  turn.actor = HO_STR("lead");
  if (!code && turn.state == HO_STATE_READY) {
    turn.row.claimed_by = turn.actor;
    turn.row.claim_session = c->run->row.id;
    code = ho_turn_apply(&turn, HO_EVENT_CLAIMED, NULL, err);
  }
  if (!code && turn.state == HO_STATE_CLAIMED)
    code = ho_turn_apply(&turn, HO_EVENT_ACKED, NULL, err);
  if (!code && turn.state == HO_STATE_ACKED)
    code = ho_turn_apply(&turn, HO_EVENT_DONE, NULL, err);
  return code || !c->over.n || !c->run->row.task.n ? code : end_phase(c, err);
}

ho_str ho_run_said_at(const ho_run *run, const ho_gate *gate)
{
  return ho_arena_printf(run->arena, "%.*s %s %.*s%s%.*s%s%s%.*s", HO_ARG(gate->decided_by),
                         gate->decision == HO_DECISION_APPROVE  ? "approved"
                         : gate->decision == HO_DECISION_REJECT ? "rejected"
                                                                : "asked about",
                         HO_ARG(gate->id), gate->proof.n ? " (" : "", HO_ARG(ho_gate_read_proof_words(gate->proof)),
                         gate->proof.n ? ")" : "", gate->note.n ? ": " : "", HO_ARG(gate->note));
}

static void follow(ho_run *run, size_t step, const ho_gate *gate)
{
  ho_run_step *s = &run->steps[step];
  bool approved = gate->decision == HO_DECISION_APPROVE, result = s->gate_why == HO_REASON_RESULT;
  ho_str said = ho_run_said_at(run, gate);
  if (approved && result) {
    if (run->plan.items[step].join && gate->note.n) /* later steps are told what they found, and this */
      s->summary = ho_arena_printf(run->arena, "%.*s (decided: %.*s)", HO_ARG(s->summary), HO_ARG(gate->note));
    ho_run_set(run, step, HO_STEP_DONE, said);
    return;
  }
  if (!approved && (!result || run->plan.items[step].join)) {
    s->ended = ho_project_now(run->project);
    ho_run_set(run, step, HO_STEP_FAILED, said);
    return;
  }
  s->note = ho_run_keep(run, gate->note);
  s->successors = s->crashes = s->idle = s->not_before = s->ended = 0;
  ho_run_set(run, step, HO_STEP_WAITING, said);
}

/* Is the gate one that this run raised for this step? The step's row alone does not say so. */
static ho_code is_own(ho_run *run, size_t step, const ho_gate *gate, ho_arena *arena, bool *own, ho_error *err)
{
  ho_handoff row;
  ho_gate_step of;
  ho_code code = ho_handoffs_get(run->project->store, gate->handoff, arena, &row, err);
  *own = !code && ho_gate_step_parse(row.key, &of) && ho_str_eq(of.run, run->row.id) &&
         ho_str_eq(of.step, run->plan.items[step].key);
  return code;
}

static ho_code look(ho_run *run, size_t step, ho_arena *arena, bool *decided, ho_error *err)
{
  ho_gate gate;
  bool own = false;
  ho_code code = ho_gate_read(run->project, run->steps[step].gate, arena, &gate, err);
  if (code || gate.state != HO_GATE_DECIDED)
    return code;
  code = is_own(run, step, &gate, arena, &own, err);
  if (!code && !own)
    code = ho_fail(err, HO_STORE, "%.*s waits for %.*s, a gate of something else; run: handoff verify",
                   HO_ARG(run->plan.items[step].id), HO_ARG(gate.id));
  if (code)
    return code;
  bool over = gate.decision == HO_DECISION_APPROVE && run->steps[step].gate_why == HO_REASON_RESULT;
  closing c = {
      .run = run, .arena = arena, .handoff = gate.handoff, .over = over ? run->plan.items[step].key : HO_EMPTY};
  if (gate.decision == HO_DECISION_APPROVE)
    code = ho_ledger_write(run->project, close_handoff, &c, err);
  if (code)
    return code;
  *decided = true;
  follow(run, step, &gate);
  return HO_OK;
}

ho_code ho_run_gates(ho_run *run, ho_error *err)
{
  ho_arena arena;
  ho_code code = HO_OK;
  ho_arena_init(&arena, 0);
  for (size_t i = 0; !code && i < run->plan.count; i++) {
    bool one = false;
    if (!ho_run_is(run, i, HO_STEP_GATED))
      continue;
    code = run->steps[i].gate_why == HO_REASON_HANDOFF ? ho_run_look_handed(run, i, &arena, &one, err)
                                                       : look(run, i, &arena, &one, err);
    if (!code && one) {
      code = ho_run_commit(run, err);
      HO_RUN_TELL(run, changed, &run->steps[i]);
    }
    ho_arena_reset(&arena);
  }
  ho_arena_free(&arena);
  return code;
}
