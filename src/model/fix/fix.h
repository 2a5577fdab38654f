/* Rewrites a real document so that it conforms, without losing or inventing anything.
 *
 * A fact that the document does not state remains a finding. Fixing a fixed document changes nothing. A document
 * that would not get better is left alone, byte for byte. */
#ifndef HO_MODEL_FIX_FIX_H
#define HO_MODEL_FIX_FIX_H

#include "model/document/read.h"

typedef struct ho_fix_env {
  ho_check_env check; /* its path is the one that the document will have */
  ho_str root;        /* the project's root, absolute; "": absolute paths stay as they are */
  ho_str details;     /* what the details file already contains; "" if there is none */
  ho_str old_details; /* the name of the details file before the document was renamed; "" if it was not */
} ho_fix_env;

typedef struct ho_fixed {
  bool changed;        /* the document is different now */
  ho_str text;         /* of the document */
  ho_str details;      /* the whole text of the details file; "" if nothing has to be added to it */
  ho_str details_name; /* its name, beside the document */
  size_t moved;        /* blocks of the document that are now only in the details file */
  ho_doc after;        /* the new document, read and checked */
} ho_fixed;

/* doc: read and checked. Returns HO_OK for a text that conforms as far as possible, whatever findings remain. */
ho_code ho_fix(const ho_doc *doc, const ho_fix_env *env, ho_arena *arena, ho_fixed *out, ho_error *err) HO_NODISCARD;

/* In place of the lines of a long goal that are in the details file only: "… 9 lines in NAME-details.md". */
#define HO_FIX_LINES_IN " lines in "
/* "phase-3-handoff.md" → "phase-3-handoff-details.md". */
ho_str ho_fix_details_name(ho_arena *arena, ho_str path);
/* The phase and the time in a file name ("phase-3-handoff-20260212.md"); "" for what it does not contain. */
void ho_fix_name_facts(ho_str path, ho_str *phase, ho_str *stamp);
#endif
