#include "doc/yaml/yaml_parts.h"

#include "base/escape.h"
#include "base/limits.h"
#include "base/utf8.h"

static bool digit(char c)
{
  return c >= '0' && c <= '9';
}

static size_t digits(ho_str s, size_t at)
{
  while (at < s.n && digit(s.p[at]))
    at++;
  return at;
}

/* 0x1F or 0o17. */
static bool is_based(ho_str s)
{
  if (s.n < 3 || s.p[0] != '0' || (s.p[1] != 'x' && s.p[1] != 'o'))
    return false;
  for (size_t i = 2; i < s.n; i++)
    if (s.p[1] == 'x' ? !isxdigit((unsigned char)s.p[i]) : s.p[i] < '0' || s.p[i] > '7')
      return false;
  return true;
}

static bool is_decimal(ho_str s)
{
  size_t from = s.n && (s.p[0] == '-' || s.p[0] == '+'), at = digits(s, from), count = at - from;
  if (at < s.n && s.p[at] == '.') {
    from = at + 1;
    at = digits(s, from);
    count += at - from;
  }
  if (count && at < s.n && (s.p[at] == 'e' || s.p[at] == 'E')) {
    from = at + 1;
    if (from < s.n && (s.p[from] == '+' || s.p[from] == '-'))
      from++;
    at = digits(s, from);
    count = at - from;
  }
  return count && at == s.n;
}

static bool is_number(ho_str s)
{
  return s.n <= HO_LIMIT_NOW(NUMBER) && (is_decimal(s) || is_based(s));
}

enum { LONGEST_WORD = 5 }; /* of those below: most texts are longer */

ho_kind ho_yaml_resolve(ho_str plain)
{
  bool is_short = plain.n <= LONGEST_WORD;
  if (plain.n == 0 || (is_short && ho_str_list_has("~|null|Null|NULL", plain)))
    return HO_KIND_NULL;
  if (is_short && ho_str_list_has("true|True|TRUE|false|False|FALSE", plain))
    return HO_KIND_BOOL;
  return is_number(plain) ? HO_KIND_NUMBER : HO_KIND_TEXT;
}

/* Null, booleans and the special keys of YAML 1.1 and 1.2. */
static bool is_special_word(ho_str s)
{
  return s.n <= LONGEST_WORD && ho_str_list_has_nocase("null|true|false|yes|no|on|off|y|n|~|=|<<", s);
}

/* "e1", which some readers of YAML 1.1 take for a number without digits before its exponent. */
static bool is_exponent(ho_str s)
{
  size_t from = s.n > 1 && (s.p[1] == '+' || s.p[1] == '-') ? 2 : 1;
  return s.n > from && (s.p[0] == 'e' || s.p[0] == 'E') && digits(s, from) == s.n;
}

/* Consists only of characters that occur in numbers, dates and times of either version. */
static bool looks_numeric(ho_str s)
{
  if (!digit(s.p[0]) && !strchr("+-.", s.p[0]))
    return false;
  for (size_t i = 0; i < s.n; i++)
    if (!digit(s.p[i]) && !strchr("abcdefABCDEFxXoO_+-.,:tTzZ infINF", s.p[i]))
      return false;
  return true;
}

static bool starts_plain(ho_str s)
{
  unsigned char c = (unsigned char)s.p[0], next = s.n > 1 ? (unsigned char)s.p[1] : 0;
  if (c == '-' || c == '.')
    return isalnum(next) || next == '/';
  return isalnum(c) || c >= 0x80 || strchr("_/(+$<=^;~", c);
}

bool ho_yaml_printable(uint32_t cp)
{
  return (cp >= 0x20 && cp <= 0x7E) || (cp >= 0xA0 && cp <= 0xFFFD && cp != 0x2028 && cp != 0x2029 && cp != 0xFEFF) ||
         cp >= 0x10000;
}

bool ho_yaml_plain_text(ho_str text)
{
  if (text.n == 0 || !starts_plain(text) || is_special_word(text) || looks_numeric(text) || is_exponent(text))
    return false;
  char before = '\0';
  for (size_t at = 0; at < text.n;) {
    char c = text.p[at];
    if ((before == ':' && c == ' ') || (before == ' ' && c == '#') || !ho_yaml_printable(ho_utf8_next(text, &at)))
      return false;
    before = c;
  }
  return before != ' ' && before != ':';
}

void ho_yaml_quote(ho_buf *out, ho_str text)
{
  size_t done = 0;
  ho_buf_putc(out, '"');
  for (size_t at = 0, next = 0; at < text.n; at = next) {
    uint32_t cp = ho_utf8_next(text, &next);
    bool printable = ho_yaml_printable(cp);
    if (printable && cp != '"' && cp != '\\')
      continue;
    ho_buf_put(out, ho_str_sub(text, done, at));
    if (printable)
      ho_buf_putc(out, '\\');
    else
      ho_escape_character(out, cp, 'X');
    done = printable ? at : next;
  }
  ho_buf_put(out, ho_str_sub(text, done, text.n));
  ho_buf_putc(out, '"');
}
