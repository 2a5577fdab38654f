/* record_io: preloaded into the program (LD_PRELOAD), writes down every change that it makes to a file system, in the
 * order in which they happen, so that power/disk.mjs can say what a disk could hold after a power cut; and lets a program
 * believe that the machine was restarted.
 *
 *   RECORD_LOG=P      the file to which changes are appended, by several processes at once
 *   RECORD_COMMAND=N  a number that stands in the log where the command has written to its standard output; the programs
 *                     that it starts do not see it
 *   RECORD_BOOT=P     the file that is opened instead of /proc/sys/kernel/random/boot_id
 *   RECORD_INODES=P   lines "NUMBER SHOWN": inode numbers that are shown as others, since a file that was restored has a
 *                     number of its own, but on a real disk would have kept it
 *
 * A line per change; files and folders are named by their inode numbers:
 *   C folder inode name          a new file           D folder inode name       a new folder
 *   L folder inode name          a second name        U folder inode name       a name is removed
 *   R folder inode folder TAB name TAB name           a name becomes another
 *   W inode offset size          then so many bytes   T inode size              the file's size is set
 *   S inode                      the file or folder is synced; 0: everything
 *   O N                          the command N has printed something
 * What is written through a shared mapping is noticed at the next change; an index of SQLite (-shm) never is. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { FIRST_FD = 900, MOST_INODES = 4096, MOST_MAPPINGS = 16 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int log_file = -2; /* -1: nothing is recorded */
static char command[32];  /* the number of this one */

typedef long (*raw_call)(long number, ...);

static raw_call raw(void)
{
  static raw_call call;
  if (!call)
    call = (raw_call)dlsym(RTLD_NEXT, "syscall");
  return call;
}

static int look(int folder, const char *path, struct stat *out, int flags)
{
  return (int)raw()(SYS_newfstatat, folder, path, out, flags);
}

/* ---- The log */

static int log_fd(void)
{
  if (log_file == -2) {
    const char *path = getenv("RECORD_LOG");
    int fd = path ? (int)raw()(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666) : -1;
    log_file = fd < 0 ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, FIRST_FD);
    if (fd >= 0)
      raw()(SYS_close, fd);
  }
  return log_file;
}

static void lock(short type)
{
  struct flock all = {.l_type = type, .l_whence = SEEK_SET};
  while (raw()(SYS_fcntl, log_fd(), F_SETLKW, &all) != 0 && errno == EINTR)
    continue;
}

static void put(const char *text, size_t n)
{
  while (n) {
    long wrote = raw()(SYS_write, log_fd(), text, n);
    if (wrote <= 0)
      abort();
    text += wrote;
    n -= (size_t)wrote;
  }
}

__attribute__((format(printf, 1, 2))) static void say(const char *format, ...)
{
  char line[8192];
  va_list rest;
  va_start(rest, format);
  int n = vsnprintf(line, sizeof line, format, rest);
  va_end(rest);
  put(line, (size_t)n);
}

static void say_bytes(uint64_t inode, int64_t at, const void *from, size_t n)
{
  say("W %llu %lld %zu\n", (unsigned long long)inode, (long long)at, n);
  put(from, n);
  put("\n", 1);
}

/* ---- Shared mappings */

static struct mapping {
  char *at, *known;
  size_t size;
  int64_t offset;
  uint64_t inode;
} mappings[MOST_MAPPINGS];

static void say_mapped(void)
{
  for (struct mapping *m = mappings; m < mappings + MOST_MAPPINGS; m++)
    if (m->at && memcmp(m->at, m->known, m->size) != 0) {
      memcpy(m->known, m->at, m->size);
      say_bytes(m->inode, m->offset, m->known, m->size);
    }
}

/* Between these two, nobody else changes anything that is recorded; false if nothing is. errno is kept. */
static int begin(void)
{
  if (log_fd() < 0)
    return 0;
  pthread_mutex_lock(&mutex);
  lock(F_WRLCK);
  say_mapped();
  return 1;
}

static void end(int recording)
{
  int number = errno;
  if (recording) {
    lock(F_UNLCK);
    pthread_mutex_unlock(&mutex);
  }
  errno = number;
}

__attribute__((destructor)) static void finish(void)
{
  end(begin());
}

static void remember_mapping(void *at, size_t size, int fd, int64_t offset)
{
  char link[64], path[4096];
  struct stat info;
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t n = readlink(link, path, sizeof path);
  if (n < 4 || memcmp(path + n - 4, "-shm", 4) == 0 || look(fd, "", &info, AT_EMPTY_PATH) != 0)
    return;
  for (struct mapping *m = mappings; m < mappings + MOST_MAPPINGS; m++)
    if (!m->at) {
      char *known = malloc(size);
      if (!known)
        abort();
      memcpy(known, at, size);
      *m = (struct mapping){at, known, size, offset, info.st_ino};
      return;
    }
}

void *mmap(void *at, size_t size, int protection, int flags, int fd, off_t offset)
{
  void *made = (void *)raw()(SYS_mmap, at, size, protection, flags, fd, offset);
  if (made != MAP_FAILED && fd >= 0 && flags & MAP_SHARED && protection & PROT_WRITE && log_fd() >= 0) {
    int recording = begin();
    remember_mapping(made, size, fd, offset);
    end(recording);
  }
  return made;
}

void *mmap64(void *at, size_t size, int protection, int flags, int fd, off64_t offset)
{
  return mmap(at, size, protection, flags, fd, offset);
}

int munmap(void *at, size_t size)
{
  int recording = begin();
  for (struct mapping *m = mappings; recording && m < mappings + MOST_MAPPINGS; m++)
    if (m->at == at) {
      free(m->known);
      *m = (struct mapping){0};
    }
  int result = (int)raw()(SYS_munmap, at, size);
  end(recording);
  return result;
}

/* ---- Names */

/* The folder of a path, and its last name. */
typedef struct spot {
  uint64_t folder;
  const char *name;
} spot;

static spot find(int at, const char *path)
{
  char folder[4096];
  struct stat info = {0};
  const char *slash = strrchr(path, '/');
  snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - path + 1) : 1, slash ? path : ".");
  look(at, folder, &info, 0);
  return (spot){info.st_ino, slash ? slash + 1 : path};
}

static uint64_t inode_of(int at, const char *path)
{
  struct stat info = {0};
  return look(at, path, &info, AT_SYMLINK_NOFOLLOW) == 0 ? info.st_ino : 0;
}

static void say_name(char what, spot where, uint64_t inode)
{
  say("%c %llu %llu %s\n", what, (unsigned long long)where.folder, (unsigned long long)inode, where.name);
}

static int move(int from_at, const char *from, int to_at, const char *to, unsigned flags)
{
  int recording = begin();
  uint64_t inode = recording ? inode_of(from_at, from) : 0;
  int result = (int)raw()(SYS_renameat2, from_at, from, to_at, to, flags);
  if (recording && result == 0) {
    spot a = find(from_at, from), b = find(to_at, to);
    say("R %llu %llu %llu\t%s\t%s\n", (unsigned long long)a.folder, (unsigned long long)inode,
        (unsigned long long)b.folder, a.name, b.name);
  }
  end(recording);
  return result;
}

int rename(const char *from, const char *to)
{
  return move(AT_FDCWD, from, AT_FDCWD, to, 0);
}

int renameat(int from_at, const char *from, int to_at, const char *to)
{
  return move(from_at, from, to_at, to, 0);
}

int renameat2(int from_at, const char *from, int to_at, const char *to, unsigned flags)
{
  return move(from_at, from, to_at, to, flags);
}

int linkat(int from_at, const char *from, int to_at, const char *to, int flags)
{
  int recording = begin(), result = (int)raw()(SYS_linkat, from_at, from, to_at, to, flags);
  if (recording && result == 0)
    say_name('L', find(to_at, to), inode_of(to_at, to));
  end(recording);
  return result;
}

int link(const char *from, const char *to)
{
  return linkat(AT_FDCWD, from, AT_FDCWD, to, 0);
}

int unlinkat(int at, const char *path, int flags)
{
  int recording = begin();
  uint64_t inode = recording ? inode_of(at, path) : 0;
  int result = (int)raw()(SYS_unlinkat, at, path, flags);
  if (recording && result == 0)
    say_name('U', find(at, path), inode);
  end(recording);
  return result;
}

int unlink(const char *path)
{
  return unlinkat(AT_FDCWD, path, 0);
}

int rmdir(const char *path)
{
  return unlinkat(AT_FDCWD, path, AT_REMOVEDIR);
}

int mkdirat(int at, const char *path, mode_t mode)
{
  int recording = begin(), result = (int)raw()(SYS_mkdirat, at, path, mode);
  if (recording && result == 0)
    say_name('D', find(at, path), inode_of(at, path));
  end(recording);
  return result;
}

int mkdir(const char *path, mode_t mode)
{
  return mkdirat(AT_FDCWD, path, mode);
}

/* ---- Opening */

static int open_recorded(int at, const char *path, const struct open_how *how, int plain)
{
  const char *boot = strcmp(path, "/proc/sys/kernel/random/boot_id") == 0 ? getenv("RECORD_BOOT") : NULL;
  int recording = how->flags & (O_CREAT | O_TRUNC) && begin(), there = recording && inode_of(at, path) != 0;
  int fd = plain ? (int)raw()(SYS_openat, at, boot ? boot : path, how->flags, how->mode)
                 : (int)raw()(SYS_openat2, at, path, how, sizeof *how);
  struct stat info;
  if (recording && fd >= 0 && look(fd, "", &info, AT_EMPTY_PATH) == 0) {
    if (!there && how->flags & O_CREAT)
      say_name('C', find(at, path), info.st_ino);
    else if (how->flags & O_TRUNC)
      say("T %llu 0\n", (unsigned long long)info.st_ino);
  }
  end(recording);
  return fd;
}

#define OPEN(at)                                                                                                       \
  do {                                                                                                                 \
    va_list rest;                                                                                                      \
    va_start(rest, flags);                                                                                             \
    mode_t mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0;                                                          \
    va_end(rest);                                                                                                      \
    return open_recorded(at, path, &(struct open_how){.flags = (unsigned)flags, .mode = mode}, 1);                     \
  } while (0)

int open(const char *path, int flags, ...)
{
  OPEN(AT_FDCWD);
}

int open64(const char *path, int flags, ...)
{
  OPEN(AT_FDCWD);
}

int openat(int at, const char *path, int flags, ...)
{
  OPEN(at);
}

int openat64(int at, const char *path, int flags, ...)
{
  OPEN(at);
}

/* The program calls openat2 so. */
long syscall(long number, ...)
{
  long a[6];
  va_list rest;
  va_start(rest, number);
  for (size_t i = 0; i < 6; i++)
    a[i] = va_arg(rest, long);
  va_end(rest);
  if (number == SYS_openat2)
    return open_recorded((int)a[0], (const char *)a[1], (const struct open_how *)a[2], 0);
  return raw()(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

/* ---- Contents */

static int is_file(int fd, struct stat *info)
{
  return look(fd, "", info, AT_EMPTY_PATH) == 0 && S_ISREG(info->st_mode);
}

ssize_t write(int fd, const void *from, size_t n)
{
  struct stat info;
  int answer = fd == STDOUT_FILENO && *command, recording = (answer || is_file(fd, &info)) && begin();
  int64_t at = recording && !answer ? raw()(SYS_lseek, fd, 0L, SEEK_CUR) : 0;
  ssize_t wrote = raw()(SYS_write, fd, from, n);
  if (recording && answer)
    say("O %s\n", command);
  else if (recording && wrote > 0)
    say_bytes(info.st_ino, fcntl(fd, F_GETFL) & O_APPEND ? info.st_size : at, from, (size_t)wrote);
  end(recording);
  return wrote;
}

ssize_t pwrite64(int fd, const void *from, size_t n, off64_t at)
{
  struct stat info;
  int recording = is_file(fd, &info) && begin();
  ssize_t wrote = raw()(SYS_pwrite64, fd, from, n, at);
  if (recording && wrote > 0)
    say_bytes(info.st_ino, at, from, (size_t)wrote);
  end(recording);
  return wrote;
}

ssize_t pwrite(int fd, const void *from, size_t n, off_t at)
{
  return pwrite64(fd, from, n, at);
}

int ftruncate64(int fd, off64_t size)
{
  struct stat info;
  int recording = is_file(fd, &info) && begin(), result = (int)raw()(SYS_ftruncate, fd, size);
  if (recording && result == 0)
    say("T %llu %lld\n", (unsigned long long)info.st_ino, (long long)size);
  end(recording);
  return result;
}

int ftruncate(int fd, off_t size)
{
  return ftruncate64(fd, size);
}

static int sync_recorded(int number, int fd)
{
  struct stat info;
  int recording = begin(), result = (int)raw()(number, fd);
  if (recording && result == 0 && look(fd, "", &info, AT_EMPTY_PATH) == 0)
    say("S %llu\n", (unsigned long long)(number == SYS_syncfs ? 0 : info.st_ino));
  end(recording);
  return result;
}

int fsync(int fd)
{
  return sync_recorded(SYS_fsync, fd);
}

int fdatasync(int fd)
{
  return sync_recorded(SYS_fdatasync, fd);
}

int syncfs(int fd)
{
  return sync_recorded(SYS_syncfs, fd);
}

/* ---- Inode numbers */

static struct {
  uint64_t number, shown;
} inodes[MOST_INODES];
static size_t inode_count;

__attribute__((constructor)) static void read_settings(void)
{
  const char *own = getenv("RECORD_COMMAND"), *path = getenv("RECORD_INODES");
  FILE *file = path ? fopen(path, "r") : NULL;
  unsigned long long number, shown;
  snprintf(command, sizeof command, "%s", own ? own : "");
  unsetenv("RECORD_COMMAND");
  while (file && inode_count < MOST_INODES && fscanf(file, "%llu %llu", &number, &shown) == 2) {
    inodes[inode_count].number = number;
    inodes[inode_count++].shown = shown;
  }
  if (file)
    fclose(file);
}

static int stat_shown(int at, const char *path, struct stat *out, int flags)
{
  int result = look(at, path, out, flags);
  for (size_t i = 0; result == 0 && i < inode_count; i++)
    if (inodes[i].number == out->st_ino) {
      out->st_ino = inodes[i].shown;
      break;
    }
  return result;
}

int stat(const char *path, struct stat *out)
{
  return stat_shown(AT_FDCWD, path, out, 0);
}

int lstat(const char *path, struct stat *out)
{
  return stat_shown(AT_FDCWD, path, out, AT_SYMLINK_NOFOLLOW);
}

int fstat(int fd, struct stat *out)
{
  return stat_shown(fd, "", out, AT_EMPTY_PATH);
}

int fstatat(int at, const char *path, struct stat *out, int flags)
{
  return stat_shown(at, path, out, flags);
}

int stat64(const char *path, struct stat64 *out)
{
  return stat_shown(AT_FDCWD, path, (struct stat *)out, 0);
}

int lstat64(const char *path, struct stat64 *out)
{
  return stat_shown(AT_FDCWD, path, (struct stat *)out, AT_SYMLINK_NOFOLLOW);
}

int fstat64(int fd, struct stat64 *out)
{
  return stat_shown(fd, "", (struct stat *)out, AT_EMPTY_PATH);
}

int fstatat64(int at, const char *path, struct stat64 *out, int flags)
{
  return stat_shown(at, path, (struct stat *)out, flags);
}
