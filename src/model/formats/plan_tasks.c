/* What a phase of a plan says below its heading: labels and tasks.
 *
 * Tasks are boxes, and people write them in many ways: below a label or a heading, below nothing, after the goal in one
 * list. Where a list has other items besides boxes, or a line that CommonMark takes for the end of an item is a label, it
 * is unfolded first: into what the author saw. */
#include "model/formats/plan.h"

static const ho_field *tasks_field(void)
{
  const ho_field *field = ho_plan_phase_record.fields;
  while (field->shape != HO_SHAPE_CHECKS)
    field++;
  return field;
}

static const ho_field *named_field(ho_str text)
{
  bool exact;
  return ho_markdown_field(&ho_plan_phase_record, text, &exact);
}

static bool is_box(const ho_md_block *item)
{
  ho_str text = item->first && item->first->kind == HO_MD_PARAGRAPH ? item->first->text : HO_EMPTY;
  return ho_str_starts(text, "[ ]") || ho_str_starts_nocase(text, "[x]");
}

/* Is it a list in which every item has a box? */
static bool is_boxes(const ho_md_block *block)
{
  if (!block || block->kind != HO_MD_LIST || !block->first)
    return false;
  for (const ho_md_block *item = block->first; item; item = item->next)
    if (!is_box(item))
      return false;
  return true;
}

/* Does a line of the paragraph name the tasks as a label? *open: is the last line a label to which a list below it
 * belongs? */
static bool has_tasks_label(const ho_md_block *block, bool *open)
{
  ho_str rest = block && block->kind == HO_MD_PARAGRAPH ? block->text : HO_EMPTY, line, label, value;
  bool named = false;
  *open = false;
  while (ho_markdown_next_line(&rest, &line)) {
    bool is = ho_markdown_split_label(line, &label, &value);
    const ho_field *field = is ? named_field(label) : NULL;
    named = named || (field && field == tasks_field());
    *open = is && (!value.n || (field && field->shape != HO_SHAPE_LABEL));
  }
  return named;
}

/* --- unfolding ----------------------------------------------------------------------------------------------------- */

/* A chain of copied blocks: those of the document stay as they are. */
typedef struct chain {
  const ho_markdown_reader *r;
  ho_md_block *first, *last;
} chain;

static ho_md_block *put(chain *c, const ho_md_block *block)
{
  ho_md_block *copy = HO_NEW(c->r->arena, ho_md_block);
  if (!copy)
    return NULL;
  *copy = *block;
  copy->next = NULL;
  if (c->last)
    c->last->next = copy;
  else
    c->first = copy;
  c->last = copy;
  return copy;
}

/* Puts `items` as a list of their own, like the one that they come from. */
static void put_list(chain *c, const ho_md_block *list, const chain *items)
{
  ho_md_block *copy = items->first ? put(c, list) : NULL;
  if (!copy)
    return;
  copy->first = items->first;
  copy->begin = items->first->begin;
  copy->end = items->last->end;
}

/* Where a label of the phase begins in the paragraph that an item is; 0 if there is none. The author began a new line for
 * it, but without a blank line CommonMark takes it for more of the item. One that is indented belongs there. */
static uint32_t find_glued(const ho_markdown_reader *r, const ho_md_block *item)
{
  const ho_md_block *paragraph = item->first;
  ho_str line = HO_EMPTY, label, value;
  if (!paragraph || paragraph->kind != HO_MD_PARAGRAPH || paragraph->next)
    return 0;
  ho_str rest = ho_str_sub(r->source->text, paragraph->begin, paragraph->end);
  for (bool first = true; ho_markdown_next_line(&rest, &line); first = false)
    if (!first && ho_str_starts(line, "**") && ho_markdown_split_label(line, &label, &value) && named_field(label))
      return (uint32_t)(line.p - r->source->text.p);
  return 0;
}

/* The last item of `items` ends before `at`. */
static void cut_last(chain *items, uint32_t at)
{
  ho_str text = items->r->source->text;
  ho_md_block *item = items->last;
  chain inside = {.r = items->r};
  ho_md_block *paragraph = item ? put(&inside, item->first) : NULL;
  if (!paragraph)
    return;
  paragraph->text = ho_str_trim_end(ho_str_sub(text, paragraph->begin, at));
  paragraph->end = item->end = paragraph->begin + (uint32_t)paragraph->text.n;
  item->first = paragraph;
}

/* A label that is glued to an item ends the list, and is a paragraph. */
static void unglue(chain *c, const ho_md_block *list)
{
  chain items = {.r = c->r};
  for (const ho_md_block *item = list->first; item; item = item->next) {
    uint32_t at = find_glued(c->r, item);
    put(&items, item);
    if (!at)
      continue;
    ho_md_block label = *item->first;
    label.begin = at;
    label.text = ho_str_sub(c->r->source->text, at, label.end);
    cut_last(&items, at);
    put_list(c, list, &items);
    put(c, &label);
    items = (chain){.r = c->r};
  }
  put_list(c, list, &items);
}

/* Items with a box stand apart from others, which are labels mostly. */
static void separate(chain *c, const ho_md_block *list)
{
  chain boxes = {.r = c->r}, others = {.r = c->r};
  for (const ho_md_block *item = list->first; item; item = item->next)
    put(is_box(item) ? &boxes : &others, item);
  put_list(c, list, &others);
  put_list(c, list, &boxes);
}

/* A list that belongs to the label above it has whatever items the author wants in it. */
static const ho_md_block *unfold(const ho_markdown_reader *r, const ho_markdown_part *part)
{
  chain apart = {.r = r}, out = {.r = r};
  bool open = false;
  for (const ho_md_block *block = part->first; block != part->end; block = block->next)
    if (block->kind == HO_MD_LIST && block->first)
      unglue(&apart, block);
    else
      put(&apart, block);
  for (const ho_md_block *block = apart.first; block; block = block->next) {
    if (block->kind == HO_MD_LIST && block->first && !open)
      separate(&out, block);
    else
      put(&out, block);
    has_tasks_label(block, &open);
  }
  return out.first;
}

/* --- reading ------------------------------------------------------------------------------------------------------- */

/* The list of boxes that is the phase's tasks although no label says so, or NULL. */
static const ho_md_block *find_boxes(const ho_markdown_part *part)
{
  const ho_md_block *boxes = NULL;
  bool labelled = false, open = false;
  for (const ho_md_block *block = part->first; block != part->end; block = block->next) {
    if (!boxes && !open && is_boxes(block))
      boxes = block;
    labelled = has_tasks_label(block, &open) || labelled;
    for (const ho_md_block *item = block->kind == HO_MD_LIST ? block->first : NULL; item; item = item->next)
      labelled = has_tasks_label(item->first, &(bool){false}) || labelled;
  }
  return labelled ? NULL : boxes;
}

static void read_labels(const ho_markdown_reader *r, const ho_markdown_part *part, ho_node *phase)
{
  ho_markdown_part unfolded = {.first = unfold(r, part)};
  const ho_md_block *boxes = find_boxes(&unfolded);
  ho_markdown_part above = {.first = unfolded.first, .end = boxes};
  ho_markdown_read_labels(r, &ho_plan_phase_record, &above, NULL, phase, "x_text");
  if (!boxes)
    return;
  ho_markdown_part list = {.first = boxes, .end = boxes->next}, below = {.first = boxes->next};
  ho_markdown_read_shape(r, tasks_field(), &list, phase);
  ho_markdown_read_labels(r, &ho_plan_phase_record, &below, NULL, phase, "x_text");
}

static void keep_text(const ho_markdown_reader *r, const ho_markdown_part *part, ho_node *phase)
{
  ho_node *more = ho_markdown_part_text(r, part), *text = ho_map_getz(phase, "x_text");
  if (more && text)
    text->text = ho_arena_printf(r->arena, "%.*s\n\n%.*s", HO_ARG(text->text), HO_ARG(more->text));
  else if (more)
    ho_map_addz(phase, "x_text", more);
}

/* What is under headings inside the phase is text, except for boxes under a heading like "Tasks". */
static void read_headed(const ho_markdown_reader *r, ho_markdown_part rest, ho_node *phase)
{
  for (const ho_md_block *block = rest.first; block != rest.end; block = block->next) {
    if (ho_map_getz(phase, "tasks") || block->kind != HO_MD_HEADING || named_field(block->text) != tasks_field() ||
        block->next == rest.end || !is_boxes(block->next))
      continue;
    ho_markdown_part before = {.first = rest.first, .end = block},
                     list = {.first = block->next, .end = block->next->next};
    keep_text(r, &before, phase);
    ho_markdown_read_shape(r, tasks_field(), &list, phase);
    rest.first = list.end;
  }
  keep_text(r, &rest, phase);
}

void ho_plan_read_phase(const ho_markdown_reader *r, const ho_markdown_part *part, ho_node *phase)
{
  const ho_md_block *below = part->first;
  while (below != part->end && below->kind != HO_MD_HEADING)
    below = below->next;
  ho_markdown_part labels = {.first = part->first, .end = below}, rest = {.first = below, .end = part->end};
  read_labels(r, &labels, phase);
  read_headed(r, rest, phase);
}
