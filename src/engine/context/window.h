/* How many tokens a model's context holds, and how many of them an agent can use before its harness compacts. */
#ifndef HO_ENGINE_CONTEXT_WINDOW_H
#define HO_ENGINE_CONTEXT_WINDOW_H

#include "engine/context/harness.h"

/* What is known; zero and NULL where something is not. */
typedef struct ho_window_facts {
  int64_t given;             /* by the user, who is right: nothing else counts */
  const ho_node *configured; /* `windows` of the settings: [{model, tokens}] */
  int64_t reported;          /* by the harness itself */
  ho_str model;
  int64_t used;             /* a context that holds more than its window has a larger one */
  bool compacts;            /* the two below apply: the harness is one that has them */
  const char *auto_window;  /* CLAUDE_CODE_AUTO_COMPACT_WINDOW, tokens */
  const char *auto_percent; /* CLAUDE_AUTOCOMPACT_PCT_OVERRIDE, percent */
  int64_t limit;            /* tokens at which the harness compacts by its own settings; the variable goes first */
} ho_window_facts;

typedef struct ho_window {
  int64_t full;       /* 0: not known */
  int64_t effective;  /* what can be used: less where compaction comes earlier */
  const char *source; /* "given", "config", "harness", "table", "use", or "unknown" */
} ho_window;

/* Given, then configured (the name itself, then the longest that it begins with), then reported, then the table. */
ho_window ho_window_of(const ho_window_facts *facts);
/* Takes the two variables of Claude Code from the environment. */
void ho_window_environment(ho_window_facts *facts);
/* Takes the limit from the harness's settings in the project or, where these say nothing, of the
 * user. */
void ho_window_harness(ho_window_facts *facts, const ho_harness *harness, ho_str root, ho_arena *arena);
#endif
