#include "base/escape.h"

/* Puts what stands before the next of the special characters and takes it off; false if there is none. */
static bool next(ho_buf *out, ho_str *text, const char *special, char *found)
{
  size_t n = 0;
  while (n < text->n && !(text->p[n] && strchr(special, text->p[n])))
    n++;
  ho_buf_put(out, ho_str_sub(*text, 0, n));
  if (n == text->n)
    return false;
  *found = text->p[n];
  *text = ho_str_sub(*text, n + 1, text->n);
  return true;
}

void ho_escape_backslash(ho_buf *out, ho_str text, const char *special)
{
  for (char c; next(out, &text, special, &c);) {
    ho_buf_putc(out, '\\');
    ho_buf_putc(out, c);
  }
}

void ho_escape_percent(ho_buf *out, ho_str text, const char *special)
{
  for (char c; next(out, &text, special, &c);)
    ho_buf_printf(out, "%%%02X", (unsigned char)c);
}

void ho_escape_html(ho_buf *out, ho_str text)
{
  for (char c; next(out, &text, "<>&\"", &c);)
    ho_buf_puts(out, c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : "&quot;");
}

void ho_escape_mermaid(ho_buf *out, ho_str text)
{
  for (char c; next(out, &text, "\"#;<>&`[]{}()|\\", &c);)
    ho_buf_printf(out, "#%d;", c);
}

void ho_escape_character(ho_buf *out, uint32_t cp, char hex)
{
  if (cp == '\n')
    ho_buf_puts(out, "\\n");
  else if (cp == '\t')
    ho_buf_puts(out, "\\t");
  else if (cp == '\r')
    ho_buf_puts(out, "\\r");
  else if (cp < 0x100)
    ho_buf_printf(out, hex == 'x' ? "\\x%02x" : "\\x%02X", (unsigned)cp);
  else if (cp < 0x10000)
    ho_buf_printf(out, hex == 'x' ? "\\u%04x" : "\\u%04X", (unsigned)cp);
  else
    ho_buf_printf(out, hex == 'x' ? "\\U%08x" : "\\U%08X", (unsigned)cp);
}
