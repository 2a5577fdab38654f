/* The file of a task that has handed nothing on yet. */
#include "base/fs.h"
#include "engine/knowledge/inject_parts.h"
#include "engine/project/identity.h"
#include "model/formats/formats.h"

enum { LOOKED_AT = 50, FOLDERS = 16 };

/* Folders in which files of tasks are, relative to the root: those that are customary, and those of what was sent. */
static ho_code folders_of(ho_injecting *in, ho_node *out, ho_error *err)
{
  static const char *const customary[] = {"", "journal", "journal/tasks", "tasks", ".project/tasks"};
  ho_handoff_list list;
  ho_filter filter = {.kind = ho_str_of(ho_format_task.name), .limit = LOOKED_AT};
  for (size_t i = 0; i < HO_COUNT(customary); i++)
    ho_list_add(out, ho_node_textz(in->arena, customary[i]));
  ho_code code = ho_handoffs_select(in->project->store, &filter, in->arena, &list, err);
  for (size_t i = 0; !code && i < list.count && out->count < FOLDERS; i++) {
    ho_str folder = ho_fs_parent(list.rows[i].path);
    if (list.rows[i].path.n && list.rows[i].path.p[0] != '/' && !ho_list_has(out, folder))
      ho_list_add(out, ho_node_text(in->arena, folder));
  }
  return code;
}

static bool is_task(const ho_injecting *in, ho_str said)
{
  ho_str number = ho_id_number(in->task);
  return number.n ? ho_str_eq(ho_id_number(said), number) : ho_str_eq(said, in->task);
}

/* Reads a file as that of the task. Whatever it is else, it is nobody's concern here. */
static void read_depends(ho_injecting *in, ho_str name, ho_node **out)
{
  ho_doc doc;
  ho_items items;
  ho_str text;
  ho_error none = {0};
  ho_str path = ho_fs_join(in->arena, in->project->root, name);
  if (!path.n || !ho_fs_is_file(path.p) || !ho_fs_inside(ho_arena_z(in->arena, in->project->root), path.p) ||
      ho_fs_read(in->arena, path.p, 0, &text, &none) ||
      ho_doc_read(&doc, in->arena, name, text, &ho_format_task, &none) || !doc.root ||
      ho_knowledge_items(&doc, in->project->home, in->arena, &items, &none) || !is_task(in, items.task))
    return;
  *out = items.depends;
}

ho_code ho_inject_file_depends(ho_injecting *in, ho_node **out, ho_error *err)
{
  ho_node *folders = ho_node_new(in->arena, HO_KIND_LIST);
  ho_str spellings[HO_ID_SPELLINGS];
  *out = NULL;
  if (!ho_id_fits(in->task))
    return HO_OK;
  ho_code code = folders_of(in, folders, err);
  size_t count = ho_id_spellings(in->arena, in->task, spellings);
  HO_EACH_CONST (folder, folders)
    for (size_t i = 0; !code && !*out && i < count; i++)
      read_depends(in,
                   ho_arena_printf(in->arena, folder->text.n ? "%.*s/%.*s.md" : "%.*s%.*s.md", HO_ARG(folder->text),
                                   HO_ARG(spellings[i])),
                   out);
  return code ? code : ho_arena_code(in->arena, err);
}
