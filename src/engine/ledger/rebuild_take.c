/* What the old store still has: all of it if it is sound, else what proves itself. */
#include "base/grow.h"
#include "engine/ledger/behind.h"
#include "engine/ledger/gate_read.h"
#include "engine/ledger/rebuild_parts.h"
#include "engine/ledger/verify_parts.h"
#include "engine/project/identity.h"
#include "store/handoffs/bodies.h"
#include "store/handoffs/chain.h"
#include "store/handoffs/derived.h"
#include "store/handoffs/gates.h"
#include "store/handoffs/handoffs.h"
#include "store/handoffs/seals.h"
#include "store/handoffs/sound.h"
#include "store/knowledge/known.h"

/* ---- Is the old store sound? */

static ho_code take_flaw(void *data, const ho_flaw *flaw, ho_error *err)
{
  ho_rebuilding *r = data;
  (void)err;
  if (!r->flaw.n)
    r->flaw = ho_arena_printf(r->arena, "%s %s: %s", flaw->part, flaw->name, flaw->message);
  r->sound = false;
  return HO_OK;
}

static ho_code check_old(ho_rebuilding *r, ho_error *err)
{
  ho_error why = {0};
  ho_store_numbers numbers = {0};
  ho_seal_row file;
  bool sealed = false, unfinished;
  r->sound = true;
  ho_code code = ho_chain_check_database(r->swap.store, true, take_flaw, r, &why);
  if (!code && r->sound)
    code = ho_chain_verify(r->swap.store, NULL, take_flaw, r, &why);
  if (!code && r->sound)
    code = ho_seals_file(r->swap.store, r->arena, &file, &sealed, &unfinished, &why);
  if (!code && r->sound && sealed) /* one that is only missing is written again */
    code = ho_chain_verify_seal_file(r->swap.store, take_flaw, r, &why);
  if (!code)
    code = ho_store_count(r->swap.store, &numbers, &why);
  r->sound = r->sound && !code && numbers.events; /* without any, it may have been made in the place of a lost one */
  if (code == HO_MEMORY || (why.rule && strcmp(why.rule, "store-failed") == 0)) {
    *err = why;
    return code;
  }
  return ho_arena_code(r->arena, err);
}

/* ---- What does not prove itself */

static ho_code note_flawed(void *data, ho_str id, ho_error *err)
{
  ho_rebuilding *r = data;
  ho_list_add(r->flawed, ho_node_text(r->arena, ho_arena_copy(r->arena, id)));
  return ho_arena_code(r->arena, err);
}

/* What its details files were. */
static ho_code keep_details(ho_rebuilding *r, ho_str id, ho_error *err)
{
  ho_file_list files;
  ho_code code = ho_files_select(r->project->store, id, r->arena, &files, err);
  for (size_t i = 0; !code && i < files.count; i++) {
    bool there = false;
    if (files.rows[i].kind == HO_FILE_DETAILS)
      code = ho_bodies_has(r->project->store, files.rows[i].digest, &there, err);
    ho_file *kept = there ? HO_PUSH(r->arena, r->details.rows, r->details.count) : NULL;
    if (kept)
      *kept = files.rows[i];
  }
  return code ? code : ho_arena_code(r->arena, err);
}

/* Its document may be whole although its history is not: then that is used, unless a file has it. */
static ho_code put_off(ho_rebuilding *r, ho_str id, ho_error *err)
{
  ho_store *store = r->project->store;
  ho_archived copy;
  ho_error why = {0};
  ho_restored *other;
  ho_code code = ho_handoffs_get(store, id, r->arena, &copy.row, &why);
  if (!code)
    code = ho_bodies_get(store, copy.row.digest, r->arena, &copy.body, &why);
  if (code == HO_MEMORY)
    return ho_fail_memory(err);
  if (!code && ho_id_fits(id) && !ho_rebuild_seen(r, id, true, &other)) {
    ho_restored *item = HO_PUSH(r->arena, r->items, r->count);
    if (item)
      *item = (ho_restored){.copy = copy};
  }
  code = keep_details(r, id, err);
  return code ? code : ho_sound_drop(store, id, err);
}

static ho_code put_off_flawed(ho_rebuilding *r, const ho_node **done, ho_error *err)
{
  ho_code code = HO_OK;
  for (const ho_node *id = *done ? (*done)->next : r->flawed->first; !code && id; id = id->next) {
    code = put_off(r, ho_node_str(id), err);
    *done = id;
  }
  return code;
}

static ho_code note_gate(void *data, const char *part, ho_str gate, ho_str message, ho_error *err)
{
  ho_rebuilding *r = data;
  (void)part;
  (void)message;
  ho_map_add(r->bad_gates, ho_arena_copy(r->arena, gate), ho_node_new(r->arena, HO_KIND_NULL));
  return ho_arena_code(r->arena, err);
}

/* Do its gates and files follow from its events? */
static ho_code check_parts(ho_rebuilding *r, const ho_handoff *row, ho_arena *arena, ho_error *err)
{
  ho_event_list events;
  ho_file_list files;
  const char *flaw = NULL;
  ho_code code = ho_files_select(r->project->store, row->id, arena, &files, err);
  if (!code)
    code = ho_verify_recorded(r->project, row->id, &files, arena, &flaw, err);
  if (!code)
    code = ho_events_whole(r->project->store, row->id, arena, &events, err);
  for (size_t i = 0; !code && !flaw && i < events.count; i++) {
    const ho_node *said = ho_gate_read_about(&events.rows[i], arena);
    if (said && ho_map_get(r->bad_gates, ho_map_str(said, "gate")))
      flaw = "gate";
  }
  return code || !flaw ? code : note_flawed(r, row->id, err);
}

static ho_code check_all_parts(ho_rebuilding *r, ho_error *err)
{
  ho_arena rows, one;
  ho_handoff_list list;
  ho_filter filter = {.limit = 1000};
  ho_code code = ho_verify_gates(r->project, 0, note_gate, r, err);
  ho_arena_init(&rows, 0);
  ho_arena_init(&one, 0);
  do {
    list.count = 0;
    ho_arena_reset(&rows);
    if (!code)
      code = ho_handoffs_select(r->project->store, &filter, &rows, &list, err);
    for (size_t i = 0; !code && i < list.count; i++) {
      filter.before_seq = list.rows[i].seq;
      code = check_parts(r, &list.rows[i], &one, err);
      ho_arena_reset(&one);
    }
  } while (!code && list.count);
  ho_arena_free(&one);
  ho_arena_free(&rows);
  return code;
}

/* Leaves what proves itself. */
static ho_code sift(ho_rebuilding *r, ho_error *err)
{
  const ho_node *done = NULL;
  ho_code code = ho_sound_flawed(r->project->store, note_flawed, r, err);
  if (!code)
    code = put_off_flawed(r, &done, err);
  if (!code)
    code = check_all_parts(r, err);
  if (!code)
    code = put_off_flawed(r, &done, err);
  return code ? code : ho_sound_renumber(r->project->store, err);
}

/* ---- What a backup does not know */

/* Is the old store older than what lies beside it? */
static ho_code check_age(ho_rebuilding *r, ho_beside_list *list, ho_error *err)
{
  bool behind = false;
  ho_error why = {0};
  ho_code code = ho_behind_find(r->project, r->swap.store, r->arena, list, &behind, &why);
  if (code && (r->sound || code == HO_MEMORY))
    return *err = why, code;
  r->behind = behind || list->count;
  if (r->behind)
    ho_rebuild_lost(r, HO_STR("history"), "what happened since the store was as old as it is, beyond what files say");
  return HO_OK;
}

/* What a file has of a later moment is taken from there, and what has another's id is named: that id is given. */
static ho_code put_off_older(ho_rebuilding *r, const ho_beside_list *list, ho_error *err)
{
  ho_code code = HO_OK;
  bool any = false;
  for (size_t i = 0; !code && i < list->count; i++) {
    const ho_beside_item *item = &list->rows[i];
    if (item->what == HO_BESIDE_OTHER)
      ho_rebuild_lost(r, item->path, "another handoff has its id by now; if it is still wanted, send it again");
    if (item->what != HO_BESIDE_NEWER)
      continue;
    ho_list_add(r->older, ho_node_text(r->arena, item->id));
    code = put_off(r, item->id, err);
    any = true;
  }
  if (any && !r->flaw.n)
    r->flaw = HO_STR("the store was older than its files");
  return code || !any ? code : ho_sound_renumber(r->project->store, err);
}

/* ---- All of it */

/* What was learned is taken as a whole or not at all: what handoffs say can be learned again. */
static ho_code take_knowledge(ho_rebuilding *r, const bool *whole, ho_error *err)
{
  ho_store *store = r->project->store;
  if (whole[HO_TABLE_KNOWLEDGE] && whole[HO_TABLE_KNOWLEDGE_ORIGINS] && whole[HO_TABLE_KNOWLEDGE_SOURCES] &&
      whole[HO_TABLE_KNOWLEDGE_EDGES])
    return ho_known_index_all(store, err);
  ho_rebuild_lost(r, HO_STR("knowledge"),
                  "what was learned from files, asked and answered; handoffs are learned again, and files by: handoff "
                  "learn PATH");
  ho_code code = ho_known_clear(store, err);
  return code ? code : ho_derived_set(store, HO_DERIVED_KNOWLEDGE, 0, err);
}

ho_code ho_rebuild_take(ho_rebuilding *r, ho_error *err)
{
  bool whole[HO_TABLE_COUNT] = {0};
  ho_store_numbers numbers = {0};
  ho_beside_list beside = {0};
  ho_store *store = r->project->store;
  if (!r->swap.readable)
    return HO_OK;
  ho_code code = check_old(r, err);
  if (!code)
    code = check_age(r, &beside, err);
  if (!code)
    code = ho_store_swap_take(&r->swap, store, whole, err);
  for (size_t i = 0; !code && i < HO_TABLE_COUNT; i++)
    if (!whole[i]) {
      r->sound = false;
      ho_rebuild_lost(r, ho_str_of(ho_store_table_texts[i]), "a part of the old database cannot be read");
    }
  if (!code)
    code = take_knowledge(r, whole, err);
  if (!code)
    code = ho_derived_set(store, HO_DERIVED_SEARCH, 0, err);
  if (!code && !r->sound)
    code = sift(r, err);
  if (!code && r->behind)
    code = put_off_older(r, &beside, err);
  if (!code)
    code = ho_store_set_behind(store, false, err);
  r->sound = r->sound && !r->behind;
  if (!code)
    code = ho_store_count(store, &numbers, err);
  r->out->handoffs = numbers.handoffs;
  r->out->events = numbers.events;
  return code;
}
