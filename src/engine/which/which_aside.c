/* Handoffs that are left aside. Being offered one is not taking it: a session works on a phase that it has claimed, has said
 * something about, or was sent to. Where nobody says which phase is meant, one whose open handoff nobody has taken waits for
 * somebody else; if it were meant, its handoff would be ended by work that has nothing to do with it. */
#include "base/buf.h"
#include "engine/project/identity.h"
#include "engine/project/quote.h"
#include "engine/which/which_parts.h"
#include "model/formats/formats.h"
#include "model/lifecycle.h"

static bool open_store(ho_project *project)
{
  ho_error none = {0};
  return ho_project_has_store(project) && !ho_project_open(project, HO_OPEN_EXISTING, &none);
}

/* The newest handoff of the phase in one of these states. */
static bool find(ho_project *project, ho_arena *arena, ho_str task, ho_str phase, ho_str states, ho_handoff *row)
{
  ho_handoff_list list;
  ho_error none = {0};
  ho_filter filter = {
      .kind = ho_str_of(ho_format_artifact.name), .task = task, .phase = phase, .state = states, .limit = 1};
  if (!open_store(project) || ho_handoffs_select(project->store, &filter, arena, &list, &none) || !list.count)
    return false;
  *row = list.rows[0];
  return true;
}

static bool is_state(const ho_handoff *row, ho_state state)
{
  return ho_str_is(row->state, ho_state_name(state));
}

static bool is_held(const ho_handoff *row)
{
  return is_state(row, HO_STATE_CLAIMED) || is_state(row, HO_STATE_ACKED);
}

bool ho_which_waits(ho_project *project, ho_arena *arena, ho_str task, ho_str phase, ho_handoff *row)
{
  ho_which_work work;
  ho_error none = {0};
  ho_str states = ho_arena_printf(arena, "%s|%s", ho_state_name(HO_STATE_READY), ho_state_name(HO_STATE_GATED));
  if (find(project, arena, task, phase, states, row))
    return true;
  ho_which_load(project, arena, &work); /* it was told to ignore a draft that it does not continue */
  return work.offered.n && open_store(project) && !ho_handoffs_get(project->store, work.offered, arena, row, &none) &&
         is_state(row, HO_STATE_DRAFT) && ho_str_eq(row->task, task) && ho_str_eq(row->phase, phase);
}

bool ho_which_gone(ho_project *project, ho_arena *arena, const ho_which_work *work, ho_handoff *row)
{
  ho_handoff newest;
  bool day = ho_identity_is_day(project->session);
  ho_str states =
      ho_arena_printf(arena, "%s|%s|%s|%s|%s", ho_state_name(HO_STATE_READY), ho_state_name(HO_STATE_GATED),
                      ho_state_name(HO_STATE_CLAIMED), ho_state_name(HO_STATE_ACKED), ho_state_name(HO_STATE_CLARIFY));
  if ((!work->left && !work->asked) || !find(project, arena, work->task, work->phase, states, &newest) ||
      (is_held(&newest) && ho_which_is_mine(project, &newest)))
    return false;
  bool wrote = ho_str_eq(newest.session, project->session), held = is_held(&newest);
  if (!(day ? work->left || wrote || held : work->left && (held || !wrote)))
    return false;
  *row = newest;
  return true;
}

void ho_which_waiting(ho_project *project, ho_arena *arena, ho_str task, ho_handoff_list *out)
{
  enum { LOOKED_AT = 100 };
  ho_error none = {0};
  ho_filter filter = {.kind = ho_str_of(ho_format_artifact.name),
                      .task = task,
                      .state = ho_str_of(ho_state_name(HO_STATE_READY)),
                      .limit = LOOKED_AT};
  if (!open_store(project) || ho_handoffs_select(project->store, &filter, arena, out, &none))
    *out = (ho_handoff_list){0};
}

void ho_which_offer(ho_project *project, ho_arena *arena, ho_handoff *row)
{
  ho_which_work work;
  ho_error none = {0};
  ho_which_load(project, arena, &work);
  if (!work.offered.n || !open_store(project) || ho_handoffs_get(project->store, work.offered, arena, row, &none) ||
      (!is_state(row, HO_STATE_READY) && !is_state(row, HO_STATE_DRAFT)))
    *row = (ho_handoff){0};
}

ho_str ho_which_claim(ho_project *project, ho_arena *arena, const ho_handoff *row)
{
  ho_str id = ho_quote_name(arena, row->id), command = ho_project_command(project, arena, "claim ID@", id);
  if (is_state(row, HO_STATE_DRAFT))
    command = ho_arena_printf(arena, "%.*s && %.*s",
                              HO_ARG(ho_project_command(project, arena, "answer ID --note 'I continue it'@", id)),
                              HO_ARG(command));
  if (row->receiver.n && !project->by_option && !ho_str_eq(row->receiver, ho_project_addressee(project)) &&
      ho_quote_is_name(row->receiver))
    command = ho_arena_printf(arena, "%.*s --as %.*s", HO_ARG(command), HO_ARG(ho_quote_shell(arena, row->receiver)));
  return command;
}

bool ho_which_claimable(const ho_handoff *row)
{
  return is_state(row, HO_STATE_READY) || is_state(row, HO_STATE_DRAFT);
}

ho_str ho_which_named(ho_arena *arena, const ho_handoff *row)
{
  return ho_arena_printf(arena, "%.*s (task %.*s, phase %.*s)%s", HO_ARG(ho_quote_name(arena, row->id)),
                         HO_ARG(ho_quote_name(arena, row->task)), HO_ARG(ho_quote_name(arena, row->phase)),
                         is_held(row) ? ", which another session holds," : "");
}
