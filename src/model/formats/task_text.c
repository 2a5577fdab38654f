/* The task file around a structured handoff: reading and writing. */
#include "doc/yaml/yaml.h"
#include "model/formats/task.h"
#include "model/markdown/markdown_read.h"
#include "model/markdown/markdown_write.h"

static const char closing[] = "*Task completed:";

/* --- finding the parts -------------------------------------------------------------------------------------------- */

static bool is_handoff_heading(const ho_md_block *block)
{
  static const ho_field handoff = {.name = "handoff", .label = "Handoff"};
  return ho_md_is_section(block) && ho_markdown_is_label(&handoff, block->text);
}

static bool says_outcome(ho_str text)
{
  ho_str line;
  while (ho_markdown_next_line(&text, &line))
    if (ho_str_starts(line, "outcome:"))
      return true;
  return false;
}

static bool is_yaml_fence(const ho_md_block *block)
{
  return block->kind == HO_MD_CODE && (!block->info.n || ho_str_list_has_nocase("yaml|yml", block->info));
}

static bool is_closing(const ho_md_block *block)
{
  return block->kind == HO_MD_PARAGRAPH && ho_str_starts(block->text, closing) && ho_str_ends(block->text, "*") &&
         ho_str_find_char(block->text, '\n') == HO_NONE;
}

/* What stands under the heading Handoff without a fence, up to a horizontal rule, a fence or the closing line, as if it
 * were one. */
static bool find_bare(const ho_source *source, const ho_md_block *heading, ho_md_block *out)
{
  const ho_md_block *first = heading->next, *block = first, *last = NULL;
  for (; block && !ho_md_is_section(block) && !is_closing(block); block = block->next) {
    if (block->kind == HO_MD_RULE || block->kind == HO_MD_CODE)
      break;
    last = block;
  }
  if (!last)
    return false;
  *out = (ho_md_block){.kind = HO_MD_CODE,
                       .begin = first->begin,
                       .end = last->end,
                       .text = ho_str_sub(source->text, first->begin, last->end),
                       .text_begin = first->begin,
                       .text_end = last->end};
  return says_outcome(out->text);
}

/* Can it be read? Notes may have a line that only looks like YAML. */
static bool is_yaml(const ho_source *source, const ho_md_block *block)
{
  ho_arena arena;
  ho_node *map = NULL;
  ho_error none = {0};
  ho_arena_init(&arena, 0);
  ho_code code = ho_yaml_read(source, block->text_begin, block->text_end, &arena, NULL, &map, &none);
  bool yes = !code && ho_node_is(map, HO_KIND_MAP);
  ho_arena_free(&arena);
  return yes;
}

/* The YAML of the handoff: the last fence with an outcome under the heading Handoff, else what stands there without a
 * fence if it has an outcome, else the first fence there, else the last fence with an outcome anywhere. */
static bool find_yaml(const ho_source *source, const ho_md *md, ho_md_block *out)
{
  const ho_md_block *named = NULL, *first = NULL, *loose = NULL;
  ho_md_block bare;
  bool inside = false, is_bare = false;
  for (const ho_md_block *block = md->blocks; block; block = block->next) {
    if (ho_md_is_section(block)) {
      inside = is_handoff_heading(block);
      is_bare = is_bare || (inside && find_bare(source, block, &bare) && is_yaml(source, &bare));
    }
    if (!is_yaml_fence(block))
      continue;
    bool outcome = says_outcome(block->text);
    if (inside && outcome)
      named = block;
    else if (inside && !first)
      first = block;
    else if (outcome)
      loose = block;
  }
  const ho_md_block *found = named ? named : is_bare ? &bare : first ? first : loose;
  if (found)
    *out = *found;
  return found != NULL;
}

static ho_md_block **append(ho_arena *arena, ho_md_block **end, const ho_md_block *block)
{
  *end = HO_NEW(arena, ho_md_block);
  if (!*end)
    return end;
  **end = *block;
  (*end)->next = NULL;
  return &(*end)->next;
}

/* The blocks without the fence, the closing line and the horizontal rules at the edges of sections. */
static ho_md_block *without(ho_arena *arena, const ho_md *md, const ho_md_block *fence)
{
  ho_md_block *first = NULL, **end = &first;
  const ho_md_block *rule = NULL; /* the first of those that are held back until something follows */
  bool inside = false;            /* the section already has content */
  for (const ho_md_block *block = md->blocks; block; block = block->next) {
    bool taken = fence && block->begin >= fence->begin && block->end <= fence->end;
    if (taken || is_closing(block))
      continue;
    if (block->kind == HO_MD_RULE) {
      rule = rule ? rule : block;
      continue;
    }
    for (; rule && inside && !ho_md_is_section(block) && rule != block; rule = rule->next)
      if (rule->kind == HO_MD_RULE)
        end = append(arena, end, rule);
    rule = NULL;
    end = append(arena, end, block);
    inside = !ho_md_is_section(block);
  }
  return first;
}

/* --- reading ------------------------------------------------------------------------------------------------------ */

static void add(const ho_markdown_reader *r, ho_node *map, const char *key, ho_str text)
{
  uint32_t begin = (uint32_t)(text.p - r->source->text.p);
  if (text.n)
    ho_map_addz(map, key, ho_markdown_line_node(r, begin, begin + (uint32_t)text.n));
}

/* `Task ID: Name`; any other title is just a name. */
static void read_title(const ho_markdown_reader *r, ho_str text, ho_node *file)
{
  size_t colon = ho_str_find_char(text, ':');
  ho_str id = ho_str_trim(ho_str_sub(text, 5, colon == HO_NONE ? text.n : colon));
  if (!ho_str_starts_nocase(text, "task ") || !id.n || ho_str_find_char(id, ' ') != HO_NONE) {
    add(r, file, "name", text);
    return;
  }
  add(r, file, "id", id);
  if (colon != HO_NONE)
    add(r, file, "name", ho_str_trim(ho_str_sub(text, colon + 1, text.n)));
}

static void read_part(const ho_markdown_reader *r, const ho_markdown_part *part, ho_node *file)
{
  bool exact;
  const ho_field *field = ho_markdown_field(&ho_task_file_record, part->heading->text, &exact);
  if (is_handoff_heading(part->heading) && !ho_map_getz(file, "x_handoff_text")) {
    ho_node *text = ho_markdown_part_text(r, part);
    if (text)
      ho_map_addz(file, "x_handoff_text", text);
  } else if (field && part->heading->level == 2 && part->first != part->end && !ho_map_getz(file, field->name)) {
    if (!exact)
      ho_markdown_misspelt(r, field, part->heading->text, part->heading->begin);
    ho_map_addz(file, field->name, ho_markdown_part_text(r, part));
  } else if (!ho_markdown_read_homeless(r, part, file)) {
    ho_markdown_keep_section(r, part, file);
  }
}

static ho_node *read_file(const ho_markdown_reader *r, const ho_md *md, const ho_md_block *fence)
{
  ho_node *file = ho_node_new(r->arena, HO_KIND_MAP);
  ho_markdown_part part = {.first = without(r->arena, md, fence)};
  if (md->front_to > md->front_from)
    ho_map_addz(file, "x_front_matter", ho_markdown_slice_node(r, md->front_from, md->front_to, 0));
  if (part.first && part.first->kind == HO_MD_HEADING && part.first->level == 1 && part.first->text.n) {
    read_title(r, part.first->text, file);
    part.first = part.first->next;
  }
  for (part.end = part.first; part.end && !ho_md_is_section(part.end);)
    part.end = part.end->next;
  ho_node *preamble = ho_markdown_part_text(r, &part);
  if (preamble)
    ho_map_addz(file, "x_preamble", preamble);
  while (part.end) {
    part.heading = part.end;
    part.first = part.end->next;
    for (part.end = part.first; part.end && !ho_md_is_section(part.end);)
      part.end = part.end->next;
    read_part(r, &part, file);
  }
  for (const ho_md_block *block = md->blocks; block; block = block->next)
    if (is_closing(block) && !ho_map_getz(file, "completed"))
      add(r, file, "completed", ho_str_trim(ho_str_sub(block->text, sizeof closing - 1, block->text.n - 1)));
    else if (is_closing(block))
      add(r, file, "x_completed", block->text);
  ho_markdown_order_extras(file);
  return file;
}

ho_code ho_task_read(const ho_format *format, const ho_source *source, const ho_md *md, ho_arena *arena,
                     ho_report *report, ho_node **out, ho_error *err)
{
  bool had_homeless = false;
  ho_markdown_reader r = {
      .format = format, .source = source, .arena = arena, .report = report, .had_homeless = &had_homeless};
  ho_md_block found;
  const ho_md_block *fence = find_yaml(source, md, &found) ? &found : NULL;
  ho_node *map = NULL;
  if (fence) {
    ho_code code = ho_yaml_read(source, fence->text_begin, fence->text_end, arena, report, &map, err);
    if (code)
      return code;
  }
  if (!ho_node_is(map, HO_KIND_MAP)) {
    fence = NULL;
    map = ho_node_new(arena, HO_KIND_MAP);
  }
  ho_node *file = read_file(&r, md, fence);
  if (file && file->count)
    ho_map_addz(map, "task_file", file);
  *out = map;
  return ho_arena_code(arena, err);
}

bool ho_task_looks_like(const ho_source *source, const ho_md *md)
{
  ho_md_block found;
  return find_yaml(source, md, &found) && says_outcome(found.text);
}

/* --- writing ------------------------------------------------------------------------------------------------------ */

static void put_title(ho_buf *out, const ho_node *file)
{
  ho_str id = ho_map_str(file, "id"), name = ho_map_str(file, "name");
  ho_buf title;
  if (!id.n && !name.n)
    return;
  ho_buf_init(&title, 0);
  if (id.n)
    ho_buf_printf(&title, name.n ? "Task %.*s: " : "Task %.*s", HO_ARG(id));
  ho_buf_put(&title, name);
  ho_markdown_put_heading(out, 1, ho_buf_str(&title));
  if (title.failed && !out->failed)
    out->failed = title.failed;
  ho_buf_free(&title);
}

/* The handoff as YAML, without the file around it. */
static void put_yaml(ho_buf *out, const ho_node *root)
{
  ho_arena arena;
  ho_buf yaml;
  ho_arena_init(&arena, 0);
  ho_buf_init(&yaml, 0);
  ho_node *copy = ho_node_copy(&arena, root), *file = ho_map_getz(copy, "task_file");
  if (file)
    ho_node_remove(copy, file);
  if (copy && copy->count) {
    ho_yaml_write(&yaml, copy);
    ho_buf_putc(out, '\n');
    ho_markdown_put_fence(out, "yaml", ho_buf_str(&yaml));
  }
  if (!out->failed)
    out->failed = yaml.failed ? yaml.failed : arena.failed;
  ho_buf_free(&yaml);
  ho_arena_free(&arena);
}

static void put_handoff(ho_buf *out, const ho_node *root, const ho_node *file)
{
  ho_str text = ho_map_str(file, "x_handoff_text");
  ho_str completed = ho_map_str(file, "completed"), more = ho_map_str(file, "x_completed");
  ho_buf_puts(out, out->n ? "\n---\n" : "");
  ho_markdown_put_heading(out, 2, HO_STR("Handoff"));
  put_yaml(out, root);
  if (text.n) {
    ho_buf_putc(out, '\n');
    ho_markdown_put_text(out, text);
  }
  if (completed.n) {
    ho_buf_printf(out, "\n---\n\n%s ", closing);
    ho_markdown_put_line(out, completed);
    ho_buf_puts(out, "*\n");
  }
  if (more.n)
    ho_buf_printf(out, "\n%.*s\n", HO_ARG(more));
}

void ho_task_write(const ho_format *format, const ho_node *root, ho_buf *out)
{
  (void)format;
  const ho_node *file = ho_map_getz(root, "task_file");
  ho_str front = ho_map_str(file, "x_front_matter");
  ho_str preamble = ho_map_str(file, "x_preamble");
  if (front.n)
    ho_buf_printf(out, "---\n%.*s\n---\n", HO_ARG(front));
  put_title(out, file);
  if (preamble.n) {
    ho_buf_puts(out, out->n ? "\n" : "");
    ho_markdown_put_text(out, preamble);
  }
  for (const ho_field *field = ho_task_file_record.fields; field->name; field++) {
    if (field->shape == HO_SHAPE_NONE || ho_node_empty(ho_map_getz(file, field->name)))
      continue;
    if (strcmp(field->name, "execution_log") == 0)
      ho_buf_puts(out, out->n ? "\n---\n" : "");
    ho_markdown_put_section(out, field, file);
  }
  HO_EACH_CONST (entry, ho_map_getz(file, "x_sections"))
    ho_markdown_put_kept_section(out, entry);
  ho_markdown_put_homeless(out, &ho_task_file_record, file,
                           "x_front_matter|x_preamble|x_sections|x_handoff_text|x_completed");
  put_handoff(out, root, file);
}
