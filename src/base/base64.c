#include "base/base64.h"

static int value_of(char c)
{
  if (c >= 'A' && c <= 'Z')
    return c - 'A';
  if (c >= 'a' && c <= 'z')
    return c - 'a' + 26;
  if (c >= '0' && c <= '9')
    return c - '0' + 52;
  return c == '+' || c == '-' ? 62 : c == '/' || c == '_' ? 63 : -1;
}

void ho_base64_decode(ho_buf *out, ho_str text)
{
  unsigned bits = 0;
  int count = 0;
  for (size_t i = 0; i < text.n; i++) {
    int value = value_of(text.p[i]);
    if (value < 0)
      break;
    bits = (bits << 6 | (unsigned)value) & 0xffffff;
    count += 6;
    if (count >= 8) {
      count -= 8;
      ho_buf_putc(out, (char)(bits >> count & 0xff));
    }
  }
}
