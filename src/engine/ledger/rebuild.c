/* Rebuilding: a new store with everything that the old one still has. What that has lost comes from the archive copies and
 * the state file, and what they do not know is named as lost. The new store is made at a temporary place and takes the
 * place of the old one, which is kept beside it, at the end. */
#include "base/grow.h"
#include "base/time.h"
#include "engine/ledger/archive_copy.h"
#include "engine/ledger/gate.h"
#include "engine/ledger/halt.h"
#include "engine/ledger/marks.h"
#include "engine/ledger/notices.h"
#include "engine/ledger/rebuild_parts.h"
#include "engine/ledger/statefile.h"
#include "engine/project/event_data.h"
#include "engine/project/paths.h"
#include "engine/project/project.h"
#include "engine/project/worktree.h"
#include "model/lifecycle.h"
#include "store/handoffs/files.h"
#include "store/handoffs/handoffs.h"
#include "store/handoffs/seals.h"
#include "store/handoffs/sound.h"

/* The state that a copy or the state file says, by its name in the store or its name there; NONE if it is neither. */
static ho_state state_of(ho_str name)
{
  ho_state state;
  return ho_state_named(name, &state) || ho_state_shown_named(name, &state) ? state : HO_STATE_NONE;
}

/* Its state from now on: claims are lost with the old store, and gates are raised again. */
static ho_state new_state(ho_rebuilding *r, ho_str id, ho_state old)
{
  if (old == HO_STATE_NONE)
    ho_rebuild_lost(r, id, "its state is unknown; it is ready again");
  else if (old == HO_STATE_CLAIMED || old == HO_STATE_ACKED)
    ho_rebuild_lost(r, id, "its claim; it is ready again");
  else if (old != HO_STATE_GATED)
    return old;
  return HO_STATE_READY;
}

/* Its files: the one that it comes from, if it comes from one, and its details. */
static ho_file_list files_of(const ho_rebuilding *r, const ho_restored *item)
{
  ho_file_list files = {0};
  ho_file *file = item->file.kind ? HO_PUSH(r->arena, files.rows, files.count) : NULL;
  if (file)
    *file = item->file;
  for (size_t i = 0; i < r->details.count; i++)
    if (ho_str_eq(r->details.rows[i].handoff, item->copy.row.id) && (file = HO_PUSH(r->arena, files.rows, files.count)))
      *file = r->details.rows[i];
  return files;
}

/* What its first event says: of its files. */
static ho_str first_data(const ho_rebuilding *r, const ho_restored *item, const ho_file_list *files)
{
  ho_node *known = ho_node_new(r->arena, HO_KIND_MAP);
  ho_str digest = ho_files_digest(r->arena, files->rows, files->count);
  if (item->file.kind == HO_FILE_ARCHIVE)
    ho_map_addz(known, HO_DATA_ARCHIVE, ho_node_text(r->arena, item->file.digest));
  if (digest.n)
    ho_map_addz(known, HO_DATA_FILES, ho_node_text(r->arena, digest));
  return ho_event_data_json(r->arena, known);
}

/* Is it known that it waited for a person? old: its state before. */
static ho_waited how_it_waited(ho_rebuilding *r, const ho_restored *item, ho_state old)
{
  const ho_handoff *row = &item->copy.row;
  /* A row whose history is damaged may say anything. */
  if (old == HO_STATE_GATED || (ho_str_is(row->receiver, "human") && old == HO_STATE_READY) || !item->file.kind)
    return HO_WAITED;
  if (item->listed || (old != HO_STATE_NONE && !ho_state_open(old)))
    return HO_WAITED_NOT;
  /* Its copy was written when it was sent, and says nothing of a gate that was raised since. */
  ho_rebuild_lost(r, row->id, "whether it waited for a person, which only the state file says; it waits now");
  return HO_WAITED_PERHAPS;
}

/* A task is not resumed by losing the database: what is open and says STOP halts it, and so does what halted it by the state
 * file, whatever its document says now. Of what has ended, the copy in the archive knows whether it was resumed. */
static void keep_halt(ho_rebuilding *r, const ho_restored *item, ho_state state, ho_handoff *row)
{
  ho_doc doc = {0};
  ho_error none = {0};
  const ho_format *format = ho_format_named(row->kind);
  bool open = ho_state_open(state) && format && format->sending && format->sending->halts;
  if (open && !ho_doc_read(&doc, r->arena, row->path, item->copy.body, format, &none) && doc.root)
    ho_halt_mark(&doc, row, r->arena);
  if (item->halts)
    ho_marks_set(row, r->arena, HO_MARK_HALT, HO_STR("1"));
}

static ho_code restore_one(ho_rebuilding *r, const ho_restored *item, ho_error *err)
{
  ho_turn turn = {0};
  ho_handoff row = item->copy.row;
  ho_project *project = r->project;
  ho_state old = state_of(row.state), state = new_state(r, row.id, old);
  ho_waited waited = how_it_waited(r, item, old);
  row.state = ho_str_of(ho_state_name(state));
  row.due = ho_state_open(state) ? row.deadline : 0;
  row.updated = row.updated ? row.updated : row.created;
  if (!item->file.kind) {
    row.gate = row.token = row.claimed_by = row.claim_session = HO_EMPTY;
    row.lease_until = row.attempt = 0;
  }
  keep_halt(r, item, state, &row);
  ho_file_list files = files_of(r, item);
  ho_event event = {.at = ho_project_now(project),
                    .actor = ho_project_actor(project),
                    .kind = HO_STR("rebuilt"),
                    .data = first_data(r, item, &files)};
  ho_code code = ho_handoffs_add(project->store, &row, ho_project_clean(project, r->arena, item->copy.body), &event,
                                 r->arena, err);
  for (size_t i = 0; !code && i < files.count; i++)
    code = ho_files_put(project->store, &files.rows[i], err);
  if (!code)
    code = ho_turn_of(project, &row, r->arena, &turn, err);
  if (!code)
    code = ho_rebuild_gates(r, &turn, waited, err);
  if (!code)
    code = ho_rebuild_rejection(r, item, &turn, err);
  row.state = turn.row.state;
  ho_node *done = ho_list_add(r->out->restored, ho_node_new(r->arena, HO_KIND_MAP));
  ho_map_addz(done, "id", ho_node_text(r->arena, row.id));
  ho_map_addz(done, "state", ho_node_text(r->arena, row.state));
  ho_map_addz(done, "path", ho_node_text(r->arena, item->file.path));
  return code;
}

/* In the order in which they were sent. */
static int by_time(const void *a, const void *b)
{
  const ho_restored *x = a, *y = b;
  int64_t left = x->copy.row.created, right = y->copy.row.created;
  return left < right ? -1 : left > right ? 1 : ho_str_cmp(x->copy.row.id, y->copy.row.id);
}

static ho_code use_id(void *data, ho_str id, ho_error *err)
{
  return ho_store_id_used(data, id, err);
}

/* No id is given twice, not even that of a lost handoff or gate. */
static ho_code keep_ids(ho_rebuilding *r, ho_error *err)
{
  ho_store *store = r->project->store;
  ho_code code = ho_sound_ids(store, use_id, store, err);
  HO_EACH_CONST (name, r->names)
    if (!code)
      code = ho_store_id_used(store, name->key, err);
  HO_EACH_CONST (id, r->flawed)
    if (!code)
      code = ho_store_id_used(store, ho_node_str(id), err);
  HO_EACH_CONST (gate, r->gates)
    if (!code)
      code = ho_store_id_used(store, ho_map_str(gate, "gate"), err);
  return code;
}

/* Says what is gone of the handoffs that the old store has not kept whole. */
static void name_flawed(ho_rebuilding *r)
{
  HO_EACH_CONST (id, r->flawed) {
    ho_restored *item = NULL;
    if (ho_str_eq(ho_node_str(id), HO_EVENTS_PROJECT))
      continue; /* said by ho_rebuild_deciders */
    if (ho_rebuild_find(r, ho_node_str(id), &item) && item)
      ho_rebuild_lost(r, ho_node_str(id),
                      item->file.kind ? "its history is damaged; its document comes from a file"
                                      : "its history is damaged; its document comes from the old database");
    else
      ho_rebuild_lost(r, ho_node_str(id), "it is damaged, and no file has its document");
  }
  HO_EACH_CONST (id, r->older)
    ho_rebuild_lost(r, ho_node_str(id), "its history; the store was older than its copy in the archive");
  if (!r->out->events && (r->count || (r->swap.there && !r->swap.readable)))
    ho_rebuild_lost(r, HO_STR("history"),
                    !r->swap.there     ? "all events, gates and claims; there is no database"
                    : r->swap.readable ? "all events, gates and claims; the old database is empty"
                                       : "all events, gates and claims; the old database cannot be read");
  else if (r->flaw.n)
    ho_rebuild_lost(r, HO_STR("seals"),
                    ho_arena_printf(r->arena, "they are replaced by new ones; %.*s", HO_ARG(r->flaw)).p);
}

/* From files, what the old store has not kept; afterwards the chain begins anew. */
static ho_code restore_files(ho_rebuilding *r, ho_error *err)
{
  ho_code code = ho_rebuild_archive(r, err);
  if (!code)
    code = ho_rebuild_state(r, err);
  if (!code)
    code = keep_ids(r, err);
  if (!code)
    name_flawed(r);
  if (r->count)
    qsort(r->items, r->count, sizeof *r->items, by_time);
  if (!code)
    code = ho_rebuild_deciders(r, err);
  for (size_t i = 0; !code && i < r->count; i++)
    code = restore_one(r, &r->items[i], err);
  return code ? code : ho_seals_add(r->project->store, ho_project_now(r->project), err);
}

static ho_code restore(ho_store *store, void *data, ho_error *err)
{
  ho_rebuilding *r = data;
  bool wrote;
  ho_code code = ho_rebuild_take(r, err);
  if (code)
    return code;
  return r->sound ? ho_seals_restore_file(store, &wrote, err) : restore_files(r, err);
}

/* The new name of the old database. Asked for once nobody else rebuilds: two within a second have different names. */
static ho_str kept_name(ho_arena *arena, const char *path, int64_t now)
{
  char stamp[HO_TIME_SIZE];
  ho_time_stamp(now, stamp);
  ho_str name = ho_arena_printf(arena, "%s.before-rebuild-%s", path, stamp);
  for (int n = 2; name.n && (ho_fs_exists(name.p) || ho_fs_exists(ho_arena_printf(arena, "%s.seal", name.p).p)); n++)
    name = ho_arena_printf(arena, "%s.before-rebuild-%s-%d", path, stamp, n);
  return name;
}

/* Builds the new store, at its temporary location. */
static ho_code make_new(ho_rebuilding *r, ho_error *err)
{
  ho_error later = {0}; /* a copy that cannot be written now is drift */
  r->project->store_url = ho_str_of(r->swap.fresh);
  r->project->fresh = true;
  ho_code code = ho_project_open(r->project, HO_OPEN_ANEW, err);
  if (code)
    return code;
  r->project->raised = ho_node_new(r->project->arena, HO_KIND_LIST);
  code = ho_store_write(r->project->store, restore, r, err);
  if (!code && ho_store_settle(r->project->store, &later) == HO_MEMORY)
    code = ho_fail_memory(err);
  return code;
}

/* Afterwards: updates the state file from the new store, and notifies people of gates. */
static void announce(ho_project *project, ho_node *raised, ho_error *state_file)
{
  if (ho_project_open(project, HO_OPEN_ANEW, state_file))
    return;
  if (ho_store_settle(project->store, state_file)) /* the seal; else the next command that writes does it */
    *state_file = (ho_error){0};
  project->raised = raised;
  ho_notices_raised(project);
  ho_statefile_refresh(project, state_file);
}

/* Builds the new store in a copy of the project at a temporary location, then replaces the old one. */
static ho_code rebuild(ho_rebuilding *r, ho_str path, ho_error *err)
{
  ho_store_options old = {
      .url = path.p, .root = ho_arena_z(r->arena, r->project->home), .may_write = ho_worktree_may_write};
  old.data = (void *)old.root;
  ho_code code = ho_arena_code(r->arena, err);
  if (!code)
    code = ho_store_swap_begin(&old, r->arena, &r->swap, err);
  if (code)
    return code;
  ho_str kept = kept_name(r->arena, path.p, ho_project_now(r->project));
  code = ho_arena_code(r->arena, err);
  if (!code)
    code = make_new(r, err);
  ho_project_close(r->project);
  if (!code)
    code = ho_store_swap_now(&r->swap, ho_fs_name(kept), err);
  if (!code && r->swap.there)
    r->out->kept = kept;
  ho_store_swap_end(&r->swap);
  return code;
}

/* Is there any of what a store is rebuilt from? In a folder that never was a project, none is made by mistake. */
static bool has_anything(const ho_project *project, ho_arena *arena, ho_str path)
{
  const ho_str places[] = {HO_STR(HO_PATH_FOLDER), project->written.state, project->written.archive,
                           HO_STR(HO_PATH_STATE), HO_STR(HO_PATH_ARCHIVE)};
  bool found = ho_fs_exists(path.p);
  for (size_t i = 0; i < HO_COUNT(places) && !found; i++)
    found = ho_fs_exists(ho_fs_join(arena, project->home, places[i]).p);
  return found;
}

ho_code ho_rebuild(ho_project *project, ho_arena *arena, ho_rebuilt *out, ho_error *err)
{
  ho_project fresh = *project;
  ho_rebuilding r = {.project = &fresh,
                     .arena = arena,
                     .out = out,
                     .names = ho_node_new(arena, HO_KIND_MAP),
                     .flawed = ho_node_new(arena, HO_KIND_LIST),
                     .older = ho_node_new(arena, HO_KIND_LIST),
                     .bad_gates = ho_node_new(arena, HO_KIND_MAP)};
  *out = (ho_rebuilt){.restored = ho_node_new(arena, HO_KIND_LIST), .lost = ho_node_new(arena, HO_KIND_LIST)};
  ho_str path = ho_project_database(project);
  if (!path.n)
    return ho_fail(err, HO_USAGE, "only a store in a file can be rebuilt");
  ho_code code = ho_project_refuse_tracked(project, err);
  if (!code && !has_anything(project, arena, path))
    code = ho_fail(err, HO_NOT_FOUND,
                   "there is nothing to rebuild: no " HO_PATH_FOLDER ", no state file and no archive; run: "
                   "handoff init");
  if (!code)
    code = rebuild(&r, path, err);
  if (!code)
    announce(project, fresh.raised, &out->state_file);
  return code;
}
