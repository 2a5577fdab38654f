#include "engine/relay/put_away.h"

#include <dirent.h>

#include "base/grow.h"
#include "doc/text/splice.h"
#include "engine/ledger/archive_copy.h"
#include "engine/ledger/turn.h"
#include "engine/ledger/write.h"
#include "engine/phase/folders.h"
#include "engine/project/event_data.h"
#include "engine/project/paths.h"
#include "engine/project/worktree.h"
#include "engine/relay/finish.h"
#include "store/handoffs/files.h"

enum { MOST = 10000 };

/* One file that goes, below root. */
typedef struct going {
  ho_str from, to;
} going;

/* One phase. */
typedef struct leaving {
  ho_put_away *put;
  ho_arena *arena;
  ho_phase phase;
  going *files;
  size_t count;
  ho_node *ids; /* the handoffs whose files go */
} leaving;

/* The phase of a file name: P of phase-P-handoff….md, or "". */
static ho_str phase_of(ho_str name)
{
  ho_str rest = ho_str_starts(name, "phase-") && ho_str_ends(name, ".md") ? ho_str_sub(name, 6, name.n) : HO_EMPTY;
  size_t end = ho_str_find(rest, "-handoff");
  return end == HO_NONE ? HO_EMPTY : ho_str_sub(rest, 0, end);
}

/* ---- Which files go */

static ho_code list_files(leaving *l, ho_error *err)
{
  ho_str below = ho_paths_handoffs(l->arena, l->phase.folder);
  DIR *dir = ho_fs_opendir(ho_fs_join(l->arena, l->phase.root, below).p);
  for (struct dirent *entry; dir && !l->arena->failed && (entry = readdir(dir));) {
    if (!ho_str_eq(phase_of(ho_str_of(entry->d_name)), l->phase.phase))
      continue;
    ho_str path = ho_arena_printf(l->arena, "%.*s/%s", HO_ARG(below), entry->d_name);
    ho_str full = ho_fs_join(l->arena, l->phase.root, path);
    if (!full.n || ho_fs_is_link(full.p) || !ho_fs_is_file(full.p))
      continue;
    going *file = HO_PUSH(l->arena, l->files, l->count);
    if (file)
      *file = (going){path, ho_paths_put_away(l->arena, path)};
  }
  if (dir)
    closedir(dir);
  return ho_arena_code(l->arena, err);
}

/* Is the phase finished, and nothing of it open? */
static ho_code is_over(leaving *l, bool *over, ho_error *err)
{
  ho_doc progress;
  ho_str summary;
  ho_error none = {0};
  ho_handoff_list list;
  ho_filter filter = {.task = l->phase.task, .phase = l->phase.phase, .limit = MOST};
  bool tracked = ho_progress_read(&l->phase, &progress, &none) == HO_OK;
  *over = ho_finish_was(&l->phase, tracked ? progress.root : NULL, &summary);
  ho_code code = *over ? ho_handoffs_select(l->put->project->store, &filter, l->arena, &list, err) : HO_OK;
  for (size_t i = 0; *over && !code && i < list.count; i++) {
    ho_state state;
    *over = ho_state_named(list.rows[i].state, &state) && !ho_state_open(state);
  }
  return code ? code : ho_arena_code(l->arena, err);
}

/* ---- What names them */

static ho_code take_id(void *data, ho_str id, ho_error *err)
{
  leaving *l = data;
  HO_EACH_CONST (known, l->ids)
    if (ho_str_eq(known->text, id))
      return HO_OK;
  ho_list_add(l->ids, ho_node_text(l->arena, ho_arena_copy(l->arena, id)));
  return ho_arena_code(l->arena, err);
}

/* A path as the store has it. */
static ho_str kept(const leaving *l, ho_str path)
{
  return ho_worktree_kept(l->put->project->home, ho_fs_join(l->arena, l->phase.root, path));
}

/* The files of one handoff, its own among them, have their new paths: in its rows, and in an event that proves them. */
static ho_code move_rows(leaving *l, ho_str id, ho_error *err)
{
  ho_project *project = l->put->project;
  ho_turn turn = {0};
  ho_file_list files = {0};
  ho_code code = ho_turn_begin(project, id, l->arena, &turn, err);
  for (size_t i = 0; !code && i < l->count; i++) {
    ho_str from = kept(l, l->files[i].from), to = kept(l, l->files[i].to);
    if (ho_str_eq(turn.row.path, from))
      turn.row.path = to;
    code = ho_files_move(project->store, id, from, to, l->arena, err);
  }
  if (!code)
    code = ho_files_select(project->store, id, l->arena, &files, err);
  if (code)
    return code;
  ho_node *data = ho_node_new(l->arena, HO_KIND_MAP);
  ho_event_data_put(project, l->arena, data, "to", kept(l, ho_fs_parent(l->files[0].to)));
  ho_str digest = ho_files_digest(l->arena, files.rows, files.count);
  ho_map_addz(data, HO_DATA_FILES, ho_node_text(l->arena, digest));
  return ho_turn_mark(&turn, HO_NOTE_MOVED, data, err);
}

/* The text with the new path of every file that it names. */
static ho_code renamed(const leaving *l, ho_str text, ho_buf *out, bool *changed, ho_error *err)
{
  ho_splice splice;
  ho_code code = HO_OK;
  *changed = false;
  ho_splice_init(&splice, l->arena, text);
  for (size_t i = 0; !code && i < l->count; i++) {
    ho_str name = ho_arena_printf(l->arena, "/handoffs/%.*s\"", HO_ARG(ho_fs_name(l->files[i].from)));
    ho_str with =
        ho_arena_printf(l->arena, "/handoffs/" HO_PATH_PUT_AWAY "/%.*s\"", HO_ARG(ho_fs_name(l->files[i].from)));
    for (size_t at = 0, next; !code && name.n && with.n; at = next) {
      size_t place = ho_str_find(ho_str_sub(text, at, text.n), name.p);
      if (place == HO_NONE)
        break;
      next = at + place + name.n;
      *changed = true;
      code = ho_splice_replace(&splice, (uint32_t)(at + place), (uint32_t)next, with, err);
    }
  }
  if (!code)
    code = ho_arena_code(l->arena, err);
  if (!code)
    ho_splice_write(&splice, out);
  return code ? code : ho_buf_code(out, err);
}

/* One JSON file of the task. What cannot be read names nothing. */
static ho_code rename_in(const leaving *l, ho_str path, ho_error *err)
{
  ho_buf out;
  ho_str text, full = ho_fs_join(l->arena, l->phase.root, path);
  ho_error none = {0};
  bool changed = false;
  if (!full.n || !ho_fs_inside(l->phase.root.p, full.p) || ho_fs_read(l->arena, full.p, 0, &text, &none))
    return ho_arena_code(l->arena, err);
  ho_buf_init(&out, 0);
  ho_code code = renamed(l, text, &out, &changed, err);
  ho_str now = ho_buf_move(&out, l->arena);
  if (!code)
    code = ho_arena_code(l->arena, err);
  return code || !changed ? code : ho_store_intend(l->put->project->store, full, now, HO_INTENT_WORKING, err);
}

/* The metadata and the progress files of the task, whatever phase they are about. */
static ho_code rename_below(const leaving *l, ho_str folder, const char *start, ho_error *err)
{
  ho_code code = HO_OK;
  DIR *dir = ho_fs_opendir(ho_fs_join(l->arena, l->phase.root, folder).p);
  for (struct dirent *entry; dir && !code && (entry = readdir(dir));) {
    ho_str name = ho_str_of(entry->d_name);
    if (ho_str_starts(name, start) && ho_str_ends(name, ".json"))
      code = rename_in(l, ho_arena_printf(l->arena, "%.*s/%s", HO_ARG(folder), entry->d_name), err);
  }
  if (dir)
    closedir(dir);
  return code;
}

/* ---- One phase */

static ho_code record(ho_store *store, void *data, ho_error *err)
{
  leaving *l = data;
  ho_code code = HO_OK;
  l->ids = ho_node_new(l->arena, HO_KIND_LIST);
  for (size_t i = 0; !code && i < l->count; i++) {
    code = ho_store_intend_move(store, ho_fs_join(l->arena, l->phase.root, l->files[i].from),
                                ho_fs_join(l->arena, l->phase.root, l->files[i].to), err);
    if (!code)
      code = ho_files_naming(store, kept(l, l->files[i].from), take_id, l, err);
  }
  HO_EACH_CONST (id, l->ids)
    if (!code)
      code = move_rows(l, id->text, err);
  if (!code)
    code = rename_below(l, l->phase.folder, ".return-meta", err);
  if (!code)
    code = rename_below(l, ho_fs_parent(l->phase.progress), "phase-", err);
  return code ? code : ho_arena_code(l->arena, err);
}

static ho_code move_locked(leaving *l, ho_error *err)
{
  bool over = false;
  ho_code code = is_over(l, &over, err);
  if (!code && over)
    code = list_files(l, err);
  if (code || !l->count)
    return code;
  code = ho_ledger_write(l->put->project, record, l, err);
  for (size_t i = 0; !code && i < l->count; i++) {
    ho_node *item = ho_list_add(l->put->moved, ho_node_new(l->arena, HO_KIND_MAP));
    ho_map_addz(item, "from", ho_node_text(l->arena, l->files[i].from));
    ho_map_addz(item, "path", ho_node_text(l->arena, l->files[i].to));
  }
  return code ? code : ho_arena_code(l->arena, err);
}

static ho_code put_phase(ho_put_away *put, const ho_folder *folder, ho_str phase, ho_error *err)
{
  int lock = -1;
  leaving l = {.put = put,
               .arena = put->arena,
               .phase = {.arena = put->arena,
                         .root = put->root,
                         .task = folder->task,
                         .phase = phase,
                         .slug = folder->slug,
                         .now_ms = put->now_ms,
                         .project = put->project}};
  ho_code code = ho_phase_find(&l.phase, err);
  if (!code)
    code = ho_phase_lock(&l.phase, &lock, err);
  if (code)
    return code;
  code = move_locked(&l, err);
  ho_phase_unlock(lock);
  return code;
}

/* ---- All of them */

/* The phases that have handoffs in the folder, each once. */
static ho_node *phases_in(const ho_put_away *put, const ho_folder *folder)
{
  ho_node *phases = ho_node_new(put->arena, HO_KIND_MAP);
  ho_str below = ho_paths_handoffs(put->arena, folder->path);
  DIR *dir = ho_fs_opendir(ho_fs_join(put->arena, put->root, below).p);
  for (struct dirent *entry; dir && !put->arena->failed && (entry = readdir(dir));) {
    ho_str phase = phase_of(ho_str_of(entry->d_name));
    if (ho_folder_id_fits(phase) && (!put->phase.n || ho_str_eq(phase, put->phase)) && !ho_map_get(phases, phase))
      ho_map_add(phases, ho_arena_copy(put->arena, phase), ho_node_new(put->arena, HO_KIND_NULL));
  }
  if (dir)
    closedir(dir);
  return phases;
}

ho_code ho_put_away_finished(ho_put_away *put, ho_error *err)
{
  ho_folders folders;
  ho_code code = ho_folders_list(put->arena, put->root, &folders, err);
  for (size_t i = 0; !code && i < folders.count; i++) {
    const ho_folder *folder = &folders.items[i];
    if (folder->archived || (put->task.n && !ho_str_eq(folder->task, put->task)))
      continue;
    HO_EACH_CONST (phase, phases_in(put, folder))
      if (!code)
        code = put_phase(put, folder, phase->key, err);
  }
  return code;
}
