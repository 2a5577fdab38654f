/* Fits a phase handoff on one screen. Nothing is tracked here: whatever of the old text is missing in the new one
 * goes to the details file (fix_cover.h). */
#include "model/convert/convert.h"
#include "model/fix/fix_parts.h"
#include "model/formats/artifact.h"
#include "model/formats/place.h"
#include "model/markdown/markdown_read.h"
#include "model/markdown/markdown_write.h"

typedef ho_artifact_fixer fixer;

static void drop(ho_node *map, const char *key)
{
  ho_node *node = ho_map_getz(map, key);
  if (node)
    ho_node_remove(map, node);
}

/* --- the sections ------------------------------------------------------------------------------------------------- */

/* A template placeholder, a comment, or nothing that contains letters. */
static bool is_empty_text(ho_str text)
{
  return !ho_fix_has_words(text) || ho_is_placeholder(text, NULL);
}

static bool is_empty_item(const ho_node *item)
{
  if (item->kind != HO_KIND_MAP)
    return is_empty_text(ho_node_str(item));
  return is_empty_text(ho_node_str(item->first));
}

/* A text that begins with a horizontal rule would not read back as the text of an item. */
static void begin_with_words(fixer *f, ho_node *node)
{
  ho_str rest = ho_node_str(node), first;
  if (ho_str_next_line(&rest, &first) && !ho_fix_has_words(first))
    node->text = ho_fix_shorten(node->text, f->arena);
}

typedef struct limited {
  fixer *f;
  size_t left; /* items that may still be kept */
} limited;

static bool stays_in_limit(void *world, ho_node *item)
{
  limited *l = world;
  if (!l->left || is_empty_item(item))
    return false;
  l->left--;
  begin_with_words(l->f, item);
  HO_EACH (part, item)
    begin_with_words(l->f, part);
  return true;
}

/* Removes the items beyond the limit, and those that say nothing. */
static void limit_list(fixer *f, ho_node *list, size_t limit)
{
  limited l = {f, limit};
  ho_node_filter(list, stays_in_limit, &l);
}

static bool is_no_details(void *world, ho_node *reference)
{
  const fixer *f = world;
  ho_str path = ho_place_name(ho_map_str(reference, "path"));
  return !ho_str_eq(path, ho_fix_details_name(f->arena, f->env->check.path)) &&
         !(f->env->old_details.n && ho_str_eq(path, f->env->old_details));
}

/* The references end with the details file; `wanted`: add it if it is not there yet. */
static void fix_references(fixer *f, const ho_field *field, bool wanted)
{
  ho_node *list = ho_map_getz(f->map, field->name);
  size_t before = list ? list->count : 0;
  ho_node_filter(list, is_no_details, f);
  wanted = wanted || (list && list->count < before);
  limit_list(f, list, field->max - wanted);
  if (!wanted)
    return;
  if (!list)
    list = ho_map_addz(f->map, field->name, ho_node_new(f->arena, HO_KIND_LIST));
  ho_node *item = ho_list_add(list, ho_node_new(f->arena, HO_KIND_MAP));
  ho_map_addz(item, "kind", ho_node_textz(f->arena, "Details"));
  ho_map_addz(item, "path", ho_node_text(f->arena, ho_fix_details_name(f->arena, f->env->check.path)));
}

/* Returns whether something was removed. */
static bool fix_next(fixer *f)
{
  ho_node *next = ho_map_getz(f->map, "immediate_next_action");
  ho_str before = ho_node_str(next);
  if (ho_node_is(next, HO_KIND_TEXT))
    next->text = ho_fix_one_step(next->text, f->arena);
  if (ho_node_empty(next))
    drop(f->map, "immediate_next_action");
  return next && !ho_str_eq(before, next->text);
}

static void fix_sections(fixer *f, bool details)
{
  ho_node *file = ho_node_by_names(f->map, "current_state.file");
  if (ho_str_find_char(ho_node_str(file), '\n') != HO_NONE) /* keep the first of several */
    file->text = ho_fix_shorten(file->text, f->arena);
  fix_next(f);
  for (const ho_field *field = f->doc->format->root->fields; field->name; field++) {
    if (field->shape == HO_SHAPE_REFS)
      fix_references(f, field, details);
    else if (field->type == HO_T_LIST && ho_map_getz(f->map, field->name))
      limit_list(f, ho_map_getz(f->map, field->name), field->max);
  }
}

/* --- one screen --------------------------------------------------------------------------------------------------- */

static size_t count_lines(ho_str text)
{
  size_t lines = 0;
  for (size_t at; (at = ho_str_find_char(text, '\n')) != HO_NONE; lines++)
    text = ho_str_sub(text, at + 1, text.n);
  return lines;
}

static size_t write_lines(const fixer *f, ho_buf *out)
{
  ho_buf_reset(out);
  ho_artifact_write(f->doc->format, f->map, out);
  return count_lines(ho_str_trim_end(ho_buf_str(out))) + 1;
}

/* Of the sections that the format does not know, writes as many as still fit after the rest, in order; the others
 * are left out. */
static void fit_sections(fixer *f, ho_node *sections, size_t lines, ho_buf *out)
{
  for (ho_node *entry = sections->first, *next; entry; entry = next) {
    next = entry->next;
    size_t before = out->n;
    ho_markdown_put_kept_section(out, entry);
    size_t more = count_lines(ho_str_sub(ho_buf_str(out), before, out->n));
    if (lines + more <= HO_ARTIFACT_LINES) {
      lines += more;
    } else {
      ho_buf_cut(out, before);
      ho_node_remove(sections, entry);
    }
  }
  if (sections->count)
    ho_map_addz(f->map, "x_sections", sections);
}

static void shorten(fixer *f, ho_node *node)
{
  if (ho_node_is(node, HO_KIND_TEXT))
    node->text = ho_fix_shorten(node->text, f->arena);
}

/* Drops what is kept beside the items of a section. */
static void drop_beside(fixer *f, const ho_field *field)
{
  char key[80];
  snprintf(key, sizeof key, "x_%s_intro", field->name);
  drop(f->map, key);
  snprintf(key, sizeof key, "x_%s_more", field->name);
  if (!ho_node_empty(ho_map_getz(f->map, field->name)))
    drop(f->map, key);
  else
    shorten(f, ho_map_getz(f->map, key));
  ho_node *value = ho_map_getz(f->map, field->name);
  if (field->shape == HO_SHAPE_LABELS && value && value->count > 1)
    drop(value, "x_text");
}

/* Is it a field of the record, or text kept beside one? */
static bool has_home(void *world, ho_node *child)
{
  const ho_record *record = world;
  bool alias = true;
  const ho_field *field = ho_record_field(record, child->key, &alias);
  return (field && !alias) || ho_str_is(child->key, "x_text") || ho_markdown_stands_beside(record, child->key);
}

/* record NULL: a map that the format does not describe; it stays as is. */
static void drop_homeless(const ho_record *record, ho_node *map)
{
  if (record)
    ho_node_filter(map, has_home, (void *)record);
}

/* Puts every text of a section on one line. */
static void shorten_section(fixer *f, const ho_field *field)
{
  ho_node *value = ho_map_getz(f->map, field->name);
  shorten(f, value);
  if (ho_node_is(value, HO_KIND_MAP))
    drop_homeless(field->record, value);
  HO_EACH (item, value) {
    shorten(f, item);
    if (item->kind == HO_KIND_MAP)
      drop_homeless(field->record, item);
    HO_EACH (part, item)
      shorten(f, part);
  }
}

static bool is_fence(ho_str line)
{
  return ho_str_starts(ho_str_trim(line), "```") || ho_str_starts(ho_str_trim(line), "~~~");
}

/* For a text of several lines: returns how many there are, and sets the last line, whether the text is one fence,
 * and whether it has no structure. */
static size_t look_at_lines(ho_str text, ho_str *last, bool *fence, bool *plain)
{
  ho_str line;
  size_t count = 0, fences = 0;
  *fence = is_fence(text);
  *plain = true;
  *last = HO_EMPTY;
  while (ho_str_next_line(&text, &line)) {
    count++;
    fences += is_fence(line);
    *plain = *plain && !ho_markdown_starts_block(line);
    *last = line;
  }
  *fence = *fence && fences == 2 && is_fence(*last);
  return count;
}

/* The last thing to be shortened, and never silently: keeps as many lines of a long goal as fit, its first ones and its
 * last, and says between them where the others are. */
static void fit_goal(fixer *f, size_t lines)
{
  ho_node *goal = ho_node_by_names(f->map, "current_state.goal_state");
  ho_str text = ho_node_str(goal), rest = text, line, last = HO_EMPTY, end;
  bool fence, plain;
  size_t count = look_at_lines(text, &end, &fence, &plain), least = 3 + 2 * (size_t)fence;
  size_t excess = lines - HO_ARTIFACT_LINES, kept = count > excess + least ? count - excess : least;
  ho_buf out;
  if (!(fence || plain) || count <= kept)
    return;
  ho_buf_init(&out, 0);
  for (size_t i = 0; ho_str_next_line(&rest, &line) && i < count - fence; i++) {
    if (i + 2 + fence < kept)
      ho_buf_printf(&out, "%.*s\n", HO_ARG(line));
    last = line;
  }
  ho_buf_printf(&out, "… %zu" HO_FIX_LINES_IN "%.*s\n%.*s", count - kept + 1,
                HO_ARG(ho_fix_details_name(f->arena, f->env->check.path)), HO_ARG(last));
  if (fence)
    ho_buf_printf(&out, "\n%.*s", HO_ARG(end));
  goal->text = ho_buf_move(&out, f->arena);
}

/* Drops items from the longest list of the handoff, its last ones first, as long as two are left: all of them are in the
 * details file, and what a successor must reach comes before what binds it. */
static void thin_lists(fixer *f, ho_buf *out)
{
  enum { LEAST = 2 };
  while (write_lines(f, out) > HO_ARTIFACT_LINES) {
    ho_node *longest = NULL;
    for (const ho_field *field = f->doc->format->root->fields; field->name; field++) {
      ho_node *list = ho_map_getz(f->map, field->name);
      if (field->type == HO_T_LIST && field->shape != HO_SHAPE_REFS && list &&
          list->count > (longest ? longest->count : LEAST))
        longest = list;
    }
    if (!longest)
      return;
    ho_node_remove(longest, longest->last);
  }
}

/* The current state: what comes after it makes room first. */
static void fit_state(fixer *f, ho_buf *out)
{
  thin_lists(f, out);
  size_t lines = write_lines(f, out);
  if (lines > HO_ARTIFACT_LINES)
    fit_goal(f, lines);
}

/* Shrinks the sections from the last to the first, because the first is read first. Returns how many lines they
 * take, as written in out. */
static size_t fit_known(fixer *f, ho_buf *out)
{
  const ho_field *fields = f->doc->format->root->fields, *end = fields;
  size_t lines = write_lines(f, out);
  while (end->name)
    end++;
  for (int pass = 0; pass < 2; pass++)
    for (const ho_field *field = end; field-- > fields && lines > HO_ARTIFACT_LINES;) {
      if (field->shape == HO_SHAPE_LABEL)
        continue;
      if (pass == 0)
        drop_beside(f, field);
      else if (field->shape == HO_SHAPE_LABELS)
        fit_state(f, out);
      if (pass == 1 && write_lines(f, out) > HO_ARTIFACT_LINES)
        shorten_section(f, field);
      lines = write_lines(f, out);
    }
  return lines;
}

/* Restores the preamble if there is room for it after all. Takes and returns the number of lines written. */
static size_t fit_preamble(fixer *f, ho_node *preamble, size_t lines, ho_buf *out)
{
  if (!ho_node_is(preamble, HO_KIND_TEXT) || ho_map_getz(f->map, "x_preamble"))
    return lines;
  ho_map_addz(f->map, "x_preamble", preamble);
  lines = write_lines(f, out);
  if (lines <= HO_ARTIFACT_LINES)
    return lines;
  drop(f->map, "x_preamble");
  return write_lines(f, out);
}

static void fit_screen(fixer *f, ho_buf *out)
{
  ho_node *sections = ho_map_getz(f->map, "x_sections"), *preamble = ho_map_getz(f->map, "x_preamble");
  if (write_lines(f, out) <= HO_ARTIFACT_LINES)
    return;
  drop_homeless(f->doc->format->root, f->map); /* those two and anything else the format does not know */
  size_t lines = fit_preamble(f, preamble, fit_known(f, out), out);
  if (sections)
    fit_sections(f, sections, lines, out);
}

static bool has_no_html(void *world, ho_node *item)
{
  (void)world;
  bool html = ho_str_find_char(item->text, '<') != HO_NONE;
  HO_EACH_CONST (part, item)
    html |= ho_str_find_char(part->text, '<') != HO_NONE;
  return !html;
}

/* The barest form, for texts that read differently as soon as something is written around them: only fields, each on
 * one line and without HTML. */
static void strip(fixer *f)
{
  drop_homeless(f->doc->format->root, f->map);
  for (const ho_field *field = f->doc->format->root->fields; field->name; field++) {
    char key[80];
    ho_node *value = ho_map_getz(f->map, field->name);
    snprintf(key, sizeof key, "x_%s_more", field->name);
    drop_beside(f, field);
    drop(f->map, key);
    if (field->shape != HO_SHAPE_LABEL)
      shorten_section(f, field);
    if (field->shape == HO_SHAPE_LABELS)
      drop(value, "x_text");
    if (ho_node_is(value, HO_KIND_TEXT) && ho_str_find_char(value->text, '<') != HO_NONE)
      drop(f->map, field->name);
    ho_node_filter(value, has_no_html, NULL);
  }
}

/* Returns whether it fits; in the author's own manner it may not. */
static bool build(fixer *f, bool details, ho_fix_manner manner, ho_buf *out)
{
  f->map = ho_node_copy(f->arena, f->doc->root);
  if (!f->map)
    return true;
  ho_fix_head(f);
  if (manner == HO_FIX_OWN)
    ho_fix_keep_headings(f);
  if (manner == HO_FIX_BARE)
    strip(f);
  fix_sections(f, details);
  if (manner == HO_FIX_OWN)
    return write_lines(f, out) <= HO_ARTIFACT_LINES;
  fit_screen(f, out);
  return true;
}

/* An end-of-phase handoff keeps its author's headings if it fits that way; else, and always in a handoff for a
 * successor, the sections get the format's names. */
void ho_fix_artifact(const ho_doc *doc, const ho_fix_env *env, bool details, ho_fix_manner manner, ho_arena *arena,
                     ho_buf *out)
{
  fixer f = {doc, env, arena, NULL};
  bool own = manner == HO_FIX_OWN && ho_str_is(ho_map_str(doc->root, "genre"), "checkpoint");
  if (own && build(&f, details, HO_FIX_OWN, out))
    return;
  build(&f, details, manner == HO_FIX_OWN ? HO_FIX_CANONICAL : manner, out);
}

bool ho_fix_fits_screen(const ho_doc *doc, const ho_node *tree, ho_arena *arena)
{
  fixer f = {.doc = doc, .arena = arena};
  ho_buf page;
  if (doc->encoding == HO_MARKDOWN)
    return count_lines(doc->source.text) + !ho_str_ends(doc->source.text, "\n") <= HO_ARTIFACT_LINES;
  f.map = ho_node_copy(arena, tree);
  if (!f.map)
    return true;
  ho_buf_init(&page, 0);
  drop(f.map, HO_KEPT);
  bool fits = write_lines(&f, &page) <= HO_ARTIFACT_LINES;
  if (page.failed && !arena->failed)
    arena->failed = page.failed;
  ho_buf_free(&page);
  return fits;
}

bool ho_fix_artifact_tree(const ho_doc *doc, ho_node *tree, const ho_fix_env *env, ho_arena *arena)
{
  fixer f = {doc, env, arena, tree};
  ho_node *kept = ho_map_getz(tree, HO_KEPT);
  ho_buf page;
  bool less = fix_next(&f);
  if (!less && ho_fix_fits_screen(doc, tree, arena))
    return false;
  ho_buf_init(&page, 0);
  drop(tree, HO_KEPT);
  fix_sections(&f, true);
  fit_screen(&f, &page);
  if (kept)
    ho_map_addz(tree, HO_KEPT, kept);
  if (page.failed && !arena->failed)
    arena->failed = page.failed;
  ho_buf_free(&page);
  return true;
}
