#include "model/markdown/markdown_write.h"

#include "model/markdown/markdown_read.h"

/* --- texts that stay inside their section ------------------------------------------------------------------------- */

typedef struct guard {
  ho_arena arena;
  ho_source source;
  ho_report report;
  ho_md md;
} guard;

/* If memory runs out, the output fails; a text that is not valid (contains NUL) is written as is. */
static void pass_failure(ho_buf *out, ho_code code)
{
  if (!out->failed && (code == HO_MEMORY || code == HO_LIMIT))
    out->failed = code;
}

static bool guard_read(guard *g, ho_str text, ho_buf *out)
{
  ho_error ignored;
  ho_arena_init(&g->arena, 0);
  ho_report_init(&g->report, &g->arena, &g->source);
  ho_code code = ho_source_init(&g->source, &g->arena, HO_EMPTY, text, &ignored);
  if (!code)
    code = ho_md_read(&g->source, &g->arena, &g->report, &g->md, &ignored);
  pass_failure(out, code);
  return !code;
}

/* Writes the lines with a backslash before each heading that would begin a section. If the last block would swallow
 * what comes after it (an unclosed fence or HTML), closes it; parsing the lines with a heading appended shows
 * whether it does. */
static void put_guarded(ho_buf *out, ho_buf *lines, ho_md_starts starts)
{
  guard g;
  uint32_t at = 0, n = (uint32_t)lines->n;
  const ho_md_block *last = NULL;
  ho_buf_puts(lines, "\n\n# x\n");
  ho_str text = ho_str_sub(ho_buf_str(lines), 0, n);
  bool read = guard_read(&g, ho_buf_str(lines), out);
  for (const ho_md_block *block = read ? g.md.blocks : NULL; block; block = block->next) {
    last = block;
    if (block->begin >= n || block->kind != HO_MD_HEADING || !starts(block))
      continue;
    uint32_t mark = block->begin;
    if (text.p[mark] != '#')
      while (mark < block->end && ho_str_find_char(ho_str_sub(text, mark, block->end), '\n') != HO_NONE)
        mark += (uint32_t)ho_str_find_char(ho_str_sub(text, mark, block->end), '\n') + 1;
    while (mark < block->end && text.p[mark] == ' ')
      mark++;
    ho_buf_put(out, ho_str_sub(text, at, mark));
    ho_buf_putc(out, '\\');
    at = mark;
  }
  ho_buf_put(out, ho_str_sub(text, at, n));
  if (last && last->kind != HO_MD_HEADING)
    ho_markdown_put_close(out, last->kind, ho_str_sub(text, last->begin, n));
  ho_arena_free(&g.arena);
}

void ho_markdown_put_text(ho_buf *out, ho_str text)
{
  ho_markdown_put_text_in(out, text, ho_md_is_section);
}

/* Nothing but dashes or equals signs, which would turn the line above into a heading. */
static bool is_underline(ho_str line)
{
  line = ho_str_trim(line);
  for (size_t i = 0; i < line.n; i++)
    if (line.p[i] != line.p[0] || (line.p[i] != '-' && line.p[i] != '='))
      return false;
  return line.n > 0;
}

/* Might there be a heading, a fence or HTML? Most texts have none and need not be parsed. */
static bool needs_guard(ho_str text)
{
  ho_str line;
  if (ho_str_find_char(text, '#') != HO_NONE || ho_str_find_char(text, '<') != HO_NONE || ho_str_has(text, "```") ||
      ho_str_has(text, "~~~"))
    return true;
  while (ho_markdown_next_line(&text, &line))
    if (is_underline(line))
      return true;
  return false;
}

void ho_markdown_put_text_in(ho_buf *out, ho_str text, ho_md_starts starts)
{
  ho_buf lines;
  ho_str line;
  ho_buf_init(&lines, 0);
  while (ho_markdown_next_line(&text, &line))
    if (lines.n || line.n) {
      ho_buf_put(&lines, line);
      ho_buf_putc(&lines, '\n');
    }
  ho_buf_cut(&lines, ho_str_trim_end(ho_buf_str(&lines)).n);
  if (needs_guard(ho_buf_str(&lines)))
    put_guarded(out, &lines, starts);
  else
    ho_buf_put(out, ho_buf_str(&lines));
  ho_buf_putc(out, '\n');
  pass_failure(out, lines.failed);
  ho_buf_free(&lines);
}

/* --- lines, items, headings --------------------------------------------------------------------------------------- */

static void put_indented(ho_buf *out, ho_str text, size_t indent)
{
  ho_str line;
  for (bool first = true; ho_markdown_next_line(&text, &line); first = false) {
    if (!first)
      ho_buf_putc(out, '\n');
    if (!first && line.n)
      ho_buf_fill(out, ' ', indent);
    ho_buf_put(out, line);
  }
  ho_buf_putc(out, '\n');
}

/* "- ---" is a rule, not an item. */
static bool makes_rule(const char *marker, ho_str text)
{
  ho_str line = HO_EMPTY;
  ho_str_next_line(&text, &line);
  size_t marks = 0;
  for (size_t i = 0; i < line.n; i++) {
    if (line.p[i] != '-' && line.p[i] != ' ')
      return false;
    marks += line.p[i] == '-';
  }
  return marks > 1 && marker[0] == '-';
}

/* `marker` (such as "1. "), then the text with its other lines indented to match. */
static void put_item(ho_buf *out, const char *marker, ho_str text)
{
  text = ho_str_trim(text);
  ho_buf_puts(out, marker);
  ho_buf_puts(out, makes_rule(marker, text) ? "\\" : "");
  put_indented(out, text, strlen(marker));
}

/* Several lines without any Markdown structure: command output, code, a goal. */
static bool wants_fence(ho_str text)
{
  ho_str rest = text, line;
  if (text.n && (text.p[0] == ' ' || text.p[0] == '\t'))
    return true;
  if (ho_str_find_char(text, '\n') == HO_NONE && ho_str_find_char(text, '\r') == HO_NONE)
    return false;
  while (ho_markdown_next_line(&rest, &line))
    if (line.n && line.p[0] != '#' && ho_markdown_starts_block(line))
      return false;
  return true;
}

/* A fence longer than any run of backticks in the text. */
static size_t fence_length(ho_str text)
{
  size_t run = 0, longest = 2;
  for (size_t i = 0; i < text.n; i++) {
    run = text.p[i] == '`' ? run + 1 : 0;
    longest = run > longest ? run : longest;
  }
  return longest + 1;
}

void ho_markdown_put_fence(ho_buf *out, const char *info, ho_str text)
{
  size_t marks = fence_length(text);
  ho_str line;
  ho_buf_fill(out, '`', marks);
  ho_buf_printf(out, "%s\n", info);
  while (ho_markdown_next_line(&text, &line)) {
    ho_buf_put(out, line);
    ho_buf_putc(out, '\n');
  }
  ho_buf_fill(out, '`', marks);
  ho_buf_putc(out, '\n');
}

void ho_markdown_put_label_item(ho_buf *out, const char *label, ho_str text)
{
  ho_buf value;
  ho_buf_init(&value, 0);
  text = ho_str_trim_end(text);
  ho_buf_puts(&value, "**");
  ho_buf_puts(&value, label);
  ho_buf_puts(&value, "**:");
  if (wants_fence(text)) {
    ho_buf_putc(&value, '\n');
    ho_markdown_put_fence(&value, "", text);
  } else if (text.n) {
    ho_buf_putc(&value, ho_markdown_starts_block(text) ? '\n' : ' ');
    ho_buf_put(&value, text);
  }
  put_item(out, "- ", ho_buf_str(&value));
  pass_failure(out, value.failed);
  ho_buf_free(&value);
}

void ho_markdown_put_line(ho_buf *out, ho_str text)
{
  ho_str line;
  for (bool first = true; ho_markdown_next_line(&text, &line); first = false) {
    ho_buf_puts(out, first ? "" : " ");
    ho_buf_put(out, ho_str_trim(line));
  }
}

void ho_markdown_put_heading(ho_buf *out, unsigned level, ho_str text)
{
  if (out->n)
    ho_buf_putc(out, '\n');
  ho_buf_fill(out, '#', level);
  ho_buf_puts(out, text.n ? " " : "");
  ho_markdown_put_line(out, text);
  ho_buf_putc(out, '\n');
}

/* --- lists -------------------------------------------------------------------------------------------------------- */

static bool pair_reads_back(ho_str text, ho_str first, ho_str second)
{
  ho_str one, two;
  ho_markdown_split_pair(text, &one, &two);
  return ho_str_eq(one, first) && ho_str_eq(two, second);
}

/* Appends the items below an item. */
static void put_more(ho_buf *text, ho_str more)
{
  if (!more.n)
    return;
  ho_buf_putc(text, '\n');
  ho_buf_put(text, ho_str_trim_end(more));
}

/* `first: second`, with the first part in bold if it would not read back as the same pair otherwise. */
static void put_pair(ho_buf *out, const char *marker, ho_str first, ho_str second, ho_str more)
{
  ho_buf text;
  ho_buf_init(&text, 0);
  for (int bold = 0; bold < 2; bold++) {
    ho_buf_reset(&text);
    ho_buf_puts(&text, bold ? "**" : "");
    ho_buf_put(&text, first);
    ho_buf_puts(&text, bold ? "**" : "");
    if (second.n) {
      ho_buf_puts(&text, ho_markdown_starts_block(second) ? ":\n" : ": ");
      ho_buf_put(&text, second);
    }
    if (text.failed || pair_reads_back(ho_buf_str(&text), first, second))
      break;
  }
  put_more(&text, more);
  put_item(out, marker, ho_buf_str(&text));
  pass_failure(out, text.failed);
  ho_buf_free(&text);
}

static void put_ref(ho_buf *out, ho_str kind, ho_str path, ho_str detail, ho_str more)
{
  ho_buf text;
  ho_buf_init(&text, 0);
  if (kind.n)
    ho_buf_printf(&text, "%.*s: ", HO_ARG(kind));
  ho_buf_put(&text, path);
  if (path.n && detail.n && detail.p[0] != '\n')
    ho_buf_puts(&text, ", ");
  ho_buf_put(&text, detail);
  put_more(&text, more);
  put_item(out, "- ", ho_buf_str(&text));
  pass_failure(out, text.failed);
  ho_buf_free(&text);
}

static void put_check(ho_buf *out, const ho_node *item, ho_str more)
{
  ho_buf text;
  ho_buf_init(&text, 0);
  ho_buf_put(&text, ho_map_str(item, "text"));
  put_more(&text, more);
  const ho_node *done = ho_map_getz(item, "done");
  ho_str mark = ho_map_str(item, "mark");
  if (!mark.n)
    mark = ho_node_true(done) ? HO_STR("x") : HO_STR(" ");
  ho_buf_puts(out, "- ");
  if (done)
    ho_buf_printf(out, "[%.*s] ", HO_ARG(mark));
  put_indented(out, ho_buf_str(&text), 2);
  pass_failure(out, text.failed);
  ho_buf_free(&text);
}

static void put_record_item(ho_buf *out, const ho_field *field, const ho_node *item, const char *marker, ho_str more)
{
  const ho_field *fields = field->record->fields;
  if (field->shape == HO_SHAPE_CHECKS)
    put_check(out, item, more);
  else if (field->shape == HO_SHAPE_PAIRS)
    put_pair(out, marker, ho_map_str(item, fields[0].name), ho_map_str(item, fields[1].name), more);
  else if (field->shape == HO_SHAPE_REFS)
    put_ref(out, ho_map_str(item, fields[0].name), ho_map_str(item, fields[1].name), ho_map_str(item, fields[2].name),
            more);
}

static void put_list_item(ho_buf *out, const ho_field *field, const ho_node *item, size_t number)
{
  char marker[32] = "- ";
  if (field->shape == HO_SHAPE_PAIRS)
    snprintf(marker, sizeof marker, "%zu. ", number);
  if (item->kind != HO_KIND_MAP || !field->record) {
    put_item(out, marker, ho_node_str(item));
    return;
  }
  ho_buf more;
  ho_buf_init(&more, 0);
  ho_markdown_put_homeless_items(&more, field->record, item, "");
  put_record_item(out, field, item, marker, ho_buf_str(&more));
  pass_failure(out, more.failed);
  ho_buf_free(&more);
}

static bool is_beside(const ho_field *field, ho_str key, const char *what)
{
  size_t name = strlen(field->name);
  return key.n > 2 + name && ho_str_starts(key, "x_") && memcmp(key.p + 2, field->name, name) == 0 &&
         ho_str_is(ho_str_sub(key, 2 + name, key.n), what);
}

static ho_str beside(const ho_field *field, const ho_node *map, const char *what)
{
  HO_EACH_CONST (child, map)
    if (is_beside(field, child->key, what))
      return ho_node_str(child);
  return HO_EMPTY;
}

bool ho_markdown_stands_beside(const ho_record *record, ho_str key)
{
  for (const ho_field *field = record->fields; field->name; field++)
    if (is_beside(field, key, "_intro") || is_beside(field, key, "_more"))
      return true;
  return false;
}

void ho_markdown_put_list(ho_buf *out, const ho_field *field, const ho_node *map)
{
  ho_str intro = beside(field, map, "_intro"), more = beside(field, map, "_more");
  const ho_node *list = ho_map_getz(map, field->name);
  size_t number = 1;
  if (intro.n)
    ho_markdown_put_text(out, intro);
  if (intro.n && list)
    ho_buf_putc(out, '\n');
  HO_EACH_CONST (item, list)
    put_list_item(out, field, item, number++);
  if (more.n && (intro.n || list))
    ho_buf_putc(out, '\n');
  if (more.n)
    ho_markdown_put_text(out, more);
}

/* --- sections ----------------------------------------------------------------------------------------------------- */

bool ho_markdown_has_field(const ho_field *field, const ho_node *map)
{
  return !ho_node_empty(ho_map_getz(map, field->name)) || beside(field, map, "_intro").n ||
         beside(field, map, "_more").n;
}

static void put_labels(ho_buf *out, const ho_record *record, const ho_node *map)
{
  ho_str text = ho_map_str(map, "x_text");
  size_t before = out->n;
  for (const ho_field *field = record->fields; field->name; field++) {
    const ho_node *value = ho_map_getz(map, field->name);
    if (!ho_node_empty(value))
      ho_markdown_put_label_item(out, field->label, ho_node_str(value));
  }
  ho_markdown_put_homeless_items(out, record, map, "x_text");
  if (text.n && out->n > before)
    ho_buf_putc(out, '\n');
  if (text.n)
    ho_markdown_put_text(out, text);
}

void ho_markdown_put_section(ho_buf *out, const ho_field *field, const ho_node *map)
{
  const ho_node *value = ho_map_getz(map, field->name);
  ho_markdown_put_heading(out, 2, ho_str_of(field->label));
  if (field->shape == HO_SHAPE_LABELS)
    put_labels(out, field->record, value);
  else if (field->shape == HO_SHAPE_TEXT)
    ho_markdown_put_text(out, ho_node_str(value));
  else
    ho_markdown_put_list(out, field, map);
}

void ho_markdown_put_kept_section(ho_buf *out, const ho_node *entry)
{
  long long level = 2;
  ho_node_to_int(ho_map_getz(entry, "level"), &level);
  ho_str text = ho_map_str(entry, "text");
  ho_markdown_put_heading(out, level == 1 ? 1 : 2, ho_map_str(entry, "heading"));
  if (text.n) {
    ho_buf_putc(out, '\n');
    ho_markdown_put_text(out, text);
  }
}
