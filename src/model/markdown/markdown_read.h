/* Shared by the readers of the Markdown formats: sections and labels become the fields of a table, according to their
 * shape.
 *
 * Every word of a document ends up in the tree. What does not fit a field's shape is kept as text beside it, under
 * keys that start with "x_": x_NAME_intro before a list, x_NAME_more after it, x_text in a record, x_sections for
 * sections that the table does not know. */
#ifndef HO_MODEL_MARKDOWN_MARKDOWN_READ_H
#define HO_MODEL_MARKDOWN_MARKDOWN_READ_H

#include "model/format.h"

typedef struct ho_markdown_reader {
  const ho_format *format;
  const ho_source *source;
  ho_arena *arena;
  ho_report *report;
  const ho_path *base; /* of the record being read; NULL: the root */
  bool *had_homeless;  /* ho_markdown_read_homeless has found its section */
} ho_markdown_reader;

/* Blocks first..end (end excluded, NULL: to the last). A label's own text, rest_from..rest_to, comes before them.
 * Inside a list item all lines are indented by `column`. */
typedef struct ho_markdown_part {
  const ho_md_block *heading, *first, *end;
  uint32_t rest_from, rest_to;
  unsigned column;
} ho_markdown_part;

/* The field of a record that a heading or label means: by label, name or alias, in any case, with or without a
 * leading number or symbols and a tail in parentheses; NULL if there is none. *exact: it is spelled like the table's
 * label or one of the aliases. */
const ho_field *ho_markdown_field(const ho_record *record, ho_str heading, bool *exact);
/* The same for the heading of a section, which may say more: "Key Decisions / What Landed", "Current State — line
 * 40". */
const ho_field *ho_markdown_section_field(const ho_record *record, ho_str heading, bool *exact);
/* Is it the field's own label (not an alias), in any case and with any tail? Heading marks are ignored. */
bool ho_markdown_is_label(const ho_field *field, ho_str heading);
/* Reports that a heading or label is spelled differently from the table. */
void ho_markdown_misspelt(const ho_markdown_reader *r, const ho_field *field, ho_str found, uint32_t place);
/* Reports a violation of one of the format's own rules that only shows while reading; nothing if there is no such
 * rule. */
void ho_markdown_found(const ho_markdown_reader *r, const char *rule, uint32_t place, const char *key,
                       const char *message);

/* Bytes from..to as text: lines end in "\n", lines after the first lose `column` columns of indentation, blank lines
 * at both ends are dropped. */
ho_str ho_markdown_slice(const ho_markdown_reader *r, uint32_t from, uint32_t to, unsigned column);
/* The same as a node with its position. */
ho_node *ho_markdown_slice_node(const ho_markdown_reader *r, uint32_t from, uint32_t to, unsigned column);
/* The same on one line, for headings. */
ho_node *ho_markdown_line_node(const ho_markdown_reader *r, uint32_t from, uint32_t to);
/* The whole text of a part as is, without its heading; NULL if it is empty. */
ho_node *ho_markdown_part_text(const ho_markdown_reader *r, const ho_markdown_part *part);

/* Reads a part according to the shape of `field` and adds it to `map`; what does not fit goes beside it. */
void ho_markdown_read_shape(const ho_markdown_reader *r, const ho_field *field, const ho_markdown_part *part,
                            ho_node *map);
/* Reads `**Label**: text` lines, `- **Label**: text` items and labels with a list below into those fields of the
 * record that have a shape; everything else goes to `kept` as text. `fits` may reject a value (NULL: none is
 * rejected), which is then kept as text, as is a label whose field is already in `map`. */
typedef bool (*ho_markdown_fits)(const ho_markdown_reader *r, const ho_field *field, ho_str text, ho_node *map);
void ho_markdown_read_labels(const ho_markdown_reader *r, const ho_record *record, const ho_markdown_part *part,
                             ho_markdown_fits fits, ho_node *map, const char *kept);

/* As ho_str_next_line, but a lone "\r" ends a line too, as it does in Markdown. If there is no line left, *line is
 * unchanged. */
bool ho_markdown_next_line(ho_str *rest, ho_str *line);
/* `first: second` (also bold, also with a dash); false if there is no second part. Shared with the writer. */
bool ho_markdown_split_pair(ho_str text, ho_str *first, ho_str *second);
/* `Kind: path, detail`; missing parts are empty. */
void ho_markdown_split_ref(ho_str text, ho_str *kind, ho_str *path, ho_str *detail);
/* `**Label**: rest`; false if the line is not a label. */
bool ho_markdown_split_label(ho_str line, ho_str *label, ho_str *rest);
/* Does a line start a list, a fence, a table, a quote or a heading? */
bool ho_markdown_starts_block(ho_str line);
/* Does the line begin an item of a list? */
bool ho_markdown_is_item(ho_str line);

/* A fence or an HTML block that is never closed would swallow whatever is written after it: writes what closes it. */
void ho_markdown_put_close(ho_buf *out, ho_md_kind kind, ho_str raw);

/* Adds {heading, level, text} to the list x_sections of `map`; returns the entry. */
ho_node *ho_markdown_keep_section(const ho_markdown_reader *r, const ho_markdown_part *part, ho_node *map);
/* Reads the keys of the section that ho_markdown_put_homeless wrote; a document has at most one. False if it is another
 * section. */
bool ho_markdown_read_homeless(const ho_markdown_reader *r, const ho_markdown_part *part, ho_node *map);
/* Puts the "x_" keys of a map in a fixed order, so that reading what was written gives the same tree. */
void ho_markdown_order_extras(ho_node *map);
#endif
