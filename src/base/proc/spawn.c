#include "base/proc/spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/pidfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/time.h"

enum { NAP_MS = 5 };

static int put(posix_spawn_file_actions_t *files, int from, int to)
{
  return from < 0 ? posix_spawn_file_actions_addopen(files, to, "/dev/null", to ? O_WRONLY : O_RDONLY, 0)
                  : posix_spawn_file_actions_adddup2(files, from, to);
}

/* Looks for a file that `may` be accessed so. */
static bool look(const char *name, int may, char path[PATH_MAX])
{
  struct stat st;
  const char *folders = getenv("PATH");
  ho_str rest = ho_str_of(folders ? folders : "/usr/local/bin:/usr/bin:/bin"), folder;
  while (ho_str_next(&rest, ':', &folder)) {
    int n = folder.n && folder.p[0] == '/' ? snprintf(path, PATH_MAX, "%.*s/%s", HO_ARG(folder), name) : -1;
    if (n > 0 && n < PATH_MAX && stat(path, &st) == 0 && S_ISREG(st.st_mode) && access(path, may) == 0)
      return true;
  }
  return false;
}

const char *ho_spawn_find(const char *name, char path[PATH_MAX])
{
  if (strchr(name, '/'))
    return name;
  return look(name, X_OK, path) || look(name, F_OK, path) ? path : NULL;
}

/* As ho_spawn; errors: its standard error. */
static int start(const char *const *argv, const char *const *env, int in, int out, int errors, pid_t *pid)
{
  char path[PATH_MAX];
  posix_spawn_file_actions_t files;
  posix_spawnattr_t attributes;
  const char *program = ho_spawn_find(argv[0], path);
  int failed = program ? posix_spawn_file_actions_init(&files) : ENOENT;
  if (failed)
    return failed;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  failed = put(&files, in, 0);
  if (!failed)
    failed = put(&files, out, 1);
  if (!failed)
    failed = put(&files, errors, 2);
  if (!failed)
    failed = posix_spawn(pid, program, &files, &attributes, (char *const *)(uintptr_t)argv,
                         env ? (char *const *)(uintptr_t)env : environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  return failed;
}

int ho_spawn(const char *const *argv, const char *const *env, int in, int out, pid_t *pid)
{
  return start(argv, env, in, out, -1, pid);
}

/* Sleeps until the child ends, at most until `end`. Without descriptors for processes: for a moment. */
static void doze(pid_t pid, int64_t end)
{
  int64_t left = end - ho_time_monotonic_ms();
  struct pollfd p = {.fd = pidfd_open(pid, 0), .events = POLLIN};
  if (p.fd < 0) {
    nanosleep(&(struct timespec){.tv_nsec = NAP_MS * 1000000L}, NULL);
    return;
  }
  (void)!poll(&p, 1, left < 0 ? 0 : left > INT_MAX ? INT_MAX : (int)left);
  close(p.fd);
}

int ho_spawn_wait(pid_t pid, int64_t end)
{
  int status = 0;
  bool late = false;
  for (;;) {
    pid_t ended = waitpid(pid, &status, end < 0 || late ? 0 : WNOHANG);
    if (ended == pid)
      break;
    if (ended < 0 && errno != EINTR)
      return HO_SPAWN_KILLED;
    if (ended == 0 && ho_time_monotonic_ms() >= end) {
      late = true;
      kill(-pid, SIGKILL);
    } else if (ended == 0) {
      doze(pid, end);
    }
  }
  return late ? HO_SPAWN_LATE : WIFEXITED(status) ? WEXITSTATUS(status) : HO_SPAWN_KILLED;
}

/* Reads to the end, or `most` bytes: returns the number of bytes, or -1 if it took too long. */
static ssize_t read_some(int fd, int64_t end, char *bytes, size_t most)
{
  size_t n = 0;
  while (n < most) {
    struct pollfd p = {.fd = fd, .events = POLLIN};
    int64_t left = end < 0 ? -1 : end - ho_time_monotonic_ms();
    int ready = left > 0 || end < 0 ? poll(&p, 1, left > INT_MAX ? INT_MAX : (int)left) : 0;
    if (ready < 0 && errno == EINTR)
      continue;
    if (ready <= 0)
      return -1;
    ssize_t got = read(fd, bytes + n, most - n);
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      break;
    n += (size_t)got;
  }
  return (ssize_t)n;
}

/* As ho_spawn_read; errors: its standard error, or -1. */
static ssize_t start_and_read(const char *const *argv, const char *const *env, int64_t ms, int errors, char *bytes,
                              size_t most)
{
  pid_t pid;
  int ends[2];
  int64_t end = ms < 0 ? -1 : ho_time_monotonic_ms() + ms;
  if (pipe2(ends, O_CLOEXEC))
    return -1;
  int failed = start(argv, env, -1, ends[1], errors, &pid);
  close(ends[1]);
  ssize_t n = failed ? -1 : read_some(ends[0], end, bytes, most);
  close(ends[0]);
  if (failed)
    return -1;
  bool cut = n < 0 || (size_t)n == most;
  if (cut)
    kill(-pid, SIGKILL);
  int status = ho_spawn_wait(pid, end);
  return status == 0 || (cut && status != HO_SPAWN_LATE) ? n : -1;
}

ssize_t ho_spawn_read(const char *const *argv, const char *const *env, int64_t ms, char *bytes, size_t most)
{
  return start_and_read(argv, env, ms, -1, bytes, most);
}

/* The last line of a file that has something in it. */
static void take_last_line(int file, char *out, size_t size)
{
  char text[4096];
  ho_str rest, line;
  off_t end = lseek(file, 0, SEEK_END);
  ssize_t n = pread(file, text, sizeof text, end > (off_t)sizeof text ? end - (off_t)sizeof text : 0);
  rest = (ho_str){text, n > 0 ? (size_t)n : 0};
  while (ho_str_next_line(&rest, &line))
    if (!ho_str_blank(line))
      snprintf(out, size, "%.*s", HO_ARG(line));
}

ssize_t ho_spawn_read_why(const char *const *argv, const char *const *env, int64_t ms, char *bytes, size_t most,
                          char *why, size_t size)
{
  int errors = memfd_create("errors", MFD_CLOEXEC); /* nobody need read it for the program to go on */
  ssize_t n = start_and_read(argv, env, ms, errors, bytes, most);
  why[0] = '\0';
  if (n < 0 && errors >= 0)
    take_last_line(errors, why, size);
  if (errors >= 0)
    close(errors);
  return n;
}
