/* The return metadata: what a lead reads when an agent has stopped. */
#ifndef HO_ENGINE_RELAY_RETURN_META_H
#define HO_ENGINE_RELAY_RETURN_META_H

#include "engine/phase/phase.h"

typedef struct ho_return_meta {
  /* Given. */
  const ho_phase *phase;
  ho_project *project;
  ho_str wanted;    /* where to write it; "": the usual path */
  ho_str name;      /* what an older result is kept under, beside it */
  ho_str handoff;   /* the handoff that a successor starts from; "": the phase is finished */
  ho_str id;        /* of that handoff */
  bool marked;      /* nothing had been done since the handoff before */
  ho_str summary;   /* of a finished phase */
  bool unsaid;      /* nobody said it now: that of a metadata file which says `implemented` already stays */
  ho_str plan;      /* the task's plan below root, or "" */
  ho_str plan_text; /* as it will be; "": as it is */
  /* The result: nothing is written. */
  ho_str path, text;
  ho_str old, old_text; /* an older result in its place, and where to keep it; "" if there is none */
} ho_return_meta;

/* What is there already about the same work is updated in place, whatever else it says. */
ho_code ho_return_meta_make(ho_return_meta *meta, ho_error *err) HO_NODISCARD;
/* Then, in the transaction that records the work: its files follow the store. */
ho_code ho_return_meta_intend(const ho_return_meta *meta, ho_error *err) HO_NODISCARD;
/* And after it: a path outside the project (HANDOFF_META) is written at once, since no file there follows the store. */
ho_code ho_return_meta_leave(const ho_return_meta *meta, ho_error *err) HO_NODISCARD;
#endif
