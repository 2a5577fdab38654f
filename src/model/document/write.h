/* Writing a bound tree. */
#ifndef HO_MODEL_DOCUMENT_WRITE_H
#define HO_MODEL_DOCUMENT_WRITE_H

#include "model/format.h"

/* Canonical form: the table's order, the wrapper around it, one newline at the end. HO_USAGE if the format has no
 * Markdown form. */
ho_code ho_doc_write(const ho_format *format, const ho_node *root, ho_encoding encoding, ho_buf *out,
                     ho_error *err) HO_NODISCARD;
/* The bound tree inside its wrapper, as JSON and YAML show it. */
ho_node *ho_doc_wrap(const ho_format *format, const ho_node *root, ho_arena *arena);
/* An empty document that is valid once filled in: every required and expected field with a placeholder that says
 * what belongs there. */
ho_node *ho_doc_template(const ho_format *format, ho_arena *arena);
#endif
