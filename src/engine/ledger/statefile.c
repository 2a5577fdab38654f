#include "engine/ledger/statefile.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/time.h"
#include "doc/json/json.h"
#include "doc/text/splice.h"
#include "engine/ledger/halt.h"
#include "engine/ledger/marks.h"
#include "engine/project/event_data.h"
#include "engine/project/paths.h"
#include "engine/project/project.h"
#include "model/document/recognise.h"
#include "model/formats/formats.h"
#include "model/lifecycle.h"
#include "store/handoffs/handoffs.h"

enum { ENDED = 200, MOST = 100000, LOCK_MS = 30000, FOLLOW_LOCK_MS = 1000 };

typedef struct state_file {
  ho_project *project;
  ho_store *store;
  ho_arena *arena;
  const char *path;
  ho_str text;   /* as it is; "" if there is none */
  ho_node *root; /* the parsed text */
  ho_handoff_briefs list;
  ho_node *gates; /* waiting for a person */
  int64_t newest; /* the newest event that the file includes */
  bool shared;    /* others have written something into it */
} state_file;

static ho_code take(state_file *s, ho_state state, int64_t limit, ho_error *err)
{
  return ho_handoffs_add_briefs(s->store, ho_str_of(ho_state_name(state)), limit, &s->list, err);
}

static int by_update(const void *a, const void *b)
{
  const ho_handoff_brief *x = a, *y = b;
  return x->updated < y->updated ? 1 : x->updated > y->updated ? -1 : x->seq < y->seq ? 1 : -1;
}

static int by_arrival(const void *a, const void *b)
{
  const ho_handoff_brief *x = a, *y = b;
  return x->seq < y->seq ? -1 : x->seq > y->seq;
}

static ho_code newest_event(ho_store *store, ho_arena *arena, int64_t *out, ho_error *err)
{
  ho_event_list events;
  ho_code code = ho_events_select(store, HO_EMPTY, 0, 1, arena, &events, err);
  *out = !code && events.count ? events.rows[0].seq : 0;
  return code;
}

/* The open ones, and the most recently ended. */
static ho_code collect(ho_store *store, void *data, ho_error *err)
{
  state_file *s = data;
  s->list = (ho_handoff_briefs){.arena = s->arena};
  ho_code code = newest_event(store, s->arena, &s->newest, err);
  for (int state = 1; !code && state < HO_STATE_COUNT; state++)
    if (!ho_state_open((ho_state)state))
      code = take(s, (ho_state)state, ENDED, err);
  if (s->list.count > ENDED) {
    qsort(s->list.rows, s->list.count, sizeof *s->list.rows, by_update);
    s->list.count = ENDED;
  }
  for (int state = 1; !code && state < HO_STATE_COUNT; state++)
    if (ho_state_open((ho_state)state))
      code = take(s, (ho_state)state, MOST, err);
  if (s->list.count)
    qsort(s->list.rows, s->list.count, sizeof *s->list.rows, by_arrival);
  return code ? code : ho_statefile_gates(s->project, s->arena, &s->gates, err);
}

/* A number if it is one without leading zeros, as the format's table writes ids. */
static ho_node *id_node(ho_arena *arena, ho_str text)
{
  uint64_t value;
  ho_node *node = ho_node_text(arena, text);
  if (node && text.n < 16 && ho_str_to_u64(text, &value) && (text.n == 1 || text.p[0] != '0'))
    node->kind = HO_KIND_NUMBER;
  return node;
}

static void set(ho_arena *arena, ho_node *map, const char *key, ho_str text)
{
  if (text.n)
    ho_map_set(map, ho_str_of(key), ho_node_text(arena, text));
}

/* The status: of an archived handoff, that of how it ended. Archived by an earlier version, it counts as completed. */
static ho_str status_of(ho_arena *arena, const ho_handoff_brief *row)
{
  ho_state state = HO_STATE_READY, ended;
  ho_handoff marked = {.marks = row->marks};
  ho_state_named(row->state, &state);
  if (state == HO_STATE_ARCHIVED && ho_state_named(ho_marks_get(&marked, arena, HO_MARK_OUTCOME), &ended))
    state = ended;
  return ho_str_of(ho_state_shown(state));
}

/* Whom it was sent to. */
static ho_str receiver_of(ho_arena *arena, const ho_handoff_brief *row)
{
  ho_handoff marked = {.marks = row->marks};
  ho_str to = ho_marks_get(&marked, arena, HO_MARK_TO);
  return to.n ? to : row->receiver;
}

/* The gate at which it was rejected, or "". */
static ho_str rejected_at(ho_arena *arena, const ho_handoff_brief *row)
{
  ho_handoff marked = {.marks = row->marks};
  ho_str said = ho_marks_get(&marked, arena, HO_MARK_REJECTED_AT);
  return said.n ? ho_map_str(ho_event_data_read(arena, said), "gate") : HO_EMPTY;
}

/* What an entry says of the task that it halts, or "". */
static ho_str halts(ho_arena *arena, const ho_handoff_brief *row, const ho_node *old)
{
  ho_handoff marked = {.marks = row->marks};
  if (ho_halt_marked(&marked, arena))
    return HO_STR(HO_STATEFILE_HALTS_YES);
  return ho_map_str(old, HO_STATEFILE_HALTS).n ? HO_STR("resumed") : HO_EMPTY;
}

static ho_node *entry(state_file *s, const ho_handoff_brief *row, const ho_node *old)
{
  ho_arena *a = s->arena;
  ho_str to = receiver_of(a, row);
  ho_node *map = old ? ho_node_copy(a, old) : ho_node_new(a, HO_KIND_MAP);
  set(a, map, "id", row->id);
  set(a, map, "timestamp", ho_time_str(a, row->created));
  set(a, map, "from", row->sender);
  set(a, map, "to", to);
  if (!ho_str_eq(to, row->receiver))
    set(a, map, HO_STATEFILE_NOW_FOR, row->receiver);
  set(a, map, "status", status_of(a, row));
  set(a, map, HO_STATEFILE_REJECTED_AT, rejected_at(a, row));
  set(a, map, HO_STATEFILE_HALTS, halts(a, row, old));
  set(a, map, "type", row->kind);
  if (row->task.n)
    ho_map_set(map, HO_STR("task"), id_node(a, row->task));
  if (row->phase.n)
    ho_map_set(map, HO_STR("phase"), id_node(a, row->phase));
  if (row->path.n && row->path.p[0] != '/')
    set(a, map, "path", row->path);
  return map;
}

/* Is the file's entry already up to date? What is fixed when a handoff is sent is not compared. */
static bool is_current(ho_arena *arena, const ho_handoff_brief *row, const ho_node *old)
{
  if (!old || old->key.n || old->begin == HO_NOWHERE)
    return false;
  ho_str now_for = ho_map_str(old, HO_STATEFILE_NOW_FOR);
  return ho_str_eq(ho_map_str(old, "status"), status_of(arena, row)) &&
         ho_str_eq(now_for.n ? now_for : ho_map_str(old, "to"), row->receiver) &&
         ho_str_eq(ho_map_str(old, "to"), receiver_of(arena, row)) &&
         ho_str_eq(ho_map_str(old, HO_STATEFILE_REJECTED_AT), rejected_at(arena, row)) &&
         ho_str_eq(ho_map_str(old, HO_STATEFILE_HALTS), halts(arena, row, old)) &&
         (!row->path.n || row->path.p[0] == '/' || ho_str_eq(ho_map_str(old, "path"), row->path)) &&
         ho_map_getz(old, "id") && ho_map_getz(old, "timestamp") && ho_map_getz(old, "type");
}

/* A row by its id, and what the file currently says about it. */
typedef struct known_entry {
  ho_str id;
  const ho_node *old;
  size_t row;
} known_entry;

static int by_id(const void *a, const void *b)
{
  return ho_str_cmp(((const known_entry *)a)->id, ((const known_entry *)b)->id);
}

static known_entry *index_rows(state_file *s)
{
  known_entry *index = ho_arena_array(s->arena, s->list.count + 1, sizeof *index);
  for (size_t i = 0; index && i < s->list.count; i++)
    index[i] = (known_entry){.id = s->list.rows[i].id, .row = i};
  if (index && s->list.count)
    qsort(index, s->list.count, sizeof *index, by_id);
  return index;
}

/* An item of the list: copied from the file if still correct (`row` NULL: it is not ours), else written anew. */
static void put_item(state_file *s, ho_buf *text, const ho_node *old, const ho_handoff_brief *row)
{
  ho_buf_puts(text, text->n == 1 ? "\n    " : ",\n    ");
  if (row ? is_current(s->arena, row, old) : !old->key.n && old->begin != HO_NOWHERE)
    ho_buf_put(text, ho_str_sub(s->text, old->begin, old->end));
  else
    ho_json_write(text, row ? entry(s, row, old) : old, 0);
}

/* Is the entry about the handoff that was sent then? Another tool may have given the same id to another one. */
static bool is_about(const state_file *s, const ho_node *item, int64_t created)
{
  ho_str at = ho_map_str(item, "timestamp");
  return ho_str_eq(at, ho_time_str(s->arena, created));
}

/* Is there a handoff with this id, or was there one? Of a pruned one, its events are left. */
static bool is_ours(state_file *s, const ho_node *item, ho_str id)
{
  ho_event_list events;
  ho_handoff row;
  ho_error err = {0};
  if (id.n && ho_handoffs_get(s->store, id, s->arena, &row, &err) == HO_OK)
    return is_about(s, item, row.created);
  return id.n && ho_events_select(s->store, id, 0, 1, s->arena, &events, &err) == HO_OK && events.count;
}

/* Entries unknown to the store stay; known ones are recorded in `olds` by row, or dropped. */
static void keep_others(state_file *s, ho_buf *text, const ho_node **olds)
{
  known_entry *index = index_rows(s);
  HO_EACH_CONST (item, ho_map_getz(s->root, "handoffs")) {
    known_entry wanted = {.id = item->key.n ? item->key : ho_map_str(item, "id")};
    known_entry *found = s->list.count && index ? bsearch(&wanted, index, s->list.count, sizeof *index, by_id) : NULL;
    if (found && is_about(s, item, s->list.rows[found->row].created))
      olds[found->row] = item;
    else if (found || !is_ours(s, item, wanted.id)) {
      put_item(s, text, item, NULL);
      s->shared = true;
    }
  }
}

/* The list: entries of others first, then ours in order of arrival. */
static ho_str list_text(state_file *s)
{
  ho_buf text;
  const ho_node **olds = ho_arena_array(s->arena, s->list.count + 1, sizeof *olds);
  ho_buf_init(&text, 0);
  ho_buf_putc(&text, '[');
  if (olds)
    keep_others(s, &text, olds);
  for (size_t i = 0; olds && i < s->list.count; i++)
    put_item(s, &text, olds[i], &s->list.rows[i]);
  ho_buf_puts(&text, text.n > 1 ? "\n  ]" : "]");
  return ho_buf_move(&text, s->arena);
}

/* Is it a state file: ours, or one that another tool keeps in this format? */
static bool is_state(const ho_node *root)
{
  const ho_node *handoffs = ho_map_getz(root, "handoffs");
  if (!ho_node_is(root, HO_KIND_MAP) ||
      !(ho_node_absent(handoffs) || ho_node_is(handoffs, HO_KIND_LIST) || ho_node_is(handoffs, HO_KIND_MAP)))
    return false;
  if (ho_node_is(handoffs, HO_KIND_MAP))
    HO_EACH_CONST (item, handoffs)
      if (!ho_node_is(item, HO_KIND_MAP))
        return false;
  return !root->count || ho_map_getz(root, "gates_pending") || ho_recognise_marks(&ho_format_state, root);
}

#define BEGINNING "{\n  \"version\": \"1.0\",\n  \"updated_at\":"

/* Is it a part of what we wrote, left when the machine stopped? What others have added was synced. */
static bool is_torn(ho_str text)
{
  return memchr(text.p, '\0', text.n) || ho_str_starts(text, BEGINNING) || ho_str_starts(HO_STR(BEGINNING), text.p);
}

/* Has it been written since the machine was started? Whoever was the first to open the store may not have done that. */
static bool is_written(ho_store *store)
{
  return !ho_store_restarted(store) && ho_store_followed(store) != 0;
}

/* A file that is not a state file belongs to somebody else: nothing of it is ever changed. */
static ho_code read_file(state_file *s, ho_error *err)
{
  ho_source *source = HO_NEW(s->arena, ho_source);
  s->text = HO_EMPTY;
  s->root = NULL;
  if (!ho_fs_exists(s->path))
    return HO_OK;
  ho_code code = ho_fs_read(s->arena, s->path, (size_t)256 << 20, &s->text, err);
  if (code || ho_str_blank(s->text))
    return code;
  if (!source)
    return ho_arena_code(s->arena, err);
  code = ho_source_init(source, s->arena, s->project->written.state, s->text, err);
  if (!code)
    code = ho_json_read(source, HO_JSON_COMMENTS, s->arena, NULL, &s->root, err);
  if (code == HO_SYNTAX && !is_written(s->store) && is_torn(s->text)) {
    s->text = HO_EMPTY;
    s->root = NULL;
    *err = (ho_error){0};
    return HO_OK;
  }
  if (code == HO_SYNTAX)
    return ho_fail_file(err, HO_SYNTAX, s->project->written.state,
                        "it is not JSON, so it was left unchanged; move it away to have a state file written");
  if (!code && !is_state(s->root))
    code =
        ho_fail_file(err, HO_INVALID, s->project->written.state,
                     "it is not a state file of handoff, so it was left unchanged; move it away to have one written");
  return code;
}

/* Sets a key of the root to a JSON text, in place; a new key is added after the last. */
static ho_code put_key(state_file *s, ho_splice *splice, const char *key, ho_str value, ho_error *err)
{
  const ho_node *old = ho_map_getz(s->root, key);
  if (old)
    return ho_splice_replace(splice, old->begin, old->end, value, err);
  const ho_node *last = s->root->last;
  uint32_t at = last ? last->end : s->root->begin + 1;
  ho_str with = ho_arena_printf(s->arena, "%s\n  \"%s\": %.*s", last || splice->last ? "," : "", key, HO_ARG(value));
  return ho_splice_replace(splice, at, at, with, err);
}

/* Only if something is or was waiting; an existing value that is not a list is left alone. */
static ho_code put_gates(state_file *s, ho_splice *splice, ho_error *err)
{
  const ho_node *old = ho_map_getz(s->root, "gates_pending");
  if ((!old && !s->gates->count) || (!ho_node_absent(old) && !ho_node_is(old, HO_KIND_LIST)))
    return HO_OK;
  return put_key(s, splice, "gates_pending", ho_statefile_gate_list(s->arena, s->text, old, s->gates), err);
}

/* What only the store says can be written again, so nobody waits for the disk; what others have said cannot. */
static bool has_others(const state_file *s)
{
  static const char *const ours[] = {"version", "updated_at", "handoffs", "gates_pending"};
  bool others = s->shared;
  HO_EACH_CONST (item, s->root) {
    bool known = false;
    for (size_t i = 0; i < HO_COUNT(ours); i++)
      known = known || ho_str_is(item->key, ours[i]);
    others = others || !known;
  }
  return others;
}

static ho_code write_file(state_file *s, ho_error *err)
{
  ho_buf out;
  ho_splice splice;
  ho_str list = list_text(s), now = ho_time_str(s->arena, ho_project_now(s->project));
  ho_str quoted = ho_arena_printf(s->arena, "\"%.*s\"", HO_ARG(now));
  ho_code code = HO_OK;
  ho_buf_init(&out, 0);
  if (!s->root) {
    ho_buf_printf(&out, BEGINNING " %.*s,\n  \"handoffs\": ", HO_ARG(quoted));
    ho_buf_put(&out, list);
    ho_buf_puts(&out, ",\n  \"gates_pending\": ");
    ho_buf_put(&out, ho_statefile_gate_list(s->arena, HO_EMPTY, NULL, s->gates));
    ho_buf_puts(&out, "\n}\n");
  } else {
    ho_splice_init(&splice, s->arena, s->text);
    code = put_key(s, &splice, "updated_at", quoted, err);
    if (!code)
      code = put_key(s, &splice, "handoffs", list, err);
    if (!code)
      code = put_gates(s, &splice, err);
    if (!code && !s->root->count)
      code = ho_splice_replace(&splice, s->root->begin + 1, s->root->begin + 1, HO_STR("\n"), err);
    if (!code)
      ho_splice_write(&splice, &out);
  }
  if (!code)
    code = ho_arena_code(s->arena, err);
  if (!code)
    code = ho_buf_code(&out, err);
  const char *home = ho_arena_z(s->arena, s->project->home);
  if (!code)
    code = ho_fs_mkdirs_later(home, ho_arena_z(s->arena, ho_fs_parent(ho_str_of(s->path))), err);
  if (!code)
    code = ho_fs_write_in(home, s->path, ho_buf_str(&out), has_others(s) ? HO_FS_REPLACE : HO_FS_CACHE, err);
  ho_buf_free(&out);
  return code;
}

static ho_code refresh_once(ho_project *project, const char *path, int64_t *newest, ho_error *err)
{
  ho_arena arena;
  ho_arena_init(&arena, 0);
  state_file s = {.project = project, .store = project->store, .arena = &arena, .path = path};
  ho_code code = ho_store_read(project->store, collect, &s, err);
  if (!code)
    code = read_file(&s, err);
  if (!code)
    code = write_file(&s, err);
  *newest = s.newest;
  ho_arena_free(&arena);
  return code;
}

/* How many seconds a large file is left alone: one per megabyte. */
static bool too_soon(const char *path)
{
  struct stat st;
  if (ho_fs_stat(path, &st) || st.st_size < 1 << 18)
    return false;
  return time(NULL) - st.st_mtime <= st.st_size >> 20;
}

static ho_code refuse_outside(ho_project *project, ho_str path, ho_error *err)
{
  return ho_fs_inside(ho_arena_z(project->arena, project->home), path.p)
             ? HO_OK
             : ho_fail_file(err, HO_LIMIT, path, "is outside the project (a symbolic link); not writing it");
}

static ho_str lock_path(ho_store *store, ho_arena *arena)
{
  return ho_arena_printf(arena, "%s/state.lock", ho_store_folder(store));
}

/* wanted: nothing is done if the file includes this event once it is our turn; 0: it is written in any case. */
static void update(ho_project *project, int64_t wanted, int lock_ms, ho_error *err)
{
  ho_str path = ho_fs_join(project->arena, project->home, project->written.state);
  ho_str lock = lock_path(project->store, project->arena);
  int64_t newest = 0;
  if (!path.n || !lock.n || project->other_store || (wanted && too_soon(path.p)))
    return;
  if (refuse_outside(project, path, err))
    return;
  int fd = ho_fs_open_beside(lock.p, O_RDWR | O_CREAT);
  if (fd < 0) {
    ho_fail_file(err, HO_IO, project->written.state, "%.*s cannot be opened: %s",
                 HO_ARG(ho_fs_relative(project->home, lock)), ho_fs_reason(errno));
    return;
  }
  ho_code code = ho_fs_lock(fd, lock, lock_ms, err);
  if (!code)
    code = ho_store_reopen(project->store, err);
  if (!code && !(wanted && ho_store_followed(project->store) >= wanted)) {
    code = refresh_once(project, path.p, &newest, err);
    if (!code)
      ho_store_set_followed(project->store, newest);
  }
  close(fd);
}

void ho_statefile_refresh(ho_project *project, ho_error *err)
{
  update(project, 0, LOCK_MS, err);
}

/* Was it written within the last `ms`? */
static bool is_recent(ho_project *project, int64_t ms)
{
  struct stat st;
  ho_str path = ho_fs_join(project->arena, project->home, project->written.state);
  if (!ms || !path.n || ho_fs_stat(path.p, &st))
    return false;
  int64_t age = ho_time_now_ms() - ((int64_t)st.st_mtim.tv_sec * 1000 + st.st_mtim.tv_nsec / 1000000);
  return age >= 0 && age < ms;
}

bool ho_statefile_follow(ho_project *project, int64_t ms, ho_error *err)
{
  int64_t newest = 0, followed = ho_store_followed(project->store);
  if (ho_project_newest_event(project, &newest, err) || newest == followed)
    return true;
  if (is_recent(project, ms))
    return false;
  update(project, newest > followed ? newest : 0, FOLLOW_LOCK_MS, err); /* else an older copy took the store's place */
  return true;
}

/* Why the folder of the file cannot be written into, or "". */
static ho_str folder_trouble(ho_str folder)
{
  if (!ho_fs_exists(folder.p))
    return HO_EMPTY;
  if (!ho_fs_is_folder(folder.p))
    return HO_STR("its folder is a file; move that away, then run: handoff repair");
  return access(folder.p, W_OK | X_OK) ? ho_str_of(ho_fs_reason(errno)) : HO_EMPTY;
}

/* Why the lock that everybody who writes the file takes cannot be had, or "". If there is none, it is made. */
static ho_str lock_trouble(const ho_project *project, ho_store *store, ho_arena *arena)
{
  ho_str lock = lock_path(store, arena);
  int fd = lock.n ? ho_fs_open_beside(lock.p, O_RDWR) : -1;
  int number = errno;
  if (fd >= 0)
    close(fd);
  return !lock.n || fd >= 0 || number == ENOENT
             ? HO_EMPTY
             : ho_arena_printf(arena, "%.*s cannot be opened: %s", HO_ARG(ho_fs_relative(project->home, lock)),
                               ho_fs_reason(number));
}

/* Does the file not include the newest event? Nobody knows in a store that remembers nothing. */
static ho_code is_behind(const ho_project *project, ho_store *store, ho_arena *arena, bool *out, ho_error *err)
{
  int64_t newest = 0, followed = ho_store_followed(store);
  *out = false;
  if (project->other_store || followed < 0)
    return HO_OK;
  ho_code code = newest_event(store, arena, &newest, err);
  *out = !code && newest != followed;
  return code;
}

bool ho_statefile_behind(ho_project *project)
{
  bool behind;
  ho_error ignored;
  return is_behind(project, project->store, project->arena, &behind, &ignored) == HO_OK && behind;
}

ho_code ho_statefile_drift(ho_project *project, ho_store *store, ho_arena *arena, ho_str *why, ho_error *err)
{
  bool behind;
  ho_str path = ho_fs_join(arena, project->home, project->written.state);
  ho_error trouble = {0};
  *why = HO_EMPTY;
  ho_code code = is_behind(project, store, arena, &behind, err);
  if (code || !behind || !path.n)
    return code ? code : ho_arena_code(arena, err);
  ho_str parent = ho_fs_parent(path);
  *why = folder_trouble(ho_str_of(ho_arena_z(arena, parent)));
  if (!why->n)
    *why = lock_trouble(project, store, arena);
  state_file s = {.project = project, .store = store, .arena = arena, .path = path.p};
  if (!why->n && (refuse_outside(project, path, &trouble) || read_file(&s, &trouble)))
    *why = ho_arena_copy(arena, ho_str_of(trouble.message));
  return trouble.code == HO_MEMORY ? ho_fail_memory(err) : ho_arena_code(arena, err);
}
