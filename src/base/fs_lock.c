/* Waiting for a lock, and who holds it. */
#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>

#include "base/fs.h"

enum { STEP_MS = 2, LINES = 4096 };

/* The first bytes of a file of /proc, and how many; "" if it cannot be read. */
static size_t read_some(const char *path, char *text, size_t size)
{
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  ssize_t n = fd < 0 ? -1 : read(fd, text, size - 1);
  if (fd >= 0)
    close(fd);
  text[n > 0 ? n : 0] = '\0';
  return n > 0 ? (size_t)n : 0;
}

/* "lock:	1: OFDLCK ADVISORY WRITE -1 fd:00:4711 FROM TO", where TO may be "EOF". */
static bool is_lock_on(ho_str line, long byte)
{
  char text[128];
  long from = 0;
  ho_error_copy(text, sizeof text, ho_str_trim_end(line));
  const char *to = strrchr(text, ' '), *begin = to;
  if (!ho_str_starts(line, "lock:") || !to)
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

/* Appends the first words of the command that look like names, as `gate wait` does; what else is said there is nobody's
 * business. */
static void add_command(char *out, size_t size, const char *line, size_t length)
{
  enum { WORDS = 2 };
  ho_str rest = {line, length}, word;
  bool program = ho_str_next(&rest, '\0', &word);
  for (int words = 0; program && words < WORDS && ho_str_next(&rest, '\0', &word);) {
    size_t n = 0, used = strlen(out);
    while (n < word.n && word.p[n] >= 'a' && word.p[n] <= 'z')
      n++;
    if (!n || n < word.n || used + n + 2 > size)
      continue;
    snprintf(out + used, size - used, " %.*s", HO_ARG(word));
    words++;
  }
}

/* Seconds since the process was started: a field behind its state, in ticks since the machine was. */
static int64_t age_of(const char *state)
{
  enum { STARTED = 20 };
  struct timespec now;
  for (int i = 0; state && i < STARTED; i++)
    state = strchr(state + 1, ' ');
  long ticks = sysconf(_SC_CLK_TCK);
  if (!state || ticks <= 0 || clock_gettime(CLOCK_BOOTTIME, &now) != 0)
    return -1;
  return (int64_t)now.tv_sec - strtoll(state, NULL, 10) / ticks;
}

static void describe(const char *process, ho_fs_holder *out)
{
  char path[64], text[1024], name[sizeof out->who - 32];
  snprintf(path, sizeof path, "/proc/%.20s/comm", process);
  read_some(path, text, sizeof text);
  text[strcspn(text, "\n")] = '\0';
  ho_error_copy(name, sizeof name, ho_str_of(text));
  snprintf(path, sizeof path, "/proc/%.20s/cmdline", process);
  add_command(name, sizeof name, text, read_some(path, text, sizeof text));
  snprintf(path, sizeof path, "/proc/%.20s/stat", process);
  read_some(path, text, sizeof text);
  const char *state = strrchr(text, ')');
  out->pid = strtol(process, NULL, 10);
  snprintf(out->who, sizeof out->who, "process %ld (%s)", out->pid, name);
  out->stopped = state && (strncmp(state, ") T", 3) == 0 || strncmp(state, ") t", 3) == 0);
  out->age = state ? age_of(state) : -1;
  if (out->stopped)
    snprintf(out->advice, sizeof out->advice, "it is stopped: continue it (kill -CONT %ld) or end it", out->pid);
}

void ho_fs_lock_holder(int fd, long byte, ho_fs_holder *out)
{
  struct stat file;
  DIR *all = fstat(fd, &file) == 0 ? opendir("/proc") : NULL;
  *out = (ho_fs_holder){.who = "another process", .advice = "wait for it or end it"};
  for (struct dirent *entry; all && !out->pid && (entry = readdir(all));)
    if (entry->d_name[0] >= '1' && entry->d_name[0] <= '9' && strtol(entry->d_name, NULL, 10) != (long)getpid() &&
        process_holds(entry->d_name, &file, byte))
      describe(entry->d_name, out);
  if (all)
    closedir(all);
}

/* "12: POSIX  ADVISORY  WRITE 4711 fd:00:4711 FROM TO"; one that waits has "->" in front of POSIX. */
typedef struct file_lock {
  bool alone;
  char pid[24];
} file_lock;

static bool read_lock(ho_str line, const struct stat *file, long from, long to, file_lock *out)
{
  char text[160], mode[8] = "", end[24];
  unsigned major_number = 0, minor_number = 0;
  unsigned long inode = 0;
  long begin = 0;
  ho_error_copy(text, sizeof text, line);
  int n = sscanf(text, "%*d: POSIX %*s %7s %20[0-9] %x:%x:%lu %ld %20s", mode, out->pid, &major_number, &minor_number,
                 &inode, &begin, end);
  out->alone = strcmp(mode, "WRITE") == 0;
  return n == 7 && inode == file->st_ino && makedev(major_number, minor_number) == file->st_dev && begin <= to &&
         (strcmp(end, "EOF") == 0 || strtol(end, NULL, 10) >= from);
}

static void take_holder(const file_lock *lock, ho_fs_holder *best, bool *best_alone)
{
  ho_fs_holder one = {.advice = "wait for it or end it"};
  if (strtol(lock->pid, NULL, 10) == (long)getpid())
    return;
  describe(lock->pid, &one);
  if (best->pid && (best->stopped > one.stopped || (best->stopped == one.stopped && *best_alone >= lock->alone)))
    return;
  *best = one;
  *best_alone = lock->alone;
}

void ho_fs_file_holder(const char *path, long from, long to, ho_fs_holder *out)
{
  enum { SOME = 1 << 14 };
  struct stat file;
  char text[SOME];
  size_t held = 0;
  ssize_t n = 0;
  bool alone = false;
  int fd = ho_fs_stat(path, &file) == 0 ? open("/proc/locks", O_RDONLY | O_CLOEXEC) : -1;
  *out = (ho_fs_holder){.who = "another process", .advice = "wait for it or end it"};
  while (fd >= 0 && (n = read(fd, text + held, sizeof text - held)) > 0) {
    file_lock lock;
    ho_str rest = {text, held + (size_t)n}, line;
    while (memchr(rest.p, '\n', rest.n) && ho_str_next(&rest, '\n', &line))
      if (read_lock(line, &file, from, to, &lock))
        take_holder(&lock, out, &alone);
    held = rest.n < sizeof text ? rest.n : 0;
    memmove(text, rest.p, held);
  }
  if (fd >= 0)
    close(fd);
}

ho_code ho_fs_lock(int fd, ho_str path, int ms, ho_error *err)
{
  ho_fs_holder holder;
  for (int waited = 0; flock(fd, LOCK_EX | LOCK_NB) != 0; waited += STEP_MS) {
    if (errno != EWOULDBLOCK && errno != EINTR)
      return ho_fail_file(err, HO_IO, path, "cannot be locked: %s", strerror(errno));
    if (waited >= ms) {
      ho_fs_lock_holder(fd, 0, &holder);
      return ho_fail_file(err, HO_CONFLICT, path, "has been locked by %s for %d second%s; %s", holder.who, ms / 1000,
                          ms / 1000 == 1 ? "" : "s", holder.advice);
    }
    nanosleep(&(struct timespec){0, STEP_MS * 1000000L}, NULL);
  }
  return HO_OK;
}
