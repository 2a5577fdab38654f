#include "doc/markdown/markdown.h"

#include "base/escape.h"
#include "base/limits.h"
#include "doc/rules.h"

#include <cmark.h>
#include <setjmp.h>

/* cmark aborts if its allocator returns NULL, and its callbacks carry no context. So its memory comes from an arena
 * that this thread sets, and a failure jumps out of cmark. Sizes are stored before the blocks, since realloc is not
 * told them. */
static _Thread_local struct {
  ho_arena *arena;
  jmp_buf out;
} cmark_memory;

typedef union header {
  size_t size;
  max_align_t align;
} header;

static void *take(size_t n)
{
  header *block = n > SIZE_MAX / 2 ? NULL : ho_arena_alloc(cmark_memory.arena, n + sizeof *block);
  if (!block)
    longjmp(cmark_memory.out, 1);
  block->size = n;
  return block + 1;
}

static void *cmark_calloc(size_t count, size_t size)
{
  return take(size && count > SIZE_MAX / 2 / size ? SIZE_MAX : count * size);
}

static void *cmark_realloc(void *old, size_t n)
{
  size_t had = old ? ((header *)old - 1)->size : 0;
  if (n <= had)
    return old;
  void *block = take(n);
  if (had)
    memcpy(block, old, had);
  return block;
}

static void cmark_free(void *block)
{
  (void)block;
}

static cmark_mem arena_memory = {cmark_calloc, cmark_realloc, cmark_free};

/* The document as cmark sees it, or NULL if memory ran out. Everything lives in `arena`. */
static cmark_node *parse(ho_arena *arena, ho_str text)
{
  cmark_memory.arena = arena;
  if (setjmp(cmark_memory.out))
    return NULL;
  cmark_parser *parser = cmark_parser_new_with_mem(CMARK_OPT_DEFAULT, &arena_memory);
  cmark_parser_feed(parser, text.p, text.n);
  return cmark_parser_finish(parser);
}

/* --- masking what only inline rules look at -----------------------------------------------------------------------
 * Only blocks are wanted, but cmark always parses inlines too, and that can be made quadratic. So it gets a copy of
 * the text, of the same length byte for byte, in which characters that only matter to inlines are replaced. As a
 * side effect link definitions become paragraphs. */

/* Could the first line of the text be a horizontal rule? */
static bool looks_like_rule(ho_str text)
{
  size_t i = 0;
  while (i < text.n && strchr(" \t>*_-+0123456789.)", text.p[i]))
    i++;
  return i == text.n || text.p[i] == '\n' || text.p[i] == '\r';
}

/* Masks the first line of the text, which has already been copied to `to`; returns its length. */
static size_t mask_line(char *to, ho_str text)
{
  static const bool matters[256] = {['\n'] = true, ['\r'] = true, ['['] = true, ['\\'] = true,
                                    ['&'] = true,  ['<'] = true,  ['_'] = true, ['*'] = true};
  bool is_rule = looks_like_rule(text), leading = true;
  for (size_t i = 0; i < text.n; i++) {
    char c = text.p[i];
    if (!leading && !matters[(unsigned char)c])
      continue;
    if (c == '\n' || c == '\r')
      return i + 1;
    if (c == '[' || c == '\\' || c == '&')
      to[i] = '(';
    else if (c == '<' && !leading && !(i + 1 < text.n && text.p[i + 1] == '/'))
      to[i] = '(';
    else if (c == '_' && !is_rule)
      to[i] = 'a';
    else if (c == '*' && !leading && !is_rule)
      to[i] = 'a';
    leading = leading && strchr(" \t>*+-0123456789.)", c);
  }
  return text.n;
}

/* A masked copy of `text`; NULL on failure. */
static const char *mask(ho_arena *arena, ho_str text)
{
  char *copy = ho_arena_alloc(arena, text.n + 1);
  if (!copy)
    return NULL;
  if (text.n)
    memcpy(copy, text.p, text.n);
  for (size_t at = 0; at < text.n;)
    at += mask_line(copy + at, ho_str_sub(text, at, text.n));
  if (ho_str_starts(text, "\xEF\xBB\xBF"))
    /* a byte order mark elsewhere than at the start of the file is text, but cmark would drop it */
    memset(copy, 'a', 3);
  return copy;
}

/* --- from cmark's nodes to blocks --------------------------------------------------------------------------------- */

typedef struct reader {
  const ho_source *source;
  ho_arena *arena;
  unsigned line_base; /* lines before the text given to cmark */
  uint32_t skipped;   /* bytes of the first line not given to cmark: a byte order mark */
} reader;

static uint32_t line_begin(const reader *r, unsigned line)
{
  return line > r->source->line_count ? (uint32_t)r->source->text.n : r->source->lines[line - 1];
}

static uint32_t line_end(const reader *r, unsigned line)
{
  return line > r->source->line_count ? (uint32_t)r->source->text.n
                                      : line_begin(r, line) + (uint32_t)ho_source_line(r->source, line).n;
}

static unsigned first_line(const reader *r, cmark_node *node)
{
  return (unsigned)cmark_node_get_start_line(node) + r->line_base;
}

static uint32_t node_begin(const reader *r, cmark_node *node)
{
  unsigned line = first_line(r, node);
  uint32_t begin = line_begin(r, line) + (uint32_t)cmark_node_get_start_column(node) - 1, end = line_end(r, line);
  if (line == r->line_base + 1)
    begin += r->skipped;
  while (begin < end && (r->source->text.p[begin] == ' ' || r->source->text.p[begin] == '\t'))
    begin++;
  return begin < end ? begin : end;
}

static unsigned lines_in(const char *literal)
{
  unsigned n = 0;
  for (; literal && *literal; literal++)
    n += *literal == '\n';
  return n;
}

/* The end of a node: cmark's last line is wrong for HTML and for a fence closed by its container, and may be a blank
 * one; `limit` is where the next block begins. */
static uint32_t node_end(const reader *r, cmark_node *node, uint32_t begin, uint32_t limit)
{
  unsigned line = (unsigned)cmark_node_get_end_line(node) + r->line_base;
  if (cmark_node_get_type(node) == CMARK_NODE_HTML_BLOCK) {
    unsigned n = lines_in(cmark_node_get_literal(node));
    line = first_line(r, node) + (n ? n - 1 : 0);
  }
  if (line < first_line(r, node))
    line = first_line(r, node);
  uint32_t end = line_end(r, line);
  if (end > limit)
    end = limit;
  if (end < begin)
    end = begin;
  return begin + (uint32_t)ho_str_trim_end(ho_str_sub(r->source->text, begin, end)).n;
}

static ho_str slice(const reader *r, uint32_t from, uint32_t to)
{
  return ho_str_sub(r->source->text, from, to);
}

static void set_text(const reader *r, ho_md_block *block, ho_str text)
{
  block->text = text;
  block->text_begin = (uint32_t)(text.p - r->source->text.p);
  block->text_end = block->text_begin + (uint32_t)text.n;
}

/* ATX: the text between the marks; setext: the lines above the underline. */
static void read_heading(const reader *r, ho_md_block *block)
{
  ho_str text = slice(r, block->begin, block->end);
  size_t marks = 0;
  while (marks < text.n && text.p[marks] == '#')
    marks++;
  size_t last = text.n;
  while (last > 0 && text.p[last - 1] != '\n' && text.p[last - 1] != '\r')
    last--;
  bool setext = last > 0 || marks == 0 || marks > 6;
  if (setext) {
    set_text(r, block, ho_str_trim(ho_str_sub(text, 0, last)));
    return;
  }
  text = ho_str_trim(ho_str_sub(text, marks, text.n));
  size_t n = text.n;
  while (n > 0 && text.p[n - 1] == '#')
    n--;
  if (n < text.n && (n == 0 || text.p[n - 1] == ' ' || text.p[n - 1] == '\t'))
    text = ho_str_trim_end(ho_str_sub(text, 0, n));
  set_text(r, block, text);
}

/* The content of a code block: each line of the literal, located from the end of its line in the source. */
static void read_code(const reader *r, cmark_node *node, ho_md_block *block)
{
  const char *literal = cmark_node_get_literal(node);
  char opener = block->begin < r->source->text.n ? r->source->text.p[block->begin] : 0;
  bool fenced = cmark_node_get_fence_info(node) && (opener == '`' || opener == '~');
  unsigned line = first_line(r, node) + fenced, count = lines_in(literal);
  size_t n = strlen(literal ? literal : "");
  char *text = ho_arena_alloc(r->arena, n + 1);
  size_t at = 0;
  for (unsigned i = 0; text && i < count; i++) {
    ho_str whole = ho_source_line(r->source, line + i);
    const char *end = strchr(literal + at, '\n');
    size_t length = (size_t)(end - literal) - at;
    memcpy(text + at, length <= whole.n ? whole.p + whole.n - length : literal + at, length);
    text[at + length] = '\n';
    at += length + 1;
  }
  block->text = text ? (ho_str){text, at} : HO_EMPTY;
  block->text_begin = count ? line_begin(r, line) : block->end;
  block->text_end = count ? line_begin(r, line + count) : block->end;
  if (block->text_end > block->end)
    block->text_end = block->end;
  if (block->text_begin > block->text_end)
    block->text_begin = block->text_end;
  if (fenced) {
    ho_str first = slice(r, block->begin, line_end(r, first_line(r, node)));
    size_t marks = 0;
    while (marks < first.n && first.p[marks] == opener)
      marks++;
    block->info = ho_str_trim(ho_str_sub(first, marks, first.n));
  }
}

static bool kind_of(cmark_node *node, ho_md_kind *kind)
{
  switch (cmark_node_get_type(node)) {
  case CMARK_NODE_HEADING:
    *kind = HO_MD_HEADING;
    return true;
  case CMARK_NODE_PARAGRAPH:
    *kind = HO_MD_PARAGRAPH;
    return true;
  case CMARK_NODE_LIST:
    *kind = HO_MD_LIST;
    return true;
  case CMARK_NODE_ITEM:
    *kind = HO_MD_ITEM;
    return true;
  case CMARK_NODE_CODE_BLOCK:
    *kind = HO_MD_CODE;
    return true;
  case CMARK_NODE_BLOCK_QUOTE:
    *kind = HO_MD_QUOTE;
    return true;
  case CMARK_NODE_THEMATIC_BREAK:
    *kind = HO_MD_RULE;
    return true;
  case CMARK_NODE_HTML_BLOCK:
    *kind = HO_MD_HTML;
    return true;
  default:
    return false;
  }
}

static ho_md_block *convert_children(const reader *r, cmark_node *parent, uint32_t limit, unsigned depth);

static ho_md_block *convert(const reader *r, cmark_node *node, uint32_t limit, unsigned depth)
{
  ho_md_kind kind;
  ho_md_block *block = kind_of(node, &kind) ? HO_NEW(r->arena, ho_md_block) : NULL;
  if (!block)
    return NULL;
  block->kind = kind;
  block->begin = node_begin(r, node);
  if (block->begin > limit)
    block->begin = limit; /* nothing but white space */
  block->end = node_end(r, node, block->begin, limit);
  block->text = HO_EMPTY;
  block->info = HO_EMPTY;
  if (kind == HO_MD_HEADING) {
    block->level = (unsigned)cmark_node_get_heading_level(node);
    read_heading(r, block);
  } else if (kind == HO_MD_CODE) {
    read_code(r, node, block);
  } else if (kind == HO_MD_PARAGRAPH || kind == HO_MD_HTML) {
    set_text(r, block, slice(r, block->begin, block->end));
  } else if (kind != HO_MD_RULE && depth < HO_LIMIT_DEPTH) {
    block->ordered = kind == HO_MD_LIST && cmark_node_get_list_type(node) == CMARK_ORDERED_LIST;
    block->first = convert_children(r, node, block->end, depth + 1);
  }
  return block;
}

static ho_md_block *convert_children(const reader *r, cmark_node *parent, uint32_t limit, unsigned depth)
{
  ho_md_block *first = NULL, **end = &first;
  for (cmark_node *node = cmark_node_first_child(parent); node; node = cmark_node_next(node)) {
    cmark_node *next = cmark_node_next(node);
    uint32_t stop = next ? node_begin(r, next) : limit;
    *end = convert(r, node, stop < limit ? stop : limit, depth);
    if (*end)
      end = &(*end)->next;
  }
  return first;
}

/* --- front matter ------------------------------------------------------------------------------------------------- */

/* The line (from 1) after the front matter, whose bytes are recorded in *out; 1 if there is none. */
static unsigned skip_front(const ho_source *source, ho_report *report, ho_md *out)
{
  ho_str first = ho_source_line(source, 1);
  if (!ho_str_is(ho_str_trim_end(ho_str_sub(first, ho_source_start(source), first.n)), "---"))
    return 1;
  if (ho_str_is(ho_str_trim_end(ho_source_line(source, 2)), "---"))
    return 1; /* two horizontal rules */
  for (unsigned line = 3; line <= source->line_count; line++)
    if (ho_str_is(ho_str_trim_end(ho_source_line(source, line)), "---")) {
      out->front_from = source->lines[1];
      out->front_to = source->lines[line - 1];
      return line + 1;
    }
  ho_report_add(report, &ho_rule_FRONT_MATTER, ho_source_start(source), NULL,
                "the front matter that begins here is never closed by '---'; it is read as text");
  return 1;
}

ho_code ho_md_read(const ho_source *source, ho_arena *arena, ho_report *report, ho_md *out, ho_error *err)
{
  *out = (ho_md){0};
  reader r = {.source = source, .arena = arena};
  r.line_base = skip_front(source, report, out) - 1;
  uint32_t from = line_begin(&r, r.line_base + 1);
  r.skipped = from == 0 ? ho_source_start(source) : 0;
  ho_arena scratch;
  ho_arena_init(&scratch, 0);
  ho_str text = slice(&r, from + r.skipped, (uint32_t)source->text.n);
  text.p = mask(&scratch, text);
  cmark_node *document = text.p ? parse(&scratch, text) : NULL;
  ho_code code = document ? HO_OK : ho_arena_code(&scratch, err);
  if (document) {
    out->blocks = convert_children(&r, document, (uint32_t)source->text.n, 0);
    code = ho_arena_code(arena, err);
  }
  ho_arena_free(&scratch);
  return code;
}

/* --- HTML --------------------------------------------------------------------------------------------------------- */

/* Relative addresses and those with harmless schemes. A colon marks a scheme only before any of "/?#". */
static bool url_allowed(ho_str url)
{
  static const char *const schemes[] = {"http:", "https:", "mailto:"};
  for (size_t i = 0; i < HO_COUNT(schemes); i++)
    if (ho_str_starts_nocase(url, schemes[i]))
      return true;
  for (size_t i = 0; i < url.n; i++) {
    if (strchr("/?#", url.p[i]))
      return true;
    if (url.p[i] == ':' || (unsigned char)url.p[i] <= ' ')
      return false;
  }
  return true;
}

static bool is_inside_link(cmark_node *node)
{
  while ((node = cmark_node_parent(node)))
    if (cmark_node_get_type(node) == CMARK_NODE_LINK)
      return true;
  return false;
}

/* An image would be fetched as soon as the page is opened, and tell its server so. In its place comes its description, as
 * a link to it unless it is part of one. */
static void show_description(cmark_node *image)
{
  cmark_node_type type = is_inside_link(image) ? CMARK_NODE_EMPH : CMARK_NODE_LINK;
  cmark_node *shown = cmark_node_new_with_mem(type, &arena_memory);
  if (type == CMARK_NODE_LINK)
    cmark_node_set_url(shown, cmark_node_get_url(image));
  for (cmark_node *child; (child = cmark_node_first_child(image));)
    cmark_node_append_child(shown, child);
  if (!cmark_node_first_child(shown)) {
    cmark_node *text = cmark_node_new_with_mem(CMARK_NODE_TEXT, &arena_memory);
    cmark_node_set_literal(text, "image");
    cmark_node_append_child(shown, text);
  }
  cmark_node_replace(image, shown);
}

/* Turns raw HTML into text and images into links, and empties addresses that are not allowed. */
static void make_safe(cmark_node *document)
{
  cmark_iter *iter = cmark_iter_new(document);
  for (cmark_event_type event; (event = cmark_iter_next(iter)) != CMARK_EVENT_DONE;) {
    cmark_node *node = cmark_iter_get_node(iter);
    cmark_node_type type = cmark_node_get_type(node);
    if (event == CMARK_EVENT_EXIT && type == CMARK_NODE_IMAGE)
      show_description(node);
    if (event != CMARK_EVENT_ENTER)
      continue;
    if (type == CMARK_NODE_LINK || type == CMARK_NODE_IMAGE) {
      if (!url_allowed(ho_str_of(cmark_node_get_url(node))))
        cmark_node_set_url(node, "");
    } else if (type == CMARK_NODE_HTML_INLINE || type == CMARK_NODE_HTML_BLOCK) {
      cmark_node *shown = cmark_node_new_with_mem(
          type == CMARK_NODE_HTML_INLINE ? CMARK_NODE_TEXT : CMARK_NODE_CODE_BLOCK, &arena_memory);
      cmark_node_set_literal(shown, cmark_node_get_literal(node));
      cmark_node_replace(node, shown);
    }
  }
}

static const char *render(ho_arena *arena, ho_str markdown)
{
  cmark_node *document = parse(arena, markdown);
  if (!document)
    return NULL;
  if (setjmp(cmark_memory.out))
    return NULL;
  make_safe(document);
  return cmark_render_html(document, CMARK_OPT_DEFAULT);
}

void ho_md_write_html(ho_buf *out, ho_str markdown)
{
  if (markdown.n > HO_MD_HTML_LIMIT) {
    ho_buf_puts(out, "<pre>");
    ho_escape_html(out, markdown);
    ho_buf_puts(out, "</pre>\n");
    return;
  }
  ho_arena scratch;
  ho_arena_init(&scratch, 0);
  const char *html = render(&scratch, markdown);
  if (html)
    ho_buf_puts(out, html);
  else if (!out->failed)
    out->failed = scratch.failed ? scratch.failed : HO_MEMORY;
  ho_arena_free(&scratch);
}

const char *ho_md_library(void)
{
  return cmark_version_string();
}
