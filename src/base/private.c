#include "base/private.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fs.h"

enum { LARGEST = 1 << 16, PATIENCE_MS = 5000 };

ho_str ho_private_data(ho_arena *arena)
{
  ho_str data = ho_str_of(getenv("XDG_DATA_HOME")), home = ho_str_of(getenv("HOME"));
  if (ho_str_starts(data, "/"))
    return ho_arena_copy(arena, data);
  return ho_str_starts(home, "/") ? ho_fs_join(arena, home, HO_STR(".local/share")) : HO_EMPTY;
}

ho_str ho_private_folder(ho_arena *arena, ho_str folder, const char *kind)
{
  return ho_arena_printf(arena, "%.*s/handoff/%s", HO_ARG(folder), kind);
}

static ho_str shown(ho_arena *arena, const ho_private *place, const char *name)
{
  ho_str folder = ho_private_folder(arena, place->folder, place->kind);
  return ho_fs_text(arena, *name ? ho_arena_printf(arena, "%.*s/%s", HO_ARG(folder), name) : folder);
}

static ho_code fail(ho_arena *arena, const ho_private *place, const char *name, ho_error *err)
{
  int number = errno;
  if (number == ENOENT)
    return ho_fail_file(err, HO_NOT_FOUND, shown(arena, place, name), "there is none");
  return ho_fail_file(err, HO_IO, shown(arena, place, name), "%s",
                      number == ELOOP || number == ENOTDIR ? "symbolic links are not followed here" : strerror(number));
}

/* A folder in the folder `in`, which is closed; -1 with errno. */
static int step(int in, const char *name, bool create)
{
  int fd = -1;
  if (!create || mkdirat(in, name, 0700) == 0 || errno == EEXIST)
    fd = openat(in, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  int number = errno;
  close(in);
  errno = number;
  return fd;
}

/* Closes the folder and fails unless it is the user's; takes away what others may do in it. */
static ho_code keep_others_out(ho_arena *arena, const ho_private *place, int fd, ho_error *err)
{
  struct stat info;
  ho_code code = HO_OK;
  if (fstat(fd, &info) != 0)
    code = fail(arena, place, "", err);
  else if (!ho_fs_ours(info.st_uid))
    code = ho_fail_file(err, HO_IO, shown(arena, place, ""), "belongs to another user");
  else if ((info.st_mode & 077) && fchmod(fd, 0700) != 0)
    code = fail(arena, place, "", err);
  if (code)
    close(fd);
  return code;
}

/* Opens FOLDER/handoff/KIND. */
static ho_code enter(ho_arena *arena, const ho_private *place, bool create, int *out, ho_error *err)
{
  struct stat info;
  if (!place->folder.n)
    return ho_fail(err, HO_IO, "neither XDG_DATA_HOME nor HOME names a folder");
  const char *folder = ho_arena_z(arena, place->folder);
  for (const char *const *root = place->apart; *root; root++)
    if (ho_fs_inside(*root, folder))
      return ho_fail_file(err, HO_IO, shown(arena, place, ""), "is inside the project, so it is not used");
  ho_code code = create ? ho_fs_mkdirs(folder, err) : HO_OK;
  if (code)
    return code;
  int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  fd = fd < 0 ? fd : step(fd, "handoff", create);
  if (fd >= 0 && fstat(fd, &info) == 0 && !ho_fs_ours(info.st_uid)) {
    close(fd);
    return ho_fail_file(err, HO_IO, shown(arena, place, ""), "is in a folder that belongs to another user");
  }
  fd = fd < 0 ? fd : step(fd, place->kind, create);
  if (fd < 0)
    return fail(arena, place, "", err);
  *out = fd;
  return keep_others_out(arena, place, fd, err);
}

ho_code ho_private_read(ho_arena *arena, const ho_private *place, const char *name, ho_str *out, ho_error *err)
{
  struct stat info;
  int in;
  ho_code code = enter(arena, place, false, &in, err);
  if (code)
    return code;
  int fd = openat(in, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (fd < 0)
    code = fail(arena, place, name, err);
  else if (fstat(fd, &info) != 0 || !S_ISREG(info.st_mode) || !ho_fs_ours(info.st_uid))
    code = ho_fail_file(err, HO_IO, shown(arena, place, name), "is not a file of yours");
  else
    code = ho_fs_read_fd(arena, fd, shown(arena, place, name), LARGEST, out, err);
  if (fd >= 0)
    close(fd);
  close(in);
  return code;
}

static bool put(int fd, ho_str text)
{
  while (text.n) {
    ssize_t n = write(fd, text.p, text.n);
    if (n < 0 && errno != EINTR)
      return false;
    if (n > 0)
      text = ho_str_sub(text, (size_t)n, text.n);
  }
  return fsync(fd) == 0;
}

ho_code ho_private_write(ho_arena *arena, const ho_private *place, const char *name, ho_str content, ho_error *err)
{
  int in;
  const char *temporary = ho_arena_printf(arena, ".%s.%ld", name, (long)getpid()).p;
  ho_code code = ho_arena_code(arena, err);
  if (!code)
    code = enter(arena, place, true, &in, err);
  if (code)
    return code;
  unlinkat(in, temporary, 0); /* left by a process with this number that was killed */
  int fd = openat(in, temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (fd < 0 || !put(fd, content) || renameat(in, temporary, in, name) != 0 || fsync(in) != 0) {
    code = fail(arena, place, name, err);
    unlinkat(in, temporary, 0);
  }
  if (fd >= 0)
    close(fd);
  close(in);
  return code;
}

ho_code ho_private_alone(ho_arena *arena, const ho_private *place, ho_code (*work)(void *data, ho_error *err),
                         void *data, ho_error *err)
{
  int in;
  ho_code code = enter(arena, place, true, &in, err);
  if (code)
    return code;
  code = ho_fs_lock(in, shown(arena, place, ""), PATIENCE_MS, err);
  if (!code)
    code = work(data, err);
  close(in);
  return code;
}

ho_code ho_private_remove(ho_arena *arena, const ho_private *place, const char *name, ho_error *err)
{
  int in;
  ho_code code = enter(arena, place, false, &in, err);
  if (code)
    return code;
  if (unlinkat(in, name, 0) != 0)
    code = fail(arena, place, name, err);
  close(in);
  return code;
}
