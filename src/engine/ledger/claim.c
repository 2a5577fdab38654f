#include "engine/ledger/claim.h"

#include "base/digest.h"
#include "base/time.h"
#include "engine/ledger/derive.h"
#include "engine/ledger/describe.h"
#include "engine/ledger/gate.h"
#include "engine/ledger/gate_step.h"
#include "engine/ledger/halt.h"
#include "engine/ledger/marks.h"
#include "engine/ledger/write.h"
#include "engine/project/event_data.h"
#include "engine/project/identity.h"
#include "engine/project/project.h"
#include "engine/project/quote.h"
#include "engine/project/settings.h"
#include "store/handoffs/bodies.h"

typedef struct delivering {
  ho_project *project;
  ho_arena *arena;
  ho_delivery *d;
  ho_str me; /* whom handoffs are addressed to */
} delivering;

/* How long a lease of this handoff is, in seconds. */
static int64_t lease_of(const ho_turn *turn)
{
  uint64_t seconds;
  if (ho_str_to_u64(ho_marks_get(&turn->row, turn->arena, HO_MARK_LEASE), &seconds) && seconds)
    return (int64_t)seconds;
  return ho_settings_number(&turn->project->settings, "lease");
}

void ho_claim_lease_again(ho_turn *turn)
{
  int64_t seconds = lease_of(turn);
  if (turn->row.lease_until < ho_project_now(turn->project) + seconds * 1000)
    ho_turn_lease(turn, seconds);
}

ho_str ho_claim_kept(ho_project *project, const ho_handoff *row, ho_arena *arena, int64_t *until)
{
  ho_str first = ho_marks_get(row, arena, HO_MARK_KEPT_FOR);
  *until = row->updated + ho_settings_number(&project->settings, "lease") * 1000;
  bool kept = first.n && !ho_str_eq(first, ho_project_actor(project)) && ho_project_now(project) < *until;
  return kept ? first : HO_EMPTY;
}

/* Kept for another, or its task is halted, or a run has asked a person about its phase. */
static ho_code keep_back(delivering *g, const ho_handoff *row, bool *back, ho_error *err)
{
  ho_halt halt;
  ho_gate gate;
  int64_t until;
  *back = ho_claim_kept(g->project, row, g->arena, &until).n > 0;
  ho_code code = *back ? HO_OK : ho_halt_holds(g->project, row, g->arena, &halt, back, err);
  return code || *back ? code : ho_gate_step_holds(g->project, row, g->arena, &gate, back, err);
}

static ho_code find(delivering *g, ho_handoff *row, bool *found, ho_error *err)
{
  enum { LOOKED_AT = 1000 };
  ho_str ready = ho_str_of(ho_state_name(HO_STATE_READY));
  ho_handoff_list list;
  bool back = false;
  ho_code code = ho_handoffs_next(g->project->store, ready, g->me, g->d->task, g->d->phase, g->arena, row, found, err);
  if (!code && *found)
    code = keep_back(g, row, &back, err);
  if (code || !back)
    return code;
  ho_filter filter = {
      .state = ready, .task = g->d->task, .phase = g->d->phase, .oldest_first = true, .limit = LOOKED_AT};
  if (!g->d->task.n)
    filter.receiver = g->me;
  *found = false;
  code = ho_handoffs_select(g->project->store, &filter, g->arena, &list, err);
  for (size_t i = 0; !code && !*found && i < list.count; i++) {
    bool mine = !list.rows[i].receiver.n || ho_str_eq(list.rows[i].receiver, g->me);
    if (mine)
      code = keep_back(g, &list.rows[i], &back, err);
    if (!code && mine && !back) {
      *row = list.rows[i];
      *found = true;
    }
  }
  return code;
}

static bool fits(const delivering *g, const ho_handoff *row)
{
  return (!g->d->id.n || ho_str_eq(g->d->id, row->id)) && (!g->d->task.n || ho_str_eq(g->d->task, row->task)) &&
         (!g->d->phase.n || ho_str_eq(g->d->phase, row->phase)) &&
         ho_str_eq(row->claimed_by, ho_project_actor(g->project));
}

/* What the agent holds already: it may have forgotten. Who has no session of their own may be many with one name, to
 * whom one handoff must not go twice. */
static ho_code find_held(delivering *g, ho_error *err)
{
  static const ho_state states[] = {HO_STATE_ACKED, HO_STATE_CLAIMED};
  ho_code code = HO_OK;
  for (size_t s = 0; !code && !g->d->held && s < HO_COUNT(states); s++) {
    ho_handoff_list list;
    ho_filter filter = {.state = ho_str_of(ho_state_name(states[s])),
                        .holder = g->project->session,
                        .oldest_first = true,
                        .limit = 200};
    code = ho_handoffs_select(g->project->store, &filter, g->arena, &list, err);
    for (size_t i = 0; !code && !g->d->held && i < list.count; i++)
      if (fits(g, &list.rows[i])) {
        g->d->row = list.rows[i];
        g->d->held = g->d->found = true;
      }
  }
  return code || !g->d->held ? code : ho_bodies_get(g->project->store, g->d->row.digest, g->arena, &g->d->body, err);
}

/* What is for one person can be claimed by any: they stand in for each other. */
static bool is_receiver(const delivering *g, ho_str receiver)
{
  if (ho_str_starts(receiver, HO_PROJECT_PERSON))
    return ho_str_starts(ho_project_actor(g->project), HO_PROJECT_PERSON);
  return ho_str_eq(ho_identity_name(receiver), g->me);
}

/* The handoff that was named, if it is for this agent. */
static ho_code find_named(delivering *g, ho_handoff *row, ho_error *err)
{
  ho_turn turn = {0};
  ho_state to;
  ho_code code = ho_turn_begin(g->project, g->d->id, g->arena, &turn, err);
  if (!code && (turn.state == HO_STATE_CLAIMED || turn.state == HO_STATE_ACKED))
    code = ho_turn_claimer(&turn, HO_EMPTY, true, err);
  if (!code)
    code = ho_turn_next(&turn, HO_EVENT_CLAIMED, &to, err);
  *row = turn.row;
  bool halted = false;
  ho_halt halt;
  if (!code)
    code = ho_halt_holds(g->project, row, g->arena, &halt, &halted, err);
  if (!code && halted)
    code = ho_halt_refuse(g->project, row->task, g->arena, err);
  bool asked = false;
  ho_gate gate;
  if (!code)
    code = ho_gate_step_holds(g->project, row, g->arena, &gate, &asked, err);
  if (!code && asked)
    code = ho_gate_step_refuse(row, &gate, err);
  int64_t until = 0;
  ho_str kept = code ? HO_EMPTY : ho_claim_kept(g->project, row, g->arena, &until);
  if (code || (!row->receiver.n && !kept.n))
    return code;
  if (row->receiver.n && !is_receiver(g, row->receiver))
    return ho_str_starts(row->receiver, HO_PROJECT_PERSON)
               ? ho_fail(err, HO_CONFLICT, "%.*s is for a person, %.*s", HO_ARG(row->id), HO_ARG(row->receiver))
               : ho_fail(err, HO_CONFLICT, "%.*s is for %.*s; to act for it, run: handoff claim %.*s --as %.*s",
                         HO_ARG(row->id), HO_ARG(row->receiver), HO_ARG(row->id),
                         HO_ARG(ho_quote_shell(g->arena, row->receiver)));
  return kept.n ? ho_fail(err, HO_CONFLICT, "%.*s is kept for %.*s until %.*s", HO_ARG(row->id), HO_ARG(kept),
                          HO_ARG(ho_time_str(g->arena, until)))
                : HO_OK;
}

/* As if the receiver had restated what was asked. */
static ho_code ack(delivering *g, ho_turn *turn, ho_error *err)
{
  ho_node *data = ho_node_new(g->arena, HO_KIND_MAP);
  ho_event_data_put(g->project, g->arena, data, "task", ho_describe_subject(g->project, &turn->row, g->arena));
  ho_claim_lease_again(turn);
  return ho_turn_begun(turn, data, err);
}

static ho_code claim(delivering *g, const ho_handoff *row, ho_error *err)
{
  ho_turn turn = {0};
  char hash[HO_DIGEST_SIZE];
  ho_project *l = g->project;
  int64_t lease = g->d->lease ? g->d->lease : ho_settings_number(&l->settings, "lease");
  ho_code code = ho_turn_of(l, row, g->arena, &turn, err);
  turn.free = true; /* see hold_back */
  if (!code)
    code = ho_random_hex(g->d->token, HO_CLAIM_TOKEN_BYTES, err);
  if (code)
    return code;
  ho_digest_text(ho_str_of(g->d->token), hash);
  turn.row.token = ho_arena_copy(g->arena, ho_str_of(hash));
  turn.row.claimed_by = ho_project_actor(l);
  turn.row.claim_session = l->session;
  ho_marks_set(&turn.row, g->arena, HO_MARK_KEPT_FOR, HO_EMPTY);
  ho_marks_set(&turn.row, g->arena, HO_MARK_LEASE,
               g->d->lease ? ho_arena_printf(g->arena, "%lld", (long long)lease) : HO_EMPTY);
  ho_turn_lease(&turn, lease);
  ho_node *data = ho_node_new(g->arena, HO_KIND_MAP);
  ho_event_data_put(l, g->arena, data, "lease_until", ho_time_str(g->arena, turn.row.lease_until));
  ho_event_data_put(l, g->arena, data, "session", l->session);
  code = ho_turn_apply(&turn, HO_EVENT_CLAIMED, data, err);
  if (!code && g->d->ack)
    code = ack(g, &turn, err);
  if (!code)
    code = ho_bodies_get(l->store, turn.row.digest, g->arena, &g->d->body, err);
  g->d->row = turn.row;
  return code;
}

/* If only deciders decide, a handoff that waits for one is not delivered, even if its row was changed to ready: it waits
 * again. */
static ho_code hold_back(delivering *g, const ho_handoff *row, bool *held, ho_error *err)
{
  ho_turn turn = {0};
  ho_gate gate;
  ho_code code = ho_turn_held(g->project, row, g->arena, &gate, held, err);
  if (code || !*held)
    return code;
  code = ho_turn_of(g->project, row, g->arena, &turn, err);
  return code ? code : ho_gate_restore(&turn, &gate, err);
}

/* Is there a result to go on with? What is held may have waited for it. */
static bool has_result(delivering *g, ho_handoff *row)
{
  ho_error none = {0};
  bool held = true;
  ho_delivery *d = g->d, named = {.id = d->result};
  g->d = &named;
  bool ready = named.id.n && !find_named(g, row, &none) && !hold_back(g, row, &held, &none);
  g->d = d;
  return ready && !held;
}

static ho_code next(ho_store *store, void *data, ho_error *err)
{
  delivering *g = data;
  ho_handoff row;
  bool held = true;
  (void)store;
  g->d->found = g->d->held = false;
  if (g->d->again && !ho_identity_is_day(g->project->session)) {
    ho_code code = find_held(g, err);
    if (code || (g->d->held && !has_result(g, &row)))
      return code;
    if (g->d->held) {
      g->d->held = false;
      return claim(g, &row, err);
    }
  }
  while (held) {
    ho_code code = g->d->id.n ? find_named(g, &row, err) : find(g, &row, &g->d->found, err);
    g->d->found |= g->d->id.n > 0;
    if (code || !g->d->found)
      return code;
    code = hold_back(g, &row, &held, err);
    if (!code && held && g->d->id.n)
      code = ho_fail(err, HO_GATED, "%.*s waits for a person; run: handoff gate list", HO_ARG(row.id));
    if (code)
      return code;
  }
  return claim(g, &row, err);
}

ho_code ho_claim_asker(ho_project *project, ho_str task, ho_error *err)
{
  if (ho_project_addressee(project).n || task.n)
    return HO_OK;
  return ho_fail(err, HO_USAGE, "who is asking? use --as AGENT (or HANDOFF_AGENT), or --task N");
}

ho_code ho_claim_next(ho_project *project, ho_arena *arena, ho_delivery *delivery, ho_error *err)
{
  delivering g = {project, arena, delivery, ho_project_addressee(project)};
  delivery->task = ho_id_plain(delivery->task);
  delivery->phase = ho_id_plain(delivery->phase);
  ho_code code = delivery->id.n ? HO_OK : ho_claim_asker(project, delivery->task, err);
  return code ? code : ho_ledger_write(project, next, &g, err);
}

ho_code ho_claim_wait(ho_project *project, ho_arena *arena, ho_delivery *delivery, int64_t ms, ho_error *err)
{
  int64_t end = ho_time_monotonic_ms() + ms;
  bool changed = true;
  for (;;) {
    ho_code code = ho_claim_next(project, arena, delivery, err);
    int64_t left = end - ho_time_monotonic_ms();
    if (code || delivery->found || left <= 0)
      return code;
    ho_ledger_follow(project);
    if (!changed)
      ho_derive_idle(project);
    /* Leases expire without anybody writing, so check again every second. */
    code = ho_store_wait(project->store, left < 1000 ? left : 1000, &changed, err);
    if (code)
      return code;
  }
}

typedef struct renewing {
  ho_project *project;
  ho_arena *arena;
  ho_str id, token;
  int64_t seconds;
  ho_handoff *row;
} renewing;

static ho_code renew(ho_store *store, void *data, ho_error *err)
{
  renewing *r = data;
  ho_turn turn = {0};
  ho_code code = ho_turn_begin(r->project, r->id, r->arena, &turn, err);
  if (!code)
    code = ho_turn_claimer(&turn, r->token, true, err);
  if (!code && turn.state != HO_STATE_CLAIMED && turn.state != HO_STATE_ACKED)
    code = ho_fail(err, HO_CONFLICT, "%.*s is %.*s, so there is no lease to renew", HO_ARG(turn.row.id),
                   HO_ARG(turn.row.state));
  if (code)
    return code;
  if (r->seconds)
    ho_turn_lease(&turn, r->seconds);
  else
    ho_claim_lease_again(&turn);
  turn.row.updated = ho_project_now(r->project);
  *r->row = turn.row;
  return ho_handoffs_renew(store, turn.row.id, turn.row.state, turn.row.token, turn.row.lease_until, turn.row.due,
                           turn.row.updated, err);
}

ho_code ho_claim_renew(ho_project *project, ho_arena *arena, ho_str id, ho_str token, int64_t seconds, ho_handoff *row,
                       ho_error *err)
{
  renewing r = {project, arena, id, token, seconds, row};
  return ho_ledger_write(project, renew, &r, err);
}
