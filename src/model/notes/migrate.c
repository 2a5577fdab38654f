#include "model/notes/migrate.h"

#include "doc/text/splice.h"
#include "doc/yaml/yaml.h"
#include "model/bind.h"
#include "model/formats/complete.h"
#include "model/formats/formats.h"
#include "model/formats/task.h"
#include "model/markdown/markdown_read.h"
#include "model/markdown/markdown_write.h"
#include "model/document/recognise.h"
#include "model/document/write.h"

/* Where the notes are, and where their structured block goes. */
typedef struct region {
  const ho_md_block *first, *end; /* what is read */
  const ho_md_block *last;        /* the block comes after this one; NULL: the text is empty */
  bool headed;                    /* there already is a heading Handoff above it */
} region;

/* "Handoff", "Handoff Notes", "Handoff (for the next agent)". */
static bool names_handoff(const ho_md_block *block, bool *exact)
{
  static const ho_field handoff = {.name = "handoff", .label = "Handoff", .aliases = "handoff notes|handoff note"};
  *exact = ho_markdown_is_label(&handoff, block->text);
  return *exact || ho_str_list_has_nocase(handoff.aliases, ho_str_trim(block->text));
}

static bool is_closing(const ho_md_block *block)
{
  return block->kind == HO_MD_PARAGRAPH && ho_str_starts(block->text, "*Task completed:");
}

/* The last block before `end` other than the closing line of a task file and the rule above it. */
static const ho_md_block *last_before(const ho_md_block *first, const ho_md_block *end)
{
  const ho_md_block *last = NULL, *before = NULL; /* before: without the rules at the end */
  for (const ho_md_block *block = first; block && block != end; block = block->next) {
    if (is_closing(block))
      return before ? before : last;
    last = block;
    before = block->kind == HO_MD_RULE ? before : block;
  }
  return last;
}

/* Is there anything besides the block itself? */
static bool has_prose(const ho_md_block *first, const ho_md_block *end)
{
  while (first && first != end && (first->kind == HO_MD_CODE || first->kind == HO_MD_RULE || is_closing(first)))
    first = first->next;
  return first != end;
}

static region find_region(const ho_md *md)
{
  region r = {.first = md->blocks};
  for (const ho_md_block *block = md->blocks; block; block = block->next) {
    bool exact = false;
    const ho_md_block *end = block->next;
    if (block->kind != HO_MD_HEADING || block->level != 2 || !names_handoff(block, &exact))
      continue;
    while (end && !(end->kind == HO_MD_HEADING && end->level <= 2))
      end = end->next;
    if (has_prose(block->next, end))
      r = (region){.first = block->next, .end = end, .last = last_before(block, end), .headed = exact};
  }
  if (!r.last)
    r.last = last_before(md->blocks, NULL);
  return r;
}

/* --- the block ---------------------------------------------------------------------------------------------------- */

/* The outcome key is written even if nobody says how the work ended: that is the first thing to add. */
static void put_yaml(ho_buf *out, const ho_format *format, ho_node *task, ho_arena *arena, ho_error *err, ho_code *code)
{
  ho_report report;
  ho_report_init(&report, arena, NULL);
  ho_node *bound = ho_bind(format, task, NULL, arena, &report);
  ho_buf yaml;
  ho_buf_init(&yaml, 0);
  if (!ho_map_getz(task, "outcome"))
    ho_buf_puts(&yaml, "outcome: # completed, partial, failed or blocked\n");
  if (bound && bound->count)
    *code = ho_doc_write(format, bound, HO_YAML, &yaml, err);
  ho_markdown_put_fence(out, "yaml", ho_buf_str(&yaml));
  ho_buf_free_into(&yaml, out);
}

static void put_crlf(ho_buf *out, ho_str text)
{
  for (size_t i = 0; i < text.n; i++) {
    if (text.p[i] == '\n')
      ho_buf_putc(out, '\r');
    ho_buf_putc(out, text.p[i]);
  }
}

/* Where the block goes: after the last line of the region, including its trailing blanks. A lone "\r" belongs to its
 * line. */
static uint32_t place_after(const ho_source *source, const region *r)
{
  ho_str text = source->text;
  size_t at = r->last ? r->last->end : text.n;
  while (at < text.n && text.p[at] != '\n' && text.p[at] != '\r')
    at++;
  bool lone = at < text.n && text.p[at] == '\r' && (at + 1 == text.n || text.p[at + 1] != '\n');
  return (uint32_t)(at + lone);
}

/* Does the line at `at` end in "\r\n"? If it has no ending, the line before it decides. */
static bool ends_in_crlf(ho_str text, size_t at)
{
  if (at < text.n && (text.p[at] == '\n' || text.p[at] == '\r'))
    return text.p[at] == '\r';
  while (at > 0 && text.p[at - 1] != '\n')
    at--;
  return at >= 2 && text.p[at - 2] == '\r';
}

/* What is inserted after the region: what closes its last block, a heading if there is none, and the block. */
static ho_code make_block(const ho_source *source, const region *r, const ho_format *format, ho_node *task,
                          ho_arena *arena, ho_str *out, ho_error *err)
{
  ho_buf text, ended;
  ho_code code = HO_OK;
  uint32_t at = place_after(source, r);
  ho_buf_init(&text, 0);
  ho_buf_init(&ended, 0);
  if (r->last)
    ho_markdown_put_close(&text, r->last->kind, ho_str_sub(source->text, r->last->begin, r->last->end));
  ho_buf_puts(&text, source->text.n ? "\n\n" : "");
  if (!r->headed)
    ho_buf_puts(&text, "## Handoff\n\n");
  put_yaml(&text, format, task, arena, err, &code);
  if (text.n && at < source->text.n && strchr("\r\n", source->text.p[at])) /* the newline that is already there stays */
    text.n--;
  if (ends_in_crlf(source->text, at))
    put_crlf(&ended, ho_buf_str(&text));
  else
    ho_buf_put(&ended, ho_buf_str(&text));
  ho_buf_free_into(&text, &ended);
  *out = ho_buf_move(&ended, arena);
  return code ? code : ho_arena_code(arena, err);
}

static ho_code insert(const ho_source *source, uint32_t at, ho_str block, ho_arena *arena, ho_str *out, ho_error *err)
{
  ho_splice splice;
  ho_buf text;
  ho_buf_init(&text, 0);
  ho_splice_init(&splice, arena, source->text);
  ho_code code = ho_splice_replace(&splice, at, at, block, err);
  if (!code)
    ho_splice_write(&splice, &text);
  *out = ho_buf_move(&text, arena);
  return code ? code : ho_arena_code(arena, err);
}

ho_str ho_migrate_template(ho_arena *arena)
{
  const ho_format *format = &ho_format_task;
  ho_node *root = ho_doc_template(format, arena), *file = ho_map_getz(root, "task_file");
  ho_buf out;
  ho_buf_init(&out, 0);
  ho_node_remove(root, file);
  ho_yaml_write(&out, root);
  return ho_buf_move(&out, arena);
}

/* --- what is left ------------------------------------------------------------------------------------------------- */

/* Adds `by` for the line that each item came from. */
static void count_lines(const ho_node *items, const char *key, int by, int *lines, uint32_t count)
{
  for (const ho_node *item = ho_node_is(items, HO_KIND_LIST) ? items->first : NULL; item; item = item->next) {
    long long line = 0;
    if (ho_node_to_int(ho_map_getz(item, key), &line) && line > 0 && line <= count)
      lines[line - 1] += by;
  }
}

/* For notes that already have their block: finds the passages that are still ambiguous. If the block has more items
 * for a line than are found there, somebody has structured that line. */
static void find_open(const ho_source *source, const ho_md *md, ho_str root, ho_arena *arena, ho_migrated *out)
{
  region r = find_region(md);
  ho_notes notes;
  int *lines = ho_arena_array(arena, source->line_count + 1, sizeof *lines);
  ho_notes_read(source, md, r.first, r.end, root, arena, &notes);
  if (arena->failed)
    return;
  HO_EACH_CONST (list, out->doc.root)
    count_lines(list, "x_line", 1, lines, source->line_count);
  count_lines(notes.items, "line", -1, lines, source->line_count);
  HO_EACH_CONST (passage, notes.ambiguous) {
    long long line = 0;
    if (ho_node_to_int(ho_map_getz(passage, "line"), &line) && lines[line - 1] <= 0)
      ho_list_add(out->notes.ambiguous, ho_node_copy(arena, passage));
  }
}

/* --- all of it ---------------------------------------------------------------------------------------------------- */

static ho_code read_result(ho_migrated *out, const ho_format *format, const ho_check_env *env, ho_arena *arena,
                           ho_error *err)
{
  ho_code code = ho_doc_read(&out->doc, arena, HO_STR("notes.md"), out->text, format, err);
  if (!code)
    code = ho_doc_check(&out->doc, env, err);
  if (!code)
    out->after = ho_complete(out->doc.root, arena, &out->parts);
  return code ? code : ho_arena_code(arena, err);
}

ho_code ho_migrate(ho_str path, ho_str text, ho_str root, const ho_check_env *env, ho_arena *arena, ho_migrated *out,
                   ho_error *err)
{
  const ho_format *format = &ho_format_task;
  ho_source *source = HO_NEW(arena, ho_source);
  ho_report report;
  ho_md md;
  *out = (ho_migrated){.text = text, .notes = {.items = ho_node_new(arena, HO_KIND_LIST)}};
  out->notes.ambiguous = ho_node_new(arena, HO_KIND_LIST);
  ho_code code = ho_arena_code(arena, err);
  if (code)
    return code;
  ho_report_init(&report, arena, source);
  code = ho_source_init(source, arena, path, text, err);
  if (!code)
    code = ho_md_read(source, arena, &report, &md, err);
  if (code)
    return code;
  out->is = ho_recognise_markdown(source, &md);
  /* A block that cannot be read does not count: it is text like the rest. */
  ho_error why = {0};
  code = ho_task_looks_like(source, &md) ? read_result(out, format, env, arena, &why) : HO_SYNTAX;
  if (code != HO_SYNTAX && !(code == HO_LIMIT && !arena->failed)) {
    if (code)
      *err = why;
    out->before = out->after;
    if (!code)
      find_open(source, &md, root, arena, out);
    return code ? code : ho_arena_code(arena, err);
  }
  region r = find_region(&md);
  ho_str block;
  ho_notes_read(source, &md, r.first, r.end, root, arena, &out->notes);
  code = ho_arena_code(arena, err);
  if (!code)
    code = make_block(source, &r, format, out->notes.task, arena, &block, err);
  if (!code)
    code = insert(source, place_after(source, &r), block, arena, &out->text, err);
  out->changed = !code;
  return code ? code : read_result(out, format, env, arena, err);
}
