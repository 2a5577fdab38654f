/* Runs a fuzz target over the files and folders named, so that its corpus is an ordinary test. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int main(int argc, char **argv);

static unsigned long runs;

static void run_file(const char *path)
{
  FILE *file = fopen(path, "rb");
  if (!file) {
    perror(path);
    exit(1);
  }
  static uint8_t bytes[1 << 20];
  size_t n = fread(bytes, 1, sizeof bytes, file);
  fclose(file);
  uint8_t *exact = malloc(n ? n : 1); /* so that a sanitizer sees reads past the end */
  if (!exact)
    exit(1);
  for (size_t i = 0; i < n; i++)
    exact[i] = bytes[i];
  LLVMFuzzerTestOneInput(exact, n);
  free(exact);
  runs++;
}

static void run_path(const char *path)
{
  struct stat info;
  DIR *dir = stat(path, &info) == 0 && S_ISDIR(info.st_mode) ? opendir(path) : NULL;
  if (!dir) {
    run_file(path);
    return;
  }
  for (struct dirent *entry; (entry = readdir(dir));) {
    char below[4096];
    if (entry->d_name[0] == '.')
      continue;
    snprintf(below, sizeof below, "%s/%s", path, entry->d_name);
    run_path(below);
  }
  closedir(dir);
}

int main(int argc, char **argv)
{
  for (int i = 1; i < argc; i++)
    run_path(argv[i]);
  printf("%lu inputs replayed\n", runs);
  return runs == 0;
}
