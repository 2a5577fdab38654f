/* Rewriting a real document so that it conforms, losing and inventing nothing.
 *
 * A fact that the document does not state stays a finding. Fixing what was fixed changes nothing. A document that would
 * not get better is left as it is, byte for byte. */
#ifndef HO_MODEL_FIX_FIX_H
#define HO_MODEL_FIX_FIX_H

#include "model/document/read.h"

typedef struct ho_fix_env {
  ho_check_env check; /* its path is the one that the document will have */
  ho_str root;        /* the project's root, absolute; "": absolute paths stay as they are */
  ho_str details;     /* what the details file holds already; "" where there is none */
  ho_str old_details; /* what the details file was called before the document got another name; "" if it did not */
} ho_fix_env;

typedef struct ho_fixed {
  bool changed;        /* the document is another one now */
  ho_str text;         /* of the document */
  ho_str details;      /* the whole text of the details file; "" where nothing has to be added to it */
  ho_str details_name; /* its name, beside the document */
  size_t moved;        /* blocks of the document that stand in the details file alone */
  ho_doc after;        /* the document as it is now, read and checked */
} ho_fixed;

/* doc: read and checked. A text that conforms as far as it can is HO_OK, whatever findings are left. */
ho_code ho_fix(const ho_doc *doc, const ho_fix_env *env, ho_arena *arena, ho_fixed *out, ho_error *err) HO_NODISCARD;

/* "phase-3-handoff.md" → "phase-3-handoff-details.md". */
ho_str ho_fix_details_name(ho_arena *arena, ho_str path);
/* The phase and the time that a file name tells ("phase-3-handoff-20260212.md"): what is not there is "". */
void ho_fix_name_facts(ho_str path, ho_str *phase, ho_str *stamp);
#endif
