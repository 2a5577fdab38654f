/* Opening and closing the store. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <unistd.h>

#include "base/memory.h"
#include "store/inside.h"

static const char sqlite_scheme[] = "sqlite:";

static char *join_text(ho_str a, const char *b)
{
  size_t n = strlen(b);
  char *text = ho_malloc(a.n + n + 1);
  if (!text)
    return NULL;
  memcpy(text, a.p, a.n);
  memcpy(text + a.n, b, n + 1);
  return text;
}

/* handoff.db → handoff.lock */
static char *lock_path(const char *path)
{
  ho_str name = ho_str_of(path);
  if (ho_str_ends(name, ".db"))
    name.n -= 3;
  return join_text(name, ".lock");
}

/* Absolute paths, so that they mean the same whatever the current folder. */
static ho_code set_paths(ho_store *store, ho_str url, const char *root, ho_arena *arena, ho_error *err)
{
  ho_str here;
  ho_code code = ho_fs_here(arena, &here, err);
  if (code)
    return code;
  ho_str path = ho_fs_join(arena, here, url);
  store->path = join_text(path, "");
  store->folder = join_text(ho_fs_parent(path), "");
  store->root = join_text(ho_fs_join(arena, here, ho_str_of(root ? root : ".")), "");
  store->lock_path = store->path ? lock_path(store->path) : NULL;
  if (!store->folder || !store->root || !store->lock_path)
    return ho_fail_memory(err);
  return ho_arena_code(arena, err);
}

static ho_code read_url(ho_store *store, const ho_store_options *options, ho_error *err)
{
  ho_arena arena;
  ho_str url = ho_str_of(options->url);
  if (ho_str_starts(url, "postgresql:") || ho_str_starts(url, "postgres:"))
    return ho_fail(err, HO_STORE, "only SQLite stores are supported; use a file path");
  if (ho_str_starts(url, sqlite_scheme))
    url = ho_str_sub(url, sizeof sqlite_scheme - 1, url.n);
  if (!url.n)
    return ho_fail(err, HO_USAGE, "--store needs a path");
  ho_arena_init(&arena, 0);
  ho_code code = set_paths(store, url, options->root, &arena, err);
  ho_arena_free(&arena);
  return code;
}

const char ho_store_ignored[] = "# The store and its companions stay on this machine; config.yaml can be "
                                "shared.\nhandoff.db*\ncontext/\nhook.log*\n*.lock\n";

ho_code ho_store_make_place(const char *folder, ho_error *err)
{
  char path[PATH_MAX];
  ho_code code = ho_fs_mkdirs(folder, err);
  if (code)
    return code;
  if (snprintf(path, sizeof path, "%s/.gitignore", folder) >= (int)sizeof path)
    return ho_fail_file(err, HO_LIMIT, ho_str_of(folder), "the path is too long");
  if (ho_fs_exists(path))
    return HO_OK;
  code = ho_fs_write(path, ho_str_of(ho_store_ignored), HO_FS_CREATE, err);
  if (code == HO_CONFLICT) { /* another process was faster */
    *err = (ho_error){0};
    code = HO_OK;
  }
  return code;
}

ho_code ho_store_make_folder(const ho_store *store, ho_error *err)
{
  bool own = ho_str_is(ho_fs_name(ho_str_of(store->folder)), ".handoff");
  return own && !ho_fs_exists(store->path) ? ho_store_make_place(store->folder, err) : ho_fs_mkdirs(store->folder, err);
}

static ho_code prepare_place(const ho_store *store, bool create, ho_error *err)
{
  if (ho_fs_is_folder(store->path))
    return ho_fail_file(err, HO_STORE, ho_str_of(store->path), "is a folder, not a store");
  if (create)
    return ho_store_make_folder(store, err);
  if (access(store->path, R_OK) == 0)
    return HO_OK;
  if (errno != ENOENT && errno != ENOTDIR)
    return ho_fail_file(err, HO_STORE, ho_str_of(store->path), "cannot be read: %s", strerror(errno));
  return ho_fail_file(err, HO_NOT_FOUND, ho_str_of(store->path), "no store here yet; run: handoff init");
}

ho_code ho_store_closed(const ho_store_options *options, ho_store **out, ho_error *err)
{
  ho_store *store = ho_malloc(sizeof *store);
  if (!store)
    return ho_fail_memory(err);
  *store = (ho_store){.driver = &ho_driver_sqlite,
                      .lock = -1,
                      .opening = -1,
                      .side = -1,
                      .levels = -1,
                      .brief = options->brief,
                      .look = options->look,
                      .wait_ms = options->wait_ms,
                      .may_write = options->may_write,
                      .data = options->data};
  ho_code code = read_url(store, options, err);
  if (code)
    ho_store_close(store);
  else
    *out = store;
  return code;
}

/* Opens the database and reads from it, so that its log is opened too, while nobody swaps the files. */
static ho_code open_files(ho_store *store, bool create, ho_error *err)
{
  int64_t version;
  bool empty;
  ho_code code;
  for (;;) {
    ho_queue_share(store);
    if (!ho_swap_pending(store))
      break;
    ho_queue_together(store);
    code = ho_swap_finish(store, err);
    if (code)
      return code;
  }
  code = store->driver->open(store->path, create, &store->db, err);
  if (!code && store->brief)
    store->driver->leave_log(store->db);
  if (!code)
    code = store->driver->version(store->db, &version, &empty, err);
  ho_queue_together(store);
  return code;
}

static ho_code open_database(ho_store *store, bool create, ho_error *err)
{
  bool changed;
  ho_code code = open_files(store, create, err);
  if (!code)
    code = ho_schema_ensure(store, err);
  return code ? code : store->driver->changed(store->db, &changed, err);
}

bool ho_store_replaced(const ho_store *store)
{
  return !store->db || ho_swap_pending(store) || store->driver->moved(store->db);
}

ho_code ho_store_reopen(ho_store *store, ho_error *err)
{
  if (!ho_store_replaced(store))
    return HO_OK;
  ho_db *old = store->db;
  store->db = NULL;
  ho_code code = open_database(store, false, err);
  ho_db *unwanted = code ? store->db : old;
  if (unwanted)
    store->driver->close(unwanted);
  if (code) {
    store->db = old;
  } else {
    store->block = (ho_id_block){0};
    store->owner[0] = '\0';
    ho_levels_close(store);
  }
  return code;
}

ho_code ho_store_open(const ho_store_options *options, ho_store **out, ho_error *err)
{
  ho_store *store = NULL;
  ho_code code = ho_store_closed(options, &store, err);
  if (code)
    return code;
  code = ho_swap_finish(store, err);
  if (!code)
    code = prepare_place(store, options->create, err);
  if (!code)
    code = open_database(store, options->create, err);
  if (code) {
    ho_store_close(store);
    return code;
  }
  if (!store->look && !store->driver->read_only(store->db))
    ho_intents_recover(store);
  *out = store;
  return HO_OK;
}

void ho_store_close(ho_store *store)
{
  if (!store)
    return;
  if (store->waiting)
    ho_store_follow(store);
  if (store->db)
    store->driver->close(store->db);
  ho_levels_close(store);
  if (store->lock >= 0)
    close(store->lock);
  if (store->side >= 0)
    close(store->side);
  ho_free(store->path);
  ho_free(store->folder);
  ho_free(store->root);
  ho_free(store->lock_path);
  ho_free(store);
}

const char *ho_store_path(const ho_store *store)
{
  return store->path;
}

const char *ho_store_folder(const ho_store *store)
{
  return store->folder;
}

ho_str ho_store_seal(const ho_store *store, ho_arena *arena)
{
  return ho_str_is(ho_fs_name(ho_str_of(store->path)), "handoff.db") ? ho_arena_printf(arena, "%s/seal", store->folder)
                                                                     : ho_arena_printf(arena, "%s.seal", store->path);
}
