#include "base/proc/spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/time.h"

static int put(posix_spawn_file_actions_t *files, int from, int to)
{
  return from < 0 ? posix_spawn_file_actions_addopen(files, to, "/dev/null", to ? O_WRONLY : O_RDONLY, 0)
                  : posix_spawn_file_actions_adddup2(files, from, to);
}

int ho_spawn(const char *const *argv, int in, int out, pid_t *pid)
{
  posix_spawn_file_actions_t files;
  int failed = posix_spawn_file_actions_init(&files);
  if (failed)
    return failed;
  failed = put(&files, in, 0);
  if (!failed)
    failed = put(&files, out, 1);
  if (!failed)
    failed = put(&files, -1, 2);
  if (!failed)
    failed = posix_spawnp(pid, argv[0], &files, NULL, (char *const *)(uintptr_t)argv, environ);
  posix_spawn_file_actions_destroy(&files);
  return failed;
}

bool ho_spawn_wait(pid_t pid)
{
  int status = 0;
  while (waitpid(pid, &status, 0) < 0)
    if (errno != EINTR)
      return false;
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

bool ho_spawn_run(const char *const *argv)
{
  pid_t pid;
  return ho_spawn(argv, -1, -1, &pid) == 0 && ho_spawn_wait(pid);
}

/* Reads to the end, `most` bytes or `ms` milliseconds: returns the number of bytes, or -1 if it took too long. */
static ssize_t read_some(int fd, int64_t ms, char *bytes, size_t most)
{
  int64_t end = ho_time_monotonic_ms() + ms;
  size_t n = 0;
  while (n < most) {
    struct pollfd p = {.fd = fd, .events = POLLIN};
    int64_t left = ms < 0 ? -1 : end - ho_time_monotonic_ms();
    int ready = left > 0 || ms < 0 ? poll(&p, 1, (int)left) : 0;
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

ssize_t ho_spawn_read(const char *const *argv, int64_t ms, char *bytes, size_t most)
{
  pid_t pid;
  int ends[2];
  if (pipe2(ends, O_CLOEXEC))
    return -1;
  int failed = ho_spawn(argv, -1, ends[1], &pid);
  close(ends[1]);
  ssize_t n = failed ? -1 : read_some(ends[0], ms, bytes, most);
  close(ends[0]);
  if (failed)
    return -1;
  bool cut = n < 0 || (size_t)n == most;
  if (cut)
    kill(pid, SIGKILL);
  return ho_spawn_wait(pid) || cut ? n : -1;
}
