/* A parallel step of a workflow: several agents do the same, and the step itself joins their results. */
#include "engine/plan/plan_steps_parts.h"

enum { USUAL = 3, MOST = 64 };

/* How many agents do the step: those it names, else as many as its rule asks for, else three. */
static size_t count_voters(const ho_plan_step *step)
{
  uint64_t number;
  size_t names = 1;
  for (size_t i = 0; i < step->agent.n; i++)
    names += step->agent.p[i] == ',';
  if (step->kind != HO_PLAN_PARALLEL || !step->goal.n)
    return 0;
  if (names > 1)
    return names;
  return !ho_str_to_u64(step->rule, &number) ? USUAL : number <= MOST ? (size_t)number : MOST + 1;
}

static ho_code count_all(const ho_plan_steps *steps, size_t *out, ho_error *err)
{
  *out = 0;
  for (size_t i = 0; i < steps->count; i++) {
    size_t voters = count_voters(&steps->items[i]);
    *out += voters;
    if (voters <= MOST)
      continue;
    ho_code code = ho_fail_file(err, HO_INVALID, steps->path, "a parallel step can have at most %d agents", MOST);
    err->line = steps->items[i].line;
    return code;
  }
  return HO_OK;
}

/* The needs of a step in terms of the new numbers. */
static size_t *renumber(ho_arena *arena, const ho_plan_step *step, const size_t *places)
{
  size_t *needs = ho_arena_array(arena, step->need_count, sizeof *needs);
  for (size_t i = 0; needs && i < step->need_count; i++)
    needs[i] = places[step->needs[i]];
  return needs;
}

static void add_voter(ho_arena *arena, const ho_plan_step *step, size_t number, ho_str *agents, ho_plan_step *out)
{
  ho_str agent;
  *out = *step;
  out->voter = true;
  out->rule = HO_EMPTY;
  out->gate = HO_PLAN_NO_GATE;
  out->name = step->id;
  out->id = ho_arena_printf(arena, "%.*s.%zu", HO_ARG(step->id), number);
  out->key = ho_arena_printf(arena, "%.*s.%zu", HO_ARG(step->key), number);
  if (ho_str_find_char(step->agent, ',') != HO_NONE && ho_str_next(agents, ',', &agent))
    out->agent = ho_str_trim(agent);
}

/* The step that joins: it needs its voters, or, without work of its own, what it depends on. */
static void make_join(ho_arena *arena, ho_plan_step *step, size_t first, size_t voters)
{
  step->join = true;
  if (!voters)
    return;
  step->goal = step->agent = HO_EMPTY;
  step->needs = ho_arena_array(arena, voters, sizeof *step->needs);
  step->need_count = step->needs ? voters : 0;
  for (size_t i = 0; i < step->need_count; i++)
    step->needs[i] = first + i;
}

ho_code ho_plan_steps_expand(ho_arena *arena, ho_plan_steps *steps, ho_error *err)
{
  size_t more, count = 0;
  ho_code code = count_all(steps, &more, err);
  if (code)
    return code;
  ho_plan_step *items = ho_arena_array(arena, steps->count + more, sizeof *items);
  size_t *places = ho_arena_array(arena, steps->count, sizeof *places);
  if (!items || !places)
    return ho_arena_code(arena, err);
  for (size_t i = 0, at = 0; i < steps->count; i++, at++)
    places[i] = at += count_voters(&steps->items[i]);
  for (size_t i = 0; i < steps->count; i++) {
    ho_plan_step *step = &steps->items[i];
    size_t voters = count_voters(step), first = count;
    ho_str agents = step->agent;
    step->needs = renumber(arena, step, places);
    step->need_count = step->needs ? step->need_count : 0;
    for (size_t k = 1; k <= voters; k++)
      add_voter(arena, step, k, &agents, &items[count++]);
    items[count] = *step;
    if (step->kind == HO_PLAN_PARALLEL && (voters || step->need_count))
      make_join(arena, &items[count], first, voters);
    count++;
  }
  steps->items = items;
  steps->count = count;
  return ho_arena_code(arena, err);
}
