/* The Markdown of a phase handoff: reading and writing. */
#include "model/formats/artifact.h"
#include "model/markdown/markdown_read.h"
#include "model/markdown/markdown_write.h"

/* --- ids, titles, labels ------------------------------------------------------------------------------------------ */

static size_t token(ho_str text)
{
  size_t n = 0;
  while (n < text.n && (isalnum((unsigned char)text.p[n]) || strchr("-_.", text.p[n])))
    n++;
  while (n && strchr("-_.", text.p[n - 1]))
    n--;
  return n;
}

size_t ho_artifact_phase(ho_str text)
{
  size_t n = token(text);
  bool digit = n && isdigit((unsigned char)text.p[0]);
  return digit || (n == 1 && isupper((unsigned char)text.p[0])) ? n : 0;
}

static void set(const ho_markdown_reader *r, ho_node *map, const char *key, ho_str text)
{
  if (!text.n || ho_map_getz(map, key))
    return;
  uint32_t begin = (uint32_t)(text.p - r->source->text.p);
  ho_map_addz(map, key, ho_markdown_line_node(r, begin, begin + (uint32_t)text.n));
}

/* The number after "Task " or "Task #", anywhere in the text; empty if there is none. */
static ho_str task_in(ho_str text)
{
  for (size_t at = 0; at + 5 < text.n; at++) {
    ho_str rest = ho_str_sub(text, at, text.n);
    if (!ho_str_starts_nocase(rest, "task ") || (at && isalnum((unsigned char)text.p[at - 1])))
      continue;
    rest = ho_str_sub(rest, 5 + (rest.p[5] == '#'), rest.n);
    size_t n = token(rest);
    if (n && isdigit((unsigned char)rest.p[0]))
      return ho_str_sub(rest, 0, n);
  }
  return HO_EMPTY;
}

static ho_str phase_in(ho_str text)
{
  for (size_t at = 0; at + 6 < text.n; at++) {
    ho_str rest = ho_str_sub(text, at, text.n);
    size_t n = ho_str_starts_nocase(rest, "phase ") ? ho_artifact_phase(ho_str_sub(rest, 6, rest.n)) : 0;
    if (n && !(at && isalnum((unsigned char)text.p[at - 1])))
      return ho_str_sub(rest, 6, 6 + n);
  }
  return HO_EMPTY;
}

/* What follows "Phase P Handoff", and the dash or colon in front of it. */
static bool take_tail(ho_str text, ho_str phase, ho_str *tail, bool *dash)
{
  static const char *const separators[] = {" - ", " — ", " – ", ": ", " "};
  *tail = ho_str_sub(text, 6 + phase.n, text.n);
  if (!ho_str_starts(text, "Phase ") || phase.p != text.p + 6 || !ho_str_starts(*tail, " Handoff"))
    return false;
  *tail = ho_str_sub(*tail, 8, tail->n);
  *dash = ho_str_starts(*tail, " - ");
  for (size_t i = 0; i < HO_COUNT(separators); i++)
    if (ho_str_starts(*tail, separators[i])) {
      *tail = ho_str_trim(ho_str_sub(*tail, strlen(separators[i]), tail->n));
      return i + 1 < HO_COUNT(separators);
    }
  return tail->n == 0;
}

static void read_title(const ho_markdown_reader *r, const ho_md_block *heading, ho_node *map)
{
  ho_str text = heading->text, phase = phase_in(text), tail;
  char stamp[17];
  bool dash = false, exact = false;
  set(r, map, "phase", phase);
  if (!take_tail(text, phase, &tail, &dash))
    set(r, map, "title", text);
  else if (ho_stamp_read(tail, stamp, &exact))
    set(r, map, "timestamp", tail);
  else
    set(r, map, "title", tail);
  set(r, map, "task", task_in(text));
  if (!(dash && ho_map_getz(map, "timestamp")))
    ho_markdown_found(r, "artifact-title", heading->begin, "title",
                      "expected '# Phase {P} Handoff - {YYYYMMDDTHHMMSSZ}'");
}

/* Can the label's value be used for the field? If only its beginning can, the field is set and the line is kept as
 * well. */
static bool fits(const ho_markdown_reader *r, const ho_field *field, ho_str text, ho_node *map)
{
  char stamp[17];
  if (field->shape != HO_SHAPE_LABEL)
    return true;
  if (!text.n || ho_str_find_char(text, '\n') != HO_NONE)
    return false;
  if (strcmp(field->name, "timestamp") == 0)
    return ho_stamp_read(text, stamp, NULL);
  if (strcmp(field->name, "genre") == 0)
    return ho_str_list_has("recovery|checkpoint", text);
  if (strcmp(field->name, "title") == 0)
    return true;
  bool task = strcmp(field->name, "task") == 0;
  ho_str rest = task && text.p[0] == '#' ? ho_str_sub(text, 1, text.n) : text;
  size_t n = task ? token(rest) : ho_artifact_phase(rest);
  if (n == text.n)
    return true;
  if (n && isdigit((unsigned char)rest.p[0]))
    set(r, map, field->name, ho_str_sub(rest, 0, n));
  return false;
}

/* --- reading ------------------------------------------------------------------------------------------------------ */

static ho_markdown_part section_from(const ho_md_block *heading)
{
  ho_markdown_part part = {.heading = heading, .first = heading->next};
  for (part.end = part.first; part.end && !ho_md_is_section(part.end);)
    part.end = part.end->next;
  return part;
}

enum { MAX_FIELDS = 32 };

/* Which heading provides which field. A field's own name wins over an alias, an earlier heading over a later one;
 * empty sections do not count. */
typedef struct choice {
  const ho_md_block *headings[MAX_FIELDS];
  bool own[MAX_FIELDS];
} choice;

static void choose_headings(const ho_record *record, const ho_md_block *first, choice *chosen)
{
  bool exact;
  for (const ho_md_block *block = first; block; block = block->next) {
    const ho_field *field =
        ho_md_is_section(block) && block->level == 2 ? ho_markdown_section_field(record, block->text, &exact) : NULL;
    if (!field || field->shape == HO_SHAPE_LABEL || field - record->fields >= MAX_FIELDS)
      continue;
    if (!block->next || ho_md_is_section(block->next))
      continue; /* empty */
    size_t index = (size_t)(field - record->fields);
    bool own = ho_markdown_is_label(field, block->text);
    if (!chosen->headings[index] || (own && !chosen->own[index])) {
      chosen->headings[index] = block;
      chosen->own[index] = own;
    }
  }
}

/* The field that the heading was chosen for. */
static const ho_field *field_of(const ho_record *record, const choice *chosen, const ho_md_block *heading)
{
  for (size_t i = 0; i < MAX_FIELDS && record->fields[i].name; i++)
    if (chosen->headings[i] == heading)
      return &record->fields[i];
  return NULL;
}

static void read_section(const ho_markdown_reader *r, const ho_md_block *heading, const choice *chosen, ho_node *map)
{
  bool exact;
  ho_markdown_part part = section_from(heading);
  if (ho_markdown_read_homeless(r, &part, map))
    return;
  const ho_field *field = field_of(r->format->root, chosen, heading);
  if (field && !ho_map_getz(map, field->name)) {
    if (!ho_str_is(heading->text, field->label))
      ho_markdown_misspelt(r, field, heading->text, heading->begin);
    ho_markdown_read_shape(r, field, &part, map);
    return;
  }
  size_t colon = ho_str_find(heading->text, ": ");
  ho_str value =
      ho_str_trim(ho_str_sub(heading->text, colon == HO_NONE ? heading->text.n : colon + 1, heading->text.n));
  field = colon == HO_NONE ? NULL : ho_markdown_field(r->format->root, ho_str_sub(heading->text, 0, colon), &exact);
  if (field && field->shape == HO_SHAPE_LABEL && !ho_map_getz(map, field->name) && fits(r, field, value, map)) {
    ho_markdown_misspelt(r, field, heading->text, heading->begin);
    set(r, map, field->name, value);
    if (part.first == part.end)
      return;
  }
  ho_markdown_keep_section(r, &part, map);
}

/* Is this a recovery handoff: is the next action present under its own name, and one more of the sections? */
static bool recovers_work(const ho_record *record, const ho_node *map, bool named)
{
  unsigned sections = 0;
  for (const ho_field *field = record->fields; field->name; field++)
    sections += field->shape != HO_SHAPE_LABEL && ho_map_getz(map, field->name);
  return named && ho_map_getz(map, "immediate_next_action") && sections > 1;
}

/* Does a heading or a label name the next action? */
static bool names_next_action(const ho_markdown_reader *r, const ho_node *map)
{
  const ho_field *field = ho_record_fieldz(r->format->root, "immediate_next_action");
  const ho_node *next = ho_map_getz(map, "immediate_next_action");
  if (!next)
    return false;
  unsigned line = ho_source_line_at(r->source, next->begin);
  ho_str label, rest;
  if (ho_markdown_split_label(ho_source_line(r->source, line), &label, &rest))
    return ho_markdown_is_label(field, label);
  while (--line >= 1) {
    ho_str text = ho_str_trim(ho_source_line(r->source, line));
    if (!ho_str_blank(text))
      return ho_markdown_is_label(field, text) ||
             (ho_markdown_split_label(text, &label, &rest) && ho_markdown_is_label(field, label));
  }
  return false;
}

static void read_preamble(const ho_markdown_reader *r, const ho_md *md, const ho_md_block *title,
                          const ho_md_block *sections, ho_node *map)
{
  if (md->front_to > md->front_from)
    ho_map_addz(map, "x_front_matter", ho_markdown_slice_node(r, md->front_from, md->front_to, 0));
  ho_markdown_part before = {.first = title ? md->blocks : NULL, .end = title};
  while (before.first != before.end && before.first->kind == HO_MD_RULE)
    before.first = before.first->next; /* it would look like front matter */
  ho_node *text = ho_markdown_part_text(r, &before);
  if (text)
    ho_map_addz(map, "x_before_title", text);
  ho_markdown_part after = {.first = title ? title->next : md->blocks, .end = sections};
  ho_markdown_read_labels(r, r->format->root, &after, fits, map, "x_preamble");
}

ho_code ho_artifact_read(const ho_format *format, const ho_source *source, const ho_md *md, ho_arena *arena,
                         ho_report *report, ho_node **out, ho_error *err)
{
  bool had_homeless = false;
  ho_markdown_reader r = {
      .format = format, .source = source, .arena = arena, .report = report, .had_homeless = &had_homeless};
  ho_node *map = ho_node_new(arena, HO_KIND_MAP);
  const ho_md_block *title = md->blocks, *sections;
  while (title && !ho_md_is_section(title))
    title = title->next;
  title = title && title->level == 1 && title->text.n ? title : NULL;
  sections = title ? title->next : md->blocks;
  while (sections && !ho_md_is_section(sections))
    sections = sections->next;
  if (title)
    read_title(&r, title, map);
  else
    ho_markdown_found(&r, "artifact-title", 0, "title",
                      "no title; expected '# Phase {P} Handoff - {YYYYMMDDTHHMMSSZ}'");
  read_preamble(&r, md, title, sections, map);
  choice chosen = {{0}, {0}};
  choose_headings(format->root, sections, &chosen);
  for (const ho_md_block *block = sections; block; block = block->next)
    if (ho_md_is_section(block))
      read_section(&r, block, &chosen, map);
  if (map && !ho_map_getz(map, "genre")) {
    bool recovers = recovers_work(format->root, map, names_next_action(&r, map));
    ho_map_addz(map, "genre", ho_node_textz(arena, recovers ? "recovery" : "checkpoint"));
  }
  ho_markdown_order_extras(map);
  *out = map;
  return ho_arena_code(arena, err);
}

bool ho_artifact_looks_like(const ho_source *source, const ho_md *md)
{
  static const ho_field next = {.name = "immediate_next_action", .label = "Immediate Next Action"};
  (void)source;
  for (const ho_md_block *block = md->blocks; block; block = block->next) {
    if (block->kind == HO_MD_HEADING && block->level == 1 && phase_in(block->text).n &&
        ho_str_has_nocase(block->text, "handoff"))
      return true;
    if (block->kind == HO_MD_HEADING && block->level == 2 && ho_markdown_is_label(&next, block->text))
      return true;
  }
  return false;
}

/* --- writing ------------------------------------------------------------------------------------------------------ */

/* Does the first line of the kept preamble that has the field's label begin with this value? */
static bool told_by(ho_str preamble, const ho_record *record, const char *name, ho_str value)
{
  ho_str line, label, rest;
  bool exact;
  while (ho_markdown_next_line(&preamble, &line)) {
    line = ho_str_trim(line);
    if (ho_str_starts(line, "- ") || ho_str_starts(line, "* "))
      line = ho_str_sub(line, 2, line.n);
    const ho_field *field =
        ho_markdown_split_label(line, &label, &rest) ? ho_markdown_field(record, label, &exact) : NULL;
    if (!field || strcmp(field->name, name) != 0)
      continue;
    if (rest.n && rest.p[0] == '#')
      rest = ho_str_sub(rest, 1, rest.n);
    return ho_str_eq(ho_str_sub(rest, 0, token(rest)), value);
  }
  return false;
}

static void put_label(ho_buf *out, const char *label, ho_str value, bool *any)
{
  if (!value.n)
    return;
  ho_buf_printf(out, "%s**%s**: ", *any ? "" : "\n", label);
  ho_markdown_put_line(out, value);
  ho_buf_putc(out, '\n');
  *any = true;
}

static void put_head(ho_buf *out, const ho_format *format, const ho_node *map)
{
  ho_str phase = ho_map_str(map, "phase"), stamp = ho_map_str(map, "timestamp");
  ho_str title = ho_map_str(map, "title"), task = ho_map_str(map, "task");
  ho_str preamble = ho_map_str(map, "x_preamble"), genre = ho_map_str(map, "genre");
  bool any = false, recovers = recovers_work(format->root, map, true);
  if (phase.n) {
    ho_buf_puts(out, "# Phase ");
    ho_markdown_put_line(out, phase);
    ho_buf_puts(out, stamp.n ? " Handoff - " : " Handoff");
    ho_markdown_put_line(out, stamp);
    ho_buf_putc(out, '\n');
  } else if (title.n) {
    ho_markdown_put_heading(out, 1, title);
  }
  if (phase.n)
    put_label(out, "Title", title, &any);
  else
    put_label(out, "Timestamp", stamp, &any);
  if (!told_by(preamble, format->root, "task", task) && !(!phase.n && ho_str_eq(task_in(title), task)))
    put_label(out, "Task", task, &any);
  if (genre.n && !ho_str_is(genre, recovers ? "recovery" : "checkpoint"))
    put_label(out, "Genre", genre, &any);
  if (preamble.n) {
    ho_buf_putc(out, '\n');
    ho_markdown_put_text(out, preamble);
  }
}

void ho_artifact_write(const ho_format *format, const ho_node *map, ho_buf *out)
{
  ho_str front = ho_map_str(map, "x_front_matter");
  if (front.n)
    ho_buf_printf(out, "---\n%.*s\n---\n", HO_ARG(front));
  ho_str before = ho_map_str(map, "x_before_title");
  if (before.n) {
    ho_markdown_put_text(out, before);
    ho_buf_putc(out, '\n');
  }
  put_head(out, format, map);
  for (const ho_field *field = format->root->fields; field->name; field++)
    if (field->shape != HO_SHAPE_LABEL && ho_markdown_has_field(field, map))
      ho_markdown_put_section(out, field, map);
  HO_EACH_CONST (entry, ho_map_getz(map, "x_sections"))
    ho_markdown_put_kept_section(out, entry);
  ho_markdown_put_homeless(out, format->root, map, "x_front_matter|x_before_title|x_preamble|x_sections");
}
