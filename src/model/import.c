/* A document of another tool as a task handoff, with the whole original kept beside it. */
#include "base/limits.h"
#include "base/utf8.h"
#include "doc/rules.h"
#include "doc/yaml.h"
#include "model/bind.h"
#include "model/convert.h"
#include "model/convert_move.h"
#include "model/foreign.h"
#include "model/markdown_read.h"
#include "model/notes.h"
#include "model/notes_parts.h"
#include "model/recognise.h"
#include "model/rules.h"
#include "model/write.h"

const ho_foreign ho_foreign_formats[] = {
    {.format = &ho_foreign_continuous},
    {.format = &ho_foreign_orchestrator, .prepare = ho_foreign_prepare_orchestrator},
    {.format = &ho_foreign_humanlayer},
    {.format = &ho_foreign_report, .named_only = true},
    {0}};

/* Nothing but text: what no table fits. */
static const ho_field no_fields[] = {HO_FIELDS_END};
static const ho_record no_record = {.name = "text", .fields = no_fields};
static const ho_format plain = {.name = "text", .title = "Text", .encoding = HO_MARKDOWN, .root = &no_record};
static const ho_foreign plain_text = {.format = &plain, .named_only = true};

/* One import under way. */
typedef struct job {
  ho_str path, text, root;
  bool named;
  ho_arena *arena;
  ho_doc doc;       /* the original */
  ho_node *raw;     /* its keys; NULL where it has none */
  ho_encoding from; /* how it is read */
  ho_imported *out;
} job;

/* --- recognising -----------------------------------------------------------------------------------------------------
 */

/* Titled as a handoff, with two sections at least that the table names. */
static bool has_headings(const ho_format *format, const ho_md *md)
{
  size_t known = 0;
  bool titled = false, exact;
  for (const ho_md_block *block = md->blocks; block; block = block->next) {
    if (block->kind != HO_MD_HEADING)
      continue;
    titled |= block->level == 1 && ho_str_has_nocase(block->text, "handoff");
    known += block->level == 2 && ho_md_field(format->root, block->text, &exact) != NULL && exact;
  }
  return titled && known >= 2;
}

/* general: one of those that fit almost anything, for a file that the user means. */
static const ho_foreign *recognise(const job *j, bool general)
{
  bool markdown = j->from == HO_MARKDOWN, front = j->doc.md.front_to > j->doc.md.front_from;
  for (const ho_foreign *each = ho_foreign_formats; each->format; each++) {
    if (each->named_only != general || (markdown && !each->format->read_markdown))
      continue;
    if (!markdown && ho_node_is(j->raw, HO_KIND_MAP) && ho_recognise_name(each->format, j->path))
      return each;
    if (ho_node_is(j->raw, HO_KIND_MAP) && (!markdown || front) && ho_recognise_marks(each->format, j->raw))
      return each;
    if (markdown && each->format->encoding == HO_MARKDOWN && has_headings(each->format, &j->doc.md))
      return each;
  }
  return NULL;
}

/* --- reading ---------------------------------------------------------------------------------------------------------
 */

/* Front matter that is never closed ends where its keys end. */
static void close_front(job *j)
{
  ho_str text = j->doc.source.text, rest = ho_str_sub(text, ho_source_start(&j->doc.source), text.n), line;
  if (!ho_md_next_line(&rest, &line) || !ho_str_is(ho_str_trim_end(line), "---"))
    return;
  const char *from = rest.p, *to = rest.p;
  while (ho_md_next_line(&rest, &line)) {
    size_t colon = ho_str_find_char(line, ':');
    bool goes_on = line.n && (line.p[0] == ' ' || line.p[0] == '-' || line.p[0] == '\t');
    bool key = colon != HO_NONE && colon > 0 && ho_str_find_char(ho_str_sub(line, 0, colon), ' ') == HO_NONE;
    if (!goes_on && !key)
      break;
    to = line.p + line.n;
  }
  j->doc.md.front_from = (uint32_t)(from - text.p);
  j->doc.md.front_to = (uint32_t)(to - text.p);
}

static ho_code read_front(job *j, ho_error *err)
{
  ho_error ignored = {0};
  if (j->doc.md.front_to <= j->doc.md.front_from)
    close_front(j);
  if (j->doc.md.front_to <= j->doc.md.front_from)
    return HO_OK;
  ho_report report; /* read again by the table, which then says what is wrong */
  ho_report_init(&report, j->arena, &j->doc.source);
  ho_code code =
      ho_yaml_read(&j->doc.source, j->doc.md.front_from, j->doc.md.front_to, j->arena, &report, &j->raw, &ignored);
  if (code)
    j->raw = NULL;
  if (code == HO_MEMORY && err)
    *err = ignored;
  return code == HO_MEMORY ? code : ho_arena_code(j->arena, err);
}

/* A text that is not what its name or first line promises is Markdown, as any text is; the finding says so. */
static ho_code read_anyhow(job *j, ho_error *why, ho_error *err)
{
  ho_report *report = &j->doc.report;
  if (!j->named || ho_utf8_bad(j->text) != HO_NONE || memchr(j->text.p, 0, j->text.n)) {
    if (err)
      *err = *why;
    return why->code;
  }
  uint32_t place = ho_source_offset(&j->doc.source, why->line, why->column);
  ho_report_add_as(report, &ho_rule_SYNTAX, HO_WARNING, place, NULL, "%s; taken as text", why->message);
  j->raw = NULL;
  j->from = HO_MARKDOWN;
  return ho_md_read(&j->doc.source, j->arena, report, &j->doc.md, err);
}

static ho_code read_original(job *j, ho_error *err)
{
  ho_error why = {0};
  ho_code code = ho_doc_read(&j->doc, j->arena, j->path, j->text, NULL, &why);
  j->from = j->doc.encoding;
  j->raw = j->doc.raw;
  bool nested = code == HO_LIMIT && j->text.n <= HO_LIMIT_DOCUMENT && !j->arena->failed;
  if (code == HO_SYNTAX || nested)
    return read_anyhow(j, &why, err);
  if (code && err)
    *err = why;
  if (!code && j->from == HO_MARKDOWN) {
    j->raw = NULL;
    code = read_front(j, err);
  }
  return code;
}

/* --- the task handoff ------------------------------------------------------------------------------------------------
 */

static bool is_scalar(const ho_node *node)
{
  return node->kind == HO_KIND_TEXT || node->kind == HO_KIND_NUMBER || node->kind == HO_KIND_BOOL;
}

static ho_node *pair_text(ho_arena *arena, const ho_node *pair)
{
  return ho_node_text(arena, ho_arena_printf(arena, "%.*s: %.*s", HO_ARG(pair->key), HO_ARG(pair->text)));
}

/* Lists of texts come as maps, and as lists of maps with one key, too: {a: b} is "a: b". What says that there is nothing
 * is no item. */
static ho_node *flattened(const ho_node *value, ho_arena *arena)
{
  ho_node *list = ho_node_new(arena, HO_KIND_LIST);
  if (is_scalar(value) && !ho_note_none(value->text))
    ho_list_add(list, ho_node_text(arena, value->text));
  for (const ho_node *item = value->first; item && !is_scalar(value); item = item->next) {
    bool keyed = value->kind == HO_KIND_MAP && is_scalar(item);
    bool pair = value->kind == HO_KIND_LIST && item->kind == HO_KIND_MAP && item->count == 1 && is_scalar(item->first);
    ho_node *text = NULL;
    if (keyed || pair)
      text = pair_text(arena, keyed ? item : item->first);
    else if (is_scalar(item) && !ho_note_none(item->text))
      text = ho_node_text(arena, item->text);
    ho_list_add(list, text);
  }
  return list;
}

/* Main texts of records that stand for a longer thing: {description: …}, {item: …}, {title: …}. */
static ho_node *main_texts(const ho_node *value, ho_arena *arena)
{
  static const char *const keys[] = {"description", "text", "title", "issue", "item", "decision", "question", "name"};
  ho_node *list = ho_node_new(arena, HO_KIND_LIST);
  for (const ho_node *item = ho_node_is(value, HO_KIND_LIST) ? value->first : NULL; item; item = item->next)
    for (size_t i = 0; i < HO_COUNT(keys); i++) {
      const ho_node *text = ho_map_getz(item, keys[i]);
      if (!ho_node_is(text, HO_KIND_TEXT) || ho_note_none(text->text))
        continue;
      ho_list_add(list, ho_node_text(arena, text->text));
      break;
    }
  return list && list->count ? list : NULL;
}

/* Every list of texts of the table, in the shape of a list of texts; a path without its backticks. */
static void prepare(const ho_format *format, ho_node *raw, ho_arena *arena)
{
  HO_EACH (child, raw) {
    bool alias;
    const ho_field *field = ho_record_field(format->root, child->key, &alias);
    if (!field || field->type != HO_T_LIST || field->item != HO_T_TEXT || ho_node_absent(child))
      continue;
    ho_node *list = flattened(child, arena), *longer = main_texts(child, arena);
    if (longer && !(list && list->count))
      list = longer;
    if (!list || (!list->count && !is_scalar(child)))
      continue;
    child->kind = HO_KIND_LIST;
    child->text = HO_EMPTY;
    child->first = list->first;
    child->last = list->last;
    child->count = list->count;
  }
}

/* Leaves those children that `stays` says. */
static void filter(ho_node *node, const ho_record *record, bool (*stays)(const ho_node *child, const ho_record *record))
{
  ho_node *child = node->first, *next;
  node->first = node->last = NULL;
  node->count = 0;
  for (; child; child = next) {
    next = child->next;
    child->next = NULL;
    if (stays(child, record))
      ho_list_add(node, child);
  }
}

/* A placeholder of a template is no fact: the original keeps it. */
static bool is_fact(const ho_node *child, const ho_record *record)
{
  (void)record;
  bool hollow = (child->kind == HO_KIND_LIST || child->kind == HO_KIND_MAP) && !child->count;
  return !hollow && !(child->kind == HO_KIND_TEXT && ho_is_placeholder(child->text, NULL));
}

static void drop_placeholders(ho_node *node)
{
  HO_EACH (child, node)
    if ((child->kind == HO_KIND_LIST || child->kind == HO_KIND_MAP) && !ho_str_is(child->key, HO_KEPT))
      drop_placeholders(child);
  if (node)
    filter(node, NULL, is_fact);
}

/* An item without the text it is about says nothing that the format can hold. */
static bool is_whole(const ho_node *child, const ho_record *record)
{
  return !ho_node_empty(ho_map_getz(child, record->scalar));
}

static void drop_hollow(const ho_format *format, ho_node *task)
{
  HO_EACH (list, task) {
    bool alias;
    const ho_field *field = ho_record_field(format->root, list->key, &alias);
    if (field && field->type == HO_T_LIST && field->record && list->kind == HO_KIND_LIST)
      filter(list, field->record, is_whole);
  }
}

/* By the words of a text that no table fits. */
static void read_words(job *j)
{
  ho_notes notes;
  ho_notes_read(&j->doc.source, &j->doc.md, j->doc.md.blocks, NULL, j->root, j->arena, &notes);
  HO_EACH (child, notes.task)
    ho_map_set(j->out->task, child->key, ho_node_copy(j->arena, child));
}

/* The original as it stood: lines end in "\n", blank ones are empty. Its text where YAML can show it as it is, else a
 * list of its lines. */
static ho_node *original(const job *j)
{
  ho_buf out;
  ho_str rest = ho_str_sub(j->text, ho_source_start(&j->doc.source), j->text.n), line;
  ho_node *lines = ho_node_new(j->arena, HO_KIND_LIST);
  bool literal = true;
  ho_buf_init(&out, 0);
  while (ho_md_next_line(&rest, &line)) {
    if (ho_str_blank(line))
      line = HO_EMPTY;
    for (size_t at = 0; at < line.n && literal;) {
      uint32_t cp = ho_utf8_next(line, &at);
      literal = cp == '\t' || (!ho_utf8_control(cp) && cp != 0xFEFF && cp != 0x2028 && cp != 0x2029);
    }
    ho_buf_printf(&out, "%.*s\n", HO_ARG(line));
    if (line.n)
      ho_list_add(lines, ho_node_text(j->arena, line));
  }
  ho_str text = ho_buf_move(&out, j->arena);
  return literal ? ho_node_text(j->arena, text) : lines;
}

static void keep_original(const job *j, ho_node *task)
{
  ho_node *kept = ho_map_getz(task, HO_KEPT);
  if (!kept) {
    kept = ho_map_addz(task, HO_KEPT, ho_node_new(j->arena, HO_KIND_MAP));
    ho_map_addz(kept, "from", ho_node_textz(j->arena, j->out->from->format->name));
  }
  ho_node *text = original(j);
  if (!ho_node_empty(text))
    ho_map_set(kept, ho_node_is(text, HO_KIND_LIST) ? HO_STR("lines") : HO_STR("text"), text);
}

/* The texts of a tree, sorted. */
typedef struct texts {
  ho_str *items;
  size_t count;
} texts;

static int compare_texts(const void *a, const void *b)
{
  return ho_str_cmp(*(const ho_str *)a, *(const ho_str *)b);
}

/* With items NULL they are only counted. */
static void collect_texts(const ho_node *node, texts *all)
{
  HO_EACH_CONST (child, node) {
    if (child->kind == HO_KIND_TEXT && all->items)
      all->items[all->count] = child->text;
    all->count += child->kind == HO_KIND_TEXT;
    collect_texts(child, all);
  }
}

/* Does everything below the node stand in the result, too? */
static bool has_moved(const ho_node *node, const texts *all)
{
  if (node->kind == HO_KIND_TEXT)
    return all->count && bsearch(&node->text, all->items, all->count, sizeof *all->items, compare_texts);
  bool moved = node->kind == HO_KIND_LIST || node->kind == HO_KIND_MAP;
  for (const ho_node *child = node->first; child && moved; child = child->next)
    moved = has_moved(child, all);
  return moved;
}

/* What of the original has no place in the task format: {from, fields}. */
static void keep_fields(job *j, const ho_node *bound)
{
  texts all = {0};
  collect_texts(j->out->task, &all);
  all.items = ho_arena_array(j->arena, all.count + 1, sizeof *all.items);
  all.count = 0;
  if (!all.items)
    return;
  collect_texts(j->out->task, &all);
  qsort(all.items, all.count, sizeof *all.items, compare_texts);
  ho_node *kept = ho_node_new(j->arena, HO_KIND_MAP), *fields = ho_node_new(j->arena, HO_KIND_MAP);
  HO_EACH_CONST (child, bound) {
    ho_path at = {NULL, child->key, 0};
    if (ho_node_empty(child) || has_moved(child, &all))
      continue;
    ho_map_add(fields, child->key, ho_node_copy(j->arena, child));
    ho_list_add(j->out->kept, ho_node_text(j->arena, ho_path_pointer(j->arena, &at)));
  }
  ho_map_addz(kept, "from", ho_node_textz(j->arena, j->out->from->format->name));
  if (fields && fields->count)
    ho_map_addz(kept, "fields", fields);
  ho_map_addz(j->out->task, HO_KEPT, kept);
}

static ho_code convert(job *j, const ho_format *task, const ho_node *original, ho_error *err)
{
  const ho_format *format = j->out->from->format;
  ho_node *raw = ho_node_copy(j->arena, original);
  if (raw && j->out->from->prepare)
    j->out->from->prepare(raw, j->arena);
  prepare(format, raw, j->arena);
  ho_node *bound = raw ? ho_bind(format, raw, NULL, j->arena, &j->doc.report) : NULL;
  j->out->task = bound ? ho_move(format, bound, task, j->arena) : NULL;
  ho_code code = ho_arena_code(j->arena, err);
  if (!code)
    keep_fields(j, bound);
  return code ? code : ho_arena_code(j->arena, err);
}

/* An error that says no more than that a fact is missing. */
static bool is_missing_fact(const ho_finding *finding)
{
  return finding->rule == &ho_rule_REQUIRED || ho_str_starts(ho_str_of(finding->rule->id), "task-");
}

static bool has_other_errors(const ho_report *report)
{
  for (size_t i = 0; i < report->count; i++)
    if (report->items[i].severity == HO_ERROR && !is_missing_fact(&report->items[i]))
      return true;
  return false;
}

static ho_code write_once(job *j, const ho_format *task, const ho_check_env *env, ho_error *err)
{
  ho_buf text;
  ho_report ignored;
  ho_imported *out = j->out;
  ho_code code = ho_arena_code(j->arena, err);
  if (code)
    return code;
  ho_report_init(&ignored, j->arena, NULL);
  out->task = ho_bind(task, out->task, NULL, j->arena, &ignored);
  code = ho_arena_code(j->arena, err);
  if (code)
    return code;
  ho_buf_init(&text, 0);
  code = ho_doc_write(task, out->task, HO_YAML, &text, err);
  out->text = ho_buf_move(&text, j->arena);
  if (!code)
    code = ho_arena_code(j->arena, err);
  if (!code)
    code = ho_doc_read(&out->doc, j->arena, HO_STR("imported.handoff.yaml"), out->text, task, err);
  return code ? code : ho_doc_check(&out->doc, env, err);
}

/* What stands in the result is right but for facts that nobody stated. Where the original is so broken that its parts
 * are not (a key that stands twice), it stays as text alone. */
static ho_code write_result(job *j, const ho_format *task, const ho_check_env *env, ho_error *err)
{
  ho_imported *out = j->out;
  drop_placeholders(out->task);
  drop_hollow(task, out->task);
  drop_placeholders(out->task);
  keep_original(j, out->task);
  ho_code code = write_once(j, task, env, err);
  if (code == HO_OK && has_other_errors(&out->doc.report)) {
    ho_node *kept = ho_map_getz(out->task, HO_KEPT);
    ho_node_remove(kept, ho_map_getz(kept, "fields"));
    code = write_once(j, task, env, err);
  }
  if (code == HO_OK && has_other_errors(&out->doc.report)) {
    out->task = ho_node_new(j->arena, HO_KIND_MAP);
    keep_original(j, out->task);
    code = write_once(j, task, env, err);
  }
  return code;
}

/* What the reader had to say; what the table does not know is kept and no matter. */
static void take_report(job *j)
{
  ho_report_init(&j->out->report, j->arena, &j->doc.source);
  for (size_t i = 0; i < j->doc.report.count; i++) {
    const ho_finding *f = &j->doc.report.items[i];
    if (f->rule != &ho_rule_UNKNOWN_KEY && f->rule != &ho_rule_KEY_ALIAS && f->rule != &ho_rule_SYNONYM &&
        f->rule != &ho_rule_SCALAR_FOR_RECORD)
      ho_report_add_as(&j->out->report, f->rule, f->severity == HO_ERROR ? HO_WARNING : f->severity, f->offset, NULL,
                       "%.*s%s%.*s", HO_ARG(f->pointer), f->pointer.n ? ": " : "", HO_ARG(f->message));
  }
}

ho_code ho_import(ho_str path, ho_str text, bool named, ho_str root, const ho_check_env *env, ho_arena *arena,
                  ho_imported *out, ho_error *err)
{
  const ho_format *task = ho_format_named(HO_STR("task"));
  job *j = HO_NEW(arena, job);
  *out = (ho_imported){.kept = ho_node_new(arena, HO_KIND_LIST)};
  ho_code code = ho_arena_code(arena, err);
  if (code)
    return code;
  *j = (job){.path = path, .text = text, .root = root, .named = named, .arena = arena, .out = out};
  code = read_original(j, err);
  if (code)
    return code;
  out->from = recognise(j, false);
  out->ours = out->from ? NULL : j->doc.format;
  if (!out->from && !out->ours && named)
    out->from = recognise(j, true);
  if (!out->from && (out->ours || !named)) {
    take_report(j);
    return ho_arena_code(arena, err);
  }
  ho_node *raw = j->raw;
  if (!out->from)
    out->from = &plain_text;
  if (out->from->format->read_markdown && j->from == HO_MARKDOWN)
    code = out->from->format->read_markdown(out->from->format, &j->doc.source, &j->doc.md, arena, &j->doc.report, &raw,
                                            err);
  if (!code && out->from == &plain_text)
    out->task = ho_node_new(arena, HO_KIND_MAP);
  else if (!code)
    code = convert(j, task, raw, err);
  if (!code && out->from == &plain_text && j->from == HO_MARKDOWN)
    read_words(j);
  take_report(j);
  return code ? code : write_result(j, task, env, err);
}
