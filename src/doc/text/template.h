/* The template language for prompts and file names.
 *
 *   {name} {a.b}            a value; a scalar's text as it is, everything else as JSON on one line
 *   {#each list} … {/each}  once for each item; inside, names are looked up in the item, then outwards; {.} is the
 *                           item. A value that is not a list counts as its only item; absent or empty has no items
 *   {#if name} … {else} … {/if}   whether it is present, not empty and not false
 *   {{ and }}               a brace
 * Names consist of letters, digits, '_' and '-'; in a list, a number names an item. A line that contains only a
 * {#…}, {else} or {/…} disappears. Unknown names are empty, unless strict. There are no expressions. Values are
 * inserted through `escape`, which the caller chooses. */
#ifndef HO_DOC_TEXT_TEMPLATE_H
#define HO_DOC_TEXT_TEMPLATE_H

#include "base/buf.h"
#include "doc/tree.h"

typedef void (*ho_template_escape)(ho_buf *out, ho_str value);

enum {
  HO_TEMPLATE_STRICT = 1, /* an unknown name is HO_NOT_FOUND with its position, except after #if */
};

/* Renders the template. A malformed one is HO_SYNTAX with its line and column, and nothing is written. The depth of
 * blocks and the number of rendering steps are limited. escape NULL: values are inserted unchanged. */
ho_code ho_template_write(ho_buf *out, ho_str text, const ho_node *values, unsigned options, ho_template_escape escape,
                          ho_error *err) HO_NODISCARD;
/* For file names: turns every byte outside [A-Za-z0-9._-] and a leading dot into '_', and an empty value into one
 * '_', so that a value cannot leave its folder. */
void ho_template_file_name(ho_buf *out, ho_str value);
#endif
