#include "command/wrap.h"

#include "base/term.h"
#include "base/utf8.h"

static bool is_blank(char c)
{
  return c == ' ' || c == '\t';
}

/* A closing mark: in scripts without spaces between words, no line starts with it. */
static bool is_closing(uint32_t cp)
{
  static const uint32_t marks[] = {0x3001, 0x3002, 0x300D, 0x300F, 0x3011, 0xFF01,
                                   0xFF09, 0xFF0C, 0xFF1A, 0xFF1B, 0xFF1F};
  for (size_t i = 0; i < HO_COUNT(marks); i++)
    if (cp == marks[i])
      return true;
  return false;
}

/* The end of what must stay together from `at` on: everything up to a space, or a single wide
 * character with what is joined to it, because a line may break between any two of those. */
static size_t word_end(ho_str line, size_t at)
{
  bool wide = false, joined = true;
  for (size_t begin = at; at < line.n && !is_blank(line.p[at]); begin = at) {
    uint32_t cp = ho_utf8_next(line, &at);
    int width = ho_utf8_width(cp);
    if (!joined && width && (wide || width == 2) && !is_closing(cp))
      return begin;
    wide = width ? width == 2 : wide;
    joined = cp == 0x200D; /* a zero-width joiner */
  }
  return at;
}

/* *apart: there is a blank before the word. */
static bool next_word(ho_str *line, ho_str *word, bool *apart)
{
  size_t at = 0;
  while (at < line->n && is_blank(line->p[at]))
    at++;
  *apart = at > 0;
  size_t end = word_end(*line, at);
  *word = ho_str_sub(*line, at, end);
  *line = ho_str_sub(*line, end, line->n);
  return word->n > 0;
}

static size_t leading_spaces(ho_str line)
{
  size_t n = 0;
  while (n < line.n && n < HO_TEXT_WIDTH / 2 && (line.p[n] == ' ' || line.p[n] == '\t'))
    n++;
  return n;
}

/* "- ", "* " or "12. " at the start of a list item: its text hangs behind it. */
static size_t marker(ho_str line)
{
  size_t n = 0;
  if (line.n > 1 && (line.p[0] == '-' || line.p[0] == '*') && line.p[1] == ' ')
    return 2;
  while (n < line.n && n < 4 && isdigit((unsigned char)line.p[n]))
    n++;
  return n && n + 1 < line.n && (line.p[n] == '.' || line.p[n] == ')') && line.p[n + 1] == ' ' ? n + 2 : 0;
}

static void wrap_line(ho_buf *out, ho_str line, size_t width, size_t indent, size_t column)
{
  ho_str word;
  bool first = true, apart;
  size_t spaces = leading_spaces(line), margin = indent + spaces;
  if (column < margin) {
    ho_buf_fill(out, ' ', margin - column);
    column = margin;
  }
  margin += marker(ho_str_sub(line, spaces, line.n));
  while (next_word(&line, &word, &apart)) {
    size_t cells = ho_term_cells(word);
    if (!first && column + apart + cells > width) {
      ho_buf_putc(out, '\n');
      ho_buf_fill(out, ' ', margin);
      column = margin;
    } else if (!first && apart) {
      ho_buf_putc(out, ' ');
      column++;
    }
    ho_term_put(out, word, HO_TERM_LINE);
    column += cells;
    first = false;
  }
  ho_buf_putc(out, '\n');
}

void ho_wrap(ho_buf *out, ho_str text, size_t indent, size_t column)
{
  ho_wrap_to(out, text, HO_TEXT_WIDTH, indent, column);
}

void ho_wrap_to(ho_buf *out, ho_str text, size_t width, size_t indent, size_t column)
{
  ho_str line;
  bool first = true;
  text = ho_str_trim_end(text);
  while (ho_str_next_line(&text, &line)) {
    if (!first && ho_str_blank(line))
      ho_buf_putc(out, '\n');
    else
      wrap_line(out, line, width, indent, first ? column : 0);
    first = false;
  }
  if (first)
    ho_buf_putc(out, '\n');
}

void ho_put_flow(ho_buf *out, ho_str text, size_t width, size_t indent)
{
  ho_buf line;
  ho_buf_init(&line, 0);
  for (size_t i = 0; i < text.n; i++)
    ho_buf_putc(&line, text.p[i] == '\n' ? ' ' : text.p[i]);
  if (width) {
    wrap_line(out, ho_buf_str(&line), width, indent, 0);
  } else {
    ho_buf_fill(out, ' ', indent);
    ho_term_put(out, ho_buf_str(&line), HO_TERM_LINE);
    ho_buf_putc(out, '\n');
  }
  ho_buf_free_into(&line, out);
}

void ho_put_bold(ho_buf *out, ho_str text, bool colour)
{
  if (colour)
    ho_buf_puts(out, "\x1b[1m");
  ho_term_put(out, text, HO_TERM_LINE);
  if (colour)
    ho_buf_puts(out, "\x1b[0m");
}

void ho_put_elapsed(ho_buf *out, int64_t ms)
{
  long long s = ms > 0 ? (long long)(ms / 1000) : 0;
  if (s >= 3600)
    ho_buf_printf(out, "%lld:%02lld:%02lld", s / 3600, s / 60 % 60, s % 60);
  else
    ho_buf_printf(out, "%lld:%02lld", s / 60, s % 60);
}

void ho_put_cut(ho_buf *out, ho_str text, size_t cells)
{
  ho_buf safe;
  size_t end = 0, used = 0;
  ho_buf_init(&safe, 0);
  ho_term_put(&safe, ho_str_sub(text, 0, 4096), HO_TERM_LINE);
  ho_str line = ho_buf_str(&safe);
  if (ho_term_cells(line) <= cells) {
    ho_buf_put(out, line);
  } else {
    for (size_t at = 0; at < line.n; end = at) {
      size_t begin = at;
      ho_str rest = ho_str_sub(line, at, line.n);
      for (at++; at < line.n && ((unsigned char)line.p[at] & 0xC0) == 0x80;)
        at++;
      used += ho_term_cells(ho_str_sub(rest, 0, at - begin));
      if (used + 1 > cells)
        break;
    }
    ho_buf_printf(out, "%.*s\xe2\x80\xa6", (int)end, line.p);
  }
  ho_buf_free_into(&safe, out);
}
