/* Tables in freeform notes: a row is a passage, with columns that say what is what. */
#include "model/notes/notes_parts.h"
#include "model/wording.h"

ho_str ho_note_cleaned(ho_arena *arena, ho_str text)
{
  ho_buf out;
  text = ho_str_trim(text);
  if (!ho_str_has(text, "**") && !ho_str_has(text, "__"))
    return ho_arena_copy(arena, text);
  ho_buf_init(&out, 0);
  bool code = false;
  for (size_t i = 0; i < text.n; i++) {
    if (text.p[i] == '`')
      code = !code;
    bool pair = !code && i + 1 < text.n && text.p[i] == '*' && text.p[i + 1] == '*';
    if (pair)
      i++;
    else
      ho_buf_putc(&out, text.p[i]);
  }
  return ho_str_trim(ho_buf_move(&out, arena));
}

size_t ho_note_split_row(ho_str line, ho_str cells[HO_NOTE_COLUMNS])
{
  size_t count = 0;
  bool code = false;
  line = ho_str_trim(line);
  if (ho_str_starts(line, "|"))
    line = ho_str_sub(line, 1, line.n);
  if (ho_str_ends(line, "|"))
    line.n--;
  for (size_t from = 0, i = 0; i <= line.n && count < HO_NOTE_COLUMNS; i++) {
    if (i < line.n && line.p[i] == '`')
      code = !code;
    if (i < line.n && (line.p[i] != '|' || code || (i && line.p[i - 1] == '\\')))
      continue;
    cells[count++] = ho_str_trim(ho_str_sub(line, from, i));
    from = i + 1;
  }
  return count;
}

bool ho_note_is_delimiter(ho_str line)
{
  bool dash = false, bar = false;
  for (size_t i = 0; i < line.n; i++) {
    if (!strchr("|:- \t", line.p[i]))
      return false;
    dash |= line.p[i] == '-';
    bar |= line.p[i] == '|';
  }
  return dash && bar;
}

static ho_str without_ticks(ho_str text)
{
  text = ho_str_trim(text);
  while (text.n && strchr("`*", text.p[0]))
    text = ho_str_sub(text, 1, text.n);
  while (text.n && strchr("`*", text.p[text.n - 1]))
    text.n--;
  return text;
}

/* "src/a.ts:12-40" is a path and its lines. "All source files" is not. */
static bool take_cell_path(ho_str cell, ho_passage *like)
{
  ho_str rest = cell, path;
  if (ho_str_find_char(cell, ' ') != HO_NONE) {
    if (!ho_wording_path(&rest, &path))
      return false;
    cell = path.p == cell.p ? cell : path;
  }
  size_t colon = ho_str_find_char(cell, ':');
  ho_str lines = colon == HO_NONE ? HO_EMPTY : ho_str_sub(cell, colon + 1, cell.n);
  bool split = lines.n && isdigit((unsigned char)lines.p[0]);
  like->path = split ? ho_str_sub(cell, 0, colon) : cell;
  if (split)
    like->lines = lines;
  return true;
}

/* One row: the file, what was done to it and its lines have their own columns; the rest is its text. */
void ho_note_take_row(ho_note_taker *taker, const ho_str heads[HO_NOTE_COLUMNS], size_t width, ho_str line,
                      unsigned number, ho_passage like)
{
  /* columns whose heading names a field of the item */
  static const char telling[] = "mitigation|workaround|fix|solution|recommendation|resolution|impact|severity|priority";
  static const char idle[] = "commit|sha|hash|date|author|#"; /* and columns that say nothing about it */
  ho_str cells[HO_NOTE_COLUMNS];
  size_t count = ho_note_split_row(line, cells);
  ho_buf text;
  ho_buf_init(&text, 0);
  like.line = like.last = number;
  like.item = true;
  for (size_t i = 0; i < count && i < width; i++) {
    if (!like.path.n && ho_str_list_has_nocase("file|files|path|file path|document|location", heads[i]) &&
        take_cell_path(without_ticks(cells[i]), &like))
      continue;
    if (!like.action.n && ho_str_list_has_nocase("action|type|change type|operation|status", heads[i]) && like.path.n)
      like.action = without_ticks(cells[i]);
    else if (!like.lines.n && ho_str_list_has_nocase("lines|line|range", heads[i]))
      like.lines = without_ticks(cells[i]);
    else if (i > 0 && ho_str_list_has_nocase(idle, heads[i]))
      continue;
    else if (cells[i].n && ho_str_list_has_nocase(telling, heads[i]) && text.n)
      ho_buf_printf(&text, "; %.*s: %.*s", HO_ARG(heads[i]), HO_ARG(cells[i]));
    else if (cells[i].n)
      ho_buf_printf(&text, "%s%.*s", !text.n ? "" : i == 1 ? ": " : "; ", HO_ARG(cells[i]));
  }
  like.text = ho_note_cleaned(taker->arena, ho_buf_move(&text, taker->arena));
  if (like.text.n || like.path.n)
    ho_note_take(taker, &like);
}
