/* One store takes the place of another, while others have it open.
 *
 * Writers wait in the queue, and notice afterwards that their file is no longer the one of that name (driver->moved).
 * Whoever opens a store shares a third lock of the queue's file, which is taken alone while the files change places: the
 * database and its log have to be of one store. */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/memory.h"
#include "store/inside.h"

static const char *const tails[] = {"", "-wal", "-shm"};

/* What the folder for the new store can hold; whoever was killed left it. */
static void clear_folder(ho_arena *arena, const char *folder)
{
  static const char *const names[] = {"handoff.db",   "handoff.db-wal", "handoff.db-shm",
                                      "handoff.lock", "state.lock",     "seal"};
  for (size_t i = 0; i < HO_COUNT(names); i++) {
    ho_str path = ho_arena_printf(arena, "%s/%s", folder, names[i]);
    if (path.n)
      unlink(path.p);
  }
  rmdir(folder);
}

ho_code ho_store_swap_begin(const ho_store_options *options, ho_arena *arena, ho_store_swap *out, ho_error *err)
{
  ho_error ignored;
  ho_store *store = NULL;
  ho_code code = ho_store_closed(options, &store, err);
  if (!code)
    code = ho_fs_mkdirs(store->folder, err);
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
  out->readable = out->there && ho_store_reopen(store, &ignored) == HO_OK;
  if (out->readable)
    (void)!ho_intents_finish(store, &ignored); /* a file less where it cannot be written */
  return HO_OK;
}

/* A file that is not there need not be moved. */
static ho_code move_file(const char *from, const char *to, ho_error *err)
{
  if (rename(from, to) == 0 || errno == ENOENT)
    return HO_OK;
  return ho_fail_file(err, HO_IO, ho_str_of(from), "cannot be moved to %s: %s", to, strerror(errno));
}

/* The database itself is never missing: the old one gets a second name before the new one takes the first. */
static ho_code put_aside(ho_store_swap *swap, const char *kept, ho_error *err)
{
  ho_arena *a = swap->arena;
  const char *path = swap->store->path;
  ho_code code = link(path, kept) == 0 || errno == ENOENT ? HO_OK : move_file(path, kept, err);
  for (size_t i = 1; !code && i < HO_COUNT(tails); i++)
    code = move_file(ho_arena_printf(a, "%s%s", path, tails[i]).p, ho_arena_printf(a, "%s%s", kept, tails[i]).p, err);
  return code;
}

static void put_back(ho_store_swap *swap, const char *kept)
{
  ho_error ignored;
  for (size_t i = 0; i < HO_COUNT(tails); i++) {
    ho_str to = ho_arena_printf(swap->arena, "%s%s", swap->store->path, tails[i]);
    ho_str from = ho_arena_printf(swap->arena, "%s%s", kept, tails[i]);
    if (to.n && from.n && move_file(from.p, to.p, &ignored) == HO_OK)
      unlink(from.p); /* a second name of the same file */
  }
}

static ho_code change_places(ho_store_swap *swap, const char *kept, ho_error *err)
{
  ho_arena *a = swap->arena;
  const char *path = swap->store->path;
  ho_str seal = ho_arena_printf(a, "%s/seal", swap->store->folder), old_seal = ho_arena_printf(a, "%s.seal", kept);
  ho_str new_seal = ho_arena_printf(a, "%s/seal", swap->folder), log = ho_arena_printf(a, "%s-wal", path);
  ho_str new_log = ho_arena_printf(a, "%s-wal", swap->fresh);
  ho_code code = ho_arena_code(a, err);
  if (code)
    return code;
  code = put_aside(swap, kept, err);
  if (!code)
    code = move_file(new_log.p, log.p, err);
  if (!code && rename(swap->fresh, path) != 0)
    code = ho_fail_file(err, HO_IO, ho_str_of(path), "the new store cannot take its place: %s", strerror(errno));
  if (code) {
    put_back(swap, kept);
    return code;
  }
  code = move_file(seal.p, old_seal.p, err);
  return code ? code : move_file(new_seal.p, seal.p, err);
}

ho_code ho_store_swap_now(ho_store_swap *swap, const char *kept, ho_error *err)
{
  ho_store *store = swap->store;
  ho_code code = ho_queue_alone(store, err);
  if (!code)
    code = change_places(swap, kept, err);
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
