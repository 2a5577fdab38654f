#include "engine/ledger/holder.h"

#include "base/time.h"
#include "engine/ledger/draft.h"
#include "engine/project/identity.h"
#include "engine/project/quote.h"
#include "engine/which/which.h"
#include "model/lifecycle.h"

static bool is_person(ho_project *project, ho_arena *arena)
{
  ho_identity_signs signs = {0};
  if (!ho_str_starts(ho_project_actor(project), HO_PROJECT_PERSON))
    return false;
  ho_identity_read_signs(arena, &signs);
  return !signs.count;
}

bool ho_holder_namesake(ho_project *project, const ho_handoff *row)
{
  return ho_str_eq(ho_identity_name(ho_project_actor(project)), ho_identity_name(row->claimed_by));
}

bool ho_holder_other(ho_project *project, ho_arena *arena, const ho_handoff *row)
{
  ho_state state;
  bool held = ho_state_named(row->state, &state) && (state == HO_STATE_CLAIMED || state == HO_STATE_ACKED) &&
              row->lease_until > ho_project_now(project);
  bool mine = ho_identity_is_day(project->session), theirs = ho_identity_is_day(row->claim_session);
  if (!held || (!mine && ho_str_eq(row->claim_session, project->session)) ||
      (ho_holder_namesake(project, row) && (mine || theirs)))
    return false;
  return !ho_which_ended(project, arena, row->claim_session) && !is_person(project, arena);
}

ho_code ho_holder_refuse(ho_project *project, ho_arena *arena, const ho_handoff *row, ho_error *err)
{
  bool same = ho_holder_namesake(project, row);
  return ho_fail(err, HO_CONFLICT,
                 "%.*s (phase %.*s of task %.*s) is held by %s%.*s until %.*s; leave the phase to it, or, once it is "
                 "free, run: %.*s --task %.*s --phase %.*s; a person can free it: handoff release %.*s",
                 HO_ARG(row->id), HO_ARG(ho_quote_name(arena, row->phase)), HO_ARG(ho_quote_name(arena, row->task)),
                 same ? "another session of " : "", HO_ARG(row->claimed_by),
                 HO_ARG(ho_time_str(arena, row->lease_until)),
                 HO_ARG(ho_project_command(project, arena, "next@", HO_EMPTY)),
                 HO_ARG(ho_quote_shell(arena, row->task)), HO_ARG(ho_quote_shell(arena, row->phase)), HO_ARG(row->id));
}

ho_code ho_holder_check(ho_project *project, ho_arena *arena, ho_str task, ho_str phase, ho_error *err)
{
  ho_handoff_list list = {0};
  ho_filter filter = {
      .task = task,
      .phase = phase,
      .state = ho_arena_printf(arena, "%s|%s", ho_state_name(HO_STATE_CLAIMED), ho_state_name(HO_STATE_ACKED))};
  ho_code code = ho_handoffs_select(project->store, &filter, arena, &list, err);
  for (size_t i = 0; !code && i < list.count; i++)
    if (ho_draft_tells(&list.rows[i], arena) && ho_holder_other(project, arena, &list.rows[i]))
      code = ho_holder_refuse(project, arena, &list.rows[i], err);
  return code;
}
