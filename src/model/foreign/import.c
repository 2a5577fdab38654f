/* Turns a document of another tool into a task handoff, with the whole original kept beside it. */
#include "model/bind.h"
#include "model/convert/convert.h"
#include "model/convert/convert_move.h"
#include "model/foreign/import_parts.h"
#include "model/formats/formats.h"
#include "model/notes/notes.h"
#include "model/general_rules.h"
#include "model/document/write.h"

const ho_foreign ho_foreign_formats[] = {
    {.format = &ho_foreign_continuous},
    {.format = &ho_foreign_orchestrator, .prepare = ho_foreign_prepare_orchestrator},
    {.format = &ho_foreign_humanlayer},
    {.format = &ho_foreign_report, .named_only = true},
    {0}};

/* Text, for what no table fits. Only its decisions are named: a task has no place for them. */
static const ho_field plain_fields[] = {{.name = "decisions",
                                         .label = "Decisions",
                                         .aliases = "decision|key decisions|design decisions|decisions made",
                                         .doc = "What was decided.",
                                         .type = HO_T_LIST,
                                         .item = HO_T_TEXT,
                                         .role = HO_ROLE_DECISIONS,
                                         .shape = HO_SHAPE_BULLETS},
                                        HO_FIELDS_END};
static const ho_record plain_record = {.name = "text", .fields = plain_fields};
static const ho_format plain = {.name = "text",
                                .title = "Text",
                                .encoding = HO_MARKDOWN,
                                .root = &plain_record,
                                .read_markdown = ho_foreign_read_markdown};
static const ho_foreign plain_text = {.format = &plain, .named_only = true};

/* Reads a text that no table fits by its words. */
static void read_words(ho_import_job *j, const ho_node *sections)
{
  ho_notes notes;
  const ho_node *decisions = ho_map_getz(sections, plain_fields[0].name);
  ho_notes_read(&j->doc.source, &j->doc.md, j->doc.md.blocks, NULL, j->root, j->arena, &notes);
  HO_EACH (child, notes.task)
    ho_map_set(j->out->task, child->key, ho_node_copy(j->arena, child));
  if (!decisions || j->arena->failed)
    return;
  ho_node *named = ho_node_new(j->arena, HO_KIND_MAP);
  ho_map_addz(named, plain_fields[0].name, ho_node_copy(j->arena, decisions));
  ho_import_keep_fields(j, named);
}

/* Reads by the table: returns the tree as a task; *bound is the tree in terms of its own format. */
static ho_node *read_table(ho_import_job *j, const ho_format *task, const ho_node *original, ho_report *report,
                           ho_node **bound)
{
  const ho_format *format = j->out->from->format;
  ho_node *raw = ho_node_copy(j->arena, original);
  if (raw && j->out->from->prepare)
    j->out->from->prepare(raw, j->arena);
  ho_import_shape(format, raw, j->arena);
  *bound = raw ? ho_bind(format, raw, NULL, j->arena, report) : NULL;
  return *bound ? ho_move(format, *bound, task, j->arena) : NULL;
}

/* Adds what the task does not have yet. */
static void fill(ho_node *task, const ho_node *from, bool files, ho_arena *arena)
{
  HO_EACH_CONST (child, from)
    if (ho_node_empty(ho_map_get(task, child->key)) && (files || !ho_str_starts(child->key, "files_")))
      ho_map_set(task, child->key, ho_node_copy(arena, child));
}

/* Sections whose items were already taken by their words are not kept a second time. */
static void drop_read(const ho_import_job *j, const ho_format *task, const ho_node *words, ho_node *bound)
{
  const ho_record *own = j->out->from->format->root;
  unsigned long long roles = 0;
  bool alias;
  HO_EACH_CONST (child, words) {
    const ho_field *field = ho_record_field(task->root, child->key, &alias);
    roles |= field ? 1ULL << field->role : 0;
  }
  for (ho_node *child = bound->first, *next; child; child = next) {
    bool more = ho_str_starts(child->key, "x_") && ho_str_ends(child->key, "_more"); /* the rest of a section */
    ho_str key = more ? ho_str_sub(child->key, 2, child->key.n - 5) : child->key;
    const ho_field *field = ho_record_field(own, key, &alias);
    next = child->next;
    if (field && field->role != HO_ROLE_NONE && roles & 1ULL << field->role && !ho_map_get(j->raw, child->key))
      ho_node_remove(bound, child);
  }
}

/* A Markdown document: its front matter by the table; its sections by what headings and words say, which also covers
 * subheadings and tables; then by the table whatever is still missing. */
static void read_sections(ho_import_job *j, const ho_format *task, ho_node *bound)
{
  ho_report ignored;
  ho_node *front, *by_table = j->out->task, *result = ho_node_new(j->arena, HO_KIND_MAP);
  ho_notes notes;
  ho_report_init(&ignored, j->arena, &j->doc.source);
  if (ho_node_is(j->raw, HO_KIND_MAP))
    fill(result, read_table(j, task, j->raw, &ignored, &front), true, j->arena);
  ho_notes_read(&j->doc.source, &j->doc.md, j->doc.md.blocks, NULL, j->root, j->arena, &notes);
  if (j->arena->failed)
    return;
  bool files = ho_map_getz(notes.task, "files_created") || ho_map_getz(notes.task, "files_modified");
  fill(result, notes.task, true, j->arena);
  fill(result, by_table, !files, j->arena);
  drop_read(j, task, notes.task, bound);
  j->out->task = result;
}

static ho_code convert(ho_import_job *j, const ho_format *task, const ho_node *original, ho_error *err)
{
  ho_node *bound = NULL;
  j->out->task = read_table(j, task, original, &j->doc.report, &bound);
  ho_code code = ho_arena_code(j->arena, err);
  if (!code && j->from == HO_MARKDOWN)
    read_sections(j, task, bound);
  if (!code)
    code = ho_arena_code(j->arena, err);
  if (!code)
    ho_import_keep_fields(j, bound);
  return code ? code : ho_arena_code(j->arena, err);
}

/* Is the error only that a fact is missing? */
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

static ho_code write_once(ho_import_job *j, const ho_format *task, const ho_check_env *env, ho_error *err)
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

/* The result is valid except for facts that nobody stated. If the original is too broken for its parts to be valid
 * (a key occurs twice), it is kept as text only. */
static ho_code write_result(ho_import_job *j, const ho_format *task, const ho_check_env *env, ho_error *err)
{
  ho_imported *out = j->out;
  ho_import_facts(task, out->task);
  ho_import_keep_text(j, out->task);
  ho_code code = write_once(j, task, env, err);
  if (code == HO_OK && has_other_errors(&out->doc.report)) {
    ho_node *kept = ho_map_getz(out->task, HO_KEPT);
    ho_node_remove(kept, ho_map_getz(kept, "fields"));
    code = write_once(j, task, env, err);
  }
  if (code == HO_OK && has_other_errors(&out->doc.report)) {
    out->task = ho_node_new(j->arena, HO_KIND_MAP);
    ho_import_keep_text(j, out->task);
    code = write_once(j, task, env, err);
  }
  return code;
}

/* Takes over what the reader reported. Unknown keys are kept, so they are not worth a finding. */
static void take_report(ho_import_job *j)
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
  const ho_format *task = &ho_format_task;
  ho_import_job *j = HO_NEW(arena, ho_import_job);
  *out = (ho_imported){.kept = ho_node_new(arena, HO_KIND_LIST)};
  ho_code code = ho_arena_code(arena, err);
  if (code)
    return code;
  *j = (ho_import_job){.path = path, .text = text, .root = root, .named = named, .arena = arena, .out = out};
  code = ho_import_read(j, err);
  if (code)
    return code;
  out->from = ho_import_recognise(j, false);
  out->ours = out->from ? NULL : j->doc.format;
  if (!out->from && !out->ours && named)
    out->from = ho_import_recognise(j, true);
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
    read_words(j, raw);
  take_report(j);
  return code ? code : write_result(j, task, env, err);
}
