/* Any text as Markdown: blocks are in order, inside their parents, and cover all but white space; HTML has no script.
 */
#include "base/str.h"
#include "doc/markdown/markdown.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_blocks(ho_str text, const ho_md_block *block, uint32_t from, uint32_t to)
{
  for (; block; block = block->next) {
    if (block->begin < from || block->end < block->begin || block->end > to)
      abort();
    if (block->text_begin > block->text_end || block->text_end > text.n)
      abort();
    check_blocks(text, block->first, block->begin, block->end);
    from = block->end;
  }
}

static void check_cover(ho_str text, const ho_md *md, uint32_t from)
{
  uint32_t at = md->front_to > md->front_from ? md->front_to + 3 : from;
  for (const ho_md_block *block = md->blocks; block; block = block->next) {
    if (!ho_str_blank(ho_str_sub(text, at, block->begin)))
      abort();
    at = block->end;
  }
  if (md->blocks && !ho_str_blank(ho_str_sub(text, at, text.n)))
    abort();
}

static void check_html(ho_str text)
{
  ho_buf html;
  ho_buf_init(&html, 0);
  ho_md_write_html(&html, text);
  if (ho_str_has_nocase(ho_buf_str(&html), "<script") || ho_str_has_nocase(ho_buf_str(&html), "href=\"javascript:"))
    abort();
  ho_buf_free(&html);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  ho_arena arena;
  ho_source source;
  ho_report report;
  ho_md md;
  ho_arena_init(&arena, 0);
  ho_report_init(&report, &arena, &source);
  ho_str text = {(const char *)data, size};
  if (!ho_source_init(&source, &arena, HO_STR("f.md"), text, &(ho_error){0}) &&
      !ho_md_read(&source, &arena, &report, &md, &(ho_error){0})) {
    check_blocks(text, md.blocks, 0, (uint32_t)size);
    check_cover(text, &md, ho_source_start(&source));
    check_html(text);
  }
  ho_arena_free(&arena);
  return 0;
}
