/* What is kept between two measurements of a session's context, in .handoff/context/ of the project.
 *
 * SESSION.json is the status line's figure; SESSION.scan.json is what was read of the transcript and when the agent
 * was last asked; SESSION.trace.json says where a session works, in case it dies; SESSION.work.json
 * which task it is about (engine/which); task-N-phase-P.touched.json which files were read and edited (touched.h), the
 * only one that is added to. Each other file has
 * one kind of writer and is replaced as a whole, so readers and writers need no lock. All are caches: a file that is
 * missing, damaged or of another version counts as empty, and so does one that was not written here: it came with a
 * repository, an archive or a copy. */
#ifndef HO_ENGINE_CONTEXT_CONTEXT_CACHE_H
#define HO_ENGINE_CONTEXT_CONTEXT_CACHE_H

#include "engine/context/context.h"

/* ROOT/.handoff/context/SESSION + suffix; safe for any session name. */
ho_str ho_context_path(ho_arena *arena, ho_str root, ho_str session, const char *suffix);
#define HO_FIGURE_SUFFIX ".json"
#define HO_SCAN_SUFFIX ".scan.json"
/* Removes the files of sessions that have been silent for a month, if name and content show that they are such; a bounded
 * number per call. */
void ho_context_sweep(ho_arena *arena, ho_str root, int64_t now_ms);
/* The session that a transcript belongs to: its file name without extension. */
ho_str ho_context_session(ho_str transcript);

/* A file of its own kind: a map to fill, written in one step, with the mark that it was written here; and what it holds, or
 * NULL. */
ho_node *ho_context_map(ho_arena *arena);
/* A name or path as somebody else gave it, without credentials. */
void ho_context_put(ho_node *map, const char *key, ho_str text, ho_arena *arena);
ho_code ho_context_save(ho_node *map, ho_arena *arena, const char *path, ho_error *err) HO_NODISCARD;
ho_node *ho_context_load(ho_arena *arena, const char *path);
/* For a file of several maps: the mark of what is written at `path`, "" if nothing was yet; puts it into a map that is about
 * to be written there; and has a map that was read there this mark? */
ho_str ho_context_mark(ho_arena *arena, const char *path);
ho_code ho_context_sign(ho_node *map, ho_arena *arena, const char *path, ho_error *err) HO_NODISCARD;
bool ho_context_signed(const ho_node *map, ho_str mark);
/* Removes the file unless its size is another one by now. */
void ho_context_remove(const char *path, int64_t size);

/* False, and zero, if nothing is kept. */
bool ho_figure_load(ho_figure *figure, ho_arena *arena, const char *path);
ho_code ho_figure_save(const ho_figure *figure, ho_arena *arena, const char *path, ho_error *err) HO_NODISCARD;
bool ho_scan_load(ho_scan *scan, ho_nudges *nudges, ho_arena *arena, const char *path);
ho_code ho_scan_save(const ho_scan *scan, const ho_nudges *nudges, ho_arena *arena, const char *path,
                     ho_error *err) HO_NODISCARD;

/* How full the session's context was when it was last measured: by the figure of its status line, or by what its hooks
 * have read of its transcript; in percent, or -1 if neither is kept below the root. configured: the setting `windows`. */
int64_t ho_context_kept(ho_arena *arena, ho_str root, ho_str session, const ho_node *configured);

/* Where to look for what a session did. Kept in the main worktree under the name that the store has for the session. */
typedef struct ho_trace {
  ho_str transcript, folder; /* absolute */
  ho_str processes[2];       /* of the harness (base/proc/life.h), or "" */
  bool ended;                /* the harness reported the end of the session; if loaded, also: its processes are gone */
  bool settled;              /* before that, the agent had stopped with nothing left to do */
} ho_trace;
#define HO_TRACE_SUFFIX ".trace.json"
bool ho_trace_load(ho_trace *trace, ho_arena *arena, const char *path);
ho_code ho_trace_save(const ho_trace *trace, ho_arena *arena, const char *path, ho_error *err) HO_NODISCARD;
#endif
