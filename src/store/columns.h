/* Conversion between database rows and structs. */
#ifndef HO_STORE_COLUMNS_H
#define HO_STORE_COLUMNS_H

#include "base/grow.h"
#include "base/words.h"
#include "store/inside.h"

/* Data of a row callback that expects a single row. */
typedef struct ho_one_number {
  int64_t value;
  bool found;
} ho_one_number;
ho_code ho_columns_take_number(void *data, const ho_value *columns, ho_error *err);

typedef struct ho_one_text {
  ho_arena *arena;
  ho_str value;
  bool found;
} ho_one_text;
ho_code ho_columns_take_text(void *data, const ho_value *columns, ho_error *err);

/* A row callback that passes on the first column of each row. */
typedef struct ho_each_text {
  ho_text_each each;
  void *data;
} ho_each_text;
ho_code ho_columns_take_each(void *data, const ho_value *columns, ho_error *err);

/* A row callback that adds the first column of each row to an ho_numbers. */
ho_code ho_columns_take_numbers(void *data, const ho_value *columns, ho_error *err);

/* Where the fields of a struct are, in column order. */
typedef struct ho_column {
  size_t offset;
  bool number;           /* an int64_t, else a ho_str */
  const ho_words *words; /* not NULL: the field is the enum of this set, the column its word */
  bool hashed;           /* part of the row's fingerprint */
} ho_column;
/* What HO_COLUMN_ROW makes of the kinds in a list of columns (store/sql_columns.h). Tables with closed sets add theirs. */
#define HO_COLUMN_TEXT false, NULL
#define HO_COLUMN_NUMBER true, NULL
#define HO_COLUMN_ROW(type, kind, field) offsetof(type, field), HO_COLUMN_##kind

/* Copies the texts if there is an arena. HO_STORE if a text is not a word of its column's set. */
ho_code ho_columns_take(const ho_column *columns, size_t count, void *record, const ho_value *values, ho_arena *arena,
                        ho_error *err) HO_NODISCARD;
/* Copies the texts of a record into the arena. */
void ho_columns_copy(const ho_column *columns, size_t count, void *record, ho_arena *arena);
void ho_columns_give(const ho_column *columns, size_t count, const void *record, ho_value *values);
#endif
