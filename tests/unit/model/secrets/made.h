/* Texts with credentials that are put together at run time, so that none stands in a file. */
#ifndef TEST_MADE_H
#define TEST_MADE_H

#include "unit.h"

#include "base/buf.h"

/* What every one of them has. */
#define MADE_PART "a7Bq"

/* "*N" becomes N letters and digits, "~" nothing: it only keeps a file free of what it looks for. */
static inline void made_put(ho_buf *out, const char *part)
{
  for (; *part; part++) {
    if (*part == '~')
      continue;
    if (*part != '*' || part[1] < '0' || part[1] > '9') {
      ho_buf_putc(out, *part);
      continue;
    }
    char *end;
    unsigned long n = strtoul(part + 1, &end, 10);
    for (unsigned long i = 0; i < n; i++)
      ho_buf_putc(out, "a7Bq9Zk3"[i % 8]);
    part = end - 1;
  }
}

static inline ho_str made_text(ho_arena *arena, const char *part)
{
  ho_buf out;
  ho_buf_init(&out, 0);
  made_put(&out, part);
  return ho_buf_move(&out, arena);
}
#endif
