/* A single line of YAML by itself: what its author meant as key and value. */
#ifndef HO_DOC_YAML_YAML_LINE_H
#define HO_DOC_YAML_YAML_LINE_H

#include "base/str.h"

typedef struct ho_yaml_line {
  size_t indent; /* bytes of white space at the front */
  size_t parent; /* column of the key, or of the last '-' if there is no key: continuation lines are indented further */
  bool is_item, has_key;
  size_t key_begin, key_end;
  size_t value_begin, value_end; /* the rest of the line, trimmed; may be empty */
} ho_yaml_line;

/* False if the line is neither `key: …` nor `- …`. `line` has no line ending. */
bool ho_yaml_line_split(ho_str line, ho_yaml_line *out);
/* The offset after the quote or bracket that closes the one at `at`; HO_NONE if it is not closed on this line; `at`
 * itself if there is neither. Anchors and tags before it are skipped. */
size_t ho_yaml_line_close(ho_str line, size_t at);
/* True if the line can only continue a plain value whose parent has that column. */
bool ho_yaml_line_continues(ho_str line, size_t parent);
#endif
