/* Carrying out intents: the files are written after the commit, by whoever comes first, in the order in which they were
 * intended. A file is written by a rename and not synced; after a while, or if there are many, all of them are synced in
 * one go. */
#include "store/intents.h"

#include <errno.h>
#include <stdio.h>

#include "base/digest.h"

enum {
  AT_ONCE = 64,        /* intents that are carried out together */
  RETRIED = 16,        /* of those that could not be */
  SYNC_COUNT = 64,     /* files that wait to be synced, at most */
  SYNC_MOST = 256,     /* that one command syncs: where many write at once, others sync the rest */
  SYNC_AGE_MS = 60000, /* by then the system has written them anyway, so it costs next to nothing */
  WAIT_MS = 5000,      /* for another process that carries them out */
  ASIDES = 9,
  FOLDERS = 8, /* new ones above a file, at most */
};

typedef struct intent {
  int64_t id;
  ho_str path; /* whole */
  ho_intent kind;
  ho_str expected, content;
  ho_str trouble, aside; /* "" if there is none */
  bool overtaken;        /* there is a later one for the same file */
} intent;

typedef struct batch {
  ho_store *store;
  ho_arena arena;
  intent *rows;
  size_t count;
  char folder[PATH_MAX], below[PATH_MAX]; /* the folder of the last file that could be written, and what not to leave */
} batch;

static ho_code take_row(void *data, const ho_value *values, ho_error *err)
{
  batch *b = data;
  ho_arena *a = &b->arena;
  intent *row = HO_PUSH(a, b->rows, b->count);
  if (row)
    *row = (intent){.id = values[0].i,
                    .path = ho_fs_join(a, ho_str_of(b->store->root), values[1].s),
                    .kind = (ho_intent)values[2].i,
                    .expected = ho_arena_copy(a, values[3].s),
                    .content = ho_arena_copy(a, values[4].s),
                    .trouble = ho_arena_copy(a, values[5].s),
                    .aside = ho_arena_copy(a, values[6].s),
                    .overtaken = values[7].i != 0};
  return ho_arena_code(a, err);
}

/* Those after one id up to another, or (HO_SQL_INTENT_TROUBLED) those that could not be carried out. */
static ho_code select_rows(batch *b, ho_sql which, int64_t after, int64_t upto, int64_t limit, ho_error *err)
{
  b->rows = NULL;
  b->count = 0;
  return HO_RUN(b->store, which, take_row, b, NULL, err, HO_TEXT(ho_intents_owner(b->store)), HO_INT(after),
                HO_INT(upto), HO_INT(limit));
}

/* ---- One file */

typedef enum finding {
  MISSING,
  SAME,
  EXPECTED, /* one of those that the intent was to replace */
  TORN,     /* a part of the content: the machine stopped before it was synced */
  OTHER     /* somebody has written it since */
} finding;

/* Empty, shorter, or with holes: what is left of a file that was not synced. */
static bool is_torn(ho_str text, ho_str content)
{
  if (text.n > content.n)
    return false;
  for (size_t i = 0; i < text.n; i++)
    if (text.p[i] != '\0' && text.p[i] != content.p[i])
      return false;
  return true;
}

static bool is_expected(const intent *row, const char *digest)
{
  ho_str rest = row->expected, one;
  while (ho_str_next(&rest, ' ', &one))
    if (ho_str_is(one, digest))
      return true;
  return false;
}

static ho_code look(const intent *row, finding *out, ho_error *err)
{
  ho_arena arena;
  ho_str text = HO_EMPTY;
  char digest[HO_DIGEST_SIZE];
  *out = MISSING;
  if (!ho_fs_exists(row->path.p))
    return HO_OK;
  ho_arena_init(&arena, 0);
  ho_code code = ho_fs_read(&arena, row->path.p, 0, &text, err);
  if (!code) {
    ho_digest_text(text, digest);
    *out = ho_str_eq(text, row->content) ? SAME
           : is_expected(row, digest)    ? EXPECTED
           : is_torn(text, row->content) ? TORN
                                         : OTHER;
  }
  ho_arena_free(&arena);
  return code == HO_NOT_FOUND ? HO_OK : code;
}

/* What holds for a file holds for the next one in the same folder, unless that is a link. */
static ho_code may_write(batch *b, const char *path, ho_error *err)
{
  ho_str whole = ho_str_of(path), folder = ho_fs_parent(whole);
  bool same = b->folder[0] && ho_str_is(folder, b->folder) && !ho_str_is_nocase(ho_fs_name(whole), ".git") &&
              !ho_fs_is_link(path);
  if (same)
    return HO_OK;
  b->folder[0] = '\0';
  ho_code code = ho_intents_may_write(b->store, path, b->below, err);
  if (!code && folder.n < sizeof b->folder)
    ho_error_copy(b->folder, sizeof b->folder, folder);
  return code;
}

static ho_code write_file(batch *b, const char *path, ho_str content, ho_fs_mode mode, ho_error *err)
{
  ho_code code = may_write(b, path, err);
  if (!code)
    code =
        mode == HO_FS_CACHE ? ho_fs_mkdirs_later(b->below, b->folder, err) : ho_fs_mkdirs_in(b->below, b->folder, err);
  return code ? code : ho_fs_write_in(b->below, path, content, mode, err);
}

/* Writes the content beside the file, which is somebody else's now. */
static ho_code put_aside(batch *b, intent *row, ho_error *err)
{
  ho_code code = HO_CONFLICT;
  for (int i = 1; code == HO_CONFLICT && i <= ASIDES; i++) {
    row->aside = i == 1 ? ho_arena_printf(&b->arena, "%.*s.recovered", HO_ARG(row->path))
                        : ho_arena_printf(&b->arena, "%.*s.recovered-%d", HO_ARG(row->path), i);
    code = ho_arena_code(&b->arena, err);
    if (!code)
      code = write_file(b, row->aside.p, row->content, HO_FS_CREATE, err);
  }
  if (code)
    return code;
  return ho_fail_file(err, HO_CONFLICT, row->path, "was changed by someone else; what was to be written is in %.*s",
                      HO_ARG(ho_fs_name(row->aside)));
}

/* Removes a file that was written elsewhere. If that one is not there, this one is all there is. */
static ho_code remove_moved(batch *b, const intent *row, ho_error *err)
{
  ho_str old, moved, to = ho_fs_join(&b->arena, ho_str_of(b->store->root), row->content);
  if (!to.n)
    return ho_fail_memory(err);
  ho_code code = ho_fs_read(&b->arena, row->path.p, 0, &old, err);
  if (code)
    return code == HO_NOT_FOUND ? HO_OK : code;
  code = ho_fs_read(&b->arena, to.p, 0, &moved, err);
  if (code || !ho_str_eq(old, moved))
    return code;
  if (ho_fs_unlink_in(b->below, row->path.p) == 0)
    return HO_OK;
  return ho_fail_file(err, HO_IO, row->path, "cannot be removed: %s", ho_fs_reason(errno));
}

/* again: it was written before, and is looked at after a start of the machine: what differs was changed since. */
static ho_code carry_out(batch *b, intent *row, bool again, ho_error *err)
{
  finding found;
  ho_code code = may_write(b, row->path.p, err);
  if (!code && row->kind == HO_INTENT_MOVED)
    return remove_moved(b, row, err);
  if (!code)
    code = look(row, &found, err);
  if (code || found == SAME || (found == OTHER && (again || row->overtaken)))
    return code;
  if (found == OTHER)
    return put_aside(b, row, err);
  ho_fs_mode mode = row->kind == HO_INTENT_WORKING ? HO_FS_REPLACE : HO_FS_CACHE;
  return write_file(b, row->path.p, row->content, mode, err);
}

/* Of a failure: which file it is about. */
static void name_file(const batch *b, const intent *row, ho_error *why)
{
  ho_error_copy(why->file, sizeof why->file, ho_fs_relative(ho_str_of(b->store->root), row->path));
}

/* ---- Trouble: recorded in a transaction of its own, which need not be durable. */

typedef ho_code (*change_row)(batch *b, const intent *row, ho_error *err);

static ho_code change_rows(batch *b, change_row change, ho_error *err)
{
  const ho_driver *driver = b->store->driver;
  ho_code code = ho_queue_enter(b->store, err);
  if (code)
    return code;
  code = driver->begin(b->store->db, HO_BEGIN_WRITE, err);
  ho_intents_uncount(b->store);
  for (size_t i = 0; i < b->count && !code; i++)
    code = change(b, &b->rows[i], err);
  if (!code)
    code = driver->commit(b->store->db, err);
  if (code)
    driver->rollback(b->store->db);
  ho_queue_leave(b->store);
  return code;
}

static ho_code mark(batch *b, const intent *row, ho_error *err)
{
  return row->trouble.n ? HO_RUN(b->store, HO_SQL_INTENT_TROUBLE, NULL, NULL, NULL, err, HO_INT(row->id),
                                 HO_TEXT(row->trouble), HO_TEXT(row->aside))
                        : HO_OK;
}

static ho_code mark_or_forget(batch *b, const intent *row, ho_error *err)
{
  return row->trouble.n ? mark(b, row, err)
                        : HO_RUN(b->store, HO_SQL_INTENT_DONE, NULL, NULL, NULL, err, HO_INT(row->id));
}

/* Carries out all rows. *first: the first failure, if it has none yet. HO_MEMORY ends it at once: that is no trouble of
 * the file's. */
static ho_code carry_out_all(batch *b, bool again, bool *troubled, ho_error *first, ho_error *err)
{
  *troubled = false;
  for (size_t i = 0; i < b->count; i++) {
    intent *row = &b->rows[i];
    ho_error why = {0};
    ho_code code = carry_out(b, row, again, &why);
    if (code == HO_MEMORY)
      return ho_fail_memory(err);
    if (!code)
      continue;
    *troubled = true;
    row->trouble = ho_arena_copy(&b->arena, ho_str_of(why.message));
    name_file(b, row, &why);
    if (!first->code)
      *first = why;
  }
  return ho_arena_code(&b->arena, err);
}

/* ---- Syncing */

/* The folders from that of the file up to the project's, unless they were among those of the file before. */
static void sync_folders(const ho_store *store, const char *path, ho_str before)
{
  char part[PATH_MAX], *slash;
  ho_error_copy(part, sizeof part, ho_str_of(path));
  for (int i = 0; i < FOLDERS && (slash = strrchr(part, '/')) && slash != part; i++) {
    if (ho_fs_below(ho_fs_parent(ho_str_of(part)), before))
      return;
    ho_fs_sync(part);
    *slash = '\0';
    if (strcmp(part, store->root) == 0)
      return;
  }
}

/* limit: how many files, at most; the oldest ones. */
static ho_code sync_files(batch *b, int64_t limit, ho_error *err)
{
  int64_t written = ho_levels_get(b->store, HO_LEVEL_WRITTEN), synced = ho_levels_get(b->store, HO_LEVEL_SYNCED);
  ho_str before = HO_EMPTY;
  ho_code code = select_rows(b, HO_SQL_INTENT_EACH, synced, written, limit, err);
  if (!code && (int64_t)b->count == limit)
    written = b->rows[b->count - 1].id;
  for (size_t i = 0; !code && i < b->count; i++)
    ho_fs_flush_soon(b->rows[i].path.p); /* so that the first sync finds all of them on their way */
  for (size_t i = 0; !code && i < b->count; i++) {
    code = ho_fs_flush(b->rows[i].path.p, err);
    sync_folders(b->store, b->rows[i].path.p, before);
    before = b->rows[i].path;
  }
  if (!code && written > synced)
    ho_levels_set(b->store, HO_LEVEL_SYNCED, written);
  return code;
}

static ho_code sync_if_due(batch *b, ho_error *err)
{
  ho_intents_range range = {0};
  ho_code code = ho_intents_pending(b->store, &range, err);
  int64_t synced = ho_levels_get(b->store, HO_LEVEL_SYNCED), age = ho_time_now_ms() - range.since;
  if (code || !range.last || range.last <= synced)
    return code;
  return range.last - synced >= SYNC_COUNT || age >= SYNC_AGE_MS || age < 0 ? sync_files(b, SYNC_MOST, err) : HO_OK;
}

/* ---- All of them */

/* Those that are there when it begins: others may go on intending more as fast as these are carried out. */
static ho_code carry_out_new(batch *b, ho_error *first, ho_error *err)
{
  ho_intents_range range = {0};
  ho_code code = ho_intents_pending(b->store, &range, err);
  while (!code) {
    bool troubled;
    int64_t written = ho_levels_get(b->store, HO_LEVEL_WRITTEN);
    code = written < range.last ? select_rows(b, HO_SQL_INTENT_EACH, written, range.last, AT_ONCE, err) : HO_OK;
    if (code || written >= range.last || !b->count)
      return code;
    /* Some may be of others who are about to sync: no file is ahead of the store. */
    code = ho_levels_make_durable(b->store, ho_levels_get(b->store, HO_LEVEL_COMMITTED), err);
    if (!code)
      code = carry_out_all(b, false, &troubled, first, err);
    if (!code && troubled)
      code = change_rows(b, mark, err);
    if (code)
      return code;
    ho_levels_set(b->store, HO_LEVEL_WRITTEN, b->rows[b->count - 1].id);
    if (ho_levels_get(b->store, HO_LEVEL_WRITTEN) <= written)
      return HO_OK; /* nothing remembers what was done: the next one does it again */
  }
  return code;
}

/* An intent whose content is beside the file is done when somebody has taken it from there. */
static bool is_settled(const intent *row)
{
  finding found;
  ho_error err;
  return row->aside.n && (!ho_fs_exists(row->aside.p) || (look(row, &found, &err) == HO_OK && found == SAME));
}

static ho_code try_again(batch *b, int64_t limit, ho_error *first, ho_error *err)
{
  bool changed = false;
  ho_code code = select_rows(b, HO_SQL_INTENT_TROUBLED, 0, 0, limit, err);
  for (size_t i = 0; !code && i < b->count; i++) {
    intent *row = &b->rows[i];
    ho_str before = row->trouble;
    ho_error why = {0};
    row->trouble = HO_EMPTY;
    if (row->aside.n)
      why.code = is_settled(row) ? HO_OK : HO_CONFLICT;
    else
      why.code = carry_out(b, row, false, &why);
    if (why.code == HO_MEMORY)
      return ho_fail_memory(err);
    if (why.code) {
      row->trouble = why.message[0] ? ho_arena_copy(&b->arena, ho_str_of(why.message)) : before;
      if (!first->code) {
        *first = why;
        name_file(b, row, first);
        ho_error_copy(first->message, sizeof first->message, row->trouble);
      }
    } else {
      code = ho_fs_flush(row->path.p, err);
      sync_folders(b->store, row->path.p, HO_EMPTY);
    }
    changed = changed || !ho_str_eq(before, row->trouble);
  }
  if (!code)
    code = ho_arena_code(&b->arena, err);
  return code || !changed ? code : change_rows(b, mark_or_forget, err);
}

/* retried: how many of those that could not be carried out are tried again. */
static ho_code carry_out_under_lock(ho_store *store, int64_t retried, bool sync, ho_error *err)
{
  batch b = {.store = store};
  ho_error first = {0};
  ho_intents_range range = {0};
  ho_arena_init(&b.arena, 0);
  ho_code code = carry_out_new(&b, &first, err);
  if (!code)
    code = ho_intents_pending(store, &range, err);
  if (!code && range.troubled && !first.code)
    code = try_again(&b, retried, &first, err);
  if (!code)
    code = sync ? sync_files(&b, INT32_MAX, err) : sync_if_due(&b, err);
  ho_arena_free(&b.arena);
  if (!code && first.code) {
    *err = first;
    code = first.code;
  }
  return code;
}

static ho_code with_lock(ho_store *store, int64_t retried, bool sync, ho_error *err)
{
  if (!ho_queue_take(store, HO_LOCK_FILES, WAIT_MS)) {
    ho_code code =
        ho_fail_file(err, HO_IO, ho_str_of(store->path), "another process is busy writing the files that follow it");
    err->rule = "files-busy";
    return code;
  }
  /* Whoever replaced the store has carried out what it intended, or has taken that over. */
  ho_code code = store->driver->moved(store->db) ? HO_OK : carry_out_under_lock(store, retried, sync, err);
  ho_queue_give(store, HO_LOCK_FILES);
  return code;
}

ho_code ho_intents_carry_out(ho_store *store, ho_error *err)
{
  return with_lock(store, RETRIED, false, err);
}

bool ho_intents_try(ho_store *store, ho_error *err)
{
  if (!ho_queue_take(store, HO_LOCK_FILES, 0))
    return false;
  if (!store->driver->moved(store->db))
    (void)!carry_out_under_lock(store, RETRIED, false, err);
  ho_queue_give(store, HO_LOCK_FILES);
  return true;
}

ho_code ho_store_settle(ho_store *store, ho_error *err)
{
  return with_lock(store, INT32_MAX, true, err);
}

/* Whoever has held the lock for so long was stopped, and writes nothing; in a read-only folder, nobody does. */
ho_code ho_store_read_still(ho_store *store, ho_store_work work, void *data, ho_error *err)
{
  bool locked = ho_queue_take(store, HO_LOCK_FILES, WAIT_MS);
  ho_code code = ho_store_read(store, work, data, err);
  if (locked)
    ho_queue_give(store, HO_LOCK_FILES);
  return code;
}

/* Those that were carried out in an earlier start of the machine, and not synced. */
static ho_code look_again(ho_store *store, ho_error *err)
{
  batch b = {.store = store};
  bool troubled = false;
  ho_error first = {0};
  ho_arena_init(&b.arena, 0);
  int64_t written = ho_levels_get(store, HO_LEVEL_WRITTEN); /* 0: nobody remembers, so all of them count as written */
  ho_code code = select_rows(&b, HO_SQL_INTENT_EACH, ho_levels_get(store, HO_LEVEL_SYNCED),
                             written ? written : INT64_MAX, INT32_MAX, err);
  if (!code)
    code = carry_out_all(&b, true, &troubled, &first, err);
  if (!code && troubled)
    code = change_rows(&b, mark, err);
  if (!code && b.count)
    ho_levels_set(store, HO_LEVEL_WRITTEN, b.rows[b.count - 1].id);
  if (!code)
    code = sync_files(&b, INT32_MAX, err);
  ho_arena_free(&b.arena);
  return code;
}

void ho_intents_recover(ho_store *store)
{
  ho_error ignored;
  store->restarted = ho_levels_restarted(store);
  if (!store->restarted || !ho_queue_take(store, HO_LOCK_FILES, WAIT_MS))
    return;
  if (look_again(store, &ignored) == HO_OK)
    ho_levels_checked(store);
  ho_queue_give(store, HO_LOCK_FILES);
}
