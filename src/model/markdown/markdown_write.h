/* Shared by the writers of the Markdown formats: the reverse of markdown_read.h. */
#ifndef HO_MODEL_MARKDOWN_MARKDOWN_WRITE_H
#define HO_MODEL_MARKDOWN_MARKDOWN_WRITE_H

#include "model/format.h"

/* Writes text as is, with a newline at the end. Whatever would begin another section or swallow the ones after it
 * gets a backslash, which the reader removes again. */
void ho_markdown_put_text(ho_buf *out, ho_str text);
/* The same for documents in which other headings than those of levels 1 and 2 begin a section. */
typedef bool (*ho_md_starts)(const ho_md_block *heading);
void ho_markdown_put_text_in(ho_buf *out, ho_str text, ho_md_starts starts);
/* `- **Label**: text`; several lines of plain text become a fence below the label. */
void ho_markdown_put_label_item(ho_buf *out, const char *label, ho_str text);
/* The text on one line. */
void ho_markdown_put_line(ho_buf *out, ho_str text);
/* A fence that nothing in the text can close. */
void ho_markdown_put_fence(ho_buf *out, const char *info, ho_str text);
/* A heading on one line, an empty line before it unless it is the first. */
void ho_markdown_put_heading(ho_buf *out, unsigned level, ho_str text);

/* The items of a field in the form its shape prescribes, with x_NAME_intro before and x_NAME_more after them from
 * `map`. */
void ho_markdown_put_list(ho_buf *out, const ho_field *field, const ho_node *map);
/* True if `map` has the field or something beside it that belongs under its heading. */
bool ho_markdown_has_field(const ho_field *field, const ho_node *map);
/* The field's section, heading included. */
void ho_markdown_put_section(ho_buf *out, const ho_field *field, const ho_node *map);
/* Is the key x_NAME_intro or x_NAME_more of a field? */
bool ho_markdown_stands_beside(const ho_record *record, ho_str key);
/* Writes what a map holds beyond its record and the keys `own` ("a|b"), which the caller writes itself: as YAML in a
 * section of its own, or as items `- **key**: value`, which read back as text. */
void ho_markdown_put_homeless(ho_buf *out, const ho_record *record, const ho_node *map, const char *own);
void ho_markdown_put_homeless_items(ho_buf *out, const ho_record *record, const ho_node *map, const char *own);
/* One entry of x_sections. */
void ho_markdown_put_kept_section(ho_buf *out, const ho_node *entry);
#endif
