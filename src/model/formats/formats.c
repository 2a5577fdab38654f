#include "model/format.h"

/* Recognition by content tries them in this order: the more distinctive formats come first. */
#define FORMATS(X)                                                                                                     \
  X(artifact)                                                                                                          \
  X(plan) X(task) X(progress) X(meta) X(response) X(request) X(gate) X(ack) X(package) X(workflow) X(state) X(config)

#define X(name) extern const ho_format ho_format_##name;
FORMATS(X)
#undef X

const ho_format *const ho_formats[] = {
#define X(name) &ho_format_##name,
    FORMATS(X)
#undef X
        NULL};
