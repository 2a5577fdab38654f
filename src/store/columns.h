/* Conversion between database rows and structs. */
#ifndef HO_STORE_COLUMNS_H
#define HO_STORE_COLUMNS_H

#include "base/grow.h"
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

/* Where the fields of a struct are, in column order. */
typedef struct ho_column {
  size_t offset;
  bool number;
  bool printed; /* part of the row's fingerprint */
} ho_column;
void ho_columns_take(const ho_column *columns, size_t count, void *record, const ho_value *values, ho_arena *arena);
void ho_columns_give(const ho_column *columns, size_t count, const void *record, ho_value *values);
#endif
