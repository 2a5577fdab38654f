/* What the files of the format plan share. */
#ifndef HO_MODEL_FORMATS_PLAN_H
#define HO_MODEL_FORMATS_PLAN_H

#include "model/check.h"

extern const ho_record ho_plan_phase_record;
extern const ho_rule ho_plan_rules[];

ho_code ho_plan_read(const ho_format *format, const ho_source *source, const ho_md *md, ho_arena *arena,
                     ho_report *report, ho_node **out, ho_error *err);
void ho_plan_write(const ho_format *format, const ho_node *root, ho_buf *out);
bool ho_plan_looks_like(const ho_source *source, const ho_md *md);
#endif
