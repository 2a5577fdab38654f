/* Splits a command given as one text into words. */
#include "engine/run/adapter.h"

enum { MOST_WORDS = 256 };

/* Takes one word from text[*at], which is not a space; false if a quote is not closed. */
static bool take_word(ho_str text, size_t *at, char *word, size_t *length)
{
  char quote = 0;
  size_t n = 0, i = *at;
  for (; i < text.n && (quote || !isspace((unsigned char)text.p[i])); i++) {
    char c = text.p[i];
    bool escapes = c == '\\' && i + 1 < text.n && quote != '\'' && (!quote || strchr("\"\\", text.p[i + 1]));
    if (escapes)
      word[n++] = text.p[++i];
    else if (quote ? c == quote : c == '"' || c == '\'')
      quote = quote ? 0 : c;
    else
      word[n++] = c;
  }
  *at = i;
  *length = n;
  return !quote;
}

ho_code ho_adapter_words(ho_arena *arena, ho_str text, const char ***out, ho_error *err)
{
  const char **words = ho_arena_array(arena, MOST_WORDS + 1, sizeof *words);
  char *word = ho_arena_alloc(arena, text.n + 1);
  size_t count = 0, at = 0, n;
  if (!words || !word)
    return ho_arena_code(arena, err);
  for (;;) {
    while (at < text.n && isspace((unsigned char)text.p[at]))
      at++;
    if (at >= text.n)
      break;
    if (count == MOST_WORDS)
      return ho_fail(err, HO_LIMIT, "the command has more than %d words", MOST_WORDS);
    if (!take_word(text, &at, word, &n))
      return ho_fail(err, HO_USAGE, "a quote in the command is never closed: %.*s", HO_ARG(text));
    words[count++] = ho_arena_copy(arena, (ho_str){word, n}).p;
  }
  if (!count || !words[0][0])
    return ho_fail(err, HO_USAGE, "the command is empty");
  *out = words;
  return ho_arena_code(arena, err);
}
