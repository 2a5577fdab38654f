/* Shared by the files of `fix`. */
#ifndef HO_MODEL_FIX_FIX_PARTS_H
#define HO_MODEL_FIX_FIX_PARTS_H

#include "model/fix/fix.h"

/* The single step of a next action: the text before a list if that is a step of its own, else the first item that
 * says what to do; "" if no item does. A text without a list is returned as is. */
ho_str ho_fix_one_step(ho_str text, ho_arena *arena);
/* Is there a letter or a digit? */
bool ho_fix_has_words(ho_str text);
/* The first paragraph on one line without leading marks, cut at the end of a sentence if it is long. */
ho_str ho_fix_shorten(ho_str text, ho_arena *arena);

typedef struct ho_artifact_fixer {
  const ho_doc *doc;
  const ho_fix_env *env;
  ho_arena *arena;
  ho_node *map; /* the tree that is being built */
} ho_artifact_fixer;

/* Sets phase, time and title from the document and its name. Every line before the first section is kept. */
void ho_fix_head(ho_artifact_fixer *fixer);
/* Keeps sections whose headings are not the format's own, but are understood. */
void ho_fix_keep_headings(ho_artifact_fixer *fixer);
typedef enum ho_fix_manner {
  HO_FIX_OWN,       /* with the author's headings, if possible */
  HO_FIX_CANONICAL, /* with the format's */
  HO_FIX_BARE,      /* nothing but the fields, each on one line */
} ho_fix_manner;

/* Writes the document as a one-screen artifact. `details`: part of it is in the details file, which the references
 * name. */
void ho_fix_artifact(const ho_doc *doc, const ho_fix_env *env, bool details, ho_fix_manner manner, ho_arena *arena,
                     ho_buf *out);
/* Does an artifact fit on one screen? For YAML and JSON, its Markdown form without x_kept is measured. */
bool ho_fix_fits_screen(const ho_doc *doc, const ho_node *tree, ho_arena *arena);
/* Removes from the tree of a YAML or JSON artifact what is too much; returns whether there was anything. */
bool ho_fix_artifact_tree(const ho_doc *doc, ho_node *tree, const ho_fix_env *env, ho_arena *arena);
/* Puts values into the form that their table wants: times, line ranges, tags, paths, lists that are too long. */
void ho_fix_values(const ho_record *record, ho_node *map, const ho_fix_env *env, ho_arena *arena);
/* If a value begins with one of the field's choices and then only remarks on it, it becomes that choice; the full
 * original text is kept beside it, as x_FIELD_stated. */
void ho_fix_choice(const ho_field *field, ho_node *map, ho_node *node, ho_arena *arena);
/* Handles what still does not fit a field of the map: turns it into a text if the field is a text, else moves it
 * beside the field, as x_NAME; list items go to x_NAME_further. Afterwards nothing is wrong and nothing is lost.
 * `item`: the map is itself a list item; if its main field does not fit, the whole item is moved. */
void ho_fix_aside(const ho_record *record, const ho_field *field, ho_node *map, bool item, ho_arena *arena);
/* Also moves aside what findings of a checked document call contradictory (rules with `aside`), in a tree like the
 * document's; returns whether anything moved. */
bool ho_fix_contradictions(const ho_doc *doc, ho_node *tree, ho_arena *arena);
/* The list beside a list, for what the first cannot hold; created if missing. */
ho_node *ho_fix_further(ho_node *map, const ho_field *field, ho_arena *arena);
/* If a key occurs more than once in a map, the later ones get names of their own. */
void ho_fix_duplicates(ho_node *node, ho_arena *arena, int depth);
/* Replaces the tree of a YAML or JSON document, or of a block in a Markdown one, by the fixed tree: value by value
 * if that is enough, else as a whole, with its comments in front. */
ho_code ho_fix_tree(const ho_doc *doc, const ho_node *fixed, ho_arena *arena, ho_buf *out, ho_error *err) HO_NODISCARD;
/* Value by value; everything else stays as is. False if that is not enough. */
bool ho_fix_splice(const ho_doc *doc, const ho_node *fixed, ho_arena *arena, ho_buf *out);
/* The comments of a YAML or JSON text between from and to, without their marks, as a list of texts. */
ho_node *ho_fix_comments(const ho_doc *doc, uint32_t from, uint32_t to, ho_arena *arena);
#endif
