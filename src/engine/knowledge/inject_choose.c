/* Which facts are relevant to a task, and how near they are. */
#include "base/grow.h"
#include "engine/knowledge/inject_parts.h"
#include "engine/project/identity.h"
#include "model/formats/formats.h"
#include "model/lifecycle.h"

enum { OF_A_TASK = 120, TASKS = 24, FILES = 4, TAGS = 4, OF_A_PLACE = 3, OF_THE_PROJECT = 4, STEPS = 16 };

_Static_assert(TASKS + (1 + OF_A_PLACE + FILES + TAGS) * OF_A_PLACE + OF_THE_PROJECT <= HO_INJECT_GROUPS,
               "each task has a group");

/* The group of a task, created if missing; looks up its name. */
static ho_code group_of(ho_injecting *in, ho_str task, int near, size_t *out, ho_error *err)
{
  ho_known known;
  bool found = false;
  for (*out = 0; *out < in->group_count; ++*out)
    if (ho_str_eq(in->groups[*out].task, task)) {
      if (near < in->groups[*out].near)
        in->groups[*out].near = near;
      return HO_OK;
    }
  in->groups[in->group_count++] = (ho_inject_group){.task = task, .near = near};
  ho_code code = task.n ? ho_known_by_id(in->project->store, ho_knowledge_id(in->arena, HO_KNOWN_TASK, task), in->arena,
                                         &known, &found, err)
                        : HO_OK;
  if (!code && found)
    in->groups[*out].name = ho_know_detail(&known, in->arena, "name");
  return code;
}

ho_code ho_inject_place(ho_injecting *in, ho_inject_item *item, ho_error *err)
{
  ho_str task = HO_EMPTY;
  if (item->group != HO_NONE)
    return HO_OK;
  ho_code code = ho_known_last_task(in->project->store, item->known.n, in->arena, &task, err);
  return code ? code : group_of(in, task, item->near, &item->group, err);
}

/* The section that a fact belongs to, if any. note: what the place where it was said adds; nobody can use a file without
 * a reason to read it. */
static bool section_of(const ho_known *known, ho_str role, ho_str note, ho_inject_section *out)
{
  bool open = known->state == HO_KNOWN_OPEN;
  bool to_read = known->kind == HO_KNOWN_ARTIFACT || (known->kind == HO_KNOWN_FILE && ho_str_is(role, "references"));
  if (to_read && note.n)
    *out = HO_INJECT_FILES;
  else if (known->kind == HO_KNOWN_PATTERN && open)
    *out = HO_INJECT_PATTERNS;
  else if (known->kind == HO_KNOWN_GOTCHA && open && known->severity != HO_KNOWN_LOW)
    *out = HO_INJECT_WARNINGS;
  else if (known->kind == HO_KNOWN_QUESTION && open && known->severity == HO_KNOWN_HIGH)
    *out = HO_INJECT_QUESTIONS;
  else if (known->kind == HO_KNOWN_DECISION && open)
    *out = HO_INJECT_DECISIONS;
  else if (known->kind == HO_KNOWN_DEAD_END && open)
    *out = HO_INJECT_DEAD_ENDS;
  else if (known->kind == HO_KNOWN_BLOCKER && open)
    *out = HO_INJECT_BLOCKERS;
  else if (known->kind == HO_KNOWN_STEP && open && ho_str_is(role, "next"))
    *out = HO_INJECT_STEPS;
  else
    return false;
  return true;
}

static void add(ho_injecting *in, const ho_known *known, ho_str note, ho_inject_section section, size_t group, int near)
{
  for (size_t i = 0; i < in->count; i++)
    if (in->items[i].known.n == known->n && in->items[i].section == section)
      return;
  ho_inject_item *item = in->count < HO_INJECT_ITEMS ? HO_PUSH(in->arena, in->items, in->count) : NULL;
  if (item)
    *item = (ho_inject_item){.known = *known, .note = note, .section = section, .group = group, .near = near};
}

static void add_step(ho_injecting *in, ho_str text)
{
  if (in->steps && in->steps->count < STEPS && !ho_list_has(in->steps, text))
    ho_list_add(in->steps, ho_node_text(in->arena, text));
}

static ho_code add_found(ho_injecting *in, int64_t n, int near, ho_error *err)
{
  ho_known known;
  ho_inject_section section;
  bool found;
  ho_code code = ho_known_get(in->project->store, n, in->arena, &known, &found, err);
  if (!code && found && section_of(&known, HO_EMPTY, HO_EMPTY, &section))
    add(in, &known, HO_EMPTY, section, HO_NONE, near);
  return code;
}

static ho_code add_linked(ho_injecting *in, int64_t to, ho_edge_type type, int near, ho_error *err)
{
  ho_edge_list edges;
  ho_code code = ho_known_edges_to(in->project->store, to, type, OF_A_PLACE, in->arena, &edges, err);
  for (size_t i = 0; !code && i < edges.count; i++)
    code = add_found(in, edges.rows[i].from, near, err);
  return code;
}

/* ---- Tasks */

typedef struct task_list {
  ho_str ids[TASKS];
  int near[TASKS];
  size_t count;
} task_list;

static void add_task(task_list *tasks, ho_str id, int near)
{
  for (size_t i = 0; i < tasks->count; i++)
    if (ho_str_eq(tasks->ids[i], id))
      return;
  if (tasks->count < TASKS && id.n) {
    tasks->ids[tasks->count] = id;
    tasks->near[tasks->count++] = near;
  }
}

/* Adds a task that somebody says it depends on, however they spell it. */
static ho_code add_named(ho_injecting *in, task_list *tasks, ho_str said, ho_error *err)
{
  ho_str id;
  ho_code code = ho_knowledge_task(in->project, in->arena, said, &id, err);
  if (!code)
    add_task(tasks, id, 1);
  return code;
}

/* Adds the tasks that a task depends on, according to the store. */
static ho_code add_depends(ho_injecting *in, task_list *tasks, ho_str id, int near, ho_error *err)
{
  ho_known task, other;
  ho_edge_list edges = {0};
  bool found;
  ho_code code =
      ho_known_by_id(in->project->store, ho_knowledge_id(in->arena, HO_KNOWN_TASK, id), in->arena, &task, &found, err);
  if (!code && found)
    code = ho_known_edges_from(in->project->store, task.n, HO_EDGE_DEPENDS_ON, TASKS, in->arena, &edges, err);
  for (size_t i = 0; !code && i < edges.count; i++) {
    code = ho_known_get(in->project->store, edges.rows[i].to, in->arena, &other, &found, err);
    if (!code && found && other.kind == HO_KNOWN_TASK)
      add_task(tasks, other.text, near);
  }
  return code;
}

/* What the receiver is asked for, and not what somebody may do after the work. */
static bool asks_for_it(ho_str kind)
{
  return ho_str_is(kind, ho_format_request.name) || ho_str_is(kind, ho_format_package.name);
}

/* Is a step that this handoff suggested no step to take? A request or package that has ended was done, and so was what the
 * handoff of a phase begins with. What a superseded handoff suggested is replaced by what its successor suggests, also after it was
 * archived. One that waits for a person delivers nothing, and one that was rejected never does; what a person was asked is
 * settled by the decision. */
static bool is_no_step(ho_injecting *in, ho_str origin)
{
  ho_handoff row;
  ho_error none = {0};
  ho_state state;
  if (!ho_id_fits(origin) || ho_handoffs_get(in->project->store, origin, in->arena, &row, &none) ||
      !ho_state_named(row.state, &state))
    return false;
  return ho_str_is(row.type, "escalation") || row.superseded_by.n || state == HO_STATE_GATED ||
         state == HO_STATE_REJECTED || (asks_for_it(row.kind) && !ho_state_open(state)) ||
         (ho_str_is(row.kind, ho_format_artifact.name) && (state == HO_STATE_DONE || state == HO_STATE_ARCHIVED));
}

/* Adds what the documents of one task say. */
static ho_code add_said(ho_injecting *in, ho_str task, int near, ho_known_said_list *said, ho_error *err)
{
  size_t group = HO_NONE;
  ho_code code = ho_known_of_task(in->project->store, task, OF_A_TASK, in->arena, said, err);
  for (size_t i = 0; !code && i < said->count; i++) {
    const ho_known_said *s = &said->rows[i];
    ho_inject_section section;
    bool left_out = s->known.kind == HO_KNOWN_STEP && is_no_step(in, s->origin);
    if (s->known.kind == HO_KNOWN_STEP && !left_out)
      add_step(in, s->known.text);
    if (s->closed_by.n || !section_of(&s->known, s->role, s->note, &section) ||
        (section == HO_INJECT_STEPS && left_out))
      continue;
    code = group_of(in, task, near, &group, err);
    if (!code)
      add(in, &s->known, s->note, section, group, near);
  }
  return code;
}

static ho_code add_tasks(ho_injecting *in, ho_known_said_list *own, ho_error *err)
{
  task_list tasks = {0};
  ho_known_said_list said;
  add_task(&tasks, in->task, 0);
  ho_node *named = NULL;
  ho_code code = HO_OK;
  for (size_t i = 0; !code && i < in->depend_count; i++)
    code = add_named(in, &tasks, in->depends[i], err);
  if (!code)
    code = add_depends(in, &tasks, in->task, 1, err);
  if (!code)
    code = ho_inject_file_depends(in, &named, err);
  HO_EACH_CONST (id, named)
    if (!code)
      code = add_named(in, &tasks, id->text, err);
  for (size_t i = 0, direct = tasks.count; !code && i < direct; i++)
    if (tasks.near[i] == 1)
      code = add_depends(in, &tasks, tasks.ids[i], 2, err);
  for (size_t i = 0; !code && i < tasks.count; i++)
    code = add_said(in, tasks.ids[i], tasks.near[i], i ? &said : own, err);
  return code;
}

/* ---- Files and tags */

/* Adds what is linked to the places that facts of the task lead to. */
static ho_code add_by_ends(ho_injecting *in, ho_edge_type type, size_t most, int near, ho_error *err)
{
  ho_numbers ends = {0};
  ho_code code = most ? ho_known_ends(in->project->store, in->task, type, (int64_t)most, in->arena, &ends, err) : HO_OK;
  for (size_t i = 0; !code && i < ends.count; i++)
    code = add_linked(in, ends.rows[i], type, near, err);
  return code;
}

/* Files that the task names come before those that its facts are located in. */
static ho_code add_by_files(ho_injecting *in, const ho_known_said_list *own, ho_error *err)
{
  ho_code code = HO_OK;
  size_t files = 0;
  for (size_t i = 0; !code && i < own->count && files < FILES; i++)
    if (own->rows[i].known.kind == HO_KNOWN_FILE) {
      code = add_linked(in, own->rows[i].known.n, HO_EDGE_LOCATED_IN, 3, err);
      files++;
    }
  return code ? code : add_by_ends(in, HO_EDGE_LOCATED_IN, FILES - files, 3, err);
}

static ho_code add_by_tag(ho_injecting *in, ho_str tag, ho_error *err)
{
  ho_known known;
  bool found;
  ho_code code =
      ho_known_by_id(in->project->store, ho_knowledge_id(in->arena, HO_KNOWN_TAG, tag), in->arena, &known, &found, err);
  return code || !found ? code : add_linked(in, known.n, HO_EDGE_APPLIES_TO, 4, err);
}

/* By the words of the task's name, and the tags of what it said. */
static ho_code add_by_tags(ho_injecting *in, ho_error *err)
{
  ho_known task;
  bool found;
  size_t tags = 0;
  ho_code code = ho_known_by_id(in->project->store, ho_knowledge_id(in->arena, HO_KNOWN_TASK, in->task), in->arena,
                                &task, &found, err);
  ho_str rest = !code && found ? ho_know_detail(&task, in->arena, "name") : HO_EMPTY, word;
  while (!code && rest.n && tags < TAGS && ho_str_next(&rest, ' ', &word)) {
    word = ho_knowledge_tag(in->arena, word);
    if (word.n > 2 && ++tags)
      code = add_by_tag(in, word, err);
  }
  return code ? code : add_by_ends(in, HO_EDGE_APPLIES_TO, TAGS - tags, 4, err);
}

/* What blocks the task, whoever said so, and how that was answered. */
static ho_code add_blockers(ho_injecting *in, ho_error *err)
{
  ho_known task;
  ho_edge_list edges = {0};
  bool found;
  ho_code code = ho_known_by_id(in->project->store, ho_knowledge_id(in->arena, HO_KNOWN_TASK, in->task), in->arena,
                                &task, &found, err);
  if (!code && found)
    code = ho_known_edges_to(in->project->store, task.n, HO_EDGE_BLOCKS, OF_A_PLACE, in->arena, &edges, err);
  for (size_t i = 0; !code && i < edges.count; i++) {
    code = add_found(in, edges.rows[i].from, 1, err);
    if (!code)
      code = add_linked(in, edges.rows[i].from, HO_EDGE_ANSWERS, 1, err);
  }
  return code;
}

static ho_code add_of_project(ho_injecting *in, ho_error *err)
{
  ho_known_list list;
  ho_code code = ho_known_of_kind(in->project->store, HO_KNOWN_GOTCHA, HO_KNOWN_OPEN, HO_KNOWN_HIGH, OF_THE_PROJECT,
                                  in->arena, &list, err);
  for (size_t i = 0; !code && i < list.count; i++)
    code = add_found(in, list.rows[i].n, HO_INJECT_FARTHEST, err);
  return code;
}

/* ---- Order */

/* How severe it is. The priority of a next step is not a severity. */
static int64_t weight(const ho_inject_item *item)
{
  return item->section == HO_INJECT_STEPS ? HO_KNOWN_NONE : item->known.severity;
}

static int compare(const void *left, const void *right)
{
  static const int order[HO_INJECT_SECTIONS] = {
      [HO_INJECT_WARNINGS] = 0,  [HO_INJECT_BLOCKERS] = 1, [HO_INJECT_QUESTIONS] = 2, [HO_INJECT_DEAD_ENDS] = 3,
      [HO_INJECT_DECISIONS] = 4, [HO_INJECT_FILES] = 5,    [HO_INJECT_PATTERNS] = 6,  [HO_INJECT_STEPS] = 7};
  const ho_inject_item *a = left, *b = right;
  int64_t x = weight(a), y = weight(b);
  if (x != y)
    return x > y ? -1 : 1;
  if (a->near != b->near)
    return a->near < b->near ? -1 : 1;
  if (a->section != b->section)
    return order[a->section] < order[b->section] ? -1 : 1;
  if (a->known.last != b->known.last)
    return a->known.last > b->known.last ? -1 : 1;
  return ho_str_cmp(a->known.id, b->known.id);
}

ho_code ho_inject_choose(ho_injecting *in, ho_error *err)
{
  ho_known_said_list own = {0};
  in->count = in->group_count = 0;
  ho_code code = add_tasks(in, &own, err);
  if (!code)
    code = add_blockers(in, err);
  if (!code)
    code = add_by_files(in, &own, err);
  if (!code)
    code = add_by_tags(in, err);
  if (!code)
    code = add_of_project(in, err);
  if (!code && in->count)
    qsort(in->items, in->count, sizeof *in->items, compare);
  return code;
}
