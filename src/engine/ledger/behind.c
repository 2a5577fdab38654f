#include "engine/ledger/behind.h"

#include "base/grow.h"
#include "doc/json/json.h"
#include "doc/source.h"
#include "engine/ledger/archive_copy.h"
#include "engine/project/identity.h"
#include "engine/project/paths.h"
#include "model/lifecycle.h"
#include "model/syntax.h"
#include "store/handoffs/events.h"
#include "store/handoffs/handoffs.h"

typedef struct looking {
  ho_project *project;
  ho_store *store;
  ho_arena *arena;
  ho_beside_list *out;
  int64_t after; /* what was sent until then may be another clone's; 0: everything counts */
} looking;

static void add(looking *l, ho_beside what, ho_str id, ho_str path, ho_str state)
{
  for (size_t i = 0; i < l->out->count; i++)
    if (ho_str_eq(l->out->rows[i].id, id))
      return;
  ho_beside_item *item = HO_PUSH(l->arena, l->out->rows, l->out->count);
  if (item)
    *item = (ho_beside_item){what, ho_arena_copy(l->arena, id), ho_arena_copy(l->arena, path),
                             ho_arena_copy(l->arena, state)};
}

/* Of a handoff that was pruned, its events are left. */
static ho_code is_known(const looking *l, ho_str id, ho_arena *arena, bool *out, ho_error *err)
{
  ho_event_list events;
  ho_code code = ho_events_select(l->store, id, 0, 1, arena, &events, err);
  *out = !code && events.count > 0;
  return code;
}

/* One that was made again from its own file has the second in which it was sent. */
static bool is_same(const ho_handoff *a, const ho_handoff *b)
{
  return ho_str_eq(a->sender, b->sender) &&
         (a->created == b->created || (a->created / 1000 == b->created / 1000 && ho_str_eq(a->digest, b->digest)));
}

/* The copy that the store records is compared by `verify`; this is about any other. */
static ho_code compare(looking *l, const ho_handoff *copy, ho_str path, ho_arena *arena, ho_error *err)
{
  ho_handoff row;
  ho_error none = {0};
  bool known = false;
  if (copy->created <= l->after)
    return HO_OK;
  ho_code code = ho_handoffs_get(l->store, copy->id, arena, &row, &none);
  if (code && code != HO_NOT_FOUND)
    return *err = none, code;
  if (code) {
    code = is_known(l, copy->id, arena, &known, err);
    if (!code && !known)
      add(l, HO_BESIDE_UNKNOWN, copy->id, path, copy->state);
    return code;
  }
  if (!is_same(&row, copy))
    add(l, HO_BESIDE_OTHER, copy->id, path, copy->state);
  else if (copy->updated > row.updated)
    add(l, HO_BESIDE_NEWER, copy->id, path, copy->state);
  return HO_OK;
}

static ho_code look_at_copies(looking *l, ho_error *err)
{
  ho_fs_list files = {0};
  ho_arena one;
  ho_code code = ho_paths_archived(l->arena, l->project->home, l->project->written.archive, &files, err);
  ho_arena_init(&one, 0);
  for (size_t i = 0; !code && i < files.count; i++) {
    ho_str text;
    ho_archived copy;
    ho_error why = {0};
    ho_code bad = ho_fs_read(&one, files.paths[i], 0, &text, &why);
    if (!bad)
      bad = ho_archive_copy_parse(text, &one, &copy, &why);
    if (bad == HO_MEMORY)
      code = ho_fail_memory(err);
    else if (!bad && ho_id_fits(copy.row.id))
      code = compare(l, &copy.row, ho_fs_relative(l->project->home, ho_str_of(files.paths[i])), &one, err);
    ho_arena_reset(&one);
  }
  ho_arena_free(&one);
  return code ? code : ho_arena_code(l->arena, err);
}

/* Entries of other tools are named, too: nobody knows whose they are. */
static ho_code look_at_state(looking *l, ho_error *err)
{
  ho_source source;
  ho_node *root = NULL;
  ho_str text, path = ho_fs_join(l->arena, l->project->home, l->project->written.state);
  ho_error none = {0};
  ho_code code = HO_OK;
  if (!path.n || !ho_fs_is_file(path.p) || ho_fs_read(l->arena, path.p, (size_t)256 << 20, &text, &none) ||
      ho_source_init(&source, l->arena, l->project->written.state, text, &none) ||
      ho_json_read(&source, HO_JSON_COMMENTS, l->arena, NULL, &root, &none))
    return none.code == HO_MEMORY ? ho_fail_memory(err) : ho_arena_code(l->arena, err);
  HO_EACH_CONST (entry, ho_map_getz(root, "handoffs")) {
    int64_t at = 0;
    bool known = false;
    ho_str id = ho_map_str(entry, "id");
    if (code || !ho_id_fits(id) || !ho_stamp_time(ho_map_str(entry, "timestamp"), &at) || at + 999 <= l->after)
      continue;
    code = is_known(l, id, l->arena, &known, err);
    if (!code && !known)
      add(l, HO_BESIDE_UNKNOWN, id, l->project->written.state, ho_map_str(entry, "status"));
  }
  return code ? code : ho_arena_code(l->arena, err);
}

ho_code ho_behind_find(ho_project *project, ho_store *store, ho_arena *arena, ho_beside_list *out, bool *behind,
                       ho_error *err)
{
  ho_behind state = HO_BEHIND_NOT;
  ho_event_list events = {0};
  looking l = {.project = project, .store = store, .arena = arena, .out = out};
  *out = (ho_beside_list){0};
  *behind = false;
  if (project->other_store)
    return HO_OK;
  ho_code code = ho_store_behind(store, &state, err);
  if (!code && state == HO_BEHIND_PERHAPS)
    code = ho_events_select(store, HO_EMPTY, 0, 1, arena, &events, err);
  if (code || state == HO_BEHIND_NOT)
    return code;
  *behind = state == HO_BEHIND;
  l.after = events.count ? events.rows[0].at : 0;
  code = look_at_copies(&l, err);
  return code ? code : look_at_state(&l, err);
}

static void put(ho_arena *arena, ho_node *into, const char *part, ho_str name, ho_str message)
{
  ho_node *item = ho_list_add(into, ho_node_new(arena, HO_KIND_MAP));
  ho_map_addz(item, "part", ho_node_textz(arena, part));
  ho_map_addz(item, "name", ho_node_text(arena, ho_arena_copy(arena, name)));
  ho_map_addz(item, "message", ho_node_text(arena, message));
}

static ho_str told(const ho_beside_item *item, ho_arena *arena)
{
  switch (item->what) {
  case HO_BESIDE_NEWER:
    return ho_arena_printf(arena, "%.*s is newer here (%.*s) than in the store; a person runs: handoff rebuild",
                           HO_ARG(item->id), HO_ARG(item->state));
  case HO_BESIDE_OTHER:
    return ho_arena_printf(arena,
                           "%.*s is another handoff here than in the store; if it is still wanted, send it again",
                           HO_ARG(item->id));
  default:
    return ho_arena_printf(arena, "%.*s (%.*s) is not in the store; a person runs: handoff rebuild", HO_ARG(item->id),
                           HO_ARG(item->state));
  }
}

ho_code ho_behind_list(ho_project *project, ho_store *store, ho_arena *arena, ho_node *into, ho_error *err)
{
  ho_beside_list list;
  bool behind = false;
  ho_code code = ho_behind_find(project, store, arena, &list, &behind, err);
  if (!code && behind)
    put(arena, into, "database", ho_fs_relative(project->home, ho_str_of(ho_store_path(store))),
        HO_STR(
            "is older than what was recorded in it: a backup is in its place, or its log is gone; to take in what the "
            "archive and the state file have, a person runs: handoff rebuild"));
  for (size_t i = 0; !code && i < list.count; i++)
    put(arena, into, "file", list.rows[i].path, told(&list.rows[i], arena));
  return code ? code : ho_arena_code(arena, err);
}

ho_code ho_behind_look(ho_project *project, ho_error *err)
{
  ho_behind state;
  ho_beside_list list;
  bool behind;
  ho_store *store = project->store;
  ho_code code = ho_store_behind(store, &state, err);
  if (code || state != HO_BEHIND_PERHAPS)
    return code;
  code = ho_behind_find(project, store, project->arena, &list, &behind, err);
  for (size_t i = 0; !code && i < list.count; i++)
    code = ho_store_id_used(store, list.rows[i].id, err);
  return code || !list.count ? code : ho_store_set_behind(store, true, err);
}
