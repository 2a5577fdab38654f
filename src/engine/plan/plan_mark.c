/* Changes the status markers and the boxes of a plan in place. */
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

/* ---- Boxes */

/* The same words, whatever white space is between them. */
static bool same_words(ho_str a, ho_str b)
{
  a = ho_str_trim(a);
  b = ho_str_trim(b);
  size_t i = 0, k = 0;
  while (i < a.n && k < b.n) {
    bool space = isspace((unsigned char)a.p[i]), other = isspace((unsigned char)b.p[k]);
    if (space != other || (!space && a.p[i] != b.p[k]))
      return false;
    for (i++; space && i < a.n && isspace((unsigned char)a.p[i]);)
      i++;
    for (k++; space && k < b.n && isspace((unsigned char)b.p[k]);)
      k++;
  }
  return i == a.n && k == b.n;
}

static bool is_among(const ho_node *texts, ho_str text)
{
  HO_EACH_CONST (each, texts)
    if (same_words(ho_node_str(each), text))
      return true;
  return false;
}

/* Is there an empty box at `at`, at the beginning of an item: "- [ ]", "2. [ ]"? */
static bool is_open_box(const char *text, size_t at, size_t to)
{
  return at >= 2 && at + 3 <= to && memcmp(text + at, "[ ]", 3) == 0 && text[at - 1] == ' ' &&
         strchr("-*+.)", text[at - 2]);
}

ho_str ho_plan_steps_tick(const ho_plan_step *step, ho_arena *arena, ho_str text, const ho_node *done, size_t *left)
{
  char *copy = ho_arena_alloc(arena, text.n + 1);
  size_t from = step->section.n ? (size_t)(step->section.p - text.p) : 0, to = from + step->section.n;
  *left = 0;
  if (!copy)
    return text;
  memcpy(copy, text.p, text.n);
  copy[text.n] = '\0';
  for (size_t i = 0; i < step->task_count; i++) {
    const ho_plan_task *task = &step->tasks[i];
    if (task->done || task->begin + 3 > task->end || copy[task->begin + 2] != ']' || !is_among(done, task->text))
      continue;
    copy[task->begin + 1] = 'x';
    for (size_t at = task->begin + 3; at < task->end; at++)
      if (is_open_box(copy, at, task->end))
        copy[at + 1] = 'x';
  }
  for (size_t at = from; at < to; at++)
    *left += is_open_box(copy, at, to);
  return (ho_str){copy, text.n};
}

ho_str ho_plan_steps_untick(const ho_plan_step *step, ho_arena *arena, ho_str text, const ho_node *undone)
{
  char *copy = undone && undone->count ? ho_arena_alloc(arena, text.n + 1) : NULL;
  if (!copy)
    return text;
  memcpy(copy, text.p, text.n);
  copy[text.n] = '\0';
  for (size_t i = 0; i < step->task_count; i++) {
    const ho_plan_task *task = &step->tasks[i];
    if (task->done && task->begin + 3 <= task->end && copy[task->begin + 2] == ']' && is_among(undone, task->text))
      copy[task->begin + 1] = ' ';
  }
  return (ho_str){copy, text.n};
}
