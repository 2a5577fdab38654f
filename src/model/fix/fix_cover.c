#include "model/fix/fix_cover.h"

#include "model/markdown/markdown_read.h"
#include "model/markdown/markdown_write.h"

enum { SEARCHED = 1 << 28 }; /* bytes in total */

void ho_cover_init(ho_cover *cover)
{
  ho_buf_init(&cover->words, 0);
  ho_buf_init(&cover->line, 0);
  ho_buf_putc(&cover->words, ' ');
  cover->budget = SEARCHED;
}

void ho_cover_free(ho_cover *cover, ho_arena *arena)
{
  ho_code failed = cover->words.failed ? cover->words.failed : cover->line.failed;
  if (arena && failed && !arena->failed)
    arena->failed = failed;
  ho_buf_free(&cover->words);
  ho_buf_free(&cover->line);
}

/* Length of a bullet, number, heading mark or quote mark at the start of a line; 0 if there is none. */
static size_t mark_at(ho_str line)
{
  size_t n = 0;
  if (!line.n)
    return 0;
  if (line.p[0] == '>')
    return 1;
  if (line.p[0] == '#')
    while (n < line.n && n < 6 && line.p[n] == '#')
      n++;
  else if (strchr("-*+", line.p[0]))
    n = 1;
  else {
    while (n < line.n && n < 9 && isdigit((unsigned char)line.p[n]))
      n++;
    n = n && n < line.n && (line.p[n] == '.' || line.p[n] == ')') ? n + 1 : 0;
  }
  return n == line.n || ho_str_is_space(line.p[n]) ? n : 0;
}

/* The line without its marks; if `numbers` is not NULL, the numbers among them are appended to it as words ("1."). */
static ho_str without_marks(ho_str line, ho_buf *numbers)
{
  if (ho_str_starts(line, "\xEF\xBB\xBF"))
    line = ho_str_sub(line, 3, line.n);
  for (;;) {
    while (line.n && ho_str_is_space(line.p[0]))
      line = ho_str_sub(line, 1, line.n);
    size_t n = mark_at(line);
    if (!n)
      return line;
    if (numbers && isdigit((unsigned char)line.p[0]))
      ho_buf_printf(numbers, "%.*s. ", HO_ARG(ho_str_sub(line, 0, n - 1)));
    line = ho_str_sub(line, n, line.n);
  }
}

static bool is_bold_at(ho_str line, size_t i)
{
  return line.p[i] == '*' && i + 1 < line.n && line.p[i + 1] == '*';
}

/* Appends the words of a line, a space after each. */
static void put_words(ho_buf *out, ho_str line, bool numbered)
{
  bool inside = false;
  line = without_marks(line, numbered ? out : NULL);
  for (size_t i = 0; i < line.n;) {
    size_t from = i;
    while (i < line.n && !ho_str_is_space(line.p[i]) && !is_bold_at(line, i))
      i++;
    ho_buf_put(out, ho_str_sub(line, from, i));
    inside |= i > from;
    if (i < line.n && ho_str_is_space(line.p[i])) {
      if (inside)
        ho_buf_putc(out, ' ');
      inside = false;
      i++;
    } else {
      i += i < line.n ? 2 : 0;
    }
  }
  if (inside)
    ho_buf_putc(out, ' ');
}

void ho_cover_add(ho_cover *cover, ho_str text)
{
  ho_str line;
  while (ho_markdown_next_line(&text, &line)) {
    put_words(&cover->words, line, true);
    ho_buf_puts(&cover->words, "\n ");
  }
}

static bool has_words(ho_cover *cover, ho_str line, bool numbered)
{
  ho_buf *wanted = &cover->line;
  if (wanted->failed)
    return false;
  ho_buf_reset(wanted);
  ho_buf_putc(wanted, ' ');
  put_words(wanted, line, numbered);
  if (wanted->n == 1)
    return true;
  if (wanted->failed || cover->words.failed || cover->words.n > cover->budget)
    return false;
  cover->budget -= cover->words.n;
  return memmem(cover->words.p, cover->words.n, wanted->p, wanted->n) != NULL;
}

/* Do the words of the line occur together in one line of the texts? True for a line without words. */
static bool has_line(ho_cover *cover, ho_str line)
{
  return has_words(cover, line, false);
}

bool ho_cover_has(ho_cover *cover, ho_str text)
{
  ho_str line;
  while (ho_markdown_next_line(&text, &line))
    if (!has_line(cover, line))
      return false;
  return true;
}

/* --- what is lacking ---------------------------------------------------------------------------------------------- */

typedef struct writer {
  ho_cover *cover;
  ho_str text;
  ho_buf lines; /* the words of every line of the document, without numbers: "\none two … \nthree … \n" */
  ho_buf *out;
  const ho_md_block *headings[7]; /* the headings above the current block, by level; NULL once written */
  bool whole;                     /* the whole section is being written */
  size_t count;
} writer;

/* A block with the white space before it. */
static ho_str lines_of(const writer *w, const ho_md_block *block)
{
  uint32_t begin = block->begin;
  while (begin && (w->text.p[begin - 1] == ' ' || w->text.p[begin - 1] == '\t'))
    begin--;
  return ho_str_sub(w->text, begin, block->end);
}

static void put_block(writer *w, ho_str lines, bool apart)
{
  if (apart && w->out->n && !ho_str_ends(ho_buf_str(w->out), "\n\n"))
    ho_buf_putc(w->out, '\n');
  ho_buf_put(w->out, ho_str_trim_end(lines));
  ho_buf_putc(w->out, '\n');
  w->count++;
}

static void put_headings(writer *w)
{
  for (unsigned level = 1; level <= 6; level++)
    if (w->headings[level]) {
      put_block(w, lines_of(w, w->headings[level]), true);
      w->headings[level] = NULL;
    }
}

static void put_source_lines(writer *w)
{
  ho_str text = w->text, line;
  ho_buf_putc(&w->lines, '\n');
  while (ho_markdown_next_line(&text, &line)) {
    put_words(&w->lines, line, false);
    ho_buf_putc(&w->lines, '\n');
  }
}

/* The line of the texts around a place in them, without its number: "one two ". */
static ho_str line_around(ho_str words, size_t at)
{
  size_t from = at, to = at;
  while (from && words.p[from - 1] != '\n')
    from--;
  while (to < words.n && words.p[to] != '\n')
    to++;
  return without_marks(ho_str_sub(words, from, to), NULL);
}

/* Is it a whole line of the document? */
static bool is_source_line(writer *w, ho_str words)
{
  ho_buf *wanted = &w->cover->line;
  if (wanted->failed)
    return false;
  ho_buf_reset(wanted);
  ho_buf_printf(wanted, "\n%.*s\n", HO_ARG(words));
  return !wanted->failed && !w->lines.failed && memmem(w->lines.p, w->lines.n, wanted->p, wanted->n) != NULL;
}

/* What memory was missing for counts as missing to the whole; ho_cover_free says so. */
static void note_failure(ho_cover *cover, const ho_buf *part)
{
  if (part->failed && !cover->line.failed)
    cover->line.failed = part->failed;
}

/* Like has_line, but what only stands inside another line of the document is not said by it: after "Keep the tests",
 * a decision "Keep" is still missing. */
static bool says_line(writer *w, ho_str line)
{
  ho_cover *cover = w->cover;
  ho_str words = ho_buf_str(&cover->words);
  ho_buf own;
  bool said = false;
  if (!has_line(cover, line))
    return false;
  ho_buf_init(&own, 0);
  ho_buf_putc(&own, ' ');
  put_words(&own, line, false);
  said = own.n == 1;
  for (size_t at = 0; !said && !own.failed && at < words.n && cover->budget > w->lines.n;) {
    const char *hit = memmem(words.p + at, words.n - at, own.p, own.n);
    if (!hit)
      break;
    ho_str around = line_around(words, (size_t)(hit - words.p) + 1);
    cover->budget -= w->lines.n;
    said = around.n == own.n - 1 || !is_source_line(w, around);
    at = (size_t)(hit - words.p) + 1;
  }
  note_failure(cover, &own);
  ho_buf_free(&own);
  return said;
}

static bool says(writer *w, ho_str text)
{
  ho_str line;
  while (ho_markdown_next_line(&text, &line))
    if (!says_line(w, line))
      return false;
  return true;
}

/* Is the item or heading covered together with its number? */
static bool has_number(const writer *w, const ho_md_block *block)
{
  ho_str text = lines_of(w, block), line;
  return !ho_markdown_next_line(&text, &line) || has_words(w->cover, line, true);
}

static void visit_heading(writer *w, const ho_md_block *block)
{
  bool lacking = !ho_cover_has(w->cover, lines_of(w, block)) || !has_number(w, block);
  for (unsigned level = block->level; level <= 6; level++)
    w->headings[level] = NULL;
  w->headings[block->level] = block;
  w->whole = (block->level > 2 && w->whole) || (block->level == 2 && lacking);
  if (block->level == 1)
    w->headings[1] = lacking ? block : NULL; /* the title says nothing about the parts of the handoff */
  if (lacking || w->whole)
    put_headings(w);
}

static void put_lines(writer *w, const ho_md_block *block, bool apart)
{
  if (w->headings[1] || w->headings[2] || w->headings[3] || w->headings[4] || w->headings[5] || w->headings[6])
    apart = true;
  put_headings(w);
  put_block(w, lines_of(w, block), apart);
}

static void visit(writer *w, const ho_md_block *block, bool apart)
{
  if (w->whole || !says(w, lines_of(w, block)))
    put_lines(w, block, apart);
}

static bool lacks_item(writer *w, const ho_md_block *list)
{
  for (const ho_md_block *item = list->first; item; item = item->next)
    if (!says(w, lines_of(w, item)))
      return true;
  return false;
}

/* If something of a numbered list is missing, also writes the items that only lost their numbers: 2. and 3. alone
 * would be hard to follow. */
static void visit_items(writer *w, const ho_md_block *list)
{
  bool apart = true, lacking = lacks_item(w, list);
  for (const ho_md_block *item = list->first; item; item = item->next) {
    size_t before = w->count;
    if (!says(w, lines_of(w, item)) || (lacking && !has_number(w, item)))
      put_lines(w, item, apart);
    apart = apart && w->count == before;
  }
}

size_t ho_cover_put_missing(ho_cover *cover, const ho_source *source, const ho_md *md, ho_buf *out)
{
  writer w = {.cover = cover, .text = source->text, .out = out};
  ho_str front = ho_str_sub(source->text, md->front_from, md->front_to);
  ho_buf_init(&w.lines, 0);
  put_source_lines(&w);
  if (!ho_cover_has(cover, front)) {
    if (out->n)
      ho_buf_putc(out, '\n');
    ho_markdown_put_fence(out, "yaml", front);
    w.count++;
  }
  for (const ho_md_block *block = md->blocks; block; block = block->next) {
    if (block->kind == HO_MD_HEADING)
      visit_heading(&w, block);
    else if (block->kind == HO_MD_LIST && !w.whole)
      visit_items(&w, block);
    else
      visit(&w, block, true);
  }
  note_failure(cover, &w.lines);
  ho_buf_free(&w.lines);
  return w.count;
}
