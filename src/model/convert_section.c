/* x_kept in Markdown: a section of its own. */
#include "doc/yaml.h"
#include "model/convert.h"
#include "model/markdown_write.h"

bool ho_kept_is_section(const ho_format *format, ho_encoding encoding)
{
  return encoding == HO_MARKDOWN && format->encoding == HO_MARKDOWN;
}

static ho_str fence_of(const ho_node *kept, ho_arena *arena)
{
  ho_buf yaml, fence;
  ho_buf_init(&yaml, 0);
  ho_buf_init(&fence, 0);
  ho_yaml_write(&yaml, kept);
  ho_md_put_fence(&fence, "yaml", ho_buf_str(&yaml));
  ho_str text = ho_arena_copy(arena, ho_str_trim_end(ho_buf_str(&fence)));
  if ((yaml.failed || fence.failed) && !arena->failed)
    arena->failed = yaml.failed ? yaml.failed : fence.failed;
  ho_buf_free(&fence);
  ho_buf_free(&yaml);
  return text;
}

void ho_kept_write(ho_buf *out, const ho_node *kept)
{
  ho_arena arena;
  ho_arena_init(&arena, 0);
  ho_str fence = fence_of(kept, &arena);
  ho_buf_printf(out, "## " HO_KEPT "\n\n%.*s\n", HO_ARG(fence));
  if (arena.failed && !out->failed)
    out->failed = arena.failed;
  ho_arena_free(&arena);
}

void ho_kept_to_section(ho_node *tree, ho_arena *arena)
{
  ho_node *kept = ho_map_getz(tree, HO_KEPT), *sections = ho_map_getz(tree, "x_sections");
  if (!kept)
    return;
  ho_node_remove(tree, kept);
  if (!ho_node_is(sections, HO_KIND_LIST))
    sections = ho_map_set(tree, HO_STR("x_sections"), ho_node_new(arena, HO_KIND_LIST));
  ho_node *entry = ho_node_new(arena, HO_KIND_MAP);
  ho_map_addz(entry, "heading", ho_node_textz(arena, HO_KEPT));
  ho_map_addz(entry, "level", ho_node_number(arena, 2));
  ho_map_addz(entry, "text", ho_node_text(arena, fence_of(kept, arena)));
  ho_list_add(sections, entry);
}

/* The first fence of YAML among the blocks that is x_kept. */
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

ho_code ho_kept_from_section(ho_node *tree, ho_arena *arena, ho_error *err)
{
  ho_node *sections = ho_map_getz(tree, "x_sections"), *kept = NULL;
  HO_EACH (entry, sections) {
    if (!ho_str_is(ho_node_str(ho_map_getz(entry, "heading")), HO_KEPT) || ho_map_getz(tree, HO_KEPT))
      continue;
    ho_str fence = ho_node_str(ho_map_getz(entry, "text"));
    ho_str text = ho_arena_printf(arena, "## " HO_KEPT "\n\n%.*s\n", HO_ARG(fence));
    ho_code code = ho_arena_code(arena, err);
    if (!code)
      code = ho_kept_read(text, arena, &kept, err);
    if (code)
      return code;
    if (!kept)
      continue;
    ho_node_remove(sections, entry);
    if (sections->count == 0)
      ho_node_remove(tree, sections);
    kept->key = HO_STR(HO_KEPT);
    ho_list_add(tree, kept);
    return HO_OK;
  }
  return HO_OK;
}
