/* Methods that look for tasks, or take one back. */
#include "engine/project/identity.h"
#include "model/lifecycle.h"
#include "model/syntax.h"
#include "surface/a2a/a2a_task.h"

enum { PAGE_USUAL = 50, PAGE_MOST = 100 };

long long ho_a2a_history(ho_a2a *a, const ho_node *params, ho_a2a_fault *fault)
{
  const ho_node *node = ho_map_getz(params, "historyLength");
  long long number = 0;
  if (ho_node_absent(node))
    return HO_A2A_HISTORY_MOST;
  if (!ho_node_to_int(node, &number) || number < 0) {
    (void)ho_a2a_fail(a, fault, HO_A2A_PARAMS, "historyLength is a number of messages");
    return -1;
  }
  return number < HO_A2A_HISTORY_MOST ? number : HO_A2A_HISTORY_MOST;
}

/* The task that `params.id` names. */
static ho_node *find(ho_a2a *a, bool artifacts, ho_a2a_fault *fault)
{
  ho_str id = ho_map_str(a->params, "id");
  long long history = ho_a2a_history(a, a->params, fault);
  if (history < 0)
    return NULL;
  if (!ho_id_fits(id))
    return ho_a2a_fail(a, fault, HO_A2A_NO_TASK, "id is not that of a task; a task has the id of its handoff");
  ho_node *task = ho_a2a_task(a, id, (size_t)history, artifacts, fault);
  a->task = ho_arena_copy(a->kept, ho_map_str(task, "id"));
  return task;
}

ho_node *ho_a2a_get(ho_a2a *a, ho_node **task, ho_a2a_fault *fault)
{
  (void)task;
  return find(a, true, fault);
}

ho_node *ho_a2a_subscribe(ho_a2a *a, ho_node **task, ho_a2a_fault *fault)
{
  *task = find(a, true, fault);
  if (*task && ho_a2a_state_is(ho_a2a_task_state(*task)) == 'E')
    return ho_a2a_fail(a, fault, HO_A2A_UNSUPPORTED, "task %.*s has ended; use GetTask", HO_ARG(a->task));
  return *task;
}

ho_node *ho_a2a_cancel(ho_a2a *a, ho_node **task, ho_a2a_fault *fault)
{
  ho_str note = ho_node_str(ho_node_by_names(a->params, "metadata.note"));
  (void)task;
  ho_node *before = find(a, false, fault);
  if (!before)
    return NULL;
  if (ho_a2a_state_is(ho_a2a_task_state(before)) == 'E')
    return ho_a2a_fail(a, fault, HO_A2A_NOT_CANCELABLE, "task %.*s has ended", HO_ARG(a->task));
  ho_node *args = ho_a2a_args(a, "id", a->task);
  ho_map_put(a->arena, args, "note", note.n ? note : HO_STR("canceled by its client"));
  return ho_a2a_run(a, &ho_command_withdraw, args, fault) ? find(a, false, fault) : NULL;
}

/* ---- ListTasks */

/* The states of handoffs that can be this state of a task, as `list` takes them; "" if none can. */
static ho_str states_of(ho_a2a *a, ho_a2a_state wanted)
{
  ho_str names = HO_EMPTY;
  for (int state = HO_STATE_NONE + 1; state < HO_STATE_COUNT; state++) {
    const char *name = ho_state_name((ho_state)state);
    bool open = ho_state_open((ho_state)state);
    if (open ? ho_a2a_state_of(a, ho_a2a_args(a, "state", ho_str_of(name))) == wanted
             : ho_a2a_state_is(wanted) == 'E') /* how it has ended, each tells by itself */
      names = ho_arena_printf(a->arena, "%.*s%s%s", HO_ARG(names), names.n ? "," : "", name);
  }
  return names;
}

static const ho_node *list(ho_a2a *a, const ho_node *args, const char *by, ho_str context, ho_a2a_fault *fault)
{
  ho_node *all = ho_node_copy(a->arena, args);
  if (context.n)
    ho_map_addz(all, by, ho_node_text(a->arena, context));
  return ho_a2a_run(a, &ho_command_list, all, fault);
}

static bool put_size(ho_a2a *a, ho_node *args, long long *size, ho_a2a_fault *fault)
{
  const ho_node *node = ho_map_getz(a->params, "pageSize");
  *size = PAGE_USUAL;
  bool fits = ho_node_absent(node) || (ho_node_to_int(node, size) && *size >= 1 && *size <= PAGE_MOST);
  if (!fits)
    (void)ho_a2a_fail(a, fault, HO_A2A_PARAMS, "pageSize is a number from 1 to %d", PAGE_MOST);
  ho_map_addz(args, "limit", ho_node_number(a->arena, *size));
  return fits;
}

/* false: the answer is known already, a fault or nothing. */
static bool put_state(ho_a2a *a, ho_node *args, ho_a2a_state *wanted, ho_a2a_fault *fault)
{
  ho_str name = ho_map_str(a->params, "status");
  int state = HO_A2A_STATE_NONE;
  if (!name.n || ho_str_is(name, "TASK_STATE_UNSPECIFIED"))
    return true;
  if (!ho_words_find(&ho_a2a_states, name, &state)) {
    (void)ho_a2a_fail(a, fault, HO_A2A_PARAMS, "status is not a state of a task");
    return false;
  }
  *wanted = (ho_a2a_state)state;
  ho_map_put(a->arena, args, "state", states_of(a, *wanted));
  return ho_map_str(args, "state").n;
}

/* Adds those that fit; false with a fault. */
static bool put_tasks(ho_a2a *a, ho_node *tasks, const ho_node *records, ho_a2a_state wanted, ho_a2a_fault *fault)
{
  ho_str since = ho_map_str(a->params, "statusTimestampAfter");
  int64_t after = 0, updated = 0;
  bool artifacts = ho_node_true(ho_map_getz(a->params, "includeArtifacts"));
  const ho_node *length = ho_map_getz(a->params, "historyLength");
  long long history = ho_node_absent(length) ? 0 : ho_a2a_history(a, a->params, fault);
  if (history < 0)
    return false;
  if (since.n && !ho_stamp_time(since, &after))
    return ho_a2a_fail(a, fault, HO_A2A_PARAMS, "statusTimestampAfter is not a time; use 2026-02-12T14:30:00Z");
  HO_EACH_CONST (record, records) {
    if ((wanted && ho_a2a_state_of(a, record) != wanted) ||
        (after && ho_stamp_time(ho_map_str(record, "updated"), &updated) && updated < after))
      continue;
    ho_node *task = artifacts || history ? ho_a2a_task(a, ho_map_str(record, "id"), (size_t)history, artifacts, fault)
                                         : ho_a2a_task_brief(a, record);
    if (!task)
      return false;
    ho_list_add(tasks, task);
  }
  return true;
}

ho_node *ho_a2a_list(ho_a2a *a, ho_node **task, ho_a2a_fault *fault)
{
  ho_node *args = ho_node_new(a->arena, HO_KIND_MAP), *result = ho_node_new(a->arena, HO_KIND_MAP);
  ho_str context = ho_map_str(a->params, "contextId"), page = ho_map_str(a->params, "pageToken");
  ho_a2a_state wanted = HO_A2A_STATE_NONE;
  const ho_node *found = NULL;
  long long size;
  (void)task;
  *fault = (ho_a2a_fault){0};
  ho_map_addz(args, "count", ho_node_bool(a->arena, true));
  if (page.n)
    ho_map_put(a->arena, args, "before", page);
  if (!put_size(a, args, &size, fault))
    return NULL;
  if (put_state(a, args, &wanted, fault)) {
    found = list(a, args, "task", context, fault); /* a context is a task, or else a session */
    if (found && context.n && !ho_map_int(found, "total"))
      found = list(a, args, "session", context, fault);
  }
  const ho_node *records = ho_map_getz(found, "handoffs");
  ho_node *tasks = ho_map_addz(result, "tasks", ho_node_new(a->arena, HO_KIND_LIST));
  if (fault->code || !put_tasks(a, tasks, records, wanted, fault))
    return NULL;
  bool more = records && (long long)records->count == size;
  ho_map_addz(result, "nextPageToken", ho_node_text(a->arena, more ? ho_map_str(records->last, "id") : HO_EMPTY));
  ho_map_addz(result, "pageSize", ho_node_number(a->arena, size));
  ho_map_addz(result, "totalSize", ho_node_number(a->arena, found ? ho_map_int(found, "total") : 0));
  return result;
}
