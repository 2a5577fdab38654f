/* When an agent is asked to pass its work on, and how often it is asked.
 *
 * Everything here is a pure function of facts that others gather: same facts, same answer. Agents are asked, never
 * stopped. */
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
  int64_t used;      /* -1: not known */
  int64_t since;     /* tokens that the next request adds in any case: results that came after the figure */
  int64_t window;    /* effective; 0: not known */
  int64_t threshold; /* percent; 0: the usual 80 */
  const char *next;  /* what is about to be read, or NULL */
  int64_t next_tokens;
  bool objectives_known;                      /* somebody looked at a progress file */
  int64_t objectives_done, objectives_before; /* now, and when the agent was last asked */
  const char *reread;                         /* what was read most often without an edit between, or NULL */
  int64_t reread_count, reread_limit;         /* limit 0: the usual 3 */
} ho_trigger_facts;

void ho_triggers_find(const ho_trigger_facts *facts, ho_trigger out[HO_TRIGGERS]);

/* What is remembered of the times an agent was asked. Zero: never. */
typedef struct ho_nudges {
  int64_t last_ms;          /* when */
  int64_t level;            /* the highest level of fullness that was spoken of: 0 none, 1 to 3 */
  int64_t objectives_done;  /* how many were done then */
  int64_t overflow, reread; /* hash of what it was about then */
} ho_nudges;

/* How full: 0 below the threshold, 1 from it, 2 from half of what is left above it, 3 from three quarters. */
int ho_nudge_level(int64_t used, int64_t window, int64_t threshold);
/* The trigger to speak of, noted in *nudges as spoken of; NULL where there is none, or the agent was asked already or
 * just now. Once a level, an operation, an objective and a read; nothing within `cool_ms` of the last time, unless the
 * level has risen. A context that was emptied starts again. */
const ho_trigger *ho_nudge_choose(ho_nudges *nudges, const ho_trigger_facts *facts,
                                  const ho_trigger triggers[HO_TRIGGERS], int64_t now_ms, int64_t cool_ms);
#endif
