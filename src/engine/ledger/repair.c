#include "engine/ledger/repair.h"

#include "base/digest.h"
#include "base/grow.h"
#include "engine/ledger/archive_copy.h"
#include "engine/ledger/describe.h"
#include "engine/ledger/marks.h"
#include "engine/ledger/statefile.h"
#include "engine/project/event_data.h"
#include "engine/project/paths.h"
#include "engine/project/worktree.h"
#include "model/lifecycle.h"
#include "store/handoffs/events.h"
#include "store/handoffs/files.h"
#include "store/handoffs/seals.h"

enum { PAGE = 500, AT_ONCE = 64 /* copies per transaction */ };

static void add(ho_arena *arena, ho_node *list, ho_str name, ho_str message)
{
  ho_node *item = ho_list_add(list, ho_node_new(arena, HO_KIND_MAP));
  ho_map_addz(item, "part", ho_node_textz(arena, "file"));
  ho_map_addz(item, "name", ho_node_text(arena, ho_arena_copy(arena, name)));
  ho_map_addz(item, "message", ho_node_text(arena, ho_arena_copy(arena, message)));
}

/* ---- What could not be written */

typedef struct listing {
  ho_arena *arena;
  ho_node *list;
  bool all;
  const ho_node *before; /* those in this list, too; NULL: none */
  bool advice;           /* say what to do */
} listing;

static bool is_listed(const ho_node *list, ho_str name)
{
  HO_EACH_CONST (item, list)
    if (ho_str_eq(ho_map_str(item, "name"), name))
      return true;
  return false;
}

/* What went beside a file waits for a person, and so does what has to be moved away first: `repair` alone does not help. */
static ho_str told(ho_arena *arena, ho_str why, bool advice)
{
  bool beside = ho_str_has(why, ".recovered"), says = ho_str_has(why, "move ");
  if (!why.n)
    return advice ? HO_STR("is recorded but not written yet; run: handoff repair")
                  : HO_STR("is recorded but not written yet, since another process is writing files; run it again");
  return beside ? ho_arena_printf(arena, "%.*s; keep what you need of it, then remove it", HO_ARG(why))
         : advice
             ? ho_arena_printf(arena, "could not be written: %.*s%s", HO_ARG(why), says ? "" : "; run: handoff repair")
             : why;
}

static ho_code take_unwritten(void *data, ho_str path, ho_str why, ho_error *err)
{
  listing *l = data;
  if (why.n || l->all || is_listed(l->before, path))
    add(l->arena, l->list, path, told(l->arena, why, l->advice));
  return ho_arena_code(l->arena, err);
}

ho_code ho_repair_unwritten(ho_project *project, ho_store *store, bool all, ho_arena *arena, ho_node **out,
                            ho_error *err)
{
  listing l = {.arena = arena, .list = ho_node_new(arena, HO_KIND_LIST), .all = all, .advice = true};
  ho_str state = HO_EMPTY;
  ho_code code = ho_store_drift(store, take_unwritten, &l, err);
  if (!code)
    code = ho_statefile_drift(project, store, arena, &state, err);
  if (!code && state.n)
    add(arena, l.list, project->written.state, told(arena, state, true));
  *out = l.list;
  return code ? code : ho_arena_code(arena, err);
}

/* ---- Repairing */

/* A copy that is not there, or not where the settings say now. */
typedef struct missing {
  ho_str handoff, from, path; /* where it is recorded, and where it belongs */
  bool intended;
  ho_str why; /* it cannot be written */
} missing;

typedef struct repairing {
  ho_project *project;
  const ho_store_watch *watch; /* may be NULL */
  ho_arena *arena;
  ho_repaired *out;
  missing *copies;
  size_t count, from; /* how many, and where the next transaction begins */
  bool seal;          /* its file was missing */
} repairing;

static void put_written(repairing *r, ho_str path)
{
  ho_list_add(r->out->written, ho_node_text(r->arena, ho_arena_copy(r->arena, path)));
}

static bool is_there(const ho_project *project, ho_arena *arena, ho_str path)
{
  ho_str full = ho_fs_join(arena, project->home, path);
  return full.n && ho_fs_exists(full.p);
}

/* Where a copy belongs that is recorded at `path`: the setting may have been changed since. */
static ho_str place_now(const repairing *r, ho_arena *arena, ho_str path)
{
  ho_str archive = r->project->written.archive;
  size_t at = ho_str_find(path, "/" HO_PATH_SESSIONS "/");
  return ho_str_starts(path, "/") || at == HO_NONE
             ? path
             : ho_arena_printf(arena, "%.*s%.*s", HO_ARG(archive),
                               HO_ARG(ho_str_sub(path, at + strlen("/" HO_PATH_SESSIONS), path.n)));
}

/* ---- Files of worktrees that are gone */

/* What is lost with the file: nothing, if it is a handoff's, which the store has. */
static ho_code say_gone(repairing *r, ho_str path, ho_error *err)
{
  ho_handoff row;
  bool found = false;
  ho_code code = ho_handoffs_by_path(r->project->store, path, r->arena, &row, &found, err);
  if (!code)
    add(r->arena, r->out->given_up, path,
        found ? ho_arena_printf(r->arena, "its worktree is gone; to read it, run: handoff show %.*s", HO_ARG(row.id))
              : HO_STR("its worktree is gone"));
  return code;
}

/* Some of what is left cannot be written ever again; git may still list a worktree that only seems to be gone. */
static ho_code sort_out(repairing *r, const ho_node *left, ho_error *err)
{
  const char *home = ho_arena_z(r->arena, r->project->home);
  char below[PATH_MAX];
  ho_code code = HO_OK;
  HO_EACH_CONST (item, left) {
    ho_str name = ho_map_str(item, "name"), message = ho_map_str(item, "message");
    const char *full = ho_fs_join(r->arena, r->project->home, name).p;
    if (code || !full || !home)
      break;
    if (ho_worktree_gone(r->arena, home, full))
      code = say_gone(r, name, err);
    else
      add(r->arena, r->out->remaining, name,
          ho_worktree_may_write((void *)home, full, below)
              ? message
              : ho_arena_printf(r->arena, "%.*s; if its worktree is gone for good, run: git worktree prune",
                                HO_ARG(message)));
  }
  return code ? code : ho_arena_code(r->arena, err);
}

static ho_code give_up(ho_store *store, void *data, ho_error *err)
{
  const repairing *r = data;
  ho_code code = HO_OK;
  HO_EACH_CONST (item, r->out->given_up)
    if (!code)
      code = ho_store_give_up(store, ho_map_str(item, "name"), err);
  return code;
}

/* Tries what is recorded and not written. *busy: another process kept it from that, also when it was asked again. */
static ho_code settle_files(ho_store *store, bool *busy, ho_error *err)
{
  enum { TIMES = 2 };
  *busy = true;
  for (int i = 0; *busy && i < TIMES; i++) {
    ho_error why = {0};
    if (ho_store_settle(store, &why) == HO_MEMORY)
      return ho_fail_memory(err);
    *busy = why.rule && strcmp(why.rule, "files-busy") == 0;
  }
  return HO_OK;
}

/* What is not in trouble afterwards was written. If it is to be written once more, which may be the same file, somebody else
 * is about to do that. */
static ho_code settle(repairing *r, ho_error *err)
{
  bool busy = false;
  listing before = {.arena = r->arena, .list = ho_node_new(r->arena, HO_KIND_LIST), .all = true};
  ho_code code = ho_store_drift(r->project->store, take_unwritten, &before, err);
  if (code)
    return code;
  code = settle_files(r->project->store, &busy, err);
  if (code)
    return code;
  listing after = {.arena = r->arena, .list = ho_node_new(r->arena, HO_KIND_LIST), .before = busy ? before.list : NULL};
  code = ho_store_drift(r->project->store, take_unwritten, &after, err);
  HO_EACH_CONST (item, before.list)
    if (!is_listed(after.list, ho_map_str(item, "name")))
      put_written(r, ho_map_str(item, "name"));
  if (!code)
    code = sort_out(r, after.list, err);
  return code || !r->out->given_up->count ? code : ho_store_write(r->project->store, give_up, r, err);
}

static ho_code find_in_page(repairing *r, ho_arena *arena, const ho_handoff_list *list, ho_error *err)
{
  ho_code code = HO_OK;
  for (size_t i = 0; !code && i < list->count; i++) {
    ho_file_list files;
    code = ho_files_select(r->project->store, list->rows[i].id, arena, &files, err);
    for (size_t k = 0; !code && k < files.count; k++) {
      int64_t unfinished = 0;
      ho_str path = place_now(r, arena, files.rows[k].path);
      if (files.rows[k].kind != HO_FILE_ARCHIVE ||
          (ho_str_eq(path, files.rows[k].path) && is_there(r->project, arena, path)))
        continue;
      code = ho_store_unfinished(r->project->store, files.rows[k].path, &unfinished, err);
      missing *copy = code || unfinished ? NULL : HO_PUSH(r->arena, r->copies, r->count);
      if (copy)
        *copy = (missing){.handoff = ho_arena_copy(r->arena, files.rows[k].handoff),
                          .from = ho_arena_copy(r->arena, files.rows[k].path),
                          .path = ho_arena_copy(r->arena, path)};
    }
  }
  return code ? code : ho_arena_code(arena, err);
}

static ho_code find_missing(ho_store *store, void *data, ho_error *err)
{
  repairing *r = data;
  ho_filter filter = {.limit = PAGE};
  ho_handoff_list list = {0};
  int64_t newest = 0, seen = 0;
  ho_code code = HO_OK;
  do {
    ho_arena arena;
    ho_arena_init(&arena, 0);
    code = ho_handoffs_select(store, &filter, &arena, &list, err);
    if (!code)
      code = find_in_page(r, &arena, &list, err);
    if (list.count && !newest)
      newest = list.rows[0].seq;
    if (list.count)
      filter.before_seq = list.rows[list.count - 1].seq;
    seen += (int64_t)list.count;
    if (r->watch && r->watch->show && seen <= newest)
      r->watch->show(r->watch->world, (size_t)seen, (size_t)newest, "handoff");
    ho_arena_free(&arena);
  } while (!code && list.count == PAGE);
  return code ? code : ho_arena_code(r->arena, err);
}

/* The text of a copy, if it is the recorded one. */
static ho_code make_copy(ho_project *project, const ho_handoff *row, bool history, ho_str digest, ho_arena *arena,
                         ho_str *out, ho_error *err)
{
  ho_arena own;
  char now[HO_DIGEST_SIZE];
  ho_str text;
  ho_arena_init(&own, 0);
  ho_code code = ho_archive_copy_text(project, row, HO_EMPTY, history, &own, &text, err);
  if (!code) {
    ho_digest_text(text, now);
    *out = ho_str_is(digest, now) ? ho_arena_copy(arena, text) : HO_EMPTY;
  }
  ho_arena_free(&own);
  return code;
}

/* The row as it was when it was sent, but for its state: until it ends, its copy is not written anew. The order of marks
 * counts. */
static ho_code as_sent(ho_project *project, ho_handoff *row, ho_arena *arena, ho_error *err)
{
  static const char *const later[] = {HO_MARK_TO, HO_MARK_KEPT_FOR, HO_MARK_LEASE, HO_MARK_QUESTIONS};
  static const char *const after[] = {HO_MARK_HALT, HO_MARK_GOES_ON}; /* that one which it is kept for */
  ho_event_list events;
  ho_str to = ho_marks_get(row, arena, HO_MARK_TO);
  ho_code code = ho_events_whole(project->store, row->id, arena, &events, err);
  if (code)
    return code;
  row->receiver = to.n ? to : row->receiver;
  row->updated = row->created;
  for (size_t i = 0; i < HO_COUNT(later); i++)
    ho_marks_set(row, arena, later[i], HO_EMPTY);
  ho_str kept_for =
      events.count ? ho_map_str(ho_event_data_read(arena, events.rows[0].data), HO_DATA_KEPT_FOR) : HO_EMPTY;
  ho_marks_set(row, arena, HO_MARK_KEPT_FOR, kept_for);
  for (size_t i = 0; kept_for.n && i < HO_COUNT(after); i++)
    ho_marks_set(row, arena, after[i], ho_marks_get(row, arena, after[i]));
  return HO_OK;
}

/* The text that was recorded; "" if it cannot be made from the store any more. Until both were the same moment, a copy
 * was a little older than its row. */
static ho_code recorded_text(ho_project *project, ho_handoff row, ho_str digest, ho_arena *arena, ho_str *out,
                             ho_error *err)
{
  enum { OLDER_MS = 100 };
  ho_handoff sent = row;
  ho_code code = make_copy(project, &row, true, digest, arena, out, err);
  if (!code && !out->n)
    code = as_sent(project, &sent, arena, err);
  for (int state = 1; !code && !out->n && state < HO_STATE_COUNT; state++) {
    sent.state = ho_str_of(ho_state_name((ho_state)state));
    code = make_copy(project, &sent, false, digest, arena, out, err);
  }
  for (int i = 0; !code && !out->n && i <= OLDER_MS; i++, row.updated--)
    code = make_copy(project, &row, false, digest, arena, out, err); /* as earlier versions wrote it */
  return code;
}

/* Somebody may have moved it already. */
static ho_code intend_move(repairing *r, missing *copy, const ho_file *file, ho_arena *arena, ho_error *err)
{
  ho_file moved = *file;
  bool same = false;
  ho_code code = HO_OK;
  moved.path = copy->path;
  if (is_there(r->project, arena, copy->path))
    code = ho_describe_file_same(r->project, arena, &moved, &same, err);
  if (!code && !same)
    code = ho_store_intend_move(r->project->store, copy->from, copy->path, err);
  copy->intended = !code;
  return code ? code : ho_files_put_only(r->project->store, &moved, err);
}

/* Is the text of this copy still the recorded one? Then it is to be written. */
static ho_code intend_copy(repairing *r, missing *copy, ho_arena *arena, ho_error *err)
{
  ho_handoff row;
  ho_file_list files;
  ho_str text = HO_EMPTY;
  const ho_file *file = NULL;
  ho_code code = ho_handoffs_get(r->project->store, copy->handoff, arena, &row, err);
  if (!code)
    code = ho_files_select(r->project->store, copy->handoff, arena, &files, err);
  for (size_t i = 0; !code && i < files.count; i++)
    if (files.rows[i].kind == HO_FILE_ARCHIVE && ho_str_eq(files.rows[i].path, copy->from))
      file = &files.rows[i];
  bool moves = !ho_str_eq(copy->from, copy->path), there = is_there(r->project, arena, copy->path);
  if (code == HO_NOT_FOUND || (!code && (!file || (!moves && there))))
    return HO_OK; /* it was pruned, or written, since */
  if (!code && moves && (there || is_there(r->project, arena, copy->from)))
    return intend_move(r, copy, file, arena, err);
  if (!code)
    code = recorded_text(r->project, row, file->digest, arena, &text, err);
  if (code)
    return code;
  if (!text.n) {
    copy->why = HO_STR("the copy in the archive is gone, and what the store has would not make the same one");
    return HO_OK;
  }
  ho_file made = *file;
  made.path = copy->path;
  copy->intended = true;
  code = ho_store_intend(r->project->store, copy->path, text, HO_INTENT_NEW, err);
  return code || !moves ? code : ho_files_put_only(r->project->store, &made, err);
}

/* Is a failure about one copy only? */
static bool is_of_one(const ho_error *why)
{
  return why->code == HO_NOT_FOUND || why->code == HO_LIMIT || why->code == HO_CONFLICT ||
         (why->rule && strcmp(why->rule, "store-changed") == 0);
}

static ho_code intend_copies(ho_store *store, void *data, ho_error *err)
{
  repairing *r = data;
  ho_arena arena;
  (void)store;
  ho_code code = HO_OK;
  ho_arena_init(&arena, 0);
  for (size_t i = r->from; !code && i < r->count && i < r->from + AT_ONCE; i++) {
    missing *copy = &r->copies[i];
    ho_error why = {0};
    copy->intended = false;
    copy->why = HO_EMPTY;
    code = intend_copy(r, copy, &arena, &why);
    if (code && is_of_one(&why)) {
      copy->intended = false;
      copy->why = ho_arena_copy(r->arena, ho_str_of(why.message));
      code = HO_OK;
    } else if (code) {
      *err = why;
    }
    ho_arena_reset(&arena);
  }
  ho_arena_free(&arena);
  return code ? code : ho_arena_code(r->arena, err);
}

static ho_code write_copies(repairing *r, ho_error *err)
{
  ho_code code = HO_OK;
  for (; !code && r->from < r->count; r->from += AT_ONCE) {
    code = ho_store_write(r->project->store, intend_copies, r, err);
    const ho_error *failed = ho_store_unwritten(r->project->store);
    for (size_t i = r->from; !code && i < r->count && i < r->from + AT_ONCE; i++) {
      const missing *copy = &r->copies[i];
      if (copy->intended && is_there(r->project, r->arena, copy->path))
        put_written(r, copy->path);
      else if (copy->intended || copy->why.n)
        add(r->arena, r->out->remaining, copy->path, copy->intended ? ho_str_of(failed->message) : copy->why);
    }
  }
  return code;
}

static ho_code intend_seal(ho_store *store, void *data, ho_error *err)
{
  return ho_seals_restore_file(store, &((repairing *)data)->seal, err);
}

static ho_code write_seal(repairing *r, ho_error *err)
{
  ho_store *store = r->project->store;
  ho_code code = ho_store_write(store, intend_seal, r, err);
  ho_str path = ho_fs_relative(r->project->home, ho_store_seal(store, r->arena));
  if (code || !r->seal)
    return code;
  if (is_there(r->project, r->arena, path))
    put_written(r, path);
  else
    add(r->arena, r->out->remaining, path, ho_str_of(ho_store_unwritten(store)->message));
  return HO_OK;
}

/* One that is there and up to date is left alone, whatever else somebody has written into it. */
static void write_state(repairing *r)
{
  ho_error why = {0};
  ho_str path = r->project->written.state;
  if (is_there(r->project, r->arena, path) && !ho_statefile_behind(r->project))
    return;
  ho_statefile_refresh(r->project, &why);
  if (why.code)
    add(r->arena, r->out->remaining, path, ho_str_of(why.message));
  else
    put_written(r, path);
}

ho_code ho_repair(ho_project *project, const ho_store_watch *watch, ho_arena *arena, ho_repaired *out, ho_error *err)
{
  repairing r = {.project = project, .watch = watch, .arena = arena, .out = out};
  *out = (ho_repaired){.written = ho_node_new(arena, HO_KIND_LIST),
                       .given_up = ho_node_new(arena, HO_KIND_LIST),
                       .remaining = ho_node_new(arena, HO_KIND_LIST)};
  ho_code code = ho_arena_code(arena, err);
  if (!code)
    code = settle(&r, err);
  if (!code)
    code = ho_store_read(project->store, find_missing, &r, err);
  if (!code)
    code = write_copies(&r, err);
  if (!code)
    code = write_seal(&r, err);
  if (!code)
    write_state(&r);
  return code ? code : ho_arena_code(arena, err);
}
