/* The order of the steps: what prevents one, and the waves. */
#include "engine/plan/plan_steps_parts.h"

/* Which step waits for another, as a linked list. Numbers count from 1; 0 ends a list. */
typedef struct waiter {
  size_t step, next;
} waiter;

typedef struct order {
  size_t *left;    /* per step: how many of the steps it needs are not placed yet */
  size_t *waiters; /* per step: the first entry of its list */
  waiter *chain;
  size_t *queue; /* steps that can be placed, in order */
  bool *held;
  size_t taken, queued;
} order;

static bool start_order(ho_arena *arena, const ho_plan_steps *steps, order *o)
{
  size_t n = steps->count, links = 0;
  for (size_t i = 0; i < n; i++)
    links += steps->items[i].need_count;
  o->left = ho_arena_array(arena, n, sizeof *o->left);
  o->waiters = ho_arena_array(arena, n, sizeof *o->waiters);
  o->queue = ho_arena_array(arena, n, sizeof *o->queue);
  o->held = ho_arena_array(arena, n, sizeof *o->held);
  o->chain = ho_arena_array(arena, links + 1, sizeof *o->chain);
  if (!o->left || !o->waiters || !o->queue || !o->held || !o->chain)
    return false;
  links = 0;
  for (size_t i = 0; i < n; i++) {
    o->left[i] = steps->items[i].need_count;
    if (o->left[i] == 0)
      o->queue[o->queued++] = i;
    for (size_t k = 0; k < o->left[i]; k++) {
      size_t needed = steps->items[i].needs[k];
      o->chain[++links] = (waiter){i, o->waiters[needed]};
      o->waiters[needed] = links;
    }
  }
  return true;
}

/* A step's wave comes after those of all the steps it needs. A step is placed once all of those are; there is known
 * to be no cycle. */
static void set_waves(ho_arena *arena, ho_plan_steps *steps)
{
  order o = {0};
  if (!start_order(arena, steps, &o))
    return;
  for (; o.taken < o.queued; o.taken++) {
    size_t at = o.queue[o.taken];
    ho_plan_step *step = &steps->items[at];
    bool over = step->status == HO_PLAN_DONE || step->status == HO_PLAN_SKIPPED;
    o.held[at] = !over && (o.held[at] || step->status == HO_PLAN_HELD);
    step->wave = over || o.held[at] ? 0 : step->wave + 1;
    steps->waves = step->wave > steps->waves ? step->wave : steps->waves;
    for (size_t link = o.waiters[at]; link; link = o.chain[link].next) {
      size_t next = o.chain[link].step;
      o.held[next] = o.held[next] || o.held[at];
      if (steps->items[next].wave < step->wave)
        steps->items[next].wave = step->wave;
      if (--o.left[next] == 0)
        o.queue[o.queued++] = next;
    }
  }
}

/* Whatever the format's rules call an error is an error here too. */
static ho_code refuse(ho_doc *doc, ho_str path, ho_error *err)
{
  ho_check_env env = {.path = path};
  ho_code code = ho_doc_check(doc, &env, err);
  for (size_t i = 0; !code && i < doc->report.count; i++) {
    const ho_finding *finding = &doc->report.items[i];
    if (finding->severity != HO_ERROR)
      continue;
    code = ho_fail_file(err, HO_INVALID, path, "%.*s", HO_ARG(finding->message));
    err->rule = finding->rule->id;
    err->line = finding->line;
    err->column = finding->column;
    ho_error_copy(err->pointer, sizeof err->pointer, finding->pointer);
  }
  return code;
}

static int by_key(const void *a, const void *b)
{
  return ho_str_cmp((*(const ho_plan_step *const *)a)->key, (*(const ho_plan_step *const *)b)->key);
}

/* The file names of different steps must differ. */
static ho_code check_keys(ho_arena *arena, const ho_plan_steps *steps, ho_error *err)
{
  const ho_plan_step **sorted = ho_arena_array(arena, steps->count, sizeof *sorted);
  if (!sorted)
    return ho_arena_code(arena, err);
  for (size_t i = 0; i < steps->count; i++)
    sorted[i] = &steps->items[i];
  qsort(sorted, steps->count, sizeof *sorted, by_key);
  for (size_t i = 1; i < steps->count; i++)
    if (ho_str_eq(sorted[i]->key, sorted[i - 1]->key)) {
      unsigned a = sorted[i - 1]->line, b = sorted[i]->line;
      ho_code code =
          ho_fail_file(err, HO_INVALID, steps->path,
                       "its files would have the same names as those of line %u; rename one of the two", a < b ? a : b);
      err->line = a < b ? b : a;
      return code;
    }
  return HO_OK;
}

ho_code ho_plan_steps_read(ho_arena *arena, ho_str path, ho_str text, ho_plan_steps *out, ho_error *err)
{
  ho_doc *doc = HO_NEW(arena, ho_doc);
  ho_plan_steps steps;
  ho_code code = doc ? ho_plan_steps_parse(arena, path, text, doc, &steps, err) : ho_arena_code(arena, err);
  if (!code)
    code = refuse(doc, path, err);
  if (!code)
    code = ho_plan_steps_expand(arena, &steps, err);
  if (!code)
    code = check_keys(arena, &steps, err);
  if (code)
    return code;
  set_waves(arena, &steps);
  code = ho_arena_code(arena, err);
  if (!code)
    *out = steps;
  return code;
}
