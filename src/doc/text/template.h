/* The template language for prompts and file names.
 *
 *   {name} {a.b}            a value; a scalar's text as it is, everything else as JSON on one line
 *   {#each list} … {/each}  once for each item; inside, names are looked up in the item, then outwards; {.} is the
 *                           item. What is no list counts as its only item, what is absent or empty has none
 *   {#if name} … {else} … {/if}   whether it is present, not empty and not false
 *   {{ and }}               a brace
 * Names are made of letters, digits, '_' and '-'; in a list a number names an item. A line that holds only a {#…},
 * {else} or {/…} leaves no line behind. Names that do not exist are empty, unless strict. There are no expressions.
 * Values are put in as they are: who renders says how they are escaped. */
#ifndef HO_DOC_TEXT_TEMPLATE_H
#define HO_DOC_TEXT_TEMPLATE_H

#include "base/buf.h"
#include "doc/tree.h"

typedef void (*ho_template_escape)(ho_buf *out, ho_str value);

enum {
  HO_TEMPLATE_STRICT = 1, /* an unknown name is HO_NOT_FOUND with its place, except after #if */
};

/* Renders; a malformed template is HO_SYNTAX with line and column in it, and nothing has been written then. Depth of
 * blocks and steps of rendering are limited. escape NULL: values as they are. */
ho_code ho_template_write(ho_buf *out, ho_str text, const ho_node *values, unsigned options, ho_template_escape escape,
                          ho_error *err) HO_NODISCARD;
/* For file names: turns every byte outside [A-Za-z0-9._-] and a dot at the beginning into '_', and makes an empty value
 * one '_', so that a value cannot leave its folder. */
void ho_template_file_name(ho_buf *out, ho_str value);
#endif
