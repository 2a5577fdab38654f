#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/fs.h"
#include "base/utf8.h"

bool ho_fs_exists(const char *path)
{
  struct stat info;
  return lstat(path, &info) == 0;
}

bool ho_fs_is_folder(const char *path)
{
  struct stat info;
  return ho_fs_stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

bool ho_fs_is_file(const char *path)
{
  struct stat info;
  return ho_fs_stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

bool ho_fs_is_link(const char *path)
{
  struct stat info;
  return lstat(path, &info) == 0 && S_ISLNK(info.st_mode);
}

bool ho_fs_is_protected(const char *path)
{
  struct stat info;
  return ho_fs_stat(path, &info) == 0 && S_ISREG(info.st_mode) && !(info.st_mode & (S_IWUSR | S_IWGRP | S_IWOTH));
}

bool ho_fs_below(ho_str folder, ho_str path)
{
  if (folder.n == 1 && folder.p[0] == '/')
    return path.n > 0 && path.p[0] == '/';
  return path.n >= folder.n && memcmp(path.p, folder.p, folder.n) == 0 &&
         (path.n == folder.n || path.p[folder.n] == '/');
}

bool ho_fs_inside(const char *root, const char *path)
{
  char real_root[PATH_MAX], part[PATH_MAX], real[PATH_MAX];
  struct stat info;
  if (!realpath(root, real_root) || strlen(path) >= sizeof part)
    return false;
  ho_str rest = ho_str_of(path);
  for (;;) {
    ho_error_copy(part, sizeof part, rest);
    if (realpath(part, real))
      return ho_fs_below(ho_str_of(real_root), ho_str_of(real));
    /* A dangling link must not count as "does not exist": writing through it could leave the root. */
    if ((errno != ENOENT && errno != ENOTDIR) || lstat(part, &info) == 0)
      return false;
    ho_str name = ho_fs_name(rest), up = ho_fs_parent(rest);
    if (ho_str_is(name, "..") || ho_str_eq(up, rest))
      return false;
    rest = up;
  }
}

/* Takes the last name off the path in out. */
static void pop(ho_buf *out)
{
  if (out->n == 0)
    return;
  while (out->n && out->p[out->n - 1] != '/')
    out->n--;
  if (out->n)
    out->n--;
  out->p[out->n] = '\0';
}

static void append(ho_buf *out, ho_str path, bool absolute)
{
  ho_str name;
  while (ho_str_next(&path, '/', &name)) {
    if (name.n == 0 || ho_str_is(name, "."))
      continue;
    ho_str last = ho_fs_name(ho_buf_str(out));
    if (ho_str_is(name, "..") && (absolute || (out->n && !ho_str_is(last, "..")))) {
      pop(out);
      continue;
    }
    if (absolute || out->n)
      ho_buf_putc(out, '/');
    ho_buf_put(out, name);
  }
}

ho_str ho_fs_join(ho_arena *arena, ho_str folder, ho_str path)
{
  ho_buf out;
  ho_buf_init(&out, PATH_MAX * 4);
  bool own = path.n && path.p[0] == '/';
  bool absolute = own || (folder.n && folder.p[0] == '/');
  if (!own)
    append(&out, folder, absolute);
  append(&out, path, absolute);
  if (out.n == 0)
    ho_buf_puts(&out, absolute ? "/" : ".");
  return ho_buf_move(&out, arena);
}

ho_str ho_fs_relative(ho_str folder, ho_str path)
{
  if (!folder.n || !ho_fs_below(folder, path))
    return path;
  ho_str rest = ho_str_sub(path, folder.n, path.n);
  while (rest.n && rest.p[0] == '/')
    rest = ho_str_sub(rest, 1, rest.n);
  return rest.n ? rest : HO_STR(".");
}

static ho_str without_slashes(ho_str path)
{
  while (path.n > 1 && path.p[path.n - 1] == '/')
    path.n--;
  return path;
}

ho_str ho_fs_parent(ho_str path)
{
  path = without_slashes(path);
  while (path.n && path.p[path.n - 1] != '/')
    path.n--;
  return path.n ? without_slashes(path) : HO_STR(".");
}

ho_str ho_fs_name(ho_str path)
{
  path = without_slashes(path);
  size_t at = path.n;
  while (at && path.p[at - 1] != '/')
    at--;
  return ho_str_sub(path, at, path.n);
}

ho_code ho_fs_here(ho_arena *arena, ho_str *out, ho_error *err)
{
  char here[PATH_MAX];
  if (!getcwd(here, sizeof here))
    return ho_fail(err, HO_IO, "cannot determine the current folder: %s", strerror(errno));
  *out = ho_arena_copy(arena, ho_str_of(here));
  return ho_arena_code(arena, err);
}

ho_str ho_fs_program(ho_arena *arena)
{
  char path[PATH_MAX];
  ssize_t n = readlink("/proc/self/exe", path, sizeof path);
  if (n > 0 && (size_t)n < sizeof path)
    return ho_arena_copy(arena, (ho_str){path, (size_t)n});
  /* Without /proc there is still the path that the kernel was given to start it. */
  const char *started = (const char *)getauxval(AT_EXECFN);
  return started && realpath(started, path) ? ho_arena_copy(arena, ho_str_of(path)) : HO_EMPTY;
}

static bool holds(ho_str folder, const char *name, char path[PATH_MAX])
{
  int n = snprintf(path, PATH_MAX, "%.*s/%s", HO_ARG(folder), name);
  return n > 0 && n < PATH_MAX && ho_fs_exists(path);
}

static bool has_own_folder(ho_str folder)
{
  char path[PATH_MAX];
  return holds(folder, ".handoff", path);
}

static bool leads_to_git(const char *path)
{
  static const char start[] = "gitdir:";
  char text[sizeof start - 1];
  int fd = ho_fs_is_file(path) ? ho_fs_open(path, O_RDONLY | O_NONBLOCK) : -1;
  if (fd < 0)
    return false;
  bool leads = read(fd, text, sizeof text) == (ssize_t)sizeof text && memcmp(text, start, sizeof text) == 0;
  close(fd);
  return leads;
}

bool ho_fs_is_repository(ho_str folder)
{
  char git[PATH_MAX], head[PATH_MAX];
  return holds(folder, ".git", git) && !ho_fs_is_planted(git) &&
         (holds(ho_str_of(git), "HEAD", head) || leads_to_git(git));
}

ho_str ho_fs_root(ho_arena *arena, ho_str folder)
{
  static bool (*const signs[])(ho_str folder) = {has_own_folder, ho_fs_is_repository};
  for (size_t i = 0; i < HO_COUNT(signs); i++)
    for (ho_str at = folder;; at = ho_fs_parent(at)) {
      if (signs[i](at))
        return ho_arena_copy(arena, at);
      if (at.n <= 1)
        break;
    }
  return ho_arena_copy(arena, folder);
}

ho_str ho_fs_text(ho_arena *arena, ho_str path)
{
  if (ho_utf8_bad(path) == HO_NONE)
    return path;
  ho_buf out;
  ho_buf_init(&out, 0);
  for (size_t bad; (bad = ho_utf8_bad(path)) != HO_NONE; path = ho_str_sub(path, bad + 1, path.n)) {
    ho_buf_put(&out, ho_str_sub(path, 0, bad));
    ho_buf_puts(&out, "\xEF\xBF\xBD");
  }
  ho_buf_put(&out, path);
  return ho_buf_move(&out, arena);
}
