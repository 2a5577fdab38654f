/* Why a model did not answer, by what its harness reports. The wording is nobody's contract, so it is looked for in all of
 * it, and what is not known is nothing in particular. */
#include "engine/run/adapter_parts.h"

static const struct {
  ho_trouble trouble;
  const char *numbers; /* statuses, as whole numbers */
  const char *words;   /* of which one is enough */
} signs[] = {
    {HO_TROUBLE_TRUST, "", "trusted directory|not trusted|untrusted"},
    {HO_TROUBLE_CONTEXT, "413",
     "prompt is too long|context length|context_length_exceeded|maximum context|context window is full"},
    {HO_TROUBLE_LOGIN, "401|403",
     "unauthorized|unauthenticated|authentication|invalid api key|api key not valid|incorrect api key|missing "
     "environment variable|/login|not logged in"},
    {HO_TROUBLE_LIMIT, "429", "rate limit|rate_limit|too many requests|quota|usage limit"},
    {HO_TROUBLE_OVERLOAD, "503|529", "overloaded|unavailable"},
};

static bool has_number(ho_str text, ho_str number)
{
  for (size_t i = 0; i + number.n <= text.n; i++)
    if (memcmp(text.p + i, number.p, number.n) == 0 && (i == 0 || !isdigit((unsigned char)text.p[i - 1])) &&
        (i + number.n == text.n || !isdigit((unsigned char)text.p[i + number.n])))
      return true;
  return false;
}

static bool has_any(ho_str text, const char *list, bool numbers)
{
  ho_str rest = ho_str_of(list), part;
  char word[64];
  while (ho_str_next(&rest, '|', &part)) {
    if (!part.n || part.n >= sizeof word)
      continue;
    memcpy(word, part.p, part.n);
    word[part.n] = '\0';
    if (numbers ? has_number(text, part) : ho_str_has_nocase(text, word))
      return true;
  }
  return false;
}

ho_trouble ho_adapter_trouble(ho_str text)
{
  for (size_t i = 0; text.n && i < HO_COUNT(signs); i++)
    if (has_any(text, signs[i].words, false))
      return signs[i].trouble;
  for (size_t i = 0; text.n && i < HO_COUNT(signs); i++)
    if (has_any(text, signs[i].numbers, true))
      return signs[i].trouble;
  return HO_TROUBLE_NONE;
}

/* In words, and what a person can do about it. */
static const struct {
  const char *text, *advice;
} troubles[] = {
#define X(name, text, advice) {text, advice},
    HO_TROUBLES(X)
#undef X
};

const char *ho_trouble_text(ho_trouble trouble)
{
  return troubles[trouble].text;
}

const char *ho_trouble_advice(ho_trouble trouble)
{
  return troubles[trouble].advice;
}
