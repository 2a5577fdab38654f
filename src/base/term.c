#include "base/term.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include "base/escape.h"
#include "base/utf8.h"

bool ho_term_is(int fd)
{
  return isatty(fd);
}

bool ho_term_draws(int fd)
{
  const char *term = getenv("TERM");
  return ho_term_is(fd) && term && *term && strcmp(term, "dumb") != 0;
}

bool ho_term_colour(int fd)
{
  const char *no = getenv("NO_COLOR");
  return ho_term_draws(fd) && !(no && *no);
}

unsigned ho_term_width(int fd)
{
  struct winsize size;
  uint64_t columns = 0;
  if (ioctl(fd, TIOCGWINSZ, &size) == 0)
    columns = size.ws_col;
  if (!columns && !ho_str_to_u64(ho_str_of(getenv("COLUMNS")), &columns))
    columns = 80;
  if (columns == 0)
    columns = 80;
  return columns < 20 ? 20 : columns > 10000 ? 10000 : (unsigned)columns;
}

unsigned ho_term_height(int fd)
{
  struct winsize size;
  if (ioctl(fd, TIOCGWINSZ, &size) != 0 || size.ws_row == 0)
    return 24;
  return size.ws_row < 4 ? 4 : size.ws_row;
}

bool ho_term_sized(int fd)
{
  struct winsize size;
  return ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_row > 0;
}

size_t ho_term_cells(ho_str text)
{
  size_t cells = 0;
  for (size_t at = 0; at < text.n;)
    cells += (size_t)ho_utf8_width(ho_utf8_next(text, &at));
  return cells;
}

static void put_escaped(ho_buf *out, uint32_t cp, int keep)
{
  if (keep != HO_TERM_JSON)
    ho_escape_character(out, cp, 'x');
  else if (cp < 0x10000)
    ho_buf_printf(out, "\\u%04x", (unsigned)cp);
  else
    ho_buf_printf(out, "\\u%04x\\u%04x", (unsigned)(0xD7C0 + (cp >> 10)), (unsigned)(0xDC00 | (cp & 0x3FF)));
}

/* The length of a colour, bold, dim or the end of them at the start of the text; 0 for any other sequence, of which some
 * hide text. */
static size_t colour_length(ho_str text)
{
  static const char *const colours[] = {"\x1b[0m",  "\x1b[1m",  "\x1b[2m", "\x1b[31m",
                                        "\x1b[32m", "\x1b[33m", "\x1b[36m"};
  for (size_t i = 0; i < HO_COUNT(colours); i++)
    if (ho_str_starts(text, colours[i]))
      return strlen(colours[i]);
  return 0;
}

static void put_valid(ho_buf *out, ho_str text, int keep)
{
  size_t from = 0;
  uint32_t before = 0, cp = 0;
  for (size_t at = 0; at < text.n; before = cp) {
    size_t begin = at;
    cp = ho_utf8_next(text, &at);
    bool bad = ho_utf8_control(cp) || ho_utf8_hidden(before, cp, ho_utf8_peek(text, at));
    if (!bad || (keep != HO_TERM_LINE && (cp == '\n' || cp == '\t')))
      continue;
    size_t colour = keep == HO_TERM_COLOURS ? colour_length(ho_str_sub(text, begin, text.n)) : 0;
    if (colour) {
      at = begin + colour;
      continue;
    }
    ho_buf_put(out, ho_str_sub(text, from, begin));
    if (!(keep != HO_TERM_LINE && cp == '\r' && at < text.n && text.p[at] == '\n'))
      put_escaped(out, cp, keep);
    from = at;
  }
  ho_buf_put(out, ho_str_sub(text, from, text.n));
}

void ho_term_put(ho_buf *out, ho_str text, int keep)
{
  for (size_t bad; (bad = ho_utf8_bad(text)) != HO_NONE; text = ho_str_sub(text, bad + 1, text.n)) {
    put_valid(out, ho_str_sub(text, 0, bad), keep);
    ho_buf_printf(out, "\\x%02x", (unsigned char)text.p[bad]);
  }
  put_valid(out, text, keep);
}

bool ho_term_utf8(void)
{
  static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
  for (size_t i = 0; i < HO_COUNT(names); i++) {
    const char *value = getenv(names[i]);
    if (value && *value)
      return strcasestr(value, "utf-8") || strcasestr(value, "utf8");
  }
  return false;
}

void ho_term_put_plain(ho_buf *out, ho_str text)
{
  static const struct {
    const char *drawn;
    char plain;
  } signs[] = {{"\u2026", '~'}, {"\u00b7", '-'}, {"\u2713", '+'}, {"\u2717", 'x'}, {"\u25b8", '>'},
               {"\u2192", '>'}, {"\u2013", '-'}, {"\u2022", '*'}, {"\u2500", '-'}, {"\u2502", '|'},
               {"\u251c", '|'}, {"\u2514", '`'}, {"\u2588", '#'}, {"\u2591", '.'}};
  for (size_t at = 0, from = 0; at < text.n; from = at) {
    char plain = '\0';
    ho_utf8_next(text, &at);
    for (size_t i = 0; i < HO_COUNT(signs) && (text.p[from] & 0x80) && !plain; i++)
      plain = ho_str_starts(ho_str_sub(text, from, at), signs[i].drawn) ? signs[i].plain : '\0';
    if (plain)
      ho_buf_putc(out, plain);
    else
      ho_buf_put(out, ho_str_sub(text, from, at));
  }
}
