/* Runs that have begun and not ended: what `run` continues, and what waits until somebody does. */
#ifndef HO_COMMAND_RUNS_LEFT_H
#define HO_COMMAND_RUNS_LEFT_H

#include "command/call.h"
#include "command/table.h"
#include "store/runs/runs.h"

/* The newest first; those of workers and those whose plan is gone are not among them. */
ho_code ho_runs_left(ho_call *call, ho_run_list *out, ho_error *err) HO_NODISCARD;

/* Those of them that nobody leads, and those that are led while none of the teammates, who work now, is theirs: as items of a
 * result. */
ho_code ho_runs_left_idle(ho_call *call, const ho_teammate_list *mates, ho_node *paused, ho_node *waiting,
                          ho_error *err) HO_NODISCARD;
extern const ho_record ho_runs_left_record;
/* Such items for people: below each, why it is paused and the command that continues it. */
extern const ho_table ho_runs_left_table;
/* The same with what those that are led wait for. */
extern const ho_table ho_runs_waiting_table;
/* "handoff run R-2026-001". */
ho_str ho_runs_left_command(ho_arena *arena, const ho_node *item);
#endif
