/* Splits one line or item of Markdown into its parts. */
#include "model/markdown/markdown_read.h"

bool ho_markdown_next_line(ho_str *rest, ho_str *line)
{
  if (!rest->n)
    return false;
  size_t n = ho_str_line_end(*rest);
  *line = ho_str_sub(*rest, 0, n);
  n += n + 1 < rest->n && rest->p[n] == '\r' && rest->p[n + 1] == '\n' ? 2 : n < rest->n;
  *rest = ho_str_sub(*rest, n, rest->n);
  return true;
}

bool ho_markdown_split_label(ho_str line, ho_str *label, ho_str *rest)
{
  line = ho_str_trim(line);
  if (!ho_str_starts(line, "**"))
    return false;
  ho_str inside = ho_str_sub(line, 2, line.n);
  size_t close = ho_str_find(inside, "**");
  if (close == HO_NONE || close == 0)
    return false;
  ho_str after = ho_str_sub(inside, close + 2, inside.n);
  *label = ho_str_trim(ho_str_sub(inside, 0, close));
  if (label->n > 1 && label->p[label->n - 1] == ':')
    label->n--;
  else if (ho_str_starts(after, ":"))
    after = ho_str_sub(after, 1, after.n);
  else
    return false;
  *rest = ho_str_trim(after);
  return label->n > 0;
}

bool ho_markdown_starts_block(ho_str line)
{
  size_t i = 0;
  while (i < line.n && (line.p[i] == ' ' || line.p[i] == '\t'))
    i++;
  line = ho_str_sub(line, i, line.n);
  if (!line.n || strchr("|>#", line.p[0]) || ho_str_starts(line, "```") || ho_str_starts(line, "~~~"))
    return true;
  if (strchr("-*+", line.p[0]))
    return line.n == 1 || line.p[1] == ' ';
  i = 0;
  while (i < line.n && isdigit((unsigned char)line.p[i]))
    i++;
  return i > 0 && i < line.n && (line.p[i] == '.' || line.p[i] == ')') && (i + 1 == line.n || line.p[i + 1] == ' ');
}

bool ho_markdown_is_item(ho_str line)
{
  line = ho_str_trim(line);
  return line.n && !strchr("|>#`~", line.p[0]) && ho_markdown_starts_block(line);
}

/* The paragraph at the start of an item's text. */
static ho_str leading_paragraph(ho_str text)
{
  ho_str rest = text, line;
  size_t n = 0;
  for (bool first = true; ho_markdown_next_line(&rest, &line); first = false) {
    if (!first && ho_markdown_starts_block(line))
      break;
    n = (size_t)(line.p - text.p) + line.n;
  }
  return ho_str_sub(text, 0, n);
}

/* Length of the separator at text[i], 0 if there is none: ": ", ":" at a line's end, or a dash between spaces. */
static size_t separator_at(ho_str text, size_t i)
{
  static const char *const dashes[] = {" - ", " -- ", " — ", " – "};
  if (text.p[i] == ':' && (i + 1 == text.n || text.p[i + 1] == ' ' || text.p[i + 1] == '\n'))
    return 1;
  if (text.p[i] == ' ')
    for (size_t d = 0; d < HO_COUNT(dashes); d++)
      if (ho_str_starts(ho_str_sub(text, i, text.n), dashes[d]))
        return strlen(dashes[d]);
  return 0;
}

/* The first separator outside code spans. */
static bool find_separator(ho_str text, size_t *at, size_t *length)
{
  bool code = false;
  for (size_t i = 0; i < text.n; i++) {
    if (text.p[i] == '`')
      code = !code;
    else if (!code && i > 0 && (*length = separator_at(text, i)) > 0) {
      *at = i;
      return true;
    }
  }
  return false;
}

/* What follows a separator, without the space or line break in front. */
static ho_str after_separator(ho_str text)
{
  size_t i = 0;
  while (i < text.n && text.p[i] == ' ')
    i++;
  if (i < text.n && text.p[i] == '\n')
    i++;
  return ho_str_trim_end(ho_str_sub(text, i, text.n));
}

/* `**first**: second`, `**first:** second`, `**first** - second`, or `**first**` alone. */
static bool split_bold(ho_str text, ho_str *first, ho_str *second)
{
  ho_str inside = ho_str_sub(text, 2, text.n);
  size_t close = ho_str_find(inside, "**");
  if (!ho_str_starts(text, "**") || close == HO_NONE || close == 0)
    return false;
  *first = ho_str_sub(inside, 0, close);
  ho_str after = ho_str_sub(inside, close + 2, inside.n);
  if (first->p[first->n - 1] == ':' && first->n > 1) {
    first->n--;
    *second = after_separator(after);
    return true;
  }
  size_t length = after.n ? separator_at(after, 0) : 0;
  *second = after_separator(ho_str_sub(after, length, after.n));
  return length > 0 || after.n == 0;
}

bool ho_markdown_split_pair(ho_str text, ho_str *first, ho_str *second)
{
  size_t at = 0, length = 0;
  *first = text;
  *second = HO_EMPTY;
  if (split_bold(text, first, second))
    return second->n > 0;
  *first = text;
  *second = HO_EMPTY;
  if (!find_separator(leading_paragraph(text), &at, &length))
    return false;
  *second = after_separator(ho_str_sub(text, at + length, text.n));
  *first = second->n ? ho_str_trim_end(ho_str_sub(text, 0, at)) : text;
  return second->n > 0;
}

/* Takes `Kind:` or `**Kind**:` off the front of a reference. */
static ho_str take_kind(ho_str *text)
{
  ho_str kind, rest;
  if (ho_markdown_split_label(*text, &kind, &rest)) {
    *text = rest;
    return kind;
  }
  size_t colon = ho_str_find(*text, ": ");
  kind = ho_str_sub(*text, 0, colon == HO_NONE ? 0 : colon);
  if (!kind.n || kind.n > 60 || ho_str_find_char(kind, '`') != HO_NONE || ho_str_find_char(kind, '/') != HO_NONE ||
      ho_str_find_char(kind, '\n') != HO_NONE || ho_str_find_char(kind, ',') != HO_NONE)
    return HO_EMPTY;
  *text = ho_str_trim(ho_str_sub(*text, colon + 2, text->n));
  return ho_str_trim(kind);
}

static bool path_ends(ho_str text, size_t i)
{
  return text.p[i] == ' ' || text.p[i] == '\n' || (text.p[i] == ',' && (i + 1 == text.n || text.p[i + 1] == ' '));
}

/* The path at the start of a text, with or without backticks; its length in *used, 0 if there is none. */
static ho_str take_path(ho_str text, size_t *used)
{
  bool ticked = text.n && text.p[0] == '`';
  size_t n = ticked;
  while (n < text.n && (ticked ? text.p[n] != '`' : !path_ends(text, n)))
    n++;
  ho_str path = ho_str_sub(text, ticked, n);
  *used = n + ticked;
  bool looks = ho_str_find_char(path, '/') != HO_NONE || ho_str_find_char(path, '.') != HO_NONE || *used == text.n;
  for (size_t i = 0; ticked && i < path.n; i++)
    looks = looks && !path_ends(path, i);
  if (!path.n || !looks || *used > text.n || (ho_str_ends(path, ".") && *used < text.n))
    *used = 0;
  return *used ? path : HO_EMPTY;
}

void ho_markdown_split_ref(ho_str text, ho_str *kind, ho_str *path, ho_str *detail)
{
  size_t used = 0;
  *kind = take_kind(&text);
  *path = take_path(text, &used);
  ho_str rest = ho_str_sub(text, used, text.n);
  if (used && ho_str_starts(rest, ","))
    rest = ho_str_sub(rest, 1, rest.n);
  else if (used && separator_at(rest.n ? rest : HO_STR("."), 0))
    rest = ho_str_sub(rest, separator_at(rest, 0), rest.n);
  while (rest.n && rest.p[0] == ' ')
    rest = ho_str_sub(rest, 1, rest.n);
  *detail = ho_str_trim_end(rest);
}

static void close_fence(ho_buf *out, ho_str raw)
{
  ho_str rest = raw, line, end = HO_EMPTY;
  char fence = raw.n ? raw.p[0] : 0;
  size_t marks = 0, last = 0;
  unsigned lines = 0;
  while (marks < raw.n && raw.p[marks] == fence)
    marks++;
  for (; ho_markdown_next_line(&rest, &line); lines++)
    end = ho_str_trim(line);
  while (last < end.n && end.p[last] == fence)
    last++;
  bool closed = lines > 1 && last >= marks && last == end.n;
  if ((fence == '`' || fence == '~') && marks >= 3 && !closed) {
    ho_buf_putc(out, '\n');
    ho_buf_fill(out, fence, marks);
  }
}

static void close_html(ho_buf *out, ho_str raw)
{
  static const struct {
    const char *start, *end;
  } kinds[] = {{"<!--", "-->"},          {"<?", "?>"},       {"<![CDATA[", "]]>"},   {"<!", ">"},
               {"<script", "</script>"}, {"<pre", "</pre>"}, {"<style", "</style>"}, {"<textarea", "</textarea>"}};
  for (size_t i = 0; i < HO_COUNT(kinds); i++) {
    if (!ho_str_starts_nocase(raw, kinds[i].start))
      continue;
    bool closed = ho_str_has_nocase(raw, kinds[i].end);
    for (size_t k = 4; k < HO_COUNT(kinds) && i >= 4; k++)
      closed = closed || ho_str_has_nocase(raw, kinds[k].end);
    if (!closed)
      ho_buf_printf(out, "\n%s", kinds[i].end);
    return;
  }
}

void ho_markdown_put_close(ho_buf *out, ho_md_kind kind, ho_str raw)
{
  if (kind == HO_MD_CODE)
    close_fence(out, raw);
  else if (kind == HO_MD_HTML)
    close_html(out, raw);
}
