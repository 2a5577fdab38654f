/* Keys that a Markdown document has no place for: they come from YAML or JSON and must not get lost. */
#include "doc/json/json.h"
#include "doc/keyset.h"
#include "doc/yaml/yaml.h"
#include "model/markdown/markdown_read.h"
#include "model/markdown/markdown_write.h"

static const char kept_heading[] = "Kept Data";

static bool is_homeless(const ho_record *record, const ho_node *child, const char *own)
{
  bool alias;
  const ho_field *field = ho_record_field(record, child->key, &alias);
  return !(field && !alias) && !ho_str_list_has(own, child->key) && !ho_markdown_stands_beside(record, child->key);
}

void ho_markdown_put_homeless(ho_buf *out, const ho_record *record, const ho_node *map, const char *own)
{
  ho_arena arena;
  ho_buf yaml;
  ho_arena_init(&arena, 0);
  ho_buf_init(&yaml, 0);
  ho_node *copy = ho_node_new(&arena, HO_KIND_MAP);
  HO_EACH_CONST (child, map)
    if (is_homeless(record, child, own))
      ho_map_add(copy, child->key, ho_node_copy(&arena, child));
  if (copy && copy->count) {
    ho_yaml_write(&yaml, copy);
    ho_markdown_put_heading(out, 2, ho_str_of(kept_heading));
    ho_markdown_put_fence(out, "yaml", ho_buf_str(&yaml));
  }
  if (!out->failed)
    out->failed = arena.failed ? arena.failed : yaml.failed;
  ho_buf_free(&yaml);
  ho_arena_free(&arena);
}

void ho_markdown_put_homeless_items(ho_buf *out, const ho_record *record, const ho_node *map, const char *own)
{
  HO_EACH_CONST (child, map) {
    if (!is_homeless(record, child, own))
      continue;
    ho_buf value;
    ho_buf_init(&value, 0);
    if (child->kind == HO_KIND_TEXT)
      ho_buf_put(&value, child->text);
    else
      ho_json_write(&value, child, 0);
    char label[128];
    ho_error_copy(label, sizeof label, child->key);
    ho_markdown_put_label_item(out, label, ho_buf_str(&value));
    if (!out->failed)
      out->failed = value.failed;
    ho_buf_free(&value);
  }
}

bool ho_markdown_read_homeless(const ho_markdown_reader *r, const ho_markdown_part *part, ho_node *map)
{
  const ho_md_block *fence = part->first;
  ho_node *kept = NULL;
  ho_report unheard;
  ho_error ignored;
  ho_keyset keys = {0};
  if (*r->had_homeless || !ho_str_is(part->heading->text, kept_heading) || !fence || fence == part->end ||
      fence->next != part->end || fence->kind != HO_MD_CODE || !ho_str_is(fence->info, "yaml"))
    return false;
  ho_report_init(&unheard, r->arena, r->source);
  if (ho_yaml_read(r->source, fence->text_begin, fence->text_end, r->arena, &unheard, &kept, &ignored) ||
      !ho_node_is(kept, HO_KIND_MAP))
    return false;
  for (ho_node *child = kept->first, *next; child; child = next) {
    next = child->next;
    ho_keyset_add(&keys, r->arena, map, child);
  }
  *r->had_homeless = true;
  return true;
}
