#include "engine/ledger/turn.h"

#include "base/digest.h"
#include "base/time.h"
#include "engine/knowledge/knowledge.h"
#include "engine/ledger/archive_copy.h"
#include "engine/ledger/gate_read.h"
#include "engine/ledger/marks.h"
#include "engine/project/event_data.h"
#include "engine/project/identity.h"
#include "engine/project/project.h"
#include "engine/project/quote.h"
#include "store/handoffs/chain.h"

ho_code ho_turn_of(ho_project *project, const ho_handoff *row, ho_arena *arena, ho_turn *turn, ho_error *err)
{
  *turn = (ho_turn){
      .project = project, .arena = arena, .row = *row, .before = HO_STATE_READY, .actor = ho_project_actor(project)};
  if (ho_state_named(row->state, &turn->state))
    return HO_OK;
  return ho_fail(err, HO_STORE, "%.*s is in an unknown state '%.*s'; run: handoff verify", HO_ARG(row->id),
                 HO_ARG(row->state));
}

ho_str ho_turn_this_years(const ho_project *project, ho_arena *arena, const char *prefix, ho_str id)
{
  char stamp[HO_TIME_SIZE];
  uint64_t number;
  bool prefixed = ho_str_starts(id, prefix);
  ho_str rest = prefixed ? ho_str_sub(id, strlen(prefix), id.n) : id;
  ho_time_stamp(ho_project_now(project), stamp);
  if (ho_str_to_u64(rest, &number))
    return ho_arena_printf(arena, "%s%.4s-%03llu", prefix, stamp, (unsigned long long)number);
  if (!prefixed || ho_str_find_char(rest, '-') != HO_NONE)
    return HO_EMPTY;
  return ho_arena_printf(arena, "%s%.4s-%.*s", prefix, stamp, HO_ARG(rest));
}

ho_code ho_turn_begin(ho_project *project, ho_str id, ho_arena *arena, ho_turn *turn, ho_error *err)
{
  ho_handoff row;
  ho_error first = {0}, second = {0};
  ho_code code = ho_handoffs_get(project->store, id, arena, &row, &first);
  ho_str full = code == HO_NOT_FOUND ? ho_turn_this_years(project, arena, "HO-", id) : HO_EMPTY;
  if (full.n && ho_handoffs_get(project->store, full, arena, &row, &second) == HO_OK)
    code = HO_OK;
  if (code)
    *err = first;
  return code ? code : ho_turn_of(project, &row, arena, turn, err);
}

/* The claim is remembered for the agent and session that made it. Without a session of its own, an agent shares that of
 * the day with everybody who uses its name: once a claim has lapsed, only the token tells who made the one after it. */
bool ho_turn_remembers(ho_project *project, const ho_handoff *row)
{
  bool days = ho_identity_is_day(row->claim_session) && ho_identity_is_day(project->session);
  return ho_str_eq(ho_project_actor(project), row->claimed_by) &&
         (days ? row->attempt == 0 : ho_str_eq(project->session, row->claim_session));
}

/* Who holds it, until when, and how to go on without that session. */
static ho_code refuse_unremembered(const ho_turn *turn, ho_error *err)
{
  const ho_handoff *row = &turn->row;
  ho_str until = row->lease_until ? ho_time_str(turn->arena, row->lease_until) : HO_EMPTY;
  ho_str release = ho_project_command(turn->project, turn->arena, "release ID", row->id);
  if (!ho_str_eq(ho_project_actor(turn->project), row->claimed_by))
    return ho_fail(err, HO_CONFLICT,
                   "%.*s is claimed by %.*s%s%.*s: act as that agent in the session that claimed it, or use the claim "
                   "token that 'handoff next' printed (--token or HANDOFF_TOKEN); a person can free it: %.*s",
                   HO_ARG(row->id), HO_ARG(row->claimed_by), until.n ? " until " : "", HO_ARG(until), HO_ARG(release));
  return ho_fail(err, HO_CONFLICT,
                 "%.*s is held by another session of %.*s%s%.*s: use the claim token that 'handoff next' printed there "
                 "(--token or HANDOFF_TOKEN), or wait and run: %.*s; a person can free it now: %.*s",
                 HO_ARG(row->id), HO_ARG(row->claimed_by), until.n ? " until " : "", HO_ARG(until),
                 HO_ARG(ho_project_command(turn->project, turn->arena, "next@", HO_EMPTY)), HO_ARG(release));
}

ho_code ho_turn_claimer(ho_turn *turn, ho_str token, bool needed, ho_error *err)
{
  const ho_handoff *row = &turn->row;
  const ho_project *l = turn->project;
  char hash[HO_DIGEST_SIZE];
  if (!row->token.n) {
    if (!token.n && !needed)
      return HO_OK;
    if (!ho_state_open(turn->state))
      return ho_fail(err, HO_CONFLICT, "%.*s is already %.*s", HO_ARG(row->id), HO_ARG(row->state));
    return ho_fail(err, HO_CONFLICT, "%.*s is %.*s and claimed by nobody: its lease expired, or it was never claimed",
                   HO_ARG(row->id), HO_ARG(row->state));
  }
  if (needed && l->name.n && !ho_str_eq(l->name, ho_identity_name(row->claimed_by)))
    return ho_fail(err, HO_CONFLICT, "%.*s is claimed by %.*s, not by %.*s", HO_ARG(row->id), HO_ARG(row->claimed_by),
                   HO_ARG(l->agent));
  if (!token.n)
    return needed && !ho_turn_remembers(turn->project, row) ? refuse_unremembered(turn, err) : HO_OK;
  ho_digest_text(token, hash);
  if (ho_digest_eq(ho_str_of(hash), row->token)) {
    if (!l->agent.n)
      turn->actor = row->claimed_by;
    return HO_OK;
  }
  return ho_fail(err, HO_CONFLICT,
                 "the token does not match the claim on %.*s (now held by %.*s): it is stale or wrong", HO_ARG(row->id),
                 HO_ARG(row->claimed_by));
}

static ho_event event_of(const ho_turn *turn, const char *kind, ho_node *data)
{
  return (ho_event){.at = ho_project_now(turn->project),
                    .actor = turn->actor,
                    .kind = ho_str_of(kind),
                    .data = data && data->count ? ho_event_data_json(turn->arena, data) : HO_EMPTY};
}

static void set_due(ho_handoff *row)
{
  row->due = row->lease_until;
  if (row->deadline && (!row->due || row->deadline < row->due))
    row->due = row->deadline;
}

/* Gives up the claim. */
static void release_turn(ho_turn *turn)
{
  turn->row.token = turn->row.claimed_by = turn->row.claim_session = HO_EMPTY;
  turn->row.lease_until = 0;
}

void ho_turn_lease(ho_turn *turn, int64_t seconds)
{
  turn->row.lease_until = ho_project_now(turn->project) + seconds * 1000;
  set_due(&turn->row);
}

/* at: when it happened. */
static ho_code change(ho_turn *turn, ho_str from, const char *kind, ho_node *data, int64_t at, ho_error *err)
{
  ho_event event = event_of(turn, kind, data);
  turn->row.updated = event.at = at;
  set_due(&turn->row);
  if (!ho_state_open(turn->state) || turn->state == HO_STATE_GATED)
    turn->row.due = 0; /* a gate has its own deadline */
  ho_code code = ho_arena_code(turn->arena, err);
  return code ? code : ho_handoffs_change(turn->project->store, &turn->row, from, &event, turn->arena, err);
}

ho_code ho_turn_check(ho_project *project, const ho_handoff *row, ho_error *err)
{
  bool sound = true;
  ho_code code = ho_chain_check(project->store, row->id, &sound, err);
  if (!code && !sound)
    code = ho_fail(err, HO_STORE, "%.*s was changed outside of this program; run: handoff verify", HO_ARG(row->id));
  return code;
}

/* Is this what waited at the gate? What waited for a person goes back to its sender. */
static bool is_approved(const ho_gate *gate, const ho_handoff *row)
{
  return ho_str_eq(gate->body, row->digest) &&
         (ho_str_eq(gate->receiver, row->receiver) ||
          (ho_str_is(gate->receiver, "human") &&
           ho_str_eq(ho_identity_name(row->receiver), ho_identity_name(row->sender))));
}

ho_code ho_turn_held(ho_project *project, const ho_handoff *row, ho_arena *arena, ho_gate *gate, bool *held,
                     ho_error *err)
{
  ho_deciders deciders;
  *held = false;
  ho_code code = ho_deciders_load(project, arena, &deciders, err);
  if (!code && deciders.pin.count && !deciders.active)
    return ho_fail(err, HO_GATED, "%.*s", HO_ARG(deciders.doubt));
  if (code || !deciders.required)
    return code;
  code = ho_gate_read_standing(project, row->id, arena, gate, held, err);
  if (code || *held)
    return code;
  if (gate->body.n && !is_approved(gate, row)) /* whatever the chain says */
    return ho_fail(err, HO_GATED, "%.*s is not what was approved at %.*s; run: handoff verify", HO_ARG(row->id),
                   HO_ARG(gate->id));
  return ho_turn_check(project, row, err); /* a gate may have been taken out of it */
}

/* Work does not go on past a gate because somebody changed the row. */
static ho_code check_gate(ho_turn *turn, ho_state to, ho_error *err)
{
  ho_gate gate;
  bool held, goes_on = to == HO_STATE_CLAIMED || to == HO_STATE_ACKED || to == HO_STATE_DONE;
  if (turn->state == HO_STATE_GATED || !goes_on || turn->free)
    return HO_OK;
  ho_code code = ho_turn_held(turn->project, &turn->row, turn->arena, &gate, &held, err);
  if (!code && held)
    code = ho_fail(err, HO_GATED, "%.*s waits for a person; run: handoff gate show %.*s", HO_ARG(turn->row.id),
                   HO_ARG(gate.id));
  return code;
}

/* The copy in the archive, before the event, which knows it. It says what the row will say, so that it can be written
 * again from the row. */
static ho_code copy(ho_turn *turn, const char *kind, ho_node **data, int64_t at, ho_error *err)
{
  ho_str digest;
  ho_event event = event_of(turn, kind, *data);
  turn->row.updated = event.at = at;
  ho_code code = ho_archive_copy(turn->project, &turn->row, HO_EMPTY, &event, turn->arena, &digest, err);
  if (code || !digest.n)
    return code;
  if (!*data)
    *data = ho_node_new(turn->arena, HO_KIND_MAP);
  ho_map_addz(*data, HO_DATA_ARCHIVE, ho_node_text(turn->arena, digest));
  return HO_OK;
}

/* What is ready is claimed by its receiver, or by whoever names itself. An answer comes from the sender: others wait for it. */
static ho_str next_command(const ho_turn *turn)
{
  const ho_project *project = turn->project;
  ho_str to = turn->row.receiver;
  const char *format = ho_state_command(turn->state);
  bool persons = ho_str_starts(to, HO_PROJECT_PERSON);
  if (turn->state == HO_STATE_READY && to.n && !persons && !ho_str_eq(to, project->name))
    format = ho_arena_z(turn->arena,
                        ho_arena_printf(turn->arena, "claim ID --as %.*s", HO_ARG(ho_quote_shell(turn->arena, to))));
  else if (turn->state == HO_STATE_READY && !to.n && !project->name.n)
    format = "claim ID --as AGENT";
  else if (turn->state == HO_STATE_CLARIFY && project->name.n &&
           !ho_str_eq(project->name, ho_identity_name(turn->row.sender)))
    format = "inbox@";
  return ho_project_command(project, turn->arena, format, turn->row.id);
}

ho_code ho_turn_next(const ho_turn *turn, ho_event_kind event, ho_state *to, ho_error *err)
{
  ho_error why = {0};
  ho_code code = ho_lifecycle_apply(turn->row.id, turn->state, event, turn->before, to, &why);
  if (!code)
    return HO_OK;
  if (!ho_state_open(turn->state) || event == HO_EVENT_ARCHIVED)
    return *err = why, code;
  return ho_fail(err, code, "%s; run: %.*s", why.message, HO_ARG(next_command(turn)));
}

/* A draft tells how far the work on a handoff is. Once that has ended, nobody is to confirm it: it would hand out the work
 * again. */
static ho_code end_drafts(ho_turn *turn, ho_error *err)
{
  ho_handoff_list list;
  ho_filter filter = {.parent = turn->row.id, .state = ho_str_of(ho_state_name(HO_STATE_DRAFT))};
  ho_code code = ho_handoffs_select(turn->project->store, &filter, turn->arena, &list, err);
  for (size_t i = 0; !code && i < list.count; i++) {
    ho_turn draft;
    ho_node *data = ho_node_new(turn->arena, HO_KIND_MAP);
    ho_event_data_put(turn->project, turn->arena, data, "note",
                      ho_arena_printf(turn->arena, "%.*s, which it tells of, is %.*s", HO_ARG(turn->row.id),
                                      HO_ARG(turn->row.state)));
    code = ho_turn_of(turn->project, &list.rows[i], turn->arena, &draft, err);
    draft.actor = turn->actor;
    if (!code)
      code = ho_turn_apply(&draft, HO_EVENT_SUPERSEDED, data, err);
  }
  return code;
}

/* What its end settles: drafts of its work, and what was asked about it. Of work that is done, only that nothing blocks it. */
static ho_code end(ho_turn *turn, ho_error *err)
{
  ho_known_kind kind = turn->state == HO_STATE_DONE ? HO_KNOWN_BLOCKER : HO_KNOWN_ANY_KIND;
  ho_code code = end_drafts(turn, err);
  return code ? code : ho_knowledge_ended(turn->project, turn->arena, &turn->row, kind, err);
}

ho_code ho_turn_apply(ho_turn *turn, ho_event_kind event, ho_node *data, ho_error *err)
{
  ho_state to;
  ho_str from = turn->row.state;
  int64_t now = ho_project_now(turn->project);
  ho_code code = ho_turn_next(turn, event, &to, err);
  if (!code)
    code = check_gate(turn, to, err);
  if (code)
    return code;
  bool claimed = to == HO_STATE_CLAIMED || to == HO_STATE_ACKED;
  if (!claimed && to != HO_STATE_GATED && to != HO_STATE_CLARIFY)
    release_turn(turn);
  if (to == HO_STATE_CLARIFY || to == HO_STATE_GATED) {
    turn->row.lease_until = 0; /* whoever waits for a person keeps the claim */
    if (to == HO_STATE_CLARIFY)
      turn->row.token = HO_EMPTY;
  }
  if (event == HO_EVENT_FINISHED)
    ho_marks_set(&turn->row, turn->arena, HO_MARK_OUTCOME, ho_str_of(ho_event_kind_name(event)));
  else if (event == HO_EVENT_ARCHIVED && !ho_marks_get(&turn->row, turn->arena, HO_MARK_OUTCOME).n)
    ho_marks_set(&turn->row, turn->arena, HO_MARK_OUTCOME, from);
  turn->state = to;
  turn->row.state = ho_str_of(ho_state_name(to));
  if (!ho_state_open(to))
    code = copy(turn, ho_event_kind_name(event), &data, now, err);
  if (!code)
    code = change(turn, from, ho_event_kind_name(event), data, now, err);
  return code || ho_state_open(to) || to == HO_STATE_ARCHIVED ? code : end(turn, err);
}

void ho_turn_tell_session(const ho_turn *turn, ho_node *data)
{
  ho_str actor = ho_identity_name(turn->actor);
  if (ho_str_eq(actor, ho_identity_name(turn->row.claimed_by)) && ho_str_eq(actor, ho_identity_name(turn->row.sender)))
    ho_event_data_put(turn->project, turn->arena, data, HO_DATA_SESSION, turn->project->session);
}

ho_code ho_turn_begun(ho_turn *turn, ho_node *data, ho_error *err)
{
  return turn->state == HO_STATE_CLAIMED ? ho_turn_apply(turn, HO_EVENT_ACKED, data, err) : HO_OK;
}

ho_code ho_turn_note(ho_turn *turn, const char *kind, ho_node *data, ho_error *err)
{
  ho_event event = event_of(turn, kind, data);
  return ho_events_add(turn->project->store, turn->row.id, &event, err);
}

ho_code ho_turn_mark(ho_turn *turn, const char *kind, ho_node *data, ho_error *err)
{
  int64_t now = ho_project_now(turn->project);
  ho_code code = ho_state_open(turn->state) ? HO_OK : copy(turn, kind, &data, now, err);
  return code ? code : change(turn, turn->row.state, kind, data, now, err);
}

ho_code ho_turn_new_id(ho_project *project, ho_arena *arena, ho_str *out, ho_error *err)
{
  char stamp[HO_TIME_SIZE];
  ho_time_stamp(ho_project_now(project), stamp);
  return ho_store_id(project->store, ho_arena_printf(arena, "HO-%.4s", stamp), arena, out, err);
}
