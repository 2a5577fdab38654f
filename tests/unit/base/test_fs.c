/* Files and folders: reading under limits, writing all or nothing, staying inside the root, walking. */
#include "files.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/fs.h"

typedef struct scratch {
  ho_arena arena;
  char folder[FOLDER_SIZE];
} scratch;

static int begin(void **state)
{
  static scratch s;
  ho_arena_init(&s.arena, 0);
  folder_make(s.folder, "/tmp");
  *state = &s;
  return 0;
}

static int end(void **state)
{
  scratch *s = *state;
  ho_arena_free(&s->arena);
  return folder_remove(s->folder);
}

static const char *in(scratch *s, const char *name)
{
  return ho_fs_join(&s->arena, ho_str_of(s->folder), ho_str_of(name)).p;
}

static void put(scratch *s, const char *name, const char *text)
{
  ho_error err = {0};
  assert_int_equal(ho_fs_mkdirs(ho_arena_z(&s->arena, ho_fs_parent(ho_str_of(in(s, name)))), &err), HO_OK);
  assert_int_equal(ho_fs_write(in(s, name), ho_str_of(text), HO_FS_REPLACE, &err), HO_OK);
}

static void test_read(void **state)
{
  scratch *s = *state;
  ho_error err = {0};
  ho_str text;
  put(s, "a.txt", "hello");
  assert_int_equal(ho_fs_read(&s->arena, in(s, "a.txt"), 5, &text, &err), HO_OK);
  assert_string_equal(text.p, "hello");
  assert_int_equal(ho_fs_read(&s->arena, in(s, "a.txt"), 4, &text, &err), HO_LIMIT);
  assert_int_equal(ho_fs_read(&s->arena, in(s, "none"), 0, &text, &err), HO_NOT_FOUND);
  assert_string_equal(err.file, in(s, "none"));
  assert_int_equal(ho_fs_read(&s->arena, s->folder, 0, &text, &err), HO_IO);
  assert_int_equal(mkfifo(in(s, "pipe"), 0600), 0);
  assert_int_equal(ho_fs_read(&s->arena, in(s, "pipe"), 0, &text, &err), HO_OK);
  assert_int_equal(text.n, 0);
}

static void test_read_fd(void **state)
{
  scratch *s = *state;
  ho_error err = {0};
  ho_str text;
  char *long_text = ho_arena_alloc(&s->arena, 200001);
  memset(long_text, 'x', 200000);
  put(s, "long", long_text);
  int fd = open(in(s, "long"), O_RDONLY);
  assert_int_equal(ho_fs_read_fd(&s->arena, fd, HO_STR("-"), 0, &text, &err), HO_OK);
  assert_int_equal(text.n, 200000);
  assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
  assert_int_equal(ho_fs_read_fd(&s->arena, fd, HO_STR("-"), 199999, &text, &err), HO_LIMIT);
  assert_string_equal(err.file, "-");
  close(fd);
}

static void test_write(void **state)
{
  scratch *s = *state;
  ho_error err = {0};
  ho_str text;
  put(s, "b", "one");
  assert_int_equal(chmod(in(s, "b"), 0640), 0);
  assert_int_equal(ho_fs_write(in(s, "b"), HO_STR("two"), HO_FS_CREATE, &err), HO_CONFLICT);
  assert_int_equal(ho_fs_write(in(s, "b"), HO_STR("two"), HO_FS_REPLACE, &err), HO_OK);
  assert_int_equal(ho_fs_read(&s->arena, in(s, "b"), 0, &text, &err), HO_OK);
  assert_string_equal(text.p, "two");
  struct stat info;
  assert_int_equal(stat(in(s, "b"), &info), 0);
  assert_int_equal(info.st_mode & 0777, 0640);
  assert_int_equal(ho_fs_write(in(s, "none/b"), HO_STR("x"), HO_FS_CREATE, &err), HO_NOT_FOUND);
  assert_int_equal(ho_fs_write(in(s, "new"), HO_STR("x"), HO_FS_CREATE, &err), HO_OK);
  ho_fs_list list;
  assert_int_equal(ho_fs_walk(&s->arena, s->folder, NULL, &list, &err), HO_OK);
  for (size_t i = 0; i < list.count; i++) /* no temporary file is left */
    assert_int_equal(ho_str_find(ho_fs_name(ho_str_of(list.paths[i])), "."), HO_NONE);
}

static void expect_join(scratch *s, const char *folder, const char *path, const char *want)
{
  assert_string_equal(ho_fs_join(&s->arena, ho_str_of(folder), ho_str_of(path)).p, want);
}

/* In another process: writes until it is killed by a limit, as any kill would, with a part of the file written. */
static void write_and_die(const char *path, ho_fs_mode mode)
{
  int status;
  char many[8192];
  ho_error err;
  memset(many, 'x', sizeof many);
  pid_t child = fork();
  if (child == 0) {
    setrlimit(RLIMIT_CORE, &(struct rlimit){0});
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){4096, 4096});
    signal(SIGXFSZ, SIG_DFL);
    _exit(ho_fs_write(path, (ho_str){many, sizeof many}, mode, &err) != HO_OK);
  }
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFSIGNALED(status));
}

static void pass_by(const char *path, void *data)
{
  (void)path, (void)data;
}

static size_t count_files(const char *folder)
{
  return each_file(folder, pass_by, NULL);
}

/* What writers that were killed leave behind goes with the next write of the file; what looks like it stays. */
static void test_killed(void **state)
{
  scratch *s = *state;
  ho_str text;
  ho_error err = {0};
  put(s, "a.json", "old");
  put(s, "a.json.backup", "mine");
  for (int i = 0; i < 3; i++) {
    write_and_die(in(s, "a.json"), HO_FS_REPLACE);
    write_and_die(in(s, "b.json"), HO_FS_CREATE);
  }
  assert_int_equal(count_files(s->folder), 4);
  assert_int_equal(ho_fs_read(&s->arena, in(s, "a.json"), 0, &text, &err), HO_OK);
  assert_string_equal(text.p, "old");
  put(s, "a.json", "new");
  assert_int_equal(ho_fs_write(in(s, "b.json"), HO_STR("b"), HO_FS_CREATE, &err), HO_OK);
  assert_int_equal(count_files(s->folder), 3);
  /* killed between its two names, and things that are not files */
  assert_int_equal(link(in(s, "a.json"), in(s, "a.json.handoff-new")), 0);
  assert_int_equal(symlink(in(s, "a.json.backup"), in(s, "b.json.handoff-new")), 0);
  put(s, "a.json", "newer");
  put(s, "b.json", "bb");
  assert_int_equal(ho_fs_read(&s->arena, in(s, "a.json"), 0, &text, &err), HO_OK);
  assert_string_equal(text.p, "newer");
  assert_int_equal(ho_fs_read(&s->arena, in(s, "a.json.backup"), 0, &text, &err), HO_OK);
  assert_string_equal(text.p, "mine");
  struct stat info;
  assert_int_equal(stat(in(s, "a.json"), &info), 0);
  assert_int_equal(info.st_nlink, 1);
}

/* Many processes write one file at once: it is always whole, and nothing is left beside it. */
static void test_together(void **state)
{
  enum { WRITERS = 8, TIMES = 100, SIZE = 20000 };
  scratch *s = *state;
  ho_error err = {0};
  int status;
  const char *path = in(s, "a.json");
  for (int i = 0; i < WRITERS; i++)
    if (fork() == 0) {
      static char text[SIZE];
      bool well = true;
      memset(text, 'a' + i, sizeof text);
      for (int j = 0; j < TIMES && well; j++) {
        ho_arena arena;
        ho_str found;
        ho_arena_init(&arena, 0);
        well = ho_fs_write(path, (ho_str){text, sizeof text}, HO_FS_CACHE, &err) == HO_OK &&
               ho_fs_read(&arena, path, 0, &found, &err) == HO_OK && found.n == SIZE && found.p[0] == found.p[SIZE - 1];
        ho_arena_free(&arena);
      }
      _exit(!well);
    }
  for (int i = 0; i < WRITERS; i++) {
    assert_true(wait(&status) > 0);
    assert_int_equal(status, 0);
  }
  assert_int_equal(count_files(s->folder), 1);
}

static void test_paths(void **state)
{
  scratch *s = *state;
  expect_join(s, "/a/b", "c", "/a/b/c");
  expect_join(s, "/a/b", "../c/./d//e", "/a/c/d/e");
  expect_join(s, "/a", "../../..", "/");
  expect_join(s, "/a", "/x/../y", "/y");
  expect_join(s, ".", "../x", "../x");
  expect_join(s, "a", "..", ".");
  assert_true(ho_str_is(ho_fs_relative(HO_STR("/a"), HO_STR("/a/b")), "b"));
  assert_true(ho_str_is(ho_fs_relative(HO_STR("/a"), HO_STR("/ab")), "/ab"));
  assert_true(ho_str_is(ho_fs_relative(HO_STR("/"), HO_STR("/ab")), "ab"));
  assert_true(ho_str_is(ho_fs_relative(HO_STR("/a"), HO_STR("/a")), "."));
  assert_true(ho_str_is(ho_fs_parent(HO_STR("/a/b/")), "/a"));
  assert_true(ho_str_is(ho_fs_parent(HO_STR("/a")), "/"));
  assert_true(ho_str_is(ho_fs_parent(HO_STR("a")), "."));
  assert_true(ho_str_is(ho_fs_name(HO_STR("/a/b/")), "b"));
  assert_true(ho_str_is(ho_fs_text(&s->arena, HO_STR("a\xff/b")), "a\xEF\xBF\xBD/b"));
}

static void test_inside(void **state)
{
  scratch *s = *state;
  put(s, "root/x/file", "");
  assert_int_equal(symlink("/etc", in(s, "root/out")), 0);
  assert_int_equal(symlink("x", in(s, "root/in")), 0);
  assert_int_equal(symlink("/nowhere/at/all", in(s, "root/dangling")), 0);
  const char *root = in(s, "root");
  assert_true(ho_fs_inside(root, root));
  assert_true(ho_fs_inside(root, in(s, "root/x/file")));
  assert_true(ho_fs_inside(root, in(s, "root/in/file")));
  assert_true(ho_fs_inside(root, in(s, "root/not/there/yet")));
  assert_false(ho_fs_inside(root, in(s, "root/out/passwd")));
  assert_false(ho_fs_inside(root, in(s, "root/out/not-there")));
  assert_false(ho_fs_inside(root, in(s, "root/dangling")));
  assert_false(ho_fs_inside(root, ho_arena_printf(&s->arena, "%s/x/../../other", root).p));
  assert_false(ho_fs_inside(root, s->folder));
  assert_false(ho_fs_inside(root, in(s, "roots")));
}

static void test_root(void **state)
{
  scratch *s = *state;
  put(s, "p/.git/HEAD", "");
  put(s, "p/a/b/c/file", "");
  assert_true(ho_str_is(ho_fs_root(&s->arena, ho_str_of(in(s, "p/a/b/c"))), in(s, "p")));
  /* Not git's: an empty folder, a file that leads nowhere. A file that names a folder is. */
  put(s, "p/a/b/c/.git/config", "");
  put(s, "p/a/b/.git", "git");
  assert_true(ho_str_is(ho_fs_root(&s->arena, ho_str_of(in(s, "p/a/b/c"))), in(s, "p")));
  put(s, "p/a/b/.git", "gitdir: ../elsewhere");
  assert_true(ho_str_is(ho_fs_root(&s->arena, ho_str_of(in(s, "p/a/b/c"))), in(s, "p/a/b")));
  put(s, "p/a/.handoff/config.yaml", "");
  assert_true(ho_str_is(ho_fs_root(&s->arena, ho_str_of(in(s, "p/a/b/c"))), in(s, "p/a")));
  assert_true(ho_str_is(ho_fs_root(&s->arena, ho_str_of(in(s, "p"))), in(s, "p")));
}

static bool is_md(ho_str path)
{
  return ho_str_ends(path, ".md");
}

static void test_walk(void **state)
{
  scratch *s = *state;
  ho_error err = {0};
  ho_fs_list list;
  put(s, "t/b.md", "");
  put(s, "t/a/z.md", "");
  put(s, "t/a/z.c", "");
  put(s, "t/.git/x.md", "");
  put(s, "t/node_modules/y.md", "");
  put(s, "t/.hidden/h.md", "");
  assert_int_equal(symlink("/", in(s, "t/link")), 0);
  assert_int_equal(symlink("b.md", in(s, "t/link.md")), 0);
  assert_int_equal(ho_fs_walk(&s->arena, in(s, "t"), is_md, &list, &err), HO_OK);
  assert_int_equal(list.count, 3);
  assert_string_equal(list.paths[0], in(s, "t/.hidden/h.md"));
  assert_string_equal(list.paths[1], in(s, "t/a/z.md"));
  assert_string_equal(list.paths[2], in(s, "t/b.md"));
  assert_int_equal(ho_fs_walk(&s->arena, in(s, "none"), NULL, &list, &err), HO_NOT_FOUND);
}

static void test_walk_depth(void **state)
{
  scratch *s = *state;
  ho_error err = {0};
  ho_fs_list list;
  char path[4 * 80 + 1] = "";
  for (size_t i = 0; i < 70; i++)
    memcpy(path + 3 * i, "/ab", 4);
  assert_int_equal(ho_fs_mkdirs(in(s, path + 1), &err), HO_OK);
  assert_int_equal(ho_fs_walk(&s->arena, s->folder, NULL, &list, &err), HO_LIMIT);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test_setup_teardown(test_read, begin, end),
                                     cmocka_unit_test_setup_teardown(test_read_fd, begin, end),
                                     cmocka_unit_test_setup_teardown(test_write, begin, end),
                                     cmocka_unit_test_setup_teardown(test_killed, begin, end),
                                     cmocka_unit_test_setup_teardown(test_together, begin, end),
                                     cmocka_unit_test_setup_teardown(test_paths, begin, end),
                                     cmocka_unit_test_setup_teardown(test_inside, begin, end),
                                     cmocka_unit_test_setup_teardown(test_root, begin, end),
                                     cmocka_unit_test_setup_teardown(test_walk, begin, end),
                                     cmocka_unit_test_setup_teardown(test_walk_depth, begin, end)};
  return unit_run(tests);
}
