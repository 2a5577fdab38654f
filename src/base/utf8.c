#include "base/utf8.h"

/* Length of the sequence that starts at p, or 0 if it is not well formed. */
static size_t sequence(const unsigned char *p, size_t n)
{
  if (p[0] < 0x80)
    return 1;
  if (p[0] >= 0xC2 && p[0] <= 0xDF)
    return n >= 2 && (p[1] & 0xC0) == 0x80 ? 2 : 0;
  if ((p[0] & 0xF0) == 0xE0) {
    if (n < 3 || (p[1] & 0xC0) != 0x80 || (p[2] & 0xC0) != 0x80)
      return 0;
    if ((p[0] == 0xE0 && p[1] < 0xA0) || (p[0] == 0xED && p[1] > 0x9F))
      return 0;
    return 3;
  }
  if (p[0] >= 0xF0 && p[0] <= 0xF4) {
    if (n < 4 || (p[1] & 0xC0) != 0x80 || (p[2] & 0xC0) != 0x80 || (p[3] & 0xC0) != 0x80)
      return 0;
    if ((p[0] == 0xF0 && p[1] < 0x90) || (p[0] == 0xF4 && p[1] > 0x8F))
      return 0;
    return 4;
  }
  return 0;
}

size_t ho_utf8_bad(ho_str s)
{
  const unsigned char *p = (const unsigned char *)s.p;
  for (size_t i = 0; i < s.n;) {
    uint64_t eight;
    if (i + 8 <= s.n && (memcpy(&eight, p + i, 8), (eight & 0x8080808080808080u) == 0)) {
      i += 8;
      continue;
    }
    size_t n = sequence(p + i, s.n - i);
    if (n == 0)
      return i;
    i += n;
  }
  return HO_NONE;
}

uint32_t ho_utf8_next(ho_str s, size_t *at)
{
  const unsigned char *p = (const unsigned char *)s.p + *at;
  size_t left = s.n - *at;
  if (p[0] < 0x80 || left < 2) {
    *at += 1;
    return p[0];
  }
  if (p[0] < 0xE0 || left < 3) {
    *at += 2;
    return (uint32_t)(p[0] & 0x1F) << 6 | (p[1] & 0x3F);
  }
  if (p[0] < 0xF0 || left < 4) {
    *at += 3;
    return (uint32_t)(p[0] & 0x0F) << 12 | (uint32_t)(p[1] & 0x3F) << 6 | (p[2] & 0x3F);
  }
  *at += 4;
  return (uint32_t)(p[0] & 0x07) << 18 | (uint32_t)(p[1] & 0x3F) << 12 | (uint32_t)(p[2] & 0x3F) << 6 | (p[3] & 0x3F);
}

size_t ho_utf8_put(char *to, uint32_t cp)
{
  unsigned char *p = (unsigned char *)to;
  if (cp < 0x80) {
    p[0] = (unsigned char)cp;
    return 1;
  }
  if (cp < 0x800) {
    p[0] = (unsigned char)(0xC0 | cp >> 6);
    p[1] = (unsigned char)(0x80 | (cp & 0x3F));
    return 2;
  }
  if (cp < 0x10000) {
    p[0] = (unsigned char)(0xE0 | cp >> 12);
    p[1] = (unsigned char)(0x80 | (cp >> 6 & 0x3F));
    p[2] = (unsigned char)(0x80 | (cp & 0x3F));
    return 3;
  }
  p[0] = (unsigned char)(0xF0 | cp >> 18);
  p[1] = (unsigned char)(0x80 | (cp >> 12 & 0x3F));
  p[2] = (unsigned char)(0x80 | (cp >> 6 & 0x3F));
  p[3] = (unsigned char)(0x80 | (cp & 0x3F));
  return 4;
}

size_t ho_utf8_count(ho_str s)
{
  const uint64_t ones = 0x0101010101010101u;
  size_t count = s.n, i = 0;
  for (uint64_t eight; i + 8 <= s.n; i += 8) {
    memcpy(&eight, s.p + i, 8);
    uint64_t continuations = (eight >> 7) & ~(eight >> 6) & ones; /* a bit in each byte 10xxxxxx */
    count -= (size_t)(continuations * ones >> 56);
  }
  for (; i < s.n; i++)
    count -= ((unsigned char)s.p[i] & 0xC0) == 0x80;
  return count;
}

size_t ho_utf8_floor(ho_str s, size_t at)
{
  if (at >= s.n)
    return s.n;
  while (at && ((unsigned char)s.p[at] & 0xC0) == 0x80)
    at--;
  return at;
}

bool ho_utf8_control(uint32_t cp)
{
  return cp < 0x20 || (cp >= 0x7F && cp < 0xA0) || cp == 0x061C || cp == 0x200E || cp == 0x200F ||
         (cp >= 0x202A && cp <= 0x202E) || (cp >= 0x2066 && cp <= 0x2069);
}

bool ho_utf8_hidden(uint32_t cp)
{
  if (cp == '\t' || cp == '\n' || cp == '\r' || cp == 0x85)
    return false;
  return ho_utf8_control(cp) || cp == 0x200B || cp == 0x180E || (cp >= 0x2060 && cp <= 0x206F) || cp == 0xFEFF ||
         (cp >= 0xFFF9 && cp <= 0xFFFB) || (cp >= 0xE0000 && cp <= 0xE0FFF);
}

bool ho_utf8_joins(uint32_t cp)
{
  return cp == 0x200C || cp == 0x200D;
}

int ho_utf8_width(uint32_t cp)
{
  if ((cp >= 0x0300 && cp <= 0x036F) || (cp >= 0x200B && cp <= 0x200F) || (cp >= 0xFE00 && cp <= 0xFE0F) ||
      (cp >= 0x20D0 && cp <= 0x20FF))
    return 0;
  if ((cp >= 0x1100 && cp <= 0x115F) || (cp >= 0x2E80 && cp <= 0x303E) || (cp >= 0x3041 && cp <= 0xA4CF) ||
      (cp >= 0xAC00 && cp <= 0xD7A3) || (cp >= 0xF900 && cp <= 0xFAFF) || (cp >= 0xFE30 && cp <= 0xFE6F) ||
      (cp >= 0xFF00 && cp <= 0xFF60) || (cp >= 0xFFE0 && cp <= 0xFFE6) || (cp >= 0x1F300 && cp <= 0x1F64F) ||
      (cp >= 0x1F680 && cp <= 0x1F6FF) || (cp >= 0x1F900 && cp <= 0x1F9FF) || (cp >= 0x20000 && cp <= 0x3FFFD))
    return 2;
  return 1;
}
