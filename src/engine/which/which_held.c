/* What an agent holds, and how far its holders got with it. */
#include "engine/project/identity.h"
#include "engine/project/project.h"
#include "engine/which/which_parts.h"
#include "model/formats/artifact.h"
#include "model/formats/formats.h"
#include "model/lifecycle.h"

bool ho_which_is_mine(ho_project *project, const ho_handoff *row)
{
  bool day = ho_identity_is_day(project->session), here = ho_str_eq(row->claim_session, project->session);
  bool by_me = ho_str_eq(row->claimed_by, ho_project_actor(project));
  return project->agent.n ? by_me && (here || day) : here && (by_me || !day);
}

/* Moves the handoff that the session took last to the front. */
static void put_first(ho_handoff_list *list, ho_str id)
{
  for (size_t i = 0; i < list->count; i++) {
    ho_handoff row = list->rows[i];
    if (!ho_str_eq(row.id, id))
      continue;
    for (; i > 0; i--)
      list->rows[i] = list->rows[i - 1];
    list->rows[0] = row;
    return;
  }
}

ho_code ho_which_held(ho_project *project, ho_arena *arena, ho_handoff_list *out, ho_error *err)
{
  ho_which_work work;
  size_t kept = 0;
  ho_filter filter = {
      .state = ho_arena_printf(arena, "%s|%s", ho_state_name(HO_STATE_CLAIMED), ho_state_name(HO_STATE_ACKED))};
  *out = (ho_handoff_list){0};
  ho_code code = ho_handoffs_select(project->store, &filter, arena, out, err);
  for (size_t i = 0; !code && i < out->count; i++)
    if (ho_which_is_mine(project, &out->rows[i]))
      out->rows[kept++] = out->rows[i];
  out->count = kept;
  ho_which_load(project, arena, &work);
  put_first(out, work.handoff);
  return code;
}

ho_code ho_which_passed(ho_project *project, ho_arena *arena, const ho_handoff *row, ho_handoff *out, ho_error *err)
{
  enum { LOOKED_AT = 20 };
  ho_handoff_list list;
  ho_filter filter = {.parent = row->id, .kind = ho_str_of(ho_format_artifact.name), .limit = LOOKED_AT};
  *out = (ho_handoff){0};
  ho_code code = ho_handoffs_select(project->store, &filter, arena, &list, err);
  for (size_t i = 0; !code && !out->id.n && i < list.count; i++)
    if (!ho_str_is(list.rows[i].state, ho_state_name(HO_STATE_GATED)) &&
        !ho_str_is(list.rows[i].state, ho_state_name(HO_STATE_REJECTED)))
      *out = list.rows[i];
  return code;
}

ho_code ho_which_of(ho_project *project, ho_arena *arena, const ho_handoff *row, ho_str *task, ho_str *phase,
                    ho_error *err)
{
  ho_handoff passed = {0};
  bool named = ho_folder_id_fits(row->task),
       whole = named && row->phase.n && ho_artifact_phase(row->phase) == row->phase.n;
  ho_code code = whole ? HO_OK : ho_which_passed(project, arena, row, &passed, err);
  *task = passed.id.n ? passed.task : named ? row->task : HO_EMPTY;
  *phase = passed.id.n ? passed.phase : whole ? row->phase : HO_EMPTY;
  return code;
}
