#include "command/agents/run_frame.h"

#include "base/term.h"
#include "command/wrap.h"
#include "engine/project/identity.h"
#include "engine/run/teammate_watch.h"

#define GREEN "\x1b[32m"
#define CYAN "\x1b[36m"
#define YELLOW "\x1b[33m"
#define RED "\x1b[31m"
#define DIM "\x1b[2m"
#define BOLD "\x1b[1m"

/* How the states of a step look; held ones as if they waited. */
static const struct {
  const char *glyph, *style;
} looks[] = {
    [HO_STEP_DONE] = {"\xe2\x9c\x93", GREEN}, [HO_STEP_RUNNING] = {"\xe2\x96\xb8", CYAN},
    [HO_STEP_GATED] = {"?", YELLOW},          [HO_STEP_FAILED] = {"\xe2\x9c\x97", RED},
    [HO_STEP_SKIPPED] = {"-", DIM},           [HO_STEP_WAITING] = {"\xc2\xb7", DIM},
};

enum { MOST_ROWS = 1000, BAR_LEAST = 10, BAR_MOST = 40, NARROW = 70 };

static ho_step_state look_of(const ho_run_step *step)
{
  return step->state == HO_STEP_HELD ? HO_STEP_WAITING : step->state;
}

/* --- lines --------------------------------------------------------------------------------------------------------- */

bool ho_frame_begin(ho_frame *frame, ho_arena *arena)
{
  frame->count = 0;
  frame->room = frame->rows < MOST_ROWS ? frame->rows : MOST_ROWS;
  frame->cells = ho_arena_array(arena, frame->room, sizeof *frame->cells);
  return frame->cells;
}

void ho_frame_line(ho_frame *frame, const char *style, ho_str left, ho_str right)
{
  size_t width = frame->columns - 1, right_cells = ho_term_cells(right);
  if (frame->count >= frame->room)
    return;
  if (right_cells + 8 > width)
    right_cells = 0;
  ho_buf_puts(&frame->text, frame->colour ? style : "");
  size_t before = frame->text.n;
  ho_put_cut(&frame->text, left, width - right_cells - (right_cells ? 2 : 0));
  size_t cells = ho_term_cells(ho_str_sub(ho_buf_str(&frame->text), before, frame->text.n));
  if (right_cells) {
    ho_buf_fill(&frame->text, ' ', width - right_cells - cells);
    ho_term_put(&frame->text, right, HO_TERM_LINE);
    cells = width;
  }
  ho_buf_puts(&frame->text, frame->colour && *style ? "\x1b[0m\x1b[K\n" : "\x1b[K\n");
  frame->cells[frame->count++] = (uint16_t)cells;
}

/* The two sides of a line. */
typedef struct sides {
  ho_buf left, right;
} sides;

static void start_line(sides *line)
{
  ho_buf_init(&line->left, 0);
  ho_buf_init(&line->right, 0);
}

static void end_line(ho_frame *frame, const char *style, sides *line)
{
  ho_frame_line(frame, style, ho_buf_str(&line->left), ho_buf_str(&line->right));
  ho_buf_free_into(&line->left, &frame->text);
  ho_buf_free_into(&line->right, &frame->text);
}

static void put_count(ho_buf *out, size_t count, const char *what)
{
  if (count)
    ho_buf_printf(out, "%s%zu %s", out->n ? " \xc2\xb7 " : "", count, what);
}

/* --- the run ------------------------------------------------------------------------------------------------------- */

typedef struct picture {
  ho_frame *frame;
  ho_arena *arena;
  const ho_run *run;
  const ho_plan_steps *plan;
  const ho_run_step *steps;
  size_t count;
  size_t number[HO_COUNT(looks)]; /* of steps that look so */
  const ho_look *seen;            /* of the teammates at work */
  int64_t tokens;                 /* of all of them, and those before */
  int64_t now;
} picture;

static void put_tokens(ho_buf *out, int64_t tokens)
{
  if (tokens >= 1000000)
    ho_buf_printf(out, "%.1fM tokens", (double)tokens / 1000000);
  else if (tokens >= 1000)
    ho_buf_printf(out, "%lldk tokens", (long long)(tokens / 1000));
  else
    ho_buf_printf(out, "%lld token%s", (long long)tokens, ho_plural((long long)tokens));
}

/* Looks at everybody who works, once. */
static void look_at_all(picture *p, const ho_project *project)
{
  size_t count = 0;
  while (ho_run_working(p->run, count))
    count++;
  ho_look *seen = ho_arena_array(p->arena, count + 1, sizeof *seen);
  for (size_t i = 0; i < p->count; i++)
    p->tokens += p->steps[i].tokens;
  for (size_t i = 0; seen && i < count; i++) {
    const ho_teammate *mate = ho_run_working(p->run, i);
    const ho_plan_step *planned = ho_plan_steps_find(p->plan, mate->step);
    if (planned)
      ho_look_at(project, p->arena, mate, ho_run_folder(p->run), planned->key, &seen[i]);
    p->tokens += seen[i].tokens;
  }
  p->seen = seen;
}

static void put_head(picture *p)
{
  const ho_run_row *about = ho_run_about(p->run);
  sides line;
  start_line(&line);
  ho_buf_printf(&line.left, "%.*s  %.*s", HO_ARG(about->title.n ? about->title : about->plan), HO_ARG(about->id));
  ho_buf_printf(&line.right, "%zu of %zu done", p->number[HO_STEP_DONE] + p->number[HO_STEP_SKIPPED], p->count);
  put_count(&line.right, p->number[HO_STEP_RUNNING], "running");
  put_count(&line.right, p->number[HO_STEP_GATED], p->frame->columns < NARROW ? "waiting" : "waiting for you");
  if (p->frame->rows < BAR_LEAST) {
    ho_buf_puts(&line.right, " \xc2\xb7 ");
    ho_put_elapsed(&line.right, p->now - about->started);
  }
  end_line(p->frame, BOLD, &line);
}

/* "[########--------]  37 %" */
static void put_bar(picture *p)
{
  size_t done = p->number[HO_STEP_DONE] + p->number[HO_STEP_SKIPPED];
  size_t width = p->frame->columns / 3 < BAR_MOST ? p->frame->columns / 3 : BAR_MOST;
  size_t filled = p->count ? width * done / p->count : width;
  sides line;
  start_line(&line);
  for (size_t i = 0; i < width; i++)
    ho_buf_puts(&line.left, i < filled ? "\xe2\x96\x88" : "\xe2\x96\x91");
  ho_buf_printf(&line.left, " %zu %%", p->count ? 100 * done / p->count : 100);
  if (p->tokens) {
    put_tokens(&line.right, p->tokens);
    ho_buf_puts(&line.right, " \xc2\xb7 ");
  }
  ho_put_elapsed(&line.right, p->now - ho_run_about(p->run)->started);
  end_line(p->frame, "", &line);
}

static void put_teammate(picture *p, const ho_look *look, const ho_teammate *mate)
{
  sides line;
  int percent = ho_look_percent(look);
  start_line(&line);
  ho_buf_printf(&line.left, "    %.*s %.*s", HO_ARG(ho_teammate_short(mate->id)),
                HO_ARG(ho_identity_name(mate->agent)));
  if (look->total)
    ho_buf_printf(&line.left, "  %zu/%zu", look->done, look->total);
  if (look->objective.n)
    ho_buf_printf(&line.left, " %.*s", HO_ARG(look->objective));
  if (percent >= 0)
    ho_buf_printf(&line.right, "context %d %% \xc2\xb7 ", percent);
  if (look->tokens) {
    put_tokens(&line.right, look->tokens);
    ho_buf_puts(&line.right, " \xc2\xb7 ");
  }
  ho_put_elapsed(&line.right, p->now - mate->started);
  end_line(p->frame, "", &line);
}

/* What a waiting step waits for. */
static void put_needs(ho_buf *out, const ho_plan_steps *plan, const ho_plan_step *step)
{
  for (size_t i = 0; i < step->need_count; i++)
    ho_buf_printf(out, "%s%.*s", i ? ", " : "after ", HO_ARG(plan->items[step->needs[i]].id));
}

static void put_step(picture *p, size_t index)
{
  const ho_run_step *step = &p->steps[index];
  ho_step_state look = look_of(step);
  sides line;
  start_line(&line);
  ho_buf_printf(&line.left, "%s %.*s  %.*s", looks[look].glyph, HO_ARG(step->step), HO_ARG(step->name));
  put_count(&line.right, step->teammates > 1 ? (size_t)step->teammates - 1 : 0,
            step->teammates == 2 ? "successor" : "successors");
  if (look == HO_STEP_WAITING && index < p->plan->count)
    put_needs(&line.right, p->plan, &p->plan->items[index]);
  if (step->started) {
    ho_buf_puts(&line.right, line.right.n ? " \xc2\xb7 " : "");
    ho_put_elapsed(&line.right, (step->ended ? step->ended : p->now) - step->started);
  }
  end_line(p->frame, looks[look].style, &line);
  if (look == HO_STEP_GATED) {
    start_line(&line);
    ho_buf_printf(&line.left, "    handoff gate show %.*s: %.*s", HO_ARG(step->gate), HO_ARG(step->why));
    end_line(p->frame, YELLOW, &line);
  }
  const ho_teammate *mate;
  for (size_t i = 0; look == HO_STEP_RUNNING && p->seen && (mate = ho_run_working(p->run, i)) != NULL; i++)
    if (ho_str_eq(mate->step, step->step))
      put_teammate(p, &p->seen[i], mate);
}

static void put_folded(picture *p, size_t count, const char *glyph, const char *what)
{
  sides line;
  if (!count)
    return;
  start_line(&line);
  ho_buf_printf(&line.left, "%s %zu %s", glyph, count, what);
  end_line(p->frame, DIM, &line);
}

/* If not everything fits, what is done is folded into one line, then what waits, then the last of those running. The last
 * `below` lines are for others. */
static void put_steps(picture *p, size_t below)
{
  size_t over = p->number[HO_STEP_DONE] + p->number[HO_STEP_SKIPPED], waits = p->number[HO_STEP_WAITING];
  size_t end = p->frame->room > p->frame->count + below ? p->frame->room - below : p->frame->count + 1;
  size_t busy = 2 * (p->count - over - waits), rows = end - p->frame->count;
  bool fold_done = over + busy + waits > rows;
  size_t shown = (fold_done ? 1 : over) + busy, room = rows > shown ? rows - shown : 0;
  size_t waiting_left = waits > room ? (room ? room - 1 : 0) : waits, hidden = 0, more = 0;
  size_t most = shown > rows && rows > 3 ? end - 2 : end; /* lines for the rest */
  if (fold_done)
    put_folded(p, over, looks[HO_STEP_DONE].glyph, "done");
  for (size_t i = 0; i < p->count; i++) {
    ho_step_state look = look_of(&p->steps[i]);
    if (look == HO_STEP_WAITING && !waiting_left) {
      hidden++;
      continue;
    }
    waiting_left -= look == HO_STEP_WAITING;
    if (fold_done && (look == HO_STEP_DONE || look == HO_STEP_SKIPPED))
      continue;
    size_t lines = look == HO_STEP_RUNNING || look == HO_STEP_GATED ? 2 : 1;
    if (p->frame->count + lines > most)
      more++;
    else
      put_step(p, i);
  }
  put_folded(p, more, looks[HO_STEP_RUNNING].glyph, "more");
  put_folded(p, hidden, looks[HO_STEP_WAITING].glyph, "wait");
}

void ho_frame_draw(ho_frame *frame, ho_arena *arena, const ho_run *run, const ho_project *project, size_t below)
{
  picture p = {.frame = frame, .arena = arena, .run = run, .plan = ho_run_plan(run), .now = ho_run_now(run)};
  p.steps = ho_run_steps(run, &p.count);
  for (size_t i = 0; i < p.count; i++)
    p.number[look_of(&p.steps[i])]++;
  look_at_all(&p, project);
  put_head(&p);
  if (frame->rows >= BAR_LEAST)
    put_bar(&p);
  put_steps(&p, below);
}
