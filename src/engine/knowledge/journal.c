#include "engine/knowledge/journal.h"

#include "base/time.h"
#include "engine/knowledge/knowledge_parts.h"
#include "store/runs/runs.h"

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
  ho_map_put(w->arena, map, "by", !code && said.count ? said.rows[0].agent : HO_EMPTY);
  return code;
}

/* Who changed a file, as one document says it. */
static ho_node *change_of(writing *w, const ho_known_source *said)
{
  ho_node *map = ho_node_new(w->arena, HO_KIND_MAP);
  ho_map_put(w->arena, map, "agent", said->agent);
  ho_map_put(w->arena, map, "task", said->task);
  ho_map_put(w->arena, map, "at", ho_time_str(w->arena, said->at));
  return map;
}

/* What its sources say of a file. The purpose is what its creator says it is for, else the newest note. */
static ho_code put_file(writing *w, const ho_known *known, ho_node *file, ho_error *err)
{
  ho_known_source_list said;
  ho_str note = HO_EMPTY, purpose = HO_EMPTY, newest_type = HO_EMPTY, newest_lines = HO_EMPTY, type, lines;
  int64_t newest = 0;
  ho_node *creator = NULL, *changes = ho_node_new(w->arena, HO_KIND_LIST);
  ho_code code = ho_known_sources(w->project->store, known->n, SOURCES, w->arena, &said, err);
  for (size_t i = 0; !code && i < said.count; i++) { /* newest document first, each in its order */
    const ho_known_source *s = &said.rows[i];
    bool changed = ho_knowledge_change(s->role, &type, &lines), created = ho_str_is(type, HO_ROLE_NAME_CREATED);
    note = note.n ? note : s->note;
    if (changed && (!newest_type.n || s->at == newest)) {
      newest_type = created ? HO_STR("add") : type;
      newest_lines = lines;
      newest = s->at;
    }
    if (created) {
      purpose = s->note.n ? s->note : purpose;
      creator = change_of(w, s);
    } else if (changed) {
      ho_node *change = ho_list_add(changes, change_of(w, s));
      ho_map_put(w->arena, change, "lines", lines);
      ho_map_put(w->arena, change, "change_type", type);
      ho_map_put(w->arena, change, "description", s->note);
    }
  }
  ho_map_put(w->arena, file, "purpose", purpose.n ? purpose : note);
  ho_map_addz(file, "created_by", creator ? creator : ho_node_new(w->arena, HO_KIND_NULL));
  ho_map_addz(file, "modified_by", changes);
  ho_map_put(w->arena, file, "lines", newest_lines);
  ho_map_put(w->arena, file, "change_type", newest_type);
  return code;
}

/* At most `limit` of a kind in this state; *more: how many there are besides. */
static ho_code choose_in(writing *w, ho_known_kind kind, ho_known_state state, int64_t severity, int64_t limit,
                         ho_known_list *list, int64_t *more, ho_error *err)
{
  int64_t count = 0;
  *list = (ho_known_list){0};
  ho_code code = limit ? ho_known_of_kind(w->project->store, kind, state, severity, limit, w->arena, list, err) : HO_OK;
  if (!code && (int64_t)list->count == limit)
    code = ho_known_count(w->project->store, kind, state, severity, &count, err);
  *more = count > (int64_t)list->count ? count - (int64_t)list->count : 0;
  return code;
}

static ho_code choose(writing *w, ho_known_kind kind, int64_t severity, const char *what, ho_known_list *list,
                      ho_error *err)
{
  int64_t more;
  ho_code code = choose_in(w, kind, HO_KNOWN_OPEN, severity, w->limit, list, &more, err);
  ho_map_addz(w->left_out, what, ho_node_number(w->arena, more));
  return code;
}

static ho_code put_files(writing *w, ho_node *map, ho_error *err)
{
  ho_known_list list;
  ho_code code = choose(w, HO_KNOWN_FILE, 0, "files", &list, err);
  for (size_t i = 0; !code && i < list.count; i++) {
    ho_node *file = ho_map_add(map, list.rows[i].text, ho_node_new(w->arena, HO_KIND_MAP));
    code = put_file(w, &list.rows[i], file, err);
    if (!code)
      code = put_source(w, &list.rows[i], file, "last", list.rows[i].last, err);
  }
  return code;
}

/* The blockers that a task has named itself: adds the open ones. *settled: there were some, and none is open. */
static ho_code put_own_blockers(writing *w, ho_str task, ho_node *names, bool *settled, ho_error *err)
{
  ho_known_list list;
  ho_known_filter filter = {.kind = HO_KNOWN_BLOCKER, .task = task, .limit = EDGES};
  ho_code code = ho_known_choose(w->project->store, &filter, w->arena, &list, err);
  for (size_t i = 0; !code && i < list.count; i++)
    if (list.rows[i].state == HO_KNOWN_OPEN)
      ho_list_add(names, ho_node_text(w->arena, list.rows[i].id));
  *settled = !code && list.count && !names->count;
  return code;
}

/* Has a run carried the task to its end since then? */
static ho_code was_carried(writing *w, ho_str task, int64_t since, bool *out, ho_error *err)
{
  ho_run_list runs;
  ho_code code = ho_runs_select(w->project->store, HO_EMPTY, task, false, 1, w->arena, &runs, err);
  *out = !code && runs.count && runs.rows[0].state == HO_RUN_STATE_DONE && runs.rows[0].ended >= since;
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
  bool part = found && newest.phase.n && ho_str_is(newest.outcome, "completed"), whole = false; /* one phase of it */
  if (!code && part)
    code = was_carried(w, task->text, newest.at, &whole, err);
  part = part && !whole;
  ho_map_put(w->arena, *out, "status", !found ? HO_STR("open") : part ? HO_STR("partial") : newest.outcome);
  ho_node *blockers = ho_map_addz(*out, "blocked_by", ho_node_new(w->arena, HO_KIND_LIST));
  bool settled = false;
  if (!code && found && ho_str_is(newest.outcome, "blocked"))
    code = put_own_blockers(w, task->text, blockers, &settled, err);
  if (settled)
    ho_map_set(*out, HO_STR("status"), ho_node_textz(w->arena, "open"));
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
    ho_node *blockers = ho_map_getz(entry, "blocked_by");
    if (!ho_list_has(blockers, blocker->id))
      ho_list_add(blockers, ho_node_text(w->arena, blocker->id));
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
  static const ho_known_state states[] = {HO_KNOWN_OPEN, HO_KNOWN_CLOSED}; /* closed: completed */
  ho_known_list list;
  ho_node *entry;
  int64_t left = w->limit, more = 0, left_out = 0;
  ho_code code = HO_OK;
  for (size_t s = 0; !code && s < HO_COUNT(states); s++) {
    code = choose_in(w, HO_KNOWN_TASK, states[s], 0, left, &list, &more, err);
    for (size_t i = 0; !code && i < list.count; i++)
      code = task_of(w, &list.rows[i], &entry, err);
    left -= (int64_t)list.count;
    left_out += more;
  }
  ho_map_addz(w->left_out, "tasks", ho_node_number(w->arena, left_out));
  return code;
}

static ho_code put_facts(writing *w, ho_node *out, ho_known_kind kind, int64_t severity, const char *what,
                         const char *text, const char *detail, const char *more, ho_error *err)
{
  ho_known_list list;
  ho_code code = choose(w, kind, severity, what, &list, err);
  for (size_t i = 0; !code && i < list.count; i++) {
    ho_node *map = ho_list_add(out, ho_node_new(w->arena, HO_KIND_MAP));
    ho_map_put(w->arena, map, "id", list.rows[i].id);
    ho_map_put(w->arena, map, text, list.rows[i].text);
    ho_map_put(w->arena, map, detail, ho_know_detail(&list.rows[i], w->arena, detail));
    ho_map_put(w->arena, map, more, ho_know_detail(&list.rows[i], w->arena, more));
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
  ho_node *files = ho_map_addz(journal, "context_map", ho_node_new(arena, HO_KIND_MAP));
  ho_node *blockers = ho_map_addz(journal, "active_blockers", ho_node_new(arena, HO_KIND_LIST));
  ho_map_addz(journal, "tasks", w.tasks);
  ho_node *decisions = ho_map_addz(journal, "decisions", ho_node_new(arena, HO_KIND_LIST));
  ho_node *gotchas = ho_map_addz(memory, "gotchas", ho_node_new(arena, HO_KIND_LIST));
  if (!project->store)
    return ho_arena_code(arena, err);
  ho_code code = put_files(&w, files, err);
  if (!code)
    code = put_blockers(&w, blockers, err);
  if (!code)
    code = put_tasks(&w, err);
  if (!code)
    code = put_facts(&w, decisions, HO_KNOWN_DECISION, 0, "decisions", "decision", "rationale", HO_DETAIL_ANSWERS, err);
  if (!code)
    code =
        put_facts(&w, gotchas, HO_KNOWN_GOTCHA, HO_KNOWN_HIGH, "gotchas", "issue", "mitigation", "discovered_in", err);
  return code ? code : ho_arena_code(arena, err);
}
