#include "base/str.h"

static char lower(char c)
{
  return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
}

static bool same_nocase(const char *a, const char *b, size_t n)
{
  for (size_t i = 0; i < n; i++)
    if (lower(a[i]) != lower(b[i]))
      return false;
  return true;
}

bool ho_str_is_nocase(ho_str a, const char *z)
{
  size_t n = strlen(z);
  return a.n == n && same_nocase(a.p, z, n);
}

int ho_str_cmp(ho_str a, ho_str b)
{
  size_t n = a.n < b.n ? a.n : b.n;
  int order = n ? memcmp(a.p, b.p, n) : 0;
  return order ? order : (a.n > b.n) - (a.n < b.n);
}

int ho_str_order(const void *a, const void *b)
{
  return ho_str_cmp(*(const ho_str *)a, *(const ho_str *)b);
}

bool ho_str_starts_nocase(ho_str s, const char *prefix)
{
  size_t n = strlen(prefix);
  return s.n >= n && same_nocase(s.p, prefix, n);
}

bool ho_str_ends(ho_str s, const char *suffix)
{
  size_t n = strlen(suffix);
  return s.n >= n && (n == 0 || memcmp(s.p + s.n - n, suffix, n) == 0);
}

size_t ho_str_find(ho_str s, const char *part)
{
  size_t n = strlen(part);
  if (n == 0)
    return 0;
  const char *hit = s.n ? memmem(s.p, s.n, part, n) : NULL;
  return hit ? (size_t)(hit - s.p) : HO_NONE;
}

size_t ho_str_find_char(ho_str s, char c)
{
  const char *hit = s.n ? memchr(s.p, c, s.n) : NULL;
  return hit ? (size_t)(hit - s.p) : HO_NONE;
}

/* In steps, so that a text with many of one character and none of the other is not searched to its end each time. */
size_t ho_str_line_end(ho_str s)
{
  enum { STEP = 128 };
  for (size_t at = 0; at < s.n; at += STEP) {
    ho_str step = ho_str_sub(s, at, at + STEP);
    size_t feed = ho_str_find_char(step, '\n'), back = ho_str_find_char(ho_str_sub(step, 0, feed), '\r');
    if (feed != HO_NONE || back != HO_NONE)
      return at + (back != HO_NONE ? back : feed);
  }
  return s.n;
}

bool ho_str_has(ho_str s, const char *part)
{
  return ho_str_find(s, part) != HO_NONE;
}

bool ho_str_has_nocase(ho_str s, const char *part)
{
  size_t n = strlen(part);
  for (size_t i = 0; i + n <= s.n; i++)
    if (same_nocase(s.p + i, part, n))
      return true;
  return false;
}

ho_str ho_str_trim_end(ho_str s)
{
  while (s.n && ho_str_is_space(s.p[s.n - 1]))
    s.n--;
  return s;
}

ho_str ho_str_trim(ho_str s)
{
  while (s.n && ho_str_is_space(*s.p))
    s.p++, s.n--;
  return ho_str_trim_end(s);
}

bool ho_str_blank(ho_str s)
{
  return ho_str_trim(s).n == 0;
}

bool ho_str_next(ho_str *rest, char sep, ho_str *part)
{
  if (!rest->p)
    return false;
  size_t at = ho_str_find_char(*rest, sep);
  if (at == HO_NONE) {
    *part = *rest;
    *rest = (ho_str){NULL, 0};
    return true;
  }
  *part = (ho_str){rest->p, at};
  rest->p += at + 1;
  rest->n -= at + 1;
  return true;
}

bool ho_str_next_line(ho_str *rest, ho_str *line)
{
  if (!rest->p || rest->n == 0)
    return false;
  ho_str_next(rest, '\n', line);
  if (line->n && line->p[line->n - 1] == '\r')
    line->n--;
  return true;
}

static bool list_has(const char *list, ho_str word, bool nocase)
{
  for (const char *part = list, *end; part; part = *end ? end + 1 : NULL) {
    end = strchrnul(part, '|');
    ho_str here = {part, (size_t)(end - part)};
    if (here.n == word.n && (nocase ? same_nocase(part, word.p, word.n) : ho_str_eq(here, word)))
      return true;
  }
  return false;
}

bool ho_str_list_has(const char *list, ho_str word)
{
  return list_has(list, word, false);
}

bool ho_str_list_has_nocase(const char *list, ho_str word)
{
  return list_has(list, word, true);
}

const char *ho_plural(long long count)
{
  return ho_plural_of(count, "", "s");
}

const char *ho_plural_of(long long count, const char *one, const char *many)
{
  return count == 1 ? one : many;
}

uint64_t ho_str_hash(ho_str s)
{
  uint64_t h = 0xcbf29ce484222325u;
  for (size_t i = 0; i < s.n; i++)
    h = (h ^ (unsigned char)s.p[i]) * 0x100000001b3u;
  return h ^ (h >> 32);
}

bool ho_str_to_u64(ho_str s, uint64_t *out)
{
  uint64_t v = 0;
  if (s.n == 0)
    return false;
  for (size_t i = 0; i < s.n; i++) {
    unsigned digit = (unsigned char)s.p[i] - '0';
    if (digit > 9 || v > (UINT64_MAX - digit) / 10)
      return false;
    v = v * 10 + digit;
  }
  *out = v;
  return true;
}
