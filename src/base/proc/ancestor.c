#include "base/proc/ancestor.h"

#include <fcntl.h>
#include <unistd.h>

#include "base/proc/shim.h"

enum { HIGHEST = 256 };

/* The beginning of a file of /proc/PID; its length, 0 if it cannot be read. */
static size_t read_file(pid_t pid, const char *name, char *out, size_t room)
{
  char path[64];
  snprintf(path, sizeof path, "/proc/%ld/%s", (long)pid, name);
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  ssize_t n = fd < 0 ? 0 : read(fd, out, room - 1);
  if (fd >= 0)
    close(fd);
  n = n < 0 ? 0 : n;
  out[n] = '\0';
  return (size_t)n;
}

/* The program's file, without what the kernel adds after an update removed it. */
static void read_program(ho_ancestor *at)
{
  static const char gone[] = " (deleted)";
  char path[64];
  snprintf(path, sizeof path, "/proc/%ld/exe", (long)at->pid);
  ssize_t n = readlink(path, at->file, sizeof at->file - 1);
  at->file[n < 0 ? 0 : n] = '\0';
  ho_str file = ho_str_of(at->file);
  if (ho_str_ends(file, gone))
    at->file[file.n - (sizeof gone - 1)] = '\0';
}

bool ho_ancestor_next(ho_ancestor *at)
{
  pid_t above = at->pid ? ho_process_parent(at->pid) : getppid();
  if (above <= 0 || ho_ancestor_given_up(at))
    return false;
  at->pid = above;
  at->level++;
  size_t n = read_file(above, "comm", at->name, sizeof at->name);
  if (n && at->name[n - 1] == '\n')
    at->name[n - 1] = '\0';
  at->length = read_file(above, "cmdline", at->line, sizeof at->line);
  read_program(at);
  return true;
}

bool ho_ancestor_given_up(const ho_ancestor *at)
{
  return at->level >= HIGHEST;
}

ho_str ho_ancestor_word(const ho_ancestor *at, size_t index)
{
  ho_str rest = {at->line, at->length}, word = HO_EMPTY;
  for (size_t i = 0; i <= index; i++)
    if (!ho_str_next(&rest, '\0', &word))
      return HO_EMPTY;
  return word;
}

bool ho_ancestor_visible(void)
{
  return access("/proc/self/stat", R_OK) == 0;
}
