#include "store/columns.h"

ho_code ho_columns_take_number(void *data, const ho_value *columns, ho_error *err)
{
  (void)err;
  *(ho_one_number *)data = (ho_one_number){.value = columns[0].i, .found = true};
  return HO_OK;
}

ho_code ho_columns_take_text(void *data, const ho_value *columns, ho_error *err)
{
  ho_one_text *one = data;
  one->value = ho_arena_copy(one->arena, columns[0].s);
  one->found = true;
  return ho_arena_code(one->arena, err);
}

ho_code ho_columns_take_each(void *data, const ho_value *columns, ho_error *err)
{
  const ho_each_text *t = data;
  return t->each(t->data, columns[0].s, err);
}

ho_code ho_columns_take_numbers(void *data, const ho_value *columns, ho_error *err)
{
  ho_numbers *list = data;
  int64_t *row = HO_PUSH(list->arena, list->rows, list->count);
  if (row)
    *row = columns[0].i;
  return ho_arena_code(list->arena, err);
}

_Static_assert(sizeof(ho_begin) == sizeof(int), "enums are copied as ints");

static ho_code take_word(const ho_words *words, ho_str text, char *field, ho_error *err)
{
  int value;
  if (!ho_words_find(words, text, &value)) {
    ho_code code = ho_fail(err, HO_STORE,
                           "'%.*s' is not %s: the store is damaged, or a newer handoff wrote it; run: handoff verify",
                           HO_ARG(ho_str_sub(text, 0, 60)), words->what);
    err->rule = "store-word";
    return code;
  }
  memcpy(field, &value, sizeof value);
  return HO_OK;
}

ho_code ho_columns_take(const ho_column *columns, size_t count, void *record, const ho_value *values, ho_arena *arena,
                        ho_error *err)
{
  for (size_t i = 0; i < count; i++) {
    char *field = (char *)record + columns[i].offset;
    if (columns[i].words) {
      ho_code code = take_word(columns[i].words, values[i].s, field, err);
      if (code)
        return code;
    } else if (columns[i].number) {
      *(int64_t *)(void *)field = values[i].i;
    } else {
      *(ho_str *)(void *)field = arena ? ho_arena_copy(arena, values[i].s) : values[i].s;
    }
  }
  return arena ? ho_arena_code(arena, err) : HO_OK;
}

void ho_columns_copy(const ho_column *columns, size_t count, void *record, ho_arena *arena)
{
  for (size_t i = 0; i < count; i++) {
    ho_str *text = (void *)((char *)record + columns[i].offset);
    if (!columns[i].words && !columns[i].number)
      *text = ho_arena_copy(arena, *text);
  }
}

void ho_columns_give(const ho_column *columns, size_t count, const void *record, ho_value *values)
{
  for (size_t i = 0; i < count; i++) {
    const char *field = (const char *)record + columns[i].offset;
    int word;
    if (columns[i].words) {
      memcpy(&word, field, sizeof word);
      values[i] = HO_TEXT(ho_words_str(columns[i].words, word));
    } else if (columns[i].number) {
      values[i] = HO_INT(*(const int64_t *)(const void *)field);
    } else {
      values[i] = HO_TEXT(*(const ho_str *)(const void *)field);
    }
  }
}
