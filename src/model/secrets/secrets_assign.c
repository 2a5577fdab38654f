/* Values that their name gives away: assignments, headers, options of programs, netrc. */
#include "model/secrets/secrets_inside.h"

enum { LONGEST_KEY = 64, LONGEST_VALUE = 4096, SHORTEST_VALUE = 6, SHORTEST_WORD = 8, MOST_SPACE = 8, LOOKED_AT = 64 };

const ho_secret_option ho_secret_options[] = {
    {"curl", "-u", true, false},           {"curl", "--user", true, false},    {"curl", "-U", true, false},
    {"curl", "--proxy-user", true, false}, {"http", "-a", true, false},        {"https", "-a", true, false},
    {"mysql", "-p", false, true},          {"mysqldump", "-p", false, true},   {"mysqladmin", "-p", false, true},
    {"mariadb", "-p", false, true},        {"sshpass", "-p", false, true},     {"sshpass", "-p", false, false},
    {"redis-cli", "-a", false, false},     {"ldapsearch", "-w", false, false}, {"ldapmodify", "-w", false, false},
    {"docker", "-p", false, false},        {"podman", "-p", false, false},     {"mongo", "-p", false, false},
    {"mongosh", "-p", false, false},       {"sqlcmd", "-P", false, false},     {"unzip", "-P", false, false},
    {"smbclient", "-U", true, false},      {"snmpwalk", "-c", false, false},
};
const size_t ho_secret_option_count = HO_COUNT(ho_secret_options);

/* How the value stands there. */
typedef struct assignment {
  ho_str key;               /* the last word before the separator */
  ho_str phrase;            /* with the words before it, for names of makers */
  const char *scheme;       /* of an Authorization header, as a shape */
  bool quoted, plain_colon; /* "key: value", as prose has it too */
  bool whole;               /* nothing else stands in the value's line */
} assignment;

/* ---- Is it one? */

static bool all_of(ho_str value, unsigned classes)
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
  bool dots = false;
  while (i < value.n && (isalpha((unsigned char)value.p[i]) || strchr("_.", value.p[i])))
    dots |= value.p[i++] == '.';
  return (i && i < value.n && strchr("([{<", value.p[i])) || (i == value.n && dots) || ho_str_starts(value, "&") ||
         ho_str_starts(value, "!") || ho_str_starts(value, "@");
}

static bool is_path(ho_str value)
{
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

/* A word, or some with hyphens, that could be a password because of where it stands. */
static bool is_word(const assignment *a, ho_str value)
{
  if (value.n < SHORTEST_WORD || ho_secret_has_plain_word(value))
    return false;
  if (a->plain_colon && !a->quoted)
    return a->whole && islower((unsigned char)a->key.p[a->key.n - 1]) && value.n < 40;
  return a->quoted || !ho_str_has(value, "_");
}

static bool is_secret(const assignment *a, ho_secret_strength strength, ho_str value)
{
  if (strength == HO_SECRET_NO_NAME || value.n < SHORTEST_VALUE || value.n > LONGEST_VALUE ||
      (!a->quoted && is_code(value)) || is_path(value))
    return false;
  bool mixed = is_mixed(value);
  if (mixed)
    return !ho_secret_stand_in(value) || (value.n > 16 && ho_secret_random(value, HO_SECRET_OF_VALUE) &&
                                          !ho_str_starts(value, "REDACTED") && !strchr("${<[*%", value.p[0]));
  if (strength == HO_SECRET_WEAK)
    return value.n > 20 && ho_secret_random(value, HO_SECRET_OF_DASH) &&
           !all_of(value, HO_SECRET_DIGIT | HO_SECRET_HYPHEN) && !ho_secret_stand_in(value) &&
           !ho_str_has(value, "-") && !ho_str_has(value, ".") && !ho_str_has(value, "_");
  if (ho_secret_stand_in(value))
    return false;
  if (all_of(value, HO_SECRET_LETTER | HO_SECRET_HYPHEN | HO_SECRET_UNDERSCORE | HO_SECRET_DOT))
    return is_word(a, value);
  return !a->plain_colon || a->quoted || a->whole;
}

bool ho_secret_key(ho_str key, ho_str value)
{
  assignment a = {.key = key, .phrase = key, .quoted = true, .whole = true};
  value = ho_str_trim(value);
  for (size_t i = 0; i < value.n; i++)
    if ((unsigned char)value.p[i] <= ' ')
      return false;
  return key.n && is_secret(&a, ho_secret_named(key), value);
}

/* The maker whose name stands in the phrase and whose secrets look like the value; NULL if there is none. */
static const char *owner_of(ho_str phrase, ho_str value)
{
  if (value.n > LONGEST_VALUE || !is_mixed(value) || is_path(value))
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

/* ---- Reading it */

static bool is_quote(char c)
{
  return c == '"' || c == '\'' || c == '`';
}

static bool is_key_byte(char c)
{
  return isalnum((unsigned char)c) || c == '_' || c == '-' || c == '.';
}

/* What stands before the separator at `at`: false if that is no name. */
static bool read_key(const ho_secret_scan *scan, size_t at, assignment *a)
{
  ho_str text = scan->text;
  size_t end = at, begin, phrase;
  while (end && at - end < MOST_SPACE &&
         (text.p[end - 1] == ' ' || text.p[end - 1] == '\t' || text.p[end - 1] == '\\' || is_quote(text.p[end - 1]) ||
          strchr(":?+*", text.p[end - 1])))
    end--;
  for (begin = end; begin && end - begin < LONGEST_KEY && is_key_byte(text.p[begin - 1]);)
    begin--;
  for (phrase = begin;
       phrase && end - phrase < LONGEST_KEY && (is_key_byte(text.p[phrase - 1]) || text.p[phrase - 1] == ' ');)
    phrase--;
  a->key = ho_str_sub(text, begin, end);
  a->phrase = ho_str_sub(text, phrase, end);
  return a->key.n > 1;
}

/* Behind the word before the value of an Authorization header. */
static size_t skip_scheme(const ho_secret_scan *scan, size_t at, assignment *a)
{
  static const struct {
    const char *word, *shape;
  } schemes[] = {
      {"Bearer ", "bearer-token"},        {"Basic ", "basic-authorization"},     {"Token ", "authorization-token"},
      {"ApiKey ", "authorization-token"}, {"Api-Token ", "authorization-token"}, {"Key ", "authorization-token"},
      {"Digest ", "authorization-token"}, {"Bot ", "authorization-token"},       {"SSWS ", "authorization-token"},
      {"Splunk ", "authorization-token"}, {"GenieKey ", "authorization-token"}};
  ho_str rest = ho_str_sub(scan->text, at, scan->text.n);
  for (size_t i = 0; i < HO_COUNT(schemes); i++)
    if (ho_str_starts_nocase(rest, schemes[i].word)) {
      a->scheme = schemes[i].shape;
      return at + strlen(schemes[i].word);
    }
  return at;
}

/* The next backslash from `at` on; each is looked for once. */
static size_t next_backslash(ho_secret_scan *scan, size_t at)
{
  if (scan->backslash < at || !scan->backslash) {
    const char *p = at < scan->text.n ? memchr(scan->text.p + at, '\\', scan->text.n - at) : NULL;
    scan->backslash = p ? (size_t)(p - scan->text.p) : scan->text.n;
  }
  return scan->backslash;
}

/* Cuts off what only ends the value: an escaped quote, a tag, a full stop after a sentence. */
static ho_str trim_value(ho_secret_scan *scan, size_t begin, size_t end, bool quoted, bool tag)
{
  size_t escape = next_backslash(scan, begin);
  if (escape < end && escape + 1 < scan->text.n && strchr("\"'nrt\\", scan->text.p[escape + 1]))
    end = escape;
  ho_str value = ho_str_sub(scan->text, begin, end);
  size_t close = tag ? ho_str_find_char(ho_str_sub(value, 0, LOOKED_AT * 4), '<') : HO_NONE;
  if (close != HO_NONE)
    value.n = close;
  for (int i = 0; i < 3 && !quoted && value.n && strchr(".:", value.p[value.n - 1]); i++)
    value.n--;
  return value;
}

/* The value from `at` on, and how it stands there. */
static ho_str read_value(ho_secret_scan *scan, size_t at, assignment *a)
{
  ho_str text = scan->text;
  size_t begin = at;
  bool query = a->key.p > text.p && strchr("?&", a->key.p[-1]);
  while (begin < text.n && begin - at < MOST_SPACE && (strchr(" \t=>\\:", text.p[begin]) || is_quote(text.p[begin])) &&
         text.p[begin])
    begin++;
  a->quoted = begin > at && is_quote(text.p[begin - 1]);
  if (ho_secret_named(a->key) == HO_SECRET_WEAK)
    begin = skip_scheme(scan, begin, a);
  size_t end = ho_secret_run(scan, begin, query ? HO_SECRET_OF_QUERY : HO_SECRET_OF_VALUE);
  ho_str value = trim_value(scan, begin, end, a->quoted, text.p[at - 1] == '>');
  size_t after = begin + value.n;
  while (after < text.n && after - end < MOST_SPACE &&
         (strchr(" \t.,;)}]*", text.p[after]) || is_quote(text.p[after])) && text.p[after])
    after++;
  char next = begin + value.n < text.n ? text.p[begin + value.n] : '\n';
  a->whole = after >= text.n || strchr("\r\n#\\", text.p[after]) || (!a->quoted && is_quote(next));
  return value;
}

static size_t take(ho_secret_scan *scan, const assignment *a, ho_secret_strength strength, ho_str value)
{
  size_t begin = (size_t)(value.p - scan->text.p);
  const char *shape = owner_of(a->phrase, value);
  if (!shape && is_secret(a, strength, value))
    shape = a->scheme ? a->scheme : "password";
  if (!shape)
    return 0;
  ho_secret_add(scan, shape, begin, begin + value.n);
  return begin + value.n;
}

/* Does a call begin before the quoted name at `at`? Otherwise it stands in a list. */
static bool is_argument(ho_str text, size_t at)
{
  size_t before = at;
  while (before && at - before < 4 && (is_quote(text.p[before - 1]) || text.p[before - 1] == '\\'))
    before--;
  return before && text.p[before - 1] == '(';
}

/* "key = value", "key: value", "key" => "value", <key>value<, ("key", "value"). */
size_t ho_secret_at_separator(ho_secret_scan *scan, size_t at)
{
  assignment a = {0};
  ho_str text = scan->text;
  char c = text.p[at];
  if (c == ',' && !(at && is_quote(text.p[at - 1])))
    return at;
  if (!read_key(scan, at, &a))
    return at;
  if (c == '>' && !(a.key.p > text.p && a.key.p[-1] == '<'))
    return at;
  if (c == ',' && !is_argument(text, (size_t)(a.key.p - text.p)))
    return at;
  ho_secret_strength strength = ho_secret_named(a.key);
  a.plain_colon = c == ':';
  if (strength == HO_SECRET_NO_NAME && !ho_str_has_nocase(a.phrase, "key") && !ho_str_has_nocase(a.phrase, "token") &&
      !ho_str_has_nocase(a.phrase, "api"))
    return at;
  ho_str value = read_value(scan, at + 1, &a);
  if (c == ',' && !a.quoted)
    return at;
  size_t end = take(scan, &a, strength, value);
  return end ? end : at;
}

/* "--password VALUE", and the options of programs that take one. */
size_t ho_secret_at_option(ho_secret_scan *scan, size_t at)
{
  ho_str text = scan->text;
  if (at && !ho_str_is_space(text.p[at - 1]) && !is_quote(text.p[at - 1]) && text.p[at - 1] != '[')
    return at;
  size_t end = ho_secret_run(scan, at, HO_SECRET_OF_DASH);
  ho_str option = ho_str_sub(text, at, end);
  assignment a = {.key = option, .phrase = option};
  if (ho_str_starts(option, "--") && end < text.n && (text.p[end] == ' ' || is_quote(text.p[end]))) {
    ho_str value = read_value(scan, end, &a);
    size_t taken = value.n && value.p[0] != '-' ? take(scan, &a, ho_secret_named(option), value) : 0;
    if (taken)
      return taken;
  }
  for (size_t i = 0; scan->program && i < ho_secret_option_count; i++) {
    const ho_secret_option *o = &ho_secret_options[i];
    if (strcmp(o->program, scan->program) ||
        !(o->glued ? ho_str_starts(option, o->option) && option.n > 2 : ho_str_is(option, o->option)))
      continue;
    ho_str value =
        o->glued ? ho_str_sub(text, at + 2, ho_secret_run(scan, at, HO_SECRET_OF_VALUE)) : read_value(scan, end, &a);
    size_t colon = o->pair ? ho_str_find_char(ho_str_sub(value, 0, LONGEST_KEY), ':') : 0;
    size_t from = (size_t)(value.p - text.p) + (o->pair ? colon + 1 : 0), to = (size_t)(value.p - text.p) + value.n;
    if (colon == HO_NONE || to < from + 3 || ho_secret_stand_in(ho_str_sub(text, from, to)) ||
        all_of(value, HO_SECRET_DIGIT | HO_SECRET_PATH))
      continue;
    ho_secret_add(scan, "password", from, to);
    return to;
  }
  return at;
}

/* machine HOST login NAME password VALUE, on one line or several. */
size_t ho_secret_at_netrc(ho_secret_scan *scan, size_t at)
{
  ho_str rest = ho_str_sub(scan->text, at, at + 1024), word, words[6];
  size_t count = 0;
  for (size_t i = 0; i < rest.n && count < HO_COUNT(words); i++) {
    size_t begin = i;
    while (i < rest.n && !ho_str_is_space(rest.p[i]) && i - begin < 256)
      i++;
    word = ho_str_sub(rest, begin, i);
    if (!word.n)
      continue;
    static const char *const expected[] = {"machine", NULL, "login", NULL, "password", NULL};
    if (expected[count] && !ho_str_is(word, expected[count]))
      return at;
    words[count++] = word;
  }
  if (count < HO_COUNT(words))
    return at;
  size_t begin = (size_t)(words[5].p - scan->text.p);
  ho_str value = trim_value(scan, begin, ho_secret_run(scan, begin, HO_SECRET_OF_VALUE), false, false);
  if (value.n < 3 || ho_secret_stand_in(value))
    return at;
  ho_secret_add(scan, "password", begin, begin + value.n);
  return begin + value.n;
}
