/* Credentials in a document that is being sent. */
#ifndef HO_ENGINE_PROJECT_REDACT_H
#define HO_ENGINE_PROJECT_REDACT_H

#include "engine/project/project.h"
#include "model/document/read.h"

extern const ho_rule_info ho_rule_secret;

/* Warns of the credentials in a document that was read and checked, before it is handed over or committed. */
ho_code ho_redact_warn(ho_doc *doc, ho_arena *arena, ho_error *err) HO_NODISCARD;

/* The form in which `text` may be stored: without the credentials found in it (setting `secrets`: redact), unchanged
 * (allow), or not at all (refuse: the findings in *report are errors). A finding names position and shape, never the
 * value. */
ho_code ho_redact_text(const ho_project *project, ho_arena *arena, ho_str path, ho_str text, ho_str *out,
                       ho_report *report, ho_error *err) HO_NODISCARD;
/* Reads the text as ho_doc_read does, and removes what only shows once it is parsed (escapes, folded lines). *text
 * is the text that was read in the end. */
ho_code ho_redact_read(const ho_project *project, ho_arena *arena, ho_str path, ho_str *text, const ho_format *format,
                       ho_doc *doc, ho_report *report, ho_error *err) HO_NODISCARD;
#endif
