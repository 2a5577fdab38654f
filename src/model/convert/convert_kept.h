/* What a conversion cannot move: the difference between the original and what would come back, and how to restore
 * it. */
#ifndef HO_MODEL_CONVERT_CONVERT_KEPT_H
#define HO_MODEL_CONVERT_CONVERT_KEPT_H

#include "model/format.h"

/* The x_kept (without `from`) that turns `back` into `original`, or NULL if they are equal. Both are bound trees of
 * `format`; `original` is not copied. Adds the pointers of what is kept to `names`, a list of texts. */
ho_node *ho_kept_difference(const ho_format *format, const ho_node *original, const ho_node *back, ho_node *names,
                            ho_arena *arena);
/* Puts everything in x_kept into `tree`, an unshared tree of `format`; what no longer has a place is added to
 * `unplaced`. The result still has to be bound. */
void ho_kept_restore(const ho_format *format, ho_node *tree, const ho_node *kept, ho_node *unplaced, ho_arena *arena);
#endif
