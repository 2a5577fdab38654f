/* A phase handoff on one screen. Nothing is kept track of here: whatever the new text lacks of the old one goes to the
 * details file (fix_cover.h). */
#include "model/fix_cover.h"
#include "model/fix_parts.h"
#include "model/formats/artifact.h"
#include "model/formats/place.h"
#include "model/markdown_read.h"
#include "model/markdown_write.h"

typedef struct fixer {
  const ho_doc *doc;
  const ho_md *md;
  const ho_fix_env *env;
  ho_arena *arena;
  ho_node *map; /* the tree that is being made */
} fixer;

static ho_str text_of(const fixer *f, const char *key)
{
  return ho_node_str(ho_map_getz(f->map, key));
}

static void set(fixer *f, const char *key, ho_str text)
{
  ho_map_set(f->map, ho_str_of(key), ho_node_text(f->arena, text));
}

static void drop(fixer *f, ho_node *map, const char *key)
{
  ho_node *node = ho_map_getz(map, key);
  (void)f;
  if (node)
    ho_node_remove(map, node);
}

/* --- the head ----------------------------------------------------------------------------------------------------- */

/* The time of the title: the document's own, in the form of file names. A day without a time is made exact by the file
 * name; a document without a time has that of its name. */
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

/* What the old title says beyond the new one is kept whole, as the document's own words. */
static void fix_title(fixer *f)
{
  const ho_md_block *title = find_title(f->md);
  ho_str phase = text_of(f, "phase"), stamp = text_of(f, "timestamp");
  ho_cover cover;
  if (!title || !phase.n || !title->text.n)
    return;
  ho_cover_init(&cover);
  ho_cover_add(&cover, ho_arena_printf(f->arena, "Phase %.*s Handoff - %.*s", HO_ARG(phase), HO_ARG(stamp)));
  if (!ho_cover_has(&cover, title->text))
    set(f, "title", on_one_line(title->text, f->arena));
  ho_cover_free(&cover);
}

/* `**Date**: …` and the like before the first section, which the title tells from now on, and which put_head does not
 * write: as they stand. */
static bool is_told_elsewhere(const fixer *f, ho_str line)
{
  ho_str label, rest;
  bool exact;
  if (ho_str_starts(line, "- ") || ho_str_starts(line, "* "))
    line = ho_str_trim(ho_str_sub(line, 2, line.n));
  if (!ho_md_split_label(line, &label, &rest))
    return false;
  const ho_field *field = ho_md_field(f->doc->format->root, label, &exact);
  if (!field || field->shape != HO_SHAPE_LABEL)
    return false;
  return !(exact && ho_list_has("title|task|genre", ho_str_of(field->name)));
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
  const ho_md_block *title = find_title(f->md), *first = title ? title->next : f->md->blocks, *end = first;
  while (end && !(end->kind == HO_MD_HEADING && end->level <= 2))
    end = end->next;
  uint32_t to = end ? end->begin : (uint32_t)f->doc->source.text.n;
  return first && first != end ? ho_str_sub(f->doc->source.text, first->begin, to) : HO_EMPTY;
}

static void fix_preamble(fixer *f)
{
  ho_str region = region_before_sections(f), kept = text_of(f, "x_preamble"), line, label, rest, first = kept;
  ho_buf text;
  ho_buf_init(&text, 0);
  while (ho_str_next_line(&region, &line)) {
    line = ho_str_trim(line);
    if (is_told_elsewhere(f, line) && !has_line(kept, line))
      ho_buf_printf(&text, "%.*s\n", HO_ARG(line));
  }
  if (text.n && kept.n) {
    ho_str_next_line(&first, &line);
    bool alike = ho_md_split_label(line, &label, &rest) && text.p[0] == line.p[0];
    ho_buf_printf(&text, "%s%.*s", alike ? "" : "\n", HO_ARG(kept));
  }
  if (text.n)
    set(f, "x_preamble", ho_arena_copy(f->arena, ho_str_trim_end(ho_buf_str(&text))));
  if (text.failed && !f->arena->failed)
    f->arena->failed = text.failed;
  ho_buf_free(&text);
}

static void fix_head(fixer *f)
{
  ho_str phase, stamp;
  ho_fix_name_facts(f->env->check.path, &phase, &stamp);
  if (phase.n && ho_node_empty(ho_map_getz(f->map, "phase")))
    set(f, "phase", phase);
  fix_stamp(f, stamp);
  fix_title(f);
  fix_preamble(f);
}

/* --- the sections ------------------------------------------------------------------------------------------------- */

static bool is_empty_item(const ho_node *item)
{
  if (item->kind != HO_KIND_MAP)
    return ho_node_empty(item);
  HO_EACH_CONST (child, item)
    if (!ho_node_empty(child))
      return false;
  return true;
}

/* Takes off the items beyond the limit, and those that say nothing. */
static void limit_list(ho_node *list, size_t limit)
{
  size_t count = 0;
  for (ho_node *item = list ? list->first : NULL, *next; item; item = next) {
    next = item->next;
    if (is_empty_item(item) || count == limit)
      ho_node_remove(list, item);
    else
      count++;
  }
}

static bool is_details(const fixer *f, const ho_node *reference)
{
  ho_str path = ho_place_name(ho_node_str(ho_map_getz(reference, "path")));
  return ho_str_eq(path, ho_fix_details_name(f->arena, f->env->check.path)) ||
         (f->env->old_details.n && ho_str_eq(path, f->env->old_details));
}

/* References end with the details file; `wanted` where there is none yet. */
static void fix_references(fixer *f, const ho_field *field, bool wanted)
{
  ho_node *list = ho_map_getz(f->map, field->name);
  for (ho_node *item = list ? list->first : NULL, *next; item; item = next) {
    next = item->next;
    if (is_details(f, item)) {
      wanted = true;
      ho_node_remove(list, item);
    }
  }
  limit_list(list, field->max - wanted);
  if (!wanted)
    return;
  if (!list)
    list = ho_map_addz(f->map, field->name, ho_node_new(f->arena, HO_KIND_LIST));
  ho_node *item = ho_list_add(list, ho_node_new(f->arena, HO_KIND_MAP));
  ho_map_addz(item, "kind", ho_node_textz(f->arena, "Details"));
  ho_map_addz(item, "path", ho_node_text(f->arena, ho_fix_details_name(f->arena, f->env->check.path)));
}

static void fix_sections(fixer *f, bool details)
{
  ho_str next = text_of(f, "immediate_next_action");
  if (next.n)
    set(f, "immediate_next_action", ho_fix_one_step(next, f->arena));
  for (const ho_field *field = f->doc->format->root->fields; field->name; field++) {
    if (field->shape == HO_SHAPE_REFS)
      fix_references(f, field, details);
    else if (field->type == HO_T_LIST && ho_map_getz(f->map, field->name))
      limit_list(ho_map_getz(f->map, field->name), field->max);
  }
}

/* --- one screen --------------------------------------------------------------------------------------------------- */

static size_t count_lines(ho_str text)
{
  size_t lines = 0;
  for (size_t i = 0; i < text.n; i++)
    lines += text.p[i] == '\n';
  return lines;
}

static size_t write_lines(const fixer *f, ho_buf *out)
{
  ho_buf_reset(out);
  ho_artifact_write(f->doc->format, f->map, out);
  return count_lines(ho_str_trim_end(ho_buf_str(out))) + 1;
}

/* Keeps those of the sections that the format does not know which still fit, the first ones first. */
static void fit_sections(fixer *f, ho_node *sections, size_t lines)
{
  ho_buf one;
  ho_buf_init(&one, 0);
  for (ho_node *entry = sections->first, *next; entry; entry = next) {
    next = entry->next;
    ho_buf_reset(&one);
    ho_buf_putc(&one, ' '); /* it is not the first thing written */
    ho_md_put_kept_section(&one, entry);
    size_t more = count_lines(ho_buf_str(&one));
    if (!one.failed && lines + more <= HO_ARTIFACT_LINES)
      lines += more;
    else
      ho_node_remove(sections, entry);
  }
  if (one.failed && !f->arena->failed)
    f->arena->failed = one.failed;
  ho_buf_free(&one);
  if (sections->count)
    ho_map_addz(f->map, "x_sections", sections);
}

static void shorten(fixer *f, ho_node *node)
{
  if (ho_node_is(node, HO_KIND_TEXT))
    node->text = ho_fix_shorten(node->text, f->arena);
}

/* What stands beside the items of a section. */
static void drop_beside(fixer *f, const ho_field *field)
{
  char key[80];
  snprintf(key, sizeof key, "x_%s_intro", field->name);
  drop(f, f->map, key);
  snprintf(key, sizeof key, "x_%s_more", field->name);
  if (!ho_node_empty(ho_map_getz(f->map, field->name)))
    drop(f, f->map, key);
  else
    shorten(f, ho_map_getz(f->map, key));
  ho_node *value = ho_map_getz(f->map, field->name);
  if (field->shape == HO_SHAPE_LABELS && value && value->count > 1)
    drop(f, value, "x_text");
}

/* Every text of a section on one line. */
static void shorten_section(fixer *f, const ho_field *field)
{
  ho_node *value = ho_map_getz(f->map, field->name);
  shorten(f, value);
  HO_EACH (item, value) {
    shorten(f, item);
    HO_EACH (part, item)
      shorten(f, part);
  }
}

/* A goal of several lines keeps as many as fit. */
static void fit_goal(fixer *f, size_t lines)
{
  ho_node *goal = ho_node_by_names(f->map, "current_state.goal_state");
  ho_str rest = ho_node_str(goal), line, text = rest;
  size_t count = 0, excess = lines - HO_ARTIFACT_LINES, end = 0;
  while (ho_str_next_line(&rest, &line)) {
    if (ho_md_starts_block(line))
      return;
    count++;
  }
  if (count < excess + 2)
    return;
  rest = text;
  for (size_t i = 0; i < count - excess && ho_str_next_line(&rest, &line); i++)
    end = (size_t)(line.p - text.p) + line.n;
  goal->text = ho_str_sub(text, 0, end);
}

/* The sections from the last to the first, which is read first. */
static void fit_known(fixer *f, ho_buf *out)
{
  const ho_field *fields = f->doc->format->root->fields, *end = fields;
  while (end->name)
    end++;
  for (int pass = 0; pass < 2; pass++)
    for (const ho_field *field = end; field-- > fields;) {
      size_t lines = write_lines(f, out);
      if (lines <= HO_ARTIFACT_LINES)
        return;
      if (pass == 0 && field->shape != HO_SHAPE_LABEL)
        drop_beside(f, field);
      else if (pass == 1 && field->shape == HO_SHAPE_LABELS)
        fit_goal(f, lines);
      if (pass == 1 && field->shape != HO_SHAPE_LABEL && write_lines(f, out) > HO_ARTIFACT_LINES)
        shorten_section(f, field);
    }
}

static void fit_screen(fixer *f, ho_buf *out)
{
  static const char *const first[] = {"x_front_matter", "x_preamble"};
  ho_node *sections = ho_map_getz(f->map, "x_sections");
  if (sections)
    ho_node_remove(f->map, sections);
  size_t lines = write_lines(f, out);
  for (size_t i = 0; i < HO_COUNT(first) && lines > HO_ARTIFACT_LINES; i++) {
    drop(f, f->map, first[i]);
    lines = write_lines(f, out);
  }
  if (lines > HO_ARTIFACT_LINES)
    fit_known(f, out);
  else if (sections)
    fit_sections(f, sections, lines);
  write_lines(f, out);
}

void ho_fix_artifact(const ho_doc *doc, const ho_md *md, const ho_fix_env *env, bool details, ho_arena *arena,
                     ho_buf *out)
{
  fixer f = {doc, md, env, arena, ho_node_copy(arena, doc->root)};
  if (!f.map)
    return;
  fix_head(&f);
  fix_sections(&f, details);
  fit_screen(&f, out);
}
