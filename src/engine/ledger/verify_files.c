/* The files of handoffs: their rows against what the events recorded of them, and what is on the disk against the rows. */
#include "base/grow.h"
#include "doc/json/json.h"
#include "doc/source.h"
#include "engine/ledger/archive_copy.h"
#include "engine/ledger/describe.h"
#include "engine/ledger/verify_parts.h"
#include "model/lifecycle.h"
#include "store/handoffs/events.h"

enum { PAGE = 500 };

/* ---- What the events recorded */

/* The newest text under this key in the events' data, or "". */
static ho_str newest(const ho_event_list *events, const char *key, ho_arena *arena)
{
  ho_str quoted = ho_arena_printf(arena, "\"%s\":", key);
  for (size_t i = events->count; quoted.n && i-- > 0;) {
    ho_source source;
    ho_node *map = NULL;
    ho_error err;
    if (ho_str_has(events->rows[i].data, quoted.p) &&
        !ho_source_init(&source, arena, HO_STR("event"), events->rows[i].data, &err) &&
        !ho_json_read(&source, 0, arena, NULL, &map, &err) && ho_map_str(map, key).n)
      return ho_map_str(map, key);
  }
  return HO_EMPTY;
}

ho_code ho_verify_recorded(ho_project *project, ho_str handoff, const ho_file_list *files, ho_arena *arena,
                           const char **flaw, ho_error *err)
{
  ho_event_list events;
  ho_str archive = HO_EMPTY;
  *flaw = NULL;
  ho_code code = ho_events_whole(project->store, handoff, arena, &events, err);
  if (code)
    return code;
  for (size_t i = 0; i < files->count; i++)
    if (files->rows[i].kind == HO_FILE_ARCHIVE)
      archive = files->rows[i].digest;
  ho_str copied = newest(&events, HO_DATA_ARCHIVE, arena), sent = newest(&events, HO_DATA_FILES, arena);
  if (copied.n && !ho_str_eq(copied, archive))
    *flaw = "its copy in the archive is not the one that its events recorded";
  else if (sent.n && !ho_str_eq(sent, ho_files_digest(arena, files->rows, files->count)))
    *flaw = "its files are not those that its events recorded";
  return ho_arena_code(arena, err);
}

/* ---- What is on the disk */

/* Another handoff was sent from this file since: it is that one's copy now. */
static ho_code sent_since(ho_verifying *v, ho_arena *arena, const ho_file *file, bool *yes, ho_error *err)
{
  ho_handoff newest;
  bool found = false;
  *yes = false;
  if (file->kind != HO_FILE_COPY)
    return HO_OK;
  ho_code code = ho_handoffs_by_path(v->project->store, file->path, arena, &newest, &found, err);
  *yes = !code && found && !ho_str_eq(newest.id, file->handoff);
  return code;
}

/* Adds to one of the verdict's lists that a file is not as recorded. code: what reading it returned. */
static void say(ho_verifying *v, ho_arena *arena, ho_node *list, const ho_handoff *row, const ho_file *file,
                ho_code code)
{
  const char *remedy = code == HO_NOT_FOUND && file->kind == HO_FILE_ARCHIVE ? "; run: handoff repair" : "";
  ho_str message =
      ho_arena_printf(arena, "the %.*s of %.*s %s%s", HO_ARG(ho_words_str(&ho_file_kinds, file->kind)), HO_ARG(row->id),
                      code == HO_NOT_FOUND ? "is gone"
                      : code               ? "cannot be read"
                                           : "has changed since it was recorded",
                      remedy);
  ho_verify_add(v, list, HO_STR("file"), file->path, message);
}

/* Compares a file in the archive, or a copy, with its row: now, and for good. */
static ho_code compare_again(ho_verifying *v, ho_arena *arena, const ho_handoff *row, const ho_file *file,
                             ho_error *out)
{
  bool same = false, since = false;
  int64_t unfinished = 0;
  ho_error err = {0};
  ho_state state = HO_STATE_READY;
  ho_code code = ho_describe_file_same(v->project, arena, file, &same, &err);
  if (code == HO_MEMORY)
    return *out = err, code;
  if (same)
    return HO_OK;
  ho_code asked = ho_store_unfinished(v->project->store, file->path, &unfinished, out);
  if (!asked && !unfinished)
    asked = sent_since(v, arena, file, &since, out);
  if (asked || unfinished) /* what is still to be written is said by itself */
    return asked;
  ho_state_named(row->state, &state);
  bool differs = file->kind == HO_FILE_ARCHIVE || (!code && !since && ho_state_open(state));
  say(v, arena, differs ? v->out->differences : v->out->drift, row, file, code);
  return HO_OK;
}

/* Artifacts change, which is normal, and they are nobody's but their authors'. */
static ho_code compare(ho_verifying *v, ho_arena *arena, const ho_handoff *row, const ho_file *file, ho_error *out)
{
  bool same = false;
  ho_error err = {0};
  ho_code code = ho_describe_file_same(v->project, arena, file, &same, &err);
  v->out->files++;
  if (code == HO_MEMORY)
    return *out = err, code;
  if (same)
    return HO_OK;
  if (file->kind == HO_FILE_ARTIFACT) {
    say(v, arena, v->out->drift, row, file, code);
    return HO_OK;
  }
  ho_suspect *s = HO_PUSH(v->arena, v->suspects, v->count);
  if (s)
    *s = (ho_suspect){ho_arena_copy(v->arena, row->id), ho_arena_copy(v->arena, file->path), file->kind};
  return ho_arena_code(v->arena, out);
}

ho_code ho_verify_files_of(ho_verifying *v, ho_arena *arena, const ho_handoff *row, ho_error *err)
{
  ho_file_list files;
  const char *flaw = NULL;
  ho_code code = ho_files_select(v->project->store, row->id, arena, &files, err);
  if (!code)
    code = ho_verify_recorded(v->project, row->id, &files, arena, &flaw, err);
  if (flaw)
    ho_verify_add(v, v->out->differences, HO_STR("file"), row->id, ho_str_of(flaw));
  for (size_t i = 0; !code && i < files.count && !v->project->other_store; i++)
    code = compare(v, arena, row, &files.rows[i], err);
  v->out->handoffs++;
  return code;
}

static void show(const ho_verifying *v, int64_t total)
{
  if (v->watch && v->watch->show && v->out->handoffs <= total)
    v->watch->show(v->watch->world, (size_t)v->out->handoffs, (size_t)total, "handoff");
}

ho_code ho_verify_files(ho_verifying *v, ho_error *err)
{
  ho_filter filter = {.limit = PAGE};
  ho_handoff_list list;
  int64_t newest = 0;
  ho_code code = HO_OK;
  do {
    ho_arena arena;
    ho_arena_init(&arena, 0);
    code = ho_handoffs_select(v->project->store, &filter, &arena, &list, err);
    for (size_t i = 0; !code && i < list.count; i++)
      code = ho_verify_files_of(v, &arena, &list.rows[i], err);
    if (!code)
      code = ho_arena_code(&arena, err);
    if (list.count)
      filter.before_seq = list.rows[list.count - 1].seq;
    if (!newest && list.count)
      newest = list.rows[0].seq;
    ho_arena_free(&arena);
    show(v, newest);
  } while (!code && list.count == PAGE);
  return code;
}

ho_code ho_verify_files_again(ho_store *store, void *data, ho_error *err)
{
  enum { AT_ONCE = 50 }; /* others wait meanwhile */
  ho_verifying *v = data;
  ho_arena arena;
  ho_code code = HO_OK;
  ho_arena_init(&arena, 0);
  for (int n = 0; !code && n < AT_ONCE && v->looked < v->count; n++) {
    const ho_suspect *s = &v->suspects[v->looked++];
    ho_handoff row;
    ho_file_list files = {0};
    ho_error none = {0};
    code = ho_handoffs_get(store, s->handoff, &arena, &row, &none);
    if (!code)
      code = ho_files_select(store, s->handoff, &arena, &files, &none);
    for (size_t i = 0; !code && i < files.count; i++)
      if (files.rows[i].kind == s->kind && ho_str_eq(files.rows[i].path, s->path))
        code = compare_again(v, &arena, &row, &files.rows[i], &none);
    if (code == HO_NOT_FOUND)
      code = HO_OK; /* pruned since */
    else if (code)
      *err = none;
    ho_arena_reset(&arena);
  }
  ho_arena_free(&arena);
  return code;
}
