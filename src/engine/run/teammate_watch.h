/* Watching a teammate at work: what it is doing, how far it is, how full its context is. */
#ifndef HO_ENGINE_RUN_TEAMMATE_WATCH_H
#define HO_ENGINE_RUN_TEAMMATE_WATCH_H

#include "engine/project/project.h"
#include "store/runs/runs.h"

typedef struct ho_look {
  size_t done, total; /* objectives of its phase; total 0: there is no progress file */
  ho_str objective;   /* in progress, or next to start; "" if there is none */
  int64_t context;    /* tokens in its context after the newest answer; 0: unknown */
  int64_t window;     /* its size; 0: unknown */
  int64_t tokens;     /* used so far; 0: unknown */
} ho_look;

/* task: the task's folder relative to where the teammate works; key: the step's, as in file names. What cannot be
 * seen stays empty: watching never fails. */
void ho_look_at(const ho_project *project, ho_arena *arena, const ho_teammate *teammate, ho_str task, ho_str key,
                ho_look *out);
/* "3.2" for the teammate R-2026-001/3.2. */
ho_str ho_teammate_short(ho_str id);
/* Percentage of the window that is used; -1: unknown. */
int ho_look_percent(const ho_look *look);
#endif
