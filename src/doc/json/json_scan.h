/* The tokens of JSON: what json_read.c is made of, and nobody else includes.
 *
 * `at` is the byte that comes next. A scan that succeeds leaves it after the token; one that fails fills the error with
 * the place of the first byte that no JSON text could have there. */
#ifndef HO_DOC_JSON_JSON_SCAN_H
#define HO_DOC_JSON_JSON_SCAN_H

#include "doc/source.h"

typedef struct ho_json_scan {
  const ho_source *source;
  ho_str text;
  size_t at;
  ho_arena *arena; /* for texts with escapes; all others are slices of the source */
  ho_error *err;
} ho_json_scan;

/* The next byte; NUL, which no source holds, at the end. */
static inline char ho_json_peek(const ho_json_scan *s)
{
  return s->at < s->text.n ? s->text.p[s->at] : '\0';
}

static inline void ho_json_skip_space(ho_json_scan *s)
{
  size_t at = s->at;
  while (at < s->text.n) {
    char c = s->text.p[at];
    if (c != ' ' && c != '\n' && c != '\r' && c != '\t')
      break;
    at++;
  }
  s->at = at;
}

/* At a quote: the text decoded, without its quotes. */
ho_code ho_json_scan_text(ho_json_scan *s, ho_str *out) HO_NODISCARD;
/* At a digit or '-': the number as it is written. */
ho_code ho_json_scan_number(ho_json_scan *s, ho_str *out) HO_NODISCARD;
/* At 't', 'f' or 'n': true, false or null. */
ho_code ho_json_scan_word(ho_json_scan *s, ho_str *out) HO_NODISCARD;

/* HO_SYNTAX at byte `at`: what was expected, then what was found there. */
ho_code ho_json_fail(const ho_json_scan *s, size_t at, const char *expected);
/* HO_LIMIT at byte `at`. */
ho_code ho_json_fail_limit(const ho_json_scan *s, size_t at, const char *what, size_t limit);
#endif
