#include <errno.h>
#include <unistd.h>

#include "base/time.h"
#include "doc/json.h"
#include "doc/keyset.h"
#include "doc/source.h"
#include "engine/archive.h"
#include "engine/gate.h"
#include "engine/statefile.h"
#include "engine/verify.h"

typedef struct restored_item {
  ho_archived copy;
  const char *path; /* of the file that it comes from */
} restored_item;

typedef struct rebuilding {
  ho_ledger *ledger;
  ho_arena *arena;
  ho_rebuilt *out;
  restored_item *items;
  size_t count, room;
  ho_node *names; /* a map whose keys are the ids so far */
  ho_keyset ids;  /* of it */
} rebuilding;

static void lost(rebuilding *r, ho_str what, const char *message)
{
  ho_node *item = ho_list_add(r->out->lost, ho_node_new(r->arena, HO_KIND_MAP));
  ho_map_addz(item, "what", ho_node_text(r->arena, ho_arena_copy(r->arena, what)));
  ho_map_addz(item, "message", ho_node_textz(r->arena, message));
}

/* Has this id come before? Notes it. */
static bool seen(rebuilding *r, ho_str id)
{
  ho_map_add(r->names, id, ho_node_new(r->arena, HO_KIND_NULL));
  return ho_keyset_earlier(&r->ids, r->arena, r->names) != NULL;
}

static void push(rebuilding *r, const ho_archived *copy, const char *path)
{
  if (r->count == r->room) {
    size_t room = r->room ? r->room * 2 : 64;
    restored_item *items = ho_arena_array(r->arena, room, sizeof *items);
    if (!items)
      return;
    if (r->count)
      memcpy(items, r->items, r->count * sizeof *items);
    r->items = items;
    r->room = room;
  }
  r->items[r->count++] = (restored_item){*copy, path};
}

/* What the audit archive holds. */
static ho_code read_archive(rebuilding *r, ho_error *err)
{
  ho_fs_list files = {0};
  ho_str folder = ho_fs_join(r->arena, r->ledger->home, HO_STR(HO_ARCHIVE_FOLDER));
  ho_code code = ho_fs_is_folder(folder.p) ? ho_fs_walk(r->arena, folder.p, ho_archive_is_copy, &files, err) : HO_OK;
  for (size_t i = 0; !code && i < files.count; i++) {
    ho_str text;
    ho_archived copy;
    ho_error why = {0};
    ho_code bad = ho_fs_read(r->arena, files.paths[i], 0, &text, &why);
    if (!bad)
      bad = ho_archive_parse(text, r->arena, &copy, &why);
    if (!bad && ho_id_fits(copy.row.id) && !seen(r, copy.row.id))
      push(r, &copy, files.paths[i]);
    else
      lost(r, ho_fs_text(r->arena, ho_str_of(files.paths[i])),
           bad ? why.message : "has no id, or one that another copy has");
  }
  return code ? code : ho_arena_code(r->arena, err);
}

static ho_str member(const ho_node *entry, const char *key)
{
  return ho_node_str(ho_map_getz(entry, key));
}

/* One entry of the state file: its document is where the author left it. */
static void read_entry(rebuilding *r, const ho_node *entry)
{
  ho_error why = {0};
  ho_str id = member(entry, "id"), kept = member(entry, "path"), kind = member(entry, "type");
  if (!ho_id_fits(id) || seen(r, id))
    return;
  ho_archived copy = {.row = {.id = id,
                              .kind = kind.n ? kind : HO_STR("package"),
                              .type = HO_STR("sequential"),
                              .state = member(entry, "status"),
                              .sender = member(entry, "from"),
                              .receiver = member(entry, "to"),
                              .task = member(entry, "task"),
                              .phase = member(entry, "phase"),
                              .session = r->ledger->session,
                              .path = kept}};
  ho_str full = kept.n ? ho_fs_join(r->arena, r->ledger->home, kept) : HO_EMPTY;
  if (!full.n || !ho_fs_inside(ho_arena_z(r->arena, r->ledger->home), full.p) ||
      ho_fs_read(r->arena, full.p, 0, &copy.body, &why)) {
    lost(r, id, "the state file knows it, but there is no file with its document");
    return;
  }
  if (!ho_time_read(member(entry, "timestamp"), &copy.row.created))
    copy.row.created = ho_ledger_now(r->ledger);
  push(r, &copy, full.p);
}

/* Handoffs that have not ended have no archive copy, but the state file says where their documents are. */
static ho_code read_state(rebuilding *r, ho_error *err)
{
  ho_source source;
  ho_node *root = NULL;
  ho_str text;
  ho_error why = {0};
  ho_str path = ho_fs_join(r->arena, r->ledger->home, HO_STR(HO_STATEFILE_PATH));
  if (!ho_fs_is_file(path.p) || ho_fs_read(r->arena, path.p, (size_t)256 << 20, &text, &why) ||
      ho_source_init(&source, r->arena, path, text, &why) ||
      ho_json_read(&source, HO_JSON_COMMENTS, r->arena, NULL, &root, &why)) {
    lost(r, HO_STR(HO_STATEFILE_PATH), why.code ? why.message : "is not there: which handoffs were open is not known");
    return ho_arena_code(r->arena, err);
  }
  HO_EACH_CONST (entry, ho_map_getz(root, "handoffs"))
    read_entry(r, entry);
  return ho_arena_code(r->arena, err);
}

/* The state it has from now on: claims are gone with the old store. */
static ho_state new_state(rebuilding *r, ho_handoff *row)
{
  static const struct {
    const char *shown;
    ho_state state;
  } by_name[] = {{"pending", HO_STATE_READY},     {"claimed", HO_STATE_READY},  {"acked", HO_STATE_READY},
                 {"in_progress", HO_STATE_READY}, {"completed", HO_STATE_DONE}, {"gated", HO_STATE_READY},
                 {"clarify", HO_STATE_CLARIFY}};
  ho_state state = HO_STATE_READY;
  bool known = ho_state_named(row->state, &state);
  for (size_t i = 0; i < HO_COUNT(by_name); i++)
    if (ho_str_is(row->state, by_name[i].shown)) {
      known = true;
      state = by_name[i].state;
    }
  if (!known)
    lost(r, row->id, "its state is not known; it is ready again");
  else if (ho_list_has("claimed|acked|in_progress", row->state))
    lost(r, row->id, "its claim; it is ready again");
  return state;
}

static ho_code restore_one(rebuilding *r, ho_archived *item, const char *path, ho_error *err)
{
  ho_turn turn = {0};
  ho_str gate;
  ho_handoff row = item->row;
  ho_ledger *l = r->ledger;
  bool gated =
      ho_str_is(row.state, "gated") || (ho_str_is(row.receiver, "human") && ho_list_has("pending|ready", row.state));
  row.state = ho_str_of(ho_state_name(new_state(r, &row)));
  row.updated = row.updated ? row.updated : row.created;
  ho_event event = {.at = ho_ledger_now(l), .actor = l->actor, .kind = HO_STR("rebuilt")};
  ho_code code = ho_handoff_add(l->store, &row, ho_ledger_clean(l, r->arena, item->body), &event, r->arena, err);
  if (!code && gated) {
    code = ho_turn_of(l, &row, r->arena, &turn, err);
    ho_gate_wish wish = {.name =
                             ho_arena_printf(r->arena, "%.*s waited for a person before the rebuild", HO_ARG(row.id)),
                         .digest = row.digest,
                         .raised_by = row.sender.n ? row.sender : HO_STR("handoff"),
                         .blocking = true,
                         .step = HO_STEP_GATED};
    if (!code)
      code = ho_gate_raise(&turn, &wish, &gate, err);
    row.state = turn.row.state;
  }
  ho_node *done = ho_list_add(r->out->restored, ho_node_new(r->arena, HO_KIND_MAP));
  ho_map_addz(done, "id", ho_node_text(r->arena, row.id));
  ho_map_addz(done, "state", ho_node_text(r->arena, row.state));
  ho_map_addz(done, "path", ho_node_text(r->arena, ho_fs_relative(l->home, ho_str_of(path))));
  return code;
}

/* In the order in which they were sent. */
static int by_time(const void *a, const void *b)
{
  const restored_item *x = a, *y = b;
  int64_t left = x->copy.row.created, right = y->copy.row.created;
  return left < right ? -1 : left > right ? 1 : ho_str_cmp(x->copy.row.id, y->copy.row.id);
}

static ho_code restore(ho_store *store, void *data, ho_error *err)
{
  rebuilding *r = data;
  ho_code code = HO_OK;
  r->out->restored = ho_node_new(r->arena, HO_KIND_LIST);
  if (r->count)
    qsort(r->items, r->count, sizeof *r->items, by_time);
  for (size_t i = 0; !code && i < r->count; i++)
    code = restore_one(r, &r->items[i].copy, r->items[i].path, err);
  return code ? code : ho_store_seal(store, ho_ledger_now(r->ledger), err);
}

/* Moves the database and its companions aside. */
static ho_code put_aside(const char *path, ho_arena *arena, int64_t now, ho_str *kept, ho_error *err)
{
  static const char *const tails[] = {"", "-wal", "-shm"};
  char stamp[HO_TIME_SIZE];
  ho_time_stamp(now, stamp);
  ho_str target = ho_arena_printf(arena, "%s.before-rebuild-%s", path, stamp);
  for (int n = 2; target.n && (ho_fs_exists(target.p) || ho_fs_exists(ho_arena_printf(arena, "%s.seal", target.p).p));
       n++)
    target = ho_arena_printf(arena, "%s.before-rebuild-%s-%d", path, stamp, n);
  for (size_t i = 0; i < HO_COUNT(tails); i++) {
    ho_str from = ho_arena_printf(arena, "%s%s", path, tails[i]),
           to = ho_arena_printf(arena, "%s%s", target.p, tails[i]);
    if (rename(from.p, to.p) == 0)
      *kept = target;
    else if (errno != ENOENT)
      return ho_fail_file(err, HO_IO, from, "cannot be put aside: %s", strerror(errno));
  }
  ho_str seal = ho_fs_join(arena, ho_fs_parent(ho_str_of(path)), HO_STR("seal"));
  if (rename(seal.p, ho_arena_printf(arena, "%s.seal", target.p).p) && errno != ENOENT)
    return ho_fail_file(err, HO_IO, seal, "cannot be put aside: %s", strerror(errno));
  return HO_OK;
}

/* What the old database would still have told. */
static void count_lost(rebuilding *r, const ho_ledger_options *options)
{
  ho_store *old = NULL;
  ho_store_numbers numbers;
  ho_error err = {0};
  ho_store_options at = {.url = r->out->kept.p, .root = ho_arena_z(r->arena, options->root)};
  if (!r->out->kept.n)
    return;
  if (ho_store_open(&at, &old, &err) == HO_OK && ho_store_count(old, &numbers, &err) == HO_OK)
    lost(r, HO_STR("history"),
         ho_arena_printf(r->arena,
                         "%lld events of %lld handoffs, with who did what and when; the old database still "
                         "has them",
                         (long long)numbers.events, (long long)numbers.handoffs)
             .p);
  else
    lost(r, HO_STR("history"), "all events, gates and claims; the old database cannot be read");
  ho_store_close(old);
}

ho_code ho_rebuild(const ho_ledger_options *options, ho_arena *arena, ho_rebuilt *out, ho_error *err)
{
  ho_ledger ledger = {0};
  ho_ledger_options fresh = *options;
  rebuilding r = {.ledger = &ledger, .arena = arena, .out = out};
  out->restored = ho_node_new(arena, HO_KIND_LIST);
  out->lost = ho_node_new(arena, HO_KIND_LIST);
  out->kept = HO_EMPTY;
  r.names = ho_node_new(arena, HO_KIND_MAP);
  ho_str home = ho_ledger_home(options), path = ho_ledger_database(options, home);
  if (!path.n)
    return ho_fail(err, HO_USAGE, "only a store in a file can be rebuilt");
  ho_code code = put_aside(path.p, arena, options->clock_ms(options->world), &out->kept, err);
  fresh.create = fresh.anew = true;
  if (!code)
    code = ho_ledger_open(&fresh, &ledger, err);
  if (code)
    return code;
  count_lost(&r, options);
  code = read_archive(&r, err);
  if (!code)
    code = read_state(&r, err);
  if (!code)
    code = ho_ledger_write(&ledger, restore, &r, err);
  ho_ledger_close(&ledger);
  return code;
}
