/* Markdown of other tools: front matter as a map, and sections as lists, by the headings of a table. */
#include "doc/yaml/yaml.h"
#include "model/foreign/foreign.h"
#include "model/markdown/markdown_read.h"
#include "model/wording.h"

/* Unreadable front matter is no reason to lose the sections: it is kept in the original. */
static ho_code read_front(const ho_source *source, const ho_md *md, ho_arena *arena, ho_report *report, ho_node **out,
                          ho_error *err)
{
  ho_error ignored = {0};
  *out = NULL;
  if (md->front_to <= md->front_from)
    return HO_OK;
  ho_code code = ho_yaml_read(source, md->front_from, md->front_to, arena, report, out, &ignored);
  if (code)
    *out = NULL;
  if (code == HO_MEMORY)
    *err = ignored;
  return code == HO_MEMORY ? code : ho_arena_code(arena, err);
}

/* "`src/a.c:12` - why" in a list of files: the first path, and the whole text. */
static void split_paths(const ho_field *field, ho_node *list, ho_arena *arena)
{
  const ho_field *path_field = field->record->fields, *said_field = field->record->fields + 1;
  HO_EACH (item, list) {
    ho_str rest = ho_node_str(item), path, text = rest;
    if (item->kind != HO_KIND_TEXT)
      continue;
    item->kind = HO_KIND_MAP;
    item->text = HO_EMPTY;
    item->first = item->last = NULL;
    item->count = 0;
    if (ho_wording_path(&rest, &path))
      ho_map_addz(item, path_field->name, ho_node_text(arena, path));
    ho_map_addz(item, said_field->name, ho_node_text(arena, text));
  }
}

static void read_section(const ho_markdown_reader *r, const ho_markdown_part *part, ho_node *map)
{
  bool exact;
  const ho_field *field = ho_markdown_field(r->format->root, part->heading->text, &exact);
  if (!field || ho_map_getz(map, field->name)) {
    ho_markdown_keep_section(r, part, map);
    return;
  }
  ho_markdown_read_shape(r, field, part, map);
  ho_node *list = ho_map_getz(map, field->name);
  if (field->record && ho_node_is(list, HO_KIND_LIST))
    split_paths(field, list, r->arena);
}

ho_code ho_foreign_read_markdown(const ho_format *format, const ho_source *source, const ho_md *md, ho_arena *arena,
                                 ho_report *report, ho_node **out, ho_error *err)
{
  ho_markdown_reader r = {.format = format, .source = source, .arena = arena, .report = report};
  ho_node *map = NULL;
  ho_code code = read_front(source, md, arena, report, &map, err);
  if (code)
    return code;
  if (!ho_node_is(map, HO_KIND_MAP))
    map = ho_node_new(arena, HO_KIND_MAP);
  for (const ho_md_block *block = md->blocks; block; block = block->next) {
    ho_markdown_part part = {.heading = block, .first = block->next};
    if (!ho_md_is_section(block))
      continue;
    for (part.end = block->next; part.end && !ho_md_is_section(part.end);)
      part.end = part.end->next;
    if (block->level == 1 && !ho_map_getz(map, "title"))
      ho_map_addz(map, "title", ho_markdown_line_node(&r, block->text_begin, block->text_end));
    else
      read_section(&r, &part, map);
  }
  *out = map;
  return ho_arena_code(arena, err);
}
