/* The files of a swap: the new store takes the place of the old one, whose files are kept under another name.
 *
 * A database and its log must belong together, and no file system can rename two files at once. So a marker beside the
 * database says that the swap is decided, and under which name the old one is kept; it is written once the new store is
 * complete on the disk. Whoever finds the marker carries on: every step may be done again. */
#include <errno.h>
#include <stdio.h>

#include "base/digest.h"
#include "store/intents.h"
#include "store/swap.h"

enum { DATABASE, LOG, INDEX, SEAL, FILES };
static const char *const tails[FILES] = {"", "-wal", "-shm", ".seal"};

/* Prepared in advance, so that none can be missing half-way. */
typedef struct places {
  const char *now[FILES], *kept[FILES];
  const char *marker;
} places;

static ho_code name_places(const ho_store *store, ho_str kept, ho_arena *arena, places *out, ho_error *err)
{
  for (size_t i = 0; i < FILES; i++) {
    out->now[i] = i == SEAL ? ho_store_seal(store, arena).p : ho_arena_printf(arena, "%s%s", store->path, tails[i]).p;
    out->kept[i] = ho_arena_printf(arena, "%s/%.*s%s", store->folder, HO_ARG(kept), tails[i]).p;
  }
  out->marker = ho_arena_printf(arena, "%s.swap", store->path).p;
  return ho_arena_code(arena, err);
}

static ho_code name_fresh(const ho_store *store, ho_arena *arena, ho_swap_fresh *out, ho_error *err)
{
  out->folder = ho_arena_printf(arena, "%s.rebuild", store->path).p;
  out->database = ho_arena_printf(arena, "%s/handoff.db", out->folder).p;
  return ho_arena_code(arena, err);
}

/* ---- The new store */

ho_code ho_swap_clear(const ho_store *store, ho_arena *arena, ho_swap_fresh *out, ho_error *err)
{
  static const char *const names[] = {
      "handoff.db", "handoff.db-wal", "handoff.db-shm", "handoff.db-sync", "handoff.lock", "state.lock", "seal"};
  ho_code code = name_fresh(store, arena, out, err);
  for (size_t i = 0; !code && i < HO_COUNT(names); i++) {
    ho_str path = ho_arena_printf(arena, "%s/%s", out->folder, names[i]);
    if (path.n)
      ho_fs_unlink(path.p);
  }
  if (!code)
    ho_fs_rmdir(out->folder);
  return code;
}

/* The file `seal` cannot change at the same moment as the database, so the new store brings it along as an intent. Those
 * of the new store are carried out by now. What the old one has not written yet, because it could not or because another
 * process was writing files for too long, is the new store's from now on. */
static ho_code intend_seal(ho_store *store, const ho_swap_fresh *fresh, ho_arena *arena, ho_db *db, ho_error *err)
{
  enum { OWNER = 4 };
  ho_str seal = HO_EMPTY, old = HO_EMPTY;
  ho_error none;
  char owner[HO_INTENTS_OWNER_SIZE] = "", expected[HO_DIGEST_SIZE] = "";
  const char *from = ho_arena_printf(arena, "%s/seal", fresh->folder).p;
  const char *to = ho_store_seal(store, arena).p;
  ho_code code = ho_arena_code(arena, err);
  if (!code && ho_fs_exists(from))
    code = ho_fs_read(arena, from, 0, &seal, err);
  if (!code && ho_fs_exists(to) && ho_fs_read(arena, to, 0, &old, &none) == HO_OK)
    ho_digest_text(old, expected);
  ho_intents_name_owner(fresh->database, store->root, owner);
  const ho_value values[] = {HO_TEXT(code ? HO_EMPTY : ho_fs_relative(ho_str_of(store->root), ho_str_of(to))),
                             HO_INT(HO_INTENT_DERIVED),
                             HO_TEXT(ho_str_of(expected)),
                             HO_TEXT(seal),
                             HO_TEXT(ho_str_of(owner)),
                             HO_INT(ho_time_now_ms()),
                             HO_TEXT(HO_EMPTY)};
  const ho_driver *driver = store->driver;
  const ho_value done[] = {HO_TEXT(ho_intents_owner(store)), HO_INT(ho_levels_get(store, HO_LEVEL_WRITTEN))};
  if (!code)
    code = driver->begin(db, HO_BEGIN_WRITE, err);
  if (!code)
    code = driver->run(db, HO_SQL_INTENT_SETTLED, done, HO_COUNT(done), NULL, NULL, NULL, err);
  if (!code)
    code = driver->run(db, HO_SQL_INTENT_ADOPT, &values[OWNER], 1, NULL, NULL, NULL, err);
  if (!code && seal.n)
    code = driver->run(db, HO_SQL_INTENT_ADD, values, HO_COUNT(values), NULL, NULL, NULL, err);
  return code ? code : driver->commit(db, err);
}

/* Complete on the disk, in one file: the last connection to be closed moves the log into the database. */
static ho_code complete(ho_store *store, const ho_swap_fresh *fresh, ho_arena *arena, ho_error *err)
{
  struct stat info;
  ho_db *db = NULL;
  const char *log = ho_arena_printf(arena, "%s-wal", fresh->database).p;
  ho_code code = ho_arena_code(arena, err);
  if (!code)
    code = store->driver->open(fresh->database, false, &db, err);
  if (!code)
    code = intend_seal(store, fresh, arena, db, err);
  if (db)
    store->driver->close(db);
  if (!code && ho_fs_stat(log, &info) == 0 && info.st_size > 0)
    code = ho_fail_file(err, HO_STORE, ho_str_of(fresh->database), "its log could not be written into it");
  return code ? code : ho_fs_flush(fresh->database, err);
}

/* ---- The marker */

bool ho_swap_pending(const ho_store *store)
{
  char path[PATH_MAX];
  int n = snprintf(path, sizeof path, "%s.swap", store->path);
  return n > 0 && (size_t)n < sizeof path && ho_fs_exists(path);
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

/* If possible, the database is never missing: the old one gets a second name before the new one takes the first. */
static ho_code put_aside(const places *at, ho_error *err)
{
  if (ho_fs_exists(at->now[DATABASE]) && !ho_fs_exists(at->kept[DATABASE]) &&
      ho_fs_link_in(NULL, at->now[DATABASE], at->kept[DATABASE]) != 0 &&
      ho_fs_rename(at->now[DATABASE], at->kept[DATABASE], false) != 0)
    return fail_to_move(at->now[DATABASE], at->kept[DATABASE], err);
  ho_store_step("swap-named");
  for (size_t i = LOG; i < FILES; i++) {
    ho_code code = move_file(at->now[i], at->kept[i], err);
    if (code)
      return code;
    ho_store_step(i == LOG ? "swap-log" : i == INDEX ? "swap-index" : "swap-seal");
  }
  return HO_OK;
}

/* Everything is as before, or the marker stays. */
static void put_back(const places *at)
{
  ho_error ignored;
  for (size_t i = LOG; i < FILES; i++)
    if (!ho_fs_exists(at->now[i]) && move_file(at->kept[i], at->now[i], &ignored))
      return;
  if (ho_fs_exists(at->now[DATABASE]))
    ho_fs_unlink(at->kept[DATABASE]);
  else if (move_file(at->kept[DATABASE], at->now[DATABASE], &ignored))
    return;
  ho_fs_sync(at->marker);
  ho_fs_unlink(at->marker);
}

/* Carries out what the marker says, or the rest of it: once the new database has its name, it is done. */
static ho_code carry_on(const ho_store *store, const places *at, const ho_swap_fresh *fresh, ho_error *err)
{
  if (ho_fs_exists(fresh->database)) {
    ho_code code = put_aside(at, err);
    if (code)
      return code;
    if (ho_fs_rename(fresh->database, at->now[DATABASE], true) != 0)
      return fail_to_move(fresh->database, at->now[DATABASE], err);
  }
  ho_store_step("swap-moved");
  ho_reached_anew(store);
  ho_fs_sync(at->marker); /* all of it, before the marker goes */
  ho_fs_unlink(at->marker);
  ho_fs_sync(at->marker);
  return HO_OK;
}

ho_code ho_swap_decide(ho_store *store, const ho_swap_fresh *fresh, ho_str kept, ho_arena *arena, ho_error *err)
{
  places at;
  ho_code code = name_places(store, kept, arena, &at, err);
  if (!code && ho_fs_exists(at.kept[DATABASE]))
    code = ho_fail_file(err, HO_CONFLICT, ho_str_of(at.kept[DATABASE]), "already exists");
  if (!code)
    code = complete(store, fresh, arena, err);
  if (!code)
    code = ho_queue_alone(store, err);
  if (code)
    return code;
  ho_store_step("swap-ready");
  code = ho_fs_write(at.marker, kept, HO_FS_CREATE, err);
  if (!code) {
    ho_store_step("swap-decided");
    code = carry_on(store, &at, fresh, err);
    if (code)
      put_back(&at);
  }
  ho_queue_together(store);
  return code;
}

/* The name is one that ho_swap_decide has written: a plain one, of a file beside the database. */
static bool is_kept_name(const ho_store *store, ho_str name)
{
  ho_str own = ho_fs_name(ho_str_of(store->path));
  return name.n > own.n + 1 && ho_str_eq(ho_str_sub(name, 0, own.n), own) && name.p[own.n] == '.' &&
         !memchr(name.p, '/', name.n) && !memchr(name.p, '\0', name.n);
}

static ho_code finish_alone(ho_store *store, ho_arena *arena, ho_error *err)
{
  enum { NAME_LIMIT = 1024 };
  places at;
  ho_str kept;
  ho_swap_fresh fresh;
  ho_code code = name_places(store, HO_EMPTY, arena, &at, err);
  if (!code)
    code = name_fresh(store, arena, &fresh, err);
  if (!code && !ho_fs_exists(at.marker))
    return HO_OK; /* somebody was faster */
  if (!code)
    code = ho_fs_read(arena, at.marker, NAME_LIMIT, &kept, err);
  if (!code && !is_kept_name(store, kept))
    code = ho_fail_file(err, HO_STORE, ho_str_of(at.marker), "was not written by handoff; remove it");
  if (!code)
    code = name_places(store, kept, arena, &at, err);
  return code ? code : carry_on(store, &at, &fresh, err);
}

ho_code ho_swap_finish(ho_store *store, ho_error *err)
{
  ho_arena arena;
  ho_error why = {0};
  if (!ho_swap_pending(store))
    return HO_OK;
  ho_code code = ho_queue_alone(store, &why);
  if (!code) {
    ho_arena_init(&arena, 0);
    code = finish_alone(store, &arena, &why);
    ho_arena_free(&arena);
  }
  ho_queue_together(store);
  if (!code || code == HO_MEMORY)
    return code ? ho_fail_memory(err) : HO_OK;
  code = ho_fail_file(err, HO_STORE, ho_str_of(store->path), "a rebuild was interrupted and cannot be finished: %s",
                      why.message);
  err->rule = "store-interrupted";
  return code;
}
