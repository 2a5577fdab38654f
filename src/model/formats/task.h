/* Shared by the files of the format task. */
#ifndef HO_MODEL_FORMATS_TASK_H
#define HO_MODEL_FORMATS_TASK_H

#include "model/check.h"

extern const ho_record ho_task_file_record;

ho_code ho_task_read(const ho_format *format, const ho_source *source, const ho_md *md, ho_arena *arena,
                     ho_report *report, ho_node **out, ho_error *err);
void ho_task_write(const ho_format *format, const ho_node *root, ho_buf *out);
bool ho_task_looks_like(const ho_source *source, const ho_md *md);
#endif
