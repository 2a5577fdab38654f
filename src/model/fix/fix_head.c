/* Title and preamble of a phase handoff, and the headings that it may keep. */
#include "model/fix/fix_cover.h"
#include "model/fix/fix_parts.h"
#include "model/markdown/markdown_read.h"

typedef ho_artifact_fixer fixer;

enum { PREAMBLE = 64 }; /* lines searched for labels */

static ho_str text_of(const fixer *f, const char *key)
{
  return ho_map_str(f->map, key);
}

static void set(fixer *f, const char *key, ho_str text)
{
  ho_map_set(f->map, ho_str_of(key), ho_node_text(f->arena, text));
}

/* The time in the title: the document's own, in the form used in file names. If the document only gives a day, or no
 * time at all, the file name completes it. */
static void fix_stamp(fixer *f, ho_str named)
{
  char own[17], name[17];
  bool has_own = ho_stamp_read(text_of(f, "timestamp"), own, NULL), has_name = ho_stamp_read(named, name, NULL);
  bool same_day = has_own && has_name && memcmp(own, name, 8) == 0 && memcmp(own + 8, "T000000Z", 8) == 0;
  if (has_name && (same_day || ho_node_empty(ho_map_getz(f->map, "timestamp"))))
    set(f, "timestamp", ho_arena_copy(f->arena, ho_str_of(name)));
  else if (has_own)
    set(f, "timestamp", ho_arena_copy(f->arena, ho_str_of(own)));
}

static const ho_md_block *find_title(const ho_md *md)
{
  const ho_md_block *block = md->blocks;
  while (block && !(block->kind == HO_MD_HEADING && block->level <= 2))
    block = block->next;
  return block && block->level == 1 ? block : NULL;
}

static ho_str on_one_line(ho_str text, ho_arena *arena)
{
  ho_str copy = ho_arena_copy(arena, ho_str_trim(text));
  for (size_t i = 0; i < copy.n; i++)
    if (copy.p[i] == '\n' || copy.p[i] == '\r')
      ((char *)copy.p)[i] = ' ';
  return copy;
}

/* If the old title says more than the new one, it is kept in full, in the document's own words. */
static void fix_title(fixer *f)
{
  const ho_md_block *title = find_title(&f->doc->md);
  ho_str phase = text_of(f, "phase"), stamp = text_of(f, "timestamp");
  ho_cover cover;
  if (!title || !phase.n || !title->text.n)
    return;
  ho_cover_init(&cover);
  ho_cover_add(&cover, ho_arena_printf(f->arena, "Phase %.*s Handoff - %.*s", HO_ARG(phase), HO_ARG(stamp)));
  if (!ho_cover_has(&cover, title->text))
    set(f, "title", on_one_line(title->text, f->arena));
  ho_cover_free(&cover, f->arena);
}

/* `**Date**: …` and similar lines before the first section, which the title states from now on and put_head does not
 * write: kept as they are. */
static bool is_told_elsewhere(const fixer *f, ho_str line)
{
  ho_str label, rest;
  bool exact;
  if (ho_str_starts(line, "- ") || ho_str_starts(line, "* "))
    line = ho_str_trim(ho_str_sub(line, 2, line.n));
  if (!ho_markdown_split_label(line, &label, &rest))
    return false;
  const ho_field *field = ho_markdown_field(f->doc->format->root, label, &exact);
  if (!field || field->shape != HO_SHAPE_LABEL)
    return false;
  const char *written = text_of(f, "phase").n ? "title|task|genre" : "title|task|genre|timestamp";
  return !(ho_str_is(label, field->label) && ho_str_list_has(written, ho_str_of(field->name)));
}

static bool has_line(ho_str text, ho_str wanted)
{
  ho_str line;
  while (ho_str_next_line(&text, &line))
    if (ho_str_eq(ho_str_trim(line), wanted))
      return true;
  return false;
}

static ho_str region_before_sections(const fixer *f)
{
  const ho_md_block *title = find_title(&f->doc->md), *first = title ? title->next : f->doc->md.blocks, *end = first;
  while (end && !(end->kind == HO_MD_HEADING && end->level <= 2))
    end = end->next;
  uint32_t to = end ? end->begin : (uint32_t)f->doc->source.text.n;
  return first && first != end ? ho_str_sub(f->doc->source.text, first->begin, to) : HO_EMPTY;
}

/* Are all lines labels, so that their original order can be kept? */
static bool is_all_labels(ho_str region)
{
  ho_str line, label, rest;
  while (ho_str_next_line(&region, &line)) {
    line = ho_str_trim(line);
    if (ho_str_starts(line, "- ") || ho_str_starts(line, "* "))
      line = ho_str_sub(line, 2, line.n);
    if (line.n && !ho_markdown_split_label(line, &label, &rest))
      return false;
  }
  return true;
}

static void fix_preamble(fixer *f)
{
  ho_str region = region_before_sections(f), kept = text_of(f, "x_preamble"), line, label, rest, first = kept;
  bool ordered = is_all_labels(region);
  ho_buf text;
  ho_buf_init(&text, 0);
  for (size_t count = 0; count < PREAMBLE && ho_str_next_line(&region, &line);) {
    line = ho_str_trim(line);
    bool here = line.n && has_line(kept, line);
    if ((here ? ordered : line.n && is_told_elsewhere(f, line)) && !has_line(ho_buf_str(&text), line))
      ho_buf_printf(&text, "%.*s\n", HO_ARG(line));
    count += line.n > 0;
  }
  if (text.n && kept.n && !(ordered && !region.n)) {
    ho_str_next_line(&first, &line);
    bool alike = ho_markdown_split_label(line, &label, &rest) && text.p[0] == line.p[0];
    ho_buf_printf(&text, "%s%.*s", alike ? "" : "\n", HO_ARG(kept));
  }
  if (text.n)
    set(f, "x_preamble", ho_arena_copy(f->arena, ho_str_trim_end(ho_buf_str(&text))));
  if (text.failed && !f->arena->failed)
    f->arena->failed = text.failed;
  ho_buf_free(&text);
}

void ho_fix_head(fixer *f)
{
  ho_str phase, stamp;
  ho_fix_name_facts(f->env->check.path, &phase, &stamp);
  if (phase.n && ho_node_empty(ho_map_getz(f->map, "phase")))
    set(f, "phase", phase);
  fix_stamp(f, stamp);
  fix_title(f);
  fix_preamble(f);
}

/* --- headings ----------------------------------------------------------------------------------------------------- */

/* Does the heading say something that the format's name for the section does not? */
static bool says_more(const fixer *f, const ho_field *field, ho_str heading)
{
  ho_cover cover;
  if (heading.n && isdigit((unsigned char)heading.p[0])) /* its number */
    return true;
  ho_cover_init(&cover);
  ho_cover_add(&cover, ho_str_of(field->label));
  bool more = !ho_cover_has(&cover, heading);
  ho_cover_free(&cover, f->arena);
  return more;
}

/* Was the field read from the section under this heading, and does it keep within its limit? */
static bool is_kept(const fixer *f, const ho_field *field, const ho_markdown_part *part)
{
  const ho_node *value = ho_map_getz(f->map, field->name);
  uint32_t end = part->end ? part->end->begin : (uint32_t)f->doc->source.text.n;
  return value && value->begin != HO_NOWHERE && value->begin >= part->heading->end && value->begin < end &&
         !(field->type == HO_T_LIST && field->max && value->count > field->max) &&
         says_more(f, field, part->heading->text);
}

static uint32_t place_of(const ho_node *entry)
{
  const ho_node *heading = ho_map_getz(entry, "heading");
  return heading ? heading->begin : 0;
}

/* Moves the last entry of x_sections before those that come after it in the source. */
static void sort_last(ho_node *list)
{
  ho_node *entry = list ? list->last : NULL, *before = NULL;
  if (!entry) /* the arena failed */
    return;
  HO_EACH (each, list)
    if (each != entry && place_of(each) < place_of(entry))
      before = each;
  ho_node_remove(list, entry);
  entry->next = before ? before->next : list->first;
  if (before)
    before->next = entry;
  else
    list->first = entry;
  if (!entry->next)
    list->last = entry;
  list->count++;
}

static void keep_heading(fixer *f, const ho_field *field, const ho_markdown_part *part)
{
  ho_report ignored;
  ho_report_init(&ignored, f->arena, &f->doc->source);
  ho_markdown_reader r = {.format = f->doc->format, .source = &f->doc->source, .arena = f->arena, .report = &ignored};
  static const char *const beside[][2] = {{"", ""}, {"x_", "_intro"}, {"x_", "_more"}};
  for (size_t i = 0; i < HO_COUNT(beside); i++) {
    char key[80];
    snprintf(key, sizeof key, "%s%s%s", beside[i][0], field->name, beside[i][1]);
    ho_node *node = ho_map_getz(f->map, key);
    if (node)
      ho_node_remove(f->map, node);
  }
  if (ho_markdown_keep_section(&r, part, f->map))
    sort_last(ho_map_getz(f->map, "x_sections"));
}

void ho_fix_keep_headings(fixer *f)
{
  for (const ho_md_block *block = f->doc->md.blocks; block; block = block->next) {
    bool exact;
    if (!ho_md_is_section(block) || block->level != 2)
      continue;
    const ho_field *field = ho_markdown_section_field(f->doc->format->root, block->text, &exact);
    ho_markdown_part part = {.heading = block, .first = block->next};
    if (!field || field->shape == HO_SHAPE_LABEL || !ho_map_getz(f->map, field->name))
      continue;
    for (part.end = part.first; part.end && !ho_md_is_section(part.end);)
      part.end = part.end->next;
    if (is_kept(f, field, &part))
      keep_heading(f, field, &part);
  }
}
