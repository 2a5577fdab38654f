#include "base/seen.h"

#include "base/utf8.h"

static bool is_plain(ho_str text)
{
  for (size_t i = 0; i < text.n; i++)
    if ((unsigned char)text.p[i] < 0x20 || (unsigned char)text.p[i] >= 0x7F)
      return false;
  return true;
}

ho_str ho_seen_text(ho_arena *arena, ho_str text, const char *filler, bool *fillers)
{
  ho_buf out;
  *fillers = false;
  if (is_plain(text) || ho_utf8_bad(text) != HO_NONE)
    return text;
  ho_buf_init(&out, 0);
  for (size_t at = 0; at < text.n;) {
    size_t from = at;
    switch (ho_utf8_looks(ho_utf8_next(text, &at))) {
    case HO_LOOK_INK:
      ho_buf_put(&out, ho_str_sub(text, from, at));
      break;
    case HO_LOOK_BLANK:
      ho_buf_putc(&out, ' ');
      break;
    case HO_LOOK_FILLER:
      ho_buf_puts(&out, filler);
      *fillers = true;
      break;
    case HO_LOOK_NOTHING:
      break;
    }
  }
  return ho_buf_move(&out, arena);
}
