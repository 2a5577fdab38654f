/* Where things are in a project, relative to its root unless stated otherwise. Every path that more than one file
 * uses is built here. The places of documents that `new` writes are in their formats (ho_format.place). */
#ifndef HO_ENGINE_PROJECT_PATHS_H
#define HO_ENGINE_PROJECT_PATHS_H

#include "base/fs.h"

/* The program's own folder, below the main worktree where it is shared. */
#define HO_PATH_FOLDER ".handoff"
#define HO_PATH_SETTINGS HO_PATH_FOLDER "/config.yaml"
#define HO_PATH_IGNORE HO_PATH_FOLDER "/.gitignore"
#define HO_PATH_DATABASE HO_PATH_FOLDER "/handoff.db"
#define HO_PATH_SEAL HO_PATH_FOLDER "/seal"
#define HO_PATH_DECIDERS HO_PATH_FOLDER "/deciders" /* who decides gates (engine/ledger/deciders.h) */
#define HO_PATH_HOOK_LOG HO_PATH_FOLDER "/hook.log"
#define HO_PATH_CONTEXT HO_PATH_FOLDER "/context" /* what is kept about sessions (engine/context/context_cache.h) */
#define HO_PATH_SETTINGS_CACHE HO_PATH_CONTEXT "/settings.cache"
#define HO_PATH_TELEMETRY HO_PATH_CONTEXT "/telemetry" /* how far a collector was told (engine/telemetry) */
#define HO_PATH_RUN HO_PATH_FOLDER "/run"              /* one folder per run and teammate */
#define HO_PATH_TREES "trees"                          /* below that of a run: the worktrees of its steps */

/* What handoff writes for others to read, below the main worktree: where the settings say (ho_project.written), else
 * here. Copies are SESSION/handoffs/ID.yaml in the archive. */
#define HO_PATH_STATE "state/current.json"
#define HO_PATH_SESSIONS "sessions"
#define HO_PATH_ARCHIVE ".project/07-audit/" HO_PATH_SESSIONS
typedef struct ho_paths_written {
  ho_str state, archive; /* a file and a folder */
} ho_paths_written;
ho_paths_written ho_paths_written_in(ho_arena *arena, ho_str state_folder, ho_str archive_folder);

/* Tasks: specs/{N}_{SLUG}. `folder` is that of a task in the functions below. */
#define HO_PATH_SPECS "specs"
#define HO_PATH_SPECS_ARCHIVE HO_PATH_SPECS "/archive"                  /* tasks that were put away, at any depth */
ho_str ho_paths_progress(ho_arena *arena, ho_str folder, ho_str phase); /* FOLDER/progress/phase-{P}-progress.json */
ho_str ho_paths_handoffs(ho_arena *arena, ho_str folder);               /* FOLDER/handoffs */
ho_str ho_paths_handoff(ho_arena *arena, ho_str folder, ho_str phase, const char *stamp);
/* Where `archive` puts a handoff of a finished phase: FOLDER/archive/NAME for FOLDER/NAME. */
#define HO_PATH_PUT_AWAY "archive"
ho_str ho_paths_put_away(ho_arena *arena, ho_str path);
/* The path of a file now, relative to root unless it is absolute: the same, or where the file was put away. Documents
 * that were written before name its old place. */
ho_str ho_paths_now(ho_arena *arena, ho_str root, ho_str path);
/* The name of the task folder that a handoff's file is in ("7_fast_start"), wherever that is; "" if in none. */
ho_str ho_paths_task_folder(ho_str handoff);
/* Return metadata: of the task, of one phase of a run, and what lay there before the handoff of that name. */
ho_str ho_paths_meta(ho_arena *arena, ho_str folder);
ho_str ho_paths_phase_meta(ho_arena *arena, ho_str folder, ho_str phase);
ho_str ho_paths_old_meta(ho_arena *arena, ho_str folder, ho_str handoff);

/* HOME/.handoff/run/ID. */
ho_str ho_paths_run(ho_arena *arena, ho_str home, ho_str id);

/* Is there a file or folder inside the root (links followed)? `root` points to its path, a ho_str; `path` is
 * relative to it unless it is absolute. This is the `exists` of rules (ho_check_env); allocates nothing, so that
 * threads can share it. */
bool ho_paths_exists(void *root, ho_str path);
/* Adds the files of the archive that may be copies. Those in the usual place come last: they stay there until `repair`
 * moves them. root: of a worktree. */
ho_code ho_paths_archived(ho_arena *arena, ho_str root, ho_str archive, ho_fs_list *out, ho_error *err) HO_NODISCARD;
/* Is there any copy that this program wrote? */
bool ho_paths_any_archived(ho_arena *arena, ho_str home, ho_str archive);
/* The beginning of such a copy, before a JSON map. */
#define HO_ARCHIVED_COMMENT "# handoff "
/* Is the file at that absolute path such a copy, by its place in an archive and by its beginning? It follows from the
 * store, so it is neither checked nor fixed as a document; `verify` compares it. */
bool ho_paths_is_copy(const char *full);
/* Does such a copy hold a Markdown document, which is then a text inside it? */
#define HO_ARCHIVED_WRAPPED "format:"
bool ho_paths_is_wrapped(const char *full);
#endif
