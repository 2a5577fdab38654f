#include "model/formats/formats.h"

const ho_format *const ho_formats[] = {
#define X(name) &ho_format_##name,
    HO_FORMATS(X)
#undef X
        NULL};
