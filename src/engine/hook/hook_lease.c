/* What a session has claimed, and its leases. */
#include "base/fs.h"
#include "engine/hook/hook.h"
#include "engine/ledger/claim.h"
#include "engine/ledger/write.h"
#include "engine/project/project.h"
#include "engine/project/settings.h"
#include "store/handoffs/handoffs.h"

#define LEASE_SUFFIX ".lease"

/* The states in which a handoff has a holder. */
static const ho_state held[] = {HO_STATE_CLAIMED, HO_STATE_ACKED};

static ho_filter held_by(const ho_project *project, ho_state state)
{
  return (ho_filter){.state = ho_str_of(ho_state_name(state)), .holder = project->session};
}

ho_code ho_hook_held(ho_hook *hook, ho_handoff *row, bool *found, ho_error *err)
{
  const ho_project *project = hook->project;
  *found = false;
  if (!project->session.n) /* a filter without a holder would match everybody's */
    return HO_OK;
  for (size_t s = 0; s < HO_COUNT(held) && !*found; s++) {
    ho_handoff_list list;
    ho_filter filter = held_by(project, held[s]);
    filter.limit = 1;
    ho_code code = ho_handoffs_select(project->store, &filter, hook->arena, &list, err);
    if (code)
      return code;
    *found = list.count > 0;
    if (*found)
      *row = list.rows[0];
  }
  return HO_OK;
}

static ho_code renew_all(ho_store *store, void *data, ho_error *err)
{
  ho_hook *hook = data;
  ho_code code = HO_OK;
  for (size_t s = 0; !code && s < HO_COUNT(held); s++) {
    ho_handoff_list list;
    ho_filter filter = held_by(hook->project, held[s]);
    code = ho_handoffs_select(store, &filter, hook->arena, &list, err);
    for (size_t i = 0; !code && i < list.count; i++) {
      ho_turn turn;
      code = ho_turn_of(hook->project, &list.rows[i], hook->arena, &turn, err);
      if (code)
        break;
      ho_claim_lease_again(&turn);
      code = ho_handoffs_renew(store, turn.row.id, turn.row.state, turn.row.token, turn.row.lease_until, turn.row.due,
                               ho_project_now(hook->project), err);
    }
  }
  return code;
}

ho_code ho_hook_renew(ho_hook *hook, ho_error *err)
{
  ho_project *project = hook->project;
  ho_handoff row;
  bool found = false, there;
  ho_str path = ho_context_path(hook->arena, hook->project->root, hook->session, LEASE_SUFFIX);
  if (!path.n)
    return ho_arena_code(hook->arena, err);
  long long looked = 0;
  ho_node_to_int(ho_map_getz(ho_context_load(hook->arena, path.p), "looked_ms"), &looked);
  int64_t now = ho_hook_now(hook), lease = ho_settings_number(&project->settings, "lease");
  if (looked <= now + 1000 && now - looked < lease * 1000 / 3)
    return HO_OK;
  ho_code code = ho_hook_open(hook, &there, err);
  if (code || !there)
    return code;
  code = ho_hook_held(hook, &row, &found, err);
  if (!code && found)
    code = ho_ledger_write(project, renew_all, hook, err);
  if (!code && found)
    ho_hook_trace(hook);
  ho_node *map = ho_context_map(hook->arena);
  ho_map_addz(map, "looked_ms", ho_node_number(hook->arena, now));
  ho_error none = {0};
  if (!code)
    (void)!ho_context_save(map, hook->arena, path.p, &none); /* without it, the next event looks again */
  return code;
}
