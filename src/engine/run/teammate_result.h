/* What a teammate left when it ended: return metadata, or a response document, judged.
 *
 * Nothing that can be checked is taken on trust: a handoff or an artifact that does not exist, or is outside the
 * project, is not a result, and neither is a file from before the teammate began. */
#ifndef HO_ENGINE_RUN_TEAMMATE_RESULT_H
#define HO_ENGINE_RUN_TEAMMATE_RESULT_H

#include "engine/run/adapter.h"
#include "store/runs/runs.h"

/* A session as metadata names it: the seconds at which the teammate began, and HANDOFF_SESSION. */
#define HO_RESULT_SESSION "sess_%lld_%.*s"

typedef struct ho_result_ask {
  ho_str root;               /* of the project, absolute */
  ho_str folder;             /* where the teammate worked, absolute: the root, or a worktree */
  ho_str meta;               /* HANDOFF_META, absolute */
  ho_str spare;              /* where an agent that ignores HANDOFF_META writes, absolute; "": nowhere */
  ho_str session;            /* its HANDOFF_SESSION: a file at `spare` counts only if it names this session, as it is
                              * or in the form that metadata has (HO_RESULT_SESSION) */
  ho_str task, phase;        /* what a response must be about; "": anything */
  const char *log;           /* its output; NULL: none */
  const ho_adapter *adapter; /* NULL: any command */
  int64_t started;           /* ms: older files belong to somebody else */
} ho_result_ask;

typedef struct ho_result {
  ho_outcome outcome; /* DONE … NOTHING */
  ho_str why;         /* one sentence: what it says, or what is wrong with it */
  ho_str source; /* the document that says so, as a path; "output" for the teammate's own output; "" if there is none */
  ho_str response; /* its text, if it is a response */
  ho_str handoff; /* absolute, exists, inside root or folder; possible for blocked or failed too. "" if there is none */
  ho_str summary; /* context_summary of a response, summary of metadata */
  ho_str *blockers, *questions, *artifacts; /* artifacts: as named, all of them exist */
  size_t blocker_count, question_count, artifact_count;
  ho_str type; /* what kind of work it was: the phase of a response, the first artifact's type of metadata */
  const ho_node *findings; /* of a response, or NULL */
  bool review;   /* done, but the agent wants a person to review it before work continues; `questions` says why */
  bool answered; /* it is a response whose decision (PROCEED, STOP, CLARIFY) was followed */
  /* it is a response whose findings contain a failed check or an open conflict: as one of several it did not pass,
   * whatever it decides */
  bool obstacle;
  int64_t tokens;                /* as the document states, else as the harness reports; 0: unknown */
  int64_t context;               /* what its context held at the end; 0: unknown */
  ho_str harness_session, model; /* as the harness reports them, or "" */
  ho_trouble trouble;            /* why the model did not answer, if nothing was left */
  bool spoke;                    /* the agent said or used something */
  ho_str error;                  /* the last that its harness reported, or "" */
  ho_str denied;                 /* what its harness did not allow it, or "" */
} ho_result;

/* Fails only if memory runs out: everything else is an outcome. */
ho_code ho_result_read(ho_arena *arena, const ho_result_ask *ask, ho_result *out, ho_error *err) HO_NODISCARD;
#endif
