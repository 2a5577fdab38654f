/* The tokens of JSON: the building blocks of json_read.c, included by nobody else.
 *
 * `at` is the next byte. A successful scan leaves it after the token; a failed one reports the position of the first
 * byte that cannot be there in any JSON text. */
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

/* The next byte; at the end NUL, which no source contains. */
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

/* At a quote: decodes the text, without its quotes. */
ho_code ho_json_scan_text(ho_json_scan *s, ho_str *out) HO_NODISCARD;
/* At a digit or '-': reads the number as written. */
ho_code ho_json_scan_number(ho_json_scan *s, ho_str *out) HO_NODISCARD;
/* At 't', 'f' or 'n': reads true, false or null. */
ho_code ho_json_scan_word(ho_json_scan *s, ho_str *out) HO_NODISCARD;

/* HO_SYNTAX at byte `at`: what was expected, then what was found. */
ho_code ho_json_fail(const ho_json_scan *s, size_t at, const char *expected);
/* HO_LIMIT at byte `at`. */
ho_code ho_json_fail_limit(const ho_json_scan *s, size_t at, const char *what, size_t limit);
#endif
