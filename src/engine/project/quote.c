#include "engine/project/quote.h"

#include "base/utf8.h"

bool ho_quote_is_break(uint32_t cp)
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

/* LINE: line breaks and tabs become spaces; LINES: tabs do; WHOLE: neither. */
typedef enum shape { LINE, LINES, WHOLE } shape;

static void put_clean(ho_buf *out, ho_str text, shape as)
{
  char last = '\n';
  uint32_t cp = 0;
  for (size_t at = 0; at < text.n;) {
    uint32_t before = cp;
    size_t from = at;
    at = end_of_plain(text, from);
    if (at > from) {
      ho_buf_put(out, ho_str_sub(text, from, at));
      cp = (unsigned char)(last = text.p[at - 1]);
      continue;
    }
    cp = ho_utf8_next(text, &at);
    if (cp == '\r' && at < text.n && text.p[at] == '\n')
      continue;
    char blank = ho_quote_is_break(cp) ? (as == LINE ? ' ' : '\n') : cp == '\t' ? (as == WHOLE ? '\t' : ' ') : 0;
    if (blank && !(as == LINE && last == ' '))
      ho_buf_putc(out, last = blank);
    else if (!blank && !ho_utf8_control(cp) && !ho_utf8_hidden(before, cp, ho_utf8_peek(text, at))) {
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
  put_clean(&out, text, one_line ? LINE : LINES);
  if (cut)
    ho_buf_puts(&out, mark);
  return ho_str_trim(ho_buf_move(&out, arena));
}

ho_str ho_quote_visible(ho_arena *arena, ho_str text)
{
  ho_buf out;
  if (end_of_plain(text, 0) == text.n)
    return text;
  ho_buf_init(&out, 0);
  put_clean(&out, text, WHOLE);
  return ho_buf_move(&out, arena);
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

/* The end of what a name may show of itself; *spaced: there is a space in it. */
static size_t end_of_name(ho_str name, bool *spaced)
{
  size_t count = 0, at = 0;
  *spaced = false;
  for (size_t next = 0; at < name.n && count < HO_QUOTE_NAME; at = next, count++) {
    uint32_t cp = ho_utf8_next(name, &next);
    if (!ho_utf8_letter(cp) && (cp == 0 || cp >= 0x80 || !strchr("._/@:+#- ", (int)cp)))
      break;
    *spaced |= cp == ' ';
  }
  return at;
}

bool ho_quote_is_name(ho_str name)
{
  bool spaced;
  return ho_utf8_bad(name) == HO_NONE && end_of_name(name, &spaced) == name.n;
}

void ho_quote_put_name(ho_buf *out, ho_str name)
{
  bool spaced;
  name = ho_str_trim(name);
  size_t bad = ho_utf8_bad(name), end = end_of_name(bad == HO_NONE ? name : ho_str_sub(name, 0, bad), &spaced);
  bool quoted = spaced || end < name.n;
  ho_buf_puts(out, quoted ? "\"" : "");
  ho_buf_put(out, ho_str_trim_end(ho_str_sub(name, 0, end)));
  ho_buf_puts(out, end < name.n ? "\xe2\x80\xa6" : "");
  ho_buf_puts(out, quoted ? "\"" : "");
}

ho_str ho_quote_name(ho_arena *arena, ho_str name)
{
  ho_buf out;
  ho_buf_init(&out, 0);
  ho_quote_put_name(&out, name);
  return ho_buf_move(&out, arena);
}

ho_str ho_quote_unknown(ho_arena *arena, ho_str path, bool empty)
{
  static const char *const trees[] = {".json", ".yaml", ".yml"};
  bool notes = !ho_str_is(path, "-");
  for (size_t i = 0; i < HO_COUNT(trees); i++)
    notes = notes && !ho_str_ends(path, trees[i]);
  ho_str shown = ho_quote_shell(arena, path);
  const char *below = ho_str_starts(path, "-") ? "./" : "";
  if (empty)
    return HO_STR("is empty");
  if (!notes)
    return HO_STR("not recognised as a handoff document; use --format FORMAT; see: handoff formats");
  return ho_arena_printf(arena,
                         "not recognised as a handoff document; use --format FORMAT; for notes, run: handoff migrate "
                         "%s%.*s; for a document of another tool, run: handoff import %s%.*s; see: handoff formats",
                         below, HO_ARG(shown), below, HO_ARG(shown));
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

ho_str ho_quote_said(ho_arena *arena, ho_str text, size_t most)
{
  ho_buf out;
  ho_str clean = ho_quote_clean(arena, text, most, true);
  ho_buf_init(&out, 0);
  ho_buf_putc(&out, '"');
  for (size_t i = 0; i < clean.n; i++)
    ho_buf_putc(&out, clean.p[i] == '"' ? '\'' : clean.p[i]);
  ho_buf_putc(&out, '"');
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
