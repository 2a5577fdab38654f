#include "base/digest.h"
#include "base/grow.h"
#include "doc/json/json.h"
#include "doc/source.h"
#include "engine/ledger/archive_copy.h"
#include "engine/ledger/describe.h"
#include "engine/ledger/rebuild_parts.h"
#include "engine/ledger/statefile.h"
#include "engine/project/git.h"
#include "engine/project/identity.h"
#include "engine/project/paths.h"
#include "engine/project/project.h"
#include "engine/project/redact.h"
#include "engine/project/worktree.h"
#include "model/formats/formats.h"
#include "model/lifecycle.h"
#include "model/syntax.h"
#include "store/handoffs/events.h"

void ho_rebuild_lost(ho_rebuilding *r, ho_str what, const char *message)
{
  ho_node *item = ho_list_add(r->out->lost, ho_node_new(r->arena, HO_KIND_MAP));
  ho_map_addz(item, "what", ho_node_text(r->arena, ho_arena_copy(r->arena, what)));
  ho_map_addz(item, "message", ho_node_text(r->arena, ho_arena_copy(r->arena, ho_str_of(message))));
}

bool ho_rebuild_seen(ho_rebuilding *r, ho_str id, bool item, ho_restored **out)
{
  long long place;
  ho_map_add(r->names, id, item ? ho_node_number(r->arena, (long long)r->count) : ho_node_new(r->arena, HO_KIND_NULL));
  const ho_node *earlier = ho_keyset_earlier(&r->ids, r->arena, r->names);
  *out = earlier && ho_node_to_int(earlier, &place) ? &r->items[place] : NULL;
  return earlier != NULL;
}

bool ho_rebuild_find(const ho_rebuilding *r, ho_str id, ho_restored **out)
{
  long long place;
  const ho_node *found = ho_map_get(r->names, id);
  *out = found && ho_node_to_int(found, &place) ? &r->items[place] : NULL;
  return found != NULL;
}

/* Has the old store kept it, or recorded that it was pruned? */
static ho_code is_kept(const ho_rebuilding *r, ho_str id, bool *out, ho_error *err)
{
  ho_event_list events;
  ho_code code = ho_events_select(r->project->store, id, 0, 1, r->arena, &events, err);
  *out = !code && events.count > 0;
  return code;
}

static ho_restored restored_from(const ho_rebuilding *r, const ho_archived *copy, ho_file_kind kind, const char *path,
                                 ho_str text)
{
  char digest[HO_DIGEST_SIZE];
  ho_digest_text(text, digest);
  return (ho_restored){.copy = *copy,
                       .file = {.handoff = copy->row.id,
                                .kind = kind,
                                .path = ho_worktree_kept(r->project->home, ho_str_of(path)),
                                .digest = ho_arena_copy(r->arena, ho_str_of(digest)),
                                .size = (int64_t)text.n}};
}

static void push(ho_rebuilding *r, const ho_archived *copy, ho_file_kind kind, const char *path, ho_str text)
{
  ho_restored *last = HO_PUSH(r->arena, r->items, r->count);
  if (last)
    *last = restored_from(r, copy, kind, path, text);
}

/* Reads one file. The same handoff may have a copy elsewhere, in another worktree or from before the archive was moved: the
 * newest counts. */
static ho_code read_copy(ho_rebuilding *r, const char *path, bool elsewhere, ho_error *err)
{
  ho_str text;
  ho_archived copy;
  ho_error why = {0};
  ho_restored *other = NULL;
  ho_code bad = ho_fs_read(r->arena, path, 0, &text, &why);
  if (!bad)
    bad = ho_archive_copy_parse(text, r->arena, &copy, &why);
  if (bad == HO_MEMORY)
    return ho_fail_memory(err);
  bool fits = !bad && ho_id_fits(copy.row.id), kept = false;
  ho_code code = fits ? is_kept(r, copy.row.id, &kept, err) : HO_OK;
  if (code || kept)
    return code;
  if (fits && !ho_rebuild_seen(r, copy.row.id, true, &other))
    push(r, &copy, HO_FILE_ARCHIVE, path, text);
  else if (other && !other->file.kind)
    *other = restored_from(r, &copy, HO_FILE_ARCHIVE, path, text);
  else if (!fits || !elsewhere)
    ho_rebuild_lost(r, ho_fs_text(r->arena, ho_str_of(path)),
                    bad ? why.message : "has no id, or one that another copy has");
  else if (other && copy.row.updated > other->copy.row.updated)
    *other = restored_from(r, &copy, HO_FILE_ARCHIVE, path, text);
  return ho_arena_code(r->arena, err);
}

typedef struct visiting {
  ho_rebuilding *r;
  ho_code code;
  ho_error *err;
} visiting;

static void read_worktree(void *data, ho_str root)
{
  visiting *v = data;
  ho_fs_list files = {0};
  ho_arena *arena = v->r->arena;
  const ho_project *project = v->r->project;
  ho_str own = ho_fs_join(arena, project->home, project->written.archive);
  if (!v->code)
    v->code = ho_paths_archived(arena, root, project->written.archive, &files, v->err);
  for (size_t i = 0; !v->code && i < files.count; i++)
    v->code = read_copy(v->r, files.paths[i], !ho_str_starts(ho_str_of(files.paths[i]), own.p), v->err);
}

ho_code ho_rebuild_archive(ho_rebuilding *r, ho_error *err)
{
  visiting v = {.r = r, .err = err};
  ho_worktree_each(r->arena, r->project->home, read_worktree, &v);
  return v.code ? v.code : ho_arena_code(r->arena, err);
}

/* The copy of a document that came without a file was written when it was sent: what has held it up or ended it since is
 * in the state file. Nothing that has ended is open again. */
static bool is_halting(const ho_node *entry)
{
  return ho_str_is(ho_map_str(entry, HO_STATEFILE_HALTS), HO_STATEFILE_HALTS_YES);
}

static void take_status(ho_restored *item, const ho_node *entry, bool committed)
{
  ho_state state, said = HO_STATE_NONE;
  ho_str now = item->copy.row.state, status = ho_map_str(entry, "status");
  bool open = (ho_state_named(now, &state) || ho_state_shown_named(now, &state)) && ho_state_open(state);
  bool ended = ho_state_shown_named(status, &said) && !ho_state_open(said);
  item->rejected = item->rejected || ho_str_is(status, ho_state_shown(HO_STATE_REJECTED));
  item->at_gate = item->at_gate || ho_map_str(entry, HO_STATEFILE_REJECTED_AT).n > 0;
  item->halts = item->halts || (is_halting(entry) && (open || !committed));
  if (open && (ended || ho_str_list_has("gated|clarify", status)))
    item->copy.row.state = status;
}

/* The document of an entry: where its author left it. What was rejected has a copy in the archive; if that is gone, the
 * author's file may have been changed with it, so the one in git's newest commit is asked first; for others, if there is
 * no file. */
static bool find_document(ho_rebuilding *r, const ho_node *entry, ho_str kept, ho_str *full, ho_str *text,
                          ho_error *why)
{
  bool rejected = ho_str_is(ho_map_str(entry, "status"), ho_state_shown(HO_STATE_REJECTED));
  *full = kept.n ? ho_fs_join(r->arena, r->project->home, kept) : HO_EMPTY;
  if (!full->n || kept.p[0] == '/')
    return false;
  if (rejected && ho_git_committed(r->arena, r->project->home, ho_arena_z(r->arena, kept), text))
    return true;
  if (ho_fs_inside(ho_arena_z(r->arena, r->project->home), full->p) && !ho_fs_read(r->arena, full->p, 0, text, why))
    return true;
  return !rejected && ho_git_committed(r->arena, r->project->home, ho_arena_z(r->arena, kept), text);
}

/* What was rejected, by git's newest commit, has the text that this has: the state file in the folder said otherwise, so
 * the author's file may have been changed, too. */
static ho_code take_committed(ho_rebuilding *r, ho_restored *item, ho_error *err)
{
  ho_str text, path = ho_fs_join(r->arena, r->project->home, item->copy.row.path);
  if (item->file.kind != HO_FILE_COPY || !item->rejected ||
      !ho_git_committed(r->arena, r->project->home, ho_arena_z(r->arena, item->copy.row.path), &text))
    return ho_arena_code(r->arena, err);
  item->copy.body = ho_redact_file(r->project, r->arena, item->copy.row.path, text);
  item->file = restored_from(r, &item->copy, HO_FILE_COPY, ho_arena_z(r->arena, path), item->copy.body).file;
  return ho_arena_code(r->arena, err);
}

static void take_new(ho_restored *item, const ho_node *entry)
{
  item->listed = true;
  item->halts = is_halting(entry);
}

/* Reads one entry of the state file. committed: of the one in git. */
static ho_code read_entry(ho_rebuilding *r, const ho_node *entry, bool committed, ho_error *err)
{
  ho_error why = {0};
  ho_str text, id = ho_map_str(entry, "id"), kept = ho_map_str(entry, "path"), kind = ho_map_str(entry, "type");
  ho_str now_for = ho_map_str(entry, HO_STATEFILE_NOW_FOR), full;
  ho_restored *other;
  bool known = false;
  if (!ho_id_fits(id))
    return HO_OK;
  ho_code code = is_kept(r, id, &known, err);
  if (code || known)
    return code;
  if (ho_rebuild_seen(r, id, true, &other)) {
    if (other)
      take_status(other, entry, committed);
    if (other && !committed)
      other->listed = true;
    return other && committed ? take_committed(r, other, err) : HO_OK;
  }
  ho_archived copy = {.row = {.id = id,
                              .kind = kind.n ? kind : ho_str_of(ho_format_package.name),
                              .type = HO_STR("sequential"),
                              .state = ho_map_str(entry, "status"),
                              .sender = ho_map_str(entry, "from"),
                              .receiver = now_for.n ? now_for : ho_map_str(entry, "to"),
                              .task = ho_map_str(entry, "task"),
                              .phase = ho_map_str(entry, "phase"),
                              .session = r->project->session,
                              .path = kept}};
  if (!find_document(r, entry, kept, &full, &text, &why)) {
    if (r->names && r->names->last)
      r->names->last->kind = HO_KIND_NULL; /* no item follows for it */
    ho_rebuild_lost(r, id,
                    committed ? "the state file in git's newest commit lists it, but its document is missing"
                              : "the state file lists it, but its document is missing");
    return why.code == HO_MEMORY ? ho_fail_memory(err) : HO_OK;
  }
  if (!ho_stamp_time(ho_map_str(entry, "timestamp"), &copy.row.created))
    copy.row.created = ho_project_now(r->project);
  copy.body = ho_redact_file(r->project, r->arena, kept, text);
  code = ho_arena_code(r->arena, err);
  if (code)
    return code;
  push(r, &copy, HO_FILE_COPY, full.p, copy.body);
  if (r->count)
    take_new(&r->items[r->count - 1], entry);
  return HO_OK;
}

static ho_code parse(ho_rebuilding *r, ho_str text, ho_node **root, ho_error *err)
{
  ho_source *source = HO_NEW(r->arena, ho_source);
  if (!source)
    return ho_fail_memory(err);
  ho_code code = ho_source_init(source, r->arena, r->project->written.state, text, err);
  return code ? code : ho_json_read(source, HO_JSON_COMMENTS, r->arena, NULL, root, err);
}

/* What waited or was rejected when the file was last committed. */
static ho_code read_committed_at(ho_rebuilding *r, const char *path, ho_error *err)
{
  ho_str text;
  ho_node *root = NULL;
  ho_error why = {0};
  ho_code code = HO_OK;
  if (!ho_git_committed(r->arena, r->project->home, path, &text) || parse(r, text, &root, &why))
    return why.code == HO_MEMORY ? ho_fail_memory(err) : ho_arena_code(r->arena, err);
  HO_EACH_CONST (entry, ho_map_getz(root, "handoffs"))
    if (!code && (is_halting(entry) || ho_str_list_has("gated|rejected", ho_map_str(entry, "status"))))
      code = read_entry(r, entry, true, err);
  return code;
}

/* The state file can be changed or removed with the database: what waited or was rejected when it was last committed is
 * not opened because of that, nor because the setting that says where it is was changed. */
static ho_code read_committed(ho_rebuilding *r, ho_error *err)
{
  ho_str path = r->project->written.state;
  ho_code code = read_committed_at(r, ho_arena_z(r->arena, path), err);
  return code || ho_str_is(path, HO_PATH_STATE) ? code : read_committed_at(r, HO_PATH_STATE, err);
}

/* The state file; the one in the usual place if it was not written yet where the settings say. */
static ho_str state_path(const ho_rebuilding *r)
{
  ho_str path = ho_fs_join(r->arena, r->project->home, r->project->written.state);
  return path.n && ho_fs_is_file(path.p) ? path : ho_fs_join(r->arena, r->project->home, HO_STR(HO_PATH_STATE));
}

ho_code ho_rebuild_state(ho_rebuilding *r, ho_error *err)
{
  ho_node *root = NULL;
  ho_str text;
  ho_error why = {0};
  ho_str path = state_path(r);
  if (!path.n || !ho_fs_is_file(path.p) || ho_fs_read(r->arena, path.p, (size_t)256 << 20, &text, &why) ||
      parse(r, text, &root, &why)) {
    ho_rebuild_lost(r, r->project->written.state,
                    why.code ? why.message : "is missing, so it is unknown which handoffs were open");
    return why.code == HO_MEMORY ? ho_fail_memory(err) : read_committed(r, err);
  }
  HO_EACH_CONST (entry, ho_map_getz(root, "handoffs")) {
    ho_code code = read_entry(r, entry, false, err);
    if (code)
      return code;
  }
  r->gates = ho_map_getz(root, "gates_pending");
  return read_committed(r, err);
}
