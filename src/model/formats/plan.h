/* What the files of the format plan share. */
#ifndef HO_MODEL_FORMATS_PLAN_H
#define HO_MODEL_FORMATS_PLAN_H

#include "model/check.h"

extern const ho_record ho_plan_phase_record;
extern const ho_rule ho_plan_rules[];

ho_code ho_plan_read(const ho_format *format, const ho_source *source, const ho_md *md, ho_arena *arena,
                     ho_report *report, ho_node **out, ho_error *err);
/* Ids in place of the text of a phase's dependencies; a text that says more than they do is kept as x_dependencies. */
void ho_plan_split_dependencies(ho_arena *arena, ho_node *phase);
/* "All prior phases": the ids of those that stand before, in a plan of up to 64. */
void ho_plan_wait_for_all(ho_arena *arena, ho_node *phases);
void ho_plan_write(const ho_format *format, const ho_node *root, ho_buf *out);
bool ho_plan_looks_like(const ho_source *source, const ho_md *md);
#endif
