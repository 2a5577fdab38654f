/* The rows of intents: which files are to follow the store. intents_carry.c writes the files. */
#include "store/intents.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <unistd.h>

#include "base/digest.h"

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

/* The seal is beside the database, which may be outside the project. */
static bool is_seal(const ho_store *store, const char *path)
{
  ho_arena arena;
  ho_arena_init(&arena, 0);
  bool is = ho_str_is(ho_store_seal(store, &arena), path);
  ho_arena_free(&arena);
  return is;
}

ho_code ho_intents_may_write(const ho_store *store, const char *path, char below[PATH_MAX], ho_error *err)
{
  ho_error_copy(below, PATH_MAX, ho_str_of(store->root));
  if (is_seal(store, path))
    return HO_OK;
  bool allowed = store->may_write ? store->may_write(store->data, path, below) : ho_fs_inside(store->root, path);
  if (allowed && !leads_into_git(store->root, path))
    return HO_OK;
  return ho_fail_file(err, HO_LIMIT, ho_str_of(path),
                      allowed ? "is below .git; refusing to write it"
                              : "is in no worktree of this project; refusing to write it");
}

void ho_intents_name_owner(const char *database, const char *root, char out[HO_INTENTS_OWNER_SIZE])
{
  struct stat file, folder;
  if (ho_fs_stat(database, &file) == 0 && ho_fs_stat(root, &folder) == 0)
    snprintf(out, HO_INTENTS_OWNER_SIZE, "%lld/%lld", (long long)file.st_ino, (long long)folder.st_ino);
}

ho_str ho_intents_owner(ho_store *store)
{
  _Static_assert(sizeof store->owner == HO_INTENTS_OWNER_SIZE, "room for the owner");
  if (!store->owner[0])
    ho_intents_name_owner(store->path, store->root, store->owner);
  return ho_str_of(store->owner);
}

/* The digest of the file that an intent replaces: "" if there is none, and something that no file has if it cannot be
 * read. */
static void look_at(const char *path, char digest[HO_DIGEST_SIZE])
{
  ho_arena arena;
  ho_error err;
  ho_str text;
  digest[0] = '\0';
  if (!ho_fs_exists(path))
    return;
  ho_arena_init(&arena, 0);
  if (ho_fs_read(&arena, path, 0, &text, &err) == HO_OK)
    ho_digest_text(text, digest);
  else
    snprintf(digest, HO_DIGEST_SIZE, "unknown");
  ho_arena_free(&arena);
}

static ho_code take_first(void *data, const ho_value *values, ho_error *err)
{
  ho_intents_range *range = data;
  (void)err;
  range->first = range->last = values[0].i;
  range->since = values[1].i;
  return HO_OK;
}

static ho_code take_last(void *data, const ho_value *values, ho_error *err)
{
  (void)err;
  ((ho_intents_range *)data)->last = values[0].i;
  return HO_OK;
}

/* To count those in trouble, all of them have to be looked at, so their number is remembered. */
static ho_code count_troubled(ho_store *store, int64_t *out, ho_error *err)
{
  ho_one_number number = {0};
  int64_t counted = ho_levels_get(store, HO_LEVEL_TROUBLED);
  *out = counted - 1;
  if (counted)
    return HO_OK;
  ho_code code = HO_RUN(store, HO_SQL_INTENT_TROUBLES, ho_columns_take_number, &number, NULL, err,
                        HO_TEXT(ho_intents_owner(store)));
  *out = number.value;
  return code;
}

void ho_intents_uncount(ho_store *store)
{
  ho_levels_set(store, HO_LEVEL_TROUBLED, 0);
}

static ho_code find_last(ho_store *store, ho_intents_range *out, ho_error *err)
{
  return HO_RUN(store, HO_SQL_INTENT_LAST, take_last, out, NULL, err, HO_TEXT(ho_intents_owner(store)));
}

ho_code ho_intents_pending(ho_store *store, ho_intents_range *out, ho_error *err)
{
  ho_code code = HO_RUN(store, HO_SQL_INTENT_FIRST, take_first, out, NULL, err, HO_TEXT(ho_intents_owner(store)));
  if (!code && out->first)
    code = find_last(store, out, err);
  return code ? code : count_troubled(store, &out->troubled, err);
}

/* An id that counts as carried out already shows that an older copy took the place of the database. */
static ho_code check_levels(ho_store *store, ho_error *err)
{
  ho_intents_range range = {0};
  ho_code code = find_last(store, &range, err);
  if (code || !range.last || range.last > ho_levels_get(store, HO_LEVEL_WRITTEN))
    return code;
  code = ho_intents_pending(store, &range, err);
  if (!code) {
    ho_levels_set(store, HO_LEVEL_WRITTEN, range.first - 1);
    ho_levels_set(store, HO_LEVEL_SYNCED, range.first - 1);
    ho_intents_uncount(store);
  }
  return code;
}

/* Digests of files that an intent may replace, the newest first. */
typedef struct replaced {
  char digests[16 * HO_DIGEST_SIZE];
  size_t n;
  bool earlier; /* there is an intent for the same file */
} replaced;

static void expect(replaced *r, ho_str digest)
{
  if (digest.n && r->n + digest.n + 1 < sizeof r->digests)
    r->n += (size_t)snprintf(r->digests + r->n, sizeof r->digests - r->n, r->n ? " %.*s" : "%.*s", HO_ARG(digest));
}

static ho_code expect_earlier(void *data, const ho_value *values, ho_error *err)
{
  char digest[HO_DIGEST_SIZE];
  ho_str rest = values[0].s, before;
  (void)err;
  ((replaced *)data)->earlier = true;
  ho_digest_text(values[1].s, digest);
  expect(data, ho_str_of(digest));
  while (ho_str_next(&rest, ' ', &before))
    expect(data, before);
  return HO_OK;
}

/* there: the digest of the file as it is; known: that of one that may appear, or "". While this is intended, another process may write an earlier intent, or what that
 * was to replace may still be there: that is not somebody else's change. */
static ho_code add(ho_store *store, ho_str path, ho_str content, ho_intent kind, const char *there, ho_str known,
                   ho_error *err)
{
  replaced expected;
  expected.digests[0] = '\0';
  expected.n = 0;
  expected.earlier = false;
  ho_str owner = ho_intents_owner(store);
  if (ho_levels_get(store, HO_LEVEL_TROUBLED) != 1)
    ho_intents_uncount(store); /* it may replace one in trouble */
  expect(&expected, ho_str_of(there));
  if (!ho_str_is(known, there))
    expect(&expected, known);
  ho_code code = HO_RUN(store, HO_SQL_INTENT_OF, expect_earlier, &expected, NULL, err, HO_TEXT(path), HO_TEXT(owner));
  if (!code)
    code = HO_RUN(store, HO_SQL_INTENT_ADD, NULL, NULL, NULL, err, HO_TEXT(path), HO_INT(kind),
                  HO_TEXT(ho_str_of(expected.digests)), HO_TEXT(content), HO_TEXT(owner), HO_INT(ho_time_now_ms()));
  if (!code && expected.earlier)
    code = HO_RUN(store, HO_SQL_INTENT_REPLACE, NULL, NULL, NULL, err, HO_TEXT(path), HO_TEXT(owner),
                  HO_INT(ho_levels_get(store, HO_LEVEL_WRITTEN)));
  store->intended = true;
  store->urgent = store->urgent || kind != HO_INTENT_DERIVED;
  return code ? code : check_levels(store, err);
}

static ho_code intend(ho_store *store, ho_str path, ho_str content, ho_intent kind, ho_str known, ho_error *err)
{
  ho_arena arena;
  char below[PATH_MAX], there[HO_DIGEST_SIZE], wanted[HO_DIGEST_SIZE];
  ho_code code = ho_store_must_write(store, err);
  if (code)
    return code;
  ho_arena_init(&arena, 0);
  ho_str root = ho_str_of(store->root), whole = ho_fs_join(&arena, root, path);
  code = ho_arena_code(&arena, err);
  if (!code && kind != HO_INTENT_DERIVED) /* that is judged when it is written */
    code = ho_intents_may_write(store, whole.p, below, err);
  if (!code) {
    look_at(whole.p, there);
    wanted[0] = '\0';
    if (kind == HO_INTENT_NEW && there[0])
      ho_digest_text(content, wanted);
    if (kind == HO_INTENT_NEW && there[0] && strcmp(there, wanted) != 0)
      code = ho_fail_file(err, HO_CONFLICT, whole, "already exists with different content");
  }
  /* Relative if possible: a project that was moved keeps its intents. */
  if (!code && (kind != HO_INTENT_NEW || !there[0]))
    code = add(store, ho_fs_relative(root, whole), content, kind, there, known, err);
  ho_arena_free(&arena);
  return code;
}

ho_code ho_store_intend(ho_store *store, ho_str path, ho_str content, ho_intent kind, ho_error *err)
{
  return intend(store, path, content, kind, HO_EMPTY, err);
}

ho_code ho_store_intend_over(ho_store *store, ho_str path, ho_str content, ho_str digest, ho_error *err)
{
  return intend(store, path, content, HO_INTENT_DERIVED, digest, err);
}

ho_code ho_store_intend_move(ho_store *store, ho_str from, ho_str to, ho_error *err)
{
  ho_arena arena;
  ho_str text;
  ho_arena_init(&arena, 0);
  ho_str root = ho_str_of(store->root), whole = ho_fs_join(&arena, root, from);
  ho_code code = ho_arena_code(&arena, err);
  if (!code)
    code = ho_fs_read(&arena, whole.p, 0, &text, err);
  if (!code)
    code = ho_store_intend(store, to, text, HO_INTENT_NEW, err);
  if (!code)
    code = ho_store_intend(store, from, ho_fs_relative(root, ho_fs_join(&arena, root, to)), HO_INTENT_MOVED, err);
  ho_arena_free(&arena);
  return code;
}

ho_code ho_intents_begin(ho_store *store, ho_error *err)
{
  ho_intents_range range = {0};
  char last[24];
  ho_code code = ho_intents_pending(store, &range, err);
  if (!code) /* nothing has changed in this transaction, so the number holds also if it is undone */
    ho_levels_set(store, HO_LEVEL_TROUBLED, range.troubled + 1);
  if (code || (!range.last && !range.troubled))
    return code;
  int64_t synced = ho_levels_get(store, HO_LEVEL_SYNCED);
  store->intended = range.troubled || range.last > ho_levels_get(store, HO_LEVEL_WRITTEN);
  if (!range.last || range.first > synced)
    return HO_OK;
  snprintf(last, sizeof last, "%lld", (long long)range.last);
  code = ho_store_meta_set(store, HO_STR(HO_META_INTENTS), ho_str_of(last), err);
  return code ? code
              : HO_RUN(store, HO_SQL_INTENT_FORGET, NULL, NULL, NULL, err, HO_TEXT(ho_intents_owner(store)),
                       HO_INT(synced));
}

const ho_error *ho_store_unwritten(const ho_store *store)
{
  return &store->unwritten;
}

ho_code ho_store_unfinished(ho_store *store, ho_str path, int64_t *count, ho_error *err)
{
  ho_one_number number = {0};
  ho_code code =
      HO_RUN(store, HO_SQL_INTENT_COUNT, ho_columns_take_number, &number, NULL, err, HO_TEXT(ho_intents_owner(store)),
             HO_INT(ho_levels_get(store, HO_LEVEL_WRITTEN)), HO_TEXT(path));
  *count = number.value;
  return code;
}

typedef struct listing {
  ho_store_drift_each each;
  void *data;
} listing;

static ho_code give_path(void *data, const ho_value *values, ho_error *err)
{
  const listing *l = data;
  return l->each(l->data, values[0].s, values[1].s, err);
}

ho_code ho_store_drift(ho_store *store, ho_store_drift_each each, void *data, ho_error *err)
{
  listing l = {each, data};
  return HO_RUN(store, HO_SQL_INTENT_OPEN, give_path, &l, NULL, err, HO_TEXT(ho_intents_owner(store)),
                HO_INT(ho_levels_get(store, HO_LEVEL_WRITTEN)));
}

ho_code ho_store_give_up(ho_store *store, ho_str path, ho_error *err)
{
  ho_code code = ho_store_must_write(store, err);
  ho_intents_uncount(store);
  return code ? code
              : HO_RUN(store, HO_SQL_INTENT_GIVE_UP, NULL, NULL, NULL, err, HO_TEXT(ho_intents_owner(store)),
                       HO_TEXT(path));
}

ho_code ho_store_intended(ho_store *store, ho_text_each each, void *data, ho_error *err)
{
  ho_each_text t = {each, data};
  return HO_RUN(store, HO_SQL_INTENT_ALL, ho_columns_take_each, &t, NULL, err, HO_INT(0));
}

bool ho_store_lags(ho_store *store)
{
  ho_intents_range range = {0};
  ho_error ignored;
  if (store->driver->read_only(store->db) || ho_intents_pending(store, &range, &ignored))
    return false;
  store->intended = range.last > ho_levels_get(store, HO_LEVEL_WRITTEN);
  return store->intended;
}

bool ho_store_restarted(const ho_store *store)
{
  return store->restarted;
}
