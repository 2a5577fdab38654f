/* What a text may look like: named, with a test in C and the same as a pattern for JSON Schema. */
#ifndef HO_MODEL_SYNTAX_H
#define HO_MODEL_SYNTAX_H

#include "doc/report.h"

typedef struct ho_syntax {
  ho_rule_info rule;    /* first: what is reported when a text does not match */
  const char *expected; /* start of the message: "expected N-M or all" */
  const char *pattern;  /* ECMA-262, anchored; matches exactly the texts for which `matches` is true */
  bool (*matches)(ho_str text);
  /* True if the text is another spelling of the same thing, so that the finding is only a warning. May be NULL. */
  bool (*understood)(ho_str text);
} ho_syntax;

extern const ho_syntax ho_syntax_TIME;     /* 2026-02-12T14:30:22Z, offset and fraction allowed; rule time-form */
extern const ho_syntax ho_syntax_STAMP;    /* 20260212T143022Z; rule stamp-form; the other eight forms are understood */
extern const ho_syntax ho_syntax_LINES;    /* 45-67 or all; rule lines-range; a lone number or L45-L67 is understood */
extern const ho_syntax ho_syntax_TAG;      /* lower-case-hyphenated; rule tag-form */
extern const ho_syntax ho_syntax_RELATIVE; /* a path inside the project; rule path-relative; absolute paths are an
                                              error, as is ".." that leaves it */
extern const ho_syntax
    ho_syntax_ABSOLUTE; /* a path from "/" (or a drive); rule path-absolute; relative paths are understood */
extern const ho_syntax ho_syntax_SLUG;     /* snake_case; rule slug-form */
extern const ho_syntax ho_syntax_ONE_LINE; /* no line break; rule one-line */

/* All of them, NULL-ended. */
extern const ho_syntax *const ho_syntaxes[];

/* A time in any of the forms seen in file names and documents as YYYYMMDDTHHMMSSZ (missing parts 0, offsets applied);
 * false if it is none. `exact` says whether it was written in the canonical form. */
bool ho_stamp_read(ho_str text, char out[17], bool *exact);
#endif
