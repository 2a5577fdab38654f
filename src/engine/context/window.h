/* How many tokens a model's context holds, and how many of them an agent can use before its harness compacts. */
#ifndef HO_ENGINE_CONTEXT_WINDOW_H
#define HO_ENGINE_CONTEXT_WINDOW_H

#include "model/harness/harness.h"

/* What is known; zero and NULL for what is not. */
typedef struct ho_window_facts {
  int64_t given;             /* by the user, who is always right: nothing else counts */
  const ho_node *configured; /* `windows` of the settings: [{model, tokens}] */
  int64_t reported;          /* by the harness itself */
  ho_str model;
  int64_t used;             /* a context that holds more than its window must have a larger one */
  bool compacts;            /* the two below apply to this harness */
  const char *auto_window;  /* tokens, from the harness's variable */
  const char *auto_percent; /* likewise, percent */
  int64_t limit; /* tokens at which the harness's own settings make it compact; the variable takes precedence */
} ho_window_facts;

typedef struct ho_window {
  int64_t full;       /* 0: unknown */
  int64_t effective;  /* what can be used: less if compaction comes earlier */
  const char *source; /* "given", "config", "harness", "table", "use", or "unknown" */
} ho_window;

/* The first that is known: given, configured (the exact name, then the longest prefix), reported, the table. */
ho_window ho_window_of(const ho_window_facts *facts);
/* Reads the variables that tell a harness when to compact. */
void ho_window_environment(ho_window_facts *facts);
/* Reads the limit from the harness's settings: the project's, or, if those do not set it, the user's. */
void ho_window_harness(ho_window_facts *facts, const ho_harness *harness, ho_str root, ho_arena *arena);
#endif
