#include "base/utf8.h"
#include "model/markdown/markdown_parts.h"
#include "model/general_rules.h"
#include "model/markdown/markdown_read.h"

enum { NAME_ROOM = 96 };

/* --- names -------------------------------------------------------------------------------------------------------- */

/* Marks and emoji: what decorates the words of a heading ("\xF0\x9F\x8E\xAF Current State \xE2\x9C\x85"). */
static bool is_symbol(uint32_t cp)
{
  return (cp >= 0x2000 && cp < 0x3040) || (cp >= 0xFE00 && cp < 0xFE10) || cp >= 0x1F000;
}

/* Without a leading "3." or "2.1)". */
static ho_str without_number(ho_str text)
{
  size_t n = 0;
  while (n < text.n && (isdigit((unsigned char)text.p[n]) || (n && strchr(".)", text.p[n]))))
    n++;
  return n && n < text.n && text.p[n] == ' ' ? ho_str_trim(ho_str_sub(text, n, text.n)) : text;
}

/* Without leading and trailing marks and emoji. */
static ho_str without_symbols(ho_str text)
{
  size_t from = text.n, to = 0;
  for (size_t i = 0; i < text.n;) {
    size_t start = i;
    uint32_t cp = ho_utf8_next(text, &i);
    if (is_symbol(cp) || cp == ' ')
      continue;
    from = from < start ? from : start;
    to = i;
  }
  return from < to ? ho_str_sub(text, from, to) : HO_EMPTY;
}

/* Lower-case words joined by '_', without a leading number, a tail in parentheses, symbols and punctuation; "" if
 * too long. */
static ho_str plain_name(ho_str text, char room[NAME_ROOM])
{
  size_t n = 0;
  bool gap = false;
  text = without_number(without_symbols(ho_str_trim(text)));
  size_t tail = text.n && text.p[text.n - 1] == ')' ? ho_str_find_char(text, '(') : HO_NONE;
  if (tail != HO_NONE && tail > 0)
    text = ho_str_sub(text, 0, tail);
  for (size_t i = 0; i < text.n; i++) {
    unsigned char c = (unsigned char)text.p[i];
    if (!isalnum(c) && c < 0x80 && c != '&') {
      gap = gap || c != '\'';
      continue;
    }
    if (n + 2 >= NAME_ROOM)
      return HO_EMPTY;
    if (gap && n)
      room[n++] = '_';
    room[n++] = (char)tolower(c);
    gap = false;
  }
  return (ho_str){room, n};
}

/* Is `wanted` the plain name of the words? Most words already differ in their first letter. */
static bool is_plain_name(ho_str words, ho_str wanted)
{
  char room[NAME_ROOM];
  unsigned char first = words.n ? (unsigned char)words.p[0] : 0;
  if (!wanted.n || (isalnum(first) && tolower(first) != (unsigned char)wanted.p[0]))
    return false;
  return ho_str_eq(plain_name(words, room), wanted);
}

static bool names_field(const ho_field *field, ho_str wanted)
{
  ho_str rest = ho_str_of(field->aliases), word;
  if (ho_str_is(wanted, field->name) || is_plain_name(ho_str_of(field->label), wanted))
    return true;
  while (field->aliases && ho_str_next(&rest, '|', &word))
    if (is_plain_name(word, wanted))
      return true;
  return false;
}

const ho_field *ho_markdown_field(const ho_record *record, ho_str heading, bool *exact)
{
  char room[NAME_ROOM];
  ho_str wanted = plain_name(heading, room);
  *exact = false;
  for (const ho_field *field = record->fields; wanted.n && field->name; field++)
    if (field->shape != HO_SHAPE_NONE && names_field(field, wanted)) {
      *exact = ho_str_is(heading, field->label) || ho_str_list_has(field->aliases, heading);
      return field;
    }
  return NULL;
}

/* What precedes "— line 40", "/ What Landed" or "for the successor", if it is more than one word; else "". */
static ho_str before_tail(ho_str heading)
{
  static const char *const tails[] = {" \xE2\x80\x94", " \xE2\x80\x93", " -",   ": ",   " / ",    " & ", " | ", ", ",
                                      " and ",         " for ",         " of ", " at ", " after "};
  size_t end = heading.n;
  for (size_t i = 0; i < HO_COUNT(tails); i++) {
    size_t at = ho_str_find(ho_str_sub(heading, 0, end), tails[i]);
    end = at < end ? at : end;
  }
  ho_str head = without_number(without_symbols(ho_str_sub(heading, 0, end)));
  return end < heading.n && ho_str_find_char(head, ' ') != HO_NONE ? head : HO_EMPTY;
}

const ho_field *ho_markdown_section_field(const ho_record *record, ho_str heading, bool *exact)
{
  const ho_field *field = ho_markdown_field(record, heading, exact);
  bool ignored;
  return field ? field : ho_markdown_field(record, before_tail(heading), &ignored);
}

bool ho_markdown_is_label(const ho_field *field, ho_str heading)
{
  char room[NAME_ROOM];
  return is_plain_name(ho_str_of(field->label), plain_name(heading, room));
}

void ho_markdown_misspelt(const ho_markdown_reader *r, const ho_field *field, ho_str found, uint32_t place)
{
  ho_path path = {r->base, ho_str_of(field->name), 0};
  ho_report_add(r->report, &ho_rule_KEY_ALIAS, place, &path, "'%.*s' is read as '%s'", HO_ARG(ho_str_sub(found, 0, 80)),
                field->label);
}

void ho_markdown_found(const ho_markdown_reader *r, const char *id, uint32_t place, const char *key,
                       const char *message)
{
  ho_path path = {r->base, ho_str_of(key), 0};
  for (const ho_rule *rule = r->format->rules; rule && rule->info.id; rule++)
    if (strcmp(rule->info.id, id) == 0)
      ho_report_add(r->report, &rule->info, place, key ? &path : r->base, "%s", message);
}

/* --- lists -------------------------------------------------------------------------------------------------------- */

/* `[ ] text`: a map of text, done and, for other kinds of marks, mark. An item without a box has no `done`. */
static ho_node *read_check(const ho_markdown_reader *r, uint32_t from, uint32_t to, unsigned column)
{
  ho_node *map = ho_node_new(r->arena, HO_KIND_MAP);
  ho_str text = ho_str_sub(r->source->text, from, to);
  size_t close = ho_str_find_char(text, ']');
  ho_str mark = ho_str_sub(text, 1, close == HO_NONE ? 0 : close);
  bool box = ho_str_starts(text, "[") && close != HO_NONE && mark.n && mark.n <= 12 && close + 1 < text.n &&
             text.p[close + 1] == ' ' && ho_str_find_char(mark, '[') == HO_NONE;
  ho_map_addz(map, "text", ho_markdown_slice_node(r, box ? from + (uint32_t)close + 2 : from, to, column));
  if (!box)
    return map;
  bool done = ho_str_list_has_nocase("x|✓|✔|PASS", mark);
  ho_node *value = ho_map_addz(map, "done", ho_node_bool(r->arena, done));
  if (value) {
    value->begin = from;
    value->end = from + (uint32_t)close + 1;
  }
  if (!ho_str_is(mark, " ") && !ho_str_is(mark, "x"))
    ho_map_addz(map, "mark", ho_markdown_node(r, mark, from + 1, from + (uint32_t)close));
  return map;
}

static void add_part(const ho_markdown_reader *r, ho_node *map, const char *key, ho_str text, uint32_t from,
                     uint32_t to)
{
  if (text.n)
    ho_map_addz(map, key, ho_markdown_node(r, text, from, to));
}

static ho_node *read_item(const ho_markdown_reader *r, const ho_field *field, uint32_t from, uint32_t to,
                          unsigned column)
{
  ho_node *item;
  if (field->shape == HO_SHAPE_BULLETS)
    return ho_markdown_slice_node(r, from, to, column);
  if (field->shape == HO_SHAPE_CHECKS) {
    item = read_check(r, from, to, column);
  } else {
    ho_str text = ho_markdown_slice(r, from, to, column), one, two, three = HO_EMPTY;
    const ho_field *fields = field->record->fields;
    item = ho_node_new(r->arena, HO_KIND_MAP);
    if (field->shape == HO_SHAPE_PAIRS) {
      ho_markdown_split_pair(text, &one, &two);
    } else {
      ho_markdown_split_ref(text, &one, &two, &three);
      add_part(r, item, fields[2].name, three, from, to);
    }
    add_part(r, item, fields[0].name, one, from, to);
    add_part(r, item, fields[1].name, two, from, to);
  }
  if (item) {
    item->begin = from;
    item->end = to;
  }
  return item;
}

static void add_item(const ho_markdown_reader *r, const ho_field *field, ho_node *list, uint32_t from, uint32_t to,
                     unsigned column)
{
  if (!ho_str_blank(ho_str_sub(r->source->text, from, to)))
    ho_list_add(list, read_item(r, field, from, to, column));
}

static void add_items(const ho_markdown_reader *r, const ho_field *field, ho_node *list, const ho_md_block *block)
{
  for (const ho_md_block *item = block->first; item; item = item->next) {
    unsigned column = 0;
    uint32_t from = ho_markdown_item_content(r, item, &column);
    add_item(r, field, list, from, item->end, column);
  }
  if (field->shape == HO_SHAPE_PAIRS && !block->ordered)
    ho_markdown_found(r, "list-numbered", block->begin, field->name, "the items are not numbered");
}

/* Paragraphs in place of a list: each becomes an item, together with any other blocks after it. */
static void add_paragraphs(const ho_markdown_reader *r, const ho_field *field, ho_node *list,
                           const ho_markdown_part *part)
{
  add_item(r, field, list, part->rest_from, part->rest_to, part->column);
  for (const ho_md_block *block = part->first; block != part->end;) {
    uint32_t from = block->begin, end = block->end;
    for (block = block->next; block != part->end && block->kind != HO_MD_PARAGRAPH; block = block->next)
      end = block->end;
    add_item(r, field, list, from, end, ho_markdown_column(r, from));
  }
  if (list && list->count && field->shape != HO_SHAPE_CHECKS)
    ho_markdown_found(r, "list-form", list->first->begin, field->name, "expected a list, found text");
}

static void keep_beside(const ho_markdown_reader *r, const ho_field *field, const char *what,
                        const ho_markdown_part *part, ho_node *map)
{
  ho_node *text = ho_markdown_part_text(r, part);
  if (text)
    ho_map_add(map, ho_arena_printf(r->arena, "x_%s_%s", field->name, what), text);
}

static void read_list(const ho_markdown_reader *r, const ho_field *field, const ho_markdown_part *part, ho_node *map)
{
  const ho_md_block *stop = part->first, *from = NULL, *to;
  while (stop != part->end && stop->kind != HO_MD_HEADING)
    stop = stop->next;
  for (from = part->first; from != stop && from->kind != HO_MD_LIST;)
    from = from->next;
  for (to = from; to != stop && to->kind == HO_MD_LIST;)
    to = to->next;
  ho_node *list = ho_node_new(r->arena, HO_KIND_LIST);
  if (list && part->first != part->end) {
    list->begin = part->first->begin;
    list->end = ho_markdown_last(part)->end;
  }
  ho_markdown_part before = {NULL, part->first, from, part->rest_from, part->rest_to, part->column};
  ho_markdown_part after = {NULL, to, part->end, 0, 0, part->column};
  if (from == stop) {
    add_paragraphs(r, field, list, &before);
  } else {
    keep_beside(r, field, "intro", &before, map);
    for (; from != to; from = from->next)
      add_items(r, field, list, from);
  }
  if (list && list->count)
    ho_map_addz(map, field->name, list);
  keep_beside(r, field, "more", &after, map);
}

/* --- texts and labels --------------------------------------------------------------------------------------------- */

/* A value that is nothing but a fence without a language: the contents of the fence are taken. */
static bool read_lone_fence(const ho_markdown_reader *r, const ho_field *field, const ho_markdown_part *part,
                            ho_node *map)
{
  const ho_md_block *code = part->first;
  if (!code || code == part->end || code->next != part->end || code->kind != HO_MD_CODE || code->info.n ||
      !ho_str_starts(ho_str_sub(r->source->text, code->begin, code->end), "```") || part->rest_to > part->rest_from)
    return false;
  ho_str text = code->text;
  while (text.n && (text.p[text.n - 1] == '\n'))
    text.n--;
  if (ho_str_blank(text) || text.p[0] == '\n')
    return false;
  ho_map_addz(map, field->name, ho_markdown_node(r, text, code->text_begin, code->text_end));
  return true;
}

static void read_record(const ho_markdown_reader *r, const ho_field *field, const ho_markdown_part *part, ho_node *map)
{
  ho_node *record = ho_node_new(r->arena, HO_KIND_MAP);
  ho_markdown_part blocks = *part, rest = {NULL, NULL, NULL, part->rest_from, part->rest_to, part->column};
  blocks.rest_to = blocks.rest_from = 0;
  if (rest.rest_to > rest.rest_from)
    ho_map_addz(record, "x_text", ho_markdown_part_text(r, &rest));
  ho_path base = {r->base, ho_str_of(field->name), 0};
  ho_markdown_reader inside = *r;
  inside.base = &base;
  ho_markdown_read_labels(&inside, field->record, &blocks, NULL, record, "x_text");
  if (!record || !record->count)
    return;
  record->begin = part->first != part->end ? part->first->begin : part->rest_from;
  record->end = part->first != part->end ? ho_markdown_last(part)->end : part->rest_to;
  ho_map_addz(map, field->name, record);
}

void ho_markdown_read_shape(const ho_markdown_reader *r, const ho_field *field, const ho_markdown_part *part,
                            ho_node *map)
{
  switch (field->shape) {
  case HO_SHAPE_TEXT:
  case HO_SHAPE_LABEL: {
    ho_node *text = read_lone_fence(r, field, part, map) ? NULL : ho_markdown_part_text(r, part);
    if (text)
      ho_map_addz(map, field->name, text);
    break;
  }
  case HO_SHAPE_LABELS:
    read_record(r, field, part, map);
    break;
  case HO_SHAPE_NONE:
    break;
  default:
    read_list(r, field, part, map);
  }
}

/* --- what the table does not know --------------------------------------------------------------------------------- */

ho_node *ho_markdown_keep_section(const ho_markdown_reader *r, const ho_markdown_part *part, ho_node *map)
{
  ho_node *list = ho_map_getz(map, "x_sections"), *entry = ho_node_new(r->arena, HO_KIND_MAP);
  if (!list)
    list = ho_map_addz(map, "x_sections", ho_node_new(r->arena, HO_KIND_LIST));
  const ho_md_block *heading = part->heading;
  ho_node *name = ho_map_addz(entry, "heading", ho_markdown_line_node(r, heading->text_begin, heading->text_end));
  if (name) {
    name->begin = heading->begin;
    name->end = heading->end;
  }
  ho_map_addz(entry, "level", ho_node_number(r->arena, heading->level));
  ho_node *text = ho_markdown_part_text(r, part);
  ho_map_addz(entry, "text", text ? text : ho_node_textz(r->arena, ""));
  return ho_list_add(list, entry);
}

/* Merges two sorted chains. */
static ho_node *merge(ho_node *a, ho_node *b)
{
  ho_node *merged = NULL, **end = &merged;
  while (a && b) {
    ho_node **smaller = ho_str_cmp(b->key, a->key) < 0 ? &b : &a;
    *end = *smaller;
    *smaller = (*smaller)->next;
    end = &(*end)->next;
  }
  *end = a ? a : b;
  return merged;
}

/* Sorts by key: merges chains of 1, 2, 4, … nodes as they come, like the carries of a binary counter. */
static ho_node *sort_chain(ho_node *chain)
{
  ho_node *runs[32] = {NULL}, *sorted = NULL;
  while (chain) {
    ho_node *run = chain;
    size_t i = 0;
    chain = chain->next;
    run->next = NULL;
    for (; runs[i]; runs[i++] = NULL)
      run = merge(runs[i], run);
    runs[i] = run;
  }
  for (size_t i = 0; i < HO_COUNT(runs); i++)
    sorted = merge(runs[i], sorted);
  return sorted;
}

/* What is removed is appended to the chain. */
static bool is_no_extra(void *chain, ho_node *child)
{
  ho_node ***end = chain;
  if (!ho_str_starts(child->key, "x_"))
    return true;
  **end = child;
  *end = &child->next;
  return false;
}

void ho_markdown_order_extras(ho_node *map)
{
  ho_node *extras = NULL, **end = &extras, *next;
  ho_node_filter(map, is_no_extra, &end);
  for (ho_node *child = sort_chain(extras); child; child = next) {
    next = child->next;
    child->next = NULL;
    ho_list_add(map, child);
  }
}
