/* Closed sets of words: an enum whose values have names.
 *
 * A set is a list, X(NAME, "name"), from which its enum and its table of names are made, so that neither can lack what the
 * other has. The program works with the values; files, the store and results carry the names, which never change. 0 is
 * no word: either it stands for "", or nothing may be empty there. */
#ifndef HO_BASE_WORDS_H
#define HO_BASE_WORDS_H

#include "base/str.h"

typedef struct ho_words {
  const char *what;         /* for messages: "a state of a run" */
  const char *const *names; /* by value; the first is "", or NULL if the empty text is not one of them */
  int count;
} ho_words;

/* One name of the table, from any list that begins with X(NAME, "name". */
#define HO_WORD(name, text, ...) text,
/* Defines the set `variable`. empty: "" or NULL. */
#define HO_WORDS(variable, what, empty, LIST)                                                                          \
  static const char *const variable##_names[] = {empty, LIST(HO_WORD)};                                                \
  const ho_words variable = {what, variable##_names, HO_COUNT(variable##_names)}

/* The name of a value; "" for 0. */
const char *ho_words_name(const ho_words *words, int value);
ho_str ho_words_str(const ho_words *words, int value);
/* The value with that name; false if there is none. */
bool ho_words_find(const ho_words *words, ho_str name, int *out);
#endif
