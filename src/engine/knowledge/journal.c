#include "engine/knowledge/journal.h"

#include "base/time.h"

enum { SOURCES = 20, EDGES = 50 };

typedef struct writing {
  ho_project *project;
  ho_arena *arena;
  int64_t limit;
  ho_node *tasks, *left_out;
} writing;

/* Adds the node's tasks, a time under this name, and where it was last said. */
static ho_code put_source(writing *w, const ho_known *known, ho_node *map, const char *when, int64_t at, ho_error *err)
{
  ho_known_source_list said;
  ho_code code = ho_known_sources(w->project->store, known->n, SOURCES, w->arena, &said, err);
  ho_node *tasks = ho_map_addz(map, "tasks", ho_node_new(w->arena, HO_KIND_LIST));
  for (size_t i = 0; !code && i < said.count; i++) {
    bool there = !said.rows[i].task.n;
    HO_EACH_CONST (task, tasks)
      there = there || ho_str_eq(task->text, said.rows[i].task);
    if (!there)
      ho_list_add(tasks, ho_node_text(w->arena, said.rows[i].task));
  }
  ho_map_put(w->arena, map, when, ho_time_str(w->arena, at));
  ho_map_put(w->arena, map, "origin", !code && said.count ? said.rows[0].origin : HO_EMPTY);
  ho_map_addz(map, "line", ho_node_number(w->arena, !code && said.count ? said.rows[0].line : 0));
  return code;
}

/* The newest note that is not empty. */
static ho_code purpose_of(writing *w, const ho_known *known, ho_str *out, ho_error *err)
{
  ho_known_source_list said;
  ho_code code = ho_known_sources(w->project->store, known->n, SOURCES, w->arena, &said, err);
  *out = HO_EMPTY;
  for (size_t i = 0; !code && i < said.count && !out->n; i++)
    *out = said.rows[i].note;
  return code;
}

static ho_code choose(writing *w, ho_known_kind kind, int64_t severity, const char *what, ho_known_list *list,
                      ho_error *err)
{
  int64_t count = 0;
  ho_code code = ho_known_of_kind(w->project->store, kind, HO_KNOWN_OPEN, severity, w->limit, w->arena, list, err);
  if (!code && (int64_t)list->count == w->limit)
    code = ho_known_count(w->project->store, kind, HO_KNOWN_OPEN, severity, &count, err);
  int64_t more = count - (int64_t)list->count;
  ho_map_addz(w->left_out, what, ho_node_number(w->arena, more > 0 ? more : 0));
  return code;
}

static ho_code put_files(writing *w, ho_node *map, ho_error *err)
{
  ho_known_list list;
  ho_code code = choose(w, HO_KNOWN_FILE, 0, "files", &list, err);
  for (size_t i = 0; !code && i < list.count; i++) {
    ho_str purpose;
    ho_node *file = ho_map_add(map, list.rows[i].text, ho_node_new(w->arena, HO_KIND_MAP));
    code = purpose_of(w, &list.rows[i], &purpose, err);
    ho_map_put(w->arena, file, "purpose", purpose);
    if (!code)
      code = put_source(w, &list.rows[i], file, "last", list.rows[i].last, err);
  }
  return code;
}

/* The entry of a task; created if missing. */
static ho_code task_of(writing *w, const ho_known *task, ho_node **out, ho_error *err)
{
  ho_known_origin newest;
  bool found = false;
  *out = ho_map_get(w->tasks, task->text);
  if (*out)
    return HO_OK;
  ho_code code = ho_known_outcome(w->project->store, task->text, w->arena, &newest, &found, err);
  *out = ho_map_add(w->tasks, task->text, ho_node_new(w->arena, HO_KIND_MAP));
  ho_map_put(w->arena, *out, "name", ho_know_detail(task, w->arena, "name"));
  bool part = found && newest.phase.n && ho_str_is(newest.outcome, "completed"); /* one phase of it */
  ho_map_put(w->arena, *out, "status", !found ? HO_STR("open") : part ? HO_STR("partial") : newest.outcome);
  ho_map_addz(*out, "blocked_by", ho_node_new(w->arena, HO_KIND_LIST));
  ho_map_put(w->arena, *out, "last", ho_time_str(w->arena, task->last));
  return code;
}

static ho_code put_blocked(writing *w, const ho_known *blocker, ho_node *names, ho_error *err)
{
  ho_edge_list edges;
  ho_known task;
  ho_node *entry = NULL;
  bool found;
  ho_code code = ho_known_edges_from(w->project->store, blocker->n, HO_EDGE_BLOCKS, EDGES, w->arena, &edges, err);
  for (size_t i = 0; !code && i < edges.count; i++) {
    code = ho_known_get(w->project->store, edges.rows[i].to, w->arena, &task, &found, err);
    if (code || !found)
      continue;
    ho_list_add(names, ho_node_text(w->arena, task.text));
    code = task_of(w, &task, &entry, err);
    ho_map_set(entry, HO_STR("status"), ho_node_textz(w->arena, "blocked"));
    ho_list_add(ho_map_getz(entry, "blocked_by"), ho_node_text(w->arena, blocker->id));
  }
  return code;
}

static ho_code put_blockers(writing *w, ho_node *out, ho_error *err)
{
  ho_known_list list;
  ho_code code = choose(w, HO_KNOWN_BLOCKER, 0, "blockers", &list, err);
  for (size_t i = 0; !code && i < list.count; i++) {
    const ho_known *known = &list.rows[i];
    ho_node *map = ho_list_add(out, ho_node_new(w->arena, HO_KIND_MAP));
    ho_map_put(w->arena, map, "id", known->id);
    ho_map_put(w->arena, map, "blocker", known->text);
    ho_map_put(w->arena, map, "impact", ho_know_detail(known, w->arena, "impact"));
    ho_map_put(w->arena, map, "suggested_resolution", ho_know_detail(known, w->arena, "suggested_resolution"));
    code = put_blocked(w, known, ho_map_addz(map, "blocking_tasks", ho_node_new(w->arena, HO_KIND_LIST)), err);
    if (!code)
      code = put_source(w, known, map, "since", known->first, err);
  }
  return code;
}

static ho_code put_tasks(writing *w, ho_error *err)
{
  ho_known_list list;
  ho_node *entry;
  ho_code code = choose(w, HO_KNOWN_TASK, 0, "tasks", &list, err);
  for (size_t i = 0; !code && i < list.count; i++)
    code = task_of(w, &list.rows[i], &entry, err);
  return code;
}

static ho_code put_facts(writing *w, ho_node *out, ho_known_kind kind, int64_t severity, const char *what,
                         const char *text, const char *detail, ho_error *err)
{
  ho_known_list list;
  ho_code code = choose(w, kind, severity, what, &list, err);
  for (size_t i = 0; !code && i < list.count; i++) {
    ho_node *map = ho_list_add(out, ho_node_new(w->arena, HO_KIND_MAP));
    ho_map_put(w->arena, map, "id", list.rows[i].id);
    ho_map_put(w->arena, map, text, list.rows[i].text);
    ho_map_put(w->arena, map, detail, ho_know_detail(&list.rows[i], w->arena, detail));
    if (severity)
      ho_map_put(w->arena, map, "severity", ho_str_of(ho_know_severity(list.rows[i].severity)));
    code = put_source(w, &list.rows[i], map, "at", list.rows[i].last, err);
  }
  return code;
}

ho_code ho_journal_make(ho_project *project, int64_t limit, ho_arena *arena, ho_node *out, ho_error *err)
{
  writing w = {.project = project, .arena = arena, .limit = limit, .tasks = ho_node_new(arena, HO_KIND_MAP)};
  ho_node *journal = ho_map_addz(out, "journal", ho_node_new(arena, HO_KIND_MAP));
  ho_node *memory = ho_map_addz(out, "orchestrator_memory", ho_node_new(arena, HO_KIND_MAP));
  memory = ho_map_addz(memory, "learned_context", ho_node_new(arena, HO_KIND_MAP));
  w.left_out = ho_map_addz(out, "left_out", ho_node_new(arena, HO_KIND_MAP));
  ho_code code = put_files(&w, ho_map_addz(journal, "context_map", ho_node_new(arena, HO_KIND_MAP)), err);
  if (!code)
    code = put_blockers(&w, ho_map_addz(journal, "active_blockers", ho_node_new(arena, HO_KIND_LIST)), err);
  ho_map_addz(journal, "tasks", w.tasks);
  if (!code)
    code = put_tasks(&w, err);
  ho_node *decisions = ho_map_addz(journal, "decisions", ho_node_new(arena, HO_KIND_LIST));
  if (!code)
    code = put_facts(&w, decisions, HO_KNOWN_DECISION, 0, "decisions", "decision", "rationale", err);
  ho_node *gotchas = ho_map_addz(memory, "gotchas", ho_node_new(arena, HO_KIND_LIST));
  if (!code)
    code = put_facts(&w, gotchas, HO_KNOWN_GOTCHA, HO_KNOWN_HIGH, "gotchas", "issue", "mitigation", err);
  return code ? code : ho_arena_code(arena, err);
}
