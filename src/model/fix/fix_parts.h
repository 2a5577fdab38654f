/* What the files of `fix` share among themselves. */
#ifndef HO_MODEL_FIX_FIX_PARTS_H
#define HO_MODEL_FIX_FIX_PARTS_H

#include "model/fix/fix.h"

/* The one step of a next action: the text before a list where that is a step of its own, else the first item that says
 * what to do; "" where no item says anything. A text without a list is returned as it is. */
ho_str ho_fix_one_step(ho_str text, ho_arena *arena);
/* Is there a letter or a digit? */
bool ho_fix_has_words(ho_str text);
/* The first paragraph on one line without marks before it, cut at the end of a sentence where it is long. */
ho_str ho_fix_shorten(ho_str text, ho_arena *arena);

typedef struct ho_artifact_fixer {
  const ho_doc *doc;
  const ho_fix_env *env;
  ho_arena *arena;
  ho_node *map; /* the tree that is being made */
} ho_artifact_fixer;

/* Phase, time and title from what the document and its name tell. Every line before the first section stays. */
void ho_fix_head(ho_artifact_fixer *fixer);
/* Sections whose headings the format only understands stay as they are. */
void ho_fix_keep_headings(ho_artifact_fixer *fixer);
typedef enum ho_fix_manner {
  HO_FIX_OWN,       /* with the author's headings, where that may be */
  HO_FIX_CANONICAL, /* with the format's */
  HO_FIX_BARE,      /* nothing but the fields, each on one line */
} ho_fix_manner;

/* The document as an artifact of one screen. `details`: something of it is in the details file, which References name.
 */
void ho_fix_artifact(const ho_doc *doc, const ho_fix_env *env, bool details, ho_fix_manner manner, ho_arena *arena,
                     ho_buf *out);
/* Does an artifact fit one screen? In YAML and JSON its Markdown form is meant, without x_kept. */
bool ho_fix_fits_screen(const ho_doc *doc, const ho_node *tree, ho_arena *arena);
/* The tree of an artifact in YAML or JSON, without what is too much; returns whether that was anything. */
bool ho_fix_artifact_tree(const ho_doc *doc, ho_node *tree, const ho_fix_env *env, ho_arena *arena);
/* Values in the form that their table wants: times, line ranges, tags, paths, lists that are too long. */
void ho_fix_values(const ho_record *record, ho_node *map, const ho_fix_env *env, ho_arena *arena);
/* A value that begins with one of the field's choices and remarks on it becomes that choice; the whole of what stood there
 * is kept beside it, as x_FIELD_stated. */
void ho_fix_choice(const ho_field *field, ho_node *map, ho_node *node, ho_arena *arena);
/* What does not fit a field of the map even so: a text is made of it where the field is one, else it goes beside the
 * field, as x_NAME; items of a list as x_NAME_further. Nothing wrong is left then, and nothing lost. `item`: the map is
 * one of a list, and goes there as a whole where its main field is what does not fit. */
void ho_fix_aside(const ho_record *record, const ho_field *field, ho_node *map, bool item, ho_arena *arena);
/* What findings of a checked document say is contradictory (rules with `aside`) goes beside, too, in a tree like the
 * document's; returns whether anything did. */
bool ho_fix_contradictions(const ho_doc *doc, ho_node *tree, ho_arena *arena);
/* The list beside one, for what that cannot hold; made where it is not there. */
ho_node *ho_fix_further(ho_node *map, const ho_field *field, ho_arena *arena);
/* Keys that stand twice in a map: the later ones get names of their own. */
void ho_fix_duplicates(ho_node *node, ho_arena *arena, int depth);
/* The fixed tree of a YAML or JSON document, or of a block in a Markdown one, in place of the old: value by value where
 * that is enough, else as a whole, with the comments before it. */
ho_code ho_fix_tree(const ho_doc *doc, const ho_node *fixed, ho_arena *arena, ho_buf *out, ho_error *err) HO_NODISCARD;
/* Value by value: everything else stays as it is. False where that is not enough. */
bool ho_fix_splice(const ho_doc *doc, const ho_node *fixed, ho_arena *arena, ho_buf *out);
/* The comments of a YAML or JSON text between from and to, without their marks, as a list of texts. */
ho_node *ho_fix_comments(const ho_doc *doc, uint32_t from, uint32_t to, ho_arena *arena);
#endif
