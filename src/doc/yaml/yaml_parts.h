/* Shared by the files of the YAML reader and writer; included by nobody else. */
#ifndef HO_DOC_YAML_YAML_PARTS_H
#define HO_DOC_YAML_YAML_PARTS_H

#include "base/buf.h"
#include "doc/report.h"

/* The type of a plain scalar: null, boolean, number or text (by the rules in yaml.h). */
ho_kind ho_yaml_resolve(ho_str plain);
/* True if `text`, written plain as a key or value of a block, reads back as this text in YAML 1.1 and 1.2. */
bool ho_yaml_plain_text(ho_str text);
/* Writes `text` as a double-quoted scalar on one line, escaping everything that is not printable or ends a line. */
void ho_yaml_quote(ho_buf *out, ho_str text);
/* True if YAML allows the code point outside of escapes and it neither ends a line nor is a tab. */
bool ho_yaml_printable(uint32_t cp);

/* From `at` in the text being read, offsets correspond to `source` in the file. */
typedef struct ho_yaml_shift {
  uint32_t at, source;
} ho_yaml_shift;

/* A text being read: part of the source, or a rewritten copy of it. */
typedef struct ho_yaml_text {
  const ho_source *source;
  ho_str text;
  const ho_yaml_shift *shifts; /* sorted; the first is at 0 */
  size_t shift_count;
} ho_yaml_text;

/* Why a text cannot be read. */
typedef struct ho_yaml_fault {
  uint32_t at; /* in the source */
  bool final;  /* something is never closed or is not a matter of one line: rewriting a value does not help */
} ho_yaml_fault;

typedef struct ho_yaml_result {
  ho_node *root;   /* never NULL on success */
  uint32_t second; /* where the second of several documents begins; HO_NOWHERE if there is one */
} ho_yaml_result;

/* One attempt to read. On HO_SYNTAX *fault and *err say why and where. */
ho_code ho_yaml_compose(const ho_yaml_text *text, ho_arena *arena, ho_yaml_result *result, ho_yaml_fault *fault,
                        ho_error *err) HO_NODISCARD;

/* After HO_SYNTAX with *fault: repairs lines of bytes from..to and reads again. On success *result is in `arena` and
 * each repaired place is a finding; otherwise *err says what could not be repaired. */
ho_code ho_yaml_recover(const ho_source *source, uint32_t from, uint32_t to, ho_arena *arena, ho_report *report,
                        ho_yaml_result *result, ho_yaml_fault *fault, ho_error *err) HO_NODISCARD;
#endif
