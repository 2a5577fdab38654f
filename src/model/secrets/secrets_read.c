/* Where a value begins and ends. A quoted one ends with its own quote. One without quotes ends with its word: commas,
 * brackets and the like inside a word belong to it, unless another name follows. */
#include "model/secrets/secrets_inside.h"

enum {
  LONGEST_VALUE = 4096,
  LONGEST_KEY = 64,
  MOST_SPACE = 8,
  MOST_BLANKS = 64, /* that align a column */
  MOST_ESCAPES = 4,
  MOST_LINES = 64,
  LONGEST_PHRASE = 128
};

/* ---- Its beginning */

/* Behind the word before the value of an Authorization header. */
static size_t skip_scheme(const ho_secret_scan *scan, size_t at, ho_secret_assignment *a)
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

/* Emphasis that ends with the name (**name:** value), or begins with the value (name: **value**). */
static size_t skip_stars(ho_str text, size_t at, bool after_name)
{
  size_t end = at;
  while (end < text.n && end - at < 4 && text.p[end] == '*')
    end++;
  bool before_value = end - at > 1 && end - at < 4 && end < text.n && isalnum((unsigned char)text.p[end]);
  return after_name || before_value ? end : at;
}

/* A quote at `at`, perhaps escaped, perhaps behind a letter (b"…", @"…"): how long that is, 0 if there is none. */
static size_t quote_at(ho_str text, size_t at, unsigned *escapes)
{
  size_t n = 0;
  if (at + 1 < text.n && (ho_secret_is_quote(text.p[at + 1]) || text.p[at + 1] == '\\') &&
      strchr("brfu@$", text.p[at]) && text.p[at])
    n = 1;
  *escapes = 0;
  while (*escapes < MOST_ESCAPES && at + n < text.n && text.p[at + n] == '\\') {
    ++*escapes;
    n++;
  }
  return at + n < text.n && ho_secret_is_quote(text.p[at + n]) ? n + 1 : 0;
}

/* Over the blanks and signs between a name and its value. */
static size_t skip_joint(ho_str text, size_t at)
{
  size_t end = at;
  for (int signs = 0; end < text.n && end - at < MOST_BLANKS && signs < MOST_SPACE && text.p[end]; end++) {
    bool blank = text.p[end] == ' ' || text.p[end] == '\t';
    if (!blank && !strchr("=:", text.p[end]) && !(text.p[end] == '>' && end && text.p[end - 1] == '='))
      break;
    signs += !blank;
  }
  return end;
}

/* Over a tag of YAML before a quoted value: !vault "…". */
static size_t skip_type(ho_str text, size_t at)
{
  size_t end = at;
  if (at >= text.n || text.p[at] != '!')
    return at;
  while (end < text.n && end - at < LONGEST_KEY && (text.p[end] == '!' || isalnum((unsigned char)text.p[end])))
    end++;
  bool quoted = end + 1 < text.n && (ho_secret_is_quote(text.p[end + 1]) || text.p[end + 1] == '\\');
  return quoted && text.p[end] == ' ' ? end + 1 : at;
}

/* Where the value begins: behind what joins it to its name, and its opening quote (*quote, *escapes). */
static size_t value_begin(ho_str text, size_t at, char *quote, unsigned *escapes)
{
  size_t begin = skip_stars(text, at, true), n;
  bool in_variable = begin < text.n && text.p[begin] == '-'; /* ${NAME:-value} */
  begin += in_variable && begin > 1 && text.p[begin - 1] == ':';
  begin = skip_type(text, skip_joint(text, begin));
  begin = skip_stars(text, begin, false);
  unsigned backslashes = 0;
  bool three = false;
  for (int i = 0; i < 3 && (n = quote_at(text, begin, &backslashes)); i++) {
    char next = text.p[begin + n - 1];
    unsigned more = 0;
    size_t third = i == 1 && *quote == next ? quote_at(text, begin + n, &more) : 0;
    three |= third && text.p[begin + n + third - 1] == next;
    if (*quote == next && !three)
      break; /* it ends here, unless there are three */
    *quote = next;
    *escapes = backslashes;
    begin += n;
  }
  return begin;
}

/* ---- Its end */

/* The quote that closes what was opened before `begin`; HO_NONE if the line has none. */
static size_t close_at(ho_str text, size_t begin, char quote, unsigned escapes)
{
  for (size_t at = begin; at < text.n && at - begin <= LONGEST_VALUE && text.p[at] != '\n'; at++) {
    size_t n = 0;
    while (at + n < text.n && text.p[at + n] == '\\')
      n++;
    if (at + n >= text.n)
      return HO_NONE;
    if (text.p[at + n] != quote) {
      at += n ? n - 1 : 0;
      continue;
    }
    bool closes = escapes ? n <= escapes : n % 2 == 0;
    if (closes && !(quote == '\'' && !n && at + 1 < text.n && text.p[at + 1] == quote))
      return escapes ? at : at + n;
    at += n + (closes ? 1 : 0);
  }
  return HO_NONE;
}

/* Does another name follow: ",host=", ";Encrypt: "? */
static bool is_next_name(ho_str text, size_t at)
{
  size_t end = at;
  while (end < text.n && end - at < LONGEST_KEY && (isalnum((unsigned char)text.p[end]) || strchr("_-. ", text.p[end])))
    end++;
  return end > at && end < text.n && (text.p[end] == '=' || text.p[end] == ':');
}

/* The end of a word without quotes that goes on at `at`, where the plain part of it ended. */
static size_t word_goes_on(ho_str text, size_t at, size_t most)
{
  for (; at < text.n && at < most && (unsigned char)text.p[at] > ' '; at++) {
    char c = text.p[at];
    unsigned char next = at + 1 < text.n ? (unsigned char)text.p[at + 1] : 0;
    bool inside = isalnum(next) || next >= 0x80 || (next && strchr("!@#$%^*_+~-", next));
    if (c == '\\' || c == '<' || c == '&' || (ho_secret_is_quote(c) && !(isalnum(next) && c != '`')))
      break;
    if (strchr(",;)]}", c) && (!inside || (strchr(",;", c) && is_next_name(text, at + 1))))
      break;
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

/* The end of a value without quotes. What only ends a sentence or emphasis is not part of it. */
static size_t bare_end(ho_secret_scan *scan, size_t begin, const ho_secret_assignment *a)
{
  ho_str text = scan->text;
  bool query = a->key.p > text.p && strchr("?&", a->key.p[-1]);
  size_t end = ho_secret_run(scan, begin, query ? HO_SECRET_OF_QUERY : HO_SECRET_OF_VALUE);
  size_t escape = next_backslash(scan, begin);
  if (escape < end && escape + 1 < text.n && strchr("\"'nrt\\", text.p[escape + 1]))
    end = escape;
  else if (a->tag)
    end = begin + ho_str_line_end(ho_str_sub(text, begin, begin + LONGEST_VALUE));
  else if (end > begin && !query)
    end = word_goes_on(text, end, begin + LONGEST_VALUE);
  size_t tag = a->tag ? ho_str_find_char(ho_str_sub(text, begin, end), '<') : HO_NONE;
  if (tag != HO_NONE)
    return begin + tag;
  for (int i = 0; i < 4 && end > begin && strchr(".:,;*", text.p[end - 1]); i++)
    end--;
  return end;
}

/* ---- In the line below */

static size_t skip_spaces(ho_str text, size_t at)
{
  while (at < text.n && (text.p[at] == ' ' || text.p[at] == '\t'))
    at++;
  return at;
}

/* Behind a line end and, if there is one, what announces a block ("|", ">-") or continues the line ("\"); 0 if
 * something else follows. */
static size_t next_line(ho_str text, size_t at, bool *block)
{
  at = skip_spaces(text, at);
  *block = at < text.n && (text.p[at] == '|' || text.p[at] == '>');
  at += *block || (at < text.n && text.p[at] == '\\');
  for (int i = 0; i < 2 && *block && at < text.n && text.p[at] && strchr("+-123456789", text.p[at]); i++)
    at++;
  at = skip_spaces(text, at);
  at += at < text.n && text.p[at] == '\r';
  return at < text.n && text.p[at] == '\n' ? at + 1 : 0;
}

static size_t indent_before(ho_str text, size_t at)
{
  size_t begin = at;
  while (begin && at - begin < LONGEST_KEY * 2 && text.p[begin - 1] != '\n')
    begin--;
  return skip_spaces(text, begin) - begin;
}

/* "name:" or "name: >-" ends the line, and the lines below it, which are indented more, have one word each. */
static ho_str read_below(ho_secret_scan *scan, size_t at, ho_secret_assignment *a)
{
  ho_str text = scan->text;
  bool block = false;
  size_t line = a->key.p >= text.p && a->key.p < text.p + text.n ? next_line(text, at, &block) : 0, begin = 0, end = 0;
  size_t outer = line ? indent_before(text, (size_t)(a->key.p - text.p)) : 0;
  for (int lines = 0; line && line < text.n && lines < (block ? MOST_LINES : 1); lines++) {
    size_t from = skip_spaces(text, line), to = from;
    while (to < text.n && (unsigned char)text.p[to] > ' ')
      to++;
    size_t rest = skip_spaces(text, to);
    bool item = !block && to == from + 1 && text.p[from] == '-';
    if (item) { /* - value */
      for (to = from = rest; to < text.n && (unsigned char)text.p[to] > ' ';)
        to++;
      rest = skip_spaces(text, to);
    }
    bool alone = rest >= text.n || text.p[rest] == '\n' || text.p[rest] == '\r';
    if (!alone || to == from || text.p[to - 1] == ':' || (from - line <= outer && !item))
      break;
    begin = begin ? begin : from;
    end = to;
    line = rest + (rest < text.n && text.p[rest] == '\r') + 1;
  }
  a->below = begin != 0;
  a->whole = true;
  a->quoted = end > begin + 2 && ho_secret_is_quote(text.p[begin]) && text.p[end - 1] == text.p[begin];
  if (a->quoted) {
    begin++;
    end--;
  }
  return begin ? ho_str_sub(text, begin, end) : HO_EMPTY;
}

/* ---- All of it */

ho_str ho_secret_read_value(ho_secret_scan *scan, size_t at, ho_secret_assignment *a)
{
  ho_str text = scan->text;
  char quote = 0;
  unsigned escapes = 0;
  size_t begin = value_begin(text, at, &quote, &escapes), end = HO_NONE;
  a->quoted = quote != 0;
  if (ho_secret_named(a->key) == HO_SECRET_WEAK)
    begin = skip_scheme(scan, begin, a);
  if (quote)
    end = close_at(text, begin, quote, escapes);
  if (end == HO_NONE)
    end = bare_end(scan, begin, a);
  bool empty = end == begin || (end - begin < 4 && strchr("|>\\", text.p[begin]));
  if (empty && !quote && a->plain_colon) {
    ho_str below = read_below(scan, at, a);
    if (below.n)
      return below;
  }
  size_t after = end;
  while (after < text.n && after - end < MOST_SPACE && text.p[after] &&
         (strchr(" \t.,;)}]*", text.p[after]) || ho_secret_is_quote(text.p[after])))
    after++;
  a->next = end < text.n ? text.p[end] : 0;
  a->whole = after >= text.n || strchr("\r\n#\\", text.p[after]) || (!quote && ho_secret_is_quote(a->next));
  return ho_str_sub(text, begin, end);
}

/* A value below its name: one line of it may show that it is a secret. */
static const char *judge_below(const ho_secret_assignment *a, ho_secret_strength strength, ho_str value)
{
  const char *shape = NULL;
  for (ho_str line; !shape && ho_str_next_line(&value, &line);)
    shape = ho_secret_judge(a, strength, ho_str_trim(line));
  return shape;
}

/* The words from `begin` to the end of the line; nothing if something else is among them. */
static ho_str words_at(ho_str text, size_t begin)
{
  size_t end = begin;
  while (end < text.n && end - begin < LONGEST_PHRASE && (isalnum((unsigned char)text.p[end]) || text.p[end] == ' '))
    end++;
  bool ends = end == text.n || ho_secret_is_quote(text.p[end]) || strchr("\r\n\\<", text.p[end]);
  return ends ? ho_str_trim(ho_str_sub(text, begin, end)) : HO_EMPTY;
}

size_t ho_secret_take(ho_secret_scan *scan, const ho_secret_assignment *a, ho_secret_strength strength, ho_str value)
{
  if (!value.n)
    return 0;
  size_t begin = (size_t)(value.p - scan->text.p), end = begin + value.n;
  if (ho_str_starts(value, "-----BEGIN")) {
    size_t word = begin + strlen("-----"), key = ho_secret_at_block(scan, word);
    return key > word ? key : 0;
  }
  const char *shape = a->below ? judge_below(a, strength, value) : ho_secret_judge(a, strength, value);
  ho_str words = shape || strength < HO_SECRET_STRONG || a->quoted ? HO_EMPTY : words_at(scan->text, begin);
  if (ho_secret_passphrase(words)) {
    shape = "password";
    end = begin + words.n;
  }
  if (!shape)
    return 0;
  size_t count = scan->out->count;
  ho_secret_add(scan, shape, begin, end);
  if (scan->out->count > count && a->plain_colon && a->quote == '"' && !a->quoted && !a->below) {
    scan->out->items[count].quote = a->quote;
    scan->out->items[count].escapes = a->escapes;
  }
  return end;
}
