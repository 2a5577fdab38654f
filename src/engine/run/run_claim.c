/* The handoffs that successors start from: claimed for them, and ended with them. All of it inside a write. */
#include "base/digest.h"
#include "engine/ledger/turn.h"
#include "engine/project/event_data.h"
#include "engine/project/worktree.h"
#include "engine/run/run_parts.h"
#include "store/handoffs/handoffs.h"

/* The row of the handoff that the teammate starts from; *found is false if the store has none. */
static ho_code find(ho_run *run, ho_run_mate *mate, ho_turn *turn, bool *found, ho_error *err)
{
  ho_handoff row;
  ho_error none = {0};
  ho_code code;
  *found = false;
  if (mate->row.from_id.n) {
    code = ho_handoffs_get(run->project->store, mate->row.from_id, &mate->arena, &row, &none);
    *found = code == HO_OK;
    if (code == HO_NOT_FOUND)
      code = HO_OK;
    else if (code)
      *err = none;
  } else {
    ho_str full = ho_fs_join(&mate->arena, mate->row.folder, mate->row.from_path);
    code = ho_handoffs_by_path(run->project->store, ho_worktree_kept(run->project->home, full), &mate->arena, &row,
                               found, err);
  }
  if (code || !*found)
    return code;
  mate->row.from_id = row.id;
  code = ho_turn_of(run->project, &row, &mate->arena, turn, err);
  turn->actor = HO_STR("lead");
  return code;
}

static ho_node *about(ho_run *run, ho_run_mate *mate, const char *note)
{
  ho_node *data = ho_node_new(&mate->arena, HO_KIND_MAP);
  ho_event_data_put(run->project, &mate->arena, data, "teammate", mate->row.id);
  ho_event_data_put(run->project, &mate->arena, data, "note", ho_str_of(note));
  return data;
}

/* A draft is not a commitment by anybody: it is read, and waits for whatever supersedes it. */
ho_code ho_run_claim(ho_run *run, ho_run_mate *mate, ho_str token, ho_error *err)
{
  ho_turn turn;
  bool found;
  char hash[HO_DIGEST_SIZE];
  ho_code code = find(run, mate, &turn, &found, err);
  if (code || !found)
    return code;
  ho_digest_text(token, hash);
  turn.row.token = ho_arena_copy(&mate->arena, ho_str_of(hash));
  turn.row.claimed_by = mate->row.agent;
  turn.row.claim_session = mate->row.session;
  ho_turn_lease(&turn, HO_RUN_CLAIM);
  if (turn.state == HO_STATE_READY)
    return ho_turn_apply(&turn, HO_EVENT_CLAIMED, about(run, mate, ""), err);
  if (turn.state == HO_STATE_CLAIMED || turn.state == HO_STATE_ACKED) /* by one that never started */
    return ho_turn_mark(&turn, "claimed_again", about(run, mate, ""), err);
  return HO_OK;
}

static ho_code finish(ho_run *run, ho_run_mate *mate, ho_turn *turn, ho_error *err)
{
  ho_code code = HO_OK;
  if (turn->state == HO_STATE_DRAFT)
    return ho_turn_apply(turn, HO_EVENT_SUPERSEDED, about(run, mate, "its phase has moved on"), err);
  if (turn->state == HO_STATE_CLAIMED)
    code = ho_turn_apply(turn, HO_EVENT_ACKED, about(run, mate, "given to the teammate in its prompt"), err);
  if (!code && turn->state == HO_STATE_ACKED)
    code = ho_turn_apply(turn, HO_EVENT_DONE, about(run, mate, ""), err);
  return code;
}

/* The teammate died: the draft made on its behalf supersedes the handoff; without a draft, the handoff is ready for
 * the next one. */
static ho_code give_back(ho_run *run, ho_run_mate *mate, ho_turn *turn, ho_error *err)
{
  bool claimed = turn->state == HO_STATE_CLAIMED, acked = turn->state == HO_STATE_ACKED;
  ho_node *data = about(run, mate, "the teammate ended without a result");
  if (mate->row.left_id.n && (claimed || acked || turn->state == HO_STATE_DRAFT)) {
    turn->row.superseded_by = mate->row.left_id;
    return ho_turn_apply(turn, HO_EVENT_SUPERSEDED, data, err);
  }
  if (claimed)
    return ho_turn_apply(turn, HO_EVENT_LAPSED, data, err);
  return acked ? ho_turn_apply(turn, HO_EVENT_WORK_LAPSED, data, err) : HO_OK;
}

ho_code ho_run_release(ho_run *run, ho_run_mate *mate, bool done, ho_error *err)
{
  ho_turn turn;
  bool found;
  ho_code code = find(run, mate, &turn, &found, err);
  if (code || !found || ho_str_eq(mate->row.left_id, mate->row.from_id))
    return code;
  return done ? finish(run, mate, &turn, err) : give_back(run, mate, &turn, err);
}
