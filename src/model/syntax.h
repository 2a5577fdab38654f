/* What a text may look like: each syntax has a name, a test in C, and the same test as a pattern for JSON Schema. */
#ifndef HO_MODEL_SYNTAX_H
#define HO_MODEL_SYNTAX_H

#include "doc/report.h"

typedef struct ho_syntax {
  ho_rule_info rule;    /* first: what is reported when a text does not match */
  const char *expected; /* start of the message: "expected N-M or all" */
  const char *pattern;  /* ECMA-262, anchored; matches exactly the texts that `matches` accepts */
  bool (*matches)(ho_str text);
  /* True if the text is another spelling of the same thing, which makes the finding a warning. May be NULL. */
  bool (*understood)(ho_str text);
} ho_syntax;

extern const ho_syntax ho_syntax_TIME; /* 2026-02-12T14:30:22Z, offset and fraction allowed; rule time-form */
/* 20260212T143022Z; rule stamp-form; the other eight forms are accepted with a warning */
extern const ho_syntax ho_syntax_STAMP;
/* 45-67 or all; rule lines-range; a single number or L45-L67 is accepted with a warning */
extern const ho_syntax ho_syntax_LINES;
extern const ho_syntax ho_syntax_TAG; /* lower-case-hyphenated; rule tag-form */
/* a path inside the project; rule path-relative; an absolute path is an error, and so is ".." that leaves the
 * project */
extern const ho_syntax ho_syntax_RELATIVE;
/* a path from "/" (or a drive); rule path-absolute; relative paths are accepted with a warning */
extern const ho_syntax ho_syntax_ABSOLUTE;
extern const ho_syntax ho_syntax_SLUG;     /* snake_case; rule slug-form */
extern const ho_syntax ho_syntax_ONE_LINE; /* no line break; rule one-line */
/* an agent's name; rule name-form; letters of other scripts and spaces are accepted with a warning */
extern const ho_syntax ho_syntax_NAME;

/* All of them, NULL-ended. */
extern const ho_syntax *const ho_syntaxes[];

/* Reads a time in any of the forms seen in file names and documents, and writes it as YYYYMMDDTHHMMSSZ (missing
 * parts are 0, offsets are applied); false if the text is not a time. `exact` says whether it was written in the
 * canonical form. */
bool ho_stamp_read(ho_str text, char out[17], bool *exact);
/* The same in milliseconds since 1970, with space around it allowed; a date alone is its first moment. */
bool ho_stamp_time(ho_str text, int64_t *out);
#endif
