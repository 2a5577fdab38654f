/* x_kept in a details file. */
#include "doc/yaml/yaml.h"
#include "model/convert/convert.h"
#include "model/markdown/markdown_write.h"

void ho_kept_write(ho_buf *out, const ho_node *kept)
{
  ho_buf yaml;
  ho_buf_init(&yaml, 0);
  ho_yaml_write(&yaml, kept);
  ho_buf_puts(out, "## " HO_KEPT "\n\n");
  ho_markdown_put_fence(out, "yaml", ho_buf_str(&yaml));
  if (yaml.failed && !out->failed)
    out->failed = yaml.failed;
  ho_buf_free(&yaml);
}

/* The first fence of YAML among the blocks that contains x_kept. */
static ho_code read_fences(const ho_source *source, const ho_md_block *block, ho_arena *arena, ho_node **kept,
                           ho_error *err)
{
  for (; block; block = block->next) {
    ho_report report;
    ho_node *node = NULL;
    ho_report_init(&report, arena, source);
    if (block->kind != HO_MD_CODE || !ho_str_is(block->info, "yaml"))
      continue;
    ho_code code = ho_yaml_read(source, block->text_begin, block->text_end, arena, &report, &node, err);
    if (code && code != HO_SYNTAX)
      return code;
    if (!code && ho_map_getz(node, "from")) {
      *kept = node;
      return HO_OK;
    }
  }
  return HO_OK;
}

ho_code ho_kept_read(ho_str markdown, ho_arena *arena, ho_node **kept, ho_error *err)
{
  ho_source *source = HO_NEW(arena, ho_source);
  ho_report report;
  ho_md md;
  *kept = NULL;
  if (!source)
    return ho_arena_code(arena, err);
  ho_report_init(&report, arena, source);
  ho_code code = ho_source_init(source, arena, HO_STR("kept.md"), markdown, err);
  if (!code)
    code = ho_md_read(source, arena, &report, &md, err);
  if (code)
    return code;
  const ho_md_block *block = md.blocks;
  while (block && !(block->kind == HO_MD_HEADING && ho_str_is(block->text, HO_KEPT)))
    block = block->next;
  return read_fences(source, block, arena, kept, err);
}
