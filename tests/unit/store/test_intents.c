/* Files that change together with the store: also when the process is killed in between. */
#include "store/support.h"

#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>

typedef struct writing {
  const char *path, *content;
  ho_fs_mode mode;
  ho_code result;
} writing;

static ho_code intend_work(ho_store *store, void *data, ho_error *err)
{
  writing *w = data;
  ho_code code = ho_store_meta_set(store, HO_STR("last"), ho_str_of(w->content), err);
  if (!code)
    code = ho_store_intend(store, ho_str_of(w->path), ho_str_of(w->content), w->mode, err);
  return code ? code : w->result;
}

static ho_code intend(place *p, const char *path, const char *content, ho_fs_mode mode)
{
  writing w = {path, content, mode, HO_OK};
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
  must(p, intend(p, "a/b/c.txt", "one", HO_FS_CREATE));
  assert_file(p, "a/b/c.txt", "one");
  must(p, intend(p, in(p, "a/b/c.txt"), "two", HO_FS_REPLACE));
  assert_file(p, "a/b/c.txt", "two");
  assert_int_equal(intend(p, "a/b/c.txt", "three", HO_FS_CREATE), HO_CONFLICT);
  must(p, intend(p, "a/b/c.txt", "two", HO_FS_CREATE)); /* just this is there already */
  assert_file(p, "a/b/c.txt", "two");
  writing w = {"d.txt", "x", HO_FS_CREATE, HO_NO};
  assert_int_equal(ho_store_write(p->store, intend_work, &w, &p->err), HO_NO);
  assert_false(ho_fs_exists(in(p, "d.txt")));
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
  assert_int_equal(intend(p, "../x", "x", HO_FS_REPLACE), HO_LIMIT);
  assert_int_equal(intend(p, other, "x", HO_FS_REPLACE), HO_LIMIT);
  assert_int_equal(intend(p, "out/x", "x", HO_FS_REPLACE), HO_LIMIT);
  assert_int_equal(intend(p, ".git/hooks/pre-commit", "x", HO_FS_REPLACE), HO_LIMIT);
  assert_int_equal(intend(p, "link/config", "x", HO_FS_REPLACE), HO_LIMIT);
  close_store(p);
  ho_store_options options = {.url = p->path, .root = p->folder, .may_write = allow_elsewhere, .data = elsewhere};
  must(p, ho_store_open(&options, &p->store, &p->err));
  must(p, intend(p, other, "x", HO_FS_REPLACE));
  assert_true(ho_fs_is_file(other));
  assert_int_equal(folder_remove(elsewhere), 0);
}

/* Does `work` in a process that dies at this step. */
static void die_at(place *p, const char *step, const char *path, const char *content, ho_fs_mode mode)
{
  int status;
  close_store(p);
  pid_t child = fork();
  if (child == 0) {
    setenv("HANDOFF_KILL_AT", step, 1);
    if (open_store(p, false) == HO_OK)
      (void)!intend(p, path, content, mode);
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
  must(p, intend(p, "f", "old", HO_FS_REPLACE));
  die_at(p, "begun", "f", "new", HO_FS_REPLACE);
  assert_unfinished(p, 0);
  die_at(p, "worked", "f", "new", HO_FS_REPLACE);
  assert_unfinished(p, 0);
  must(p, ho_store_meta_get(p->store, HO_STR("last"), &p->arena, &last, &p->err));
  assert_str(last, "old");
  die_at(p, "committed", "f", "new", HO_FS_REPLACE);
  assert_unfinished(p, 1);
  assert_file(p, "f", "old");
  must(p, ho_store_meta_get(p->store, HO_STR("last"), &p->arena, &last, &p->err));
  assert_str(last, "new");
  must(p, ho_store_write(p->store, nothing, NULL, &p->err)); /* whoever writes next */
  assert_file(p, "f", "new");
  assert_unfinished(p, 0);
  die_at(p, "written", "f", "newer", HO_FS_REPLACE);
  assert_unfinished(p, 0);
  assert_file(p, "f", "newer");
}

static void test_overtaken(void **state)
{
  place *p = *state;
  die_at(p, "committed", "new.txt", "ours", HO_FS_CREATE);
  must(p, ho_fs_write(in(p, "new.txt"), HO_STR("theirs"), HO_FS_CREATE, &p->err));
  must(p, ho_store_settle(p->store, &p->err));
  assert_file(p, "new.txt", "theirs"); /* to be created: the file wins */
  assert_unfinished(p, 0);
}

/* A file that cannot be written does not undo what is committed, and is tried again; a later one takes its place. */
static void test_cannot_be_written(void **state)
{
  place *p = *state;
  ho_str last;
  must(p, ho_fs_write(in(p, "wall"), HO_STR("a file where a folder is wanted"), HO_FS_CREATE, &p->err));
  assert_int_equal(intend(p, "wall/f", "one", HO_FS_REPLACE), HO_IO);
  assert_string_equal(p->err.rule, "store-unfinished");
  must(p, ho_store_meta_get(p->store, HO_STR("last"), &p->arena, &last, &p->err));
  assert_str(last, "one");
  assert_unfinished(p, 1);
  must(p, ho_store_write(p->store, nothing, NULL, &p->err));
  assert_int_equal(ho_store_settle(p->store, &p->err) == HO_OK, 0);
  assert_int_equal(intend(p, "wall/f", "two", HO_FS_REPLACE), HO_IO);
  assert_unfinished(p, 1);
  assert_int_equal(unlink(in(p, "wall")), 0);
  must(p, ho_store_settle(p->store, &p->err));
  assert_file(p, "wall/f", "two");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_written, begin_place, end_place),
      cmocka_unit_test_setup_teardown(test_outside, begin_place, end_place),
      cmocka_unit_test_setup_teardown(test_killed, begin_place, end_place),
      cmocka_unit_test_setup_teardown(test_overtaken, begin_place, end_place),
      cmocka_unit_test_setup_teardown(test_cannot_be_written, begin_place, end_place),
  };
  return unit_run(tests);
}
