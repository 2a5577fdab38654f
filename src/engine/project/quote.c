#include "engine/project/quote.h"

#include "base/buf.h"
#include "base/utf8.h"

/* Characters that are invisible or cannot be trusted; in prompts also those that are harmless elsewhere: joiners, soft
 * hyphens, variation selectors, fillers, the empty braille pattern. */
static bool is_hidden(uint32_t cp)
{
  static const uint32_t ranges[][2] = {{0xad, 0xad},     {0x34f, 0x34f},     {0x115f, 0x1160},  {0x17b4, 0x17b5},
                                       {0x180b, 0x180f}, {0x2800, 0x2800},   {0x3164, 0x3164},  {0xfe00, 0xfe0f},
                                       {0xffa0, 0xffa0}, {0x1bca0, 0x1bca3}, {0x1d173, 0x1d17a}};
  for (size_t i = 0; i < HO_COUNT(ranges); i++)
    if (cp >= ranges[i][0] && cp <= ranges[i][1])
      return true;
  return ho_utf8_hidden(cp) || ho_utf8_control(cp) || ho_utf8_joins(cp);
}

static bool is_break(uint32_t cp)
{
  return cp == '\n' || cp == '\r' || cp == 0x0b || cp == 0x0c || cp == 0x85 || cp == 0x2028 || cp == 0x2029;
}

/* Most of a text is printable ASCII, and need not be examined character by character. */
static size_t end_of_plain(ho_str text, size_t at)
{
  while (at < text.n && text.p[at] >= ' ' && text.p[at] < 0x7f)
    at++;
  return at;
}

static void put_clean(ho_buf *out, ho_str text, bool one_line)
{
  char last = '\n';
  for (size_t at = 0; at < text.n;) {
    size_t from = at;
    at = end_of_plain(text, from);
    if (at > from) {
      ho_buf_put(out, ho_str_sub(text, from, at));
      last = text.p[at - 1];
      continue;
    }
    uint32_t cp = ho_utf8_next(text, &at);
    if (cp == '\r' && at < text.n && text.p[at] == '\n')
      continue;
    char blank = is_break(cp) ? (one_line ? ' ' : '\n') : cp == '\t' ? ' ' : 0;
    if (blank && !(one_line && last == ' '))
      ho_buf_putc(out, last = blank);
    else if (!blank && !is_hidden(cp)) {
      ho_buf_put(out, ho_str_sub(text, from, at));
      last = text.p[at - 1];
    }
  }
}

ho_str ho_quote_clean(ho_arena *arena, ho_str text, size_t most, bool one_line)
{
  static const char mark[] = " [cut]";
  ho_buf out;
  text = ho_str_trim(text);
  bool cut = text.n > most;
  if (cut)
    text = ho_str_sub(text, 0, ho_utf8_floor(text, most));
  ho_buf_init(&out, 0);
  put_clean(&out, text, one_line);
  if (cut)
    ho_buf_puts(&out, mark);
  return ho_str_trim(ho_buf_move(&out, arena));
}

static size_t longest_run(ho_str text, char c)
{
  size_t longest = 0, run = 0;
  for (size_t i = 0; i < text.n; i++) {
    run = text.p[i] == c ? run + 1 : 0;
    longest = run > longest ? run : longest;
  }
  return longest;
}

ho_str ho_quote_fence(ho_arena *arena, ho_str clean)
{
  ho_buf out;
  ho_str line;
  size_t run = longest_run(clean, '`'), marks = run < 3 ? 3 : run + 1;
  ho_buf_init(&out, 0);
  ho_buf_fill(&out, '`', marks);
  ho_buf_puts(&out, "text\n");
  while (ho_str_next(&clean, '\n', &line)) {
    ho_buf_puts(&out, "  ");
    ho_buf_put(&out, line);
    ho_buf_putc(&out, '\n');
  }
  ho_buf_fill(&out, '`', marks);
  return ho_buf_move(&out, arena);
}

ho_str ho_quote_path(ho_arena *arena, ho_str path)
{
  ho_buf out;
  ho_str clean = ho_quote_clean(arena, path, 400, true);
  ho_buf_init(&out, 0);
  for (size_t i = 0; i < clean.n; i++)
    ho_buf_putc(&out, clean.p[i] == '`' ? '\'' : clean.p[i]);
  return ho_buf_move(&out, arena);
}

static bool plain_to_shell(ho_str word)
{
  for (size_t i = 0; i < word.n; i++)
    if (!isalnum((unsigned char)word.p[i]) && !strchr("_./@:%+=,-", word.p[i]))
      return false;
  return word.n > 0;
}

ho_str ho_quote_shell(ho_arena *arena, ho_str word)
{
  ho_buf out;
  ho_str clean = ho_quote_clean(arena, word, 4096, true);
  if (plain_to_shell(clean))
    return clean;
  ho_buf_init(&out, 0);
  ho_buf_putc(&out, '\'');
  for (size_t i = 0; i < clean.n; i++)
    if (clean.p[i] == '\'')
      ho_buf_puts(&out, "'\\''");
    else
      ho_buf_putc(&out, clean.p[i]);
  ho_buf_putc(&out, '\'');
  return ho_buf_move(&out, arena);
}
