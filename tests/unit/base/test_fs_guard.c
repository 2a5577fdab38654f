/* The guard: what lies below .handoff, and what is written below a root, with links, pipes and second names on the way;
 * by openat2 and, as on an older kernel, name by name. */
#include "files.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <unistd.h>

#include "base/fs.h"

typedef struct scratch {
  ho_arena arena;
  char folder[FOLDER_SIZE];
} scratch;

static const char *in(scratch *s, const char *name)
{
  return ho_fs_join(&s->arena, ho_str_of(s->folder), ho_str_of(name)).p;
}

static int begin(void **state)
{
  static scratch s;
  ho_arena_init(&s.arena, 0);
  folder_make(s.folder, "/tmp");
  *state = &s;
  for (const char *const *name =
           (const char *const[]){"out", "root", "root/real", "root/.git", "root/.handoff", "root/.handoff/run", NULL};
       *name; name++)
    assert_int_equal(mkdir(in(&s, *name), 0755), 0);
  file_write(in(&s, "out/secret"), "w", HO_STR("secret"));
  file_write(in(&s, "root/.handoff/plain"), "w", HO_STR("plain"));
  assert_int_equal(symlink(in(&s, "out"), in(&s, "root/out")), 0);
  assert_int_equal(symlink("real", in(&s, "root/way")), 0);
  assert_int_equal(symlink(".git", in(&s, "root/git")), 0);
  assert_int_equal(symlink(in(&s, "out"), in(&s, "root/.handoff/out")), 0);
  assert_int_equal(symlink(in(&s, "out/secret"), in(&s, "root/.handoff/link")), 0);
  assert_int_equal(link(in(&s, "out/secret"), in(&s, "root/.handoff/twice")), 0);
  assert_int_equal(mkfifo(in(&s, "root/.handoff/pipe"), 0600), 0);
  return 0;
}

static int end(void **state)
{
  scratch *s = *state;
  ho_arena_free(&s->arena);
  return folder_remove(s->folder);
}

typedef int beneath(int folder, const char *path, int flags, mode_t mode);

static void refused(beneath *open_it, int folder, const char *path, int flags, int number)
{
  errno = 0;
  assert_int_equal(open_it(folder, path, flags, 0600), -1);
  assert_int_equal(errno, number);
}

static void test_beneath(void **state)
{
  scratch *s = *state;
  beneath *const both[] = {ho_fs_beneath, ho_fs_beneath_by_names};
  int top = open(in(s, "root/.handoff"), O_PATH | O_DIRECTORY | O_CLOEXEC);
  for (size_t i = 0; i < HO_COUNT(both); i++) {
    refused(both[i], top, "link", O_RDONLY, ELOOP);
    refused(both[i], top, "out", O_PATH | O_DIRECTORY, ELOOP);
    refused(both[i], top, "out/secret", O_RDONLY, ELOOP);
    refused(both[i], top, "out/new", O_WRONLY | O_CREAT, ELOOP);
    refused(both[i], top, "../real", O_RDONLY, EXDEV);
    refused(both[i], top, "run/../../real", O_RDONLY, EXDEV);
    refused(both[i], top, "/etc/passwd", O_RDONLY, EXDEV);
    refused(both[i], top, "plain/below", O_RDONLY, ENOTDIR);
    refused(both[i], top, "none", O_RDONLY, ENOENT);
    int fd = both[i](top, "run/new", O_RDWR | O_CREAT | O_EXCL, 0600);
    assert_true(fd >= 0);
    assert_true(fcntl(fd, F_GETFD) & FD_CLOEXEC);
    close(fd);
    assert_int_equal(unlink(in(s, "root/.handoff/run/new")), 0);
    fd = both[i](top, "run//", O_PATH | O_DIRECTORY, 0);
    assert_true(fd >= 0);
    close(fd);
  }
  close(top);
  assert_false(ho_fs_exists(in(s, "out/new")));
}

static void no_open(const char *path, int flags)
{
  int fd = ho_fs_open(path, flags);
  if (fd >= 0)
    fail_msg("%s was opened", path);
  assert_string_not_equal(ho_fs_reason(errno), strerror(ENOENT));
}

static void test_own(void **state)
{
  scratch *s = *state;
  struct stat info;
  ho_error err = {0};
  const int write = O_WRONLY | O_CREAT | O_TRUNC;
  no_open(in(s, "root/.handoff/link"), O_RDONLY);
  no_open(in(s, "root/.handoff/link"), write);
  no_open(in(s, "root/.handoff/out/secret"), O_RDONLY);
  no_open(in(s, "root/.handoff/pipe"), O_RDONLY);
  no_open(in(s, "root/.handoff/pipe"), write);
  no_open(in(s, "root/.handoff/twice"), write);
  assert_int_equal(ho_fs_stat(in(s, "root/.handoff/link"), &info), -1);
  assert_true(ho_fs_exists(in(s, "root/.handoff/link")));
  assert_false(ho_fs_is_file(in(s, "root/.handoff/link")));
  assert_null(ho_fs_opendir(in(s, "root/.handoff/out")));
  assert_int_equal(ho_fs_unlink(in(s, "root/.handoff/out/secret")), -1);
  assert_int_equal(ho_fs_rename(in(s, "root/.handoff/plain"), in(s, "root/.handoff/out/plain"), true), -1);
  assert_int_equal(ho_fs_mkdirs(in(s, "root/.handoff/out/more/folders"), &err), HO_IO);
  assert_int_equal(ho_fs_write(in(s, "root/.handoff/out/new"), HO_STR("x"), HO_FS_REPLACE, &err), HO_IO);
  assert_non_null(strstr(err.message, "symbolic link"));
  assert_string_equal(file_read(&s->arena, in(s, "out/secret")).p, "secret");

  /* The folder is closed to others, and so is what is new in it. */
  assert_int_equal(stat(in(s, "root/.handoff"), &info), 0);
  assert_int_equal(info.st_mode & 0777, 0700);
  assert_int_equal(ho_fs_mkdirs(in(s, "root/.handoff/new/folders"), &err), HO_OK);
  assert_int_equal(ho_fs_write(in(s, "root/.handoff/new/folders/file"), HO_STR("x"), HO_FS_CREATE, &err), HO_OK);
  assert_int_equal(stat(in(s, "root/.handoff/new/folders"), &info), 0);
  assert_int_equal(info.st_mode & 0777, 0700);
  assert_int_equal(stat(in(s, "root/.handoff/new/folders/file"), &info), 0);
  assert_int_equal(info.st_mode & 0777, 0600);
  /* A link is replaced by a file, never followed. */
  assert_int_equal(ho_fs_write(in(s, "root/.handoff/link"), HO_STR("x"), HO_FS_CACHE, &err), HO_OK);
  assert_true(ho_fs_is_file(in(s, "root/.handoff/link")));
  assert_string_equal(file_read(&s->arena, in(s, "out/secret")).p, "secret");
}

/* A work tree that `run` made is a project like any other. */
static void test_trees(void **state)
{
  scratch *s = *state;
  ho_error err = {0};
  assert_true(ho_fs_own(in(s, "root/.handoff"), NULL));
  assert_true(ho_fs_own(in(s, "root/.handoff/run/R1/trees/1"), NULL));
  assert_false(ho_fs_own(in(s, "root/.handoff/run/R1/trees/1/specs"), NULL));
  assert_true(ho_fs_own(in(s, "root/.handoff/run/R1/trees/1/.handoff/config.yaml"), NULL));
  assert_false(ho_fs_own(in(s, "root/.handoffs/a"), NULL));
  assert_false(ho_fs_own(in(s, "root/a.handoff"), NULL));
  const char *tree = in(s, "root/.handoff/run/R1/trees/1");
  assert_int_equal(ho_fs_mkdirs(tree, &err), HO_OK);
  assert_int_equal(ho_fs_mkdirs_in(tree, in(s, "root/.handoff/run/R1/trees/1/specs/a"), &err), HO_OK);
  assert_int_equal(symlink(in(s, "out"), in(s, "root/.handoff/run/R1/trees/1/out")), 0);
  assert_int_equal(
      ho_fs_write_in(tree, in(s, "root/.handoff/run/R1/trees/1/out/new"), HO_STR("x"), HO_FS_REPLACE, &err), HO_IO);
  assert_false(ho_fs_exists(in(s, "out/new")));
}

static void test_root(void **state)
{
  scratch *s = *state;
  ho_error err = {0};
  const char *root = in(s, "root");
  assert_int_equal(ho_fs_write_in(root, in(s, "root/out/new"), HO_STR("x"), HO_FS_REPLACE, &err), HO_IO);
  assert_non_null(strstr(err.message, "outside the project"));
  assert_int_equal(ho_fs_mkdirs_in(root, in(s, "root/out/a/b"), &err), HO_IO);
  assert_int_equal(ho_fs_unlink_in(root, in(s, "root/out/secret")), -1);
  assert_int_equal(ho_fs_write_in(root, in(s, "root/git/hooks"), HO_STR("x"), HO_FS_REPLACE, &err), HO_IO);
  assert_false(ho_fs_exists(in(s, "out/new")));
  assert_false(ho_fs_exists(in(s, "out/a")));
  assert_true(ho_fs_exists(in(s, "out/secret")));
  /* A link that stays inside is the project's own affair, and so is the way to the project. */
  assert_int_equal(ho_fs_mkdirs_in(root, in(s, "root/way/a/b"), &err), HO_OK);
  assert_int_equal(ho_fs_write_in(root, in(s, "root/way/a/b/c"), HO_STR("x"), HO_FS_CREATE, &err), HO_OK);
  assert_true(ho_fs_is_file(in(s, "root/real/a/b/c")));
  assert_int_equal(symlink("root", in(s, "alias")), 0);
  assert_int_equal(ho_fs_write_in(in(s, "alias"), in(s, "alias/real/d"), HO_STR("x"), HO_FS_CREATE, &err), HO_OK);
  assert_true(ho_fs_is_file(in(s, "root/real/d")));
  char real[PATH_MAX];
  assert_true(ho_fs_own(in(s, "alias/.handoff/plain"), real));
  assert_string_equal(real, in(s, "root/.handoff/plain"));
  /* Elsewhere, a person has named the file. */
  assert_int_equal(ho_fs_write_in(root, in(s, "out/named"), HO_STR("x"), HO_FS_CREATE, &err), HO_OK);
}

static void test_lock(void **state)
{
  scratch *s = *state;
  ho_error err = {0};
  char wanted[32];
  const char *path = in(s, "root/.handoff/plain");
  int ready[2], fd = ho_fs_open(path, O_RDWR);
  assert_int_equal(pipe(ready), 0);
  pid_t child = fork();
  if (child == 0) {
    int own = ho_fs_open(path, O_RDWR);
    _exit(ho_fs_lock(own, ho_str_of(path), 0, &err) || write(ready[1], "x", 1) != 1 || sleep(60));
  }
  assert_int_equal(read(ready[0], wanted, 1), 1);
  assert_int_equal(ho_fs_lock(fd, ho_str_of(path), 100, &err), HO_CONFLICT);
  snprintf(wanted, sizeof wanted, "process %ld (", (long)child);
  assert_non_null(strstr(err.message, wanted));
  kill(child, SIGKILL);
  assert_int_equal(ho_fs_lock(fd, ho_str_of(path), 5000, &err), HO_OK);
  close(fd);
  close(ready[0]);
  close(ready[1]);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_beneath, begin, end), cmocka_unit_test_setup_teardown(test_own, begin, end),
      cmocka_unit_test_setup_teardown(test_trees, begin, end), cmocka_unit_test_setup_teardown(test_root, begin, end),
      cmocka_unit_test_setup_teardown(test_lock, begin, end)};
  return unit_run(tests);
}
