/* When an agent is asked to pass its work on, and how often.
 *
 * Everything here is a pure function of facts that others gather: same facts, same answer. Agents are asked, never
 * stopped.
 *
 * Four signs that a successor would do better: the context is above the threshold; the next operation would not fit;
 * an objective was just finished, which is the cheapest moment to hand over, once half of the threshold is reached (the
 * last one is worth telling at any time: then the phase is finished); the same content was read again and
 * again, which means that the agent is losing track of it. An agent that is asked too often ignores it and pays for
 * every repetition, so each occasion is mentioned once, and not within a pause after the last one. Only rising usage and
 * the last objective break that pause: then time is running out, or the agent is about to stop. */
#ifndef HO_ENGINE_CONTEXT_TRIGGERS_H
#define HO_ENGINE_CONTEXT_TRIGGERS_H

#include "base/error.h"

enum { HO_TRIGGER_THRESHOLD, HO_TRIGGER_OVERFLOW, HO_TRIGGER_OBJECTIVE, HO_TRIGGER_REREAD, HO_TRIGGERS };

typedef struct ho_trigger {
  const char *name; /* "threshold", "overflow", "objective", "reread" */
  bool fires;
  char why[384]; /* a sentence either way */
} ho_trigger;

typedef struct ho_trigger_facts {
  int64_t used;      /* -1: unknown */
  int64_t since;     /* tokens that the next request adds in any case: results newer than the figure */
  int64_t window;    /* effective; 0: unknown */
  int64_t threshold; /* percent; 0: the default of 80 */
  const char *next;  /* what is about to be read, or NULL */
  int64_t next_tokens;
  bool objectives_known;                      /* a progress file was read */
  int64_t objectives_done, objectives_before; /* now, and when the agent was last asked */
  int64_t objectives_total;                   /* 0: unknown */
  const char *reread;                         /* what was read most often without an edit in between, or NULL */
  int64_t reread_count, reread_limit;         /* limit 0: the default of 3 */
} ho_trigger_facts;

/* Are all objectives done? */
bool ho_trigger_finished(const ho_trigger_facts *facts);
void ho_triggers_find(const ho_trigger_facts *facts, ho_trigger out[HO_TRIGGERS]);

/* After a handoff nobody is asked for one; an agent that works on is reminded once. */
enum { HO_NUDGE_WORKING, HO_NUDGE_PASSED, HO_NUDGE_REMINDED };

/* When an agent was last asked, and about what. Zero: never. */
typedef struct ho_nudges {
  int64_t last_ms;          /* when */
  int64_t level;            /* the highest usage level mentioned so far: 0 none, 1 to 3 */
  int64_t objectives_done;  /* how many were done then */
  int64_t overflow, reread; /* hash of what it was about */
  int64_t passed;           /* has it handed off, or finished? HO_NUDGE_… */
  int64_t told;             /* the newest event in its inbox that was mentioned */
  int64_t settled;          /* 1: it stopped with nothing left to do, and has used no tool since */
} ho_nudges;

/* Usage level: 0 below the threshold, 1 from the threshold, 2 from half of the rest above it, 3 from three quarters. */
int ho_nudge_level(int64_t used, int64_t window, int64_t threshold);
/* The trigger to mention, recorded in *nudges as mentioned. NULL if none fires, or the agent was already asked, or
 * just now: once per level, operation, objective and read, and never within `cool_ms` of the last time unless the
 * level has risen or the last objective was completed. A context that was emptied starts again. */
const ho_trigger *ho_nudge_choose(ho_nudges *nudges, const ho_trigger_facts *facts,
                                  const ho_trigger triggers[HO_TRIGGERS], int64_t now_ms, int64_t cool_ms);
#endif
