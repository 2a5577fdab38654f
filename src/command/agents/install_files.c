#include "command/agents/install_files.h"

#include <errno.h>
#include <limits.h>

#include "base/fs.h"
#include "doc/text/diff.h"

#define BACKUP_SUFFIX ".before-handoff"

ho_code ho_install_files_real(const ho_installer *in, const char *path, ho_str *out, ho_error *err)
{
  char real[PATH_MAX];
  if (ho_fs_resolve_in(in->root, path, real) != 0)
    return ho_fail_file(err, HO_IO, ho_shown_path(in->call, ho_str_of(path)), "cannot be written: %s",
                        ho_fs_reason(errno));
  *out = ho_arena_copy(in->arena, ho_str_of(real));
  return ho_arena_code(in->arena, err);
}

ho_code ho_install_files_read(const ho_installer *in, const char *path, ho_str *out, bool *there, ho_error *err)
{
  *there = ho_fs_exists(path);
  *out = HO_EMPTY;
  return *there ? ho_fs_read(in->arena, path, 0, out, err) : HO_OK;
}

static ho_code write_new(const ho_installer *in, ho_str path, ho_str text, bool remove, ho_error *err)
{
  if (remove && ho_fs_unlink_in(in->root, path.p) != 0)
    return ho_fail_file(err, HO_IO, path, "cannot be removed");
  if (remove)
    return HO_OK;
  ho_code code = ho_fs_mkdirs_in(in->root, ho_arena_z(in->arena, ho_fs_parent(path)), err);
  return code ? code : ho_fs_write_in(in->root, path.p, text, HO_FS_REPLACE, err);
}

ho_code ho_install_files_change(ho_installer *in, ho_str path, ho_str old, bool there, ho_str text, ho_emptied then,
                                ho_error *err)
{
  ho_buf diff;
  bool same = ho_str_eq(old, text), remove = !text.n && there && then == HO_EMPTIED_REMOVED;
  ho_str shown = ho_shown_path(in->call, path);
  const char *what = same ? "unchanged" : remove ? "removed" : there ? "changed" : "created";
  if (same && !there)
    return HO_OK;
  ho_buf_init(&diff, 0);
  ho_code code =
      ho_diff_write(&diff, there ? shown : HO_STR("/dev/null"), remove ? HO_STR("/dev/null") : shown, old, text, err);
  ho_str difference = ho_buf_move(&diff, in->arena);
  if (!code && !same && !in->only_print)
    code = write_new(in, path, text, remove, err);
  ho_node *file = ho_list_add(in->files, ho_node_new(in->arena, HO_KIND_MAP));
  ho_map_addz(file, "path", ho_node_text(in->arena, shown));
  ho_map_addz(file, "what", ho_node_textz(in->arena, what));
  ho_map_addz(file, "diff", ho_node_text(in->arena, difference));
  return code ? code : ho_arena_code(in->arena, err);
}

/* The original text, if the file has not been changed since installing; else the text without what was installed. */
static ho_code former(const ho_installer *in, const ho_install_part *part, ho_str path, ho_str now, ho_str *out,
                      ho_str *backup, ho_error *err)
{
  ho_str old, again;
  bool there;
  ho_error none = {0};
  *backup = ho_arena_printf(in->arena, "%.*s" BACKUP_SUFFIX, HO_ARG(path));
  ho_code code = ho_install_files_read(in, backup->p, &old, &there, err);
  if (!code && there && part->put(in, old, &again, &none) == HO_OK && ho_str_eq(again, now)) {
    *out = old;
    return HO_OK;
  }
  if (!there)
    *backup = HO_EMPTY;
  return code ? code : part->remove(in, now, out, err);
}

/* Keeps the original bytes beside the file if uninstalling could not restore them exactly. What has something of ours in it,
 * by an earlier version, is not the original. */
static ho_code keep_former(const ho_installer *in, const ho_install_part *part, ho_str path, ho_str old, ho_str text,
                           ho_error *err)
{
  ho_str back, own = HO_EMPTY;
  ho_code code = part->remove(in, text, &back, err);
  if (!code)
    code = part->remove(in, old, &own, err);
  bool restored = old.n && ho_str_eq(back, old), ours = !ho_str_eq(own, old);
  if (code || restored || ours || ho_str_eq(text, old) || in->only_print)
    return code;
  ho_str backup = ho_arena_printf(in->arena, "%.*s" BACKUP_SUFFIX, HO_ARG(path));
  return ho_fs_exists(backup.p) ? HO_OK : ho_fs_write_in(in->root, backup.p, old, HO_FS_CREATE, err);
}

ho_code ho_install_files_json(ho_installer *in, ho_str file, const ho_install_part *part, ho_error *err)
{
  ho_str path, old, text = HO_EMPTY, backup = HO_EMPTY;
  bool there;
  ho_code code = ho_install_files_real(in, ho_arena_z(in->arena, file), &path, err);
  if (!code)
    code = ho_install_files_read(in, path.p, &old, &there, err);
  if (!code && in->uninstall)
    code = former(in, part, path, old, &text, &backup, err);
  else if (!code)
    code = part->put(in, old, &text, err);
  if (code == HO_SYNTAX || code == HO_INVALID)
    ho_error_copy(err->file, sizeof err->file, ho_shown_path(in->call, path));
  if (!code && !in->uninstall && there)
    code = keep_former(in, part, path, old, text, err);
  if (!code)
    code = ho_install_files_change(in, path, old, there, text, backup.n ? HO_EMPTIED_STAYS : HO_EMPTIED_REMOVED, err);
  if (!code && backup.n && !in->only_print)
    ho_fs_unlink_in(in->root, backup.p);
  return code;
}

ho_code ho_install_files_mark(ho_installer *in, const char *file, ho_str block, const ho_install_marks *marks,
                              ho_error *err)
{
  ho_str path, old;
  bool there;
  ho_code code = ho_install_files_real(in, file, &path, err);
  if (!code)
    code = ho_install_files_read(in, path.p, &old, &there, err);
  if (code)
    return code;
  ho_emptied then = there && ho_install_was_empty(old, marks) ? HO_EMPTIED_STAYS : HO_EMPTIED_REMOVED;
  return ho_install_files_change(in, path, old, there, ho_install_marked(in->arena, old, there, block, marks), then,
                                 err);
}
