/* The phase that a command is about: its options, and what they name. */
#ifndef HO_COMMAND_PHASE_ARGS_H
#define HO_COMMAND_PHASE_ARGS_H

#include "command/call.h"
#include "engine/which/which.h"

#define HO_PARAM_TASK(more)                                                                                            \
  {                                                                                                                    \
    .name = "task", .label = "N", .doc = "Number of the task. Default: yours.", .type = HO_T_TEXT, .flags = (more)     \
  }
#define HO_PARAM_PHASE(more)                                                                                           \
  {                                                                                                                    \
    .name = "phase", .label = "P", .doc = "Phase of the plan. Default: yours.", .type = HO_T_TEXT, .flags = (more)     \
  }
#define HO_PARAM_SLUG                                                                                                  \
  {                                                                                                                    \
    .name = "slug", .label = "S", .doc = "Name of a new task. Default: by the branch.", .type = HO_T_TEXT              \
  }

/* From --task, --phase and --slug, and what is known besides (engine/which/which.h). Begins the project. */
ho_code ho_phase_args_find(ho_call *call, ho_phase *out, ho_error *err) HO_NODISCARD;
/* The same for a command about the phase's successor. */
ho_code ho_phase_args_follow(ho_call *call, ho_phase *out, ho_error *err) HO_NODISCARD;
/* The same for a command that ends the phase. */
ho_code ho_phase_args_end(ho_call *call, ho_phase *out, ho_error *err) HO_NODISCARD;
/* The same for a command that begins work: if no task is known, it starts one. which->hint and goes_on are given. */
ho_code ho_phase_args_begin(ho_call *call, ho_which *which, ho_phase *out, ho_error *err) HO_NODISCARD;
/* Notes the task that was started, once it is certain that it stays (else: ho_phase_undo). */
void ho_phase_args_note_made(ho_call *call, const ho_which *which, const ho_phase *phase);
/* Notes which open handoff the task that was made is not about, and how to take that back with `undo`, and continue it. */
void ho_phase_args_note_aside(ho_call *call, const ho_which *which, ho_str undo, const char *again);
/* A path below the root as the user would write it. */
ho_str ho_shown_below(const ho_call *call, ho_str path);
/* Is it a person who runs this, at a terminal? Without one it may be an agent that shows no sign of it, which is told what
 * agents do. */
bool ho_phase_args_is_person(const ho_call *call);
#endif
