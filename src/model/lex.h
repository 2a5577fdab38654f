/* Parsing a short text from its front: the building blocks of the syntaxes and of the reader of time stamps. Each
 * function returns false and leaves the text alone if it does not begin as asked. */
#ifndef HO_MODEL_LEX_H
#define HO_MODEL_LEX_H

#include "base/str.h"

/* Exactly `digits` digits with a value in low..high. value may be NULL. */
static inline bool ho_lex_number(ho_str *text, size_t digits, int low, int high, int *value)
{
  int number = 0;
  if (text->n < digits) {
    return false;
  }
  for (size_t i = 0; i < digits; i++) {
    if (!isdigit((unsigned char)text->p[i])) {
      return false;
    }
    number = number * 10 + (text->p[i] - '0');
  }
  if (number < low || number > high) {
    return false;
  }
  if (value) {
    *value = number;
  }
  *text = ho_str_sub(*text, digits, text->n);
  return true;
}

/* One character of `set`. */
static inline bool ho_lex_any(ho_str *text, const char *set)
{
  if (text->n == 0 || text->p[0] == '\0' || !strchr(set, text->p[0])) {
    return false;
  }
  *text = ho_str_sub(*text, 1, text->n);
  return true;
}

/* The word itself, in any ASCII case. */
static inline bool ho_lex_word(ho_str *text, const char *word)
{
  if (!ho_str_starts_nocase(*text, word)) {
    return false;
  }
  *text = ho_str_sub(*text, strlen(word), text->n);
  return true;
}

/* Removes the digits at the front and returns how many there were. */
static inline size_t ho_lex_digits(ho_str *text)
{
  size_t count = 0;
  while (count < text->n && isdigit((unsigned char)text->p[count])) {
    count++;
  }
  *text = ho_str_sub(*text, count, text->n);
  return count;
}
#endif
