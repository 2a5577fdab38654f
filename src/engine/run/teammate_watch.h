/* A look at a teammate while it works: what it is at, how far it is, how full its context is. */
#ifndef HO_ENGINE_RUN_TEAMMATE_WATCH_H
#define HO_ENGINE_RUN_TEAMMATE_WATCH_H

#include "engine/project/project.h"
#include "store/runs/runs.h"

typedef struct ho_look {
  size_t done, total; /* objectives of its phase; total 0: no progress file says */
  ho_str objective;   /* in work, or next to start; "" where there is none */
  int64_t context;    /* tokens that its context held after the newest answer; 0: not known */
  int64_t window;     /* that it has; 0: not known */
  int64_t tokens;     /* used so far; 0: not known */
} ho_look;

/* task: the task's folder below the place where the teammate works; key: the step's, as in file names. What cannot be
 * seen stays empty: a look fails nothing. */
void ho_look_at(const ho_project *project, ho_arena *arena, const ho_teammate *teammate, ho_str task, ho_str key,
                ho_look *out);
/* "3.2" of the teammate R-2026-001/3.2. */
ho_str ho_teammate_short(ho_str id);
/* Percent of the window that is used; -1: not known. */
int ho_look_percent(const ho_look *look);
#endif
