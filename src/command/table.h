/* Tables: how a list in a result is shown to people. A command names its table, and the surface prints it.
 *
 * On a terminal a table has a heading and is as wide as the terminal: wide columns are cut (with "…"), then columns that
 * can be spared are left out, and times are ages. Anywhere else there are only rows, nothing is cut, and times are whole:
 * scripts read it, which take the first column, and agents, who cannot make a window wider. A column in which no row has
 * anything is left out. */
#ifndef HO_COMMAND_TABLE_H
#define HO_COMMAND_TABLE_H

#include "base/buf.h"
#include "command/command.h"

typedef enum ho_cell {
  HO_CELL_TEXT,  /* as it is, on one line */
  HO_CELL_NAME,  /* a name from a document or a caller (engine/project/quote.h) */
  HO_CELL_ID,    /* bold */
  HO_CELL_STATE, /* coloured by what it means for the reader */
  HO_CELL_TIME,  /* how long ago, or until then */
} ho_cell;

typedef struct ho_table_column {
  const char *title; /* the heading, in capitals */
  const char *key;   /* the member of an item that it shows, and its name for --fields and --sort */
  ho_cell as;
  unsigned least; /* cells it keeps where there is little room; 0: it is never cut */
  unsigned good;  /* cells it gets, if it needs them, before columns that can be spared get any */
  bool spare;     /* left out if there is no room */
  /* Instead of the member: what is made of several, as safe text. */
  void (*put)(ho_buf *out, const ho_node *item);
} ho_table_column;

struct ho_table {
  const char *list;               /* the member of the result that has the rows */
  const ho_record *record;        /* of a row */
  const ho_table_column *columns; /* ended by one without a title */
  /* What stands below a row: whole lines, as safe text, no wider than a terminal of this width (0: it is none); or NULL. */
  void (*below)(ho_buf *out, const ho_node *item, size_t width);
};
#define HO_COLUMNS_END                                                                                                 \
  {                                                                                                                    \
    0                                                                                                                  \
  }

/* "now", "5m", "3h", "2d", "6w", "3y": a span of time in at most four cells. */
void ho_table_put_span(ho_buf *out, int64_t ms);
/* Prints the rows, with `indent` spaces before each line; no heading unless `heading`. Columns: those of the table, or
 * those that --fields names. */
void ho_table_put(const ho_call *call, ho_buf *out, const ho_table *table, const ho_node *rows, size_t indent,
                  bool heading, bool colour);
#endif
