#include "base/buf.h"

#include "base/grow.h"
#include "base/limits.h"
#include "base/memory.h"

static char nothing[1];

void ho_buf_init(ho_buf *buf, size_t limit)
{
  *buf = (ho_buf){.p = nothing, .limit = limit ? limit : HO_LIMIT_OUTPUT};
}

void ho_buf_free(ho_buf *buf)
{
  if (buf->cap)
    ho_free(buf->p);
  ho_buf_init(buf, buf->limit);
}

ho_str ho_buf_move(ho_buf *buf, ho_arena *arena)
{
  if (buf->failed && !arena->failed)
    arena->failed = buf->failed;
  ho_str text = ho_arena_copy(arena, (ho_str){buf->p, buf->n});
  ho_buf_free(buf);
  return text;
}

void ho_buf_free_into(ho_buf *buf, ho_buf *out)
{
  if (buf->failed && !out->failed)
    out->failed = buf->failed;
  ho_buf_free(buf);
}

void ho_buf_reset(ho_buf *buf)
{
  buf->n = 0;
  buf->failed = HO_OK;
  if (buf->cap) /* `nothing` is shared, and empty */
    buf->p[0] = '\0';
}

void ho_buf_cut(ho_buf *buf, size_t n)
{
  if (n >= buf->n)
    return;
  buf->n = n;
  buf->p[n] = '\0';
}

/* Makes room for n more bytes and the NUL. */
static bool reserve(ho_buf *buf, size_t n)
{
  if (buf->failed)
    return false;
  if (n > buf->limit || buf->n > buf->limit - n) {
    buf->failed = HO_LIMIT;
    return false;
  }
  if (buf->cap > buf->n + n)
    return true;
  size_t cap = ho_grow_room(buf->cap ? buf->cap : 256, buf->n + n + 1);
  char *p = ho_realloc(buf->cap ? buf->p : NULL, cap);
  if (!p) {
    buf->failed = HO_MEMORY;
    return false;
  }
  buf->p = p;
  buf->cap = cap;
  return true;
}

void ho_buf_put(ho_buf *buf, ho_str s)
{
  if (!s.n || !reserve(buf, s.n))
    return;
  memcpy(buf->p + buf->n, s.p, s.n);
  buf->n += s.n;
  buf->p[buf->n] = '\0';
}

void ho_buf_puts(ho_buf *buf, const char *z)
{
  ho_buf_put(buf, ho_str_of(z));
}

void ho_buf_putc(ho_buf *buf, char c)
{
  if (!reserve(buf, 1))
    return;
  buf->p[buf->n++] = c;
  buf->p[buf->n] = '\0';
}

void ho_buf_fill(ho_buf *buf, char c, size_t count)
{
  if (!count || !reserve(buf, count))
    return;
  memset(buf->p + buf->n, c, count);
  buf->n += count;
  buf->p[buf->n] = '\0';
}

/* Tries the room that is there, and again if that is too small. */
void ho_buf_printf(ho_buf *buf, const char *format, ...)
{
  va_list args;
  size_t room = buf->cap - buf->n;
  va_start(args, format);
  int n = vsnprintf(buf->cap ? buf->p + buf->n : NULL, room, format, args);
  va_end(args);
  if (n <= 0 || !reserve(buf, (size_t)n)) {
    buf->p[buf->n] = '\0';
    return;
  }
  if ((size_t)n >= room) {
    va_start(args, format);
    vsnprintf(buf->p + buf->n, (size_t)n + 1, format, args);
    va_end(args);
  }
  buf->n += (size_t)n;
}

ho_str ho_buf_str(const ho_buf *buf)
{
  return (ho_str){buf->p, buf->n};
}

ho_code ho_buf_code(const ho_buf *buf, ho_error *err)
{
  if (buf->failed == HO_LIMIT)
    return ho_fail(err, HO_LIMIT, "the result is larger than %zu bytes (limit output)", buf->limit);
  return buf->failed ? ho_fail_memory(err) : HO_OK;
}
