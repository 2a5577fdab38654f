/* Cuts longer texts down to their beginning. */
#include "model/fix/fix_parts.h"
#include "model/markdown/markdown_read.h"
#include "model/wording.h"

enum { LONG_TEXT = 400 }; /* bytes of a paragraph that still reads as one line of a screen */

/* Length of "- ", "2) ", "> ", "## ", "[ ] " at the start of a line, 0 if there is none. */
static size_t mark_at(ho_str line)
{
  size_t n = 0;
  if (line.n >= 4 && line.p[0] == '[' && line.p[2] == ']' && line.p[3] == ' ')
    return 4;
  if (!line.n || !ho_markdown_starts_block(line) || ho_str_starts(line, "```") || ho_str_starts(line, "~~~"))
    return 0;
  if (strchr("|>-*+", line.p[0]))
    return 1;
  while (n < line.n && (line.p[n] == '#' || isdigit((unsigned char)line.p[n])))
    n++;
  return n + (n < line.n && (line.p[n] == '.' || line.p[n] == ')'));
}

static ho_str without_marks(ho_str line)
{
  for (line = ho_str_trim(line); mark_at(line);)
    line = ho_str_trim(ho_str_sub(line, mark_at(line), line.n));
  return line;
}

static bool is_fence(ho_str line)
{
  line = ho_str_trim(line);
  return ho_str_starts(line, "```") || ho_str_starts(line, "~~~");
}

/* The paragraph that begins with the line, joined into one line; its lines are taken off *rest. */
static ho_str take_paragraph(ho_str line, ho_str *rest, ho_arena *arena)
{
  ho_buf joined;
  ho_buf_init(&joined, 0);
  ho_buf_put(&joined, without_marks(line));
  for (ho_str ahead = *rest; ho_str_next_line(&ahead, &line); *rest = ahead) {
    if (ho_str_blank(line) || ho_markdown_starts_block(line))
      break;
    ho_buf_putc(&joined, ' ');
    ho_buf_put(&joined, ho_str_trim(line));
  }
  ho_str text = ho_arena_copy(arena, ho_buf_str(&joined));
  if (joined.failed && !arena->failed)
    arena->failed = joined.failed;
  ho_buf_free(&joined);
  return text;
}

/* Is the text before a list a step of its own, or does it only introduce the list? */
static bool is_step(ho_str intro)
{
  return intro.n && !ho_str_ends(intro, ":") && !ho_str_ends(intro, ":**") && !ho_wording_vague(intro, NULL);
}

ho_str ho_fix_one_step(ho_str text, ho_arena *arena)
{
  ho_str rest = text, line, first = HO_EMPTY;
  bool fenced = false, listed = false;
  while (ho_str_next_line(&rest, &line)) {
    if (is_fence(line))
      fenced = !fenced;
    if (fenced || !ho_markdown_is_item(line))
      continue;
    ho_str intro = ho_str_trim(ho_str_sub(text, 0, (size_t)(line.p - text.p)));
    if (!listed && is_step(intro))
      return intro;
    listed = true;
    ho_str item = take_paragraph(line, &rest, arena);
    if (item.n && !ho_wording_vague(item, NULL))
      return item;
    first = first.n ? first : item;
  }
  return listed ? first : text;
}

/* Cuts at the last end of a sentence, else the last space, within LONG_TEXT bytes. */
static ho_str cut(ho_str text)
{
  size_t sentence = 0, space = 0;
  if (text.n <= LONG_TEXT)
    return text;
  for (size_t i = 1; i < LONG_TEXT; i++) {
    if (text.p[i] != ' ')
      continue;
    space = i;
    if (strchr(".!?;", text.p[i - 1]))
      sentence = i;
  }
  size_t end = sentence ? sentence : space;
  return end ? ho_str_sub(text, 0, end) : text;
}

bool ho_fix_has_words(ho_str text)
{
  for (size_t i = 0; i < text.n; i++)
    if (isalnum((unsigned char)text.p[i]) || (unsigned char)text.p[i] > 127)
      return true;
  return false;
}

ho_str ho_fix_shorten(ho_str text, ho_arena *arena)
{
  ho_str rest = text, line;
  while (ho_str_next_line(&rest, &line))
    if (!is_fence(line) && ho_fix_has_words(line))
      return cut(take_paragraph(line, &rest, arena));
  return HO_EMPTY;
}
