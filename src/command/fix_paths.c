/* A document has another name: whatever names it in the JSON of its task does so too. */
#include "base/fs.h"
#include "command/call.h"
#include "command/fix_files.h"
#include "doc/diff.h"
#include "doc/json.h"
#include "doc/splice.h"

static bool is_json(ho_str path)
{
  return ho_str_ends(path, ".json");
}

typedef struct editor {
  const ho_fix_name *name;
  ho_arena *arena;
  ho_splice splice;
  bool changed;
  ho_code code;
} editor;

/* The path that a JSON text of the task gives, where it is the old one; else "". Its folder stays as it is. */
static ho_str new_path(editor *e, ho_str path)
{
  static const ho_str none = HO_STR_INIT("");
  const char *const from[] = {e->name->from, e->name->details_from};
  const char *const to[] = {e->name->to, e->name->details_to};
  for (size_t i = 0; i < HO_COUNT(from); i++) {
    ho_str name = ho_fs_name(path);
    if (from[i] && ho_str_eq(name, ho_fs_name(ho_str_of(from[i]))))
      return ho_arena_printf(e->arena, "%.*s%.*s", HO_ARG(ho_str_sub(path, 0, path.n - name.n)),
                             HO_ARG(ho_fs_name(ho_str_of(to[i]))));
  }
  return none;
}

static void walk(editor *e, const ho_node *node)
{
  bool names = ho_list_has("handoff_path|handoff_file|path", node->key);
  ho_str path = names && node->kind == HO_KIND_TEXT ? new_path(e, node->text) : HO_EMPTY;
  if (path.n && !e->code) {
    ho_buf text;
    ho_buf_init(&text, 0);
    ho_json_write_text(&text, path);
    e->code = ho_splice_replace(&e->splice, node->begin, node->end, ho_arena_copy(e->arena, ho_buf_str(&text)), NULL);
    e->changed = true;
    ho_buf_free(&text);
  }
  HO_EACH_CONST (child, node)
    walk(e, child);
}

/* One file: written, or shown in `diff`. What is no JSON is left alone. */
static ho_code edit(ho_call *call, ho_arena *arena, const ho_fix_name *name, const char *path, ho_buf *diff,
                    ho_error *err)
{
  ho_source source;
  ho_node *root;
  ho_str text;
  ho_buf out;
  if (ho_fs_read(arena, path, 0, &text, NULL) || ho_source_init(&source, arena, ho_str_of(path), text, NULL) ||
      ho_json_read(&source, HO_JSON_COMMENTS, arena, NULL, &root, NULL))
    return ho_arena_code(arena, err);
  editor e = {.name = name, .arena = arena};
  ho_splice_init(&e.splice, arena, text);
  walk(&e, root);
  if (!e.changed || e.code)
    return ho_arena_code(arena, err);
  ho_buf_init(&out, 0);
  ho_splice_write(&e.splice, &out);
  ho_code code = ho_buf_code(&out, err);
  ho_str shown = ho_shown_path(call, ho_str_of(path));
  if (!code)
    code = diff ? ho_diff_write(diff, shown, shown, text, ho_buf_str(&out), err)
                : ho_fs_write(path, ho_buf_str(&out), HO_FS_REPLACE, err);
  ho_buf_free(&out);
  return code;
}

ho_code ho_fix_paths(ho_call *call, const ho_fix_name *name, ho_buf *diff, ho_error *err)
{
  ho_arena arena;
  ho_fs_list list = {0};
  ho_str folder = ho_fs_parent(ho_str_of(name->from));
  if (ho_str_is(ho_fs_name(folder), "handoffs"))
    folder = ho_fs_parent(folder);
  ho_arena_init(&arena, 0);
  ho_code code = ho_fs_walk(&arena, ho_arena_z(&arena, folder), is_json, &list, err);
  for (size_t i = 0; !code && i < list.count; i++)
    code = edit(call, &arena, name, list.paths[i], diff, err);
  ho_arena_free(&arena);
  return code;
}
