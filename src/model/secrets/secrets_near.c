/* Values that stand beside what names them, without a separator of their own: settings and commands ("requirepass VALUE"),
 * defaults (NAME || "VALUE"), logins (USER:PASSWORD@host), the secret beside the id of a key, and rows of statements.
 * Prose has words in the same places, so each must look more like a credential than behind a separator. */
#include "model/secrets/secrets_inside.h"

enum {
  LONGEST_KEY = 64,
  LONGEST_LOGIN = 128,
  LONGEST_TYPE = 48,
  LONGEST_LIST = 1024, /* of the columns of a statement */
  MOST_BLANKS = 64,
  MOST_COLUMNS = 32,
  MOST_BETWEEN = 48, /* a row's end and the next row, or the word VALUES */
  PAIR_LENGTH = 40,
  SHORTEST_PASSWORD = 3
};

static bool is_key_byte(char c)
{
  return isalnum((unsigned char)c) || (c && strchr("_-.", c));
}

static size_t skip_blanks(ho_str text, size_t at)
{
  size_t end = at;
  while (end < text.n && end - at < MOST_BLANKS && (text.p[end] == ' ' || text.p[end] == '\t'))
    end++;
  return end;
}

/* ---- NAME VALUE */

/* The word before the blanks at `at`; "private key" and the like are none here, since prose says more of them. */
static ho_str word_before(ho_str text, size_t at)
{
  size_t begin = at;
  while (begin && at - begin < LONGEST_KEY && is_key_byte(text.p[begin - 1]))
    begin--;
  begin += begin && begin < at && text.p[begin - 1] == '\\'; /* the letter of an escape: \n */
  return ho_str_sub(text, begin, at);
}

/* Back from `at` over blanks and the signs of lists and comments. */
static size_t back_over_signs(ho_str text, size_t at)
{
  size_t begin = at;
  while (begin && at - begin < MOST_BLANKS && text.p[begin - 1] && strchr(" \t#;>|*+-", text.p[begin - 1]))
    begin--;
  return begin;
}

/* Does at most one word, a command, stand before `at` in its line? */
static bool begins_setting(ho_str text, size_t at)
{
  size_t begin = back_over_signs(text, at);
  begin = back_over_signs(text, begin - word_before(text, begin).n);
  return !begin || text.p[begin - 1] == '\n';
}

/* Behind the digit that says how the value is encoded: "password 7 VALUE". */
static size_t skip_kind(ho_str text, size_t at)
{
  bool kind = at + 1 < text.n && isdigit((unsigned char)text.p[at]) && text.p[at + 1] == ' ';
  return kind ? skip_blanks(text, at + 1) : at;
}

/* Behind a type and "=" or DEFAULT, if a quoted value follows: "password As String = …", "password TEXT DEFAULT …"; 0 if
 * not. `at` is behind the name. */
static size_t skip_type(ho_str text, size_t at)
{
  for (size_t i = at; i < text.n && i - at < LONGEST_TYPE; i++) {
    char c = text.p[i];
    ho_str rest = ho_str_sub(text, i, text.n);
    size_t sign = c == '=' ? 1 : c == ' ' && ho_str_starts_nocase(rest, " default ") ? strlen(" default ") : 0;
    size_t from = sign ? skip_blanks(text, i + sign) : 0;
    if (sign)
      return from < text.n && (ho_secret_is_quote(text.p[from]) || text.p[from] == '\\') ? from : 0;
    if (!isalnum((unsigned char)c) && !(c && strchr(" _().:", c)))
      return 0;
  }
  return 0;
}

size_t ho_secret_at_blank(ho_secret_scan *scan, size_t at)
{
  ho_str text = scan->text, name = word_before(text, at);
  size_t first = skip_blanks(text, at), from = skip_kind(text, first);
  char c = from < text.n ? text.p[from] : 0;
  if (!isalnum((unsigned char)c) && !(c && strchr("\"'\\/+_!@#%^&", c)))
    return at;
  if (ho_secret_named(name) < HO_SECRET_FAIR)
    return at;
  ho_secret_assignment a = {.key = name, .phrase = name};
  size_t typed = skip_type(text, from);
  ho_str value = ho_secret_read_value(scan, typed ? typed : from, &a);
  if (c == '\\' && !a.quoted)
    return at;
  bool given = typed || from > first || name.p[0] == '-',
       line = a.whole && (a.quoted || begins_setting(text, (size_t)(name.p - text.p)));
  if (!line && !given && !ho_secret_scrambled(value))
    return at;
  size_t end = ho_secret_take(scan, &a, HO_SECRET_FAIR, value);
  return end ? end : at;
}

size_t ho_secret_at_default(ho_secret_scan *scan, size_t at)
{
  ho_str text = scan->text;
  ho_secret_assignment a = {0};
  bool word = ho_str_starts(ho_str_sub(text, at, text.n), "or ");
  if (!word && (at + 1 >= text.n || text.p[at + 1] != text.p[at]))
    return at;
  size_t before = at, from = skip_blanks(text, at + 2);
  while (before && at - before < 4 && strchr(" )", text.p[before - 1]) && text.p[before - 1])
    before--;
  ho_secret_read_key(text, before, &a);
  if (from >= text.n || !(ho_secret_is_quote(text.p[from]) || text.p[from] == '\\') ||
      ho_secret_named(a.key) < HO_SECRET_FAIR)
    return at;
  ho_str value = ho_secret_read_value(scan, from, &a);
  size_t end = a.quoted ? ho_secret_take(scan, &a, HO_SECRET_FAIR, value) : 0;
  return end ? end : at;
}

/* ---- USER:PASSWORD@host */

/* Is it the name of a host, by its dots, its port or what is known? */
static bool is_host(ho_str text)
{
  size_t end = 0;
  bool dots = false;
  for (; end < text.n && end < LONGEST_LOGIN && (isalnum((unsigned char)text.p[end]) || strchr("-.", text.p[end]));) {
    dots |= text.p[end] == '.';
    if (!text.p[end++])
      return false;
  }
  char next = end < text.n ? text.p[end] : ' ';
  return end && next != '_' && (dots || next == ':' || next == '/' || ho_str_is(ho_str_sub(text, 0, end), "localhost"));
}

size_t ho_secret_at_login(ho_secret_scan *scan, size_t at)
{
  ho_str text = scan->text, host = ho_str_sub(text, at + 1, text.n);
  size_t begin = at, colon = HO_NONE, colons = 0;
  while (begin && at - begin < LONGEST_LOGIN && (unsigned char)text.p[begin - 1] > ' ' &&
         !strchr("@\"'`<>()[]{},;=\\|", text.p[begin - 1])) {
    begin--;
    colons += text.p[begin] == ':';
    colon = text.p[begin] == ':' ? begin : colon;
  }
  if (!colons || colon == begin || !isalpha((unsigned char)text.p[begin]) || ho_str_starts(host, "sha256:"))
    return at;
  ho_str password = ho_str_sub(text, colon + 1, at);
  bool network = ho_str_starts(host, "tcp(") || ho_str_starts(host, "unix(");
  if (password.n < SHORTEST_PASSWORD || ho_secret_stand_in(password) || ho_str_starts(password, "//") ||
      (!network && (colons > 1 || !ho_secret_scrambled(password) || !is_host(host))))
    return at;
  ho_secret_add(scan, "password", colon + 1, at);
  return at;
}

/* ---- The id of a key and its secret */

void ho_secret_at_pair(ho_secret_scan *scan, size_t at)
{
  size_t end = ho_secret_run(scan, at, HO_SECRET_OF_BASE64);
  ho_str value = ho_str_sub(scan->text, at, end);
  if (value.n == PAIR_LENGTH && ho_secret_random(value, HO_SECRET_OF_BASE64) && ho_secret_scrambled(value) &&
      !ho_secret_all_of(value, HO_SECRET_DIGIT | HO_SECRET_LOWER))
    ho_secret_add(scan, "aws-secret-key", at, end);
}

/* ---- INSERT INTO users (name, password) VALUES ('bob', 'VALUE'), … */

typedef struct columns {
  ho_str names[MOST_COLUMNS];
  size_t count, end; /* end: behind the list */
  bool any;          /* one of them names a secret */
} columns;

/* "(a, b)" at `at`, or not much further. */
static columns read_columns(ho_str text, size_t at)
{
  columns c = {0};
  ho_str rest = ho_str_sub(text, at, at + LONGEST_LIST), name;
  size_t open = ho_str_find_char(ho_str_sub(rest, 0, LONGEST_LOGIN), '('), close = ho_str_find_char(rest, ')');
  if (open == HO_NONE || close == HO_NONE || close < open)
    return c;
  c.end = at + close + 1;
  rest = ho_str_sub(rest, open + 1, close);
  while (c.count < MOST_COLUMNS && ho_str_next(&rest, ',', &name)) {
    name = ho_str_trim(name);
    while (name.n && strchr("\"'`[]\\", name.p[name.n - 1]))
      name.n--;
    c.any |= ho_secret_named(name) >= HO_SECRET_FAIR;
    c.names[c.count++] = name;
  }
  return c;
}

/* The next "(" if only words stand before it; HO_NONE if not. */
static size_t row_begin(ho_str text, size_t at)
{
  for (size_t i = at; i < text.n && i - at < MOST_BETWEEN; i++)
    if (text.p[i] == '(')
      return i;
    else if (!isalpha((unsigned char)text.p[i]) && !ho_str_is_space(text.p[i]) && !strchr(",\\", text.p[i]))
      return HO_NONE;
  return HO_NONE;
}

/* Takes what the row at `at`, "(", has in the columns that name a secret; returns its end, or HO_NONE. */
static size_t take_row(ho_secret_scan *scan, const columns *c, size_t at)
{
  ho_str text = scan->text;
  size_t column = 0;
  for (at++; at < text.n && column < c->count; column++) {
    ho_secret_assignment a = {.key = c->names[column], .phrase = c->names[column]};
    ho_str value = ho_secret_read_value(scan, at, &a);
    if (a.quoted)
      ho_secret_take(scan, &a, ho_secret_named(a.key) >= HO_SECRET_FAIR ? HO_SECRET_FAIR : HO_SECRET_NO_NAME, value);
    at = (a.quoted ? (size_t)(value.p - text.p) + value.n : at);
    while (at < text.n && text.p[at] != ',' && text.p[at] != ')' && text.p[at] != ';')
      at++;
    if (at >= text.n || text.p[at] != ',')
      break;
    at++;
  }
  return at < text.n && text.p[at] == ')' ? at + 1 : HO_NONE;
}

void ho_secret_rows(ho_secret_scan *scan, size_t at)
{
  columns c = at < scan->rows_until ? (columns){0} : read_columns(scan->text, at);
  size_t row = c.any ? row_begin(scan->text, c.end) : HO_NONE;
  while (row != HO_NONE) {
    size_t end = take_row(scan, &c, row);
    scan->rows_until = end == HO_NONE ? row : end;
    row = end == HO_NONE ? HO_NONE : row_begin(scan->text, end);
  }
}
