#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/grow.h"
#include "base/limits.h"

typedef struct walk {
  ho_arena *arena;
  bool (*wanted)(ho_str path);
  bool ours; /* also the folders below .handoff */
  ho_fs_list *out;
  ho_error *err;
} walk;

static void add(walk *w, const char *path)
{
  const char **last = HO_PUSH(w->arena, w->out->paths, w->out->count);
  if (last)
    *last = path;
}

/* The kind of an entry: DT_REG, DT_DIR, or anything else, which is skipped. */
static unsigned char kind(int folder, const struct dirent *entry)
{
  struct stat info;
  if (entry->d_type != DT_UNKNOWN)
    return entry->d_type;
  if (fstatat(folder, entry->d_name, &info, AT_SYMLINK_NOFOLLOW) != 0)
    return DT_UNKNOWN;
  return S_ISREG(info.st_mode) ? DT_REG : S_ISDIR(info.st_mode) ? DT_DIR : DT_UNKNOWN;
}

static bool passed_over(const char *name)
{
  static const char *const names[] = {".", "..", ".git", "node_modules"};
  for (size_t i = 0; i < HO_COUNT(names); i++)
    if (strcmp(name, names[i]) == 0)
      return true;
  return false;
}

static ho_code enter(walk *w, int fd, ho_str path, unsigned depth);

static ho_code take(walk *w, int folder, ho_str path, const struct dirent *entry, unsigned depth)
{
  unsigned char what = kind(folder, entry);
  if (passed_over(entry->d_name) || (what != DT_REG && what != DT_DIR))
    return HO_OK;
  bool slash = path.n && path.p[path.n - 1] == '/';
  ho_str full = ho_arena_printf(w->arena, "%.*s%s%s", HO_ARG(path), slash ? "" : "/", entry->d_name);
  if (what == DT_DIR) {
    if (!w->ours && ho_str_is(ho_fs_name(path), ".handoff"))
      return HO_OK;
    int fd = openat(folder, entry->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    return fd < 0 ? HO_OK : enter(w, fd, full, depth + 1);
  }
  if (w->wanted && !w->wanted(full))
    return HO_OK;
  if (w->out->count >= HO_LIMIT_WALK_FILES)
    return ho_fail_file(w->err, HO_LIMIT, path, "more than %d files (limit walk-files)", HO_LIMIT_WALK_FILES);
  add(w, full.p);
  return ho_arena_code(w->arena, w->err);
}

/* Takes ownership of fd. */
static ho_code enter(walk *w, int fd, ho_str path, unsigned depth)
{
  DIR *dir = depth > HO_LIMIT_WALK_DEPTH ? NULL : fdopendir(fd);
  if (!dir) {
    close(fd);
    if (depth > HO_LIMIT_WALK_DEPTH)
      return ho_fail_file(w->err, HO_LIMIT, path, "more than %d folders deep (limit walk-depth)", HO_LIMIT_WALK_DEPTH);
    return ho_fail_memory(w->err);
  }
  ho_code code = HO_OK;
  for (struct dirent *entry; !code && (entry = readdir(dir));)
    code = take(w, fd, path, entry, depth);
  closedir(dir);
  return code;
}

static int compare(const void *a, const void *b)
{
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static ho_code begin(walk *w, const char *folder)
{
  ho_error *err = w->err;
  *w->out = (ho_fs_list){0};
  int fd = ho_fs_open(folder, O_RDONLY | O_DIRECTORY);
  if (fd < 0)
    return ho_fail_file(err, errno == ENOENT ? HO_NOT_FOUND : HO_IO, ho_str_of(folder), "cannot be opened: %s",
                        ho_fs_reason(errno));
  ho_code code = enter(w, fd, ho_arena_copy(w->arena, ho_str_of(folder)), 0);
  if (!code && w->out->count)
    qsort(w->out->paths, w->out->count, sizeof *w->out->paths, compare);
  return code;
}

ho_code ho_fs_walk(ho_arena *arena, const char *folder, bool (*wanted)(ho_str path), ho_fs_list *out, ho_error *err)
{
  return begin(&(walk){.arena = arena, .wanted = wanted, .ours = true, .out = out, .err = err}, folder);
}

ho_code ho_fs_walk_documents(ho_arena *arena, const char *folder, bool (*wanted)(ho_str path), ho_fs_list *out,
                             ho_error *err)
{
  return begin(&(walk){.arena = arena, .wanted = wanted, .out = out, .err = err}, folder);
}
