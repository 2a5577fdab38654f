/* Files that change together with the store. */
#include <errno.h>
#include <limits.h>
#include <unistd.h>

#include "store/columns.h"

static bool has_git_part(const char *path)
{
  ho_str rest = ho_str_of(path), part;
  while (ho_str_next(&rest, '/', &part))
    if (ho_str_is_nocase(part, ".git"))
      return true;
  return false;
}

/* Checks the path as written, and with the symbolic links of its folders resolved. */
static bool leads_into_git(const char *root, const char *path)
{
  char near[PATH_MAX], real[PATH_MAX], top[PATH_MAX];
  if (!realpath(root, top))
    ho_error_copy(top, sizeof top, ho_str_of(root));
  ho_error_copy(near, sizeof near, ho_str_of(path));
  while (!realpath(near, real)) {
    char *slash = strrchr(near, '/');
    if (!slash || slash == near)
      return has_git_part(path);
    *slash = '\0';
  }
  size_t skip = ho_str_starts(ho_str_of(real), top) ? strlen(top) : 0;
  size_t skip_text = ho_str_starts(ho_str_of(path), root) ? strlen(root) : 0;
  return has_git_part(real + skip) || has_git_part(path + skip_text);
}

static ho_code refuse(const char *path, ho_error *err)
{
  return ho_fail_file(err, HO_LIMIT, ho_str_of(path), "is outside the project or below .git; refusing to write it");
}

/* The seal is beside the database, which may be outside the project. */
static bool is_seal(const ho_store *store, const char *path)
{
  return ho_str_eq(ho_fs_parent(ho_str_of(path)), ho_str_of(store->folder)) && ho_str_ends(ho_str_of(path), "/seal");
}

/* below: the folder that the path must not leave. */
static ho_code may_write(const ho_store *store, const char *path, char below[PATH_MAX], ho_error *err)
{
  ho_error_copy(below, PATH_MAX, ho_str_of(store->root));
  if (is_seal(store, path))
    return HO_OK;
  bool allowed = ho_fs_inside(store->root, path) || (store->may_write && store->may_write(store->data, path, below));
  return allowed && !leads_into_git(store->root, path) ? HO_OK : refuse(path, err);
}

/* Does the file exist with exactly this content? HO_CONFLICT if it has other content. */
static ho_code compare(const char *path, ho_str content, bool *same, ho_error *err)
{
  ho_arena arena;
  ho_str text = HO_EMPTY;
  *same = false;
  if (!ho_fs_exists(path))
    return HO_OK;
  ho_arena_init(&arena, 0);
  ho_code code = ho_fs_read(&arena, path, content.n + 1, &text, err);
  *same = !code && ho_str_eq(text, content);
  ho_arena_free(&arena);
  if (code == HO_NOT_FOUND)
    return HO_OK;
  if (code == HO_LIMIT || (!code && !*same))
    return ho_fail_file(err, HO_CONFLICT, ho_str_of(path), "already exists with different content");
  return code;
}

ho_code ho_store_intend(ho_store *store, ho_str path, ho_str content, ho_fs_mode mode, ho_error *err)
{
  ho_arena arena;
  bool same = false;
  char below[PATH_MAX];
  ho_code code = ho_store_must_write(store, err);
  if (code)
    return code;
  ho_arena_init(&arena, 0);
  ho_str root = ho_str_of(store->root), whole = ho_fs_join(&arena, root, path);
  code = ho_arena_code(&arena, err);
  if (!code)
    code = may_write(store, whole.p, below, err);
  if (!code && mode == HO_FS_CREATE)
    code = compare(whole.p, content, &same, err);
  if (!code && !same) {
    /* Relative if possible, so that a project that was moved is not written to its old location. */
    ho_str kept = ho_fs_relative(root, whole);
    code = HO_RUN(store, HO_SQL_INTENT_DROP, NULL, NULL, NULL, err, HO_TEXT(kept));
    if (!code)
      code = HO_RUN(store, HO_SQL_INTENT_ADD, NULL, NULL, NULL, err, HO_TEXT(kept), HO_INT(mode), HO_TEXT(content));
    store->intended = true;
  }
  ho_arena_free(&arena);
  return code;
}

typedef struct finishing {
  ho_store *store;
  ho_arena arena;
  int64_t *done;
  size_t count;
  ho_code first; /* the first failure */
  ho_error why;
} finishing;

static ho_code write_file(ho_store *store, const char *path, ho_str content, ho_fs_mode mode, ho_error *err)
{
  char folder[PATH_MAX], below[PATH_MAX];
  ho_error_copy(folder, sizeof folder, ho_fs_parent(ho_str_of(path)));
  ho_code code = may_write(store, path, below, err);
  if (!code)
    code = ho_fs_mkdirs_in(below, folder, err);
  if (!code)
    code = ho_fs_write_in(below, path, content, mode, err);
  return code == HO_CONFLICT ? HO_OK : code; /* was to be created, but exists: the file wins */
}

static ho_code finish_one(void *data, const ho_value *values, ho_error *err)
{
  finishing *f = data;
  ho_error why = {0};
  ho_str path = ho_fs_join(&f->arena, ho_str_of(f->store->root), values[1].s);
  ho_code code = ho_arena_code(&f->arena, err);
  if (code)
    return code;
  code = write_file(f->store, path.p, values[3].s, values[2].i ? HO_FS_CREATE : HO_FS_REPLACE, &why);
  if (code && !f->first) {
    f->first = code;
    f->why = why;
  }
  if (code)
    return HO_OK;
  int64_t *done = HO_PUSH(&f->arena, f->done, f->count);
  if (done)
    *done = values[0].i;
  return ho_arena_code(&f->arena, err);
}

/* Need not survive a power cut: the files would only be written again. */
static ho_code forget(finishing *f, ho_error *err)
{
  const ho_driver *driver = f->store->driver;
  ho_code code = driver->begin(f->store->db, HO_BEGIN_RELAXED, err);
  for (size_t i = 0; i < f->count && !code; i++)
    code = HO_RUN(f->store, HO_SQL_INTENT_DONE, NULL, NULL, NULL, err, HO_INT(f->done[i]));
  if (!code)
    code = driver->commit(f->store->db, err);
  if (code)
    driver->rollback(f->store->db);
  return code;
}

ho_code ho_intents_finish(ho_store *store, ho_error *err)
{
  finishing f = {.store = store};
  ho_arena_init(&f.arena, 0);
  ho_code code = HO_RUN(store, HO_SQL_INTENT_EACH, finish_one, &f, NULL, err, HO_INT(0));
  if (f.count) {
    ho_error other;
    ho_code second = forget(&f, code ? &other : err);
    code = code ? code : second;
  }
  ho_arena_free(&f.arena);
  if (!code && f.first) {
    code = f.first;
    *err = f.why;
  }
  return code;
}

ho_code ho_store_settle(ho_store *store, ho_error *err)
{
  ho_code code = ho_queue_enter(store, err);
  if (code)
    return code;
  code = ho_intents_finish(store, err);
  ho_queue_leave(store);
  return code;
}

ho_code ho_store_unfinished(ho_store *store, ho_str path, int64_t *count, ho_error *err)
{
  ho_one_number number = {0};
  ho_code code = HO_RUN(store, HO_SQL_INTENT_COUNT, ho_columns_take_number, &number, NULL, err, HO_TEXT(path));
  *count = number.value;
  return code;
}

typedef struct listing {
  ho_text_each each;
  void *data;
} listing;

static ho_code give_path(void *data, const ho_value *values, ho_error *err)
{
  const listing *l = data;
  return l->each(l->data, values[1].s, err);
}

ho_code ho_store_intended(ho_store *store, ho_text_each each, void *data, ho_error *err)
{
  listing l = {each, data};
  return HO_RUN(store, HO_SQL_INTENT_EACH, give_path, &l, NULL, err, HO_INT(0));
}
