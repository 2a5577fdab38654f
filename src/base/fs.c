#include "base/fs.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <sys/stat.h>
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
  return ho_fail_file(err, code, shown, "%s: %s", what, strerror(number));
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
  int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
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

static ho_code write_all(int fd, const char *path, ho_str content, ho_error *err)
{
  while (content.n) {
    ssize_t put = write(fd, content.p, content.n);
    if (put < 0 && errno == EINTR)
      continue;
    if (put < 0)
      return fail(err, path, "cannot be written");
    content = ho_str_sub(content, (size_t)put, content.n);
  }
  return fsync(fd) == 0 ? HO_OK : fail(err, path, "cannot be written");
}

/* Renames the temporary file to its final name. */
static ho_code take_name(const char *temporary, const char *path, ho_fs_mode mode, ho_error *err)
{
  if (mode == HO_FS_REPLACE)
    return rename(temporary, path) == 0 ? HO_OK : fail(err, path, "cannot be written");
  if (link(temporary, path) == 0) {
    unlink(temporary);
    return HO_OK;
  }
  if (errno != EEXIST && errno != ENOENT && renameat2(AT_FDCWD, temporary, AT_FDCWD, path, RENAME_NOREPLACE) == 0)
    return HO_OK;
  if (errno == EEXIST)
    return ho_fail_file(err, HO_CONFLICT, ho_str_of(path), "already exists; not overwriting it");
  return fail(err, path, "cannot be written");
}

void ho_fs_sync(const char *path)
{
  char folder[PATH_MAX];
  ho_str parent = ho_fs_parent(ho_str_of(path));
  ho_error_copy(folder, sizeof folder, parent);
  int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0)
    return;
  fsync(fd); /* some file systems do not sync folders; the file itself is safe */
  close(fd);
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

ho_code ho_fs_write(const char *path, ho_str content, ho_fs_mode mode, ho_error *err)
{
  char temporary[PATH_MAX];
  struct stat old;
  int n = snprintf(temporary, sizeof temporary, "%s.XXXXXX", path);
  if (n < 0 || (size_t)n >= sizeof temporary)
    return ho_fail_file(err, HO_LIMIT, ho_str_of(path), "the path is too long");
  if (mode == HO_FS_CREATE && ho_fs_exists(path))
    return ho_fail_file(err, HO_CONFLICT, ho_str_of(path), "already exists; not overwriting it");
  bool keep = mode == HO_FS_REPLACE && stat(path, &old) == 0;
  mode_t mask = current_umask();
  int fd = mkostemp(temporary, O_CLOEXEC);
  if (fd < 0)
    return fail(err, path, "cannot be written");
  ho_code code = write_all(fd, path, content, err);
  if (!code && fchmod(fd, keep ? old.st_mode & 07777 : 0666 & ~mask) != 0)
    code = fail(err, path, "cannot be written");
  close(fd);
  if (!code)
    code = take_name(temporary, path, mode, err);
  if (code)
    unlink(temporary);
  else
    ho_fs_sync(path);
  return code;
}

ho_code ho_fs_mkdirs(const char *path, ho_error *err)
{
  char part[PATH_MAX];
  size_t n = strlen(path);
  if (n >= sizeof part)
    return ho_fail_file(err, HO_LIMIT, ho_str_of(path), "the path is too long");
  for (size_t i = 1; i <= n; i++) {
    if (path[i] != '/' && path[i] != '\0')
      continue;
    memcpy(part, path, i);
    part[i] = '\0';
    int failed = mkdir(part, 0777) == 0 ? 0 : errno;
    if (!failed || ho_fs_is_folder(part))
      continue;
    errno = failed;
    return fail(err, part, "cannot be created");
  }
  return HO_OK;
}
