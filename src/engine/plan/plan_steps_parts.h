/* Shared by the files of plan_steps.h. */
#ifndef HO_ENGINE_PLAN_PLAN_STEPS_PARTS_H
#define HO_ENGINE_PLAN_PLAN_STEPS_PARTS_H

#include "engine/plan/plan_steps.h"

/* The steps as written, without waves and without applying the rules. A document without steps has none. */
ho_code ho_plan_steps_parse(ho_arena *arena, ho_str path, ho_str text, ho_doc *doc, ho_plan_steps *out,
                            ho_error *err) HO_NODISCARD;
/* Adds the agents of parallel steps beside them, each as a step of its own. */
ho_code ho_plan_steps_expand(ho_arena *arena, ho_plan_steps *steps, ho_error *err) HO_NODISCARD;
#endif
