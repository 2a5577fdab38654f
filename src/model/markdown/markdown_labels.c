/* Labels: `**Label**: text` lines and `- **Label**: text` items. */
#include "model/markdown/markdown_parts.h"
#include "model/markdown/markdown_read.h"

/* One piece of a run of blocks: the lines of a paragraph from a label on, a list item, or a whole block. */
typedef struct chunk {
  ho_str label;
  uint32_t begin, end, rest_from, rest_to;
  const ho_md_block *block; /* the block that contains it */
  const ho_md_block *below; /* for an item: what follows its first paragraph */
  unsigned column;          /* for an item: the column where its content begins */
  bool item, last;          /* is a list item; is the end of its block */
  bool joined;              /* is in the same block as the chunk before it */
} chunk;

typedef struct walk {
  const ho_markdown_reader *r;
  const ho_md_block *block, *end;
  const ho_md_block *item; /* the next item of a list that is walked item by item */
  uint32_t at;             /* the next byte of a paragraph that is walked line by line; 0: its start */
} walk;

static bool take_label(const ho_markdown_reader *r, chunk *c, uint32_t from, uint32_t to)
{
  ho_str line = HO_EMPTY, rest = ho_str_sub(r->source->text, from, to), label, value;
  ho_markdown_next_line(&rest, &line);
  if (!ho_markdown_split_label(line, &label, &value))
    return false;
  c->label = label;
  c->rest_from = value.n ? (uint32_t)(value.p - r->source->text.p) : to;
  c->rest_to = to;
  if (!value.n && rest.n)
    c->rest_from = (uint32_t)(rest.p - r->source->text.p);
  while (c->rest_from < to && (r->source->text.p[c->rest_from] == ' ' || r->source->text.p[c->rest_from] == '\t'))
    c->rest_from++;
  return true;
}

static void paragraph_chunk(walk *w, chunk *c)
{
  const ho_md_block *block = w->block;
  c->joined = w->at != 0;
  c->begin = w->at ? w->at : block->begin;
  ho_str rest = ho_str_sub(w->r->source->text, c->begin, block->end), line = ho_str_sub(rest, 0, 0), label, value;
  ho_markdown_next_line(&rest, &line); /* none in a paragraph without visible text */
  c->end = (uint32_t)(line.p + line.n - w->r->source->text.p);
  w->at = 0;
  while (ho_markdown_next_line(&rest, &line)) {
    if (ho_markdown_split_label(line, &label, &value)) {
      w->at = (uint32_t)(line.p - w->r->source->text.p);
      break;
    }
    c->end = (uint32_t)(line.p + line.n - w->r->source->text.p);
  }
  take_label(w->r, c, c->begin, c->end);
  c->last = w->at == 0;
}

static void item_chunk(walk *w, chunk *c)
{
  const ho_md_block *item = w->item;
  c->item = true;
  c->joined = item != w->block->first;
  c->begin = item->begin;
  c->end = item->end;
  uint32_t from = ho_markdown_item_content(w->r, item, &c->column);
  if (item->first && item->first->kind == HO_MD_PARAGRAPH && take_label(w->r, c, from, item->first->end))
    c->below = item->first->next;
  w->item = item->next;
  c->last = !w->item;
}

static bool next_chunk(walk *w, chunk *c)
{
  *c = (chunk){.label = HO_EMPTY};
  if (w->block == w->end)
    return false;
  c->block = w->block;
  if (w->block->kind == HO_MD_PARAGRAPH) {
    paragraph_chunk(w, c);
  } else if (w->block->kind == HO_MD_LIST && w->block->first) {
    w->item = w->item ? w->item : w->block->first;
    item_chunk(w, c);
  } else {
    c->begin = w->block->begin;
    c->end = w->block->end;
    c->last = true;
  }
  if (c->last)
    w->block = w->block->next;
  return true;
}

/* What is kept, and what kind of chunk was kept last. */
typedef struct keeping {
  ho_buf text;
  uint32_t from, to;
  char marker;     /* of the list item kept last; 0: it was not an item */
  bool same_block; /* a chunk of the current block was kept */
} keeping;

/* What separates one list from another: '-', '*', '+', '.' or ')'. */
static char marker_of(const ho_markdown_reader *r, const chunk *c)
{
  uint32_t at = c->begin;
  while (at < c->end && isdigit((unsigned char)r->source->text.p[at]))
    at++;
  return c->item && at < c->end ? r->source->text.p[at] : 0;
}

static void keep_chunk(const ho_markdown_reader *r, const chunk *c, keeping *kept)
{
  if (c->block->kind == HO_MD_RULE)
    return;
  char marker = marker_of(r, c);
  bool close = marker ? marker == kept->marker : c->joined && kept->same_block;
  if (kept->text.n)
    ho_buf_puts(&kept->text, close ? "\n" : "\n\n");
  uint32_t end = c->begin + (uint32_t)ho_str_trim_end(ho_str_sub(r->source->text, c->begin, c->end)).n;
  ho_markdown_put_kept(r, &kept->text, c->block->kind, c->begin, end, ho_markdown_column(r, c->begin));
  kept->same_block = true;
  kept->marker = marker;
  kept->from = kept->from == HO_NOWHERE ? c->begin : kept->from;
  kept->to = c->end;
}

static bool has_label(const ho_markdown_reader *r, const ho_md_block *block)
{
  chunk c = {0};
  unsigned column;
  ho_str rest = block->kind == HO_MD_PARAGRAPH ? block->text : HO_EMPTY, line, label, value;
  while (ho_markdown_next_line(&rest, &line))
    if (ho_markdown_split_label(line, &label, &value))
      return true;
  for (const ho_md_block *item = block->kind == HO_MD_LIST ? block->first : NULL; item; item = item->next)
    if (item->first && item->first->kind == HO_MD_PARAGRAPH &&
        take_label(r, &c, ho_markdown_item_content(r, item, &column), item->first->end))
      return true;
  return false;
}

/* Does the block still belong to the label above it? A text takes one block other than a paragraph. A section or
 * list takes everything up to the next label, heading or rule; labels inside its list are items of it. */
static bool belongs(const ho_markdown_reader *r, const ho_field *field, const ho_md_block *block, bool first)
{
  if (block->kind == HO_MD_HEADING || block->kind == HO_MD_RULE)
    return false;
  if (field->shape == HO_SHAPE_LABEL)
    return first && block->kind != HO_MD_PARAGRAPH && !has_label(r, block);
  return block->kind == HO_MD_LIST || !has_label(r, block);
}

/* The blocks below a label: those of its item, or those after its paragraph. */
static ho_markdown_part part_below(walk *w, const ho_field *field, const chunk *c)
{
  ho_markdown_part part = {NULL, NULL, NULL, c->rest_from, c->rest_to, 0};
  if (c->item) {
    part.first = c->below;
    part.column = c->column;
    return part;
  }
  part.first = part.end = c->last ? w->block : NULL;
  if (!c->last || (field->shape == HO_SHAPE_LABEL && c->rest_to > c->rest_from))
    return part;
  while (w->block != w->end && belongs(w->r, field, w->block, w->block == part.first))
    part.end = w->block = w->block->next;
  return part;
}

void ho_markdown_read_labels(const ho_markdown_reader *r, const ho_record *record, const ho_markdown_part *part,
                             ho_markdown_fits fits, ho_node *map, const char *kept_key)
{
  walk w = {.r = r, .block = part->first, .end = part->end};
  ho_node *before = ho_map_getz(map, kept_key);
  keeping kept = {.from = HO_NOWHERE};
  bool exact;
  ho_buf_init(&kept.text, 0);
  ho_buf_put(&kept.text, ho_node_str(before));
  for (chunk c; next_chunk(&w, &c);) {
    const ho_field *field = c.label.n ? ho_markdown_field(record, c.label, &exact) : NULL;
    ho_str value = ho_str_trim(ho_str_sub(r->source->text, c.rest_from, c.rest_to));
    kept.same_block = kept.same_block && c.joined;
    if (!field || ho_map_getz(map, field->name) || (fits && !fits(r, field, value, map))) {
      keep_chunk(r, &c, &kept);
      continue;
    }
    if (!exact)
      ho_markdown_misspelt(r, field, c.label, c.begin);
    ho_markdown_part below = part_below(&w, field, &c);
    ho_markdown_read_shape(r, field, &below, map);
  }
  ho_str text = ho_markdown_taken(r, &kept.text);
  if (before)
    before->text = text;
  else if (text.n)
    ho_map_addz(map, kept_key, ho_markdown_node(r, text, kept.from, kept.to));
}
