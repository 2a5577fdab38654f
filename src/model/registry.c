#include "model/format.h"

/* Recognition by content tries them in this order: the more telling first. */
const ho_format *const ho_formats[] = {NULL};
