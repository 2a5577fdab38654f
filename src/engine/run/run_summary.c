/* A run as JSON, from the store alone. */
#include "base/time.h"
#include "engine/run/run.h"

#include "engine/project/paths.h"
#include "engine/project/project.h"
#include "engine/run/run_parts.h"

static void put_time(ho_arena *arena, ho_node *map, const char *key, int64_t ms)
{
  ho_map_put(arena, map, key, ho_time_str(arena, ms));
}

static void put_number(ho_arena *arena, ho_node *map, const char *key, int64_t value)
{
  ho_map_addz(map, key, ho_node_number(arena, value));
}

static int64_t seconds(int64_t started, int64_t ended, int64_t now)
{
  return started ? ((ended ? ended : now) - started) / 1000 : 0;
}

static ho_node *step_node(ho_arena *arena, const ho_run_step *s)
{
  ho_node *out = ho_node_new(arena, HO_KIND_MAP);
  ho_map_put(arena, out, "step", s->step);
  ho_map_put(arena, out, "name", s->name);
  ho_map_put(arena, out, "state", ho_words_str(&ho_step_states, s->state));
  ho_map_put(arena, out, "why", s->why);
  ho_map_put(arena, out, "gate", s->state == HO_STEP_GATED ? s->gate : HO_EMPTY);
  put_number(arena, out, "teammates", s->teammates);
  put_number(arena, out, "successors", s->teammates > 1 ? s->teammates - 1 : 0);
  put_number(arena, out, "tokens", s->tokens);
  put_time(arena, out, "started", s->started);
  put_time(arena, out, "ended", s->ended);
  return out;
}

static ho_node *mate_node(ho_arena *arena, const ho_teammate *t, int64_t now)
{
  ho_node *out = ho_node_new(arena, HO_KIND_MAP);
  ho_map_put(arena, out, "id", t->id);
  ho_map_put(arena, out, "step", t->step);
  put_number(arena, out, "n", t->n);
  ho_map_put(arena, out, "agent", t->agent);
  ho_map_put(arena, out, "adapter", t->adapter);
  ho_map_put(arena, out, "state", ho_words_str(&ho_teammate_states, t->state));
  ho_map_put(arena, out, "outcome", ho_words_str(&ho_outcomes, t->outcome));
  put_number(arena, out, "exit_status", t->exit_status);
  put_time(arena, out, "started", t->started);
  put_time(arena, out, "ended", t->ended);
  put_number(arena, out, "seconds", seconds(t->started, t->ended, now));
  ho_map_put(arena, out, "from", t->from_path.n ? t->from_path : t->from_id);
  ho_map_put(arena, out, "left", t->left_path.n ? t->left_path : t->left_id);
  ho_map_put(arena, out, "folder", t->folder);
  ho_map_put(arena, out, "log", t->log);
  put_number(arena, out, "tokens", t->tokens);
  ho_map_put(arena, out, "why", t->why);
  return out;
}

static void put_gates(ho_arena *arena, ho_node *out, const ho_run_step_list *steps)
{
  ho_node *gates = ho_map_addz(out, "gates", ho_node_new(arena, HO_KIND_LIST));
  for (size_t i = 0; i < steps->count; i++) {
    if (steps->rows[i].state != HO_STEP_GATED)
      continue;
    ho_node *one = ho_list_add(gates, ho_node_new(arena, HO_KIND_MAP));
    ho_map_put(arena, one, "gate", steps->rows[i].gate);
    ho_map_put(arena, one, "step", steps->rows[i].step);
    ho_map_put(arena, one, "about", ho_words_str(&ho_gate_reasons, steps->rows[i].gate_why));
    ho_map_put(arena, one, "why", steps->rows[i].why);
  }
}

/* With worktrees: the branches that people have to merge, one per step. */
static void put_merge(ho_arena *arena, ho_node *out, const ho_run_row *run, const ho_teammate_list *mates)
{
  ho_node *merge = ho_map_addz(out, "merge", ho_node_new(arena, HO_KIND_LIST));
  for (size_t i = 0; i < mates->count; i++) {
    const ho_teammate *t = &mates->rows[i];
    if (t->n != 1 || !ho_str_has(t->folder, "/" HO_PATH_RUN "/"))
      continue;
    ho_node *one = ho_list_add(merge, ho_node_new(arena, HO_KIND_MAP));
    ho_map_put(arena, one, "step", t->step);
    ho_map_put(arena, one, "branch",
               ho_arena_printf(arena, "handoff/%.*s/%.*s", HO_ARG(run->id), HO_ARG(ho_fs_name(t->folder))));
    ho_map_put(arena, one, "folder", t->folder);
  }
}

ho_code ho_run_summary(ho_project *project, ho_arena *arena, ho_str run, ho_node **out, ho_error *err)
{
  ho_run_row row;
  ho_run_step_list steps = {0};
  ho_teammate_list mates = {0};
  int64_t now = ho_project_now(project), tokens = 0;
  ho_code code = ho_runs_get(project->store, run, arena, &row, err);
  if (!code)
    code = ho_runs_steps(project->store, run, arena, &steps, err);
  if (!code)
    code = ho_runs_teammates(project->store, run, HO_EMPTY, HO_TEAMMATE_ANY, 0, arena, &mates, err);
  if (code)
    return code;
  ho_node *map = ho_node_new(arena, HO_KIND_MAP);
  ho_map_put(arena, map, "run", row.id);
  ho_map_put(arena, map, "plan", row.plan);
  ho_map_put(arena, map, "task", row.task);
  ho_map_put(arena, map, "title", row.title);
  ho_map_put(arena, map, "state", ho_words_str(&ho_run_states, row.state));
  ho_map_put(arena, map, "why", row.why);
  put_time(arena, map, "started", row.started);
  put_time(arena, map, "ended", row.ended);
  put_number(arena, map, "seconds", seconds(row.started, row.ended, now));
  for (size_t i = 0; i < steps.count; i++)
    tokens += steps.rows[i].tokens;
  put_number(arena, map, "tokens", tokens);
  ho_node *list = ho_map_addz(map, "steps", ho_node_new(arena, HO_KIND_LIST));
  for (size_t i = 0; i < steps.count; i++)
    ho_list_add(list, step_node(arena, &steps.rows[i]));
  list = ho_map_addz(map, "teammates", ho_node_new(arena, HO_KIND_LIST));
  for (size_t i = 0; i < mates.count; i++)
    ho_list_add(list, mate_node(arena, &mates.rows[i], now));
  put_gates(arena, map, &steps);
  put_merge(arena, map, &row, &mates);
  *out = map;
  return ho_arena_code(arena, err);
}
