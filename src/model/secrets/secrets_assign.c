/* Names and their values: what separates them, which name is meant, and what the values of whole groups are. */
#include "model/secrets/secrets_inside.h"

enum { LONGEST_KEY = 64, MOST_SPACE = 8, NAME_REACH = 240, WEB_KEY_REACH = 4096, SHORTEST_WEB_KEY = 16 };

static bool is_key_byte(char c)
{
  return (unsigned char)c >= 0x80 || (ho_secret_class[(unsigned char)c] &
                                      (HO_SECRET_ALNUM | HO_SECRET_UNDERSCORE | HO_SECRET_HYPHEN | HO_SECRET_DOT));
}

/* What stands before the separator at `at`. */
static void read_key(ho_str text, size_t at, ho_secret_assignment *a)
{
  size_t end = at, begin, phrase;
  while (end && at - end < MOST_SPACE && text.p[end - 1] &&
         (strchr(" \t\\:?+*]", text.p[end - 1]) || ho_secret_is_quote(text.p[end - 1])))
    end--;
  for (begin = end; begin && end - begin < LONGEST_KEY && is_key_byte(text.p[begin - 1]);)
    begin--;
  for (phrase = begin;
       phrase && end - phrase < LONGEST_KEY && (is_key_byte(text.p[phrase - 1]) || text.p[phrase - 1] == ' ');)
    phrase--;
  a->key = ho_str_sub(text, begin, end);
  a->phrase = ho_str_sub(text, phrase, end);
  while (end < at && text.p[end] == '\\') {
    a->escapes++;
    end++;
  }
  a->quote = end < at && ho_secret_is_quote(text.p[end]) ? text.p[end] : 0;
}

/* Does a quote stand at `at`, perhaps an escaped one? */
static bool quoted_at(ho_str text, size_t at)
{
  size_t end = at;
  while (end < text.n && end - at < MOST_SPACE && text.p[end] == '\\')
    end++;
  return end < text.n && ho_secret_is_quote(text.p[end]);
}

/* ---- Values whose name is a value itself: "name: DB_PASSWORD", "value: …" */

static bool is_one_of(ho_str word, const char *const *list)
{
  for (; *list; list++)
    if (ho_str_is_nocase(word, *list))
      return true;
  return false;
}

bool ho_secret_names_another(ho_str key)
{
  static const char *const keys[] = {"name", "key", "variable", "env", NULL};
  return is_one_of(key, keys);
}

bool ho_secret_is_carrier(ho_str key)
{
  static const char *const keys[] = {"value", "default", "string", "defaultValue", NULL};
  return is_one_of(key, keys);
}

/* Notes the name that another value will have; true if this is one. */
static bool note_name(ho_secret_scan *scan, const ho_secret_assignment *a, size_t at)
{
  ho_secret_assignment one = *a;
  if (!ho_secret_names_another(a->key))
    return false;
  ho_str name = ho_secret_read_value(scan, at + 1, &one);
  scan->name_until = 0;
  if (ho_secret_named(name) < HO_SECRET_FAIR)
    return false;
  scan->name = name;
  scan->name_until = at + NAME_REACH;
  return true;
}

/* Gives the value the name that was noted before it. */
static void use_name(const ho_secret_scan *scan, ho_secret_assignment *a, size_t at)
{
  if (at < scan->name_until && ho_secret_is_carrier(a->key))
    a->key = a->phrase = scan->name;
}

/* ---- Groups */

/* How far the line is indented in which the key comes first; HO_NONE if it does not. */
static size_t indent_of(ho_str text, ho_str key)
{
  size_t begin = (size_t)(key.p - text.p), at = begin;
  while (at && begin - at < LONGEST_KEY && (text.p[at - 1] == ' ' || ho_secret_is_quote(text.p[at - 1])))
    at--;
  return !at || text.p[at - 1] == '\n' ? begin - at : HO_NONE;
}

bool ho_secret_is_data(ho_str key)
{
  static const char *const groups[] = {"data", "stringData", NULL};
  return is_one_of(key, groups);
}

/* A manifest of Kubernetes: all that "data" of "kind: Secret" has is one. */
static bool is_data(ho_secret_scan *scan, const ho_secret_assignment *a, size_t at)
{
  ho_secret_assignment one = *a;
  if (ho_str_is(a->key, "kind"))
    scan->kind_secret = ho_str_is(ho_secret_read_value(scan, at + 1, &one), "Secret");
  if (!scan->kind_secret)
    return false;
  size_t indent = indent_of(scan->text, a->key);
  if (ho_secret_is_data(a->key)) {
    scan->in_data = indent != HO_NONE;
    scan->data_indent = indent;
    return false;
  }
  if (scan->in_data && indent != HO_NONE && indent <= scan->data_indent)
    scan->in_data = false;
  return scan->in_data && indent != HO_NONE;
}

bool ho_secret_is_web_key(ho_str key, ho_str value)
{
  static const char *const members[] = {"d", "k", "p", "q", "dp", "dq", "qi", NULL};
  return is_one_of(key, members) && value.n >= SHORTEST_WEB_KEY && ho_secret_random(value, HO_SECRET_OF_DASH);
}

/* ("admin", "VALUE") behind a name: the second of the two. */
static ho_str second_of_pair(ho_secret_scan *scan, size_t at, ho_secret_assignment *a)
{
  ho_str text = scan->text;
  while (at < text.n && (text.p[at] == ' ' || text.p[at] == '='))
    at++;
  if (at + 1 >= text.n || text.p[at] != '(' || !quoted_at(text, at + 1))
    return HO_EMPTY;
  ho_secret_assignment user = *a;
  ho_str first = ho_secret_read_value(scan, at + 1, &user);
  size_t comma = (size_t)(first.p - text.p) + first.n;
  while (comma < text.n && text.p[comma] == '\\')
    comma++;
  comma++;
  if (!user.quoted || comma >= text.n || text.p[comma] != ',')
    return HO_EMPTY;
  ho_str second = ho_secret_read_value(scan, comma + 1, a);
  return a->quoted ? second : HO_EMPTY;
}

/* ---- Headers */

/* Cookie: NAME=VALUE; … and Set-Cookie: NAME=VALUE; …: from the first value to the last, if one looks random. */
static size_t at_cookie(ho_secret_scan *scan, size_t at)
{
  ho_str text = scan->text, line = ho_str_sub(text, at + 1, at + 1 + WEB_KEY_REACH);
  size_t n = 0, from = ho_str_find_char(ho_str_sub(line, 0, LONGEST_KEY), '='), begin;
  while (n < line.n && (unsigned char)line.p[n] >= ' ' && !ho_secret_is_quote(line.p[n]) && line.p[n] != '\\')
    n++;
  size_t name = from == HO_NONE ? 0 : from;
  while (name && (isalnum((unsigned char)line.p[name - 1]) || strchr("_-.", line.p[name - 1])))
    name--;
  if (from == HO_NONE || name == from || ++from >= n)
    return at;
  for (begin = from; begin < n;) {
    size_t end = begin;
    while (end < n && line.p[end] != ';')
      end++;
    ho_str value = ho_str_sub(line, begin, end);
    if (value.n >= 16 && ho_secret_random(value, HO_SECRET_OF_VALUE)) {
      ho_secret_add(scan, "cookie", at + 1 + from, at + 1 + end);
      return at + 1 + end;
    }
    begin = end + 1;
    while (begin < n && line.p[begin - 1] != '=')
      begin++;
  }
  return at;
}

/* ---- At a separator */

/* Does a call begin before the quoted name? Otherwise it stands in a list. */
static bool is_argument(ho_str text, ho_str key)
{
  size_t at = (size_t)(key.p - text.p), before = at;
  while (before && at - before < 4 && (ho_secret_is_quote(text.p[before - 1]) || text.p[before - 1] == '\\'))
    before--;
  return before && text.p[before - 1] == '(';
}

/* "setPassword", also of an object. */
static bool is_setter(ho_str key)
{
  size_t begin = key.n;
  while (begin && key.p[begin - 1] != '.')
    begin--;
  return ho_str_starts_nocase(ho_str_sub(key, begin, key.n), "set");
}

/* Is it one: "key = ", "key: ", "key" => , key -> , <key>, ("key", , setKey(" ? */
static bool separates(ho_str text, size_t at, const ho_secret_assignment *a)
{
  switch (text.p[at]) {
  case '>':
    return (a->key.p > text.p && a->key.p[-1] == '<') || (at > 1 && text.p[at - 1] == '-' && text.p[at - 2] == ' ');
  case ',':
    return a->quote && is_argument(text, a->key);
  case '(':
    return is_setter(a->key) && quoted_at(text, at + 1);
  default: /* a class of a program ("AWS::IAM::AccessKey") names no value */
    return !(a->quote && a->key.p > text.p + 1 && a->key.p[-1] == ':' && a->key.p[-2] == ':');
  }
}

/* An arrow or a dash of print between a name and its value, at `at`: how long it is, 0 if there is none. */
static size_t arrow_at(ho_str text, size_t at)
{
  static const char *const arrows[] = {"→", "⇒", "⟶", "➜", "➔", "≔", "–", "—"};
  for (size_t i = 0; i < HO_COUNT(arrows); i++)
    if (ho_str_starts(ho_str_sub(text, at, text.n), arrows[i]))
      return strlen(arrows[i]);
  return text.p[at] == '-' && at && text.p[at - 1] == ' ' && at + 1 < text.n && text.p[at + 1] == ' ';
}

static bool names_maker(ho_str phrase)
{
  for (size_t i = 0; i + 2 < phrase.n; i++) {
    char first = (char)(phrase.p[i] | 32);
    if (first != 'k' && first != 't' && first != 'a')
      continue;
    ho_str rest = ho_str_sub(phrase, i, phrase.n);
    if (ho_str_starts_nocase(rest, "key") || ho_str_starts_nocase(rest, "token") || ho_str_starts_nocase(rest, "api"))
      return true;
  }
  return false;
}

/* "Password for admin": the name is the word before "for". */
static ho_str word_before_for(ho_str phrase)
{
  bool words = ho_str_find_char(phrase, ' ') != HO_NONE;
  size_t end = words ? ho_str_find(phrase, " for ") : HO_NONE, begin = end;
  while (end != HO_NONE && begin && phrase.p[begin - 1] != ' ')
    begin--;
  return end == HO_NONE ? HO_EMPTY : ho_str_sub(phrase, begin, end);
}

/* What the group that the value is in says of it: its end if that makes it a secret, else 0. */
static size_t at_member(ho_secret_scan *scan, size_t at, const ho_secret_assignment *a)
{
  ho_secret_assignment one = *a;
  if (a->quote && ho_str_is(a->key, "kty"))
    scan->web_key_until = at + WEB_KEY_REACH;
  bool web_key = a->quote && a->key.n < 3 && at < scan->web_key_until, data = a->plain_colon && is_data(scan, a, at);
  if (!web_key && !data)
    return 0;
  ho_str value = ho_secret_read_value(scan, at + 1, &one);
  if (data ? !value.n || ho_secret_reference(value, one.next) : !ho_secret_is_web_key(a->key, value))
    return 0;
  size_t begin = (size_t)(value.p - scan->text.p);
  ho_secret_add(scan, data ? "kubernetes-secret" : "private-key", begin, begin + value.n);
  return begin + value.n;
}

/* NAME → VALUE: prose has that too, so the value must not be a word. */
size_t ho_secret_at_arrow(ho_secret_scan *scan, size_t at)
{
  ho_secret_assignment a = {.plain_colon = true};
  size_t n = arrow_at(scan->text, at);
  if (!n)
    return at;
  read_key(scan->text, at, &a);
  ho_secret_strength strength = ho_secret_named(a.key);
  if (strength < HO_SECRET_FAIR)
    return at;
  size_t end = ho_secret_take(scan, &a, HO_SECRET_FAIR, ho_secret_read_value(scan, at + n, &a));
  return end ? end : at;
}

size_t ho_secret_at_separator(ho_secret_scan *scan, size_t at)
{
  ho_secret_assignment a = {0};
  ho_str text = scan->text;
  char c = text.p[at];
  if (c == ',' && !(at && ho_secret_is_quote(text.p[at - 1])))
    return at;
  read_key(text, c == '>' && at && text.p[at - 1] == '-' ? at - 1 : at, &a);
  if (!a.key.n || !separates(text, at, &a))
    return at;
  a.tag = c == '>' && a.key.p > text.p && a.key.p[-1] == '<';
  a.plain_colon = c == ':';
  size_t end = at_member(scan, at, &a);
  if (end || a.key.n < 2 || note_name(scan, &a, at))
    return end ? end : at;
  if (c == ':' && (ho_str_is_nocase(a.key, "cookie") || ho_str_is_nocase(a.key, "set-cookie")))
    return at_cookie(scan, at);
  use_name(scan, &a, at);
  if (a.tag && at + 1 < text.n && text.p[at + 1] == '<') {
    scan->name = a.key; /* <password><value>…: the inner tag says nothing of it */
    scan->name_until = at + NAME_REACH;
  }
  ho_secret_strength strength = ho_secret_named(a.key);
  if (strength == HO_SECRET_NO_NAME && c == ':' && ho_secret_named(word_before_for(a.phrase)) == HO_SECRET_STRONG)
    strength = HO_SECRET_FAIR;
  if (strength == HO_SECRET_NO_NAME && !names_maker(a.phrase))
    return at;
  ho_str value = strength ? second_of_pair(scan, at + 1, &a) : HO_EMPTY;
  if (value.n)
    strength = HO_SECRET_STRONG;
  else
    value = ho_secret_read_value(scan, at + 1, &a);
  bool compared = c == '=' && at + 1 < text.n && text.p[at + 1] == '=';
  if ((c == ',' || c == '(' || compared) && !a.quoted)
    return at;
  end = ho_secret_take(scan, &a, strength, value);
  return end ? end : at;
}
