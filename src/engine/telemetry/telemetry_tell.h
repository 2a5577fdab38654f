/* Telling a collector what it has not been told. */
#ifndef HO_ENGINE_TELEMETRY_TELEMETRY_TELL_H
#define HO_ENGINE_TELEMETRY_TELEMETRY_TELL_H

#include "engine/project/project.h"

typedef struct ho_telemetry_told {
  int64_t spans, refused; /* refused: the collector does not want them, so they are not offered again */
  bool elsewhere;         /* another process is at it */
} ho_telemetry_told;

/* Tells it everything, and goes on as long as something happens within `linger` ms. A collector that does not answer, or asks
 * for patience, is tried again for ten seconds if `linger` is not 0; then HO_IO, and the rest is told another time. The
 * store is open. */
ho_code ho_telemetry_tell(ho_project *project, ho_str to, int64_t linger, ho_telemetry_told *out,
                          ho_error *err) HO_NODISCARD;
#endif
