/* Replaces one store by another, while others have it open.
 *
 * Writers wait in the queue, and notice afterwards that their file is no longer the one with that name
 * (driver->moved). Whoever opens a store holds a third lock of the queue's file, shared; it is taken exclusively
 * while the files are swapped (swap_files.c). */
#include "store/swap.h"

#include <stdio.h>

static bool has_rule(const ho_error *why, const char *rule)
{
  return why->rule && strcmp(why->rule, rule) == 0;
}

/* Is that what a rebuild is for? Anything else passes, or is not for it to mend. */
static bool is_damage(const ho_error *why)
{
  return has_rule(why, "store-damaged") || has_rule(why, "store-altered") || has_rule(why, "store-foreign");
}

static ho_code refuse(const ho_store *store, const ho_error *why, ho_error *err)
{
  char who[128];
  *err = *why;
  size_t n = strlen(err->message), left = sizeof err->message - n;
  if (has_rule(why, "store-newer") || has_rule(why, "store-busy"))
    snprintf(err->message + n, left, "; nothing was rebuilt");
  else if (store->driver->in_use(store->path, who, sizeof who))
    snprintf(err->message + n, left, "; nothing was rebuilt, since %s has it open: try again when that has ended", who);
  else
    snprintf(err->message + n, left,
             "; nothing was rebuilt, since that may pass: try again, or move the database away to rebuild without it");
  return why->code;
}

/* A damaged head may name any version, or another program: if the tables are ours, they can be read. */
static bool open_anyway(ho_store *store)
{
  char digest[HO_DIGEST_SIZE];
  ho_error none;
  if (store->driver->open(store->path, false, &store->db, &none) != HO_OK)
    return false;
  if (store->driver->schema(store->db, digest, &none) == HO_OK && strcmp(digest, ho_schema_digest) == 0)
    return true;
  store->driver->close(store->db);
  store->db = NULL;
  return false;
}

/* The old store, for reading. No program writes to it from now on: if one is about to, the store is busy. */
static ho_code open_old(ho_store_swap *swap, ho_error *err)
{
  ho_store *store = swap->store;
  ho_error why = {0}, later;
  ho_code code = ho_store_reopen(store, &why);
  if (!code && ho_store_settle(store, &later) == HO_MEMORY) /* what cannot be written stays an intent */
    return ho_fail_memory(err);
  if (code && (is_damage(&why) || has_rule(&why, "store-newer")) && open_anyway(store))
    code = HO_OK;
  if (!code)
    code = store->driver->begin(store->db, HO_BEGIN_WRITE, &why);
  swap->readable = store->reading = !code;
  return !code || is_damage(&why) ? HO_OK : refuse(store, &why, err);
}

ho_code ho_store_swap_begin(const ho_store_options *options, ho_arena *arena, ho_store_swap *out, ho_error *err)
{
  ho_store *store = NULL;
  ho_swap_fresh fresh = {0};
  struct stat info;
  ho_code code = ho_store_closed(options, &store, err);
  if (!code)
    code = ho_store_make_folder(store, err);
  if (!code)
    code = ho_queue_enter(store, err);
  if (code) {
    ho_store_close(store);
    return code;
  }
  *out = (ho_store_swap){.store = store, .arena = arena};
  code = ho_swap_finish(store, err);
  if (!code)
    code = ho_swap_clear(store, arena, &fresh, err);
  if (!code) {
    out->fresh = fresh.database;
    out->folder = fresh.folder;
    out->there = ho_fs_exists(store->path);
  }
  if (!code && out->there && ho_fs_stat(store->path, &info) == 0 && info.st_size > 0)
    code = open_old(out, err);
  if (code)
    ho_store_swap_end(out);
  return code;
}

const char *const ho_store_table_texts[HO_TABLE_COUNT] = {
#define X(name, table, text) text,
    HO_STORE_TABLES(X)
#undef X
};

ho_code ho_store_swap_take(ho_store_swap *swap, ho_store *to, bool whole[HO_TABLE_COUNT], ho_error *err)
{
  static const char *const names[HO_TABLE_COUNT] = {
#define X(name, table, text) #table,
      HO_STORE_TABLES(X)
#undef X
  };
  ho_code code = ho_store_must_write(to, err);
  for (size_t i = 0; !code && i < HO_TABLE_COUNT; i++)
    code = swap->store->driver->take(swap->store->db, to->db, names[i], &whole[i], err);
  return code;
}

ho_code ho_store_swap_now(ho_store_swap *swap, ho_str kept, ho_error *err)
{
  const ho_swap_fresh fresh = {.folder = swap->folder, .database = swap->fresh};
  return ho_swap_decide(swap->store, &fresh, kept, swap->arena, err);
}

void ho_store_swap_end(ho_store_swap *swap)
{
  ho_error ignored;
  ho_swap_fresh fresh;
  if (!swap->store)
    return;
  if (swap->folder && !ho_swap_pending(swap->store))
    (void)!ho_swap_clear(swap->store, swap->arena, &fresh, &ignored);
  if (swap->readable)
    swap->store->driver->rollback(swap->store->db);
  ho_queue_leave(swap->store);
  ho_store_close(swap->store);
  swap->store = NULL;
}
