/* fail_io: preloaded into the program (LD_PRELOAD), makes the N-th call that changes a file system fail, or kills the
 * process there.
 *
 *   FAIL_IO_AT=N      which call; unset or 0: none
 *   FAIL_IO_HOW=      a number: fails with this errno and does nothing; "before" or "after": SIGKILL before or after it
 *   FAIL_IO_COUNT=P   the file to which the number of calls is appended when the process ends by itself
 *
 * Calls on standard output and standard error are left alone: they are no part of the state. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static long calls;

static void die(void)
{
  syscall(SYS_kill, syscall(SYS_getpid), SIGKILL);
}

/* Is this the call? 1: it fails; 2: the process dies after it. */
static int strikes(void)
{
  const char *at = getenv("FAIL_IO_AT"), *how = getenv("FAIL_IO_HOW");
  calls++;
  if (!at || !how || atol(at) != calls)
    return 0;
  if (strcmp(how, "before") == 0)
    die();
  if (strcmp(how, "after") == 0)
    return 2;
  errno = atoi(how);
  return 1;
}

__attribute__((destructor)) static void tell(void)
{
  const char *path = getenv("FAIL_IO_COUNT");
  char text[32];
  int n = snprintf(text, sizeof text, "%ld\n", calls);
  int fd = path ? (int)syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND, 0666) : -1;
  if (fd >= 0 && syscall(SYS_write, fd, text, n) != n)
    perror(path);
}

#define CALL(number, ...)                                                                                              \
  do {                                                                                                                 \
    int strike = strikes();                                                                                            \
    if (strike == 1)                                                                                                   \
      return -1;                                                                                                       \
    long result = syscall(number, __VA_ARGS__);                                                                        \
    if (strike == 2)                                                                                                   \
      die();                                                                                                           \
    return result;                                                                                                     \
  } while (0)

ssize_t write(int fd, const void *from, size_t n)
{
  if (fd == 1 || fd == 2)
    return syscall(SYS_write, fd, from, n);
  CALL(SYS_write, fd, from, n);
}

ssize_t pwrite64(int fd, const void *from, size_t n, off64_t at)
{
  CALL(SYS_pwrite64, fd, from, n, at);
}

ssize_t pwrite(int fd, const void *from, size_t n, off_t at)
{
  CALL(SYS_pwrite64, fd, from, n, at);
}

int fsync(int fd)
{
  CALL(SYS_fsync, fd);
}

int fdatasync(int fd)
{
  CALL(SYS_fdatasync, fd);
}

int ftruncate64(int fd, off64_t size)
{
  CALL(SYS_ftruncate, fd, size);
}

int ftruncate(int fd, off_t size)
{
  CALL(SYS_ftruncate, fd, size);
}

int rename(const char *from, const char *to)
{
  CALL(SYS_rename, from, to);
}

int link(const char *from, const char *to)
{
  CALL(SYS_link, from, to);
}

int unlink(const char *path)
{
  CALL(SYS_unlink, path);
}

int renameat(int from_folder, const char *from, int to_folder, const char *to)
{
  CALL(SYS_renameat2, from_folder, from, to_folder, to, 0);
}

int renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned flags)
{
  CALL(SYS_renameat2, from_folder, from, to_folder, to, flags);
}

int linkat(int from_folder, const char *from, int to_folder, const char *to, int flags)
{
  CALL(SYS_linkat, from_folder, from, to_folder, to, flags);
}

int unlinkat(int folder, const char *path, int flags)
{
  CALL(SYS_unlinkat, folder, path, flags);
}

int mkdirat(int folder, const char *path, mode_t mode)
{
  CALL(SYS_mkdirat, folder, path, mode);
}

int mkdir(const char *path, mode_t mode)
{
  CALL(SYS_mkdir, path, mode);
}

int mkostemp(char *template, int flags)
{
  static const char letters[] = "abcdefghijklmnopqrstuvwxyz012345";
  int strike = strikes();
  if (strike == 1)
    return -1;
  for (size_t i = 1; i <= 6; i++)
    template[strlen(template) - i] = letters[((size_t)getpid() >> (2 * i)) % 32];
  int fd = (int)syscall(SYS_openat, AT_FDCWD, template, flags | O_RDWR | O_CREAT | O_EXCL, 0600);
  if (strike == 2)
    die();
  return fd;
}

/* Only opening that may make a file counts. */
static int open_at(const char *path, int flags, mode_t mode)
{
  if (!(flags & O_CREAT))
    return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
  CALL(SYS_openat, AT_FDCWD, path, flags, mode);
}

int open(const char *path, int flags, ...)
{
  va_list rest;
  va_start(rest, flags);
  mode_t mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  return open_at(path, flags, mode);
}

int open64(const char *path, int flags, ...)
{
  va_list rest;
  va_start(rest, flags);
  mode_t mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  return open_at(path, flags | O_LARGEFILE, mode);
}
