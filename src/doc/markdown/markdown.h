/* Markdown blocks with their positions, as CommonMark sees them. Only markdown.c includes cmark. */
#ifndef HO_DOC_MARKDOWN_MARKDOWN_H
#define HO_DOC_MARKDOWN_MARKDOWN_H

#include "base/buf.h"
#include "doc/report.h"

typedef enum ho_md_kind {
  HO_MD_HEADING,
  HO_MD_PARAGRAPH,
  HO_MD_LIST,
  HO_MD_ITEM,
  HO_MD_CODE,
  HO_MD_QUOTE,
  HO_MD_RULE,
  HO_MD_HTML
} ho_md_kind;

/* One block. begin..end are bytes of the source from the first marker byte of the first line to the end of the last
 * line (without its newline), so that the raw Markdown of any run of blocks can be copied as is. */
typedef struct ho_md_block {
  struct ho_md_block *next, *first; /* siblings; children of lists, items, quotes */
  ho_md_kind kind;
  uint32_t begin, end;
  unsigned level;                /* heading level 1..6 */
  bool ordered;                  /* list */
  ho_str text;                   /* heading: its inline source text; code: its content; paragraph: its raw text */
  ho_str info;                   /* code: the info string ("yaml") */
  uint32_t text_begin, text_end; /* where `text` is in the source (fence content with its last newline, heading) */
} ho_md_block;

/* A heading of the first or second level, which begins a section. */
static inline bool ho_md_is_section(const ho_md_block *block)
{
  return block->kind == HO_MD_HEADING && block->level <= 2;
}

/* The top-level blocks in order; together they cover every byte that is not white space (a link definition, which
 * CommonMark does not show, is a paragraph here). Front matter (a first line "---", closed by "---") is not
 * Markdown: it is skipped, and the bytes between its lines are front_from..front_to (equal if there is none). Front
 * matter that is never closed is a finding and is read as Markdown. Blocks deeper than HO_LIMIT_DEPTH are not split
 * up: they are in the span of the block around them. Never aborts, even if memory runs out. Takes linear time. */
typedef struct ho_md {
  ho_md_block *blocks;
  uint32_t front_from, front_to;
} ho_md;

ho_code ho_md_read(const ho_source *source, ho_arena *arena, ho_report *report, ho_md *out, ho_error *err) HO_NODISCARD;

/* Safe HTML: raw HTML is shown as text; links keep only http, https, mailto and relative addresses; images become links,
 * so that nothing is fetched when the page is opened. A text above HO_MD_HTML_LIMIT bytes is shown as is, in <pre>, since CommonMark's inline rules can be made slow. */
enum { HO_MD_HTML_LIMIT = 1 << 18 };
void ho_md_write_html(ho_buf *out, ho_str markdown);
/* The version of cmark. */
const char *ho_md_library(void);
#endif
