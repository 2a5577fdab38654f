/* Extracts the steps of plans and workflows from the bound tree. */
#include "engine/plan/plan_steps.h"

#include "base/fs.h"
#include "engine/project/identity.h"
#include "engine/plan/plan_steps_parts.h"
#include "model/formats/formats.h"
#include "model/formats/names.h"

enum { KEY_SIZE = 64 };

/* What the markers of real plans mean; the first that matches the beginning counts. */
static const struct {
  const char *start;
  ho_plan_status status;
} markers[] = {
    {"NOT STARTED", HO_PLAN_WAITING}, {"IN PROGRESS", HO_PLAN_RUNNING}, {"IMPLEMENTING", HO_PLAN_RUNNING},
    {"PARTIAL", HO_PLAN_PARTIAL},     {"BLOCKED", HO_PLAN_BLOCKED},     {"COMPLETED - PARTIAL", HO_PLAN_PARTIAL},
    {"COMPLETE", HO_PLAN_DONE},       {"DONE", HO_PLAN_DONE},           {"SKIPPED", HO_PLAN_SKIPPED},
    {"DEFERRED", HO_PLAN_HELD},       {"ABANDONED", HO_PLAN_HELD},
};

const char *ho_plan_steps_marker(ho_plan_status status)
{
  static const char *const names[] = {"NOT STARTED", "IN PROGRESS", "PARTIAL", "BLOCKED",
                                      "COMPLETED",   "SKIPPED",     "DEFERRED"};
  return names[status];
}

const char *ho_plan_steps_kind_name(ho_plan_kind kind)
{
  static const char *const names[] = {"write", "research", "validate", "parallel"};
  return names[kind];
}

static ho_plan_status status_of(ho_str marker)
{
  for (size_t i = 0; i < HO_COUNT(markers); i++)
    if (ho_str_starts_nocase(marker, markers[i].start))
      return markers[i].status;
  return HO_PLAN_WAITING;
}

static size_t texts_of(ho_arena *arena, const ho_node *list, ho_str **out)
{
  size_t count = 0;
  *out = ho_node_is(list, HO_KIND_LIST) ? ho_arena_array(arena, list->count, sizeof **out) : NULL;
  if (*out)
    HO_EACH_CONST (item, list)
      (*out)[count++] = ho_node_str(item);
  return count;
}

/* --- one step ------------------------------------------------------------------------------------------------------ */

/* The id with dashes for characters that a file name should not contain. */
static ho_str key_of(ho_arena *arena, ho_str id)
{
  char text[KEY_SIZE + 1];
  size_t n = 0;
  for (ho_str rest = ho_id_plain(id); n < rest.n && n < KEY_SIZE; n++)
    text[n] = isalnum((unsigned char)rest.p[n]) || (n && strchr(".-", rest.p[n])) ? rest.p[n] : '-';
  if (n && text[0] == '-')
    text[0] = 'x';
  return ho_arena_copy(arena, (ho_str){text, n});
}

/* Finds the marker; if there is none, the end of the heading's text, after "Phase 1:" if it has no name. */
static void find_marker(const ho_doc *doc, const ho_node *phase, ho_plan_step *step)
{
  const ho_node *status = ho_map_getz(phase, "status"), *name = ho_map_getz(phase, "name"),
                *id = ho_map_getz(phase, "id");
  if (status && status->begin != HO_NOWHERE) {
    step->mark_begin = status->begin;
    step->mark_end = status->end;
    return;
  }
  step->mark_begin = name ? name->end : id->end;
  if (!name && step->mark_begin < doc->source.text.n && doc->source.text.p[step->mark_begin] == ':')
    step->mark_begin++;
  step->mark_end = step->mark_begin;
}

/* From a phase's heading to the next phase or to a heading of the same level; *block advances from one to the next. */
static ho_str section_of(const ho_doc *doc, const ho_node *phase, uint32_t next, const ho_md_block **block)
{
  while (*block && (*block)->begin < phase->begin)
    *block = (*block)->next;
  const ho_md_block *heading = *block;
  uint32_t end = phase->end;
  if (!heading)
    return HO_EMPTY;
  for (const ho_md_block *each = heading->next; each && each->begin < next; each = each->next) {
    if (each->kind == HO_MD_HEADING && each->level <= heading->level)
      break;
    if (each->kind != HO_MD_RULE)
      end = each->end;
    *block = each;
  }
  return ho_str_sub(doc->source.text, phase->begin, end);
}

static void read_tasks(ho_arena *arena, const ho_node *list, ho_plan_step *step)
{
  step->tasks = ho_node_is(list, HO_KIND_LIST) ? ho_arena_array(arena, list->count, sizeof *step->tasks) : NULL;
  if (step->tasks)
    HO_EACH_CONST (item, list) {
      const ho_node *box = ho_map_getz(item, "done");
      bool placed = box && box->begin != HO_NOWHERE && item->end != HO_NOWHERE && item->end > box->begin;
      if (ho_map_str(item, "text").n)
        step->tasks[step->task_count++] = (ho_plan_task){.text = ho_map_str(item, "text"),
                                                         .done = ho_node_true(box),
                                                         .begin = placed ? box->begin : 0,
                                                         .end = placed ? item->end : 0};
    }
}

static void read_phase(ho_arena *arena, const ho_doc *doc, const ho_node *phase, ho_plan_step *step)
{
  step->id = ho_map_str(phase, "id");
  step->name = ho_map_str(phase, "name");
  step->marker = ho_map_str(phase, "status");
  step->status = status_of(step->marker);
  step->goal = ho_map_str(phase, "goal");
  step->file_count = texts_of(arena, ho_map_getz(phase, "files"), &step->files);
  step->check_count = texts_of(arena, ho_map_getz(phase, "verification"), &step->checks);
  read_tasks(arena, ho_map_getz(phase, "tasks"), step);
  find_marker(doc, phase, step);
}

static int64_t number_of(const ho_node *map, const char *key)
{
  long long number = ho_map_int(map, key);
  return number > 0 ? (int64_t)number : 0;
}

static void read_workflow_step(ho_arena *arena, const ho_node *item, ho_plan_step *step)
{
  ho_str kind = ho_map_str(item, "kind"), gate = ho_map_str(item, "gate");
  const ho_node *budget = ho_map_getz(item, "budget");
  step->id = ho_map_str(item, "name");
  step->goal = ho_map_str(item, "instructions");
  step->agent = ho_map_str(item, "agent");
  step->rule = ho_map_str(item, "rule");
  step->feature = ho_map_str(item, "feature");
  step->spec = ho_map_str(item, "spec");
  step->output = ho_map_str(item, "expected_output");
  step->file_count = texts_of(arena, ho_map_getz(item, "files"), &step->files);
  step->constraint_count = texts_of(arena, ho_map_getz(item, "constraints"), &step->constraints);
  step->criterion_count = texts_of(arena, ho_map_getz(item, "success_criteria"), &step->criteria);
  for (ho_plan_kind each = HO_PLAN_WRITE; each <= HO_PLAN_PARALLEL; each++)
    if (ho_str_is(kind, ho_plan_steps_kind_name(each)))
      step->kind = each;
  if (step->kind == HO_PLAN_PARALLEL && !step->rule.n)
    step->rule = HO_STR("all");
  if (ho_str_is(gate, "blocking"))
    step->gate = HO_PLAN_BLOCKING_GATE;
  else if (ho_str_is(gate, "advisory"))
    step->gate = HO_PLAN_ADVISORY;
  step->budget_tokens = number_of(budget, "tokens");
  step->budget_seconds = number_of(budget, "seconds");
}

/* --- the whole ----------------------------------------------------------------------------------------------------- */

static void read_needs(ho_arena *arena, const ho_names *names, const ho_node *list, ho_plan_step *step)
{
  step->needs = ho_node_is(list, HO_KIND_LIST) ? ho_arena_array(arena, list->count, sizeof *step->needs) : NULL;
  if (step->needs)
    HO_EACH_CONST (id, list) {
      const ho_name *needed = ho_names_find(names, ho_node_str(id));
      if (needed)
        step->needs[step->need_count++] = needed->index;
    }
}

/* The task's number and slug: both from the folder, but the number preferably from the text. */
static void name_task(ho_arena *arena, const ho_node *root, ho_plan_steps *out)
{
  ho_str folder = ho_fs_name(ho_fs_parent(ho_fs_parent(out->path)));
  size_t bar = ho_str_find_char(folder, '_');
  bool placed = bar != HO_NONE && isdigit((unsigned char)folder.p[0]);
  out->task = ho_map_str(root, "task");
  out->title = ho_map_str(root, "task_name").n ? ho_map_str(root, "task_name") : ho_map_str(root, "title");
  if (!out->title.n)
    out->title = ho_map_str(root, "name");
  if (placed)
    out->slug = ho_arena_copy(arena, ho_str_sub(folder, bar + 1, folder.n));
  if (placed && !out->task.n)
    out->task = ho_arena_copy(arena, ho_str_sub(folder, 0, bar));
  out->task = ho_id_plain(out->task);
}

static void read_items(ho_arena *arena, const ho_doc *doc, const ho_node *list, ho_plan_steps *out)
{
  bool plan = out->format == &ho_format_plan;
  ho_names names = ho_names_of(arena, list, plan ? "id" : "name");
  const ho_md_block *block = doc->md.blocks;
  HO_EACH_CONST (item, list) {
    ho_plan_step *step = &out->items[out->count++];
    if (plan) {
      read_phase(arena, doc, item, step);
      step->section = section_of(doc, item, item->next ? item->next->begin : HO_NOWHERE, &block);
    } else {
      read_workflow_step(arena, item, step);
    }
    step->key = key_of(arena, step->id);
    step->line = item->begin == HO_NOWHERE ? 0 : ho_source_line_at(&doc->source, item->begin);
    read_needs(arena, &names, ho_map_getz(item, plan ? "dependencies" : "depends_on"), step);
  }
}

/* Why it is neither, and what to write. */
static ho_code refuse(const ho_doc *doc, ho_str path, ho_error *err)
{
  if (doc->format)
    return ho_fail_file(err, HO_INVALID, path, "is neither a plan nor a workflow, but has the format %s",
                        doc->format->name);
  if (doc->encoding != HO_MARKDOWN)
    return ho_fail_file(err, HO_INVALID, path,
                        "is neither a plan nor a workflow: it has no steps; see: handoff template workflow");
  return ho_fail_file(err, HO_INVALID, path,
                      "is neither a plan nor a workflow: it has no headings like '## Phase 1: Name'; see: handoff "
                      "template plan");
}

/* Whatever its title is, a text with phases under headings is a plan to whoever runs it. */
static ho_code read_as_plan(ho_arena *arena, ho_str path, ho_str text, ho_doc *doc, ho_error *err)
{
  ho_code code = ho_doc_read(doc, arena, path, text, NULL, err);
  if (code || doc->format || doc->encoding != HO_MARKDOWN)
    return code;
  code = ho_doc_read(doc, arena, path, text, &ho_format_plan, err);
  if (!code && ho_node_empty(ho_map_getz(doc->root, "phases")))
    doc->format = NULL;
  return code;
}

ho_code ho_plan_steps_parse(ho_arena *arena, ho_str path, ho_str text, ho_doc *doc, ho_plan_steps *out, ho_error *err)
{
  ho_code code = read_as_plan(arena, path, text, doc, err);
  if (code)
    return code;
  *out = (ho_plan_steps){.format = doc->format, .path = path, .hash = ho_str_hash(text)};
  if (doc->format != &ho_format_plan && doc->format != &ho_format_workflow)
    return refuse(doc, path, err);
  const ho_node *list = ho_map_getz(doc->root, doc->format == &ho_format_plan ? "phases" : "steps");
  const ho_node *status = ho_map_getz(doc->root, "status");
  if (!ho_node_is(list, HO_KIND_LIST))
    return HO_OK;
  out->items = ho_arena_array(arena, list->count, sizeof *out->items);
  if (!out->items)
    return ho_arena_code(arena, err);
  if (status && status->begin != HO_NOWHERE && text.p[status->begin] == '[') {
    out->head_begin = status->begin;
    out->head_end = status->end;
  }
  read_items(arena, doc, list, out);
  name_task(arena, doc->root, out);
  return ho_arena_code(arena, err);
}

const ho_plan_step *ho_plan_steps_find(const ho_plan_steps *steps, ho_str id)
{
  for (size_t i = 0; i < steps->count; i++)
    if (ho_str_eq(steps->items[i].id, id))
      return &steps->items[i];
  return NULL;
}
