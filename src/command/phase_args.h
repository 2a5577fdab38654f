/* The phase that a command is about: its options, and what they name. */
#ifndef HO_COMMAND_PHASE_ARGS_H
#define HO_COMMAND_PHASE_ARGS_H

#include "command/call.h"
#include "engine/phase/phase.h"

#define HO_PARAM_TASK(more)                                                                                            \
  {                                                                                                                    \
    .name = "task", .label = "N", .doc = "Number of the task.", .type = HO_T_TEXT, .flags = (more)                     \
  }
#define HO_PARAM_PHASE(more)                                                                                           \
  {                                                                                                                    \
    .name = "phase", .label = "P", .doc = "Phase of the task's plan.", .type = HO_T_TEXT, .flags = (more)              \
  }
#define HO_PARAM_SLUG                                                                                                  \
  {                                                                                                                    \
    .name = "slug", .label = "S",                                                                                      \
    .doc = "Name of the task in its folder; needed only if the folder does not exist yet.", .type = HO_T_TEXT          \
  }

/* All three, for commands that look at the environment too. */
#define HO_PARAMS_PHASE_HERE                                                                                           \
  {.name = "task", .label = "N", .doc = "Number of the task. Default: HANDOFF_TASK.", .type = HO_T_TEXT},              \
      {.name = "phase", .label = "P", .doc = "Phase of the task's plan. Default: HANDOFF_PHASE.", .type = HO_T_TEXT},  \
      HO_PARAM_SLUG

/* From --task, --phase and --slug, then the environment. */
void ho_phase_args_given(ho_call *call, ho_phase *out);
/* The same; then ho_phase_find. HO_USAGE if the task or the phase is not known. */
ho_code ho_phase_args_find(ho_call *call, ho_phase *out, ho_error *err) HO_NODISCARD;
/* A path below the root as the user would write it. */
ho_str ho_shown_below(const ho_call *call, ho_str path);
#endif
