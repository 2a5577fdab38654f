#include "engine/project/paths.h"

#include <fcntl.h>
#include <limits.h>
#include <unistd.h>

#include "base/grow.h"

ho_str ho_paths_progress(ho_arena *arena, ho_str folder, ho_str phase)
{
  return ho_arena_printf(arena, "%.*s/progress/phase-%.*s-progress.json", HO_ARG(folder), HO_ARG(phase));
}

ho_str ho_paths_handoffs(ho_arena *arena, ho_str folder)
{
  return ho_arena_printf(arena, "%.*s/handoffs", HO_ARG(folder));
}

ho_str ho_paths_handoff(ho_arena *arena, ho_str folder, ho_str phase, const char *stamp)
{
  return ho_arena_printf(arena, "%.*s/handoffs/phase-%.*s-handoff-%s.md", HO_ARG(folder), HO_ARG(phase), stamp);
}

ho_str ho_paths_put_away(ho_arena *arena, ho_str path)
{
  return ho_arena_printf(arena, "%.*s/" HO_PATH_PUT_AWAY "/%.*s", HO_ARG(ho_fs_parent(path)), HO_ARG(ho_fs_name(path)));
}

/* Is it a place that `archive` takes files from? */
static bool is_handoffs(ho_str folder)
{
  return ho_str_is(ho_fs_name(folder), "handoffs");
}

ho_str ho_paths_now(ho_arena *arena, ho_str root, ho_str path)
{
  if (path.n >= PATH_MAX || ho_str_find_char(path, '\0') != HO_NONE || !is_handoffs(ho_fs_parent(path)))
    return path;
  ho_str full = ho_fs_join(arena, root, path);
  if (!full.n || ho_fs_exists(full.p))
    return path;
  ho_str away = ho_paths_put_away(arena, full);
  return away.n && ho_fs_is_file(away.p) ? ho_paths_put_away(arena, path) : path;
}

ho_str ho_paths_task_folder(ho_str handoff)
{
  ho_str folder = ho_fs_parent(handoff);
  if (ho_str_is(ho_fs_name(folder), HO_PATH_PUT_AWAY))
    folder = ho_fs_parent(folder);
  return is_handoffs(folder) ? ho_fs_name(ho_fs_parent(folder)) : HO_EMPTY;
}

ho_str ho_paths_meta(ho_arena *arena, ho_str folder)
{
  return ho_arena_printf(arena, "%.*s/.return-meta.json", HO_ARG(folder));
}

ho_str ho_paths_phase_meta(ho_arena *arena, ho_str folder, ho_str phase)
{
  return ho_arena_printf(arena, "%.*s/.return-meta-phase-%.*s.json", HO_ARG(folder), HO_ARG(phase));
}

ho_str ho_paths_old_meta(ho_arena *arena, ho_str folder, ho_str handoff)
{
  if (ho_str_ends(handoff, ".md"))
    handoff = ho_str_sub(handoff, 0, handoff.n - 3);
  return ho_arena_printf(arena, "%.*s/.return-meta-before-%.*s.json", HO_ARG(folder), HO_ARG(handoff));
}

ho_paths_written ho_paths_written_in(ho_arena *arena, ho_str state_folder, ho_str archive_folder)
{
  return (ho_paths_written){.state = ho_arena_printf(arena, "%.*s/current.json", HO_ARG(state_folder)),
                            .archive = ho_arena_printf(arena, "%.*s/" HO_PATH_SESSIONS, HO_ARG(archive_folder))};
}

ho_str ho_paths_run(ho_arena *arena, ho_str home, ho_str id)
{
  return ho_arena_printf(arena, "%.*s/" HO_PATH_RUN "/%.*s", HO_ARG(home), HO_ARG(id));
}

bool ho_paths_exists(void *root, ho_str path)
{
  const ho_str *folder = root;
  char from[PATH_MAX], full[PATH_MAX];
  bool absolute = path.n && path.p[0] == '/';
  int n = snprintf(from, sizeof from, "%.*s", HO_ARG(*folder));
  int m = snprintf(full, sizeof full, "%s%s%.*s", absolute ? "" : from, absolute ? "" : "/", HO_ARG(path));
  if (n < 0 || (size_t)n >= sizeof from || m < 0 || (size_t)m >= sizeof full || ho_str_find_char(path, '\0') != HO_NONE)
    return false;
  if (!ho_fs_exists(full) && is_handoffs(ho_fs_parent(ho_str_of(full))) &&
      (size_t)m + sizeof HO_PATH_PUT_AWAY < PATH_MAX) {
    char *name = strrchr(full, '/') + 1;
    memmove(name + sizeof HO_PATH_PUT_AWAY, name, strlen(name) + 1);
    memcpy(name, HO_PATH_PUT_AWAY "/", sizeof HO_PATH_PUT_AWAY);
  }
  return ho_fs_exists(full) && ho_fs_inside(from, full);
}

/* Is it the path of a copy? */
static bool is_archived(ho_str path)
{
  return ho_str_ends(path, ".yaml") && ho_str_is(ho_fs_name(ho_fs_parent(path)), "handoffs");
}

bool ho_paths_is_wrapped(const char *full)
{
  char text[1 << 14]; /* the comment is shorter: its values are ids, names and a path */
  int fd = ho_fs_open(full, O_RDONLY | O_NONBLOCK);
  ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof text);
  if (fd >= 0)
    close(fd);
  ho_str rest = n > 0 ? (ho_str){text, (size_t)n} : HO_EMPTY, comment;
  return ho_str_next(&rest, '\n', &comment) && ho_str_starts(rest, HO_ARCHIVED_WRAPPED);
}

bool ho_paths_is_copy(const char *full)
{
  static const char begin[] = HO_ARCHIVED_COMMENT "{";
  char text[sizeof begin - 1];
  ho_str path = ho_str_of(full);
  ho_str sessions = ho_fs_parent(ho_fs_parent(ho_fs_parent(path)));
  if (!is_archived(path) || !ho_str_is(ho_fs_name(sessions), HO_PATH_SESSIONS) || !ho_fs_is_file(full))
    return false;
  int fd = ho_fs_open(full, O_RDONLY | O_NONBLOCK);
  ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof text);
  if (fd >= 0)
    close(fd);
  return n == sizeof text && memcmp(text, begin, sizeof text) == 0;
}

static ho_code add_archived(ho_arena *arena, ho_str root, ho_str archive, ho_fs_list *out, ho_error *err)
{
  ho_fs_list files = {0};
  ho_str folder = ho_fs_join(arena, root, archive);
  if (!folder.n || !ho_fs_is_folder(folder.p))
    return ho_arena_code(arena, err);
  ho_code code = ho_fs_walk(arena, folder.p, is_archived, &files, err);
  for (size_t i = 0; !code && i < files.count; i++) {
    const char **path = HO_PUSH(arena, out->paths, out->count);
    if (path)
      *path = files.paths[i];
  }
  return code ? code : ho_arena_code(arena, err);
}

ho_code ho_paths_archived(ho_arena *arena, ho_str root, ho_str archive, ho_fs_list *out, ho_error *err)
{
  ho_code code = archive.n ? add_archived(arena, root, archive, out, err) : HO_OK;
  if (!code && !ho_str_is(archive, HO_PATH_ARCHIVE))
    code = add_archived(arena, root, HO_STR(HO_PATH_ARCHIVE), out, err);
  return code;
}

bool ho_paths_any_archived(ho_arena *arena, ho_str home, ho_str archive)
{
  ho_fs_list files = {0};
  ho_error err;
  if (ho_paths_archived(arena, home, archive, &files, &err))
    return false;
  for (size_t i = 0; i < files.count; i++)
    if (ho_paths_is_copy(files.paths[i]))
      return true;
  return false;
}
