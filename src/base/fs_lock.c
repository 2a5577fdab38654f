/* Waiting for a lock, and who holds it. */
#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#include "base/fs.h"

enum { STEP_MS = 2, LINES = 4096 };

/* The first bytes of a file of /proc; "" if it cannot be read. */
static void read_some(const char *path, char *text, size_t size)
{
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  ssize_t n = fd < 0 ? -1 : read(fd, text, size - 1);
  if (fd >= 0)
    close(fd);
  text[n > 0 ? n : 0] = '\0';
}

/* "lock:	1: OFDLCK ADVISORY WRITE -1 fd:00:4711 FROM TO", where TO may be "EOF". */
static bool is_lock_on(ho_str line, long byte)
{
  char text[128];
  long from = 0;
  ho_error_copy(text, sizeof text, ho_str_trim_end(line));
  const char *to = strrchr(text, ' '), *begin = to;
  if (!ho_str_starts(line, "lock:") || !strstr(text, "WRITE") || !to)
    return false;
  while (begin > text && begin[-1] != ' ')
    begin--;
  from = strtol(begin, NULL, 10);
  return from <= byte && (strcmp(to, " EOF") == 0 || strtol(to, NULL, 10) >= byte);
}

/* Does this descriptor of a process hold a lock on that byte of the file? */
static bool holds(const char *process, const char *descriptor, const struct stat *file, long byte)
{
  char path[64], text[LINES];
  struct stat info;
  snprintf(path, sizeof path, "/proc/%.20s/fd/%.20s", process, descriptor);
  if (stat(path, &info) != 0 || info.st_dev != file->st_dev || info.st_ino != file->st_ino)
    return false;
  snprintf(path, sizeof path, "/proc/%.20s/fdinfo/%.20s", process, descriptor);
  read_some(path, text, sizeof text);
  ho_str rest = ho_str_of(text), line;
  while (ho_str_next_line(&rest, &line))
    if (is_lock_on(line, byte))
      return true;
  return false;
}

static bool process_holds(const char *process, const struct stat *file, long byte)
{
  char path[64];
  bool found = false;
  snprintf(path, sizeof path, "/proc/%.20s/fd", process);
  DIR *dir = opendir(path);
  for (struct dirent *entry; dir && !found && (entry = readdir(dir));)
    found = entry->d_name[0] != '.' && holds(process, entry->d_name, file, byte);
  if (dir)
    closedir(dir);
  return found;
}

void ho_fs_lock_holder(int fd, long byte, char out[HO_FS_HOLDER_SIZE])
{
  struct stat file;
  bool found = false;
  DIR *all = fstat(fd, &file) == 0 ? opendir("/proc") : NULL;
  snprintf(out, HO_FS_HOLDER_SIZE, "another process");
  for (struct dirent *entry; all && !found && (entry = readdir(all));) {
    char path[64], name[32];
    if (entry->d_name[0] < '1' || entry->d_name[0] > '9' || strtol(entry->d_name, NULL, 10) == (long)getpid() ||
        !process_holds(entry->d_name, &file, byte))
      continue;
    snprintf(path, sizeof path, "/proc/%.20s/comm", entry->d_name);
    read_some(path, name, sizeof name);
    name[strcspn(name, "\n")] = '\0';
    snprintf(out, HO_FS_HOLDER_SIZE, "process %.20s (%s)", entry->d_name, name);
    found = true;
  }
  if (all)
    closedir(all);
}

ho_code ho_fs_lock(int fd, ho_str path, int ms, ho_error *err)
{
  char holder[HO_FS_HOLDER_SIZE];
  for (int waited = 0; flock(fd, LOCK_EX | LOCK_NB) != 0; waited += STEP_MS) {
    if (errno != EWOULDBLOCK && errno != EINTR)
      return ho_fail_file(err, HO_IO, path, "cannot be locked: %s", strerror(errno));
    if (waited >= ms) {
      ho_fs_lock_holder(fd, 0, holder);
      return ho_fail_file(err, HO_CONFLICT, path, "has been locked by %s for %d seconds; wait for it or end it", holder,
                          ms / 1000);
    }
    nanosleep(&(struct timespec){0, STEP_MS * 1000000L}, NULL);
  }
  return HO_OK;
}
