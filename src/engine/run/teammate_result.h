/* What a teammate left behind when it ended: return metadata, or a response document, judged.
 *
 * Nothing is believed that can be looked at: a handoff or an artifact that does not exist, or lies outside of the
 * project, is not a result, and neither is a file that was there before the teammate began. */
#ifndef HO_ENGINE_RUN_TEAMMATE_RESULT_H
#define HO_ENGINE_RUN_TEAMMATE_RESULT_H

#include "engine/run/adapter.h"

typedef enum ho_outcome {
  HO_OUTCOME_DONE,    /* the step is done: implemented, researched, planned; complete or PROCEED */
  HO_OUTCOME_HANDOFF, /* partly done, and a handoff says how to go on */
  HO_OUTCOME_PARTIAL, /* partly done, or interrupted, and nothing says how to go on */
  HO_OUTCOME_BLOCKED,
  HO_OUTCOME_FAILED,
  HO_OUTCOME_CLARIFY, /* a person is asked */
  HO_OUTCOME_STOP,    /* the run is to halt */
  HO_OUTCOME_INVALID, /* what it left cannot be understood */
  HO_OUTCOME_MISSING, /* it claims something that is not there */
  HO_OUTCOME_NONE,    /* it left nothing */
} ho_outcome;
const char *ho_outcome_name(ho_outcome outcome); /* done, handoff, partial, blocked, …, missing, nothing */

typedef struct ho_result_ask {
  ho_str root;               /* of the project, absolute */
  ho_str folder;             /* where the teammate worked, absolute: the root, or a worktree */
  ho_str meta;               /* HANDOFF_META, absolute */
  ho_str spare;              /* where an agent that does not know HANDOFF_META writes, absolute; "": nowhere */
  ho_str session;            /* its HANDOFF_SESSION: what stands in `spare` counts only if it names it */
  const char *log;           /* its output; NULL: none */
  const ho_adapter *adapter; /* NULL: any command */
  int64_t started;           /* ms: older files are somebody else's */
} ho_result_ask;

typedef struct ho_result {
  ho_outcome outcome;
  ho_str why; /* one sentence: what it says, or what is wrong with it */
  ho_str
      source; /* the document that says so, as a path; "output" for the teammate's own output; "" where there is none */
  ho_str response; /* where it is one: its text */
  ho_str handoff;  /* absolute, exists, inside root or folder; also beside blocked or failed. "" where there is none */
  ho_str summary;  /* context_summary of a response, summary of metadata */
  ho_str *blockers, *questions, *artifacts; /* artifacts: as claimed, all of them there */
  size_t blocker_count, question_count, artifact_count;
  bool review;     /* done, but the agent wants a person to look before anything goes on; `questions` says why */
  bool answered;   /* it is a response: its decision (PROCEED, STOP, CLARIFY) was followed */
  bool obstacle;   /* it is a response whose findings have a failed check or an open conflict: as one of several it
                      did not pass, whatever it decides */
  int64_t tokens;  /* as the document says, else as the harness reports; 0: not known */
  int64_t context; /* what its context held at the end; 0: not known */
  ho_str harness_session, model; /* as the harness reports them, or "" */
} ho_result;

/* Fails only when memory does: everything else is an outcome. */
ho_code ho_result_read(ho_arena *arena, const ho_result_ask *ask, ho_result *out, ho_error *err) HO_NODISCARD;
#endif
