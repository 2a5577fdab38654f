/* Where a document of a task is kept: specs/{N}_{SLUG}/… */
#ifndef HO_MODEL_FORMATS_PLACE_H
#define HO_MODEL_FORMATS_PLACE_H

#include "base/str.h"

/* False if the path names no folder: a text from nowhere or a bare name cannot be in the wrong place. */
bool ho_place_known(ho_str path);
/* The last name of a path. */
ho_str ho_place_name(ho_str path);
/* The part of the name between `before` and `after` ("phase-3-progress.json": "3"); false if the name has another
 * form. */
bool ho_place_between(ho_str name, const char *before, const char *after, ho_str *out);
/* How the name of a task folder ends if the task has a name instead of a number: that of a plan without a task. */
#define HO_PLACE_UNNUMBERED "_run"
/* NULL if the document is in a task folder as the format requires (in its subfolder `below`, if not NULL); else what
 * is wrong, as the rest of a sentence. */
const char *ho_place_problem(ho_str path, const char *below);
/* The number of the task folder that directly contains the document, without leading zeros; "" if there is none. */
ho_str ho_place_task(ho_str path);
/* The same of the task folder that contains it, or contains its folder (progress, handoffs, handoffs/archive). */
ho_str ho_place_task_around(ho_str path);
#endif
