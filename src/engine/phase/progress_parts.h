/* Shared by the files of progress.h. */
#ifndef HO_ENGINE_PHASE_PROGRESS_PARTS_H
#define HO_ENGINE_PHASE_PROGRESS_PARTS_H

#include "engine/phase/progress.h"

/* The objective with that id; if objectives have no ids, by its position from 1. */
const ho_node *ho_progress_objective(const ho_node *root, ho_str id);
/* The first that can be worked on; else the first that is blocked; NULL if all are done. */
const ho_node *ho_progress_next(const ho_node *root);
/* An id as a node: a number if it looks like one. */
ho_node *ho_progress_id_node(ho_arena *arena, ho_str id);
#endif
