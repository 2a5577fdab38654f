/* The file work of `fix`: many documents at once, their details files, their names. */
#ifndef HO_COMMAND_DOCUMENTS_FIX_FILES_H
#define HO_COMMAND_DOCUMENTS_FIX_FILES_H

#include "base/buf.h"
#include "command/documents/batch.h"

/* A document that gets another name. */
typedef struct ho_fix_name {
  const char *from, *to;                 /* absolute */
  const char *details_from, *details_to; /* of its details file; NULL if there is none */
} ho_fix_name;

/* What is written through a link that the user names is the file it leads to; one outside of the project is refused, and
 * so is giving it another name. */
ho_code ho_fix_files_follow(ho_call *call, ho_batch_files *files, bool rename, ho_error *err) HO_NODISCARD;
/* Which of the files get another name; NULL for one that keeps its own. With `print` nothing is touched; else the
 * files have their new names afterwards, and every handoff_path and artifact path in the JSON and YAML of their task
 * folders is right; or, if one of these cannot be written, everything is as before. What those become is shown under result.diff with
 * `print`. Interrupted at any time it leaves every document under its old name, its new one, or both, and can be called
 * again. */
ho_code ho_fix_files_rename(ho_call *call, ho_batch_files *files, bool print, ho_fix_name ***names,
                            ho_error *err) HO_NODISCARD;
/* Fixes them. Each file->node is its part of the result: path, format, changed, details, moved, renamed_from, diff (with
 * `print`, and nothing is written), findings. names: as above, or NULL. A file that cannot be written says so among its
 * findings, and the others are written; *unwritten is the first such failure (code HO_OK: none). */
ho_code ho_fix_files_all(ho_call *call, ho_batch_files *files, const ho_format *format, bool print,
                         ho_fix_name *const *names, ho_error *unwritten, ho_error *err) HO_NODISCARD;
/* A file that was changed, as it was before. */
typedef struct ho_fix_edit {
  const char *path;
  ho_str text;
  struct ho_fix_edit *before; /* the change before this one */
} ho_fix_edit;
/* Every handoff_path and artifact path with an old name in the JSON and YAML files of the task folders gets the new one;
 * Markdown that names it is listed in the notes. With `diff` (not NULL) nothing is written. *edits: the last change, also
 * if a later one failed. */
ho_code ho_fix_files_paths(ho_call *call, ho_fix_name *const *names, size_t count, ho_buf *diff, ho_fix_edit **edits,
                           ho_error *err) HO_NODISCARD;
/* Puts them back. */
void ho_fix_files_put_back(ho_call *call, const ho_fix_edit *edits);
#endif
