/* Findings: what readers, binder and rules have to say about a document, in the order they were found. A finding names
 * a rule (doc/rules.h). */
#ifndef HO_DOC_REPORT_H
#define HO_DOC_REPORT_H

#include "doc/rules.h"
#include "doc/source.h"
#include "doc/tree.h"

/* Where the walk currently is, as a chain on the C stack; becomes a JSON Pointer when a finding is made. */
typedef struct ho_path {
  const struct ho_path *up;
  ho_str key;   /* of a map child; p == NULL for a list item */
  size_t index; /* of a list item */
} ho_path;

typedef struct ho_finding {
  const ho_rule_info *rule;
  ho_severity severity;  /* the rule's own, or raised or lowered for this document */
  unsigned line, column; /* 0 if the finding is about the whole document */
  uint32_t offset;       /* HO_NOWHERE likewise */
  ho_str pointer, message;
} ho_finding;

typedef struct ho_report {
  ho_arena *arena;
  const ho_source *source; /* may be NULL: findings then have no position */
  ho_finding *items;
  size_t count;
  size_t left_out; /* findings beyond HO_LIMIT_FINDINGS: counted, not kept; errors replace weaker ones */
  bool full;
  size_t weaker; /* once the report is full: everything from this index on is an error */
  size_t errors, warnings;
} ho_report;

void ho_report_init(ho_report *report, ho_arena *arena, const ho_source *source);
/* offset HO_NOWHERE means no position. The message is one sentence without a full stop, on one line: control
 * characters that come from a document become spaces. */
void ho_report_add(ho_report *report, const ho_rule_info *rule, uint32_t offset, const ho_path *path,
                   const char *format, ...) HO_PRINTF(5, 6);
/* As ho_report_add, with a severity other than the rule's. */
void ho_report_add_as(ho_report *report, const ho_rule_info *rule, ho_severity severity, uint32_t offset,
                      const ho_path *path, const char *format, ...) HO_PRINTF(6, 7);
/* Stable sort by position (findings without one come first). */
void ho_report_sort(ho_report *report);
/* A path as a JSON Pointer; if that would be longer than 4096 bytes, the pointer of the nearest ancestor for which
 * it is not. */
ho_str ho_path_pointer(ho_arena *arena, const ho_path *path);
#endif
