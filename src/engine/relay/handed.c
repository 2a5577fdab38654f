#include "engine/relay/handed.h"

#include "base/grow.h"
#include "engine/ledger/describe.h"
#include "engine/ledger/gate_read.h"
#include "engine/ledger/turn.h"
#include "engine/project/identity.h"
#include "engine/project/paths.h"
#include "engine/project/worktree.h"
#include "model/fix/fix.h"
#include "model/formats/formats.h"
#include "model/lifecycle.h"
#include "model/syntax.h"
#include "store/handoffs/bodies.h"

static int compare(const ho_handed *a, const ho_handed *b)
{
  ho_str phase, stamp;
  char x[17] = "", y[17] = "";
  ho_fix_name_facts(a->path, &phase, &stamp);
  ho_stamp_read(stamp, x, NULL);
  ho_fix_name_facts(b->path, &phase, &stamp);
  ho_stamp_read(stamp, y, NULL);
  int order = strcmp(x, y);
  return order ? order : ho_str_cmp(a->path, b->path);
}

static void put(const ho_phase *phase, ho_handed_list *list, ho_handed handed)
{
  ho_handed *last = HO_PUSH(phase->arena, list->rows, list->count);
  if (!last)
    return;
  size_t at = list->count - 1;
  for (; at && compare(&list->rows[at - 1], &handed) > 0; at--)
    list->rows[at] = list->rows[at - 1];
  list->rows[at] = handed;
}

static bool is_open(ho_project *project)
{
  ho_error none = {0};
  return project && ho_project_has_store(project) && !ho_project_open(project, HO_OPEN_EXISTING, &none);
}

/* Another task may have had the same number, in a worktree of its own. What was taken back by its sender, or refused, is
 * nothing to go on from. */
static bool counts(const ho_phase *phase, const ho_handoff *row)
{
  return ho_str_eq(ho_paths_task_folder(row->path), ho_fs_name(phase->folder)) &&
         !ho_str_is(row->state, ho_state_name(HO_STATE_REJECTED));
}

/* Where its file would be in the task's folder. */
static ho_str path_in(ho_arena *arena, ho_str folder, const ho_handoff *row)
{
  return ho_arena_printf(arena, "%.*s/%.*s", HO_ARG(ho_paths_handoffs(arena, folder)), HO_ARG(ho_fs_name(row->path)));
}

static ho_code add_recorded(ho_project *project, const ho_phase *phase, ho_handed_list *list, ho_error *err)
{
  ho_handoff_list rows = {0};
  size_t files = list->count;
  ho_filter filter = {
      .kind = ho_str_of(ho_format_artifact.name), .task = ho_id_plain(phase->task), .phase = ho_id_plain(phase->phase)};
  ho_handed *with = list->rows;
  ho_code code = ho_handoffs_select(project->store, &filter, phase->arena, &rows, err);
  *list = (ho_handed_list){0};
  for (size_t i = 0; i < files; i++)
    put(phase, list, with[i]);
  for (size_t i = 0; !code && i < rows.count; i++) {
    ho_str name = ho_fs_name(rows.rows[i].path);
    bool there = !counts(phase, &rows.rows[i]);
    for (size_t k = 0; k < files; k++)
      there = there || ho_str_eq(ho_fs_name(with[k].path), name);
    if (!there)
      put(phase, list, (ho_handed){.path = path_in(phase->arena, phase->folder, &rows.rows[i]), .id = rows.rows[i].id});
  }
  return code;
}

ho_code ho_handed_all(ho_project *project, const ho_phase *phase, ho_handed_list *out, ho_error *err)
{
  ho_str *paths;
  size_t count = 0;
  *out = (ho_handed_list){0};
  ho_code code = ho_phase_handoffs(phase, &paths, &count, err);
  for (size_t i = 0; !code && i < count; i++) {
    ho_handed *each = HO_PUSH(phase->arena, out->rows, out->count);
    if (each)
      *each = (ho_handed){.path = paths[i]};
  }
  if (!code && is_open(project))
    code = add_recorded(project, phase, out, err);
  return code ? code : ho_arena_code(phase->arena, err);
}

/* The newest that had this name in a task folder of this name, wherever that was. */
static bool find_moved(ho_project *project, ho_arena *arena, ho_str path, ho_handoff *row)
{
  ho_handoff_list rows = {0};
  ho_str phase, stamp;
  ho_error none = {0};
  ho_fix_name_facts(path, &phase, &stamp);
  ho_str folder = ho_paths_task_folder(path), name = ho_fs_name(path);
  size_t bar = ho_str_find_char(folder, '_');
  ho_filter filter = {.kind = ho_str_of(ho_format_artifact.name),
                      .task = ho_id_plain(ho_str_sub(folder, 0, bar == HO_NONE ? 0 : bar)),
                      .phase = ho_id_plain(phase)};
  if (!filter.task.n || ho_handoffs_select(project->store, &filter, arena, &rows, &none))
    return false;
  for (size_t i = 0; i < rows.count; i++)
    if (ho_str_eq(ho_fs_name(rows.rows[i].path), name) && ho_str_eq(ho_paths_task_folder(rows.rows[i].path), folder)) {
      *row = rows.rows[i];
      return true;
    }
  return false;
}

bool ho_handed_named(ho_project *project, ho_arena *arena, ho_str root, ho_str name, ho_handed *out)
{
  ho_turn turn = {0};
  ho_error none = {0};
  bool found = false;
  if (!is_open(project))
    return false;
  ho_str full = ho_fs_join(arena, root, name);
  if (ho_str_find_char(name, '/') == HO_NONE && !ho_turn_begin(project, name, arena, &turn, &none))
    found = true;
  else if (ho_handoffs_by_path(project->store, ho_worktree_kept(project->home, full), arena, &turn.row, &found,
                               &none) ||
           !found)
    found = find_moved(project, arena, full, &turn.row);
  if (!found)
    return false;
  ho_str own = ho_paths_now(arena, HO_EMPTY, ho_fs_join(arena, project->home, turn.row.path));
  ho_str folder = ho_arena_printf(arena, HO_PATH_SPECS "/%.*s", HO_ARG(ho_paths_task_folder(turn.row.path)));
  *out = (ho_handed){.path = path_in(arena, folder, &turn.row), .id = turn.row.id};
  if (own.n && ho_fs_below(root, own) && ho_fs_exists(own.p))
    *out = (ho_handed){.path = ho_fs_relative(root, own)};
  return true;
}

bool ho_handed_read(ho_project *project, ho_arena *arena, ho_str root, const ho_handed *handed, ho_str *text)
{
  ho_handoff row;
  ho_error none = {0};
  ho_str full = ho_fs_join(arena, root, handed->path);
  if (!handed->id.n && full.n && !ho_fs_read(arena, full.p, 0, text, &none))
    return true;
  return is_open(project) && (handed->id.n ? !ho_handoffs_get(project->store, handed->id, arena, &row, &none) &&
                                                 !ho_bodies_get(project->store, row.digest, arena, text, &none)
                                           : ho_describe_recorded(project, arena, full, text));
}

bool ho_handed_row(ho_project *project, ho_arena *arena, ho_str root, const ho_handed *handed, ho_handoff *row)
{
  bool found = false;
  ho_error none = {0};
  if (!is_open(project))
    return false;
  if (handed->id.n)
    return !ho_handoffs_get(project->store, handed->id, arena, row, &none);
  ho_str kept = ho_worktree_kept(project->home, ho_fs_join(arena, root, handed->path));
  return !ho_handoffs_by_path(project->store, kept, arena, row, &found, &none) && found;
}

ho_code ho_handed_judge(ho_project *project, const ho_handoff *row, ho_arena *arena, ho_handed_standing *out,
                        ho_gate *gate, ho_error *err)
{
  bool held = false;
  ho_code code = ho_gate_read_standing(project, row->id, arena, gate, &held, err);
  if (held)
    *out = gate->state == HO_GATE_DECIDED ? HO_HANDED_ENDED : HO_HANDED_WAITS;
  else
    *out = ho_str_is(row->state, ho_state_name(HO_STATE_REJECTED)) ? HO_HANDED_ENDED : HO_HANDED_FREE;
  if (!held)
    *gate = (ho_gate){0};
  return code;
}

ho_str ho_handed_shown(ho_arena *arena, const ho_handed *handed)
{
  return handed->id.n ? ho_arena_printf(arena, "handoff show %.*s", HO_ARG(handed->id)) : handed->path;
}

ho_str ho_handed_details(ho_project *project, ho_arena *arena, ho_str root, const ho_handed *handed, ho_str *shown)
{
  ho_handoff row;
  ho_str text = HO_EMPTY;
  ho_error none = {0};
  *shown = ho_arena_printf(arena, "%.*s/%.*s", HO_ARG(ho_fs_parent(handed->path)),
                           HO_ARG(ho_fix_details_name(arena, handed->path)));
  const char *full = ho_fs_join(arena, root, *shown).p;
  if (handed->path.n && full && ho_fs_inside(ho_arena_z(arena, root), full) &&
      !ho_fs_read(arena, full, 0, &text, &none))
    return text;
  *shown = HO_EMPTY;
  if (!ho_handed_row(project, arena, root, handed, &row))
    return HO_EMPTY;
  text = ho_describe_details(project, &row, arena);
  if (text.n)
    *shown = ho_handed_shown(arena, &(ho_handed){.path = handed->path, .id = row.id});
  return text;
}

typedef struct looking {
  ho_arena *arena;
  ho_str own, progress;
  ho_str found;
  ho_doc *doc;
} looking;

static void look(void *data, ho_str root)
{
  looking *l = data;
  ho_error none = {0};
  ho_str full = ho_fs_join(l->arena, root, l->progress), text;
  if (l->found.n || ho_str_eq(root, l->own) || !ho_fs_inside(ho_arena_z(l->arena, root), full.p) ||
      ho_fs_read(l->arena, full.p, 0, &text, &none) ||
      ho_doc_read(l->doc, l->arena, l->progress, text, &ho_format_progress, &none) ||
      !ho_node_is(l->doc->root, HO_KIND_MAP))
    return;
  l->found = ho_arena_copy(l->arena, root);
}

ho_str ho_handed_elsewhere(ho_project *project, ho_arena *arena, ho_str root, ho_str progress, ho_doc *doc)
{
  looking l = {.arena = arena, .own = root, .progress = progress, .doc = doc};
  if (progress.n)
    ho_worktree_each(arena, project->home, look, &l);
  return l.found;
}
