/* Temporary folders and files of tests. None of it uses the code that it helps to test. */
#ifndef HO_TESTS_FILES_H
#define HO_TESTS_FILES_H

#include <dirent.h>
#include <sys/stat.h>

#include "unit.h"

#include "base/arena.h"

enum { FOLDER_SIZE = 64 };

/* Makes a folder of the test's own below `base` ("/tmp" as a rule), and says where. */
static inline void folder_make(char folder[FOLDER_SIZE], const char *base)
{
  snprintf(folder, FOLDER_SIZE, "%s/handoff-test.XXXXXX", base);
  assert_non_null(mkdtemp(folder));
}

/* Removes it with all that is in it; 0, as a teardown returns it. */
static inline int folder_remove(const char *folder)
{
  char command[FOLDER_SIZE + 16];
  snprintf(command, sizeof command, "rm -rf '%s'", folder);
  return system(command);
}

/* Writes a file: `mode` is that of fopen. */
static inline void file_write(const char *path, const char *mode, ho_str bytes)
{
  FILE *file = fopen(path, mode);
  assert_non_null(file);
  assert_int_equal(fwrite(bytes.p, 1, bytes.n, file), bytes.n);
  assert_int_equal(fclose(file), 0);
}

/* The file's text in the arena; p == NULL if there is no such file. */
static inline ho_str file_read(ho_arena *arena, const char *path)
{
  FILE *file = fopen(path, "rb");
  if (!file)
    return (ho_str){NULL, 0};
  fseek(file, 0, SEEK_END);
  long n = ftell(file);
  rewind(file);
  char *text = ho_arena_alloc(arena, (size_t)n + 1);
  size_t got = text ? fread(text, 1, (size_t)n, file) : 0;
  fclose(file);
  return (ho_str){text, got};
}

/* Calls `visit` for every file below `folder`, in no particular order; the number of files. */
static inline size_t each_file(const char *folder, void (*visit)(const char *path, void *data), void *data)
{
  size_t count = 0;
  DIR *dir = opendir(folder);
  for (struct dirent *entry; dir && (entry = readdir(dir));) {
    char path[4096];
    struct stat info;
    if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
      continue;
    snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
    if (stat(path, &info) == 0 && S_ISDIR(info.st_mode)) {
      count += each_file(path, visit, data);
    } else {
      visit(path, data);
      count++;
    }
  }
  if (dir)
    closedir(dir);
  return count;
}
#endif
