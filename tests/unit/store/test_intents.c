/* Files that change together with the store: also when the process is killed in between. */
#include "store/support.h"

#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/time.h"
#include "store/intents.h"

typedef struct writing {
  const char *path, *content;
  ho_intent kind;
  ho_code result;
} writing;

static ho_code intend_work(ho_store *store, void *data, ho_error *err)
{
  writing *w = data;
  ho_code code = ho_store_meta_set(store, HO_STR("last"), ho_str_of(w->content), err);
  if (!code)
    code = ho_store_intend(store, ho_str_of(w->path), ho_str_of(w->content), w->kind, err);
  return code ? code : w->result;
}

static ho_code intend(place *p, const char *path, const char *content, ho_intent kind)
{
  writing w = {path, content, kind, HO_OK};
  return ho_store_write(p->store, intend_work, &w, &p->err);
}

static ho_code nothing(ho_store *store, void *data, ho_error *err)
{
  (void)store, (void)data, (void)err;
  return HO_OK;
}

static void assert_file(place *p, const char *path, const char *content)
{
  ho_str text;
  must(p, ho_fs_read(&p->arena, in(p, path), 0, &text, &p->err));
  assert_string_equal(text.p, content);
}

static void assert_unfinished(place *p, int64_t expected)
{
  int64_t count;
  must(p, ho_store_unfinished(p->store, HO_EMPTY, &count, &p->err));
  assert_int_equal(count, expected);
}

static void test_written(void **state)
{
  place *p = *state;
  must(p, intend(p, "a/b/c.txt", "one", HO_INTENT_NEW));
  assert_file(p, "a/b/c.txt", "one");
  must(p, intend(p, in(p, "a/b/c.txt"), "two", HO_INTENT_DERIVED));
  assert_file(p, "a/b/c.txt", "two");
  assert_int_equal(intend(p, "a/b/c.txt", "three", HO_INTENT_NEW), HO_CONFLICT);
  must(p, intend(p, "a/b/c.txt", "two", HO_INTENT_NEW)); /* just this is there already */
  assert_file(p, "a/b/c.txt", "two");
  writing w = {"d.txt", "x", HO_INTENT_NEW, HO_NO};
  assert_int_equal(ho_store_write(p->store, intend_work, &w, &p->err), HO_NO);
  assert_false(ho_fs_exists(in(p, "d.txt")));
  assert_unfinished(p, 0);
}

static ho_code move_work(ho_store *store, void *data, ho_error *err)
{
  const writing *w = data;
  return ho_store_intend_move(store, ho_str_of(w->path), ho_str_of(w->content), err);
}

static ho_code move(place *p, const char *from, const char *to)
{
  writing w = {from, to, HO_INTENT_MOVED, HO_OK};
  return ho_store_write(p->store, move_work, &w, &p->err);
}

/* A file is removed when it is somewhere else, and not before. */
static void test_moved(void **state)
{
  place *p = *state;
  must(p, intend(p, "a/b.txt", "one", HO_INTENT_WORKING));
  must(p, move(p, "a/b.txt", "a/c/b.txt"));
  assert_file(p, "a/c/b.txt", "one");
  assert_false(ho_fs_exists(in(p, "a/b.txt")));
  assert_int_equal(move(p, "a/b.txt", "a/c/b.txt"), HO_NOT_FOUND);
  must(p, intend(p, "a/b.txt", "two", HO_INTENT_WORKING));
  assert_int_equal(move(p, "a/b.txt", "a/c/b.txt"), HO_CONFLICT);
  assert_file(p, "a/b.txt", "two");
  assert_unfinished(p, 0);
  /* What names a file that is not there, or another one, removes nothing. */
  must(p, intend(p, "a/b.txt", "nowhere.txt", HO_INTENT_MOVED));
  assert_file(p, "a/b.txt", "two");
  assert_unfinished(p, 1);
  must(p, intend(p, "nowhere.txt", "three", HO_INTENT_NEW));
  must(p, ho_store_settle(p->store, &p->err));
  assert_file(p, "a/b.txt", "two");
  assert_unfinished(p, 0);
}

static bool allow_elsewhere(void *data, const char *path, char below[PATH_MAX])
{
  ho_error_copy(below, PATH_MAX, ho_str_of(data));
  return ho_str_starts(ho_str_of(path), data);
}

static void test_outside(void **state)
{
  place *p = *state;
  char elsewhere[FOLDER_SIZE];
  folder_make(elsewhere, "/tmp");
  assert_int_equal(mkdir(in(p, ".git"), 0700), 0);
  assert_int_equal(symlink(".git", in(p, "link")), 0);
  assert_int_equal(symlink(elsewhere, in(p, "out")), 0);
  const char *other = ho_arena_printf(&p->arena, "%s/x", elsewhere).p;
  const char *const refused[] = {"../x", other, "out/x", ".git/hooks/pre-commit", "link/config"};
  for (size_t i = 0; i < HO_COUNT(refused); i++) {
    assert_int_equal(intend(p, refused[i], "x", HO_INTENT_WORKING), HO_LIMIT);
    assert_int_equal(intend(p, refused[i], "x", HO_INTENT_NEW), HO_LIMIT);
    assert_unfinished(p, (int64_t)i);
    must(p, intend(p, refused[i], "x", HO_INTENT_DERIVED)); /* derived: recorded as what could not be written */
    assert_int_equal(ho_store_unwritten(p->store)->code, HO_LIMIT);
    assert_unfinished(p, (int64_t)i + 1);
  }
  assert_false(ho_fs_exists(other) || ho_fs_exists(in(p, ".git/hooks")) || ho_fs_exists(in(p, ".git/config")));
  close_store(p);
  ho_store_options options = {.url = p->path, .root = p->folder, .may_write = allow_elsewhere, .data = elsewhere};
  must(p, ho_store_open(&options, &p->store, &p->err));
  must(p, intend(p, other, "x", HO_INTENT_DERIVED));
  assert_true(ho_fs_is_file(other));
  assert_int_equal(folder_remove(elsewhere), 0);
}

/* Does `work` in a process that dies at this step. */
static void die_at(place *p, const char *step, const char *path, const char *content, ho_intent kind)
{
  int status;
  close_store(p);
  pid_t child = fork();
  if (child == 0) {
    setenv("HANDOFF_KILL_AT", step, 1);
    if (open_store(p, false) == HO_OK)
      (void)!intend(p, path, content, kind);
    _exit(1);
  }
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
  must(p, open_store(p, false));
}

static void test_killed(void **state)
{
  place *p = *state;
  ho_str last;
  must(p, intend(p, "f", "old", HO_INTENT_DERIVED));
  die_at(p, "begun", "f", "new", HO_INTENT_DERIVED);
  assert_unfinished(p, 0);
  die_at(p, "worked", "f", "new", HO_INTENT_DERIVED);
  assert_unfinished(p, 0);
  must(p, ho_store_meta_get(p->store, HO_STR("last"), &p->arena, &last, &p->err));
  assert_str(last, "old");
  die_at(p, "committed", "f", "new", HO_INTENT_DERIVED);
  assert_unfinished(p, 1);
  assert_file(p, "f", "old");
  must(p, ho_store_meta_get(p->store, HO_STR("last"), &p->arena, &last, &p->err));
  assert_str(last, "new");
  must(p, ho_store_write(p->store, nothing, NULL, &p->err)); /* whoever writes next */
  assert_file(p, "f", "new");
  assert_unfinished(p, 0);
  die_at(p, "written", "f", "newer", HO_INTENT_DERIVED);
  assert_unfinished(p, 0);
  assert_file(p, "f", "newer");
}

static void recovered(place *p, const char *path, const char *theirs, const char *ours)
{
  assert_int_equal(ho_store_settle(p->store, &p->err), HO_CONFLICT);
  assert_file(p, path, theirs);
  assert_file(p, ho_arena_printf(&p->arena, "%s.recovered", path).p, ours);
  assert_unfinished(p, 1); /* reported until somebody has looked at it */
  must(p, ho_store_write(p->store, nothing, NULL, &p->err));
  assert_unfinished(p, 1);
  assert_int_equal(unlink(in(p, ho_arena_printf(&p->arena, "%s.recovered", path).p)), 0);
  must(p, ho_store_write(p->store, nothing, NULL, &p->err));
  assert_file(p, path, theirs);
  assert_unfinished(p, 0);
}

/* A file that somebody has written since it was intended is left alone; what was to be written is beside it. */
static void test_overtaken(void **state)
{
  place *p = *state;
  die_at(p, "durable", "new.txt", "ours", HO_INTENT_NEW);
  must(p, ho_fs_write(in(p, "new.txt"), HO_STR("theirs"), HO_FS_CREATE, &p->err));
  recovered(p, "new.txt", "theirs", "ours");
  must(p, intend(p, "old.txt", "before", HO_INTENT_WORKING));
  die_at(p, "durable", "old.txt", "ours", HO_INTENT_WORKING);
  must(p, ho_fs_write(in(p, "old.txt"), HO_STR("theirs"), HO_FS_REPLACE, &p->err));
  recovered(p, "old.txt", "theirs", "ours");
  die_at(p, "durable", "old.txt", "later", HO_INTENT_WORKING);
  must(p, ho_store_settle(p->store, &p->err)); /* nobody has touched it */
  assert_file(p, "old.txt", "later");
}

/* A file that cannot be written does not undo what is committed, and is tried again; a later one takes its place. */
static void test_cannot_be_written(void **state)
{
  place *p = *state;
  ho_str last;
  must(p, ho_fs_write(in(p, "wall"), HO_STR("a file where a folder is wanted"), HO_FS_CREATE, &p->err));
  must(p, intend(p, "wall/f", "one", HO_INTENT_DERIVED));
  assert_int_not_equal(ho_store_unwritten(p->store)->code, HO_OK);
  must(p, ho_store_meta_get(p->store, HO_STR("last"), &p->arena, &last, &p->err));
  assert_str(last, "one");
  assert_unfinished(p, 1);
  must(p, intend(p, "other", "fine", HO_INTENT_DERIVED)); /* it holds up no other */
  assert_file(p, "other", "fine");
  assert_int_equal(ho_store_settle(p->store, &p->err) == HO_OK, 0);
  must(p, intend(p, "wall/f", "two", HO_INTENT_DERIVED));
  assert_unfinished(p, 1);
  assert_int_equal(unlink(in(p, "wall")), 0);
  must(p, ho_store_write(p->store, nothing, NULL, &p->err)); /* the next one that can */
  assert_file(p, "wall/f", "two");
  assert_unfinished(p, 0);
}

static void restart(place *p)
{
  char path[PATH_MAX];
  close_store(p);
  snprintf(path, sizeof path, "%s-sync", p->path);
  int fd = open(path, O_RDWR);
  assert_true(fd >= 0);
  assert_int_equal(pwrite(fd, "another start of the machine", 28, 8), 28);
  assert_int_equal(pwrite(fd, "another start of the machine", 28, 8 + HO_TIME_BOOT_SIZE), 28);
  close(fd);
  must(p, open_store(p, false));
}

/* What was not synced when the machine stopped is written again, unless somebody has changed it since. */
static void test_restarted(void **state)
{
  place *p = *state;
  static const char content[] = "a content of some length";
  const char *const names[] = {"lost", "empty", "torn", "holes", "changed", "whole"};
  const char zeros[] = "a co\0\0\0\0\0 of some length";
  for (size_t i = 0; i < HO_COUNT(names); i++)
    must(p, intend(p, names[i], content, HO_INTENT_DERIVED));
  assert_int_equal(unlink(in(p, "lost")), 0);
  must(p, ho_fs_write(in(p, "empty"), HO_EMPTY, HO_FS_REPLACE, &p->err));
  must(p, ho_fs_write(in(p, "torn"), HO_STR("a con"), HO_FS_REPLACE, &p->err));
  must(p, ho_fs_write(in(p, "holes"), (ho_str){zeros, sizeof zeros - 1}, HO_FS_REPLACE, &p->err));
  must(p, ho_fs_write(in(p, "changed"), HO_STR("by somebody"), HO_FS_REPLACE, &p->err));
  restart(p);
  assert_true(ho_store_restarted(p->store));
  for (size_t i = 0; i < HO_COUNT(names); i++)
    assert_file(p, names[i], strcmp(names[i], "changed") == 0 ? "by somebody" : content);
  assert_unfinished(p, 0);
  close_store(p);
  must(p, open_store(p, false));
  assert_false(ho_store_restarted(p->store));
}

/* Two versions of a file that were not synced: whichever is on the disk, and in whatever state, the last one comes back. */
static void test_versions(void **state)
{
  place *p = *state;
  const char *const left[] = {"the first version", "the fir", "", "the second version", "the sec", "as it was before"};
  for (size_t i = 0; i < HO_COUNT(left); i++) {
    must(p, ho_fs_write(in(p, "f"), HO_STR("as it was before"), HO_FS_REPLACE, &p->err));
    must(p, intend(p, "f", "the first version", HO_INTENT_DERIVED));
    must(p, intend(p, "f", "the second version", HO_INTENT_DERIVED));
    must(p, ho_fs_write(in(p, "f"), ho_str_of(left[i]), HO_FS_REPLACE, &p->err));
    restart(p);
    assert_file(p, "f", "the second version");
    assert_unfinished(p, 0);
    must(p, intend(p, "f", "the first version", HO_INTENT_DERIVED));
    must(p, intend(p, "f", "the second version", HO_INTENT_DERIVED));
    must(p, ho_fs_write(in(p, "f"), ho_str_of(left[i]), HO_FS_REPLACE, &p->err));
    assert_int_equal(unlink(ho_arena_printf(&p->arena, "%s-sync", p->path).p), 0); /* nobody remembers how far it got */
    close_store(p);
    must(p, open_store(p, false));
    assert_file(p, "f", i == HO_COUNT(left) - 1 ? left[i] : "the second version");
    assert_unfinished(p, 0);
  }
}

/* A copy of the database, or the same one with another project, leaves the project's files alone. */
static void test_copied(void **state)
{
  place *p = *state;
  ho_store *copy = NULL;
  const char *path = in(p, ".handoff/copy.db"), *saved = in(p, "saved.db");
  int64_t count;
  die_at(p, "durable", "f", "new", HO_INTENT_DERIVED);
  must(p, ho_store_backup(p->store, saved, &p->err));
  close_store(p);
  ho_str image;
  must(p, ho_fs_read(&p->arena, p->path, 0, &image, &p->err));
  must(p, ho_fs_write(path, image, HO_FS_CREATE, &p->err));
  const char *const copies[] = {path, saved};
  for (size_t i = 0; i < HO_COUNT(copies); i++) {
    must(p, ho_store_open(&(ho_store_options){.url = copies[i], .root = p->folder}, &copy, &p->err));
    must(p, ho_store_settle(copy, &p->err));
    must(p, ho_store_write(copy, nothing, NULL, &p->err));
    must(p, ho_store_unfinished(copy, HO_EMPTY, &count, &p->err));
    assert_int_equal(count, 0);
    ho_store_close(copy);
    assert_false(ho_fs_exists(in(p, "f")));
  }
  must(p, open_store(p, false));
  must(p, ho_store_settle(p->store, &p->err));
  assert_file(p, "f", "new");
}

/* An older copy in the place of the database: what it intends is not taken for carried out. */
static void test_older_copy(void **state)
{
  place *p = *state;
  ho_str image;
  must(p, intend(p, "f", "1", HO_INTENT_DERIVED));
  close_store(p);
  must(p, ho_fs_read(&p->arena, p->path, 0, &image, &p->err));
  must(p, open_store(p, false));
  for (int i = 0; i < 100; i++)
    must(p, intend(p, "f", i % 2 ? "2" : "3", HO_INTENT_DERIVED));
  close_store(p);
  int fd = open(p->path, O_WRONLY | O_TRUNC); /* the same inode */
  assert_int_equal(write(fd, image.p, image.n), (ssize_t)image.n);
  close(fd);
  must(p, open_store(p, false));
  must(p, intend(p, "g", "4", HO_INTENT_DERIVED));
  assert_file(p, "g", "4");
}

/* However many there are, they are forgotten once they are synced, and nobody waits for a lock that is held. */
static void test_many(void **state)
{
  place *p = *state;
  ho_one_number rows = {0};
  for (int i = 0; i < 300; i++)
    must(p, intend(p, ho_arena_printf(&p->arena, "d%d/f%d", i % 7, i).p, "x", HO_INTENT_DERIVED));
  for (int i = 0; i < 300; i++)
    assert_file(p, ho_arena_printf(&p->arena, "d%d/f%d", i % 7, i).p, "x");
  assert_unfinished(p, 0);
  must(p, HO_RUN(p->store, HO_SQL_INTENT_FIRST, ho_columns_take_number, &rows, NULL, &p->err,
                 HO_TEXT(ho_intents_owner(p->store))));
  assert_true(rows.value > 200); /* the first that is left */
}

static ho_code intend_burst(ho_store *store, void *data, ho_error *err)
{
  char path[16];
  ho_code code = HO_OK;
  for (int i = 0; i < *(const int *)data && !code; i++) {
    snprintf(path, sizeof path, "f%d", i);
    code = ho_store_intend(store, ho_str_of(path), HO_STR("x"), HO_INTENT_DERIVED, err);
  }
  return code;
}

/* A command that finds the files of many others written syncs some of them and leaves the rest to the next ones. */
static void test_burst(void **state)
{
  place *p = *state;
  int count = 600;
  must(p, ho_store_write(p->store, intend_burst, &count, &p->err));
  assert_unfinished(p, 0);
  int64_t synced = ho_levels_get(p->store, HO_LEVEL_SYNCED);
  assert_in_range(synced, 64, count / 2);
  for (int i = 0; i < 3; i++)
    must(p, intend(p, "again", i % 2 ? "y" : "x", HO_INTENT_DERIVED));
  assert_true(ho_levels_get(p->store, HO_LEVEL_SYNCED) >= count);
  must(p, ho_store_settle(p->store, &p->err));
  assert_unfinished(p, 0);
}

static ho_code intend_later(place *p, const char *path, const char *content, ho_intent kind)
{
  writing w = {path, content, kind, HO_OK};
  return ho_store_commit(p->store, intend_work, &w, &p->err);
}

/* Files that are derived may wait for others: all of them are written in one go, and remembered until then. */
static void test_later(void **state)
{
  place *p = *state;
  must(p, intend_later(p, "f", "one", HO_INTENT_DERIVED));
  int64_t since = ho_store_waiting(p->store);
  assert_true(since > 0);
  must(p, intend_later(p, "f", "two", HO_INTENT_DERIVED));
  assert_true(ho_store_waiting(p->store) == since); /* the oldest counts */
  assert_true(!ho_fs_exists(in(p, "f")) && ho_store_lags(p->store));
  ho_store_follow(p->store);
  assert_file(p, "f", "two");
  assert_true(ho_store_waiting(p->store) == 0 && !ho_store_lags(p->store));
  must(p, intend_later(p, "f", "three", HO_INTENT_DERIVED));
  must(p, intend_later(p, "doc", "x", HO_INTENT_WORKING)); /* this one does not wait, nor does what came before it */
  assert_file(p, "doc", "x");
  assert_file(p, "f", "three");
  must(p, intend_later(p, "f", "four", HO_INTENT_DERIVED));
  close_store(p);
  assert_file(p, "f", "four");
  pid_t child = fork();
  if (child == 0) {
    bool done = open_store(p, false) == HO_OK && intend_later(p, "f", "five", HO_INTENT_DERIVED) == HO_OK;
    _exit(done ? 0 : 1); /* without closing it */
  }
  int status;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_int_equal(status, 0);
  must(p, open_store(p, false));
  assert_file(p, "f", "four");
  assert_true(ho_store_lags(p->store));
  ho_store_follow(p->store);
  assert_file(p, "f", "five");
}

/* Those in trouble are counted once; whoever changes that has them counted anew. */
static void test_counted(void **state)
{
  place *p = *state;
  for (int i = 0; i < 3; i++) {
    must(p, intend(p, "f", i % 2 ? "x" : "y", HO_INTENT_DERIVED));
    assert_int_equal(ho_store_unwritten(p->store)->code, HO_OK);
    assert_int_equal(ho_levels_get(p->store, HO_LEVEL_TROUBLED), 1);
    assert_int_equal(symlink("/nowhere", in(p, "out")), 0);
    must(p, intend(p, "out/g", i % 2 ? "x" : "y", HO_INTENT_DERIVED));
    assert_int_not_equal(ho_store_unwritten(p->store)->code, HO_OK);
    must(p, intend(p, "h", "x", HO_INTENT_DERIVED)); /* it is tried again, and fails again */
    assert_int_not_equal(ho_store_unwritten(p->store)->code, HO_OK);
    assert_unfinished(p, 1);
    assert_int_equal(unlink(in(p, "out")), 0);
    must(p, intend(p, "h", "y", HO_INTENT_DERIVED));
    assert_int_equal(ho_store_unwritten(p->store)->code, HO_OK);
    assert_file(p, "out/g", i % 2 ? "x" : "y");
    assert_int_equal(unlink(in(p, "out/g")), 0);
    assert_int_equal(rmdir(in(p, "out")), 0);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_written, begin_place, end_place),
      cmocka_unit_test_setup_teardown(test_moved, begin_place, end_place),
      cmocka_unit_test_setup_teardown(test_outside, begin_place, end_place),
      cmocka_unit_test_setup_teardown(test_killed, begin_place, end_place),
      cmocka_unit_test_setup_teardown(test_later, begin_place, end_place),
      cmocka_unit_test_setup_teardown(test_counted, begin_place, end_place),
      cmocka_unit_test_setup_teardown(test_overtaken, begin_place, end_place),
      cmocka_unit_test_setup_teardown(test_cannot_be_written, begin_place, end_place),
      cmocka_unit_test_setup_teardown(test_restarted, begin_place, end_place),
      cmocka_unit_test_setup_teardown(test_versions, begin_place, end_place),
      cmocka_unit_test_setup_teardown(test_copied, begin_place, end_place),
      cmocka_unit_test_setup_teardown(test_older_copy, begin_place, end_place),
      cmocka_unit_test_setup_teardown(test_many, begin_place, end_place),
      cmocka_unit_test_setup_teardown(test_burst, begin_place, end_place),
  };
  return unit_run(tests);
}
