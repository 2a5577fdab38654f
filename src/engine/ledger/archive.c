#include "engine/ledger/archive.h"

#include "engine/ledger/archive_copy.h"
#include "engine/ledger/derive.h"
#include "engine/ledger/gate_read.h"
#include "engine/ledger/halt.h"
#include "engine/ledger/turn.h"
#include "engine/ledger/write.h"
#include "engine/project/project.h"
#include "store/handoffs/handoffs.h"
#include "store/handoffs/seals.h"
#include "store/knowledge/known.h"

#define PRUNED "pruned"
enum { MOST_GATED = 1000000 };

typedef struct archiving {
  ho_project *project;
  ho_arena *arena;
  const ho_node *ids; /* NULL: every ended one */
  ho_node *done;
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

typedef struct pruning {
  ho_project *project;
  ho_arena *arena;
  ho_pruning *how;
} pruning;

/* A handoff that nobody approved at its gate is what others are compared with when they are sent: without it, the same
 * document could be sent again and would not wait. And a task that was halted stays so until somebody resumes it. */
static ho_code leave_out(pruning *p, ho_handoff_list *list, ho_error *err)
{
  ho_deciders deciders;
  size_t kept = 0;
  ho_code code = ho_deciders_load(p->project, p->arena, &deciders, err);
  for (size_t i = 0; !code && i < list->count && kept < HO_PRUNED_AT_ONCE; i++) {
    ho_gate gate;
    bool waits = false, halts = ho_halt_marked(&list->rows[i], p->arena);
    if (!p->how->unapproved)
      code = ho_gate_read_standing_by(p->project, &deciders, list->rows[i].id, p->arena, &gate, &waits, err);
    p->how->halting += halts;
    p->how->kept += waits && !halts;
    if (!waits && !halts)
      list->rows[kept++] = list->rows[i];
  }
  list->count = kept;
  return code;
}

/* Removes archived handoffs, and what was learned from them. */
static ho_code remove_all(pruning *p, const ho_handoff_list *list, ho_error *err)
{
  ho_str archived = ho_str_of(ho_state_name(HO_STATE_ARCHIVED));
  ho_event event = {.at = ho_project_now(p->project), .actor = ho_project_actor(p->project), .kind = HO_STR(PRUNED)};
  ho_code code = HO_OK;
  p->how->done = ho_node_new(p->arena, HO_KIND_LIST);
  if (list->count) /* what their outcomes have settled stays settled */
    code = ho_derive_inside(p->project, HO_DERIVED_KNOWLEDGE, err);
  for (size_t i = 0; !code && i < list->count; i++) {
    code = ho_handoffs_remove(p->project->store, list->rows[i].id, archived, &event, err);
    ho_list_add(p->how->done, ho_node_text(p->arena, list->rows[i].id));
  }
  return code ? code : ho_known_forget(p->project->store, list, err);
}

static ho_code prune(ho_store *store, void *data, ho_error *err)
{
  pruning *p = data;
  ho_handoff_list list, asked = {0}, halting; /* asked: had a gate; what may stay must not stand in the way of others */
  ho_filter filter = {.state = ho_str_of(ho_state_name(HO_STATE_ARCHIVED)),
                      .until = p->how->before,
                      .oldest_first = true,
                      .limit = HO_PRUNED_AT_ONCE};
  p->how->kept = p->how->halting = 0;
  ho_code code = p->how->unapproved ? HO_OK : ho_gates_handoffs(store, 0, MOST_GATED, p->arena, &asked, err);
  if (!code)
    code = ho_handoffs_halting(store, MOST_GATED, p->arena, &halting, err);
  if (code)
    return code;
  filter.limit += (int64_t)(asked.count + halting.count);
  code = ho_handoffs_select(store, &filter, p->arena, &list, err);
  if (!code)
    code = leave_out(p, &list, err);
  return code ? code : remove_all(p, &list, err);
}

ho_code ho_archive_prune(ho_project *project, ho_pruning *how, ho_arena *arena, ho_error *err)
{
  pruning p = {.project = project, .arena = arena, .how = how};
  ho_derive_ahead(project, HO_DERIVED_KNOWLEDGE);
  return ho_ledger_write(project, prune, &p, err);
}
