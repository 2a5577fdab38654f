/* Times of one document compared with each other. */
#ifndef HO_MODEL_FORMATS_TIMES_H
#define HO_MODEL_FORMATS_TIMES_H

#include "model/check.h"

/* A finding of `rule` if the time in field `later` is before that in field `earlier`, both of the root; nothing where
 * one of them is missing or cannot be read. */
void ho_times_check_order(ho_check *check, const ho_rule *rule, const char *earlier, const char *later);
#endif
