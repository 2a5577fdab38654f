/* Is the value of a name a secret? What people and programs write in the same place: words, variables, code, paths. */
#include "model/secrets/secrets_inside.h"

enum {
  LONGEST_VALUE = 4096,
  SHORTEST_VALUE = 6,
  SHORTEST_WORD = 8,
  LOOKED_AT = 64,
  MOST_WORDS = 4,
  SHORTEST_VARIED = 12
};
enum { LEAST_PHRASE = 4, MOST_PHRASE = 10, SHORTEST_PART = 3, LONGEST_WORD = 12 };

bool ho_secret_all_of(ho_str value, unsigned classes)
{
  for (size_t i = 0; i < value.n; i++)
    if (!(ho_secret_class[(unsigned char)value.p[i]] & classes))
      return false;
  return true;
}

/* An expression of a program: a call, an index, a chain of names. */
static bool is_code(ho_str value)
{
  size_t i = 0;
  bool dots = false, digits = false;
  for (; i < value.n && (isalnum((unsigned char)value.p[i]) || strchr("_.", value.p[i])); i++) {
    dots |= value.p[i] == '.';
    digits |= isdigit((unsigned char)value.p[i]) != 0;
  }
  if (!i || isdigit((unsigned char)value.p[0]))
    return ho_str_starts(value, "&") || ho_str_starts(value, "!") || ho_str_starts(value, "@");
  if (i < value.n && strchr("([{<", value.p[i]))
    return !digits || !ho_secret_scrambled(ho_str_sub(value, 0, i));
  return i == value.n && dots && (!digits || ho_secret_has_plain_word(value));
}

/* 0x and a number as programs have it, or the number of a version. */
static bool is_constant(ho_str value)
{
  if (ho_str_has(ho_str_sub(value, 0, LOOKED_AT), "."))
    return ho_secret_all_of(value, HO_SECRET_DIGIT | HO_SECRET_DOT);
  while (value.n > 3 && strchr("uUlL", value.p[value.n - 1]))
    value.n--;
  return ho_str_starts(value, "0x") && value.n <= 18 &&
         ho_secret_all_of(ho_str_sub(value, 2, value.n), HO_SECRET_DIGIT | HO_SECRET_HEX_UPPER | HO_SECRET_HEX_LOWER);
}

static bool is_path(ho_str value)
{
  if (value.n > 20 && value.p[value.n - 1] == '=')
    return false; /* base64 may begin with a slash */
  if (ho_str_starts(value, "/") && ho_str_find_char(ho_str_sub(value, 1, LOOKED_AT), '/') == HO_NONE)
    return !ho_secret_scrambled(value);
  return ho_str_starts(value, "/") || ho_str_starts(value, "./") || ho_str_starts(value, "../") ||
         ho_str_starts(value, "~/") || ho_str_has(ho_str_sub(value, 0, 16), "://");
}

/* Names, dates, numbers and words with hyphens have no long part in which letters and digits are mixed. */
static bool is_mixed(ho_str value)
{
  size_t part = 0, digits = 0, letters = 0;
  for (size_t i = 0; i <= value.n && i < LOOKED_AT; i++) {
    unsigned classes = i < value.n ? ho_secret_class[(unsigned char)value.p[i]] : 0;
    if (!(classes & HO_SECRET_ALNUM)) {
      part = digits = letters = 0;
      continue;
    }
    part++;
    digits += (classes & HO_SECRET_DIGIT) != 0;
    letters += (classes & HO_SECRET_LETTER) != 0;
    if (part >= SHORTEST_WORD && digits && letters && !(digits > 7 && letters == 1))
      return true;
  }
  return false;
}

/* Letters, digits, and a third kind: what no word, version or number has. */
static bool is_varied(ho_str value)
{
  unsigned seen = 0;
  for (size_t i = 0; i < value.n && i < LOOKED_AT; i++) {
    unsigned classes = ho_secret_class[(unsigned char)value.p[i]];
    seen |= classes & HO_SECRET_DIGIT                                          ? 1u
            : classes & HO_SECRET_UPPER                                        ? 2u
            : classes & HO_SECRET_LOWER                                        ? 4u
            : strchr("-_.:/", value.p[i]) || (unsigned char)value.p[i] >= 0x80 ? 0u
                                                                               : 8u;
  }
  return (seen & 1) && (seen & 6) && (seen & 8 || (seen & 6) == 6);
}

/* "DB_PASS", as variables of an environment are called: what is written there is a value, never prose. */
static bool is_variable_name(ho_str key)
{
  bool bar = false;
  for (size_t i = 0; i < key.n; i++) {
    bar |= key.p[i] == '_';
    if (islower((unsigned char)key.p[i]))
      return false;
  }
  return bar;
}

/* "amber-forest-4821": words with hyphens and a number behind them, as generators of passwords make them. */
static bool is_numbered(ho_str value)
{
  size_t hyphens = 0, digits = 0;
  for (size_t i = 0; i < value.n; i++) {
    unsigned classes = ho_secret_class[(unsigned char)value.p[i]];
    if (!(classes & (HO_SECRET_ALNUM | HO_SECRET_HYPHEN)))
      return false;
    hyphens += value.p[i] == '-';
    digits = classes & HO_SECRET_DIGIT ? digits + 1 : 0;
  }
  return value.n >= SHORTEST_VARIED && hyphens && digits >= 2 && isalpha((unsigned char)value.p[0]);
}

/* A word, or some with hyphens, that could be a password because of where it stands. */
static bool is_word(const ho_secret_assignment *a, ho_str value)
{
  if (value.n < SHORTEST_WORD || a->below || ho_secret_has_plain_word(value))
    return false;
  if (a->plain_colon && !a->quoted)
    return a->whole && islower((unsigned char)a->key.p[a->key.n - 1]) && value.n < 40;
  return a->quoted || !ho_str_has(value, "_");
}

static bool is_weak(ho_str value)
{
  return value.n > 20 && ho_secret_random(value, HO_SECRET_OF_DASH) &&
         !ho_secret_all_of(value, HO_SECRET_DIGIT | HO_SECRET_HYPHEN) && !ho_str_has(value, "-") &&
         !ho_str_has(value, ".") && !ho_str_has(value, "_");
}

/* Letters of both cases in turn, as in no name: in CamelCase, some small ones follow each capital. */
static bool is_scramble(ho_str value)
{
  size_t turns = 0;
  for (size_t i = 1; i < value.n && i < LOOKED_AT; i++)
    turns += (isupper((unsigned char)value.p[i]) != 0) != (isupper((unsigned char)value.p[i - 1]) != 0);
  size_t n = value.n < LOOKED_AT ? value.n : LOOKED_AT;
  return n > 11 && ho_secret_scrambled(value) && turns * 5 >= n * 2 && !ho_secret_has_plain_word(value);
}

/* One word. */
static bool is_secret(const ho_secret_assignment *a, ho_secret_strength strength, ho_str value)
{
  if (strength == HO_SECRET_NO_NAME || value.n < SHORTEST_VALUE || (!a->quoted && is_code(value)) || is_path(value) ||
      is_constant(value) || ho_secret_algorithm(value) || ho_secret_reference(value, a->next))
    return false;
  bool stand_in = ho_secret_stand_in(value);
  if (is_mixed(value))
    return !stand_in || (value.n > 16 && ho_secret_random(value, HO_SECRET_OF_VALUE));
  if (stand_in)
    return false;
  if (is_scramble(value))
    return true;
  if (strength == HO_SECRET_WEAK)
    return is_weak(value);
  if (strength == HO_SECRET_FAIR)
    return is_varied(value) || (is_variable_name(a->key) && is_numbered(value));
  if (ho_secret_all_of(value, HO_SECRET_LETTER | HO_SECRET_HYPHEN | HO_SECRET_UNDERSCORE | HO_SECRET_DOT))
    return is_word(a, value);
  return !a->plain_colon || a->quoted || a->whole;
}

/* "abcd efgh ijkl mnop", as Google gives them to programs. */
static bool is_app_password(ho_str value)
{
  for (size_t i = 0; i < value.n; i++)
    if (i % 5 == 4 ? value.p[i] != ' ' : !islower((unsigned char)value.p[i]))
      return false;
  return value.n == 19 && !ho_secret_has_plain_word(value);
}

/* The value of "SERVICE … key", for services whose secrets have no beginning of their own. */
static const char *owner_of(ho_str phrase, ho_str value)
{
  if (!is_mixed(value) || is_path(value))
    return NULL;
  for (size_t at = 0; at + 1 < phrase.n; at++) {
    ho_str rest = ho_str_sub(phrase, at, phrase.n);
    for (const ho_secret_rule *rule = ho_secret_first(&ho_secret_owners, rest); rule;
         rule = ho_secret_next(&ho_secret_owners, rule)) {
      ho_secret_scan one = {.text = value};
      if (value.n >= rule->least && (!rule->most || value.n <= rule->most) && ho_str_starts_nocase(rest, rule->begin) &&
          ho_secret_run(&one, 0, rule->of) == value.n && ho_secret_random(value, rule->of))
        return rule->shape;
    }
  }
  return NULL;
}

static size_t word_end(ho_str text)
{
  size_t end = 0;
  while (end < text.n && !ho_str_is_space(text.p[end]))
    end++;
  return end;
}

/* "correct horse battery staple": words of which none says anything about passwords, and none holds a sentence together. */
bool ho_secret_passphrase(ho_str value)
{
  size_t words = 0;
  for (size_t at = 0, end; at < value.n && words <= MOST_PHRASE; at = end + 1, words++) {
    bool digit = false, letter = false;
    for (end = at; end < value.n && isalnum((unsigned char)value.p[end]); end++) {
      letter |= isalpha((unsigned char)value.p[end]) != 0;
      digit |= isdigit((unsigned char)value.p[end]) != 0;
      if (end > at && isupper((unsigned char)value.p[end]))
        return false;
    }
    ho_str word = ho_str_sub(value, at, end);
    if ((end < value.n && value.p[end] != ' ') || letter == digit || word.n > LONGEST_WORD ||
        (letter && (word.n < SHORTEST_PART || ho_secret_has_plain_word(word))))
      return false;
  }
  return words >= LEAST_PHRASE && words <= MOST_PHRASE;
}

/* Some words: a secret if the first is one that no sentence begins with. */
static bool is_words(const ho_secret_assignment *a, ho_secret_strength strength, ho_str value)
{
  size_t words = 1;
  if (strength < HO_SECRET_FAIR)
    return false;
  for (size_t i = 1; i < value.n; i++)
    words += !ho_str_is_space(value.p[i]) && ho_str_is_space(value.p[i - 1]);
  ho_str first = ho_str_sub(value, 0, word_end(value));
  if (strength == HO_SECRET_STRONG && ho_secret_passphrase(value))
    return true;
  return is_app_password(value) || (words <= MOST_WORDS && is_varied(first) && is_secret(a, strength, first));
}

const char *ho_secret_judge(const ho_secret_assignment *a, ho_secret_strength strength, ho_str value)
{
  if (value.n > LONGEST_VALUE)
    return NULL;
  const char *shape = owner_of(a->phrase, value);
  bool one = word_end(value) == value.n;
  if (!shape && (one ? is_secret(a, strength, value) : is_words(a, strength, value)))
    shape = a->scheme ? a->scheme : "password";
  return shape;
}

bool ho_secret_key(ho_str key, ho_str value)
{
  ho_secret_assignment a = {.key = key, .phrase = HO_EMPTY, .quoted = true, .whole = true};
  return key.n && ho_secret_judge(&a, ho_secret_named(key), ho_str_trim(value));
}
