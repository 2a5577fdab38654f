/* The handoff that a step goes on from, and the gates that hold it up. What its teammate is told is a delivery like any
 * other: a handoff that waits for a person is given to nobody, so its step waits as well; one that was rejected, or taken
 * back, is nothing to go on from. */
#include "engine/ledger/gate_read.h"
#include "engine/project/project.h"
#include "engine/relay/handed.h"
#include "engine/run/run_parts.h"

/* A file that nobody has recorded waits for nothing. */
static ho_code judge_handed(ho_run *run, ho_arena *arena, ho_str folder, const ho_handed *handed,
                            ho_handed_standing *out, ho_gate *gate, ho_error *err)
{
  ho_handoff row;
  *out = HO_HANDED_FREE;
  *gate = (ho_gate){0};
  return ho_handed_row(run->project, arena, folder, handed, &row)
             ? ho_handed_judge(run->project, &row, arena, out, gate, err)
             : HO_OK;
}

/* The newest that has not ended. *found is false if there is none. */
static ho_code newest(ho_run *run, const ho_phase *phase, ho_str folder, ho_handed *handed, ho_handed_standing *out,
                      ho_gate *gate, bool *found, ho_error *err)
{
  ho_handed_list list = {0};
  *found = false;
  *out = HO_HANDED_FREE;
  ho_code code = ho_handed_all(run->project, phase, &list, err);
  for (size_t i = list.count; !code && !*found && i-- > 0;) {
    *handed = list.rows[i];
    code = judge_handed(run, phase->arena, folder, handed, out, gate, err);
    *found = !code && *out != HO_HANDED_ENDED;
  }
  return code;
}

ho_code ho_run_newest(ho_run *run, const ho_phase *phase, ho_str folder, ho_handed *handed, bool *found, ho_error *err)
{
  ho_gate gate;
  ho_handed_standing stands;
  ho_code code = newest(run, phase, folder, handed, &stands, &gate, found, err);
  *found = *found && stands == HO_HANDED_FREE;
  return code;
}

/* A person has ended what the step would go on from: whoever works next is told why. */
static void tell_ended(ho_run *run, size_t step, const ho_gate *gate)
{
  ho_run_step *s = &run->steps[step];
  s->gate = ho_run_keep(run, gate->id);
  s->note = ho_run_keep(run, gate->note);
  ho_run_set(run, step, HO_STEP_WAITING, ho_run_said_at(run, gate));
}

/* The one that the step is to go on from; if that has ended, the newest one that has not. */
static ho_code find(ho_run *run, size_t step, ho_arena *arena, ho_handed_standing *out, ho_gate *gate, ho_error *err)
{
  ho_phase phase;
  ho_handoff row;
  ho_handed handed = {0};
  ho_gate ended = {0};
  ho_error none = {0};
  bool found = false;
  ho_run_step *s = &run->steps[step];
  bool path = ho_str_find_char(s->handoff, '/') != HO_NONE;
  ho_str folder = ho_run_place_of(run, arena, step);
  ho_code code = ho_run_phase(run, arena, step, folder, &phase, err);
  *out = HO_HANDED_FREE;
  if (code)
    return code;
  if (path)
    code = judge_handed(run, arena, folder, &(ho_handed){.path = s->handoff}, out, &ended, err);
  else if (!ho_handoffs_get(run->project->store, s->handoff, arena, &row, &none))
    code = ho_handed_judge(run->project, &row, arena, out, &ended, err);
  *gate = ended;
  if (code || *out == HO_HANDED_WAITS || (path && *out == HO_HANDED_FREE))
    return code;
  bool gone = *out == HO_HANDED_ENDED; /* else a draft, which only adds to the newest */
  code = newest(run, &phase, folder, &handed, out, gate, &found, err);
  if (code || *out == HO_HANDED_WAITS || !gone)
    return code;
  s->handoff = found ? ho_run_keep(run, handed.path) : HO_EMPTY;
  run->changed[step] = true;
  *out = HO_HANDED_FREE;
  if (ended.proof.n)
    tell_ended(run, step, &ended);
  return HO_OK;
}

/* It waits for the gate of its handoff. */
static ho_code hold(ho_run *run, size_t step, const ho_gate *gate, ho_error *err)
{
  ho_run_step *s = &run->steps[step];
  bool same = ho_run_is(run, step, HO_STEP_GATED) && ho_str_eq(s->gate, gate->id);
  if (same)
    return HO_OK;
  s->gate = ho_run_keep(run, gate->id);
  s->gate_why = HO_REASON_HANDOFF;
  ho_run_set(run, step, HO_STEP_GATED,
             ho_arena_printf(run->arena, "%.*s, which it continues from, waits for a decision", HO_ARG(gate->handoff)));
  ho_code code = ho_run_commit(run, err);
  if (!code)
    HO_RUN_TELL(run, gate, s);
  return code;
}

ho_code ho_run_wait_handed(ho_run *run, size_t step, bool *waits, ho_error *err)
{
  ho_arena arena;
  ho_gate gate;
  ho_handed_standing stands;
  *waits = false;
  if (!run->steps[step].handoff.n)
    return HO_OK;
  ho_arena_init(&arena, 0);
  ho_code code = find(run, step, &arena, &stands, &gate, err);
  *waits = !code && stands == HO_HANDED_WAITS;
  if (*waits)
    code = hold(run, step, &gate, err);
  ho_arena_free(&arena);
  return code;
}

ho_code ho_run_look_handed(ho_run *run, size_t step, ho_arena *arena, bool *decided, ho_error *err)
{
  ho_gate gate;
  bool waits = false;
  ho_str id = run->steps[step].gate;
  ho_code code = ho_run_wait_handed(run, step, &waits, err);
  if (code || waits)
    return code;
  *decided = true;
  if (!ho_run_is(run, step, HO_STEP_GATED)) /* what it continued from has ended */
    return HO_OK;
  code = ho_gate_read(run->project, id, arena, &gate, err);
  if (!code)
    ho_run_set(run, step, HO_STEP_WAITING, gate.decided_by.n ? ho_run_said_at(run, &gate) : HO_EMPTY);
  return code;
}
