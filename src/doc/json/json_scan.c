#include "doc/json/json_scan.h"

#include "base/limits.h"
#include "base/utf8.h"

/* Describes the byte at `at` for a message. */
static void describe(const ho_json_scan *s, size_t at, char *to, size_t size)
{
  if (at >= s->text.n) {
    snprintf(to, size, "the end of the text");
    return;
  }
  size_t next = at;
  uint32_t cp = ho_utf8_next(s->text, &next);
  if (cp == '\n' || cp == '\r')
    snprintf(to, size, "the end of the line");
  else if (ho_utf8_control(cp))
    snprintf(to, size, "the control character U+%04X", (unsigned)cp);
  else
    snprintf(to, size, "'%.*s'", (int)(next - at), s->text.p + at);
}

ho_code ho_json_fail(const ho_json_scan *s, size_t at, const char *expected)
{
  char found[48];
  describe(s, at, found, sizeof found);
  return ho_source_fail(s->source, (uint32_t)at, s->err, "%s, found %s", expected, found);
}

ho_code ho_json_fail_limit(const ho_json_scan *s, size_t at, const char *what, size_t limit)
{
  ho_source_fail(s->source, (uint32_t)at, s->err, "%s: the limit is %zu", what, limit);
  if (s->err) {
    s->err->code = HO_LIMIT;
    s->err->rule = NULL;
  }
  return HO_LIMIT;
}

ho_code ho_json_scan_word(ho_json_scan *s, ho_str *out)
{
  static const ho_str words[] = {HO_STR_INIT("true"), HO_STR_INIT("false"), HO_STR_INIT("null")};
  char first = ho_json_peek(s);
  ho_str word = words[first == 't' ? 0 : first == 'f' ? 1 : 2];
  for (size_t i = 0; i < word.n; i++, s->at++) {
    char expected[24];
    if (ho_json_peek(s) == word.p[i])
      continue;
    snprintf(expected, sizeof expected, "expected '%s'", word.p);
    return ho_json_fail(s, s->at, expected);
  }
  *out = first == 'n' ? HO_EMPTY : word;
  return HO_OK;
}

static bool skip_digits(ho_json_scan *s)
{
  size_t begin = s->at;
  while (isdigit((unsigned char)ho_json_peek(s)))
    s->at++;
  return s->at > begin;
}

ho_code ho_json_scan_number(ho_json_scan *s, ho_str *out)
{
  size_t begin = s->at;
  if (ho_json_peek(s) == '-')
    s->at++;
  bool zero = ho_json_peek(s) == '0';
  size_t digits = s->at;
  if (!skip_digits(s))
    return ho_json_fail(s, s->at, "expected a digit after '-'");
  if (zero && s->at > digits + 1)
    return ho_json_fail(s, digits + 1, "a number must not have leading zeros");
  if (ho_json_peek(s) == '.') {
    s->at++;
    if (!skip_digits(s))
      return ho_json_fail(s, s->at, "expected a digit after '.'");
  }
  if (ho_json_peek(s) == 'e' || ho_json_peek(s) == 'E') {
    s->at++;
    if (ho_json_peek(s) == '+' || ho_json_peek(s) == '-')
      s->at++;
    if (!skip_digits(s))
      return ho_json_fail(s, s->at, "expected a digit in the exponent");
  }
  if (s->at - begin > HO_LIMIT_NOW(NUMBER))
    return ho_json_fail_limit(s, begin, "the number has too many bytes (limit number)", HO_LIMIT_NOW(NUMBER));
  *out = ho_str_sub(s->text, begin, s->at);
  return HO_OK;
}

/* Counts the bytes from `at` on that stand for themselves in a text: up to a quote, a backslash or a control
 * character. Skips eight at a time if none of the eight is one of those. */
static size_t plain_run(ho_str text, size_t at)
{
  const uint64_t ones = 0x0101010101010101u, highs = 0x8080808080808080u;
  size_t begin = at;
  for (uint64_t x; at + 8 <= text.n; at += 8) {
    memcpy(&x, text.p + at, 8);
    uint64_t quote = x ^ ones * '"', backslash = x ^ ones * '\\';
    if ((((quote - ones) & ~quote) | ((backslash - ones) & ~backslash) | ((x - ones * 0x20) & ~x)) & highs)
      break;
  }
  while (at < text.n && text.p[at] != '"' && text.p[at] != '\\' && (unsigned char)text.p[at] >= 0x20)
    at++;
  return at - begin;
}

/* The four digits of \u at s->at. */
static ho_code scan_hex(ho_json_scan *s, uint32_t *unit)
{
  *unit = 0;
  for (int i = 0; i < 4; i++, s->at++) {
    char c = ho_json_peek(s);
    if (!isxdigit((unsigned char)c))
      return ho_json_fail(s, s->at, "expected four hexadecimal digits after \\u");
    *unit = *unit * 16 + (uint32_t)(c <= '9' ? c - '0' : (c | 32) - 'a' + 10);
  }
  return HO_OK;
}

static bool is_high(uint32_t unit)
{
  return unit >= 0xD800 && unit <= 0xDBFF;
}

static bool is_low(uint32_t unit)
{
  return unit >= 0xDC00 && unit <= 0xDFFF;
}

/* \uXXXX, or the two of a surrogate pair; s->at is at the first digit. */
static ho_code scan_code_point(ho_json_scan *s, uint32_t *cp)
{
  size_t begin = s->at - 2;
  uint32_t low = 0;
  ho_code code = scan_hex(s, cp);
  if (code || (!is_high(*cp) && !is_low(*cp)))
    return code;
  if (is_high(*cp) && ho_str_starts(ho_str_sub(s->text, s->at, s->text.n), "\\u")) {
    s->at += 2;
    code = scan_hex(s, &low);
    if (code)
      return code;
  }
  if (!is_low(low))
    return ho_source_fail(s->source, (uint32_t)begin, s->err,
                          "%.6s is half of a surrogate pair; the other half is missing", s->text.p + begin);
  *cp = 0x10000 + ((*cp - 0xD800) << 10) + (low - 0xDC00);
  return HO_OK;
}

/* Decodes the escape at s->at (a backslash) to *to, which is advanced. */
static ho_code scan_escape(ho_json_scan *s, char **to)
{
  static const char letters[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
  s->at++;
  char c = ho_json_peek(s);
  const char *letter = c ? strchr(letters, c) : NULL;
  if (letter) {
    s->at++;
    *(*to)++ = meanings[letter - letters];
    return HO_OK;
  }
  if (c != 'u')
    return ho_json_fail(s, s->at, "expected one of \" \\ / b f n r t u after '\\'");
  s->at++;
  uint32_t cp;
  ho_code code = scan_code_point(s, &cp);
  if (!code)
    *to += ho_utf8_put(*to, cp);
  return code;
}

/* Bytes from `at` to the quote that closes the text, or to the end. */
static size_t to_closing_quote(ho_str text, size_t at)
{
  size_t begin = at;
  for (; at < text.n && text.p[at] != '"'; at++)
    at += text.p[at] == '\\' && at + 1 < text.n;
  return at - begin;
}

/* Decodes the rest of a text from its first escape on; `plain` bytes precede s->at. Decoding never makes a text
 * longer. */
static ho_code scan_escaped(ho_json_scan *s, size_t plain, ho_str *out)
{
  char *text = ho_arena_alloc(s->arena, plain + to_closing_quote(s->text, s->at) + 1), *to = text;
  if (!text)
    return ho_arena_code(s->arena, s->err);
  s->at -= plain;
  for (;;) {
    size_t run = plain_run(s->text, s->at);
    memcpy(to, s->text.p + s->at, run);
    to += run;
    s->at += run;
    if (ho_json_peek(s) != '\\')
      break;
    ho_code code = scan_escape(s, &to);
    if (code)
      return code;
  }
  *out = (ho_str){text, (size_t)(to - text)};
  return HO_OK;
}

ho_code ho_json_scan_text(ho_json_scan *s, ho_str *out)
{
  size_t begin = ++s->at, run = plain_run(s->text, begin);
  s->at += run;
  *out = ho_str_sub(s->text, begin, s->at);
  if (ho_json_peek(s) == '\\') {
    ho_code code = scan_escaped(s, run, out);
    if (code)
      return code;
  }
  if (ho_json_peek(s) != '"')
    return ho_json_fail(s, s->at, "expected '\"' to end this text");
  s->at++;
  return HO_OK;
}
