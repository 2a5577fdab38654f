#include <time.h>

#include "base/time.h"
#include "engine/project/times.h"
#include "model/syntax.h"

ho_str ho_time_str(ho_arena *arena, int64_t ms)
{
  char text[HO_TIME_SIZE];
  if (!ms)
    return HO_EMPTY;
  ho_time_text(ms, false, text);
  return ho_arena_copy(arena, ho_str_of(text));
}

static int digits(const char *p, int count)
{
  int value = 0;
  while (count--)
    value = value * 10 + (*p++ - '0');
  return value;
}

bool ho_time_read(ho_str text, int64_t *out)
{
  char stamp[17];
  bool exact;
  if (!ho_stamp_read(ho_str_trim(text), stamp, &exact))
    return false;
  struct tm tm = {.tm_year = digits(stamp, 4) - 1900,
                  .tm_mon = digits(stamp + 4, 2) - 1,
                  .tm_mday = digits(stamp + 6, 2),
                  .tm_hour = digits(stamp + 9, 2),
                  .tm_min = digits(stamp + 11, 2),
                  .tm_sec = digits(stamp + 13, 2)};
  *out = (int64_t)timegm(&tm) * 1000;
  return true;
}
