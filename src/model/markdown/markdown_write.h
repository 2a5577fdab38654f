/* What the writers of the Markdown formats share: the way back from markdown_read.h. */
#ifndef HO_MODEL_MARKDOWN_MARKDOWN_WRITE_H
#define HO_MODEL_MARKDOWN_MARKDOWN_WRITE_H

#include "model/format.h"

/* Text as it stands, ended by a newline. What in it would begin another section or swallow the ones after it gets a
 * backslash, which the reader takes away again. */
void ho_md_put_text(ho_buf *out, ho_str text);
/* The same where other headings than those of level 1 and 2 begin a section. */
typedef bool (*ho_md_starts)(const ho_md_block *heading);
void ho_md_put_text_in(ho_buf *out, ho_str text, ho_md_starts starts);
/* `marker` (such as "1. "), then the text with its further lines indented to stand under it. */
void ho_md_put_item(ho_buf *out, const char *marker, ho_str text);
/* `- **Label**: text`; more than one line of plain text become a fence below the label. */
void ho_md_put_label_item(ho_buf *out, const char *label, ho_str text);
/* The text on one line. */
void ho_md_put_line(ho_buf *out, ho_str text);
/* A fence that nothing in the text can close. */
void ho_md_put_fence(ho_buf *out, const char *info, ho_str text);
/* A heading on one line, an empty line before it unless it is the first. */
void ho_md_put_heading(ho_buf *out, unsigned level, ho_str text);

/* The items of a field as its shape writes them, with x_NAME_intro before and x_NAME_more after them from `map`. */
void ho_md_put_list(ho_buf *out, const ho_field *field, const ho_node *map);
/* True if `map` has the field or something beside it that belongs under its heading. */
bool ho_md_has_field(const ho_field *field, const ho_node *map);
/* The field's section, heading included. */
void ho_md_put_section(ho_buf *out, const ho_field *field, const ho_node *map);
/* Is the key x_NAME_intro or x_NAME_more of a field? */
bool ho_md_stands_beside(const ho_record *record, ho_str key);
/* What a map holds beyond its record and the keys `own` ("a|b"), which the writer sees to itself: as YAML in a section of
 * its own, or as items `- **key**: value`, which read back as text. */
void ho_md_put_homeless(ho_buf *out, const ho_record *record, const ho_node *map, const char *own);
void ho_md_put_homeless_items(ho_buf *out, const ho_record *record, const ho_node *map, const char *own);
/* One entry of x_sections. */
void ho_md_put_kept_section(ho_buf *out, const ho_node *entry);
#endif
