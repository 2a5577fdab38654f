/* Findings as results: the same tree for `check`, `new` and whoever else reports them, and its outputs. */
#ifndef HO_COMMAND_FINDINGS_H
#define HO_COMMAND_FINDINGS_H

#include "base/buf.h"
#include "command/command.h"

extern const ho_record ho_finding_record;
/* Fields of results: a list of findings, and how many there are. */
#define HO_FINDINGS_FIELD(key, what)                                                                                   \
  {                                                                                                                    \
    .name = key, .doc = what, .type = HO_T_LIST, .item = HO_T_RECORD, .record = &ho_finding_record,                    \
    .flags = HO_REQUIRED | HO_MAY_BE_EMPTY                                                                             \
  }
#define HO_FINDING_COUNTS                                                                                              \
  {.name = "errors", .doc = "Number of errors.", .type = HO_T_INT, .flags = HO_REQUIRED},                              \
  {                                                                                                                    \
    .name = "warnings", .doc = "Number of warnings.", .type = HO_T_INT, .flags = HO_REQUIRED                           \
  }

/* All of a report, everything copied into `arena`. */
ho_node *ho_findings_node(ho_arena *arena, const ho_report *report);
/* A text that could not be read as a finding: rule `syntax`, or `limit`, or `unreadable`. */
ho_node *ho_finding_of_error(ho_arena *arena, ho_severity severity, const ho_error *err);

/* "FILE:LINE:COL: SEVERITY[RULE] POINTER: sentence" and a newline. */
void ho_finding_text(ho_buf *out, ho_str path, const ho_node *finding, bool colour);
/* A note, made safe for a terminal. One that is such a line has its severity in colour. */
void ho_finding_note(ho_buf *out, ho_str note, bool colour);
/* Notes the findings about the document at `path`, errors first. */
void ho_findings_note(ho_call *call, ho_str path, const ho_node *findings);

/* result: of `check`. */
void ho_findings_sarif(ho_buf *out, const ho_node *result, ho_arena *arena);
void ho_findings_github(ho_buf *out, const ho_node *result);

/* All rules, one after the other, from all tables; NULL after the last. *of: the format whose rule it is; NULL if it holds
 * for more than one. */
const ho_rule_info *ho_finding_rule_at(size_t index, const ho_format **of);
/* The one with that id, or NULL. */
const ho_rule_info *ho_finding_rule(ho_str id);
#endif
