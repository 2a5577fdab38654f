#include "base/words.h"

const char *ho_words_name(const ho_words *words, int value)
{
  const char *name = value > 0 && value < words->count ? words->names[value] : NULL;
  return name ? name : "";
}

ho_str ho_words_str(const ho_words *words, int value)
{
  return ho_str_of(ho_words_name(words, value));
}

bool ho_words_find(const ho_words *words, ho_str name, int *out)
{
  for (int i = 0; i < words->count; i++)
    if (words->names[i] && ho_str_is(name, words->names[i])) {
      *out = i;
      return true;
    }
  return false;
}
