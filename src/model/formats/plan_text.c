/* The Markdown of a plan: reading and writing. */
#include "model/formats/artifact.h"
#include "model/formats/plan.h"
#include "model/markdown/markdown_read.h"
#include "model/markdown/markdown_write.h"

static const char title_start[] = "Implementation Plan:", short_start[] = "Plan:";

/* --- phase headings ----------------------------------------------------------------------------------------------- */

typedef struct phase_heading {
  ho_str id, name, marker, tail; /* marker includes its brackets; tail: the text after it */
} phase_heading;

/* "[COMPLETED]", "[DEFERRED - LATER]": capitals in brackets. */
static bool is_marker(ho_str inside)
{
  bool letter = false;
  for (size_t i = 0; i < inside.n; i++) {
    if (islower((unsigned char)inside.p[i]) || inside.p[i] == '`')
      return false;
    letter = letter || isupper((unsigned char)inside.p[i]);
  }
  return letter && inside.n > 1;
}

/* The last marker in a heading's text. */
static bool find_marker(ho_str text, ho_str *marker)
{
  size_t close = HO_NONE;
  for (size_t at = text.n; at-- > 0;) {
    if (text.p[at] == ']')
      close = at;
    if (text.p[at] != '[' || close == HO_NONE)
      continue;
    *marker = ho_str_sub(text, at, close + 1);
    if (is_marker(ho_str_sub(text, at + 1, close)))
      return true;
    close = HO_NONE;
  }
  return false;
}

/* How long the phase's number at the start of the text is; what stands there in a template that nobody filled in counts,
 * so that the phase is found and the placeholder is what is reported. */
static size_t number_length(ho_str text)
{
  size_t end = ho_str_starts(text, "{") ? ho_str_find_char(text, '}') : HO_NONE;
  return end == HO_NONE ? ho_artifact_phase(text) : end + 1;
}

/* `Phase N: name [STATUS]`, also with another separator or without a marker. */
static bool split_heading(ho_str text, phase_heading *out)
{
  static const char *const separators[] = {": ", " - ", " — ", " – ", ". "};
  *out = (phase_heading){HO_EMPTY, HO_EMPTY, HO_EMPTY, HO_EMPTY};
  if (!ho_str_starts_nocase(text, "phase "))
    return false;
  ho_str rest = ho_str_sub(text, 6, text.n);
  out->id = ho_str_sub(rest, 0, number_length(rest));
  rest = ho_str_sub(rest, out->id.n, rest.n);
  bool separated = rest.n == 0 || ho_str_is(rest, ":") || ho_str_starts(rest, " [");
  for (size_t i = 0; i < HO_COUNT(separators) && !separated; i++)
    if (ho_str_starts(rest, separators[i])) {
      rest = ho_str_sub(rest, strlen(separators[i]), rest.n);
      separated = true;
    }
  if (!out->id.n || !separated)
    return false;
  rest = ho_str_trim(ho_str_is(rest, ":") ? HO_EMPTY : rest);
  if (find_marker(rest, &out->marker)) {
    size_t at = (size_t)(out->marker.p - rest.p);
    out->tail = ho_str_trim(ho_str_sub(rest, at + out->marker.n, rest.n));
    rest = ho_str_trim_end(ho_str_sub(rest, 0, at));
  }
  out->name = rest;
  return true;
}

static bool is_phase(const ho_md_block *block)
{
  phase_heading parts;
  return block->kind == HO_MD_HEADING && block->level >= 2 && block->level <= 4 && split_heading(block->text, &parts);
}

static bool starts_section(const ho_md_block *block)
{
  return block->kind == HO_MD_HEADING && (block->level <= 2 || is_phase(block));
}

/* --- reading ------------------------------------------------------------------------------------------------------ */

static ho_node *add(const ho_markdown_reader *r, ho_node *map, const char *key, ho_str text)
{
  uint32_t begin = (uint32_t)(text.p - r->source->text.p);
  return text.n ? ho_map_addz(map, key, ho_markdown_line_node(r, begin, begin + (uint32_t)text.n)) : NULL;
}

/* Removes the brackets from a status, whose position stays that of the whole marker. Anything else there is kept. */
static void unwrap_status(const ho_markdown_reader *r, ho_node *map)
{
  ho_node *status = ho_map_getz(map, "status");
  ho_str text = ho_node_str(status), marker;
  if (!status || !find_marker(text, &marker))
    return;
  if (marker.n < text.n)
    ho_map_addz(map, "x_status", ho_node_text(r->arena, text));
  size_t at = (size_t)(marker.p - text.p);
  status->text = ho_str_sub(marker, 1, marker.n - 1);
  status->begin += (uint32_t)at;
  status->end = status->begin + (uint32_t)marker.n;
}

/* `12 - name`: number and name of the task. */
static void split_task(const ho_markdown_reader *r, ho_node *map)
{
  static const char *const separators[] = {"-", "—", "–", ":"};
  ho_node *task = ho_map_getz(map, "task");
  ho_str text = ho_node_str(task), rest = ho_str_starts(text, "#") ? ho_str_sub(text, 1, text.n) : text;
  size_t n = ho_artifact_phase(rest);
  if (!n || !isdigit((unsigned char)rest.p[0]))
    return;
  task->text = ho_str_sub(rest, 0, n);
  rest = ho_str_trim(ho_str_sub(rest, n, rest.n));
  for (size_t i = 0; i < HO_COUNT(separators); i++)
    if (ho_str_starts(rest, separators[i])) {
      rest = ho_str_trim(ho_str_sub(rest, strlen(separators[i]), rest.n));
      break;
    }
  if (rest.n) {
    ho_node *name = ho_map_addz(map, "task_name", ho_node_text(r->arena, rest));
    if (name) {
      name->begin = task->begin;
      name->end = task->end;
    }
  }
}

static ho_node *read_phase(const ho_markdown_reader *r, const ho_markdown_part *part)
{
  ho_node *phase = ho_node_new(r->arena, HO_KIND_MAP);
  phase_heading heading;
  if (!phase || !split_heading(part->heading->text, &heading))
    return NULL;
  phase->begin = part->heading->begin;
  phase->end = part->heading->end;
  add(r, phase, "id", heading.id);
  add(r, phase, "name", heading.name);
  add(r, phase, "status", heading.marker);
  add(r, phase, "x_heading", heading.tail);
  unwrap_status(r, phase);
  ho_plan_read_phase(r, part, phase);
  ho_plan_split_dependencies(r->arena, phase);
  ho_markdown_order_extras(phase);
  return phase;
}

static bool holds_phases(const ho_md_block *heading)
{
  static const ho_field phases = {.name = "phases", .label = "Implementation Phases"};
  static const ho_field plain = {.name = "phases", .label = "Phases"};
  return ho_markdown_is_label(&phases, heading->text) || ho_markdown_is_label(&plain, heading->text);
}

/* Drops the horizontal rules that only separate phases. */
static void trim_rules(ho_markdown_part *part)
{
  while (part->first != part->end && part->first->kind == HO_MD_RULE)
    part->first = part->first->next;
  const ho_md_block *end = part->first;
  for (const ho_md_block *block = part->first; block != part->end; block = block->next)
    if (block->kind != HO_MD_RULE)
      end = block->next;
  part->end = end;
}

static void read_part(const ho_markdown_reader *r, ho_markdown_part *part, ho_node *map, ho_node *phases)
{
  trim_rules(part);
  if (is_phase(part->heading)) {
    ho_path list = {NULL, HO_STR("phases"), 0}, base = {&list, {NULL, 0}, phases ? phases->count : 0};
    ho_markdown_reader inside = *r;
    inside.base = &base;
    ho_list_add(phases, read_phase(&inside, part));
    return;
  }
  if (holds_phases(part->heading)) {
    ho_node *before = ho_map_getz(map, "x_phases_intro"), *intro = ho_markdown_part_text(r, part);
    if (intro && before)
      before->text = ho_arena_printf(r->arena, "%.*s\n\n%.*s", HO_ARG(before->text), HO_ARG(intro->text));
    else if (intro)
      ho_map_addz(map, "x_phases_intro", intro);
    return;
  }
  if (ho_markdown_read_homeless(r, part, map))
    return;
  ho_node *entry = ho_markdown_keep_section(r, part, map);
  if (phases && phases->count)
    ho_map_addz(entry, "after_phases", ho_node_bool(r->arena, true));
}

static void read_head(const ho_markdown_reader *r, const ho_md *md, ho_markdown_part *part, ho_node *map)
{
  if (md->front_to > md->front_from)
    ho_map_addz(map, "x_front_matter", ho_markdown_slice_node(r, md->front_from, md->front_to, 0));
  part->first = md->blocks;
  while (part->first && part->first->kind == HO_MD_RULE)
    part->first = part->first->next;
  if (part->first && part->first->kind == HO_MD_HEADING && part->first->level == 1 && part->first->text.n) {
    ho_str text = part->first->text;
    size_t known = ho_str_starts_nocase(text, title_start)   ? sizeof title_start - 1
                   : ho_str_starts_nocase(text, short_start) ? sizeof short_start - 1
                                                             : 0;
    add(r, map, "title", ho_str_trim(ho_str_sub(text, known, text.n)));
    part->first = part->first->next;
  }
  for (part->end = part->first; part->end && !starts_section(part->end);)
    part->end = part->end->next;
  ho_markdown_read_labels(r, r->format->root, part, NULL, map, "x_preamble");
  split_task(r, map);
  unwrap_status(r, map);
}

ho_code ho_plan_read(const ho_format *format, const ho_source *source, const ho_md *md, ho_arena *arena,
                     ho_report *report, ho_node **out, ho_error *err)
{
  bool had_homeless = false;
  ho_markdown_reader r = {
      .format = format, .source = source, .arena = arena, .report = report, .had_homeless = &had_homeless};
  ho_node *map = ho_node_new(arena, HO_KIND_MAP), *phases = ho_node_new(arena, HO_KIND_LIST);
  ho_markdown_part part = {0};
  read_head(&r, md, &part, map);
  for (const ho_md_block *next = part.end; next; next = part.heading ? part.end : NULL) {
    const ho_md_block *end = next->next;
    while (end && !starts_section(end))
      end = end->next;
    ho_markdown_part each = {.heading = next, .first = next->next, .end = end};
    read_part(&r, &each, map, phases);
    part.heading = next;
    part.end = end;
  }
  if (phases && phases->count) {
    ho_plan_wait_for_all(arena, phases);
    phases->begin = phases->first->begin;
    phases->end = phases->last->end;
    ho_map_addz(map, "phases", phases);
  }
  ho_markdown_order_extras(map);
  *out = map;
  return ho_arena_code(arena, err);
}

bool ho_plan_looks_like(const ho_source *source, const ho_md *md)
{
  (void)source;
  for (const ho_md_block *block = md->blocks; block; block = block->next) {
    phase_heading parts;
    if (block->kind != HO_MD_HEADING)
      continue;
    if (block->level == 1 && ho_str_starts_nocase(block->text, "implementation plan"))
      return true;
    if (is_phase(block) && split_heading(block->text, &parts) && parts.marker.n)
      return true;
  }
  return false;
}

/* --- writing ------------------------------------------------------------------------------------------------------ */

/* `[STATUS]`, or whatever was there along with it. */
static void put_status(ho_buf *out, const ho_node *map)
{
  ho_str whole = ho_map_str(map, "x_status"), status = ho_map_str(map, "status");
  if (whole.n)
    ho_buf_put(out, whole);
  else if (is_marker(status) && ho_str_find_char(status, '[') == HO_NONE && ho_str_find_char(status, ']') == HO_NONE)
    ho_buf_printf(out, "[%.*s]", HO_ARG(status));
  else
    ho_buf_put(out, status);
}

static void put_header(ho_buf *out, const ho_field *field, const ho_node *map)
{
  ho_buf value;
  ho_buf_init(&value, 0);
  ho_str text = ho_map_str(map, field->name), name = ho_map_str(map, "task_name");
  if (strcmp(field->name, "status") == 0)
    put_status(&value, map);
  else
    ho_buf_put(&value, text);
  if (strcmp(field->name, "task") == 0 && name.n)
    ho_buf_printf(&value, "%s%.*s", text.n ? " - " : "", HO_ARG(name));
  if (value.n)
    ho_markdown_put_label_item(out, field->label, ho_buf_str(&value));
  if (value.failed && !out->failed)
    out->failed = value.failed;
  ho_buf_free(&value);
}

static void put_dependencies(ho_buf *out, const ho_node *phase)
{
  const ho_node *list = ho_map_getz(phase, "dependencies");
  ho_str whole = ho_map_str(phase, "x_dependencies");
  if (!list)
    return;
  ho_buf text;
  ho_buf_init(&text, 0);
  ho_buf_puts(&text, list->count || whole.n ? "" : "None");
  ho_buf_put(&text, whole);
  if (!whole.n)
    HO_EACH_CONST (id, list)
      ho_buf_printf(&text, "%sPhase %.*s", id == list->first ? "" : ", ", HO_ARG(ho_node_str(id)));
  ho_markdown_put_label_item(out, "Dependencies", ho_buf_str(&text));
  if (text.failed && !out->failed)
    out->failed = text.failed;
  ho_buf_free(&text);
}

/* `**Label**: text` on a line of its own, or with a list below it. */
static void put_labelled(ho_buf *out, const ho_field *field, const ho_node *phase)
{
  if (!ho_markdown_has_field(field, phase))
    return;
  if (field->shape == HO_SHAPE_LABEL) {
    ho_buf_printf(out, "\n**%s**: ", field->label);
    ho_markdown_put_line(out, ho_map_str(phase, field->name));
    ho_buf_putc(out, '\n');
    return;
  }
  char key[64];
  snprintf(key, sizeof key, "x_%s_intro", field->name);
  bool list_follows = !ho_map_str(phase, key).n && ho_map_getz(phase, field->name);
  ho_buf_printf(out, "\n**%s**:\n%s", field->label, list_follows ? "" : "\n");
  ho_markdown_put_list(out, field, phase);
}

static void put_phase_heading(ho_buf *out, const ho_node *phase)
{
  ho_buf text;
  ho_buf_init(&text, 0);
  ho_str name = ho_map_str(phase, "name"), tail = ho_map_str(phase, "x_heading");
  ho_buf_printf(&text, "Phase %.*s:", HO_ARG(ho_map_str(phase, "id")));
  ho_buf_printf(&text, name.n ? " %.*s" : "%.*s", HO_ARG(name));
  if (ho_map_str(phase, "status").n) {
    ho_buf_putc(&text, ' ');
    put_status(&text, phase);
  }
  ho_buf_printf(&text, tail.n ? " %.*s" : "%.*s", HO_ARG(tail));
  ho_markdown_put_heading(out, 3, ho_buf_str(&text));
  if (text.failed && !out->failed)
    out->failed = text.failed;
  ho_buf_free(&text);
}

/* Dependencies, the goal and texts of several lines are items directly under the heading. */
static bool stands_first(const ho_field *field, const ho_node *phase)
{
  return field->shape == HO_SHAPE_LABEL && (field->type == HO_T_LIST || strcmp(field->name, "goal") == 0 ||
                                            ho_str_find_char(ho_map_str(phase, field->name), '\n') != HO_NONE);
}

static void put_phase(ho_buf *out, const ho_node *phase)
{
  ho_str text = ho_map_str(phase, "x_text"), line = text, label, rest;
  put_phase_heading(out, phase);
  ho_buf_putc(out, '\n');
  put_dependencies(out, phase);
  for (const ho_field *field = ho_plan_phase_record.fields; field->name; field++)
    if (stands_first(field, phase) && ho_map_str(phase, field->name).n)
      ho_markdown_put_label_item(out, field->label, ho_map_str(phase, field->name));
  ho_markdown_put_homeless_items(out, &ho_plan_phase_record, phase, "x_text|x_heading|x_status|x_dependencies");
  for (const ho_field *field = ho_plan_phase_record.fields; field->name; field++)
    if (field->shape != HO_SHAPE_NONE && !stands_first(field, phase))
      put_labelled(out, field, phase);
  if (!text.n)
    return;
  ho_str first;
  ho_markdown_next_line(&line, &first);
  bool own = ho_str_starts(first, "#") || ho_markdown_split_label(first, &label, &rest);
  ho_buf_puts(out, own ? "\n" : "\n---\n\n");
  ho_markdown_put_text_in(out, text, starts_section);
}

static void put_sections(ho_buf *out, const ho_node *map, bool after)
{
  HO_EACH_CONST (entry, ho_map_getz(map, "x_sections"))
    if (ho_node_true(ho_map_getz(entry, "after_phases")) == after)
      ho_markdown_put_kept_section(out, entry);
}

void ho_plan_write(const ho_format *format, const ho_node *map, ho_buf *out)
{
  ho_str front = ho_map_str(map, "x_front_matter"), title = ho_map_str(map, "title"),
         preamble = ho_map_str(map, "x_preamble");
  ho_str intro = ho_map_str(map, "x_phases_intro");
  const ho_node *phases = ho_map_getz(map, "phases");
  if (front.n)
    ho_buf_printf(out, "---\n%.*s\n---\n", HO_ARG(front));
  if (title.n) {
    ho_buf_printf(out, "# %s ", title_start);
    ho_markdown_put_line(out, title);
    ho_buf_puts(out, "\n\n");
  }
  for (const ho_field *field = format->root->fields; field->name; field++)
    if (field->shape != HO_SHAPE_NONE)
      put_header(out, field, map);
  if (preamble.n) {
    ho_buf_putc(out, '\n');
    ho_markdown_put_text_in(out, preamble, starts_section);
  }
  put_sections(out, map, false);
  if (!ho_node_empty(phases) || intro.n)
    ho_markdown_put_heading(out, 2, HO_STR("Implementation Phases"));
  if (intro.n) {
    ho_buf_putc(out, '\n');
    ho_markdown_put_text_in(out, intro, starts_section);
  }
  HO_EACH_CONST (phase, phases) {
    ho_buf_puts(out, phase == phases->first ? "" : "\n---\n");
    put_phase(out, phase);
  }
  put_sections(out, map, true);
  ho_markdown_put_homeless(out, format->root, map, "x_front_matter|x_preamble|x_sections|x_phases_intro|x_status");
}
