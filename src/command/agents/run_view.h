/* What people see of a run while it is running: a view that is redrawn on a terminal, lines elsewhere. */
#ifndef HO_COMMAND_AGENTS_RUN_VIEW_H
#define HO_COMMAND_AGENTS_RUN_VIEW_H

#include "command/call.h"
#include "engine/run/run.h"

/* Lives in the call's arena, and the ledger has to live as long. keys: a person can press some (run_keys.h). NULL if nobody
 * watches (--json). */
const ho_run_watch *ho_run_view_new(ho_call *call, const ho_project *project, bool keys);

/* "phase" for a plan, "step" for a workflow: what one of its parts is called. */
const char *ho_run_view_part(ho_str plan);
/* A run's summary (ho_run_summary) as a report in Markdown. */
void ho_run_view_report(ho_buf *out, const ho_node *summary);
/* The same in a few lines for a terminal: how it ended, what people have to do, and where the report is ("": nowhere). */
void ho_run_view_ending(ho_buf *out, const ho_node *summary, ho_str report);
#endif
