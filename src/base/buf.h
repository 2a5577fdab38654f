/* A growing string with a limit and sticky failure.
 *
 * `p` is never NULL and always ends in NUL. After a failure (limit or memory) further puts do nothing; check once at
 * the end with ho_buf_code. */
#ifndef HO_BASE_BUF_H
#define HO_BASE_BUF_H

#include "base/arena.h"

typedef struct ho_buf {
  char *p;
  size_t n, cap, limit;
  ho_code failed;
} ho_buf;

/* limit 0 means HO_LIMIT_OUTPUT. Allocates nothing. */
void ho_buf_init(ho_buf *buf, size_t limit);
void ho_buf_free(ho_buf *buf);
/* Moves the text into the arena; a failure becomes the arena's. */
ho_str ho_buf_move(ho_buf *buf, ho_arena *arena);
/* Frees buf; a failure becomes that of `out`, which was built with its help. */
void ho_buf_free_into(ho_buf *buf, ho_buf *out);
void ho_buf_reset(ho_buf *buf);         /* empty again, failure forgotten, memory kept */
void ho_buf_cut(ho_buf *buf, size_t n); /* keeps only the first n bytes */

void ho_buf_put(ho_buf *buf, ho_str s);
void ho_buf_puts(ho_buf *buf, const char *z);
void ho_buf_putc(ho_buf *buf, char c);
void ho_buf_fill(ho_buf *buf, char c, size_t count);
void ho_buf_printf(ho_buf *buf, const char *format, ...) HO_PRINTF(2, 3);

ho_str ho_buf_str(const ho_buf *buf);
ho_code ho_buf_code(const ho_buf *buf, ho_error *err) HO_NODISCARD;
#endif
