/* Shared by the files of the format plan. */
#ifndef HO_MODEL_FORMATS_PLAN_H
#define HO_MODEL_FORMATS_PLAN_H

#include "model/check.h"
#include "model/markdown/markdown_read.h"

extern const ho_record ho_plan_phase_record;
extern const ho_rule ho_plan_rules[];

ho_code ho_plan_read(const ho_format *format, const ho_source *source, const ho_md *md, ho_arena *arena,
                     ho_report *report, ho_node **out, ho_error *err);
/* What stands below the heading of a phase: labels, and its tasks however they are written. */
void ho_plan_read_phase(const ho_markdown_reader *r, const ho_markdown_part *part, ho_node *phase);
/* Replaces the text of a phase's dependencies by ids; a text that says more than the ids is kept as x_dependencies. */
void ho_plan_split_dependencies(ho_arena *arena, ho_node *phase);
/* "All prior phases": adds the ids of the phases before it, in a plan of up to 64. */
void ho_plan_wait_for_all(ho_arena *arena, ho_node *phases);
void ho_plan_write(const ho_format *format, const ho_node *root, ho_buf *out);
bool ho_plan_looks_like(const ho_source *source, const ho_md *md);
#endif
