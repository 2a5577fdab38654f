#include "engine/phase/folders.h"

#include <dirent.h>

#include "base/grow.h"
#include "engine/project/identity.h"
#include "engine/project/paths.h"

/* An archive may be sorted by year or project, and anything may stand in it. */
enum { ID_LENGTH = 64, DEPTH = 8, MOST = 20000 };

typedef struct lister {
  ho_arena *arena;
  ho_str root;
  ho_folders *out;
  size_t seen;
} lister;

bool ho_folder_id_fits(ho_str id)
{
  for (size_t i = 0; i < id.n; i++)
    if (!isalnum((unsigned char)id.p[i]) && !(i > 0 && strchr(".-", id.p[i])))
      return false;
  return id.n > 0 && id.n <= ID_LENGTH;
}

static void add(lister *l, ho_str name, ho_str path, bool archived)
{
  size_t bar = ho_str_find_char(name, '_');
  if (bar == HO_NONE || !ho_folder_id_fits(ho_str_sub(name, 0, bar)))
    return;
  ho_folder *folder = HO_PUSH(l->arena, l->out->items, l->out->count);
  if (folder)
    *folder = (ho_folder){.task = ho_id_plain(ho_str_sub(name, 0, bar)),
                          .slug = ho_str_sub(name, bar + 1, name.n),
                          .path = path,
                          .archived = archived};
}

/* A folder that is not a task's own may hold some, in the archive. */
static void list(lister *l, ho_str below, int depth)
{
  DIR *dir = ho_fs_opendir(ho_fs_join(l->arena, l->root, below).p);
  for (struct dirent *entry; dir && !l->arena->failed && l->seen < MOST && (entry = readdir(dir)); l->seen++) {
    if (entry->d_name[0] == '.' || (entry->d_type != DT_DIR && entry->d_type != DT_UNKNOWN && entry->d_type != DT_LNK))
      continue;
    ho_str name = ho_arena_copy(l->arena, ho_str_of(entry->d_name));
    ho_str path = ho_arena_printf(l->arena, "%.*s/%.*s", HO_ARG(below), HO_ARG(name));
    size_t before = l->out->count;
    if (!path.n || !ho_fs_is_folder(ho_fs_join(l->arena, l->root, path).p))
      continue;
    if (depth || !ho_str_is(path, HO_PATH_SPECS_ARCHIVE))
      add(l, name, path, depth > 0);
    if (depth && l->out->count == before && depth < DEPTH && entry->d_type == DT_DIR)
      list(l, path, depth + 1);
  }
  if (dir)
    closedir(dir);
}

ho_code ho_folders_list(ho_arena *arena, ho_str root, ho_folders *out, ho_error *err)
{
  lister l = {.arena = arena, .root = root, .out = out};
  *out = (ho_folders){0};
  list(&l, HO_STR(HO_PATH_SPECS), 0);
  list(&l, HO_STR(HO_PATH_SPECS_ARCHIVE), 1);
  return ho_arena_code(arena, err);
}

long long ho_folders_next(const ho_folders *folders)
{
  enum { LARGEST = 1000000000 }; /* a larger one is a date or a hash, not a count */
  uint64_t highest = 0, number;
  for (size_t i = 0; i < folders->count; i++)
    if (ho_str_to_u64(folders->items[i].task, &number) && number > highest && number < LARGEST)
      highest = number;
  return (long long)highest + 1;
}
