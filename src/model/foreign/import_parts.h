/* Shared by the files of an import. */
#ifndef HO_MODEL_FOREIGN_IMPORT_PARTS_H
#define HO_MODEL_FOREIGN_IMPORT_PARTS_H

#include "model/foreign/foreign.h"

/* One import in progress. */
typedef struct ho_import_job {
  ho_str path, text, root;
  bool named;
  ho_arena *arena;
  ho_doc doc;       /* the original */
  ho_node *raw;     /* its keys; NULL if it has none */
  ho_encoding from; /* how it is read */
  ho_imported *out;
} ho_import_job;

/* Reads the original: its keys, its blocks, its encoding. A text that cannot be read as what it should be counts as
 * Markdown if the user named it. */
ho_code ho_import_read(ho_import_job *j, ho_error *err) HO_NODISCARD;
/* The table that fits, or NULL. general: also one of those that fit almost anything. */
const ho_foreign *ho_import_recognise(const ho_import_job *j, bool general);

/* Brings every list of texts in the table into the shape of a list of texts. */
void ho_import_shape(const ho_format *format, ho_node *raw, ho_arena *arena);
/* Removes what is not a fact from the task: placeholders, and items without their main text. */
void ho_import_facts(const ho_format *task_format, ho_node *task);

/* x_kept of the result: the parts of the original that have no place in it, and the original itself. */
void ho_import_keep_fields(ho_import_job *j, const ho_node *bound);
void ho_import_keep_text(const ho_import_job *j, ho_node *task);
#endif
