#include "base/seen.h"

#include "base/utf8.h"

static bool is_plain(ho_str text)
{
  for (size_t i = 0; i < text.n; i++)
    if ((unsigned char)text.p[i] < 0x20 || (unsigned char)text.p[i] >= 0x7F)
      return false;
  return true;
}

static void put_ink(ho_buf *out, uint32_t cp)
{
  char bytes[4];
  uint32_t seen = cp < 0x80 ? cp : ho_seen_alike(cp);
  if (seen)
    ho_buf_put(out, (ho_str){bytes, ho_utf8_put(bytes, seen)});
}

ho_str ho_seen_text(ho_arena *arena, ho_str text, const char *filler, bool *fillers)
{
  ho_buf out;
  *fillers = false;
  if (is_plain(text) || ho_utf8_bad(text) != HO_NONE)
    return text;
  ho_buf_init(&out, 0);
  for (size_t at = 0; at < text.n;) {
    uint32_t cp = ho_utf8_next(text, &at);
    switch (ho_utf8_looks(cp)) {
    case HO_LOOK_INK:
      put_ink(&out, cp);
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
