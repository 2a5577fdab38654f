#include "command/gate_call.h"

#include "base/term.h"
#include "base/time.h"
#include "engine/ledger/derive.h"
#include "engine/ledger/gate_decide.h"
#include "engine/ledger/gate_read.h"
#include "engine/ledger/turn.h"
#include "engine/ledger/write.h"
#include "engine/project/identity.h"

ho_str ho_gate_call_id(ho_call *call, ho_str given)
{
  ho_gate gate;
  ho_error none = {0};
  ho_store *store = call->project.store;
  if (ho_gates_get(store, given, call->arena, &gate, &none) == HO_OK)
    return given;
  ho_str full = ho_turn_this_years(&call->project, call->arena, "G-", given);
  return full.n && ho_gates_get(store, full, call->arena, &gate, &none) == HO_OK ? full : given;
}

/* Can a command act on the handoff of that number? One that has ended stays as it is, and what waits at a gate until that is
 * decided. */
static bool open_handoff(ho_call *call, ho_str number, ho_handoff *out)
{
  ho_state state;
  ho_error none = {0};
  ho_str full = ho_turn_this_years(&call->project, call->arena, "HO-", number);
  return ho_handoffs_get(call->project.store, full, call->arena, out, &none) == HO_OK &&
         ho_state_named(out->state, &state) && ho_state_open(state) && state != HO_STATE_GATED;
}

bool ho_gate_call_decides(const ho_call *call, const ho_gate *gate)
{
  ho_error agent = {0};
  (void)gate;
  return !call->project.by_option && ho_identity_refuse_agents(call->arena, "only a person decides", &agent) == HO_OK;
}

bool ho_gate_call_asked(const ho_call *call, const ho_gate *gate)
{
  (void)call;
  return gate->decision == HO_DECISION_QUESTION;
}

ho_code ho_gate_call_meant(ho_call *call, bool (*acts)(const ho_call *call, const ho_gate *gate), const char *command,
                           ho_str *id, bool *is_gate, ho_error *err)
{
  uint64_t number;
  ho_gate gate;
  ho_handoff row;
  ho_error none = {0};
  bool bare = ho_str_to_u64(*id, &number);
  ho_str full = bare || ho_str_starts(*id, "G-") ? ho_gate_call_id(call, *id) : *id;
  *is_gate = ho_id_of_gate(full);
  if (ho_gate_read(&call->project, full, call->arena, &gate, &none) == HO_OK)
    *is_gate = !bare || (gate.state == HO_GATE_OPEN && acts(call, &gate));
  if (bare && *is_gate && open_handoff(call, *id, &row))
    return ho_fail(err, HO_USAGE, "%.*s could be %.*s (%.*s) or %.*s (open); run: %.*s; or: %.*s", HO_ARG(*id),
                   HO_ARG(row.id), HO_ARG(row.state), HO_ARG(full),
                   HO_ARG(ho_project_command(&call->project, call->arena, command, row.id)),
                   HO_ARG(ho_project_command(&call->project, call->arena, command, full)));
  if (*is_gate)
    *id = full;
  return HO_OK;
}

ho_code ho_gate_call_decide(ho_call *call, ho_str gate, ho_gate_decision decision, ho_str note, const ho_gate *seen,
                            ho_node *into, ho_error *err)
{
  ho_code code = ho_identity_refuse_agents(call->arena, "only a person may decide a gate", err);
  if (!code && call->project.by_option)
    code = ho_fail(err, HO_USAGE, "a gate is decided under your own name; leave --as out");
  if (!code)
    code = ho_open_ledger(call, false, err);
  if (code)
    return code;
  ho_decision given = {.person = ho_person_asked(),
                       .gate = ho_gate_call_id(call, gate),
                       .decision = decision,
                       .note = note,
                       .seen = seen};
  code = ho_gate_decide(&call->project, call->arena, &given, err);
  if (!code && decision == HO_DECISION_REJECT && ho_str_blank(note))
    ho_call_note(call, "no reason was given; %.*s is only told that it was rejected",
                 HO_ARG(given.after.raised_by.n ? given.after.raised_by : HO_STR("whoever raised it")));
  return code ? code : ho_gate_shown_put(call, into, &given.after, false, err);
}

/* Looks again whenever somebody has written, and every second for deadlines. */
static ho_code wait_for(ho_project *project, ho_arena *arena, ho_str id, int64_t seconds, ho_gate *gate, ho_error *err)
{
  int64_t start = ho_time_monotonic_ms();
  for (bool changed = true;;) {
    ho_ledger_settle(project);
    ho_code code = ho_gate_read(project, id, arena, gate, err);
    if (code || gate->state == HO_GATE_DECIDED || gate->decision == HO_DECISION_QUESTION)
      return code;
    int64_t left = seconds ? start + seconds * 1000 - ho_time_monotonic_ms() : 1000;
    if (left <= 0)
      return HO_OK;
    if (!changed)
      ho_derive_idle(project);
    code = ho_store_wait(project->store, left < 1000 ? left : 1000, &changed, err);
    if (code)
      return code;
  }
}

ho_code ho_gate_call_wait(ho_call *call, ho_str gate, int64_t seconds, ho_node *into, ho_error *err)
{
  ho_gate now = {0};
  ho_code code = wait_for(&call->project, call->arena, gate, seconds, &now, err);
  if (!code)
    code = ho_gate_shown_put(call, into, &now, false, err);
  if (code)
    return code;
  if (now.state != HO_GATE_DECIDED)
    return HO_GATED;
  return now.decision == HO_DECISION_APPROVE ? HO_OK : HO_NO;
}

void ho_gate_call_put_waited(const ho_call *call, ho_buf *out, const ho_node *gate)
{
  ho_str note = ho_map_str(gate, "note"), id = ho_map_str(gate, "id");
  bool open = ho_str_is(ho_map_str(gate, "state"), ho_words_name(&ho_gate_states, HO_GATE_OPEN));
  bool asked = open && ho_str_is(ho_map_str(gate, "decision"), ho_words_name(&ho_gate_decisions, HO_DECISION_QUESTION));
  ho_gate_shown_put_line(out, gate);
  if (note.n) {
    ho_buf_puts(out, "| ");
    ho_term_put(out, note, HO_TERM_LINE);
    ho_buf_putc(out, '\n');
  }
  if (asked)
    ho_buf_printf(out, "%.*s\n", HO_ARG(ho_project_command(&call->project, call->arena, "answer ID --note TEXT@", id)));
}
