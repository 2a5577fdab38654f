/* What else is shown of a run while it is watched: what happened, a teammate's log, the keys. */
#ifndef HO_COMMAND_AGENTS_RUN_PANES_H
#define HO_COMMAND_AGENTS_RUN_PANES_H

#include "command/agents/run_frame.h"

/* What has happened, for as long as the view lasts: sentences, of which the newest stay. */
enum { HO_RUN_PANES_EVENTS = 64 };
typedef struct ho_run_events {
  struct {
    char begin[64], said[448]; /* columns, as they are; a sentence, which is wrapped */
  } items[HO_RUN_PANES_EVENTS];
  size_t count; /* ever */
} ho_run_events;
void ho_run_panes_add(ho_run_events *events, ho_str begin, ho_str said);

/* How many lines the events want below the steps, with the line of the keys. */
size_t ho_run_panes_below(const ho_frame *frame, const ho_run_events *events);
/* As many of the newest as there is room for. */
void ho_run_panes_events(ho_frame *frame, ho_arena *arena, const ho_run_events *events);
/* The last line, whose beginning, what Ctrl-C does, is never cut. keys: somebody can press them; followed: a log is shown. */
void ho_run_panes_foot(ho_frame *frame, const ho_run *run, bool keys, bool followed);
/* The end of a teammate's log; `text`: what the file ends with. */
void ho_run_panes_log(ho_frame *frame, const ho_teammate *mate, int64_t now, ho_str text);
void ho_run_panes_help(ho_frame *frame);
/* The first step that waits for a person, or NULL. */
const ho_run_step *ho_run_panes_gated(const ho_run *run);
#endif
