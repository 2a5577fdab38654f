/* Converts a document to another format, by role.
 *
 * Values move from the fields of one format to those of another that have the same role (model/format.h) and describe
 * the same kind of thing. Nothing is invented and nothing is lost: what would not come back if the result were
 * converted back is kept in the result, under `x_kept`:
 *
 *   x_kept:
 *     from: task               the format it comes from
 *     fields: {…}              values of the original, at their places; an entry {x_items: […]} in place of a list
 *                              completes those of its items that have the same main text
 *     without: [/decision]     what converting back would add and the original does not have
 *     unplaced: [{at, item}]   parts of items that a later edit removed
 *
 * Converting back restores all of it, so A → B → A gives the original, and edits made to B in between survive. */
#ifndef HO_MODEL_CONVERT_CONVERT_H
#define HO_MODEL_CONVERT_CONVERT_H

#include "model/format.h"

#define HO_KEPT "x_kept"

typedef struct ho_conversion {
  const ho_format *from, *to;
  /* How the source was read and how the result will be written. Markdown cannot hold every tree; what it cannot hold
   * is kept as well. */
  ho_encoding from_encoding, to_encoding;
} ho_conversion;

/* tree: bound, a map; it is not changed. *out is bound too, and shares no node with it. *kept lists the pointers
 * (texts) of what is kept under x_kept, in terms of the source; empty if everything moved. HO_USAGE if Markdown is
 * wanted and the target has no Markdown form. */
ho_code ho_convert(const ho_conversion *how, const ho_node *tree, ho_arena *arena, ho_node **out, ho_node **kept,
                   ho_error *err) HO_NODISCARD;

/* For a details file, so that a one-screen Markdown document need not contain x_kept: a section with a fence of
 * YAML. */
void ho_kept_write(ho_buf *out, const ho_node *kept);
/* Finds that section in a Markdown text; *kept is NULL if there is none that can be read. */
ho_code ho_kept_read(ho_str markdown, ho_arena *arena, ho_node **kept, ho_error *err) HO_NODISCARD;
#endif
