/* Where the working documents of a phase are, and the lock for changing them.
 *
 *   specs/{N}_{SLUG}/progress/phase-{P}-progress.json
 *   specs/{N}_{SLUG}/handoffs/phase-{P}-handoff-{TIMESTAMP}.md
 *   specs/{N}_{SLUG}/handoffs/archive/ (the same, of phases that are finished)
 *   specs/{N}_{SLUG}/.return-meta.json */
#ifndef HO_ENGINE_PHASE_PHASE_H
#define HO_ENGINE_PHASE_PHASE_H

#include "engine/project/project.h"

typedef struct ho_phase {
  /* Given. */
  ho_arena *arena;
  ho_str root;    /* the project's folder, absolute */
  ho_str task;    /* as given; afterwards without leading zeros */
  ho_str phase;   /* likewise */
  ho_str slug;    /* as given, or "" */
  int64_t now_ms; /* the time of the change */
  /* For whoever changes the files: ho_phase_find judges the name of a new folder by its settings, and ho_phase_lock
   * finishes what a killed process left unfinished in the task's files. NULL: the files are only read. */
  ho_project *project;
  /* Filled by ho_phase_find. */
  ho_str folder;   /* of the task, below root: "specs/7_fast_start" */
  ho_str progress; /* the progress file, below root */
  bool there;      /* the task's folder exists */
} ho_phase;

/* Finds the task's folder: the existing one, or one with the given slug. HO_USAGE if an id cannot be part of a file
 * name or several folders match; HO_NOT_FOUND if there is none and no slug is given. */
ho_code ho_phase_find(ho_phase *phase, ho_error *err) HO_NODISCARD;
/* The slug of the folder that the task's newest handoff was in, which may be in no tree that is checked out; or "". */
ho_str ho_phase_recorded_slug(const ho_phase *phase);
/* A path relative to the root as the system wants it. HO_IO if a link leads out of the project. */
ho_code ho_phase_full(const ho_phase *phase, ho_str path, const char **out, ho_error *err) HO_NODISCARD;

/* One process at a time changes the working documents of a task. The lock is on the task's folder (which is
 * created), and the system releases it if its holder dies. HO_CONFLICT if somebody holds it for more than ten
 * seconds. */
ho_code ho_phase_lock(const ho_phase *phase, int *lock, ho_error *err) HO_NODISCARD;
void ho_phase_unlock(int lock);
/* Removes the folder that the lock made for a new task, if nothing was written into it after all. */
void ho_phase_undo(const ho_phase *phase);
/* Under the lock: replaces a file atomically, without credentials, and removes what killed writers left beside it. */
ho_code ho_phase_write(const ho_phase *phase, ho_str path, ho_str text, ho_fs_mode mode, ho_error *err) HO_NODISCARD;

/* The newest plan of the task, below root, or "". */
ho_str ho_phase_plan(const ho_phase *phase);
/* The handoffs of the phase relative to the root, oldest first: by the time in their names, then by name; those
 * that were put away among them. Details files are excluded. */
ho_code ho_phase_handoffs(const ho_phase *phase, ho_str **out, size_t *count, ho_error *err) HO_NODISCARD;
#endif
