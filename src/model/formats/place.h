/* Where a document of a task stands: specs/{N}_{SLUG}/… */
#ifndef HO_MODEL_FORMATS_PLACE_H
#define HO_MODEL_FORMATS_PLACE_H

#include "base/str.h"

/* False where no folder is named: a text from nowhere, or a bare name, breaks no rule about its place. */
bool ho_place_known(ho_str path);
/* The last name of a path. */
ho_str ho_place_name(ho_str path);
/* What stands in the name between `before` and `after` ("phase-3-progress.json": "3"); false if it is not so built. */
bool ho_place_between(ho_str name, const char *before, const char *after, ho_str *out);
/* NULL if the document stands in a task folder as the format wants it (in the folder `below` of it, if not NULL), else
 * what is wrong, as the rest of a sentence. */
const char *ho_place_problem(ho_str path, const char *below);
/* The number of the task folder that the document stands in directly, without zeros before it; "" if there is none. */
ho_str ho_place_task(ho_str path);
#endif
