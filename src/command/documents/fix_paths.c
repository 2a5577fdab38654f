/* After renaming documents: updates the paths to them in the JSON and YAML files of their task. */
#include "base/fs.h"
#include "command/call.h"
#include "command/documents/fix_files.h"
#include "doc/json/json.h"
#include "doc/text/diff.h"
#include "doc/text/splice.h"
#include "doc/yaml/yaml.h"

static bool is_yaml(ho_str path)
{
  return ho_str_ends(path, ".yaml") || ho_str_ends(path, ".yml");
}

static bool is_wanted(ho_str path)
{
  return ho_str_ends(path, ".json") || ho_str_ends(path, ".md") || is_yaml(path);
}

typedef struct editor {
  ho_call *call;
  ho_fix_name *const *names; /* NULL: a file that keeps its name */
  size_t count;
  ho_buf *diff;    /* NULL: the files are written */
  ho_arena *arena; /* of the folder at hand */
  ho_fix_edit *edits;
  ho_splice splice;
  bool changed;
  ho_code code;
} editor;

/* What the paths in the files of a task are about. */
static ho_str task_folder(const ho_fix_name *name)
{
  ho_str folder = ho_fs_parent(ho_str_of(name->from));
  return ho_str_is(ho_fs_name(folder), "handoffs") ? ho_fs_parent(folder) : folder;
}

/* Is the file meant? As much of the path as tells must agree: its name, the folder, and the task's. */
static bool is_meant(ho_str path, ho_str file)
{
  for (int level = 0; level < 3; level++) {
    ho_str name = ho_fs_name(path);
    if (level && (ho_str_is(name, "..") || ho_str_is(name, ".")))
      return true;
    if (!ho_str_eq(name, ho_fs_name(file)))
      return false;
    if (name.n + 1 >= path.n)
      return true;
    path = ho_str_sub(path, 0, path.n - name.n - 1);
    file = ho_fs_parent(file);
  }
  return true;
}

/* The path with the new name, if it names a renamed document; else "". Its folder stays the same. */
static ho_str new_path(editor *e, ho_str path)
{
  for (size_t i = 0; i < e->count; i++) {
    const ho_fix_name *name = e->names[i];
    const char *const from[] = {name ? name->from : NULL, name ? name->details_from : NULL};
    const char *const to[] = {name ? name->to : NULL, name ? name->details_to : NULL};
    for (size_t side = 0; side < HO_COUNT(from); side++)
      if (from[side] && is_meant(path, ho_str_of(from[side])))
        return ho_arena_printf(e->arena, "%.*s%.*s", HO_ARG(ho_str_sub(path, 0, path.n - ho_fs_name(path).n)),
                               HO_ARG(ho_fs_name(ho_str_of(to[side]))));
  }
  return HO_EMPTY;
}

/* In the quotes that it stood in, or bare as it was in YAML. */
static void replace(editor *e, const ho_node *node, ho_str path)
{
  ho_buf text;
  ho_error ignored;
  char first = e->splice.text.p[node->begin];
  if (!node->plain && first != '"' && first != '\'')
    return;
  ho_buf_init(&text, 0);
  if (node->plain)
    ho_buf_put(&text, path);
  else
    ho_json_write_text(&text, path);
  e->code = ho_buf_code(&text, &ignored);
  if (!e->code)
    e->code =
        ho_splice_replace(&e->splice, node->begin, node->end, ho_arena_copy(e->arena, ho_buf_str(&text)), &ignored);
  e->changed = true;
  ho_buf_free(&text);
}

static void walk(editor *e, const ho_node *node)
{
  bool names = ho_str_list_has("handoff_path|handoff_file|path", node->key);
  bool stands = node->kind == HO_KIND_TEXT && node->begin != HO_NOWHERE && node->begin < e->splice.text.n;
  ho_str path = names && stands ? new_path(e, node->text) : HO_EMPTY;
  if (path.n && !e->code)
    replace(e, node, path);
  HO_EACH_CONST (child, node)
    walk(e, child);
}

/* Is it a document under a name that it is about to lose? */
static bool is_going(const editor *e, const char *path)
{
  for (size_t i = 0; !e->diff && i < e->count; i++)
    if (e->names[i] && strcmp(path, e->names[i]->from) == 0)
      return true;
  return false;
}

/* Text may name a document anywhere, and is its author's: whoever runs this is told. */
static void tell(editor *e, const char *path, ho_str text)
{
  ho_str shown = ho_shown_path(e->call, ho_str_of(path));
  for (size_t i = 0; !is_going(e, path) && i < e->count; i++) {
    const ho_fix_name *name = e->names[i];
    ho_str old = name ? ho_fs_name(ho_str_of(name->from)) : HO_EMPTY;
    if (old.n && strcmp(path, name->from) != 0 && strcmp(path, name->to) != 0 && ho_str_find(text, old.p) != HO_NONE)
      ho_call_note(e->call, "%.*s: its text still names %.*s, which is now %.*s", HO_ARG(shown), HO_ARG(old),
                   HO_ARG(ho_fs_name(ho_str_of(name->to))));
  }
}

/* Writes it, and remembers how it was. */
static ho_code rewrite(editor *e, const char *path, ho_str before, ho_str after, ho_error *err)
{
  ho_arena *arena = e->call->arena;
  ho_fix_edit *edit = HO_NEW(arena, ho_fix_edit);
  if (edit)
    *edit = (ho_fix_edit){ho_arena_z(arena, ho_str_of(path)), ho_arena_copy(arena, before), e->edits};
  ho_code code = ho_arena_code(arena, err);
  if (!code)
    code = ho_rewrite(e->call, path, ho_shown_path(e->call, ho_str_of(path)), after, err);
  if (!code)
    e->edits = edit;
  return code;
}

void ho_fix_files_put_back(ho_call *call, const ho_fix_edit *edits)
{
  ho_error err;
  for (; edits; edits = edits->before)
    if (ho_rewrite(call, edits->path, ho_shown_path(call, ho_str_of(edits->path)), edits->text, &err))
      ho_call_note(call, "%.*s: cannot be put back as it was: %s", HO_ARG(ho_shown_path(call, ho_str_of(edits->path))),
                   err.message);
}

/* One file: written, or shown in the diff. What cannot be read is left alone. */
static ho_code edit(editor *e, const char *path, ho_error *err)
{
  ho_source source;
  ho_node *root;
  ho_str text;
  ho_buf out;
  ho_error ignored;
  if (ho_fs_read(e->arena, path, 0, &text, &ignored) ||
      ho_source_init(&source, e->arena, ho_str_of(path), text, &ignored))
    return ho_arena_code(e->arena, err);
  if (ho_str_ends(ho_str_of(path), ".md")) {
    tell(e, path, text);
    return HO_OK;
  }
  ho_report unheard;
  ho_report_init(&unheard, e->arena, &source);
  if (is_yaml(ho_str_of(path)) ? ho_yaml_read(&source, 0, (uint32_t)text.n, e->arena, &unheard, &root, &ignored)
                               : ho_json_read(&source, HO_JSON_COMMENTS, e->arena, NULL, &root, &ignored))
    return ho_arena_code(e->arena, err);
  ho_splice_init(&e->splice, e->arena, text);
  e->changed = false;
  e->code = HO_OK;
  walk(e, root);
  if (e->code == HO_MEMORY)
    return ho_fail_memory(err);
  if (!e->changed || e->code)
    return ho_arena_code(e->arena, err);
  ho_buf_init(&out, 0);
  ho_splice_write(&e->splice, &out);
  ho_code code = ho_buf_code(&out, err);
  ho_str shown = ho_shown_path(e->call, ho_str_of(path));
  if (!code && e->diff)
    code = ho_diff_write(e->diff, shown, shown, text, ho_buf_str(&out), err);
  else if (!code && ho_fs_is_protected(path))
    tell(e, path, text);
  else if (!code)
    code = rewrite(e, path, text, ho_buf_str(&out), err);
  ho_buf_free(&out);
  return code;
}

static ho_code edit_folder(editor *e, ho_str folder, ho_error *err)
{
  ho_arena arena;
  ho_fs_list list = {0};
  ho_arena_init(&arena, 0);
  e->arena = &arena;
  const char *path = ho_arena_z(&arena, folder);
  ho_code code = ho_arena_code(&arena, err);
  if (!code)
    code = ho_fs_walk(&arena, path, is_wanted, &list, err);
  for (size_t i = 0; !code && i < list.count; i++)
    code = edit(e, list.paths[i], err);
  if (!code)
    code = ho_arena_code(&arena, err);
  ho_arena_free(&arena);
  return code;
}

ho_code ho_fix_files_paths(ho_call *call, ho_fix_name *const *names, size_t count, ho_buf *diff, ho_fix_edit **edits,
                           ho_error *err)
{
  editor e = {.call = call, .names = names, .count = count, .diff = diff};
  ho_code code = HO_OK;
  for (size_t i = 0; !code && i < count; i++) {
    bool seen = !names[i];
    for (size_t j = 0; !seen && j < i; j++)
      seen = names[j] && ho_str_eq(task_folder(names[j]), task_folder(names[i]));
    if (!seen)
      code = edit_folder(&e, task_folder(names[i]), err);
  }
  *edits = e.edits;
  return code;
}
