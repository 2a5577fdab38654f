#include "engine/phase/phase.h"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/digest.h"
#include "base/grow.h"
#include "engine/phase/folders.h"
#include "engine/project/identity.h"
#include "engine/project/paths.h"
#include "engine/project/project.h"
#include "engine/project/redact.h"
#include "engine/project/worktree.h"
#include "model/syntax.h"
#include "store/handoffs/handoffs.h"

enum { LOCK_SECONDS = 10 };

/* Is this the task's folder? */
static bool fits(const ho_phase *phase, const ho_folder *folder)
{
  return ho_str_eq(folder->task, phase->task) && (!phase->slug.n || ho_str_eq(folder->slug, phase->slug));
}

/* The folder in use counts; an archived one if there is no other. */
static ho_code find_existing(ho_phase *phase, ho_str *out, ho_error *err)
{
  ho_folders folders;
  const ho_folder *found = NULL, *other = NULL;
  ho_code code = ho_folders_list(phase->arena, phase->root, &folders, err);
  for (size_t i = 0; !code && i < folders.count; i++) {
    const ho_folder *each = &folders.items[i];
    if (!fits(phase, each) || (found && each->archived && !found->archived))
      continue;
    other = found;
    found = each;
  }
  if (other)
    return ho_fail(err, HO_USAGE, "both %.*s and %.*s are folders of task %.*s; use --slug", HO_ARG(other->path),
                   HO_ARG(found->path), HO_ARG(phase->task));
  *out = found ? found->path : HO_EMPTY;
  return code;
}

ho_str ho_phase_recorded_slug(const ho_phase *phase)
{
  ho_project *project = phase->project;
  ho_handoff_list list;
  ho_error none = {0};
  ho_filter filter = {.kind = HO_STR("artifact"), .task = ho_id_plain(phase->task), .limit = 1};
  if (!project || !filter.task.n || !ho_project_has_store(project) ||
      ho_project_open(project, HO_OPEN_EXISTING, &none) ||
      ho_handoffs_select(project->store, &filter, phase->arena, &list, &none) || !list.count)
    return HO_EMPTY;
  ho_str folder = ho_paths_task_folder(list.rows[0].path);
  size_t bar = ho_str_find_char(folder, '_');
  return bar == HO_NONE ? HO_EMPTY : ho_str_sub(folder, bar + 1, folder.n);
}

/* Has the name no credential in it? */
static bool is_clean(const ho_phase *phase, ho_str name)
{
  return !phase->project || ho_str_eq(ho_project_clean(phase->project, phase->arena, name), name);
}

static ho_code find_folder(ho_phase *phase, ho_error *err)
{
  ho_str found = HO_EMPTY;
  ho_code code = find_existing(phase, &found, err);
  if (code)
    return code;
  phase->there = found.n > 0;
  if (!found.n && !phase->slug.n)
    phase->slug = ho_phase_recorded_slug(phase);
  if (!found.n && !phase->slug.n)
    return ho_fail(err, HO_NOT_FOUND, "task %.*s has no folder in specs yet; use --slug to name it",
                   HO_ARG(phase->task));
  if (!found.n && !is_clean(phase, phase->slug))
    return ho_fail(err, HO_USAGE, "the slug of a task must not be a credential; use another --slug");
  if (found.n && !is_clean(phase, found)) /* it becomes part of what is stored of its files */
    return ho_fail(err, HO_USAGE,
                   "the name of task %.*s's folder is a credential; rename it: mv specs/%.*s_* specs/%.*s_SLUG",
                   HO_ARG(phase->task), HO_ARG(phase->task), HO_ARG(phase->task));
  phase->folder =
      found.n ? found
              : ho_arena_printf(phase->arena, HO_PATH_SPECS "/%.*s_%.*s", HO_ARG(phase->task), HO_ARG(phase->slug));
  return ho_arena_code(phase->arena, err);
}

ho_code ho_phase_find(ho_phase *phase, ho_error *err)
{
  phase->task = ho_id_plain(phase->task);
  phase->phase = ho_id_plain(phase->phase);
  if (!ho_folder_id_fits(phase->task))
    return ho_fail(err, HO_USAGE, "'%.*s' is not a valid task; use letters, digits, '.' and '-'", HO_ARG(phase->task));
  if (!ho_folder_id_fits(phase->phase))
    return ho_fail(err, HO_USAGE, "'%.*s' is not a valid phase; use letters, digits, '.' and '-'",
                   HO_ARG(phase->phase));
  if (phase->slug.n && !ho_syntax_SLUG.matches(phase->slug))
    return ho_fail(err, HO_USAGE, "'%.*s' is not a valid slug; write it like fast_start", HO_ARG(phase->slug));
  ho_code code = find_folder(phase, err);
  if (code)
    return code;
  phase->progress = ho_paths_progress(phase->arena, phase->folder, phase->phase);
  return ho_arena_code(phase->arena, err);
}

ho_code ho_phase_full(const ho_phase *phase, ho_str path, const char **out, ho_error *err)
{
  ho_str full = ho_fs_join(phase->arena, phase->root, path);
  ho_code code = ho_arena_code(phase->arena, err);
  if (code)
    return code;
  if (!ho_fs_inside(phase->root.p, full.p))
    return ho_fail_file(err, HO_IO, path, "would be outside the project");
  *out = full.p;
  return HO_OK;
}

/* Anybody who may read a folder can lock it, so the lock is a file of the program's own if the project has a place for it;
 * one that is read-only has not. */
static int open_lock(const ho_phase *phase, const char *folder)
{
  char digest[HO_DIGEST_SIZE];
  ho_str own = ho_fs_join(phase->arena, phase->root, HO_STR(HO_PATH_FOLDER));
  ho_digest_text(phase->folder, digest);
  ho_str path = ho_arena_printf(phase->arena, "%.*s/task-%.16s.lock", HO_ARG(own), digest);
  int fd = path.n && ho_fs_is_folder(own.p) ? ho_fs_open(path.p, O_RDWR | O_CREAT) : -1;
  return fd >= 0 ? fd : ho_fs_open(folder, O_RDONLY | O_DIRECTORY);
}

/* The working documents that are read and changed under the lock. */
typedef struct own_files {
  ho_str paths[2]; /* as recorded */
  bool late;       /* nobody has written one of them yet */
} own_files;

static ho_code find_late(void *data, ho_str path, ho_str why, ho_error *err)
{
  own_files *own = data;
  (void)err;
  for (size_t i = 0; i < HO_COUNT(own->paths); i++)
    own->late = own->late || (!why.n && own->paths[i].n && ho_str_eq(own->paths[i], path));
  return HO_OK;
}

/* Other files that could not be written hold nothing up, and neither does one of its own that could not: whoever changes
 * it meets the same obstacle. One that nobody has tried to write yet would be changed behind its back. */
static ho_code settle(const ho_phase *phase, ho_error *err)
{
  ho_error why;
  ho_project *project = phase->project;
  ho_code code = ho_project_settle(project, &why, err);
  if (code || !why.code)
    return code;
  ho_str plan = ho_phase_plan(phase);
  own_files own = {.paths = {phase->progress, plan}};
  for (size_t i = 0; i < HO_COUNT(own.paths); i++)
    if (own.paths[i].n)
      own.paths[i] = ho_worktree_kept(project->home, ho_fs_join(phase->arena, phase->root, own.paths[i]));
  code = ho_store_drift(project->store, find_late, &own, err);
  if (!code && own.late) {
    *err = why;
    code = why.code;
  }
  return code;
}

ho_code ho_phase_lock(const ho_phase *phase, int *lock, ho_error *err)
{
  const char *folder = NULL;
  ho_code code = ho_phase_full(phase, phase->folder, &folder, err);
  if (!code)
    code = ho_fs_mkdirs_in(phase->root.p, folder, err);
  if (code)
    return code;
  int fd = open_lock(phase, folder);
  if (fd < 0)
    return ho_fail_file(err, HO_IO, phase->folder, "cannot be opened");
  code = ho_fs_lock(fd, phase->folder, LOCK_SECONDS * 1000, err);
  if (!code && phase->project)
    code = settle(phase, err);
  if (code)
    close(fd);
  else
    *lock = fd;
  return code;
}

void ho_phase_unlock(int lock)
{
  close(lock);
}

void ho_phase_undo(const ho_phase *phase)
{
  ho_str folder = ho_fs_join(phase->arena, phase->root, phase->folder);
  const char *root = ho_arena_z(phase->arena, phase->root), *parent = ho_arena_z(phase->arena, ho_fs_parent(folder));
  if (phase->folder.n && !phase->there && folder.n && parent && ho_fs_rmdir_in(root, folder.p) == 0)
    ho_fs_rmdir_in(root, parent); /* specs itself, if it is empty too */
}

/* "NAME.XXXXXX": what a killed write leaves. */
static bool is_left(const char *entry, ho_str name)
{
  ho_str rest = ho_str_of(entry);
  if (rest.n != name.n + 7 || memcmp(rest.p, name.p, name.n) != 0 || rest.p[name.n] != '.')
    return false;
  for (size_t i = name.n + 1; i < rest.n; i++)
    if (!isalnum((unsigned char)rest.p[i]))
      return false;
  return true;
}

static void clean(const char *folder, ho_str name)
{
  DIR *dir = ho_fs_opendir(folder);
  for (struct dirent *entry; dir && (entry = readdir(dir));)
    if (is_left(entry->d_name, name))
      unlinkat(dirfd(dir), entry->d_name, 0);
  if (dir)
    closedir(dir);
}

ho_code ho_phase_write(const ho_phase *phase, ho_str path, ho_str text, ho_fs_mode mode, ho_error *err)
{
  const char *full = NULL;
  ho_code code = ho_phase_full(phase, path, &full, err);
  if (code)
    return code;
  const char *folder = ho_arena_z(phase->arena, ho_fs_parent(ho_str_of(full)));
  if (phase->project)
    text = ho_redact_file(phase->project, phase->arena, path, text);
  code = ho_arena_code(phase->arena, err);
  if (!code)
    code = ho_fs_mkdirs_in(phase->root.p, folder, err);
  if (!code) {
    clean(folder, ho_fs_name(ho_str_of(full)));
    code = ho_fs_write_in(phase->root.p, full, text, mode, err);
  }
  if (code)
    ho_error_copy(err->file, sizeof err->file, path);
  return code;
}

typedef struct handoff {
  char stamp[17];
  ho_str path;
} handoff;

static int by_time(const void *a, const void *b)
{
  const handoff *x = a, *y = b;
  int order = strcmp(x->stamp, y->stamp);
  return order ? order : ho_str_cmp(x->path, y->path);
}

/* phase-{P}-handoff….md, but not details. */
static bool is_handoff(const ho_phase *phase, ho_str name, ho_str *stamp)
{
  const char *start = ho_arena_printf(phase->arena, "phase-%.*s-handoff", HO_ARG(phase->phase)).p;
  if (!ho_str_starts(name, start) || !ho_str_ends(name, ".md") || ho_str_ends(name, "-details.md"))
    return false;
  *stamp = ho_str_sub(name, strlen(start), name.n - 3);
  if (stamp->n && stamp->p[0] == '-')
    *stamp = ho_str_sub(*stamp, 1, stamp->n);
  return true;
}

typedef struct handoffs {
  handoff *items;
  size_t count;
} handoffs;

static void list_folder(const ho_phase *phase, ho_str below, handoffs *out)
{
  DIR *dir = ho_fs_opendir(ho_fs_join(phase->arena, phase->root, below).p);
  ho_str stamp;
  for (struct dirent *entry; dir && !phase->arena->failed && (entry = readdir(dir));) {
    if (!is_handoff(phase, ho_str_of(entry->d_name), &stamp))
      continue;
    handoff *last = HO_PUSH(phase->arena, out->items, out->count);
    if (!last)
      break;
    last->path = ho_arena_printf(phase->arena, "%.*s/%s", HO_ARG(below), entry->d_name);
    ho_stamp_read(stamp, last->stamp, NULL);
  }
  if (dir)
    closedir(dir);
}

ho_code ho_phase_handoffs(const ho_phase *phase, ho_str **out, size_t *count, ho_error *err)
{
  ho_str below = ho_paths_handoffs(phase->arena, phase->folder);
  handoffs found = {0};
  list_folder(phase, below, &found);
  list_folder(phase, ho_arena_printf(phase->arena, "%.*s/" HO_PATH_PUT_AWAY, HO_ARG(below)), &found);
  *out = ho_arena_array(phase->arena, found.count + 1, sizeof **out);
  ho_code code = ho_arena_code(phase->arena, err);
  if (code)
    return code;
  if (found.count)
    qsort(found.items, found.count, sizeof *found.items, by_time);
  for (size_t i = 0; i < found.count; i++)
    (*out)[i] = found.items[i].path;
  *count = found.count;
  return HO_OK;
}

ho_str ho_phase_plan(const ho_phase *phase)
{
  ho_arena *arena = phase->arena;
  ho_str folder = ho_arena_printf(arena, "%.*s/plans", HO_ARG(phase->folder)), newest = HO_EMPTY;
  DIR *dir = ho_fs_opendir(ho_fs_join(arena, phase->root, folder).p);
  for (struct dirent *entry; dir && (entry = readdir(dir));) {
    ho_str name = ho_str_of(entry->d_name);
    if (ho_str_ends(name, ".md") && ho_str_cmp(name, newest) > 0)
      newest = ho_arena_copy(arena, name);
  }
  if (dir)
    closedir(dir);
  return newest.n ? ho_arena_printf(arena, "%.*s/%.*s", HO_ARG(folder), HO_ARG(newest)) : HO_EMPTY;
}
