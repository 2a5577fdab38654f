#include "base/limits.h"

const ho_limit ho_limits[] = {
#define X(name, text, value, unit, doc) {text, value, unit, doc},
    HO_LIMITS(X)
#undef X
        {0}};

#define X(name, text, value, unit, doc) value,
#define USUAL                                                                                                          \
  {                                                                                                                    \
    {                                                                                                                  \
      HO_DOCUMENT_LIMITS(X)                                                                                            \
    }                                                                                                                  \
  }
const ho_document_limits ho_limits_usual = USUAL;
_Thread_local ho_document_limits ho_limits_now = USUAL;
_Thread_local ho_document_limits ho_limits_project = USUAL;
#undef USUAL
#undef X
