/* Reading JSON (RFC 8259) into the tree and writing it. */
#ifndef HO_DOC_JSON_JSON_H
#define HO_DOC_JSON_JSON_H

#include "base/buf.h"
#include "doc/report.h"

enum {
  HO_JSON_COMMENTS = 1, /* line and block comments are skipped, with one warning each */
};

/* Reads the whole source as one JSON value. Numbers keep their text; duplicate keys are findings and both are kept;
 * depth, values and number length are limited (HO_LIMIT with the position). HO_SYNTAX carries line and column of the
 * first byte that cannot be there in any JSON text (for half a surrogate pair: its backslash). Spans of texts and
 * keys include their quotes; a text without escapes is a slice of the source. report may be NULL; *out is set on
 * success only. */
ho_code ho_json_read(const ho_source *source, unsigned options, ho_arena *arena, ho_report *report, ho_node **out,
                     ho_error *err) HO_NODISCARD;

/* indent 0: one line without spaces; else that many spaces per level, one member per line, empty list and map as []
 * {}. No newline at the end. Text is written as UTF-8, escaping only what JSON requires and DEL, U+2028, U+2029.
 * Numbers are written unchanged, except that those which only YAML has (+1, .5, 0x1F) are converted to JSON's form,
 * and .inf and .nan become text. */
void ho_json_write(ho_buf *out, const ho_node *node, unsigned indent);
/* A string with its quotes. */
void ho_json_write_text(ho_buf *out, ho_str text);
#endif
