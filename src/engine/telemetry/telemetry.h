/* Telling a collector of OpenTelemetry what has happened: how far it was told, and whose turn it is to go on.
 *
 * Nothing is kept for it but a mark: spans follow from the ledger, the gates and the runs (telemetry_spans.h), so what a
 * collector does not take now is told later, and a command that changes something has nothing to do with it. One process at
 * a time tells, and a command starts it if none does; whoever ends looks once more whether something has happened meanwhile,
 * so that nothing waits that nobody will tell. */
#ifndef HO_ENGINE_TELEMETRY_TELEMETRY_H
#define HO_ENGINE_TELEMETRY_TELEMETRY_H

#include "doc/tree.h"

#define HO_TELEMETRY_TO "HANDOFF_OTLP" /* the variable that names the collector */

typedef struct ho_telemetry_mark {
  ho_str to;           /* which collector was told */
  int64_t seq;         /* up to which event */
  int64_t ended;       /* up to when runs and teammates had ended */
  const ho_node *sent; /* those of them that are near that, by id: they are recorded a moment after they ended */
  int64_t again;       /* it could not be told: not to be tried before */
} ho_telemetry_mark;

/* The mark for that collector; one that nobody has told yet begins at the beginning. home: the project's. */
ho_telemetry_mark ho_telemetry_read(ho_arena *arena, ho_str home, ho_str to);
ho_code ho_telemetry_write(ho_arena *arena, ho_str home, const ho_telemetry_mark *mark, ho_error *err) HO_NODISCARD;

/* A descriptor to close when it is done; -1: another process tells, or the lock cannot be had. */
int ho_telemetry_lock(ho_arena *arena, ho_str home);
/* Should a command that has changed something start somebody who tells? */
bool ho_telemetry_due(ho_arena *arena, ho_str home, ho_str to, int64_t now);
#endif
