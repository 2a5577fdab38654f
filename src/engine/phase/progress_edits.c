/* Changes by hand of what never changes, in all phases at once. */
#include <dirent.h>

#include "engine/phase/folders.h"
#include "engine/phase/progress.h"
#include "engine/project/paths.h"
#include "model/formats/formats.h"
#include "model/formats/objectives.h"

typedef struct looker {
  ho_arena *arena;
  ho_str path;
  size_t left;
  ho_progress_edit each;
  void *data;
} looker;

static void tell(void *data, const ho_node *at, ho_str id, const char *what)
{
  looker *l = data;
  (void)at;
  if (!l->left)
    return;
  l->left--;
  l->each(l->data, l->path, id, what);
}

static void look_into(looker *l, ho_str root)
{
  ho_doc *doc = HO_NEW(l->arena, ho_doc);
  ho_str text;
  ho_error none = {0};
  const char *full = ho_fs_join(l->arena, root, l->path).p;
  if (doc && full && !ho_fs_read(l->arena, full, 0, &text, &none) && ho_str_has(text, HO_OBJECTIVES_KEY) &&
      !ho_doc_read(doc, l->arena, l->path, text, &ho_format_progress, &none))
    ho_objectives_changes(doc->root, tell, l);
}

ho_code ho_progress_edits(ho_arena *arena, ho_str root, size_t most, ho_progress_edit each, void *data, ho_error *err)
{
  looker l = {.arena = arena, .left = most, .each = each, .data = data};
  ho_folders folders;
  ho_code code = ho_folders_list(arena, root, &folders, err);
  for (size_t i = 0; !code && i < folders.count && !folders.items[i].archived; i++) {
    ho_str folder = ho_arena_printf(arena, "%.*s/progress", HO_ARG(folders.items[i].path));
    DIR *dir = ho_fs_opendir(ho_fs_join(arena, root, folder).p);
    for (struct dirent *entry; dir && l.left && (entry = readdir(dir));) {
      if (!ho_str_starts(ho_str_of(entry->d_name), "phase-") ||
          !ho_str_ends(ho_str_of(entry->d_name), "-progress.json"))
        continue;
      l.path = ho_arena_printf(arena, "%.*s/%s", HO_ARG(folder), entry->d_name);
      look_into(&l, root);
    }
    if (dir)
      closedir(dir);
  }
  return code ? code : ho_arena_code(arena, err);
}
