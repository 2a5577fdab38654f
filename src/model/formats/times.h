/* Comparing the times within one document. */
#ifndef HO_MODEL_FORMATS_TIMES_H
#define HO_MODEL_FORMATS_TIMES_H

#include "model/check.h"

/* Adds a finding of `rule` if the time in field `later` is before that in field `earlier`, both of the root. Says
 * nothing if either is missing or unreadable. */
void ho_times_check_order(ho_check *check, const ho_rule *rule, const char *earlier, const char *later);
#endif
