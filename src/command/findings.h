/* Findings as results: the same tree for `check`, `new` and whoever else reports them, and its outputs. */
#ifndef HO_COMMAND_FINDINGS_H
#define HO_COMMAND_FINDINGS_H

#include "base/buf.h"
#include "command/command.h"

extern const ho_record ho_finding_record;

/* One finding as a map; a finding about the whole document is placed at its start. */
ho_node *ho_finding_node(ho_arena *arena, const ho_finding *finding);
/* All of a report, everything copied into `arena`. */
ho_node *ho_findings_node(ho_arena *arena, const ho_report *report);
/* A text that could not be read as a finding: rule `syntax`, or `limit`, or `unreadable`. */
ho_node *ho_error_finding(ho_arena *arena, ho_severity severity, const ho_error *err);

/* "FILE:LINE:COL: SEVERITY[RULE] POINTER: sentence" and a newline. */
void ho_finding_text(ho_buf *out, ho_str path, const ho_node *finding, bool colour);

/* result: of `check`. */
void ho_findings_sarif(ho_buf *out, const ho_node *result, ho_arena *arena);
void ho_findings_github(ho_buf *out, const ho_node *result);

/* The rule with that id, from all tables, or NULL. */
const ho_rule_info *ho_rule_named(ho_str id);
#endif
