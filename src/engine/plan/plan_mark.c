/* Changes the status markers of a plan in place. */
#include "doc/text/splice.h"
#include "engine/plan/plan_steps_parts.h"

/* The marker of a step, or the plan's own. */
static bool find_place(const ho_plan_steps *steps, ho_str id, uint32_t *begin, uint32_t *end)
{
  const ho_plan_step *step = id.n ? ho_plan_steps_find(steps, id) : NULL;
  *begin = step ? step->mark_begin : steps->head_begin;
  *end = step ? step->mark_end : steps->head_end;
  return step || !id.n;
}

/* Reads the plan again to find the positions; the steps stay as they were when the run began. Markers are found even
 * if the plan now breaks a rule. */
static ho_code find_again(ho_plan_steps *steps, ho_arena *arena, ho_str now, ho_error *err)
{
  ho_doc *doc = HO_NEW(arena, ho_doc);
  ho_plan_steps fresh;
  ho_code code = doc ? ho_plan_steps_parse(arena, steps->path, now, doc, &fresh, err) : ho_arena_code(arena, err);
  if (code)
    return code;
  for (size_t i = 0; i < steps->count; i++) {
    const ho_plan_step *step = i < fresh.count && ho_str_eq(fresh.items[i].id, steps->items[i].id)
                                   ? &fresh.items[i]
                                   : ho_plan_steps_find(&fresh, steps->items[i].id);
    steps->items[i].mark_begin = step ? step->mark_begin : HO_NOWHERE;
    steps->items[i].mark_end = step ? step->mark_end : HO_NOWHERE;
  }
  steps->head_begin = fresh.head_begin;
  steps->head_end = fresh.head_end;
  steps->hash = fresh.hash;
  return HO_OK;
}

static void shift(uint32_t *place, uint32_t from, int64_t by)
{
  if (*place != HO_NOWHERE && *place >= from)
    *place = (uint32_t)(*place + by);
}

/* Bytes begin..end became `n` bytes, with the marker `lead` bytes into them. */
static void move_places(ho_plan_steps *steps, ho_str id, uint32_t begin, uint32_t end, size_t n, uint32_t lead)
{
  int64_t by = (int64_t)n - (end - begin);
  for (size_t i = 0; i < steps->count; i++) {
    ho_plan_step *step = &steps->items[i];
    if (id.n && ho_str_eq(step->id, id)) {
      step->mark_begin = begin + lead;
      step->mark_end = (uint32_t)(begin + n);
      continue;
    }
    shift(&step->mark_begin, end, by);
    shift(&step->mark_end, end, by);
  }
  if (id.n) {
    shift(&steps->head_begin, end, by);
    shift(&steps->head_end, end, by);
  } else {
    steps->head_end = (uint32_t)(begin + n);
  }
}

ho_code ho_plan_steps_mark(ho_plan_steps *steps, ho_arena *arena, ho_str now, ho_str id, const char *marker,
                           ho_str *out, ho_error *err)
{
  uint32_t begin, end;
  ho_code code = HO_OK;
  *out = now;
  if (steps->format->encoding != HO_MARKDOWN)
    return HO_OK;
  if (ho_str_hash(now) != steps->hash)
    code = find_again(steps, arena, now, err);
  if (code)
    return code;
  if (!find_place(steps, id, &begin, &end) || begin == HO_NOWHERE)
    return ho_fail_file(err, HO_NOT_FOUND, steps->path, "no longer has phase %.*s", HO_ARG(id));
  if (!id.n && begin == end)
    return HO_OK;
  ho_str text = ho_arena_printf(arena, "%s[%s]", begin == end ? " " : "", marker);
  ho_splice splice;
  ho_buf buf;
  ho_splice_init(&splice, arena, now);
  code = ho_splice_replace(&splice, begin, end, text, err);
  if (code)
    return code;
  ho_buf_init(&buf, 0);
  ho_splice_write(&splice, &buf);
  *out = ho_buf_move(&buf, arena);
  code = ho_arena_code(arena, err);
  if (code)
    return code;
  move_places(steps, id, begin, end, text.n, begin == end ? 1 : 0);
  steps->hash = ho_str_hash(*out);
  return HO_OK;
}
