/* What a conversion cannot move: the difference between the original and what would come back, and the way to put it
 * back. */
#ifndef HO_MODEL_CONVERT_CONVERT_KEPT_H
#define HO_MODEL_CONVERT_CONVERT_KEPT_H

#include "model/format.h"

/* x_kept (without `from`) that makes `back` into `original`, or NULL where they are equal. Both are bound trees of
 * `format`; `original` is not copied. Adds to `names`, a list of texts, the pointers of what is kept. */
ho_node *ho_kept_difference(const ho_format *format, const ho_node *original, const ho_node *back, ho_node *names,
                            ho_arena *arena);
/* Puts everything of x_kept into `tree`, a tree of `format` that nobody shares; what no longer has a place is added to
 * `unplaced`. The result still has to be bound. */
void ho_kept_restore(const ho_format *format, ho_node *tree, const ho_node *kept, ho_node *unplaced, ho_arena *arena);
#endif
