#include "engine/ledger/verify.h"

#include "engine/ledger/behind.h"
#include "engine/ledger/repair.h"
#include "engine/ledger/verify_parts.h"
#include "engine/project/paths.h"

enum { RECENT = 1000 /* events that are looked at quickly */ };

void ho_verify_add(ho_verifying *v, ho_node *list, ho_str part, ho_str name, ho_str message)
{
  ho_arena *arena = v->arena;
  ho_node *item = ho_list_add(list, ho_node_new(arena, HO_KIND_MAP));
  ho_map_addz(item, "part", ho_node_text(arena, ho_arena_copy(arena, part)));
  ho_map_addz(item, "name", ho_node_text(arena, ho_arena_copy(arena, name)));
  ho_map_addz(item, "message", ho_node_text(arena, ho_arena_copy(arena, message)));
}

static ho_code take_flaw(void *data, const char *part, ho_str name, ho_str message, ho_error *err)
{
  ho_verifying *v = data;
  ho_verify_add(v, v->out->differences, ho_str_of(part), name, message);
  return ho_arena_code(v->arena, err);
}

ho_code ho_verify_take(void *data, const ho_flaw *flaw, ho_error *err)
{
  return take_flaw(data, flaw->part, ho_str_of(flaw->name), ho_str_of(flaw->message), err);
}

static ho_code take_doubt(void *data, const char *part, ho_str name, ho_str message, ho_error *err)
{
  (void)part;
  (void)name;
  (void)message;
  (void)err;
  ((ho_verifying *)data)->doubts = true;
  return HO_OK;
}

/* Is the file itself damaged? Then its contents say nothing. */
static bool damaged(const ho_verdict *verdict)
{
  HO_EACH_CONST (item, verdict->differences)
    if (ho_str_is(ho_map_str(item, "part"), "database"))
      return true;
  return false;
}

static ho_code check_quickly(ho_verifying *v, ho_error *err)
{
  struct stat info;
  ho_store *store = v->project->store;
  ho_code code = HO_OK;
  v->out->whole_file = ho_fs_stat(ho_store_path(store), &info) == 0 && info.st_size <= HO_VERIFY_QUICK_BYTES;
  if (v->out->whole_file)
    code = ho_chain_check_database(store, true, ho_verify_take, v, err);
  if (code || damaged(v->out))
    return code;
  code = ho_chain_verify_seal(store, ho_verify_take, v, err);
  if (!code)
    code = ho_verify_gates(v->project, RECENT, take_flaw, v, err);
  if (!code)
    code = ho_verify_documents(v, RECENT, err);
  return code ? code : ho_verify_recent(v, RECENT, err);
}

/* In one snapshot. */
static ho_code check_all(ho_store *store, void *data, ho_error *err)
{
  ho_verifying *v = data;
  if (v->quick)
    return check_quickly(v, err);
  ho_code code = ho_chain_check_database(store, false, ho_verify_take, v, err);
  if (!code && !damaged(v->out)) {
    code = ho_chain_verify(store, v->watch, ho_verify_take, v, err);
    if (!code)
      code = ho_verify_gates(v->project, 0, take_flaw, v, err);
    if (!code)
      code = ho_verify_documents(v, 0, err);
    if (!code)
      code = ho_verify_runs(v->project, take_flaw, v, err);
    if (!code)
      code = ho_verify_signatures(v->project, v->arena, &v->out->people, take_doubt, v, err);
  }
  return code ? code : ho_verify_files(v, err);
}

/* Is the seal's file about this store? That of a copy may have been kept with it, or not. */
static bool has_seal_file(const ho_verifying *v)
{
  ho_str seal = ho_store_seal(v->project->store, v->arena);
  ho_str own = ho_fs_join(v->arena, v->project->home, HO_STR(HO_PATH_SEAL));
  return !v->project->other_store || (seal.n && !ho_str_eq(seal, own) && ho_fs_exists(seal.p));
}

/* What is outside the database and follows it, while nobody writes it. */
static ho_code check_outside(ho_store *store, void *data, ho_error *err)
{
  ho_verifying *v = data;
  ho_code code = has_seal_file(v) ? ho_chain_verify_seal_file(store, ho_verify_take, v, err) : HO_OK;
  if (!code && v->doubts)
    code = ho_verify_signatures(v->project, v->arena, &v->out->people, take_flaw, v, err);
  return code ? code : ho_repair_unwritten(v->project, store, v->unsettled, v->arena, &v->out->unwritten, err);
}

/* What a killed process left is finished first; if that is not possible, it is reported. */
static ho_code finish_files(ho_verifying *v, ho_error *err)
{
  int64_t unfinished = 0;
  ho_error ignored;
  ho_code code = ho_store_unfinished(v->project->store, HO_EMPTY, &unfinished, err);
  if (!code && unfinished)
    v->unsettled = ho_store_settle(v->project->store, &ignored) != HO_OK;
  return code;
}

static ho_code verify_once(ho_verifying *v, ho_error *err)
{
  ho_verdict *out = v->out;
  v->doubts = v->unsettled = false;
  v->suspects = NULL;
  v->count = v->looked = 0;
  *out = (ho_verdict){.differences = ho_node_new(v->arena, HO_KIND_LIST),
                      .drift = ho_node_new(v->arena, HO_KIND_LIST),
                      .unwritten = ho_node_new(v->arena, HO_KIND_LIST),
                      .whole_file = true};
  ho_code code = ho_arena_code(v->arena, err);
  if (!code)
    code = finish_files(v, err);
  if (!code)
    code = ho_store_read(v->project->store, check_all, v, err);
  while (!code && v->looked < v->count)
    code = ho_store_read_still(v->project->store, ho_verify_files_again, v, err);
  if (!code && !damaged(out))
    code = ho_store_read_still(v->project->store, check_outside, v, err);
  if (!code && !damaged(out))
    code = ho_behind_list(v->project, v->project->store, v->arena, out->differences, err);
  return code ? code : ho_arena_code(v->arena, err);
}

/* If a rebuild has replaced the store meanwhile, what was found is not about the new one, which files follow now. */
static ho_code verify(ho_verifying *v, ho_error *err)
{
  enum { TIMES = 5 };
  ho_store *store = v->project->store;
  ho_code code = HO_OK;
  for (int i = 0; i < TIMES && !code; i++) {
    code = verify_once(v, err);
    if (code || !ho_store_replaced(store))
      return code;
    code = ho_store_reopen(store, err);
  }
  return code ? code
              : ho_fail(err, HO_STORE, "the store was rebuilt again and again while it was read; run: handoff verify");
}

ho_code ho_verify(ho_project *project, const ho_store_watch *watch, ho_arena *arena, ho_verdict *out, ho_error *err)
{
  ho_verifying v = {.project = project, .watch = watch, .arena = arena, .out = out};
  return verify(&v, err);
}

ho_code ho_verify_quick(ho_project *project, ho_arena *arena, ho_verdict *out, ho_error *err)
{
  ho_verifying v = {.project = project, .arena = arena, .out = out, .quick = true};
  return verify(&v, err);
}
