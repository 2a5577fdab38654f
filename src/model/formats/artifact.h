/* Shared by the files of the format artifact. */
#ifndef HO_MODEL_FORMATS_ARTIFACT_H
#define HO_MODEL_FORMATS_ARTIFACT_H

#include "model/check.h"

enum { HO_ARTIFACT_LINES = 40 }; /* one screen */

ho_code ho_artifact_read(const ho_format *format, const ho_source *source, const ho_md *md, ho_arena *arena,
                         ho_report *report, ho_node **out, ho_error *err);
void ho_artifact_write(const ho_format *format, const ho_node *root, ho_buf *out);
bool ho_artifact_looks_like(const ho_source *source, const ho_md *md);
/* The length of the phase id ("3", "6a", "2-3", "B") at the start of a text; 0 if there is none. */
size_t ho_artifact_phase(ho_str text);

extern const ho_rule ho_artifact_rules[];
#endif
