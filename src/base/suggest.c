#include "base/suggest.h"

enum { LONGEST = 64 };

static unsigned least(unsigned a, unsigned b)
{
  return a < b ? a : b;
}

unsigned ho_distance(ho_str a, ho_str b)
{
  unsigned rows[3][LONGEST + 1]; /* the row before the last, the last, and the one being made */
  a = ho_str_sub(a, 0, LONGEST);
  b = ho_str_sub(b, 0, LONGEST);
  for (unsigned j = 0; j <= b.n; j++)
    rows[0][j] = j;
  for (unsigned i = 1; i <= a.n; i++) {
    unsigned *now = rows[i % 3], *last = rows[(i + 2) % 3], *before = rows[(i + 1) % 3];
    now[0] = i;
    for (unsigned j = 1; j <= b.n; j++) {
      now[j] = least(least(last[j], now[j - 1]) + 1, last[j - 1] + (a.p[i - 1] != b.p[j - 1]));
      if (i > 1 && j > 1 && a.p[i - 1] == b.p[j - 2] && a.p[i - 2] == b.p[j - 1])
        now[j] = least(now[j], before[j - 2] + 1);
    }
  }
  return rows[a.n % 3][b.n];
}

unsigned ho_distance_far(ho_str word)
{
  return word.n < 5 ? 2 : 3;
}

/* The beginning of a name is as near as a slip of one letter. */
static unsigned distance_to(ho_str word, ho_str name)
{
  if (word.n >= 3 && name.n > word.n && memcmp(name.p, word.p, word.n) == 0)
    return 1;
  return ho_distance(word, name);
}

const char *ho_suggest(ho_str word, const char *(*name_at)(size_t index))
{
  const char *best = NULL;
  unsigned nearest = ho_distance_far(word);
  for (size_t i = 0; name_at(i); i++) {
    unsigned distance = distance_to(word, ho_str_of(name_at(i)));
    if (distance < nearest) {
      nearest = distance;
      best = name_at(i);
    }
  }
  return best;
}
