#include "engine/ledger/verify.h"

#include "base/grow.h"
#include "engine/ledger/describe.h"
#include "engine/ledger/repair.h"
#include "model/lifecycle.h"
#include "store/handoffs/bodies.h"
#include "store/handoffs/chain.h"
#include "store/handoffs/handoffs.h"

enum { PAGE = 500, RECENT = 1000 /* events that are looked at quickly */ };

/* A file that is not as the snapshot has it. Others write while this is being read, so it is looked at once more. */
typedef struct suspect {
  ho_str handoff, path;
  ho_file_kind kind;
} suspect;

typedef struct verifying {
  ho_project *project;
  const ho_store_watch *watch; /* may be NULL */
  ho_arena *arena;             /* for the result */
  ho_verdict *out;
  bool quick;

  suspect *suspects;
  size_t count, looked; /* how many, and how many were looked at again */
  bool doubts;          /* about what is signed: checked once more */
  bool unsettled;       /* files that could not be written even now */
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

static ho_code take_doubt(void *data, const char *part, ho_str name, ho_str message, ho_error *err)
{
  (void)part;
  (void)name;
  (void)message;
  (void)err;
  ((verifying *)data)->doubts = true;
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

/* Compares a file in the archive, or a copy, with its row: now, and for good. */
static ho_code compare_again(verifying *v, ho_arena *arena, const ho_handoff *row, const ho_file *file, ho_error *out)
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
  bool archive = file->kind == HO_FILE_ARCHIVE;
  bool differs = archive || (!code && !since && ho_state_open(state));
  ho_str message =
      ho_arena_printf(arena, "the %.*s of %.*s %s", HO_ARG(ho_words_str(&ho_file_kinds, file->kind)), HO_ARG(row->id),
                      code == HO_NOT_FOUND ? archive ? "is gone; run: handoff repair" : "is gone"
                      : code               ? "cannot be read"
                                           : "has changed since it was recorded");
  add(v->arena, differs ? v->out->differences : v->out->drift, HO_STR("file"), file->path, message);
  return HO_OK;
}

/* Artifacts change, which is normal, and they are nobody's but their authors'. */
static ho_code compare(verifying *v, ho_arena *arena, const ho_handoff *row, const ho_file *file, ho_error *out)
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
    add(v->arena, v->out->drift, HO_STR("file"), file->path,
        ho_arena_printf(arena, "the artifact of %.*s %s", HO_ARG(row->id),
                        code == HO_NOT_FOUND ? "is gone"
                        : code               ? "cannot be read"
                                             : "has changed since it was recorded"));
    return HO_OK;
  }
  suspect *s = HO_PUSH(v->arena, v->suspects, v->count);
  if (s)
    *s = (suspect){ho_arena_copy(v->arena, row->id), ho_arena_copy(v->arena, file->path), file->kind};
  return ho_arena_code(v->arena, out);
}

static ho_code compare_files_of(verifying *v, ho_arena *arena, const ho_handoff *row, ho_error *err)
{
  ho_file_list files;
  const char *flaw = NULL;
  ho_code code = ho_files_select(v->project->store, row->id, arena, &files, err);
  if (!code)
    code = ho_verify_recorded(v->project, row->id, &files, arena, &flaw, err);
  if (flaw)
    add(v->arena, v->out->differences, HO_STR("file"), row->id, ho_str_of(flaw));
  for (size_t i = 0; !code && i < files.count; i++)
    code = compare(v, arena, row, &files.rows[i], err);
  v->out->handoffs++;
  return code;
}

static void show(const verifying *v, int64_t total)
{
  if (v->watch && v->watch->show && v->out->handoffs <= total)
    v->watch->show(v->watch->world, (size_t)v->out->handoffs, (size_t)total, "handoff");
}

static ho_code compare_files(verifying *v, ho_error *err)
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
      code = compare_files_of(v, &arena, &list.rows[i], err);
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

/* ---- The newest only */

static ho_code check_body(verifying *v, const ho_handoff *row, ho_arena *arena, ho_error *err)
{
  ho_str body;
  ho_error why = {0};
  ho_code code = ho_bodies_get(v->project->store, row->digest, arena, &body, &why);
  if (code == HO_NOT_FOUND || (code && why.rule && strcmp(why.rule, "store-changed") == 0)) {
    add(v->arena, v->out->differences, HO_STR("body"), row->digest,
        code == HO_NOT_FOUND ? HO_STR("it is missing") : HO_STR("its content does not match its digest"));
    return HO_OK;
  }
  if (code)
    *err = why;
  return code;
}

static ho_code check_handoff(verifying *v, ho_str id, ho_arena *arena, ho_error *err)
{
  ho_handoff row;
  ho_error why = {0};
  ho_code code = ho_chain_verify_one(v->project->store, id, take_flaw, v, err);
  if (code)
    return code;
  code = ho_handoffs_get(v->project->store, id, arena, &row, &why);
  if (code == HO_NOT_FOUND)
    return HO_OK; /* pruned, or else the chain has said it */
  if (code)
    return *err = why, code;
  code = check_body(v, &row, arena, err);
  return code ? code : compare_files_of(v, arena, &row, err);
}

/* The handoffs that the newest events are about. */
static ho_code check_recent(verifying *v, ho_error *err)
{
  ho_arena arena, one;
  ho_event_list events;
  ho_arena_init(&arena, 0);
  ho_arena_init(&one, 0);
  ho_code code = ho_events_select(v->project->store, HO_EMPTY, 0, RECENT, &arena, &events, err);
  for (size_t i = 0; !code && i < events.count; i++) {
    bool seen = ho_str_eq(events.rows[i].handoff, HO_EVENTS_PROJECT);
    for (size_t k = 0; !seen && k < i; k++)
      seen = ho_str_eq(events.rows[k].handoff, events.rows[i].handoff);
    if (!seen)
      code = check_handoff(v, events.rows[i].handoff, &one, err);
    if (!code)
      code = ho_arena_code(&one, err);
    ho_arena_reset(&one);
  }
  ho_arena_free(&one);
  ho_arena_free(&arena);
  return code;
}

/* ---- All parts */

static ho_code check_quickly(verifying *v, ho_error *err)
{
  struct stat info;
  ho_store *store = v->project->store;
  ho_code code = HO_OK;
  v->out->whole_file = ho_fs_stat(ho_store_path(store), &info) == 0 && info.st_size <= HO_VERIFY_QUICK_BYTES;
  if (v->out->whole_file)
    code = ho_chain_check_database(store, true, take_flaw, v, err);
  if (code || damaged(v->out))
    return code;
  code = ho_chain_verify_seal(store, take_flaw, v, err);
  if (!code)
    code = ho_verify_gates(v->project, RECENT, take_gate_flaw, v, err);
  return code ? code : check_recent(v, err);
}

/* In one snapshot. */
static ho_code check_all(ho_store *store, void *data, ho_error *err)
{
  verifying *v = data;
  if (v->quick)
    return check_quickly(v, err);
  ho_code code = ho_chain_check_database(store, false, take_flaw, v, err);
  if (!code && !damaged(v->out)) {
    code = ho_chain_verify(store, v->watch, take_flaw, v, err);
    if (!code)
      code = ho_verify_gates(v->project, 0, take_gate_flaw, v, err);
    if (!code)
      code = ho_verify_runs(v->project, take_gate_flaw, v, err);
    if (!code)
      code = ho_verify_signatures(v->project, v->arena, &v->out->people, take_doubt, v, err);
  }
  return code ? code : compare_files(v, err);
}

/* Looks at some of the suspects once more, in a snapshot of its own: their rows may be others by now, or gone. */
static ho_code look_again(ho_store *store, void *data, ho_error *err)
{
  enum { AT_ONCE = 50 }; /* others wait meanwhile */
  verifying *v = data;
  ho_arena arena;
  ho_code code = HO_OK;
  ho_arena_init(&arena, 0);
  for (int n = 0; !code && n < AT_ONCE && v->looked < v->count; n++) {
    const suspect *s = &v->suspects[v->looked++];
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

/* What is outside the database and follows it, while nobody writes it. */
static ho_code check_outside(ho_store *store, void *data, ho_error *err)
{
  verifying *v = data;
  ho_code code = ho_chain_verify_seal_file(store, take_flaw, v, err);
  if (!code && v->doubts)
    code = ho_verify_signatures(v->project, v->arena, &v->out->people, take_signed_flaw, v, err);
  return code ? code : ho_repair_unwritten(store, v->unsettled, v->arena, &v->out->unwritten, err);
}

/* What a killed process left is finished first; if that is not possible, it is reported. */
static ho_code finish_files(verifying *v, ho_error *err)
{
  int64_t unfinished = 0;
  ho_error ignored;
  ho_code code = ho_store_unfinished(v->project->store, HO_EMPTY, &unfinished, err);
  if (!code && unfinished)
    v->unsettled = ho_store_settle(v->project->store, &ignored) != HO_OK;
  return code;
}

static ho_code verify(verifying *v, ho_error *err)
{
  ho_verdict *out = v->out;
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
    code = ho_store_read_still(v->project->store, look_again, v, err);
  if (!code && !damaged(out))
    code = ho_store_read_still(v->project->store, check_outside, v, err);
  return code ? code : ho_arena_code(v->arena, err);
}

ho_code ho_verify(ho_project *project, const ho_store_watch *watch, ho_arena *arena, ho_verdict *out, ho_error *err)
{
  verifying v = {.project = project, .watch = watch, .arena = arena, .out = out};
  return verify(&v, err);
}

ho_code ho_verify_quick(ho_project *project, ho_arena *arena, ho_verdict *out, ho_error *err)
{
  verifying v = {.project = project, .arena = arena, .out = out, .quick = true};
  return verify(&v, err);
}
