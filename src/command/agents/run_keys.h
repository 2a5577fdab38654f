/* What a person at the live view of a run can do besides looking: decide gates, read a log, leave the run running. */
#ifndef HO_COMMAND_AGENTS_RUN_KEYS_H
#define HO_COMMAND_AGENTS_RUN_KEYS_H

#include "command/call.h"
#include "engine/run/run.h"

/* Is a person there who can press keys? Then the caller goes on in a process that they can leave (base/proc/leave.h). */
bool ho_run_keys_begin(const ho_call *call);
/* `handoff gate` at the terminal, which is lent to it until it ends; the process, or -1. A process of its own, so that the
 * lead goes on while a person reads. */
pid_t ho_run_keys_decide(const ho_call *call);
/* Leaves the run running: says how to look and to stop, and goes on without the terminal. False: that is not possible. */
bool ho_run_keys_leave(const ho_call *call, const ho_project *project, const ho_run *run);
/* The last lines of a teammate's log; "" if there are none. */
ho_str ho_run_keys_log(ho_arena *arena, const ho_project *project, const ho_teammate *mate);
#endif
