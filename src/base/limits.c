#include "base/limits.h"

const ho_limit ho_limits[] = {
#define X(name, text, value, unit, doc) {text, value, unit, doc},
    HO_LIMITS(X)
#undef X
        {0}};
