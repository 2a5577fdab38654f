/* Slices of a Markdown document as texts for the tree. */
#include "model/markdown/markdown_parts.h"
#include "model/markdown/markdown_read.h"

unsigned ho_markdown_column(const ho_markdown_reader *r, uint32_t offset)
{
  uint32_t begin = r->source->lines[ho_source_line_at(r->source, offset) - 1];
  unsigned column = 0;
  for (uint32_t i = begin; i < offset; i++)
    column = r->source->text.p[i] == '\t' ? (column / 4 + 1) * 4 : column + 1;
  return column;
}

/* Appends the line without up to `column` columns of white space; a tab that reaches further leaves spaces. */
static void put_dedented(ho_buf *out, ho_str line, unsigned column)
{
  unsigned at = 0;
  size_t i = 0;
  while (i < line.n && at < column && (line.p[i] == ' ' || line.p[i] == '\t')) {
    at = line.p[i] == '\t' ? (at / 4 + 1) * 4 : at + 1;
    i++;
  }
  if (at > column)
    ho_buf_fill(out, ' ', at - column);
  ho_buf_put(out, ho_str_sub(line, i, line.n));
}

ho_str ho_markdown_taken(const ho_markdown_reader *r, ho_buf *out)
{
  ho_str text = ho_buf_str(out);
  while (text.n && text.p[0] == '\n')
    text = ho_str_sub(text, 1, text.n);
  text = ho_arena_copy(r->arena, ho_str_trim_end(text));
  if (out->failed && !r->arena->failed)
    r->arena->failed = out->failed;
  ho_buf_free(out);
  return text;
}

/* Appends bytes from..to; lines after the first lose `column` columns of indentation. */
static void put_slice(const ho_markdown_reader *r, ho_buf *out, uint32_t from, uint32_t to, unsigned column)
{
  ho_str rest = ho_str_sub(r->source->text, from, to), line;
  for (bool first = true; ho_markdown_next_line(&rest, &line); first = false) {
    if (!first)
      ho_buf_putc(out, '\n');
    if (first)
      ho_buf_put(out, line);
    else if (!ho_str_blank(line))
      put_dedented(out, line, column);
  }
}

ho_str ho_markdown_slice(const ho_markdown_reader *r, uint32_t from, uint32_t to, unsigned column)
{
  ho_buf out;
  ho_buf_init(&out, 0);
  put_slice(r, &out, from, to, column);
  return ho_markdown_taken(r, &out);
}

ho_node *ho_markdown_node(const ho_markdown_reader *r, ho_str text, uint32_t from, uint32_t to)
{
  ho_node *node = ho_node_text(r->arena, text);
  if (node) {
    node->begin = from;
    node->end = to;
  }
  return node;
}

ho_node *ho_markdown_slice_node(const ho_markdown_reader *r, uint32_t from, uint32_t to, unsigned column)
{
  return ho_markdown_node(r, ho_markdown_slice(r, from, to, column), from, to);
}

ho_node *ho_markdown_line_node(const ho_markdown_reader *r, uint32_t from, uint32_t to)
{
  ho_str rest = ho_str_sub(r->source->text, from, to), line;
  ho_buf out;
  ho_buf_init(&out, 0);
  while (ho_markdown_next_line(&rest, &line)) {
    line = ho_str_trim(line);
    if (out.n && line.n)
      ho_buf_putc(&out, ' ');
    ho_buf_put(&out, line);
  }
  return ho_markdown_node(r, ho_markdown_taken(r, &out), from, to);
}

const ho_md_block *ho_markdown_last(const ho_markdown_part *part)
{
  const ho_md_block *last = NULL;
  for (const ho_md_block *block = part->first; block != part->end; block = block->next)
    last = block;
  return last;
}

/* Writers put a backslash before what would otherwise begin another section (markdown_write.c); it is removed here. */
static bool is_guarded(ho_str line)
{
  if (line.n < 2 || line.p[0] != '\\')
    return false;
  size_t n = 1;
  while (n < line.n && line.p[n] == line.p[1])
    n++;
  char c = line.p[1];
  bool heading = c == '#' && n <= 7 && (n == line.n || line.p[n] == ' ');
  return heading || ((c == '-' || c == '=') && ho_str_blank(ho_str_sub(line, n, line.n)));
}

void ho_markdown_put_kept(const ho_markdown_reader *r, ho_buf *out, ho_md_kind kind, uint32_t from, uint32_t to,
                          unsigned column)
{
  ho_str rest = ho_str_sub(r->source->text, from, to), line;
  for (bool first = true; ho_markdown_next_line(&rest, &line); first = false) {
    if (!first)
      ho_buf_putc(out, '\n');
    if (kind == HO_MD_PARAGRAPH && is_guarded(line))
      line = ho_str_sub(line, 1, line.n);
    if (!ho_str_blank(line))
      put_dedented(out, line, first ? 0 : column);
  }
  ho_markdown_put_close(out, kind, ho_str_sub(r->source->text, from, to));
}

static void put_gap(const ho_markdown_reader *r, ho_buf *out, uint32_t from, uint32_t to)
{
  unsigned lines = ho_source_line_at(r->source, to) - ho_source_line_at(r->source, from);
  ho_buf_fill(out, '\n', lines < 2 ? lines : 2);
}

/* Blocks as they are, each from the start of its first line. */
static void put_blocks(const ho_markdown_reader *r, ho_buf *out, const ho_markdown_part *part)
{
  const ho_md_block *before = NULL;
  for (const ho_md_block *block = part->first; block != part->end; before = block, block = block->next) {
    if (before)
      put_gap(r, out, before->end, block->begin);
    unsigned indent = ho_markdown_column(r, block->begin);
    ho_buf_fill(out, ' ', indent > part->column ? indent - part->column : 0);
    ho_markdown_put_kept(r, out, block->kind, block->begin, block->end, part->column);
  }
}

static ho_str part_text(const ho_markdown_reader *r, const ho_markdown_part *part)
{
  ho_buf out;
  ho_buf_init(&out, 0);
  if (part->rest_to > part->rest_from)
    put_slice(r, &out, part->rest_from, part->rest_to, part->column);
  if (out.n && part->first != part->end)
    put_gap(r, &out, part->rest_to, part->first->begin);
  put_blocks(r, &out, part);
  return ho_markdown_taken(r, &out);
}

ho_node *ho_markdown_part_text(const ho_markdown_reader *r, const ho_markdown_part *part)
{
  const ho_md_block *last = ho_markdown_last(part);
  ho_str text = part_text(r, part);
  uint32_t from = part->rest_to > part->rest_from ? part->rest_from : part->first ? part->first->begin : HO_NOWHERE;
  return text.n ? ho_markdown_node(r, text, from, last ? last->end : part->rest_to) : NULL;
}

/* Where an item's content begins, and at which column. */
uint32_t ho_markdown_item_content(const ho_markdown_reader *r, const ho_md_block *item, unsigned *column)
{
  ho_str text = ho_str_sub(r->source->text, item->begin, item->end);
  size_t marker = 0;
  while (marker < text.n && isdigit((unsigned char)text.p[marker]))
    marker++;
  marker += marker < text.n;
  size_t n = marker;
  while (n < text.n && (text.p[n] == ' ' || text.p[n] == '\t'))
    n++;
  unsigned after_marker = ho_markdown_column(r, item->begin) + (unsigned)marker;
  uint32_t content = item->begin + (uint32_t)n;
  *column = ho_markdown_column(r, content);
  if (n == text.n || text.p[n] == '\n' || text.p[n] == '\r' || *column > after_marker + 4)
    *column = after_marker + 1;
  return content;
}
