/* The split pattern of o200k_base, by hand. With U = upper, plain, mark and L = lower, plain, mark it is
 *
 *   1  [^\r\n\p{L}\p{N}]? U* L+ ('s|'t|'re|'ve|'m|'ll|'d)?     the last part in any case
 *   2  [^\r\n\p{L}\p{N}]? U+ L* ('s|…)?
 *   3  \p{N}{1,3}
 *   4  [ ]?[^\s\p{L}\p{N}]+[\r\n/]*
 *   5  \s*[\r\n]+
 *   6  \s+(?!\S)
 *   7  \s+
 *
 * and the first alternative that matches wins. Each function below returns the end of its match, or `at` for none. */
#include "doc/tokens/tokens_split.h"
#include "doc/tokens/tokens_unicode.h"

typedef unsigned char byte;

#define IS(class) (1u << HO_TC_##class)
enum {
  OPENING = IS(OTHER) | IS(SPACE) | IS(MARK), /* [^\r\n\p{L}\p{N}] */
  UPPERS = IS(UPPER) | IS(PLAIN) | IS(MARK),  /* U */
  LOWERS = IS(LOWER) | IS(PLAIN) | IS(MARK),  /* L */
  EITHER = IS(PLAIN) | IS(MARK),              /* in U and in L */
  SIGNS = IS(OTHER) | IS(MARK),               /* [^\s\p{L}\p{N}] */
  SPACES = IS(SPACE) | IS(LINE),              /* \s */
};

static bool continues(ho_str text, size_t at)
{
  return at < text.n && ((byte)text.p[at] & 0xc0) == 0x80;
}

/* The class of the character at `at` as a bit, and its length; 0 and 0 at the end. */
static unsigned wide_class(ho_str text, size_t at, size_t *length)
{
  const byte *p = (const byte *)text.p + at;
  uint32_t cp = p[0];
  size_t n = cp >= 0xf0 && cp < 0xf5 ? 4 : cp >= 0xe0 && cp < 0xf0 ? 3 : cp >= 0xc2 && cp < 0xe0 ? 2 : 1;
  cp &= 0x7fu >> n;
  for (size_t i = 1; i < n; i++) {
    if (!continues(text, at + i)) {
      *length = 1;
      return IS(OTHER);
    }
    cp = cp << 6 | (p[i] & 0x3f);
  }
  *length = n;
  return n == 1 ? IS(OTHER) : 1u << ho_tokens_class_of(cp);
}

static inline unsigned class_at(ho_str text, size_t at, size_t *length)
{
  if (at >= text.n) {
    *length = 0;
    return 0;
  }
  byte c = (byte)text.p[at];
  if (c >= 0x80)
    return wide_class(text, at, length);
  *length = 1;
  return 1u << ho_tokens_class_of(c);
}

/* The end of the run of characters of `classes`. */
static size_t run(ho_str text, size_t at, unsigned classes)
{
  for (size_t n; class_at(text, at, &n) & classes;)
    at += n;
  return at;
}

/* The part after the letters: the end of 's 't 're 've 'm 'll 'd in any case. U+017F is a form of s. */
static size_t contraction(ho_str text, size_t at)
{
  if (at + 1 >= text.n || text.p[at] != '\'')
    return at;
  byte c = (byte)text.p[at + 1];
  byte d = at + 2 < text.n ? (byte)text.p[at + 2] : 0;
  switch (c < 0x80 ? c | 0x20 : c) {
  case 's':
  case 't':
  case 'm':
  case 'd':
    return at + 2;
  case 'r':
  case 'v':
    return (d | 0x20) == 'e' ? at + 3 : at;
  case 'l':
    return (d | 0x20) == 'l' ? at + 3 : at;
  case 0xc5:
    return d == 0xbf ? at + 3 : at;
  default:
    return at;
  }
}

/* Alternatives 1 and 2 with the letters starting at `from`; `at` < `from` if an opening character was taken.
 *
 * U* takes all it can. If a lower-case letter follows, it goes to L+. Otherwise L+ needs a character back: the last
 * one that belongs to both classes; what U* took after it is left for the next piece. */
static size_t letters(ho_str text, size_t at, size_t from, bool mark_before)
{
  size_t end = from, shared = at;
  for (size_t n;; end += n) {
    unsigned class = class_at(text, end, &n);
    if (class & IS(LOWER))
      return contraction(text, run(text, end, LOWERS));
    if (!(class & UPPERS))
      break;
    if (class & EITHER)
      shared = end + n;
  }
  if (shared > at)
    return contraction(text, shared);
  if (mark_before) /* the first character, not taken as the opening one, is all of L+ */
    return contraction(text, from);
  return end > from ? contraction(text, end) : at;
}

static size_t number(ho_str text, size_t at)
{
  size_t n;
  for (int i = 0; i < 3 && class_at(text, at, &n) & IS(DIGIT); i++)
    at += n;
  return at;
}

static size_t signs(ho_str text, size_t at)
{
  size_t from = at + (text.p[at] == ' ');
  size_t end = run(text, from, SIGNS);
  if (end == from)
    return at;
  while (end < text.n && (text.p[end] == '\r' || text.p[end] == '\n' || text.p[end] == '/'))
    end++;
  return end;
}

/* Alternatives 5 to 7: up to the last line ending; else all but the last space, which goes with what follows. */
static size_t spaces(ho_str text, size_t at)
{
  size_t end = at, last = at, line = at;
  for (size_t n; class_at(text, end, &n) & SPACES; end += n) {
    last = end;
    if (text.p[end] == '\r' || text.p[end] == '\n')
      line = end + 1;
  }
  if (line > at)
    return line;
  return end == text.n || last == at ? end : last;
}

size_t ho_tokens_split(ho_str text, size_t at)
{
  size_t n, end = at;
  unsigned class = class_at(text, at, &n);
  if (class & OPENING)
    end = letters(text, at, at + n, class == IS(MARK));
  else if (class & (UPPERS | LOWERS))
    end = letters(text, at, at, false);
  else if (class & IS(DIGIT))
    end = number(text, at);
  if (end == at && class & (SIGNS | IS(SPACE)))
    end = signs(text, at);
  return end > at ? end : spaces(text, at);
}
