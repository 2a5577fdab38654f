#include "command/documents/fix_files.h"

#include <limits.h>

#include "base/fs.h"
#include "command/call.h"
#include "command/findings.h"
#include "doc/text/diff.h"
#include "model/document/recognise.h"
#include "model/fix/fix.h"

static ho_code fail_outside(const ho_batch_file *file, ho_error *err)
{
  return ho_fail_file(
      err, HO_IO, file->path,
      "is a symbolic link to a place outside the project, or in .git or .handoff; name the file itself");
}

/* Does the path look as if it were inside the project, although a folder on the way is a link to elsewhere? */
static bool strays(const ho_call *call, ho_str folder)
{
  ho_str root = call->host->root;
  return (ho_str_eq(folder, root) || !ho_str_eq(ho_fs_relative(root, folder), folder)) &&
         !ho_fs_inside(root.p, ho_arena_z(call->arena, folder));
}

ho_code ho_fix_files_follow(ho_call *call, ho_batch_files *files, bool rename, ho_error *err)
{
  ho_str folder = HO_EMPTY;
  for (size_t i = 0; i < files->count; i++) {
    ho_batch_file *file = &files->items[i];
    char target[PATH_MAX];
    if (!file->full)
      continue;
    ho_str parent = ho_fs_parent(ho_str_of(file->full));
    if (!ho_str_eq(parent, folder) && strays(call, parent))
      return fail_outside(file, err);
    folder = parent;
    if (!file->named || !ho_fs_is_link(file->full) || !ho_fs_exists(file->full))
      continue;
    if (ho_fs_resolve_in(call->host->root.p, file->full, target) != 0 || !ho_fs_inside(call->host->root.p, target))
      return fail_outside(file, err);
    if (rename)
      return ho_fail_file(err, HO_USAGE, file->path,
                          "is a symbolic link that would break; rename the file it points to");
    file->full = ho_arena_copy(call->arena, ho_str_of(target)).p;
  }
  return ho_arena_code(call->arena, err);
}

typedef struct fixing {
  ho_call *call;
  ho_batch_files *files;
  const ho_format *format;
  ho_fix_name *const *names;
  bool print;
  ho_error unwritten; /* the first failure that is not about a document's text */
} fixing;

/* One document on its way. */
typedef struct work {
  fixing *all;
  ho_arena *arena;
  ho_batch_file *file;
  const ho_fix_name *name; /* NULL: it keeps its name */
  ho_str text, old_details;
  const char *details_path, *details_from; /* of its details file: as it will be called, and as it lies there now */
  ho_doc doc;
  bool read; /* the document was read and checked: what fails then is not its text */
  ho_fixed fixed;
  ho_buf diff;
} work;

static const char *path_of(const work *w)
{
  return w->name ? w->name->to : w->file->full;
}

/* The file as it lies there now: with `print` it still has its old name. */
static const char *read_path(const work *w)
{
  return w->all->print ? w->file->full : path_of(w);
}

static ho_str shown(const work *w, const char *path)
{
  return ho_fs_text(w->arena, ho_shown_path(w->all->call, ho_str_of(path)));
}

static ho_code read_details(work *w, ho_error *err)
{
  ho_str folder = ho_fs_parent(ho_str_of(path_of(w)));
  ho_str name = ho_fix_details_name(w->arena, ho_str_of(path_of(w)));
  w->details_path = ho_fs_join(w->arena, folder, name).p;
  w->details_from = w->name && w->name->details_from && w->all->print ? w->name->details_from : w->details_path;
  if (ho_fs_is_link(w->details_from))
    return ho_fail_file(err, HO_IO, shown(w, w->details_from), "is a symbolic link; remove it first");
  return ho_fs_is_file(w->details_from) ? ho_fs_read(w->arena, w->details_from, 0, &w->old_details, err) : HO_OK;
}

/* The details file under another name, which the text still has after an interrupted --rename; "" if there is none. */
static ho_str former_details(const work *w)
{
  static const char ending[] = "-details.md";
  ho_str folder = ho_fs_parent(ho_str_of(path_of(w))), own = ho_fs_name(ho_str_of(w->details_path));
  size_t end = w->old_details.n ? ho_str_find(w->text, ending) : HO_NONE, begin = end;
  if (end == HO_NONE)
    return HO_EMPTY;
  while (begin && (isalnum((unsigned char)w->text.p[begin - 1]) || strchr("-_.", w->text.p[begin - 1])))
    begin--;
  ho_str name = ho_str_sub(w->text, begin, end + sizeof ending - 1);
  bool gone = !ho_str_eq(name, own) && !ho_fs_exists(ho_fs_join(w->arena, folder, name).p);
  return gone ? name : HO_EMPTY;
}

static ho_code read_and_fix(work *w, ho_error *err)
{
  const ho_call *call = w->all->call;
  ho_str full = ho_str_of(path_of(w));
  const ho_format *format = w->all->format;
  ho_code code = ho_batch_text(call, w->arena, read_path(w), &w->text, err);
  if (code)
    return code;
  if (!format && full.n)
    format = ho_recognise_path(full);
  ho_fix_env env = {.check = ho_call_check_env(call, full), .root = call->host->root, .old_details = HO_EMPTY};
  code = ho_doc_read(&w->doc, w->arena, w->file->path, w->text, format, err);
  if (!code)
    code = ho_doc_check(&w->doc, &env.check, err);
  w->read = !code;
  if (!code && w->file->full && w->doc.format)
    code = read_details(w, err);
  if (!code && w->details_path)
    env.old_details =
        w->name && w->name->details_from ? ho_fs_name(ho_str_of(w->name->details_from)) : former_details(w);
  env.details = w->old_details;
  return code ? code : ho_fix(&w->doc, &env, w->arena, &w->fixed, err);
}

/* The details first: a document never names a file that is not there. */
static ho_code write_files(const work *w, ho_error *err)
{
  ho_code code = HO_OK;
  const ho_call *call = w->all->call;
  if (w->fixed.details.n && !ho_fs_is_protected(path_of(w)))
    code = ho_rewrite(call, w->details_path, shown(w, w->details_path), w->fixed.details, err);
  if (!code && w->fixed.changed)
    code = ho_rewrite(call, path_of(w), shown(w, path_of(w)), w->fixed.text, err);
  return code;
}

static ho_code put_diffs(work *w, ho_error *err)
{
  ho_str from = w->file->full ? shown(w, read_path(w)) : w->file->path;
  ho_str to = w->file->full ? shown(w, path_of(w)) : from;
  ho_str details = w->details_path ? shown(w, w->details_path) : w->fixed.details_name;
  ho_code code = HO_OK;
  if (w->fixed.details.n || w->old_details.n)
    code = ho_diff_write(&w->diff, w->old_details.n ? shown(w, w->details_from) : HO_STR("/dev/null"), details,
                         w->old_details, w->fixed.details.n ? w->fixed.details : w->old_details, err);
  return code ? code : ho_diff_write(&w->diff, from, to, w->text, w->fixed.text, err);
}

/* A document on standard input has no file that could lie beside it. */
static ho_code keep_all_here(const work *w, ho_error *err)
{
  if (!w->fixed.details.n)
    return HO_OK;
  return ho_fail_file(err, HO_LIMIT, w->file->path,
                      "does not fit one screen, and standard input has no file beside it for the rest; fix it in a "
                      "file, or use --print");
}

static ho_code put_out(work *w, ho_error *err)
{
  if (w->all->print)
    return put_diffs(w, err);
  return w->file->full ? write_files(w, err) : keep_all_here(w, err);
}

static void put_text(ho_arena *arena, ho_node *map, const char *key, ho_str text)
{
  if (text.n)
    ho_map_addz(map, key, ho_node_text(arena, ho_arena_copy(arena, text)));
}

/* Puts what came of it into the result. */
static void keep(work *w, ho_code code, const ho_error *err)
{
  ho_arena *arena = w->all->call->arena;
  const ho_doc *after = w->fixed.changed ? &w->fixed.after : &w->doc;
  if (!code && !w->doc.format && !w->file->named)
    return;
  ho_node *node = w->file->node = ho_node_new(arena, HO_KIND_MAP);
  put_text(arena, node, "path", w->name ? shown(w, w->name->to) : w->file->path);
  ho_map_addz(node, "format",
              w->doc.format ? ho_node_textz(arena, w->doc.format->name) : ho_node_new(arena, HO_KIND_NULL));
  ho_map_addz(node, "changed", ho_node_bool(arena, !code && (w->fixed.changed || w->name)));
  if (w->name)
    put_text(arena, node, "renamed_from", w->file->path);
  if (!code && w->fixed.details.n) {
    put_text(arena, node, "details", shown(w, w->details_path));
    ho_map_addz(node, "moved", ho_node_number(arena, (long long)w->fixed.moved));
  }
  put_text(arena, node, "diff", ho_buf_str(&w->diff));
  if (!code && !w->file->full && !w->all->print)
    put_text(arena, w->all->call->result, "text", w->fixed.text);
  ho_batch_findings(w->all->call, w->file, &w->doc, &after->report, code, err);
}

static void job(void *world, ho_batch *batch, ho_arena *arena, size_t index)
{
  fixing *all = world;
  work w = {.all = all,
            .arena = arena,
            .file = &all->files->items[index],
            .name = all->names ? all->names[index] : NULL,
            .text = HO_EMPTY,
            .old_details = HO_EMPTY};
  ho_error err = {0}, failure = {0};
  ho_buf_init(&w.diff, 0);
  ho_code code = read_and_fix(&w, &err);
  if (code == HO_LIMIT && w.read)
    failure = err;
  if (!code)
    code = put_out(&w, &failure);
  ho_batch_enter(batch);
  if (failure.code && !all->unwritten.code)
    all->unwritten = failure;
  keep(&w, code, failure.code ? &failure : &err);
  ho_buf_free(&w.diff);
}

ho_code ho_fix_files_all(ho_call *call, ho_batch_files *files, const ho_format *format, bool print,
                         ho_fix_name *const *names, ho_error *unwritten, ho_error *err)
{
  fixing all = {.call = call, .files = files, .format = format, .names = names, .print = print};
  ho_code code = ho_batch_run(call, files, job, &all, err);
  *unwritten = all.unwritten;
  return code;
}
