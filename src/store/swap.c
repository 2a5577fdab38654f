/* Replaces one store by another, while others have it open.
 *
 * Writers wait in the queue, and notice afterwards that their file is no longer the one with that name
 * (driver->moved). Whoever opens a store holds a third lock of the queue's file, shared; it is taken exclusively
 * while the files are swapped, because the database and its log must belong to the same store. */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/digest.h"
#include "store/intents.h"

static const char *const tails[] = {"", "-wal", "-shm"};

/* Removes what a killed process may have left in the folder for the new store. */
static void clear_folder(ho_arena *arena, const char *folder)
{
  static const char *const names[] = {
      "handoff.db", "handoff.db-wal", "handoff.db-shm", "handoff.db-sync", "handoff.lock", "state.lock", "seal"};
  for (size_t i = 0; i < HO_COUNT(names); i++) {
    ho_str path = ho_arena_printf(arena, "%s/%s", folder, names[i]);
    if (path.n)
      ho_fs_unlink(path.p);
  }
  ho_fs_rmdir(folder);
}

ho_code ho_store_swap_begin(const ho_store_options *options, ho_arena *arena, ho_store_swap *out, ho_error *err)
{
  ho_error why;
  ho_store *store = NULL;
  ho_code code = ho_store_closed(options, &store, err);
  if (!code)
    code = ho_store_make_folder(store, err);
  if (!code)
    code = ho_queue_enter(store, err);
  if (code) {
    ho_store_close(store);
    return code;
  }
  *out = (ho_store_swap){.store = store, .arena = arena, .there = ho_fs_exists(store->path)};
  out->folder = ho_arena_printf(arena, "%s.rebuild", store->path).p;
  out->fresh = ho_arena_printf(arena, "%s/handoff.db", out->folder).p;
  code = ho_arena_code(arena, err);
  if (code) {
    ho_store_swap_end(out);
    return code;
  }
  clear_folder(arena, out->folder);
  if (out->there) {
    code = ho_store_reopen(store, &why);
    out->readable = !code;
  }
  if (out->readable)
    code = ho_store_settle(store, &why); /* if that fails, a file is missing */
  if (code != HO_MEMORY)
    return HO_OK;
  ho_store_swap_end(out);
  return ho_fail_memory(err);
}

static ho_code fail_to_move(const char *from, const char *to, ho_error *err)
{
  return ho_fail_file(err, HO_IO, ho_str_of(from), "cannot be moved to %s: %s", to, ho_fs_reason(errno));
}

/* A file that does not exist need not be moved. */
static ho_code move_file(const char *from, const char *to, ho_error *err)
{
  return ho_fs_rename(from, to, true) == 0 || errno == ENOENT ? HO_OK : fail_to_move(from, to, err);
}

/* Prepared in advance, so that none can be missing half-way. */
typedef struct places {
  const char *path[3], *kept[3]; /* one per suffix */
  const char *fresh, *fresh_log;
  const char *seal, *kept_seal, *fresh_seal;
  ho_str new_seal; /* what it will contain, or "" */
} places;

static ho_code name_places(const ho_store_swap *swap, const char *kept, places *out, ho_error *err)
{
  ho_arena *a = swap->arena;
  for (size_t i = 0; i < HO_COUNT(tails); i++) {
    out->path[i] = ho_arena_printf(a, "%s%s", swap->store->path, tails[i]).p;
    out->kept[i] = ho_arena_printf(a, "%s%s", kept, tails[i]).p;
  }
  out->fresh = swap->fresh;
  out->fresh_log = ho_arena_printf(a, "%s-wal", swap->fresh).p;
  out->seal = ho_arena_printf(a, "%s/seal", swap->store->folder).p;
  out->kept_seal = ho_arena_printf(a, "%s.seal", kept).p;
  out->fresh_seal = ho_arena_printf(a, "%s/seal", swap->folder).p;
  out->new_seal = HO_EMPTY;
  ho_code code = ho_arena_code(a, err);
  if (!code && ho_fs_exists(out->fresh_seal))
    code = ho_fs_read(a, out->fresh_seal, 0, &out->new_seal, err);
  return code;
}

/* The database itself is never missing: the old one gets a second name before the new one takes the first. */
static ho_code put_aside(const places *at, ho_error *err)
{
  ho_code code = HO_OK;
  if (ho_fs_exists(at->path[0]) && ho_fs_link_in(NULL, at->path[0], at->kept[0]) != 0 &&
      ho_fs_rename(at->path[0], at->kept[0], true) != 0)
    code = fail_to_move(at->path[0], at->kept[0], err);
  for (size_t i = 1; !code && i < HO_COUNT(tails); i++)
    code = move_file(at->path[i], at->kept[i], err);
  return code;
}

static void put_back(const places *at)
{
  ho_error ignored;
  for (size_t i = 0; i < HO_COUNT(tails); i++)
    if (move_file(at->kept[i], at->path[i], &ignored) == HO_OK)
      ho_fs_unlink(at->kept[i]); /* a second name for the same file */
}

/* The file `seal` cannot change at the same moment as the database, so the new store brings it along as an intent. Other
 * intents are carried out by now, and what they say about the temporary folder must not be done again. */
static ho_code intend_seal(const ho_store_swap *swap, const places *at, ho_error *err)
{
  ho_db *db = NULL;
  ho_str old = HO_EMPTY;
  ho_error none;
  char owner[HO_INTENTS_OWNER_SIZE] = "", expected[HO_DIGEST_SIZE] = "";
  const ho_driver *driver = swap->store->driver;
  if (!ho_fs_exists(at->fresh))
    return HO_OK; /* nothing was made: moving it fails */
  ho_intents_name_owner(at->fresh, swap->store->root, owner);
  if (ho_fs_exists(at->seal) && ho_fs_read(swap->arena, at->seal, 0, &old, &none) == HO_OK)
    ho_digest_text(old, expected);
  const ho_value values[] = {HO_TEXT(ho_fs_relative(ho_str_of(swap->store->root), ho_str_of(at->seal))),
                             HO_INT(HO_INTENT_DERIVED),
                             HO_TEXT(ho_str_of(expected)),
                             HO_TEXT(at->new_seal),
                             HO_TEXT(ho_str_of(owner)),
                             HO_INT(ho_time_now_ms()),
                             HO_TEXT(HO_EMPTY)};
  ho_code code = driver->open(at->fresh, false, &db, err);
  if (!code)
    code = driver->begin(db, HO_BEGIN_WRITE, err);
  if (!code)
    code = driver->run(db, HO_SQL_INTENT_CLEAR, NULL, 0, NULL, NULL, NULL, err);
  if (!code && at->new_seal.n)
    code = driver->run(db, HO_SQL_INTENT_ADD, values, HO_COUNT(values), NULL, NULL, NULL, err);
  if (!code)
    code = driver->commit(db, err);
  if (!code)
    code = driver->sync(db, err);
  if (db)
    driver->close(db);
  return code;
}

static ho_code change_places(const places *at, ho_error *err)
{
  ho_error ignored;
  ho_code code = put_aside(at, err);
  if (!code)
    code = move_file(at->fresh_log, at->path[1], err);
  if (!code && ho_fs_rename(at->fresh, at->path[0], true) != 0)
    code = ho_fail_file(err, HO_IO, ho_str_of(at->path[0]), "cannot replace the store: %s", ho_fs_reason(errno));
  if (code) {
    put_back(at);
    return code;
  }
  (void)!move_file(at->seal, at->kept_seal, &ignored); /* if not, the intent replaces it */
  return HO_OK;
}

ho_code ho_store_swap_now(ho_store_swap *swap, const char *kept, ho_error *err)
{
  places at;
  ho_store *store = swap->store;
  ho_code code = name_places(swap, kept, &at, err);
  if (!code)
    code = intend_seal(swap, &at, err);
  if (!code)
    code = ho_queue_alone(store, err);
  if (!code)
    code = change_places(&at, err);
  ho_queue_together(store);
  ho_fs_sync(store->path);
  return code;
}

void ho_store_swap_end(ho_store_swap *swap)
{
  if (!swap->store)
    return;
  if (swap->folder)
    clear_folder(swap->arena, swap->folder);
  ho_queue_leave(swap->store);
  ho_store_close(swap->store);
  swap->store = NULL;
}
