#include "engine/ledger/verify.h"

#include "engine/ledger/derive.h"
#include "engine/ledger/describe.h"
#include "model/lifecycle.h"
#include "store/handoffs/chain.h"
#include "store/handoffs/handoffs.h"

enum { PAGE = 500 };

typedef struct verifying {
  ho_project *project;
  ho_arena *arena; /* for the result */
  ho_verdict *out;
} verifying;

static void add(ho_arena *arena, ho_node *list, ho_str part, ho_str name, ho_str message)
{
  ho_node *item = ho_list_add(list, ho_node_new(arena, HO_KIND_MAP));
  ho_map_addz(item, "part", ho_node_text(arena, ho_arena_copy(arena, part)));
  ho_map_addz(item, "name", ho_node_text(arena, ho_arena_copy(arena, name)));
  ho_map_addz(item, "message", ho_node_text(arena, ho_arena_copy(arena, message)));
}

static ho_code take_flaw(void *data, const ho_flaw *flaw, ho_error *err)
{
  verifying *v = data;
  add(v->arena, v->out->differences, ho_str_of(flaw->part), ho_str_of(flaw->name), ho_str_of(flaw->message));
  return ho_arena_code(v->arena, err);
}

static ho_code take_gate_flaw(void *data, ho_str gate, ho_str message, ho_error *err)
{
  verifying *v = data;
  add(v->arena, v->out->differences, HO_STR("gate"), gate, message);
  return ho_arena_code(v->arena, err);
}

static ho_code take_signed_flaw(void *data, const char *part, ho_str name, ho_str message, ho_error *err)
{
  verifying *v = data;
  add(v->arena, v->out->differences, ho_str_of(part), name, message);
  return ho_arena_code(v->arena, err);
}

/* Is the file itself damaged? Then its contents say nothing. */
static bool damaged(const ho_verdict *verdict)
{
  HO_EACH_CONST (item, verdict->differences)
    if (ho_str_is(ho_map_str(item, "part"), "database"))
      return true;
  return false;
}

/* Another handoff was sent from this file since: it is that one's copy now. */
static ho_code sent_since(verifying *v, ho_arena *arena, const ho_file *file, bool *yes, ho_error *err)
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

static ho_code compare(verifying *v, ho_arena *arena, const ho_handoff *row, const ho_file *file, ho_error *out)
{
  bool same = false;
  ho_error err = {0};
  ho_state state = HO_STATE_READY;
  ho_code code = ho_describe_file_same(v->project, arena, file, &same, &err);
  v->out->files++;
  if (code == HO_MEMORY)
    return *out = err, code;
  if (same)
    return HO_OK;
  int64_t unfinished = 0;
  ho_code asked = ho_store_unfinished(v->project->store, file->path, &unfinished, out);
  bool since = false;
  if (!asked)
    asked = sent_since(v, arena, file, &since, out);
  if (asked)
    return asked;
  ho_state_named(row->state, &state);
  bool archive = file->kind == HO_FILE_ARCHIVE, copy = file->kind == HO_FILE_COPY;
  bool differs = !unfinished && (archive || (copy && !code && !since && ho_state_open(state)));
  ho_str message =
      ho_arena_printf(arena, "the %.*s of %.*s %s", HO_ARG(ho_words_str(&ho_file_kinds, file->kind)), HO_ARG(row->id),
                      unfinished             ? "is recorded but could not be written yet"
                      : code == HO_NOT_FOUND ? "is gone"
                      : code                 ? "cannot be read"
                                             : "has changed since it was recorded");
  add(v->arena, differs ? v->out->differences : v->out->drift, HO_STR("file"), file->path, message);
  return HO_OK;
}

static ho_code compare_page(verifying *v, const ho_filter *filter, ho_arena *arena, ho_handoff_list *list,
                            ho_error *err)
{
  ho_code code = ho_handoffs_select(v->project->store, filter, arena, list, err);
  for (size_t i = 0; !code && i < list->count; i++) {
    ho_file_list files;
    const char *flaw = NULL;
    code = ho_files_select(v->project->store, list->rows[i].id, arena, &files, err);
    if (!code)
      code = ho_verify_recorded(v->project, list->rows[i].id, &files, arena, &flaw, err);
    if (flaw)
      add(v->arena, v->out->differences, HO_STR("file"), list->rows[i].id, ho_str_of(flaw));
    for (size_t k = 0; !code && k < files.count; k++)
      code = compare(v, arena, &list->rows[i], &files.rows[k], err);
    v->out->handoffs++;
  }
  return code;
}

static ho_code compare_files(verifying *v, ho_error *err)
{
  ho_filter filter = {.limit = PAGE};
  ho_handoff_list list;
  ho_code code = HO_OK;
  do {
    ho_arena arena;
    ho_arena_init(&arena, 0);
    list.count = 0;
    code = compare_page(v, &filter, &arena, &list, err);
    if (!code)
      code = ho_arena_code(&arena, err);
    if (list.count)
      filter.before_seq = list.rows[list.count - 1].seq;
    ho_arena_free(&arena);
  } while (!code && list.count == PAGE);
  return code;
}

/* What a killed process left is finished first; if that is not possible, compare() takes it into account. */
static ho_code finish_files(ho_store *store, ho_error *err)
{
  int64_t unfinished = 0;
  ho_error ignored;
  ho_code code = ho_store_unfinished(store, HO_EMPTY, &unfinished, err);
  if (!code && unfinished)
    (void)!ho_store_settle(store, &ignored);
  return code;
}

ho_code ho_verify(ho_project *project, ho_arena *arena, ho_verdict *out, ho_error *err)
{
  verifying v = {project, arena, out};
  out->differences = ho_node_new(arena, HO_KIND_LIST);
  out->drift = ho_node_new(arena, HO_KIND_LIST);
  out->handoffs = out->files = 0;
  out->people = (ho_signed){0};
  ho_code code = ho_arena_code(arena, err);
  ho_derive_ahead(project, HO_DERIVED_SEARCH);
  if (!code)
    code = ho_chain_check_database(project->store, false, take_flaw, &v, err);
  if (!code && !damaged(out)) {
    code = finish_files(project->store, err);
    if (!code)
      code = ho_chain_verify(project->store, take_flaw, &v, err);
    if (!code)
      code = ho_verify_gates(project, take_gate_flaw, &v, err);
    if (!code)
      code = ho_verify_runs(project, take_gate_flaw, &v, err);
    if (!code)
      code = ho_verify_signatures(project, arena, &out->people, take_signed_flaw, &v, err);
  }
  if (!code)
    code = compare_files(&v, err);
  return code ? code : ho_arena_code(arena, err);
}
