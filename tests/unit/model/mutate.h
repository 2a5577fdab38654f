/* Real texts made worse, as tools, editors and interrupted agents do it: the same traits in files nobody has seen. */
#ifndef TEST_MODEL_MUTATE_H
#define TEST_MODEL_MUTATE_H

#include "base/buf.h"

static uint64_t mutate_seed = 20261115;

static inline unsigned mutate_dice(unsigned n)
{
  mutate_seed = mutate_seed * 6364136223846793005u + 1442695040888963407u;
  return (unsigned)(mutate_seed >> 33) % n;
}

enum { MUTATIONS = 9 };

/* How far apart the mutations of one file are: MUTATIONS (one a file) unless HANDOFF_TEST_MUTATIONS says. */
static inline unsigned mutate_step(void)
{
  const char *wanted = getenv("HANDOFF_TEST_MUTATIONS");
  return wanted && atoi(wanted) > 0 ? (unsigned)atoi(wanted) : MUTATIONS;
}

/* Lines in another order. */
static inline void mutate_shuffle(ho_buf *out, ho_str text)
{
  ho_str lines[4096], rest = text;
  size_t count = 0;
  while (count < HO_COUNT(lines) && ho_str_next(&rest, '\n', &lines[count]))
    count++;
  for (size_t i = count; i > 1; i--) {
    size_t j = mutate_dice((unsigned)i);
    ho_str swap = lines[i - 1];
    lines[i - 1] = lines[j];
    lines[j] = swap;
  }
  for (size_t i = 0; i < count; i++)
    ho_buf_printf(out, "%.*s\n", HO_ARG(lines[i]));
}

/* Each line with something before it. */
static inline void mutate_indent(ho_buf *out, ho_str text, const char *before, bool deeper)
{
  ho_str line;
  for (unsigned n = 0; ho_str_next(&text, '\n', &line); n++) {
    for (unsigned i = 0; i < (deeper ? n % 70 : 1); i++)
      ho_buf_puts(out, before);
    ho_buf_printf(out, "%.*s\n", HO_ARG(line));
  }
}

/* One of MUTATIONS ways; valid UTF-8 stays valid. */
static inline void mutate(ho_buf *out, ho_str text, unsigned way)
{
  size_t cut = text.n ? mutate_dice((unsigned)text.n) : 0;
  while (cut && ((unsigned char)text.p[cut] & 0xC0) == 0x80)
    cut--;
  switch (way) {
  case 0: /* cut off */
    ho_buf_put(out, ho_str_sub(text, 0, cut));
    break;
  case 1: /* begun in the middle */
    ho_buf_put(out, ho_str_sub(text, cut, text.n));
    break;
  case 2: /* another system's line ends, and a byte order mark */
    ho_buf_puts(out, "\xEF\xBB\xBF");
    for (size_t i = 0; i < text.n; i++) {
      if (text.p[i] == '\n')
        ho_buf_putc(out, '\r');
      ho_buf_putc(out, text.p[i]);
    }
    break;
  case 3:
    mutate_shuffle(out, text);
    break;
  case 4:
    mutate_indent(out, text, "\t", false);
    break;
  case 5:
    mutate_indent(out, text, "> ", true);
    break;
  case 6: /* never closed */
    ho_buf_put(out, ho_str_sub(text, 0, cut));
    ho_buf_puts(out, mutate_dice(2) ? "\n```\n" : "\n<!-- ");
    ho_buf_put(out, ho_str_sub(text, cut, text.n));
    break;
  case 7: /* twice, without the last newline */
    ho_buf_put(out, text);
    ho_buf_put(out, ho_str_trim_end(text));
    break;
  default: /* front matter that never ends */
    ho_buf_puts(out, "---\nstatus: partial\ntopic: x\n\n");
    ho_buf_put(out, text);
  }
}

/* Does every line that is not blank stand in the text, but for the white space around it? */
static inline bool every_line_in(ho_str original, ho_str text, ho_str *lost)
{
  ho_str rest = original;
  while (rest.n) {
    size_t n = 0;
    while (n < rest.n && rest.p[n] != '\n' && rest.p[n] != '\r')
      n++;
    ho_str line = ho_str_trim(ho_str_sub(rest, 0, n));
    rest = ho_str_sub(rest, n + 1, rest.n);
    if (ho_str_starts(line, "\xEF\xBB\xBF"))
      line = ho_str_trim(ho_str_sub(line, 3, line.n));
    if (line.n && !memmem(text.p, text.n, line.p, line.n)) {
      *lost = line;
      return false;
    }
  }
  return true;
}
#endif
