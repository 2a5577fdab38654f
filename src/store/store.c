#include "store/store.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/time.h"
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

static ho_code prepare_place(const ho_store *store, bool create, ho_error *err)
{
  if (ho_fs_is_folder(store->path))
    return ho_fail_file(err, HO_STORE, ho_str_of(store->path), "is a folder, not a store");
  if (create)
    return ho_fs_mkdirs(store->folder, err);
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
                      .brief = options->brief,
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
  ho_queue_share(store);
  ho_code code = store->driver->open(store->path, create, &store->db, err);
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

ho_code ho_store_reopen(ho_store *store, ho_error *err)
{
  if (store->db && !store->driver->moved(store->db))
    return HO_OK;
  ho_db *old = store->db;
  store->db = NULL;
  ho_code code = open_database(store, false, err);
  ho_db *unwanted = code ? store->db : old;
  if (unwanted)
    store->driver->close(unwanted);
  if (code)
    store->db = old;
  else
    store->block = (ho_id_block){0};
  return code;
}

ho_code ho_store_open(const ho_store_options *options, ho_store **out, ho_error *err)
{
  ho_store *store = NULL;
  ho_code code = ho_store_closed(options, &store, err);
  if (code)
    return code;
  code = prepare_place(store, options->create, err);
  if (!code)
    code = open_database(store, options->create, err);
  if (code)
    ho_store_close(store);
  else
    *out = store;
  return code;
}

void ho_store_close(ho_store *store)
{
  if (!store)
    return;
  if (store->db)
    store->driver->close(store->db);
  if (store->lock >= 0)
    close(store->lock);
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

void ho_store_step(const char *step)
{
#ifndef NDEBUG
  const char *wanted = getenv("HANDOFF_KILL_AT");
  if (wanted && strcmp(wanted, step) == 0)
    raise(SIGKILL);
#else
  (void)step;
#endif
}

ho_code ho_store_must_write(const ho_store *store, ho_error *err)
{
  return store->writing ? HO_OK : ho_fail(err, HO_BUG, "a change to the store outside a transaction");
}

/* begin, work, commit; everything is undone if one of them fails. */
static ho_code transact(ho_store *store, ho_store_work work, void *data, ho_error *err)
{
  ho_code code = store->driver->begin(store->db, HO_BEGIN_WRITE, err);
  if (code)
    return code;
  store->writing = true;
  store->intended = store->reserved = false;
  ho_store_step("begun");
  code = work(store, data, err);
  ho_store_step("worked");
  store->writing = false;
  if (!code)
    code = store->driver->commit(store->db, err);
  if (code) {
    store->driver->rollback(store->db);
    if (store->reserved)
      store->block.next = store->block.end = 0; /* the reservation was undone: these ids are not ours */
  }
  return code;
}

/* Writes the files of a committed transaction. */
static ho_code write_files(ho_store *store, ho_error *err)
{
  ho_error why = {0};
  ho_store_step("committed");
  ho_code code = ho_intents_finish(store, &why);
  ho_store_step("written");
  if (!code)
    return HO_OK;
  ho_fail_file(err, HO_IO, ho_str_of(why.file),
               "%s; the change is recorded, and the next command that writes will retry", why.message);
  err->rule = "store-unfinished";
  return HO_IO;
}

ho_code ho_store_write(ho_store *store, ho_store_work work, void *data, ho_error *err)
{
  ho_error ignored;
  if (store->writing || store->reading)
    return ho_fail(err, HO_BUG, "a write inside another transaction");
  ho_code code = ho_queue_enter(store, err);
  if (code)
    return code;
  code = ho_store_reopen(store, err);
  if (!code) {
    (void)!ho_intents_finish(store, &ignored); /* what still cannot be written stays unfinished */
    code = transact(store, work, data, err);
  }
  if (!code && store->intended)
    code = write_files(store, err);
  ho_queue_leave(store);
  return code;
}

ho_code ho_store_read(ho_store *store, ho_store_work work, void *data, ho_error *err)
{
  if (store->writing || store->reading)
    return work(store, data, err);
  ho_code code = store->driver->begin(store->db, HO_BEGIN_READ, err);
  if (code)
    return code;
  store->reading = true;
  code = work(store, data, err);
  store->reading = false;
  store->driver->rollback(store->db);
  return code;
}

ho_code ho_store_wait(ho_store *store, int64_t ms, bool *changed, ho_error *err)
{
  enum { SHORT_MS = 20, LONG_MS = 200 };
  int64_t now = ho_time_now_ms(), end = now + ms, pause = SHORT_MS;
  for (;;) {
    bool moved = !store->db || store->driver->moved(store->db);
    ho_code code = moved ? ho_store_reopen(store, err) : store->driver->changed(store->db, changed, err);
    *changed = *changed || moved;
    if (code || *changed)
      return code;
    now = ho_time_now_ms();
    if (now >= end)
      return HO_OK;
    if (pause > end - now)
      pause = end - now;
    struct timespec nap = {.tv_sec = pause / 1000, .tv_nsec = pause % 1000 * 1000000};
    nanosleep(&nap, NULL);
    pause = pause * 2 < LONG_MS ? pause * 2 : LONG_MS;
  }
}

static ho_code free_name(const char *path, ho_error *err)
{
  if (ho_fs_exists(path))
    return ho_fail_file(err, HO_CONFLICT, ho_str_of(path), "already exists; not overwriting it");
  return HO_OK;
}

ho_code ho_store_backup(ho_store *store, const char *path, ho_error *err)
{
  char part[4096];
  int n = snprintf(part, sizeof part, "%s.%ld.part", path, (long)getpid());
  if (n < 0 || (size_t)n >= sizeof part)
    return ho_fail_file(err, HO_LIMIT, ho_str_of(path), "the path is too long");
  ho_code code = free_name(path, err);
  if (code)
    return code;
  unlink(part);
  code = store->driver->backup(store->db, part, err);
  if (!code && renameat2(AT_FDCWD, part, AT_FDCWD, path, RENAME_NOREPLACE) != 0)
    code = ho_fail_file(err, errno == EEXIST ? HO_CONFLICT : HO_IO, ho_str_of(path), "cannot be written: %s",
                        strerror(errno));
  unlink(part);
  return code;
}
