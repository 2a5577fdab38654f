/* Formats of other tools, as tables like our own: fields, roles, marks. They are read and never written.
 *
 * A document is recognised by its contents, not by its name. Values move to the task format by role, as in a
 * conversion (model/convert/convert_move.h); the whole original is kept beside them, so that nothing is lost,
 * whatever its shape. */
#ifndef HO_MODEL_FOREIGN_FOREIGN_H
#define HO_MODEL_FOREIGN_FOREIGN_H

#include "model/document/read.h"

typedef struct ho_foreign {
  const ho_format *format; /* name, title, fields and marks; its Markdown shape if it has one */
  bool named_only;         /* so general that only a file the user names is treated as one */
  /* Brings the raw tree into one of the shapes that the table knows; NULL: nothing to do. */
  void (*prepare)(ho_node *raw, ho_arena *arena);
} ho_foreign;

/* In the order in which recognition tries them; ended by one without a format. */
extern const ho_foreign ho_foreign_formats[];

extern const ho_format ho_foreign_continuous, ho_foreign_orchestrator, ho_foreign_humanlayer, ho_foreign_report;
void ho_foreign_prepare_orchestrator(ho_node *raw, ho_arena *arena);
/* Reads front matter, title and sections of a Markdown document into the fields of `format`. */
ho_code ho_foreign_read_markdown(const ho_format *format, const ho_source *source, const ho_md *md, ho_arena *arena,
                                 ho_report *report, ho_node **out, ho_error *err);

typedef struct ho_imported {
  const ho_foreign *from; /* NULL: not recognised */
  const ho_format *ours;  /* not NULL: it already is one of our documents, and nothing was converted */
  ho_node *task;          /* bound tree of the format task, with x_kept: {from, fields (what has no place), text} */
  ho_str text;            /* the same as YAML */
  ho_node *kept;          /* list of pointers: fields that have no place in the task format */
  ho_report report;       /* what is wrong with the original, as warnings */
  ho_doc doc;             /* the result, read and checked */
} ho_imported;

/* path: of the original. named: the user named this very file; then a document that no table fits, or a text that
 * cannot be read as what it should be, is imported anyway: Markdown by its words, anything else as text. Otherwise
 * out->from and out->task are NULL if no table fits. HO_SYNTAX if the bytes are not text. */
ho_code ho_import(ho_str path, ho_str text, bool named, ho_str root, const ho_check_env *env, ho_arena *arena,
                  ho_imported *out, ho_error *err) HO_NODISCARD;
#endif
