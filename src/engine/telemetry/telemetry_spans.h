/* What has happened as spans, in the JSON of OTLP: handoffs and gates that have ended, runs and teammates.
 *
 * A span has the same ids whenever it is told: telling it twice adds nothing. It names agents, states and times, and nothing
 * that a document says. Spans of one task are one trace; a handoff without a task is in the trace of the one it answers. */
#ifndef HO_ENGINE_TELEMETRY_TELEMETRY_SPANS_H
#define HO_ENGINE_TELEMETRY_TELEMETRY_SPANS_H

#include "base/buf.h"
#include "engine/project/project.h"
#include "engine/telemetry/telemetry.h"

/* Puts what comes after the mark, a part of it if there is much, and moves the mark behind that. *spans: how many; *more: is
 * there anything after it? The store is open. */
ho_code ho_telemetry_spans(ho_project *project, ho_arena *arena, ho_telemetry_mark *mark, ho_buf *out, size_t *spans,
                           bool *more, ho_error *err) HO_NODISCARD;
#endif
