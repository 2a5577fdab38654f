#include "command/agents/run_choice.h"

#include "command/runs_left.h"
#include "command/ledger_call.h"
#include "engine/hook/install.h"
#include "engine/phase/folders.h"
#include "engine/phase/phase.h"
#include "engine/plan/plan_steps.h"
#include "engine/project/settings.h"
#include "model/lifecycle.h"

enum { SHOWN = 5 };

/* What there is to choose from: how many, and the last one of them. */
typedef struct found {
  size_t count;
  ho_str last;
  ho_buf shown; /* as commands */
} found;

static void find(found *f, const char *command, ho_str what)
{
  if (f->count++ < SHOWN)
    ho_buf_printf(&f->shown, "%s%s%.*s", f->shown.n ? ", or: " : "", command, HO_ARG(what));
  f->last = what;
}

static ho_code find_run(ho_call *call, ho_str *plan, ho_error *err)
{
  ho_run_list left = {0};
  ho_code code = ho_runs_left(call, &left, err);
  if (!code && left.count)
    *plan = ho_fs_join(call->arena, call->project.home, left.rows[0].plan);
  return code;
}

/* A plan that cannot be read has nothing to run; whoever names it is told why. */
static void find_plans(ho_call *call, const ho_folders *folders, found *f)
{
  for (size_t i = 0; i < folders->count; i++) {
    ho_plan_steps steps = {0};
    ho_str text = HO_EMPTY;
    ho_error none = {0};
    ho_phase phase = {.arena = call->arena, .root = call->host->root, .folder = folders->items[i].path};
    ho_str plan = folders->items[i].archived ? HO_EMPTY : ho_phase_plan(&phase);
    if (plan.n && !ho_fs_read(call->arena, ho_fs_join(call->arena, phase.root, plan).p, 0, &text, &none) &&
        !ho_plan_steps_read(call->arena, plan, text, &steps, &none) && steps.waves)
      find(f, "handoff run ", plan);
  }
}

static ho_code find_tasks(ho_call *call, found *f, ho_error *err)
{
  ho_handoff_list list = {0};
  ho_filter filter = {.state = ho_str_of(ho_state_name(HO_STATE_READY)), .oldest_first = true};
  ho_code code = ho_handoffs_select(call->project.store, &filter, call->arena, &list, err);
  for (size_t i = 0; i < list.count && !code; i++) {
    bool again = false;
    for (size_t k = 0; k < i; k++)
      again |= !list.rows[k].receiver.n && ho_str_eq(list.rows[k].task, list.rows[i].task);
    if (!list.rows[i].receiver.n && list.rows[i].task.n && !again)
      find(f, "handoff run --worker --task ", list.rows[i].task);
  }
  return code;
}

static ho_code choose(ho_call *call, found *plans, found *tasks, ho_run_choice *out, ho_error *err)
{
  ho_error why = {0};
  ho_folders folders = {0};
  ho_code code = ho_open_ledger(call, false, &why);
  bool none = code == HO_NOT_FOUND && !ho_ledger_call_named(call, code);
  if (code && !none) {
    *err = why;
    return code;
  }
  code = none ? HO_OK : find_run(call, &out->plan, err);
  if (code || out->plan.n)
    return code;
  code = ho_folders_list(call->arena, call->host->root, &folders, err);
  if (!code)
    find_plans(call, &folders, plans);
  if (!code && !plans->count && !none)
    code = find_tasks(call, tasks, err);
  if (code)
    return code;
  const found *f = plans->count ? plans : tasks;
  if (!f->count)
    return ho_fail(err, HO_USAGE,
                   "there is no plan in specs/*/plans with work left, and no handoff waits; run: handoff run PLAN");
  if (f->count > 1)
    return ho_fail(err, HO_USAGE, "%zu %s; run: %.*s", f->count,
                   plans->count ? "plans have work left" : "tasks have handoffs that wait",
                   HO_ARG(ho_buf_str(&f->shown)));
  if (plans->count)
    out->plan = ho_fs_join(call->arena, call->host->root, plans->last);
  else
    out->task = tasks->last;
  return ho_arena_code(call->arena, err);
}

ho_code ho_run_choice_work(ho_call *call, ho_run_choice *out, ho_error *err)
{
  found plans = {0}, tasks = {0};
  *out = (ho_run_choice){0};
  ho_buf_init(&plans.shown, 0);
  ho_buf_init(&tasks.shown, 0);
  ho_code code = choose(call, &plans, &tasks, out, err);
  if (!code)
    code = ho_buf_code(&plans.shown, err);
  if (!code)
    code = ho_buf_code(&tasks.shown, err);
  ho_buf_free(&plans.shown);
  ho_buf_free(&tasks.shown);
  return code;
}

static bool is_registered(const ho_call *call, const ho_harness *harness)
{
  const char *names[] = {harness->settings, harness->toml};
  ho_str folder = ho_fs_join(call->arena, call->host->root, ho_str_of(harness->folder));
  for (size_t i = 0; i < HO_COUNT(names); i++) {
    ho_str text = HO_EMPTY;
    ho_error none = {0};
    if (folder.n && names[i] &&
        !ho_fs_read(call->arena, ho_fs_join(call->arena, folder, ho_str_of(names[i])).p, 0, &text, &none) &&
        ho_install_count(call->arena, harness, text))
      return true;
  }
  return false;
}

ho_str ho_run_choice_agent(const ho_call *call)
{
  const ho_harness *only = NULL;
  const ho_node *agents = ho_map_getz(call->project.settings.held, "agents");
  if (ho_arg_str(call, "agent").n)
    return ho_arg_str(call, "agent");
  if (!ho_node_empty(agents))
    return agents->count == 1 ? ho_map_str(agents->first, "name") : HO_EMPTY;
  for (const ho_harness *const *each = ho_harnesses; *each; each++)
    if ((*each)->events && is_registered(call, *each)) {
      if (only)
        return HO_EMPTY;
      only = *each;
    }
  return only ? ho_str_of(only->name) : HO_EMPTY;
}
