#include "base/fs.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/grow.h"
#include "base/limits.h"
#include "base/utf8.h"

static ho_code fail(ho_error *err, const char *path, const char *what)
{
  int number = errno;
  char text[512];
  ho_code code = number == ENOENT || number == ENOTDIR ? HO_NOT_FOUND : HO_IO;
  size_t n = 0;
  for (const char *p = path; *p && n < sizeof text - 1; p++)
    text[n++] = (unsigned char)*p < 0x80 ? *p : '?';
  text[n] = '\0';
  ho_str shown = ho_utf8_bad(ho_str_of(path)) == HO_NONE ? ho_str_of(path) : ho_str_of(text);
  return ho_fail_file(err, code, shown, "%s: %s", what, ho_fs_reason(number));
}

typedef struct reading {
  const char *name;
  size_t expected, limit; /* bytes */
  ho_fs_more more;        /* or NULL */
  void *data;
} reading;

/* Reads to the end, growing by doubling. */
static ho_code read_all(ho_arena *arena, int fd, const reading *r, ho_str *out, ho_error *err)
{
  size_t room = r->expected + 1, n = 0;
  char *text = ho_arena_alloc(arena, room + 1);
  while (text && (!r->more || r->more(r->data, (ho_str){text, n}))) {
    ssize_t got = read(fd, text + n, room - n);
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0)
      return fail(err, r->name, "cannot be read");
    if (got == 0)
      break;
    n += (size_t)got;
    if (n > r->limit)
      return ho_fail_file(err, HO_LIMIT, ho_str_of(r->name), "is larger than %zu bytes (limit document)", r->limit);
    if (n == room) {
      room = ho_grow_room(room, room + 1);
      char *more = ho_arena_alloc(arena, room + 1);
      if (more)
        memcpy(more, text, n);
      text = more;
    }
  }
  if (!text)
    return ho_arena_code(arena, err);
  text[n] = '\0';
  *out = (ho_str){text, n};
  return HO_OK;
}

ho_code ho_fs_read_fd(ho_arena *arena, int fd, ho_str name, size_t limit, ho_str *out, ho_error *err)
{
  return ho_fs_read_while(arena, fd, name, limit, NULL, NULL, out, err);
}

ho_code ho_fs_read_while(ho_arena *arena, int fd, ho_str name, size_t limit, ho_fs_more more, void *data, ho_str *out,
                         ho_error *err)
{
  reading r = {ho_arena_z(arena, name), 65535, limit ? limit : HO_LIMIT_DOCUMENT, more, data};
  return read_all(arena, fd, &r, out, err);
}

ho_code ho_fs_read(ho_arena *arena, const char *path, size_t limit, ho_str *out, ho_error *err)
{
  struct stat info;
  ho_code code;
  if (!limit)
    limit = HO_LIMIT_DOCUMENT;
  /* Non-blocking, so that a pipe that nobody writes to cannot hang the program. */
  int fd = ho_fs_open(path, O_RDONLY | O_NONBLOCK);
  if (fd < 0)
    return fail(err, path, "cannot be opened");
  if (fstat(fd, &info) != 0)
    code = fail(err, path, "cannot be read");
  else if (S_ISDIR(info.st_mode))
    code = ho_fail_file(err, HO_IO, ho_str_of(path), "is a folder, not a file");
  else if (!S_ISREG(info.st_mode) && fcntl(fd, F_SETFL, 0) != 0)
    code = fail(err, path, "cannot be read");
  else if ((uintmax_t)info.st_size > limit)
    code = ho_fail_file(err, HO_LIMIT, ho_str_of(path), "is larger than %zu bytes (limit document)", limit);
  else
    code = read_all(
        arena, fd, &(reading){path, S_ISREG(info.st_mode) ? (size_t)info.st_size : 65535, limit, NULL, NULL}, out, err);
  close(fd);
  return code;
}

static ho_code write_all(int fd, const char *path, ho_str content, bool sync, ho_error *err)
{
  while (content.n) {
    ssize_t put = write(fd, content.p, content.n);
    if (put < 0 && errno == EINTR)
      continue;
    if (put < 0)
      return fail(err, path, "cannot be written");
    content = ho_str_sub(content, (size_t)put, content.n);
  }
  return !sync || fsync(fd) == 0 ? HO_OK : fail(err, path, "cannot be written");
}

/* Renames the temporary file to its final name. */
static ho_code take_name(const ho_fs_spot *spot, const char *temporary, const char *path, ho_fs_mode mode,
                         ho_error *err)
{
  int at = spot->folder;
  if (mode != HO_FS_CREATE)
    return renameat(at, temporary, at, spot->name) == 0 ? HO_OK : fail(err, path, "cannot be written");
  if (linkat(at, temporary, at, spot->name, 0) == 0) {
    unlinkat(at, temporary, 0);
    return HO_OK;
  }
  if (errno != EEXIST && errno != ENOENT && renameat2(at, temporary, at, spot->name, RENAME_NOREPLACE) == 0)
    return HO_OK;
  if (errno == EEXIST)
    return ho_fail_file(err, HO_CONFLICT, ho_str_of(path), "already exists; not overwriting it");
  return fail(err, path, "cannot be written");
}

/* Some file systems do not sync folders; the file itself is safe. */
static void sync_folder(int folder)
{
  int fd = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0)
    return;
  fsync(fd);
  close(fd);
}

void ho_fs_flush_soon(const char *path)
{
  int fd = ho_fs_open(path, O_RDONLY | O_NONBLOCK);
  if (fd < 0)
    return;
  sync_file_range(fd, 0, 0, SYNC_FILE_RANGE_WRITE);
  close(fd);
}

ho_code ho_fs_flush(const char *path, ho_error *err)
{
  int fd = ho_fs_open(path, O_RDONLY | O_NONBLOCK);
  if (fd < 0)
    return errno == ENOENT || errno == ENOTDIR ? HO_OK : fail(err, path, "cannot be opened");
  ho_code code = fsync(fd) == 0 ? HO_OK : fail(err, path, "cannot be written");
  close(fd);
  return code;
}

void ho_fs_sync(const char *path)
{
  ho_fs_spot spot;
  if (ho_fs_enter(NULL, path, &spot) != 0)
    return;
  sync_folder(spot.folder);
  close(spot.folder);
}

/* The umask can only be read by setting it, which two threads must not do at once. */
static mode_t current_umask(void)
{
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&lock);
  mode_t mask = umask(0);
  umask(mask);
  pthread_mutex_unlock(&lock);
  return mask;
}

/* Is the file that was opened under this name ours to fill? Its lock says whether somebody is at it: a writer keeps it
 * until the file has its final name. fresh: this call has made it, so it is ours also where there are no locks. */
static bool is_taken(const ho_fs_spot *spot, const char *name, int fd, bool fresh)
{
  struct stat file, there;
  if (flock(fd, LOCK_EX | LOCK_NB) != 0)
    return fresh && errno != EWOULDBLOCK;
  if (fstat(fd, &file) != 0 || fstatat(spot->folder, name, &there, AT_SYMLINK_NOFOLLOW) != 0 ||
      file.st_ino != there.st_ino || file.st_dev != there.st_dev || !S_ISREG(file.st_mode) || !ho_fs_ours(file.st_uid))
    return false;
  if (fresh)
    return true;
  if (file.st_nlink > 1) { /* its writer was killed after the file had its final name, too */
    unlinkat(spot->folder, name, 0);
    return false;
  }
  return ftruncate(fd, 0) == 0 && fchmod(fd, 0600) == 0;
}

/* A file NAME.handoff-new, for nobody else yet, or one with a number behind it while others write the same file. What a
 * writer that was killed has left there is used again, so that nothing piles up. */
static int open_temporary(const ho_fs_spot *spot, char name[NAME_MAX + 1])
{
  enum { TRIES = 99, ADDED = 24, HOW = O_WRONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK };
  for (int i = 0; i < TRIES; i++) {
    char number[12] = "";
    if (i > 1)
      snprintf(number, sizeof number, "%d", i);
    snprintf(name, NAME_MAX + 1, "%.*s.handoff-new%s", NAME_MAX - ADDED, spot->name, number);
    int fd = openat(spot->folder, name, HOW | O_CREAT | O_EXCL, 0600);
    bool fresh = fd >= 0;
    if (!fresh && errno != EEXIST)
      return -1;
    if (!fresh)
      fd = openat(spot->folder, name, HOW);
    if (fd >= 0 && is_taken(spot, name, fd, fresh))
      return fd;
    if (fd >= 0)
      close(fd);
  }
  errno = EBUSY;
  return -1;
}

/* The rights of the file that is replaced, or those of a new one. */
static mode_t rights(const ho_fs_spot *spot, ho_fs_mode mode)
{
  struct stat old;
  if (mode != HO_FS_CREATE && fstatat(spot->folder, spot->name, &old, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(old.st_mode))
    return old.st_mode & 0777;
  return spot->own ? 0600 : 0666 & ~current_umask();
}

static ho_code write_at(const ho_fs_spot *spot, const char *path, ho_str content, ho_fs_mode mode, ho_error *err)
{
  char temporary[NAME_MAX + 1];
  struct stat old;
  if (mode == HO_FS_CREATE && fstatat(spot->folder, spot->name, &old, AT_SYMLINK_NOFOLLOW) == 0)
    return ho_fail_file(err, HO_CONFLICT, ho_str_of(path), "already exists; not overwriting it");
  mode_t wanted = rights(spot, mode);
  int fd = open_temporary(spot, temporary);
  if (fd < 0)
    return fail(err, path, "cannot be written");
  ho_fs_give(spot, temporary);
  ho_code code = write_all(fd, path, content, mode != HO_FS_CACHE, err);
  if (!code && wanted != 0600 && fchmod(fd, wanted) != 0)
    code = fail(err, path, "cannot be written");
  if (!code)
    code = take_name(spot, temporary, path, mode, err);
  if (code)
    unlinkat(spot->folder, temporary, 0);
  close(fd); /* only now: its lock protects the name */
  if (!code && mode != HO_FS_CACHE)
    sync_folder(spot->folder);
  return code;
}

ho_code ho_fs_write_in(const char *root, const char *path, ho_str content, ho_fs_mode mode, ho_error *err)
{
  ho_fs_spot spot;
  if (ho_fs_enter(root, path, &spot) != 0)
    return errno == ENAMETOOLONG ? ho_fail_file(err, HO_LIMIT, ho_str_of(path), "the path is too long")
                                 : fail(err, path, "cannot be written");
  ho_code code = write_at(&spot, path, content, mode, err);
  close(spot.folder);
  return code;
}

ho_code ho_fs_write(const char *path, ho_str content, ho_fs_mode mode, ho_error *err)
{
  return ho_fs_write_in(NULL, path, content, mode, err);
}

/* Creates one folder; errno, or 0 if it is there. */
static int make_folder(const char *root, const char *path, bool sync)
{
  ho_fs_spot spot;
  if (ho_fs_enter(root, path, &spot) != 0)
    return errno;
  int number = mkdirat(spot.folder, spot.name, spot.own ? 0700 : 0777) == 0 ? 0 : errno;
  if (!number)
    ho_fs_give(&spot, spot.name);
  if (!number && sync)
    sync_folder(spot.folder);
  close(spot.folder);
  struct stat info;
  if (!number)
    return 0;
  if (ho_fs_stat(path, &info) != 0)
    return number == EEXIST ? errno : number; /* why what is there is not used */
  return S_ISDIR(info.st_mode) ? 0 : number;
}

static ho_code make_folders(const char *root, const char *path, bool sync, ho_error *err)
{
  char part[PATH_MAX];
  size_t n = strlen(path);
  if (n >= sizeof part)
    return ho_fail_file(err, HO_LIMIT, ho_str_of(path), "the path is too long");
  if (ho_fs_is_folder(path))
    return HO_OK;
  for (size_t i = 1; i <= n; i++) {
    if (path[i] != '/' && path[i] != '\0')
      continue;
    memcpy(part, path, i);
    part[i] = '\0';
    errno = make_folder(root, part, sync);
    if (errno)
      return fail(err, part, "cannot be created");
  }
  return HO_OK;
}

ho_code ho_fs_mkdirs_in(const char *root, const char *path, ho_error *err)
{
  return make_folders(root, path, true, err);
}

ho_code ho_fs_mkdirs_later(const char *root, const char *path, ho_error *err)
{
  return make_folders(root, path, false, err);
}

ho_code ho_fs_mkdirs(const char *path, ho_error *err)
{
  return ho_fs_mkdirs_in(NULL, path, err);
}
