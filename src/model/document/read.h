/* read → recognise → bind → check, for one text. */
#ifndef HO_MODEL_DOCUMENT_READ_H
#define HO_MODEL_DOCUMENT_READ_H

#include "model/check.h"

typedef struct ho_doc {
  ho_source source;
  ho_report report;
  ho_encoding encoding;
  const ho_format *format; /* NULL: not recognised */
  ho_node *raw;   /* as the reader gave it, wrapper included (Markdown: the format's raw tree); NULL if not read */
  ho_node *root;  /* bound; NULL if the format is unknown */
  ho_md md;       /* the blocks of a Markdown document */
  ho_str wrapper; /* the key that wraps the document, or "" */
} ho_doc;

/* Reads `text`, whose name is `path`. format NULL: recognised by name, then by content. A text that cannot be read
 * is an error (HO_SYNTAX, HO_LIMIT, HO_MEMORY); a document of unknown format is not: doc->format is NULL then. The
 * findings so far are in doc->report. The project's limits apply (base/limits.h). */
ho_code ho_doc_read(ho_doc *doc, ho_arena *arena, ho_str path, ho_str text, const ho_format *format,
                    ho_error *err) HO_NODISCARD;
/* Part of ho_doc_read: reports the first hidden character (base/utf8.h) and how many there are, by what is written and, as
 * far as the text could be read, by what its escapes mean. */
void ho_doc_report_hidden(ho_doc *doc);
/* Adds the findings of the table and the rules (none if the format is unknown) and sorts all findings by position. */
ho_code ho_doc_check(ho_doc *doc, const ho_check_env *env, ho_error *err) HO_NODISCARD;
#endif
