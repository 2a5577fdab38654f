#include "engine/ledger/archive.h"

#include "base/buf.h"
#include "base/digest.h"
#include "doc/json/json.h"
#include "doc/source.h"
#include "doc/yaml/yaml.h"
#include "engine/ledger/turn.h"
#include "model/document/recognise.h"
#include "store/knowledge/known.h"

#define COMMENT "# handoff "
#define PRUNED "pruned"

/* What the comment keeps of a row. */
/* clang-format off */
#define TEXTS(X) \
  X(id) X(kind) X(type) X(state) X(sender) X(receiver) X(task) X(phase) X(session) X(digest) X(key) X(parent) X(path) \
  X(superseded_by) X(marks)
/* clang-format on */

static void put_comment(ho_buf *out, const ho_handoff *row, ho_arena *arena)
{
  ho_node *map = ho_node_new(arena, HO_KIND_MAP);
#define X(name)                                                                                                        \
  if (row->name.n)                                                                                                     \
    ho_map_addz(map, #name, ho_node_text(arena, row->name));
  TEXTS(X)
#undef X
  ho_map_addz(map, "created", ho_node_number(arena, row->created));
  ho_map_addz(map, "updated", ho_node_number(arena, row->updated));
  if (row->deadline)
    ho_map_addz(map, "deadline", ho_node_number(arena, row->deadline));
  ho_buf_puts(out, COMMENT);
  ho_json_write(out, map, 0);
  ho_buf_putc(out, '\n');
}

static void put_document(ho_buf *out, const ho_handoff *row, ho_str body, ho_arena *arena)
{
  const ho_format *format = ho_format_named(row->kind);
  if (format && ho_recognise_encoding(row->path, body, format) != HO_MARKDOWN) {
    ho_buf_put(out, body);
    return;
  }
  ho_node *map = ho_node_new(arena, HO_KIND_MAP);
  ho_map_addz(map, "format", ho_node_text(arena, row->kind));
  ho_map_addz(map, "body", ho_node_text(arena, body));
  ho_yaml_write(out, map);
}

/* Where its copy is, or will be: a place once noted is kept. */
static ho_code place(ho_project *project, const ho_handoff *row, ho_arena *arena, ho_str *out, ho_error *err)
{
  ho_file_list files;
  ho_code code = ho_file_select(project->store, row->id, arena, &files, err);
  for (size_t i = 0; !code && i < files.count; i++)
    if (ho_str_is(files.rows[i].kind, "archive")) {
      *out = files.rows[i].path;
      return HO_OK;
    }
  ho_str session = ho_id_fits(row->session) || row->session.n > 64 ? row->session : HO_STR("unknown");
  ho_str path = ho_arena_printf(arena, HO_ARCHIVE_FOLDER "/%.*s/handoffs/%.*s.yaml", HO_ARG(session), HO_ARG(row->id));
  *out = ho_fs_relative(project->home, ho_fs_join(arena, project->root, path));
  return code;
}

ho_code ho_archive_copy(ho_project *project, const ho_handoff *row, ho_arena *arena, ho_error *err)
{
  ho_buf text;
  ho_str body = HO_EMPTY;
  char digest[HO_DIGEST_SIZE];
  ho_file file = {.handoff = row->id, .kind = HO_STR("archive")};
  if (!ho_id_fits(row->id))
    return HO_OK;
  ho_code code = ho_body_get(project->store, row->digest, arena, &body, err);
  if (!code)
    code = place(project, row, arena, &file.path, err);
  if (code)
    return code;
  ho_buf_init(&text, 0);
  put_comment(&text, row, arena);
  put_document(&text, row, body, arena);
  code = ho_buf_code(&text, err);
  if (!code)
    code = ho_arena_code(arena, err);
  if (!code)
    code = ho_store_intend(project->store, file.path, ho_buf_str(&text), HO_FS_REPLACE, err);
  ho_digest_text(ho_buf_str(&text), digest);
  file.digest = ho_str_of(digest);
  file.size = (int64_t)text.n;
  ho_buf_free(&text);
  return code ? code : ho_file_put(project->store, &file, err);
}

static ho_code read_comment(ho_str line, ho_arena *arena, ho_handoff *row, ho_error *err)
{
  ho_source source;
  ho_node *map;
  long long number;
  if (!ho_str_starts(line, COMMENT))
    return ho_fail(err, HO_INVALID, "is no copy of a handoff: its first line does not say what it is");
  ho_str json = ho_arena_copy(arena, ho_str_sub(line, sizeof COMMENT - 1, line.n));
  ho_code code = ho_source_init(&source, arena, HO_STR("comment"), json, err);
  if (!code)
    code = ho_json_read(&source, 0, arena, NULL, &map, err);
  if (code)
    return code;
  *row = (ho_handoff){0};
#define X(name) row->name = ho_node_str(ho_map_getz(map, #name));
  TEXTS(X)
#undef X
  row->created = ho_node_to_int(ho_map_getz(map, "created"), &number) ? number : 0;
  row->updated = ho_node_to_int(ho_map_getz(map, "updated"), &number) ? number : 0;
  row->deadline = ho_node_to_int(ho_map_getz(map, "deadline"), &number) ? number : 0;
  return HO_OK;
}

ho_code ho_archive_parse(ho_str text, ho_arena *arena, ho_archived *out, ho_error *err)
{
  ho_source source;
  ho_str line, rest = text;
  ho_node *map = NULL;
  ho_error other = {0};
  if (!ho_str_next_line(&rest, &line))
    line = HO_EMPTY;
  ho_code code = read_comment(line, arena, &out->row, err);
  if (code)
    return code;
  out->body = rest;
  if (!ho_str_starts(rest, "format:"))
    return HO_OK;
  code = ho_source_init(&source, arena, HO_STR("archive"), rest, err);
  if (!code && ho_yaml_read(&source, 0, (uint32_t)rest.n, arena, NULL, &map, &other) == HO_OK &&
      ho_node_is(ho_map_getz(map, "body"), HO_KIND_TEXT))
    out->body = ho_map_getz(map, "body")->text;
  return code;
}

bool ho_archive_is_copy(ho_str path)
{
  return ho_str_ends(path, ".yaml") && ho_str_is(ho_fs_name(ho_fs_parent(path)), "handoffs");
}

bool ho_archive_any(ho_arena *arena, ho_str home)
{
  ho_fs_list files = {0};
  ho_error err;
  ho_str folder = ho_fs_join(arena, home, HO_STR(HO_ARCHIVE_FOLDER)), text;
  if (!folder.n || !ho_fs_is_folder(folder.p) || ho_fs_walk(arena, folder.p, ho_archive_is_copy, &files, &err))
    return false;
  for (size_t i = 0; i < files.count; i++)
    if (ho_fs_read(arena, files.paths[i], 0, &text, &err) == HO_OK && ho_str_starts(text, COMMENT "{"))
      return true;
  return false;
}

typedef struct archiving {
  ho_project *project;
  ho_arena *arena;
  const ho_node *ids; /* NULL: every ended one */
  ho_node *done;
  int64_t before;
} archiving;

static ho_code archive_one(archiving *a, ho_turn *turn, ho_error *err)
{
  ho_code code = ho_turn_step(turn, HO_STEP_ARCHIVED, NULL, err);
  if (!code)
    code = ho_archive_copy(a->project, &turn->row, a->arena, err);
  ho_str path = HO_EMPTY;
  if (!code)
    code = place(a->project, &turn->row, a->arena, &path, err);
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
  ho_code code = ho_handoff_select(a->project->store, &filter, a->arena, &list, err);
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
  return code ? code : ho_store_seal(store, ho_project_now(a->project), err);
}

ho_code ho_archive_run(ho_project *project, const ho_node *ids, ho_arena *arena, ho_node *done, ho_error *err)
{
  archiving a = {.project = project, .arena = arena, .ids = ids, .done = done};
  return ho_ledger_write(project, archive, &a, err);
}

/* Removes handoffs that are archived, and what was learned from them. */
static ho_code remove_all(archiving *a, const ho_handoff_list *list, ho_error *err)
{
  ho_str archived = ho_str_of(ho_state_name(HO_STATE_ARCHIVED));
  ho_event event = {.at = ho_project_now(a->project), .actor = ho_project_actor(a->project), .kind = HO_STR(PRUNED)};
  ho_code code = HO_OK;
  a->done->first = a->done->last = NULL;
  a->done->count = 0;
  for (size_t i = 0; !code && i < list->count; i++) {
    code = ho_handoff_remove(a->project->store, list->rows[i].id, archived, &event, err);
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
    code = ho_handoff_select(store, &filter, a->arena, &list, err);
  return code ? code : remove_all(a, &list, err);
}

ho_code ho_archive_prune(ho_project *project, int64_t before, ho_arena *arena, ho_node *done, ho_error *err)
{
  archiving a = {.project = project, .arena = arena, .done = done, .before = before};
  return ho_ledger_write(project, prune, &a, err);
}

static ho_code prune_again(ho_store *store, void *data, ho_error *err)
{
  archiving *a = data;
  ho_handoff_list list = {.rows = ho_arena_array(a->arena, a->ids->count, sizeof *list.rows)};
  ho_code code = ho_arena_code(a->arena, err);
  HO_EACH_CONST (id, a->ids)
    if (!code)
      code = ho_handoff_get(store, id->text, a->arena, &list.rows[list.count++], err);
  return code ? code : remove_all(a, &list, err);
}

ho_code ho_archive_prune_again(ho_project *project, const ho_node *ids, ho_arena *arena, ho_error *err)
{
  archiving a = {.project = project, .arena = arena, .ids = ids, .done = ho_node_new(arena, HO_KIND_LIST)};
  ho_code code = ho_arena_code(arena, err);
  return code || !ids->count ? code : ho_ledger_write(project, prune_again, &a, err);
}

ho_code ho_archive_pruned(ho_store *store, ho_text_each each, void *data, ho_error *err)
{
  return ho_event_handoffs(store, HO_STR(PRUNED), each, data, err);
}
