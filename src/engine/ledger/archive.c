#include "engine/ledger/archive.h"

#include "engine/ledger/archive_copy.h"
#include "engine/ledger/derive.h"
#include "engine/ledger/turn.h"
#include "engine/ledger/write.h"
#include "engine/project/project.h"
#include "store/handoffs/handoffs.h"
#include "store/handoffs/seals.h"
#include "store/knowledge/known.h"

#define PRUNED "pruned"

typedef struct archiving {
  ho_project *project;
  ho_arena *arena;
  const ho_node *ids; /* NULL: every ended one */
  ho_node *done;
  int64_t before;
} archiving;

static ho_code archive_one(archiving *a, ho_turn *turn, ho_error *err)
{
  ho_code code = ho_turn_apply(turn, HO_EVENT_ARCHIVED, NULL, err);
  ho_str path = HO_EMPTY;
  if (!code)
    code = ho_archive_copy_place(a->project, &turn->row, a->arena, &path, err);
  ho_node *item = ho_list_add(a->done, ho_node_new(a->arena, HO_KIND_MAP));
  ho_map_addz(item, "id", ho_node_text(a->arena, turn->row.id));
  ho_map_addz(item, "path", ho_node_text(a->arena, path));
  return code;
}

static ho_code archive_state(archiving *a, ho_state state, ho_error *err)
{
  ho_handoff_list list;
  ho_turn turn = {0};
  ho_filter filter = {.state = ho_str_of(ho_state_name(state)), .oldest_first = true, .limit = 10000};
  ho_code code = ho_handoffs_select(a->project->store, &filter, a->arena, &list, err);
  for (size_t i = 0; !code && i < list.count; i++) {
    code = ho_turn_of(a->project, &list.rows[i], a->arena, &turn, err);
    if (!code)
      code = archive_one(a, &turn, err);
  }
  return code;
}

static ho_code archive(ho_store *store, void *data, ho_error *err)
{
  archiving *a = data;
  ho_turn turn = {0};
  ho_code code = ho_arena_code(a->arena, err);
  if (code)
    return code;
  a->done->first = a->done->last = NULL;
  a->done->count = 0;
  HO_EACH_CONST (id, a->ids) {
    if (!code)
      code = ho_turn_begin(a->project, id->text, a->arena, &turn, err);
    if (!code)
      code = archive_one(a, &turn, err);
  }
  for (int state = HO_STATE_NONE + 1; !a->ids && !code && state < HO_STATE_COUNT; state++)
    if (!ho_state_open((ho_state)state) && state != HO_STATE_ARCHIVED)
      code = archive_state(a, (ho_state)state, err);
  return code ? code : ho_seals_add(store, ho_project_now(a->project), err);
}

ho_code ho_archive_run(ho_project *project, const ho_node *ids, ho_arena *arena, ho_node *done, ho_error *err)
{
  archiving a = {.project = project, .arena = arena, .ids = ids, .done = done};
  return ho_ledger_write(project, archive, &a, err);
}

/* Removes archived handoffs, and what was learned from them. */
static ho_code remove_all(archiving *a, const ho_handoff_list *list, ho_error *err)
{
  ho_str archived = ho_str_of(ho_state_name(HO_STATE_ARCHIVED));
  ho_event event = {.at = ho_project_now(a->project), .actor = ho_project_actor(a->project), .kind = HO_STR(PRUNED)};
  ho_code code = HO_OK;
  a->done->first = a->done->last = NULL;
  a->done->count = 0;
  if (list->count) /* what their outcomes have settled stays settled */
    code = ho_derive_inside(a->project, HO_DERIVED_KNOWLEDGE, err);
  for (size_t i = 0; !code && i < list->count; i++) {
    code = ho_handoffs_remove(a->project->store, list->rows[i].id, archived, &event, err);
    ho_list_add(a->done, ho_node_text(a->arena, list->rows[i].id));
  }
  return code ? code : ho_known_forget(a->project->store, list, err);
}

static ho_code prune(ho_store *store, void *data, ho_error *err)
{
  archiving *a = data;
  ho_handoff_list list;
  ho_filter filter = {.state = ho_str_of(ho_state_name(HO_STATE_ARCHIVED)),
                      .until = a->before,
                      .oldest_first = true,
                      .limit = HO_PRUNED_AT_ONCE};
  ho_code code = ho_arena_code(a->arena, err);
  if (!code)
    code = ho_handoffs_select(store, &filter, a->arena, &list, err);
  return code ? code : remove_all(a, &list, err);
}

ho_code ho_archive_prune(ho_project *project, int64_t before, ho_arena *arena, ho_node *done, ho_error *err)
{
  archiving a = {.project = project, .arena = arena, .done = done, .before = before};
  ho_derive_ahead(project, HO_DERIVED_KNOWLEDGE);
  return ho_ledger_write(project, prune, &a, err);
}
