/* Credentials in a document that is being sent, learned from or made. */
#ifndef HO_ENGINE_PROJECT_REDACT_H
#define HO_ENGINE_PROJECT_REDACT_H

#include "engine/project/project.h"
#include "model/document/read.h"

extern const ho_rule_info ho_rule_secret;

/* Warns of the credentials in a document that was read and checked, before it is handed over or committed. */
ho_code ho_redact_warn(ho_doc *doc, ho_arena *arena, ho_error *err) HO_NODISCARD;

/* Reads a document in the form in which it may be stored: without the credentials found in it (setting `secrets`: redact),
 * unchanged (allow), or not at all (refuse: the findings in *report are errors). *text becomes that form. A finding names
 * position and shape, never the value. */
ho_code ho_redact_read(const ho_project *project, ho_arena *arena, ho_str path, ho_str *text, const ho_format *format,
                       ho_doc *doc, ho_report *report, ho_error *err) HO_NODISCARD;
/* The text of a file as it may be stored, whatever it is: as ho_project_clean, and if it is a document, also without what
 * only shows once it is read. Credentials are then removed where the settings would refuse them. */
ho_str ho_redact_file(const ho_project *project, ho_arena *arena, ho_str path, ho_str text);
#endif
