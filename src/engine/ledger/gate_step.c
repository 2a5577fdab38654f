#include "engine/ledger/gate_step.h"

#include "base/grow.h"
#include "engine/ledger/draft.h"
#include "engine/ledger/marks.h"
#include "engine/project/identity.h"
#include "model/formats/formats.h"
#include "store/handoffs/chain.h"

ho_str ho_gate_step_key(ho_arena *arena, const ho_gate_step *of)
{
  return ho_arena_printf(arena, HO_RUNS_KEYS "%.*s/%.*s.%lld:%s", HO_ARG(of->run), HO_ARG(of->step), (long long)of->n,
                         ho_words_name(&ho_gate_reasons, of->why));
}

bool ho_gate_step_parse(ho_str key, ho_gate_step *out)
{
  ho_runs_key parts;
  int reason;
  *out = (ho_gate_step){0};
  if (!ho_runs_key_parse(key, &parts) || !ho_words_find(&ho_gate_reasons, parts.what, &reason))
    return false;
  *out = (ho_gate_step){.run = parts.run, .step = parts.step, .n = parts.n, .why = (ho_gate_reason)reason};
  return true;
}

bool ho_gate_step_asks(const ho_handoff *row, ho_arena *arena)
{
  ho_gate_step step;
  bool of_run = ho_gate_step_parse(row->key, &step);
  return of_run ? step.why == HO_REASON_CLARIFY : ho_marks_get(row, arena, HO_MARK_ASKS).n > 0;
}

/* Keeps the newest of each step: that with the most teammates, and of those the one that was asked last. */
static ho_gate_step *slot_for(ho_gate_step_list *list, const ho_gate_step *one, ho_arena *arena)
{
  for (size_t i = 0; i < list->count; i++)
    if (ho_str_eq(list->rows[i].step, one->step))
      return list->rows[i].n <= one->n ? &list->rows[i] : NULL;
  return HO_PUSH(arena, list->rows, list->count);
}

/* Does this gate count? Others than `run` cannot use its keys, but the store can be changed: an approval counts only at a
 * handoff that is as it was recorded. A gate that is not approved holds its step in any case. */
static ho_code is_own(ho_project *project, const ho_handoff *row, const ho_gate *gate, bool *own, ho_error *err)
{
  *own = gate->id.n && ho_str_is(row->kind, ho_format_gate.name);
  if (!*own || gate->decision != HO_DECISION_APPROVE)
    return HO_OK;
  return ho_chain_check(project->store, row->id, own, err);
}

ho_code ho_gate_step_newest(ho_project *project, ho_str run, ho_arena *arena, ho_gate_step_list *out, ho_error *err)
{
  ho_handoff_list asked;
  *out = (ho_gate_step_list){0};
  ho_str first = ho_arena_printf(arena, HO_RUNS_KEYS "%.*s/", HO_ARG(run));
  ho_code code = ho_arena_code(arena, err);
  if (!code)
    code = ho_handoffs_by_key_begin(project->store, first, arena, &asked, err);
  for (size_t i = 0; !code && i < asked.count; i++) {
    ho_gate_step one;
    bool waits = false, own = false;
    if (!ho_gate_step_parse(asked.rows[i].key, &one))
      continue;
    code = ho_gate_read_standing(project, asked.rows[i].id, arena, &one.gate, &waits, err);
    if (!code)
      code = is_own(project, &asked.rows[i], &one.gate, &own, err);
    ho_gate_step *slot = !code && own ? slot_for(out, &one, arena) : NULL;
    if (slot)
      *slot = one;
  }
  return code ? code : ho_arena_code(arena, err);
}

/* What is asked for advice holds nothing up; what a step waits for at a gate of its handoff is that handoff's own. */
static bool holds_step(const ho_gate_step *at)
{
  return at->gate.state == HO_GATE_OPEN && at->why != HO_REASON_ADVICE && at->why != HO_REASON_HANDOFF;
}

ho_code ho_gate_step_holds(ho_project *project, const ho_handoff *row, ho_arena *arena, ho_gate *gate, bool *holds,
                           ho_error *err)
{
  enum { RUNS = 50 };
  ho_run_list runs;
  *holds = false;
  if (!row->task.n || !row->phase.n || !ho_draft_tells(row, arena))
    return HO_OK;
  ho_code code = ho_runs_select(project->store, HO_EMPTY, HO_EMPTY, true, RUNS, arena, &runs, err);
  for (size_t i = 0; !code && !*holds && i < runs.count; i++) {
    ho_gate_step_list steps;
    if (!ho_str_eq(ho_id_plain(runs.rows[i].task), ho_id_plain(row->task)))
      continue;
    code = ho_gate_step_newest(project, runs.rows[i].id, arena, &steps, err);
    for (size_t k = 0; !code && !*holds && k < steps.count; k++)
      if (holds_step(&steps.rows[k]) && ho_str_eq(ho_id_plain(steps.rows[k].step), ho_id_plain(row->phase))) {
        *gate = steps.rows[k].gate;
        *holds = true;
      }
  }
  return code;
}

ho_code ho_gate_step_refuse(const ho_handoff *row, const ho_gate *gate, ho_error *err)
{
  return ho_fail(err, HO_GATED, "phase %.*s of task %.*s waits for a person; run: handoff gate show %.*s",
                 HO_ARG(row->phase), HO_ARG(row->task), HO_ARG(gate->id));
}
