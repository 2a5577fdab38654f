/* A document for people, from its format's table. */
#ifndef HO_COMMAND_DOCUMENTS_SHOW_H
#define HO_COMMAND_DOCUMENTS_SHOW_H

#include "base/buf.h"
#include "model/format.h"

/* Short facts first, then one section per field, `columns` wide. */
void ho_show_text(ho_buf *out, const ho_format *format, const ho_node *root, size_t columns);
/* A whole page; texts are taken as Markdown, without raw HTML and with harmless links only. */
void ho_show_html(ho_buf *out, const ho_format *format, const ho_node *root);
/* What people call a field: its label, else its key with spaces and a capital. Put as it is. */
void ho_show_label(ho_buf *out, const ho_record *record, const ho_node *child);
/* The record of a child's value or items, or NULL. */
const ho_record *ho_show_record(const ho_record *record, const ho_node *child);
/* What a record is mainly about: the field a bare text would stand for, else its first text; NULL if there is none. */
const ho_node *ho_show_main(const ho_record *record, const ho_node *map);
/* Is it text that stood in a Markdown document without a label of its own? */
bool ho_show_is_loose(const ho_node *node);
/* Is it a list or map with something in it? */
bool ho_show_is_nested(const ho_node *node);
#endif
