/* What is left of a finished phase: its handoffs go to handoffs/archive. */
#ifndef HO_ENGINE_RELAY_PUT_AWAY_H
#define HO_ENGINE_RELAY_PUT_AWAY_H

#include "engine/project/project.h"

typedef struct ho_put_away {
  /* Given. */
  ho_project *project; /* its store is open */
  ho_arena *arena;
  ho_str root;        /* the folder with specs */
  ho_str task, phase; /* only this one; "": every phase of every task */
  int64_t now_ms;
  ho_node *moved; /* the result is added: {from, path}, below root */
} ho_put_away;

/* Moves the handoffs of finished phases, with their details files, to the folder archive beside them, unless one of the
 * phase's is still open in the store. The store, the metadata and the progress files of the task name the new paths in
 * the same transaction. What was written before and cannot change, such as a reference in a later handoff, names the
 * old path: ho_paths_now leads from there. */
ho_code ho_put_away_finished(ho_put_away *put, ho_error *err) HO_NODISCARD;
#endif
