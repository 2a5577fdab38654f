/* Every format, declared once: a format is a file of this folder, and its name in this list. */
#ifndef HO_MODEL_FORMATS_FORMATS_H
#define HO_MODEL_FORMATS_FORMATS_H

#include "model/format.h"

/* Recognition by content tries them in this order: the more distinctive formats come first. */
/* clang-format off */
#define HO_FORMATS(X) \
  X(artifact) X(plan) X(task) X(progress) X(meta) X(response) X(request) X(gate) X(ack) X(package) X(workflow) X(state) X(config)
/* clang-format on */

#define X(name) extern const ho_format ho_format_##name;
HO_FORMATS(X)
#undef X
#endif
