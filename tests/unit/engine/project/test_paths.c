/* Places of a project: what counts as there. */
#include "files.h"

#include <unistd.h>

#include "engine/project/paths.h"

static int begin(void **state)
{
  static char folder[FOLDER_SIZE];
  folder_make(folder, "/tmp");
  *state = folder;
  return 0;
}

static int end(void **state)
{
  return folder_remove(*state);
}

static void only_what_is_inside_of_the_root_exists(void **state)
{
  static const struct {
    const char *path;
    bool exists;
  } cases[] = {
      {"a.md", true},     {"sub", true},         {"sub/b.md", true},        {"", true},        {"c.md", false},
      {"outside", false}, {"sub/../a.md", true}, {"sub/../../o/x", false},  {"gone/x", false}, {"away/x", false},
      {"broken", false},  {"../o", false},       {"sub/inside/a.md", true}, {"a.md/b", false}};
  char root_path[FOLDER_SIZE + 8], path[FOLDER_SIZE + 64];
  ho_error err;
  snprintf(root_path, sizeof root_path, "%s/root", (char *)*state);
  ho_str root = {root_path, strlen(root_path)};
  static const char *const files[] = {"root/a.md", "root/sub/b.md", "o/x"};
  for (size_t i = 0; i < HO_COUNT(files); i++) {
    snprintf(path, sizeof path, "%s/%s", (char *)*state, files[i]);
    *strrchr(path, '/') = '\0';
    assert_int_equal(ho_fs_mkdirs(path, &err), HO_OK);
    snprintf(path, sizeof path, "%s/%s", (char *)*state, files[i]);
    assert_int_equal(ho_fs_write(path, HO_STR("text"), HO_FS_CREATE, &err), HO_OK);
  }
  assert_int_equal(chdir(root_path), 0);
  assert_int_equal(symlink("../o", "away") | symlink("nowhere", "broken") | symlink("..", "sub/inside"), 0);
  for (size_t i = 0; i < HO_COUNT(cases); i++) {
    if (ho_paths_exists(&root, ho_str_of(cases[i].path)) != cases[i].exists)
      fail_msg("'%s' %s", cases[i].path, cases[i].exists ? "is there" : "is not there");
  }
  snprintf(path, sizeof path, "%s/a.md", root_path);
  assert_true(ho_paths_exists(&root, ho_str_of(path)));
  snprintf(path, sizeof path, "%s/o/x", (char *)*state);
  assert_false(ho_paths_exists(&root, ho_str_of(path)));
  assert_false(ho_paths_exists(&root, (ho_str){"a.md\0b", 6})); /* no file has such a name */
  char *longer = test_malloc(1 << 16);
  memset(longer, 'a', 1 << 16);
  assert_false(ho_paths_exists(&root, (ho_str){longer, 1 << 16}));
  test_free(longer);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(only_what_is_inside_of_the_root_exists, begin, end),
  };
  return unit_run(tests);
}
