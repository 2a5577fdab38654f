/* The end of a phase, the twin of a pass: metadata, plan, progress file and the store agree that it is over. */
#ifndef HO_ENGINE_RELAY_FINISH_H
#define HO_ENGINE_RELAY_FINISH_H

#include "engine/phase/progress.h"
#include "engine/relay/return_meta.h"

typedef struct ho_finish {
  /* Given. */
  ho_phase phase;
  ho_project *project; /* its store is open */
  ho_str summary;      /* what was done; "": the objectives */
  ho_str meta_path;    /* where the metadata should be written; "": the usual path */
  /* The result. */
  ho_return_meta meta;
  ho_str plan;     /* the plan whose marker was set, below root, or "" */
  size_t unticked; /* boxes of the phase in it that are no objective, and stay open */
  ho_node *ended;  /* list of ids: the phase's handoffs that were open */
  ho_node *gated;  /* list of ids: those that wait for a person, and still do */
  ho_node *held;   /* map of ids: those that others hold, and still do; who */
} ho_finish;

/* All or nothing. HO_CONFLICT if an objective is not done, or somebody else works on the phase (engine/ledger/holder.h). */
ho_code ho_finish_phase(ho_finish *finish, ho_error *err) HO_NODISCARD;
/* The summary under which the phase was finished, by its progress file or its plan; false if it was not. */
bool ho_finish_was(const ho_phase *phase, const ho_node *progress, ho_str *summary);
#endif
