#include "command/agents/run_view.h"

#include "base/term.h"
#include "command/ledger_call.h"
#include "command/agents/run_frame.h"
#include "command/wrap.h"
#include "engine/project/identity.h"
#include "engine/run/teammate_watch.h"

#include <unistd.h>

enum { TICK_MS = 1000, SAID = 512, NARROW = 7, WIDE = 20 };

typedef struct view {
  ho_run_watch watch;
  ho_call *call;
  const ho_project *project;
  bool live;
  size_t width;     /* of the first column of lines */
  ho_arena scratch; /* of one frame */
  /* The frame that stands on the terminal: how wide its lines are. */
  uint16_t cells[1000];
  size_t drawn;
  char said[SAID];
  uint64_t told; /* hash of the sentence about how the newest teammate ended: a step that waits says it again */
} view;

/* --- on a terminal ------------------------------------------------------------------------------------------------- */

/* Back to the first line of the last frame. A terminal that became narrower in between has wrapped its lines. */
static void go_back(view *v, ho_buf *out, unsigned columns)
{
  size_t up = 0;
  for (size_t i = 0; i < v->drawn; i++)
    up += v->cells[i] > columns ? (v->cells[i] + columns - 1) / columns : 1;
  if (up)
    ho_buf_printf(out, "\r\x1b[%zuA", up);
}

/* Everything in one write, between marks that let a terminal show it at once, so that nothing flickers. */
static void draw(view *v, const ho_run *run)
{
  ho_frame frame = {.columns = ho_term_width(STDOUT_FILENO),
                    .rows = ho_term_height(STDOUT_FILENO) - 1,
                    .colour = ho_term_colour(STDOUT_FILENO)};
  ho_buf out;
  ho_buf_init(&out, 0);
  ho_buf_init(&frame.text, 0);
  ho_arena_reset(&v->scratch);
  ho_frame_draw(&frame, &v->scratch, run, v->project, ho_str_of(v->said));
  ho_buf_puts(&out, "\x1b[?2026h");
  go_back(v, &out, frame.columns);
  ho_buf_put(&out, ho_buf_str(&frame.text));
  ho_buf_puts(&out, "\x1b[J\x1b[?2026l");
  if (!out.failed && !frame.text.failed && frame.cells) {
    v->call->host->show(v->call->host->world, ho_buf_str(&out));
    v->drawn = frame.count;
    memcpy(v->cells, frame.cells, frame.count * sizeof *v->cells);
  }
  ho_buf_free(&frame.text);
  ho_buf_free(&out);
}

/* --- lines --------------------------------------------------------------------------------------------------------- */

/* "1.2     handoff   the context is full": on a terminal the last line of the view. */
static void say(view *v, const ho_run *run, ho_str who, const char *what, ho_str rest)
{
  ho_buf line;
  ho_buf_init(&line, 0);
  ho_put_padded(&line, who, v->width);
  ho_buf_putc(&line, ' ');
  if (rest.n) {
    ho_put_padded(&line, ho_str_of(what), 9);
    ho_buf_putc(&line, ' ');
    ho_term_put(&line, rest, HO_TERM_LINE);
  } else {
    ho_buf_puts(&line, what);
  }
  ho_error_copy(v->said, sizeof v->said, ho_buf_str(&line));
  ho_buf_putc(&line, '\n');
  if (v->live)
    draw(v, run);
  else if (!line.failed)
    v->call->host->show(v->call->host->world, ho_buf_str(&line));
  ho_buf_free(&line);
}

/* On a terminal it stays above the view. */
static void command(void *data, const ho_run *run, ho_str line)
{
  static const char label[] = "teammates run: ";
  view *v = data;
  ho_buf out;
  (void)run;
  ho_buf_init(&out, 0);
  ho_buf_puts(&out, label);
  if (v->live) {
    ho_wrap_to(&out, line, ho_term_width(STDOUT_FILENO), 2, sizeof label - 1);
  } else {
    ho_term_put(&out, line, HO_TERM_LINE);
    ho_buf_putc(&out, '\n');
  }
  if (!out.failed)
    v->call->host->show(v->call->host->world, ho_buf_str(&out));
  ho_buf_free(&out);
}

static void begun(void *data, const ho_run *run)
{
  view *v = data;
  const ho_run_row *about = ho_run_about(run);
  size_t count;
  bool again = false;
  ho_buf rest;
  const ho_run_step *steps = ho_run_steps(run, &count);
  for (size_t i = 0; i < count; i++) {
    size_t cells = ho_term_cells(steps[i].step) + 2; /* STEP.N */
    again = again || steps[i].teammates > 0;
    v->width = cells > v->width && cells <= WIDE ? cells : v->width;
  }
  ho_buf_init(&rest, 0);
  ho_buf_printf(&rest, "%.*s, %zu %s%s in %u wave%s", HO_ARG(about->plan), count, ho_run_view_part(about->plan),
                ho_plural((long long)count), ho_run_plan(run)->waves, ho_plural(ho_run_plan(run)->waves));
  say(v, run, about->id, again ? "continues" : "starts", ho_buf_str(&rest));
  ho_buf_free(&rest);
}

static void started(void *data, const ho_run *run, const ho_run_step *step, const ho_teammate *mate)
{
  ho_str from = mate->from_path.n ? mate->from_path : mate->from_id;
  ho_buf rest;
  ho_buf_init(&rest, 0);
  if (mate->n > 1)
    ho_buf_printf(&rest, "%.*s continues%s%.*s", HO_ARG(ho_identity_name(mate->agent)), from.n ? " from " : "",
                  HO_ARG(from));
  else
    ho_buf_printf(&rest, "%.*s: %.*s", HO_ARG(ho_identity_name(mate->agent)),
                  HO_ARG(step->name.n ? step->name : step->step));
  say(data, run, ho_teammate_short(mate->id), "starts", ho_buf_str(&rest));
  ho_buf_free(&rest);
}

static void adopted(void *data, const ho_run *run, const ho_run_step *step, const ho_teammate *mate)
{
  (void)step;
  say(data, run, ho_teammate_short(mate->id), "found", HO_STR("still working"));
}

static void ended(void *data, const ho_run *run, const ho_run_step *step, const ho_teammate *mate)
{
  ho_buf rest;
  view *v = data;
  (void)step;
  v->told = ho_str_hash(mate->why);
  ho_buf_init(&rest, 0);
  ho_buf_puts(&rest, "after ");
  ho_put_elapsed(&rest, mate->ended - mate->started);
  if (mate->why.n)
    ho_buf_printf(&rest, ": %.*s", HO_ARG(mate->why));
  say(data, run, ho_teammate_short(mate->id), ho_words_name(&ho_outcomes, mate->outcome), ho_buf_str(&rest));
  ho_buf_free(&rest);
}

static void changed(void *data, const ho_run *run, const ho_run_step *step)
{
  view *v = data;
  bool done = step->state == HO_STEP_DONE, told = ho_str_hash(step->why) == v->told;
  if (step->state == HO_STEP_GATED || (told && step->state == HO_STEP_WAITING)) {
    if (v->live)
      draw(v, run);
    return;
  }
  bool decided =
      step->state == HO_STEP_WAITING && step->gate.n && ho_str_has(step->why, ho_arena_z(v->call->arena, step->gate));
  say(v, run, step->step, decided ? "decided" : ho_words_name(&ho_step_states, step->state),
      (done && told) || !step->why.n ? step->name : step->why);
}

static void gate(void *data, const ho_run *run, const ho_run_step *step)
{
  ho_buf rest;
  ho_buf_init(&rest, 0);
  ho_buf_printf(&rest, "%.*s: %.*s; run: handoff gate show %.*s", HO_ARG(step->gate), HO_ARG(step->why),
                HO_ARG(step->gate));
  say(data, run, step->step, "asks", ho_buf_str(&rest));
  ho_buf_free(&rest);
}

static void note(void *data, const ho_run *run, ho_str sentence)
{
  say(data, run, HO_STR("note"), "", sentence);
}

static void tick(void *data, const ho_run *run)
{
  draw(data, run);
}

static void finished(void *data, const ho_run *run)
{
  view *v = data;
  if (v->live) {
    v->said[0] = '\0';
    draw(v, run);
  }
  ho_arena_free(&v->scratch);
}

const ho_run_watch *ho_run_view_new(ho_call *call, const ho_project *project)
{
  view *v = call->host->show ? HO_NEW(call->arena, view) : NULL;
  if (!v)
    return NULL;
  v->call = call;
  v->project = project;
  v->live = call->host->live;
  v->width = NARROW;
  ho_arena_init(&v->scratch, 0);
  v->watch = (ho_run_watch){.data = v,
                            .command = command,
                            .begun = begun,
                            .started = started,
                            .adopted = adopted,
                            .ended = ended,
                            .changed = changed,
                            .gate = gate,
                            .note = note,
                            .finished = finished};
  if (v->live) {
    v->watch.tick = tick;
    v->watch.tick_ms = TICK_MS;
  }
  return &v->watch;
}
