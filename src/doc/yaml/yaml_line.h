/* One line of YAML looked at on its own: what an author meant to be its key and its value. */
#ifndef HO_DOC_YAML_YAML_LINE_H
#define HO_DOC_YAML_YAML_LINE_H

#include "base/str.h"

typedef struct ho_yaml_line {
  size_t indent; /* bytes of white space at the front */
  size_t parent; /* column of the key, or of the last '-' where there is no key: what goes on below is indented more */
  bool is_item, has_key;
  size_t key_begin, key_end;
  size_t value_begin, value_end; /* the rest of the line, trimmed; may be empty */
} ho_yaml_line;

/* False if the line is neither `key: …` nor `- …`. `line` is without its end. */
bool ho_yaml_line_split(ho_str line, ho_yaml_line *out);
/* Past the quote or bracket that closes the one at `at`; HO_NONE if it is not closed in this line; `at` itself where
 * neither stands there. Anchors and tags before it are passed over. */
size_t ho_yaml_line_close(ho_str line, size_t at);
/* True if the line can only be more text of a plain value whose parent has that column. */
bool ho_yaml_line_continues(ho_str line, size_t parent);
#endif
