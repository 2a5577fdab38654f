/* Names and their values: what separates them, which name is meant, and what the values of whole groups are. */
#include "model/secrets/secrets_inside.h"

enum {
  LONGEST_KEY = 64,
  LONGEST_TAG = 256,
  MOST_SPACE = 8,
  MOST_BLANKS = 64, /* that align a column */
  LONGEST_GROUP = 24,
  LONGEST_TYPE = 48,
  NAME_REACH = 240,
  WEB_KEY_REACH = 4096,
  SHORTEST_WEB_KEY = 16,
  SHORTEST_LISTED = 12
};

static bool is_key_byte(char c)
{
  return (unsigned char)c >= 0x80 || (ho_secret_class[(unsigned char)c] &
                                      (HO_SECRET_ALNUM | HO_SECRET_UNDERSCORE | HO_SECRET_HYPHEN | HO_SECRET_DOT));
}

static bool is_blank(char c)
{
  return c == ' ' || c == '\t';
}

/* Where [32], [None] or " (again)" behind a name begins, which ends before `end`; `end` if there is none, or if it is the
 * name itself. */
static size_t group_before(ho_str text, size_t end)
{
  char close = text.p[end - 1], open = close == ']' ? '[' : '(';
  size_t begin = end - 1;
  if (close != ']' && close != ')')
    return end;
  while (begin && end - begin < LONGEST_GROUP && text.p[begin - 1] != open) {
    char c = text.p[begin - 1];
    if (ho_secret_is_quote(c) || strchr("\n[]()", c))
      return end;
    begin--;
  }
  if (!begin || text.p[begin - 1] != open || ho_secret_named(ho_str_sub(text, begin, end - 1)))
    return end;
  return open == '(' && (begin < 2 || text.p[begin - 2] != ' ') ? end : begin - 1;
}

/* Back from `at` over what may stand between a name and what separates it from its value. */
static size_t key_end(ho_str text, size_t at)
{
  size_t end = at, marks = 0;
  while (end && at - end < MOST_BLANKS && marks < MOST_SPACE && !is_key_byte(text.p[end - 1])) {
    char c = text.p[end - 1];
    size_t group = is_blank(c) ? end : group_before(text, end);
    if (group == end && !is_blank(c) && !(c && strchr("\\:?+*]", c)) && !ho_secret_is_quote(c))
      break;
    marks += !is_blank(c);
    end = group < end ? group : end - 1;
  }
  return end;
}

void ho_secret_read_key(ho_str text, size_t at, ho_secret_assignment *a)
{
  size_t end = key_end(text, at), begin, phrase;
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

bool ho_secret_names_another(ho_str key)
{
  return ho_str_list_has_nocase("name|key|variable|env|ParameterKey|ParameterName", key);
}

bool ho_secret_is_carrier(ho_str key)
{
  return ho_str_list_has_nocase("value|default|string|defaultValue|ParameterValue", key);
}

void ho_secret_note_name(ho_secret_scan *scan, ho_str name, size_t at)
{
  scan->name = name;
  scan->name_until = at + NAME_REACH;
}

/* Does another record begin in the text: the next map, or the next item of a list? */
static bool has_next_record(ho_str text)
{
  for (size_t i = 0; i < text.n; i++)
    if (strchr("{}<", text.p[i]) || (text.p[i] == '-' && i && text.p[i - 1] == ' '))
      return true;
  return false;
}

/* Takes the value that stood before its name, in the same record: "value: …", "name: DB_PASSWORD". */
static void take_carried(ho_secret_scan *scan, ho_str name, size_t at)
{
  size_t end = (size_t)(scan->carried.p - scan->text.p) + scan->carried.n;
  ho_secret_assignment a = {.key = name, .phrase = name, .quoted = true, .whole = true};
  if (at < scan->carried_until && !has_next_record(ho_str_sub(scan->text, end, at)))
    ho_secret_take(scan, &a, ho_secret_named(name), scan->carried);
  scan->carried_until = 0;
}

/* Notes the name that another value will have; true if this is one. */
static bool note_name(ho_secret_scan *scan, const ho_secret_assignment *a, size_t at)
{
  ho_secret_assignment one = *a;
  if (!ho_secret_names_another(a->key))
    return false;
  ho_str name = ho_secret_read_value(scan, at + 1, &one);
  scan->name_until = 0;
  scan->named_at = at;
  if (ho_secret_named(name) < HO_SECRET_FAIR)
    return false;
  take_carried(scan, name, at);
  ho_secret_note_name(scan, name, at);
  return true;
}

/* Gives the value the name that was noted before it; or notes the value, whose name may follow. */
static void use_name(ho_secret_scan *scan, ho_secret_assignment *a, size_t at)
{
  if (!ho_secret_is_carrier(a->key))
    return;
  if (at < scan->name_until) {
    a->key = a->phrase = scan->name;
    return;
  }
  bool has_name = scan->named_at && at - scan->named_at < NAME_REACH &&
                  !has_next_record(ho_str_sub(scan->text, scan->named_at, at));
  ho_secret_assignment one = *a;
  scan->carried = has_name ? HO_EMPTY : ho_secret_read_value(scan, at + 1, &one);
  scan->carried_until = scan->carried.n ? at + NAME_REACH : 0;
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
  return ho_str_list_has_nocase("data|stringData", key);
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
  return value.n >= SHORTEST_WEB_KEY && ho_str_list_has_nocase("d|k|p|q|dp|dq|qi", key) &&
         ho_secret_random(value, HO_SECRET_OF_DASH);
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

/* Could it be the value of a name in a list, where words and titles stand as well? */
static bool is_listed(ho_str value)
{
  return ho_secret_scrambled(value) ||
         (value.n >= SHORTEST_LISTED && ho_secret_random(value, HO_SECRET_OF_VALUE) &&
          !ho_secret_all_of(value, HO_SECRET_DIGIT | HO_SECRET_LOWER) && !ho_secret_has_plain_word(value));
}

/* "setPassword" and "password", also of an object, but not what asks for one. */
static bool is_given(ho_str key)
{
  size_t begin = key.n;
  while (begin && key.p[begin - 1] != '.')
    begin--;
  ho_str word = ho_str_sub(key, begin, key.n);
  bool asks = ho_str_starts_nocase(word, "get") || ho_str_starts_nocase(word, "read") ||
              ho_str_starts_nocase(word, "fetch") || ho_str_starts_nocase(word, "load");
  return ho_str_starts_nocase(word, "set") || (!asks && ho_secret_named(word) >= HO_SECRET_FAIR);
}

/* Is it a call that is given a user and a password: "login", "HTTPBasicAuth", "NetworkCredential"? */
static bool is_login(ho_str key)
{
  static const char *const ends[] = {"login", "auth", "credential", "credentials"};
  for (size_t i = 0; i < HO_COUNT(ends); i++) {
    size_t n = strlen(ends[i]);
    if (key.n >= n && ho_str_is_nocase(ho_str_sub(key, key.n - n, key.n), ends[i]))
      return true;
  }
  return false;
}

/* The tag that ends at `at`, "<" and what follows it; empty if none does. */
static ho_str tag_before(ho_str text, size_t at)
{
  size_t begin = at;
  while (begin && at - begin < LONGEST_TAG && text.p[begin - 1] != '<' && text.p[begin - 1] != '>' &&
         text.p[begin - 1] != '\n')
    begin--;
  bool opens = begin && text.p[begin - 1] == '<' && begin < at && isalpha((unsigned char)text.p[begin]);
  return opens && text.p[at - 1] != '/' ? ho_str_sub(text, begin, at) : HO_EMPTY;
}

/* Reads what a tag says of the text in it: <x:key …>, <x name="key">. */
static bool read_tag(const ho_secret_scan *scan, size_t at, ho_secret_assignment *a)
{
  ho_str tag = tag_before(scan->text, at), word;
  if (!tag.n)
    return false;
  size_t end = 0, begin;
  while (end < tag.n && is_key_byte(tag.p[end] == ':' ? '.' : tag.p[end]))
    end++;
  for (begin = end; begin && tag.p[begin - 1] != ':';)
    begin--;
  word = ho_str_sub(tag, begin, end);
  a->tag = true;
  a->quote = 0;
  a->key = a->phrase = scan->name_until > at && scan->name.p > tag.p ? scan->name : word;
  return true;
}

/* Is it one: "key = ", "key: ", "key" => , key -> , <key>, ("key", , setKey(", key{" ? */
static bool separates(const ho_secret_scan *scan, size_t at, ho_secret_assignment *a)
{
  ho_str text = scan->text;
  switch (text.p[at]) {
  case '>':
    return (at > 1 && text.p[at - 1] == '-' && text.p[at - 2] == ' ') || read_tag(scan, at, a);
  case ',': /* of a call, or of a list */
    return a->quote != 0;
  case '(':
  case '{':
    return quoted_at(text, at + 1) && (is_given(a->key) || is_login(a->key));
  default: /* a class of a program ("AWS::IAM::AccessKey") names no value */
    return !(a->quote && a->key.p > text.p + 1 && a->key.p[-1] == ':' && a->key.p[-2] == ':');
  }
}

/* An arrow or a dash of print between a name and its value, at `at`: how long it is, 0 if there is none. */
static size_t arrow_at(ho_str text, size_t at)
{
  static const char *const arrows[] = {"→", "⇒", "⟶", "➜", "➔", "≔", "–", "—"};
  for (size_t i = 0; text.p[at] != '-' && i < HO_COUNT(arrows); i++)
    if (ho_str_starts(ho_str_sub(text, at, text.n), arrows[i]))
      return strlen(arrows[i]);
  return text.p[at] == '-' && at && text.p[at - 1] == ' ' && at + 1 < text.n && text.p[at + 1] == ' ';
}

static bool names_maker(ho_str phrase)
{
  for (size_t i = 0; i + 2 < phrase.n; i++) {
    char first = (char)(phrase.p[i] | 32);
    const char *noun = first == 'k' ? "key" : first == 't' ? "token" : first == 'a' ? "api" : NULL;
    if (noun && ho_str_starts_nocase(ho_str_sub(phrase, i, phrase.n), noun))
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
  ho_secret_read_key(scan->text, at, &a);
  ho_secret_strength strength = ho_secret_named(a.key);
  if (strength < HO_SECRET_FAIR)
    return at;
  size_t end = ho_secret_take(scan, &a, HO_SECRET_FAIR, ho_secret_read_value(scan, at + n, &a));
  return end ? end : at;
}

/* Does a quoted value follow at once? */
static bool quoted_behind(ho_str text, size_t at)
{
  while (at < text.n && is_blank(text.p[at]))
    at++;
  return quoted_at(text, at);
}

/* The name that is declared with a type between it and the value: name: Type = "…", name Type = "…". */
static ho_str declared(ho_str text, size_t at, const ho_secret_assignment *a)
{
  size_t key = (size_t)(a->key.p - text.p), colon = key, end, begin;
  if (!quoted_behind(text, at + 1))
    return HO_EMPTY;
  while (colon && key - colon < LONGEST_TYPE && text.p[colon - 1] != ':' &&
         (is_key_byte(text.p[colon - 1]) || strchr(" <>[]&*?'|", text.p[colon - 1])))
    colon--;
  bool typed = colon > 1 && text.p[colon - 1] == ':' && text.p[colon - 2] != ':';
  end = typed ? key_end(text, colon - 1) : key;
  while (end && !typed && is_blank(text.p[end - 1]))
    end--;
  for (begin = end; begin && end - begin < LONGEST_KEY && is_key_byte(text.p[begin - 1]);)
    begin--;
  return ho_str_sub(text, begin, end);
}

/* How much the name says, which may consist of several words ("private key"), or stand before a type. */
static ho_secret_strength strength_of(const ho_secret_scan *scan, size_t at, ho_secret_assignment *a)
{
  char c = scan->text.p[at];
  ho_secret_strength strength = ho_secret_named(a->key);
  if (strength != HO_SECRET_NO_NAME)
    return c == '{' || (c == '(' && !ho_str_has_nocase(a->key, "set")) ? HO_SECRET_FAIR : strength;
  if (c == ':' && ho_secret_named(word_before_for(a->phrase)) == HO_SECRET_STRONG)
    return HO_SECRET_FAIR;
  if ((c == ':' || c == '=') && ho_secret_named(a->phrase) >= HO_SECRET_FAIR)
    return HO_SECRET_FAIR;
  ho_str name = c == '=' ? declared(scan->text, at, a) : HO_EMPTY;
  if (ho_secret_named(name) < HO_SECRET_FAIR)
    return HO_SECRET_NO_NAME;
  a->key = a->phrase = name;
  return HO_SECRET_FAIR;
}

/* Does a map or a list follow, whose values are the name's? */
static char group_behind(ho_str text, size_t at)
{
  while (at < text.n && (is_blank(text.p[at]) || text.p[at] == '=' || text.p[at] == '>'))
    at++;
  char c = at < text.n ? text.p[at] : 0;
  if (c == '[')
    return quoted_at(text, at + 1) ? c : 0;
  return c == '\n' || c == '\r' || (c == '{' && at + 1 < text.n && text.p[at + 1] != '{') ? c : 0;
}

/* The value behind a name of `strength`; what is noted about it is for the values that follow. */
static ho_str value_behind(ho_secret_scan *scan, size_t at, ho_secret_assignment *a, ho_secret_strength *strength)
{
  ho_str text = scan->text;
  ho_str value = *strength ? second_of_pair(scan, at + 1, a) : HO_EMPTY;
  if (value.n) {
    *strength = HO_SECRET_STRONG;
    return value;
  }
  char group = *strength >= HO_SECRET_FAIR ? group_behind(text, at + 1) : 0;
  size_t from = at + 1;
  if (group == '[')
    from = at + 1 + ho_str_find_char(ho_str_sub(text, at + 1, text.n), '[') + 1;
  else if (group)
    ho_secret_note_name(scan, a->key, at);
  value = ho_secret_read_value(scan, from, a);
  if (*strength >= HO_SECRET_FAIR && a->quoted) {
    scan->last = a->key;
    scan->last_end = (size_t)(value.p - text.p) + value.n;
    scan->in_list = group == '[';
  }
  return value;
}

/* The next of several values of one name: "old" -> "new", ["first", "second"]. */
static bool is_next_value(const ho_secret_scan *scan, size_t at, ho_secret_assignment *a)
{
  bool near = scan->last_end && at >= scan->last_end && at - scan->last_end < MOST_SPACE;
  char c = scan->text.p[at];
  if (!near || (c == ',' ? !scan->in_list : c != '>' || scan->text.p[at - 1] != '-') ||
      !quoted_behind(scan->text, at + 1))
    return false;
  a->key = a->phrase = scan->last;
  return true;
}

static size_t take_next_value(ho_secret_scan *scan, size_t at, ho_secret_assignment *a)
{
  ho_str value = ho_secret_read_value(scan, at + 1, a);
  scan->last_end = (size_t)(value.p - scan->text.p) + value.n;
  size_t end = ho_secret_take(scan, a, HO_SECRET_FAIR, value);
  return end ? end : at;
}

size_t ho_secret_at_separator(ho_secret_scan *scan, size_t at)
{
  ho_secret_assignment a = {0};
  ho_str text = scan->text;
  char c = text.p[at];
  if (c == ',' && !(at && ho_secret_is_quote(text.p[at - 1])))
    return at;
  if (is_next_value(scan, at, &a))
    return take_next_value(scan, at, &a);
  ho_secret_read_key(text, c == '>' && at && text.p[at - 1] == '-' ? at - 1 : at, &a);
  if ((!a.key.n && c != '>') || !separates(scan, at, &a))
    return at;
  a.plain_colon = c == ':';
  size_t end = at_member(scan, at, &a);
  if (end || a.key.n < 2 || note_name(scan, &a, at))
    return end ? end : at;
  if (c == ':' && ho_str_list_has_nocase("cookie|set-cookie", a.key))
    return at_cookie(scan, at);
  if (c == '(' && is_login(a.key)) {
    end = ho_secret_take(scan, &a, HO_SECRET_FAIR, second_of_pair(scan, at, &a));
    return end ? end : at;
  }
  use_name(scan, &a, at);
  if (a.tag && at + 1 < text.n && text.p[at + 1] == '<')
    ho_secret_note_name(scan, a.key, at); /* <password><value>…: the inner tag says nothing of it */
  ho_secret_strength strength = strength_of(scan, at, &a);
  if (strength == HO_SECRET_NO_NAME && !names_maker(a.phrase))
    return at;
  ho_str value = value_behind(scan, at, &a, &strength);
  bool compared = c == '=' && at + 1 < text.n && text.p[at + 1] == '=';
  if ((c == ',' || c == '(' || c == '{' || compared) && !a.quoted)
    return at;
  if (c == ',' && !is_argument(text, a.key) && !is_listed(value))
    return at;
  end = ho_secret_take(scan, &a, strength, value);
  return end ? end : at;
}
