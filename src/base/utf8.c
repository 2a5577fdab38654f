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

typedef struct range {
  uint32_t first, last;
} range;

static bool is_in(const range *ranges, size_t count, uint32_t cp)
{
  size_t low = 0, high = count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (cp > ranges[middle].last)
      low = middle + 1;
    else
      high = middle;
  }
  return low < count && cp >= ranges[low].first;
}
#define IN(ranges, cp) is_in(ranges, HO_COUNT(ranges), cp)

/* What takes no ink, in order: soft hyphen, fillers, zero-width characters, separators of lines, invisible operators,
 * the empty braille pattern, variation selectors, interlinear marks, controls of shorthand and music, tags. */
static const range unseen[] = {
    {0xAD, 0xAD},     {0x34F, 0x34F},   {0x115F, 0x1160},   {0x17B4, 0x17B5},   {0x180B, 0x180F},  {0x200B, 0x200D},
    {0x2028, 0x2029}, {0x2060, 0x206F}, {0x2800, 0x2800},   {0x3164, 0x3164},   {0xFE00, 0xFE0F},  {0xFEFF, 0xFEFF},
    {0xFFA0, 0xFFA0}, {0xFFF0, 0xFFFB}, {0x1BCA0, 0x1BCA3}, {0x1D173, 0x1D17A}, {0xE0000, 0xE0FFF}};
/* Scripts whose letters change their shape beside a joiner: Arabic and its neighbours, those of India, Tibet, Burma,
 * Cambodia, Mongolia and Indonesia. */
static const range joined[] = {{0x620, 0xDFF},   {0xF00, 0x109F},  {0x1780, 0x18AA},
                               {0x1A20, 0x1BFF}, {0xA840, 0xA87F}, {0xA8E0, 0xABFF},
                               {0xFB50, 0xFDFF}, {0xFE70, 0xFEFC}, {0x11000, 0x11FFF}};
static const range pictures[] = {{0xA9, 0xA9},     {0xAE, 0xAE},     {0x203C, 0x203C}, {0x2049, 0x2049},
                                 {0x2122, 0x2122}, {0x2139, 0x2139}, {0x2190, 0x27FF}, {0x2900, 0x2BFF},
                                 {0x3030, 0x3030}, {0x303D, 0x303D}, {0x3297, 0x3299}, {0x1F000, 0x1FAFF}};

/* Does the unseen character shape the one before it, as its script or an emoji needs? One of a kind only: what stands
 * before it must be seen, so that no text can be spelled with a row of them. */
static bool shapes(uint32_t before, uint32_t cp, uint32_t after)
{
  enum { TEXT_STYLE = 0xFE0E, EMOJI_STYLE = 0xFE0F, NON_JOINER = 0x200C, JOINER = 0x200D, KEYCAP = 0x20E3 };
  bool of_script = IN(joined, before) && !IN(unseen, before);
  if (cp == NON_JOINER)
    return of_script;
  if (cp == JOINER)
    return of_script || ((IN(pictures, before) || before == EMOJI_STYLE) && IN(pictures, after));
  if (cp == TEXT_STYLE || cp == EMOJI_STYLE)
    return IN(pictures, before) || after == KEYCAP;
  return cp >= 0x180B && cp <= 0x180F && cp != 0x180E && before >= 0x1820 && before <= 0x18AA;
}

bool ho_utf8_hidden(uint32_t before, uint32_t cp, uint32_t after)
{
  if (cp == '\t' || cp == '\n' || cp == '\r' || cp == 0x85)
    return false;
  return ho_utf8_control(cp) || (cp > 0x7F && IN(unseen, cp) && !shapes(before, cp, after));
}

/* White space that is not ASCII, and the braille pattern without dots. */
static const range blanks[] = {{0x85, 0x85},     {0xA0, 0xA0},     {0x1680, 0x1680}, {0x2000, 0x200A}, {0x2028, 0x2029},
                               {0x202F, 0x202F}, {0x205F, 0x205F}, {0x2800, 0x2800}, {0x3000, 0x3000}};
static const range hangul[] = {{0x115F, 0x1160}, {0x3164, 0x3164}, {0xFFA0, 0xFFA0}};

ho_utf8_look ho_utf8_looks(uint32_t cp)
{
  if (cp < 0x80 ? isspace((int)cp) != 0 : IN(blanks, cp))
    return HO_LOOK_BLANK;
  if (cp > 0x7F && IN(hangul, cp))
    return HO_LOOK_FILLER;
  return ho_utf8_control(cp) || (cp > 0x7F && IN(unseen, cp)) ? HO_LOOK_NOTHING : HO_LOOK_INK;
}

/* Letters, marks and digits of the scripts that people write in today, by Unicode 15; gaps that nothing is assigned to
 * are included. */
static const range letters[] = {
    {0xAA, 0xAA},     {0xB5, 0xB5},     {0xBA, 0xBA},     {0xC0, 0xD6},     {0xD8, 0xF6},      {0xF8, 0x2C1},
    {0x300, 0x34E},   {0x350, 0x374},   {0x376, 0x37D},   {0x37F, 0x37F},   {0x386, 0x386},    {0x388, 0x3F5},
    {0x3F7, 0x481},   {0x483, 0x559},   {0x560, 0x588},   {0x591, 0x5BD},   {0x5BF, 0x5BF},    {0x5C1, 0x5C2},
    {0x5C4, 0x5C5},   {0x5C7, 0x5F2},   {0x610, 0x61A},   {0x620, 0x669},   {0x66E, 0x6D3},    {0x6D5, 0x6DC},
    {0x6DF, 0x6E8},   {0x6EA, 0x6FC},   {0x6FF, 0x6FF},   {0x710, 0x74F},   {0x750, 0x7B1},    {0x8A0, 0x8E1},
    {0x8E3, 0x963},   {0x966, 0x96F},   {0x971, 0x9F1},   {0x9FC, 0x9FC},   {0x9FE, 0xA75},    {0xA81, 0xAEF},
    {0xAF9, 0xB6F},   {0xB71, 0xB71},   {0xB82, 0xBEF},   {0xC00, 0xC6F},   {0xC80, 0xC83},    {0xC85, 0xD4E},
    {0xD54, 0xD57},   {0xD5F, 0xD6F},   {0xD7A, 0xDF3},   {0xE01, 0xE3A},   {0xE40, 0xE4E},    {0xE50, 0xE59},
    {0xE81, 0xF00},   {0xF18, 0xF19},   {0xF20, 0xF29},   {0xF35, 0xF35},   {0xF37, 0xF37},    {0xF39, 0xF39},
    {0xF3E, 0xF84},   {0xF86, 0xFBC},   {0x1000, 0x1049}, {0x1050, 0x109D}, {0x10A0, 0x10FA},  {0x10FC, 0x115E},
    {0x1161, 0x135F}, {0x1380, 0x138F}, {0x13A0, 0x13FD}, {0x1401, 0x166C}, {0x166F, 0x167F},  {0x1780, 0x17B3},
    {0x17B6, 0x17D3}, {0x17D7, 0x17D7}, {0x17DC, 0x17E9}, {0x1810, 0x18AA}, {0x1C80, 0x1CBF},  {0x1E00, 0x1FBC},
    {0x3005, 0x3006}, {0x3041, 0x309A}, {0x309D, 0x309F}, {0x30A1, 0x30FA}, {0x30FC, 0x3163},  {0x3165, 0x318E},
    {0x31A0, 0x31BF}, {0x31F0, 0x31FF}, {0x3400, 0x4DBF}, {0x4E00, 0xA48C}, {0xAC00, 0xD7A3},  {0xF900, 0xFAD9},
    {0xFF10, 0xFF19}, {0xFF21, 0xFF3A}, {0xFF41, 0xFF5A}, {0xFF66, 0xFF9F}, {0x20000, 0x3134A}};

bool ho_utf8_letter(uint32_t cp)
{
  return cp < 0x80 ? isalnum((int)cp) != 0 : IN(letters, cp);
}

uint32_t ho_utf8_peek(ho_str s, size_t at)
{
  return at < s.n ? ho_utf8_next(s, &at) : 0;
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
