#include "command/agents/run_view.h"

#include "base/term.h"
#include "base/proc/front.h"
#include "command/agents/run_keys.h"
#include "command/agents/run_panes.h"
#include "command/ledger_call.h"
#include "command/wrap.h"
#include "engine/project/identity.h"
#include "engine/run/teammate_watch.h"

#include <signal.h>
#include <sys/pidfd.h>
#include <unistd.h>

enum { TICK_MS = 1000, NARROW = 7, WIDE = 20 };

typedef enum pane { PANE_STEPS, PANE_LOG, PANE_HELP } pane;

typedef struct view {
  ho_run_watch watch;
  ho_call *call;
  const ho_project *project;
  bool live, keys;  /* on a terminal; with somebody who can press keys */
  size_t width;     /* of the first column of lines */
  ho_arena scratch; /* of one frame */
  /* The frame that stands on the terminal: how wide its lines are. */
  uint16_t cells[1000];
  size_t drawn;
  ho_run_events events;
  uint64_t told; /* hash of the sentence about how the newest teammate ended: a step that waits says it again */
  pane pane;
  ho_str followed; /* id of the teammate whose log is shown */
  bool over;       /* the last frame: no keys any more */
  pid_t lent;      /* to whom the terminal is lent (ho_run_keys_decide), or 0 */
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

/* The teammate whose log is shown, or NULL if it has ended. */
static const ho_teammate *followed(const view *v, const ho_run *run, size_t *at)
{
  const ho_teammate *mate;
  for (size_t i = 0; (mate = ho_run_working(run, i)) != NULL; i++)
    if (ho_str_eq(mate->id, v->followed)) {
      *at = i;
      return mate;
    }
  return NULL;
}

static void put_panes(view *v, ho_frame *frame, const ho_run *run)
{
  size_t at;
  const ho_teammate *mate = v->pane == PANE_LOG ? followed(v, run, &at) : NULL;
  if (v->pane == PANE_LOG && !mate)
    v->pane = PANE_STEPS;
  if (v->pane == PANE_HELP) {
    ho_run_panes_help(frame);
  } else if (mate) {
    ho_run_panes_log(frame, mate, ho_run_now(run), ho_run_keys_log(&v->scratch, v->project, mate));
  } else {
    ho_frame_draw(frame, &v->scratch, run, v->project, ho_run_panes_below(frame, &v->events));
    ho_run_panes_events(frame, &v->scratch, &v->events);
  }
  if (!v->over)
    ho_run_panes_foot(frame, run, v->keys, mate != NULL);
}

/* Everything in one write, between marks that let a terminal show it at once, so that nothing flickers. */
static void draw(view *v, const ho_run *run)
{
  ho_frame frame = {.columns = ho_term_width(STDOUT_FILENO),
                    .rows = ho_term_height(STDOUT_FILENO) - 1,
                    .colour = ho_term_colour(STDOUT_FILENO)};
  ho_buf out;
  if (v->lent)
    return;
  ho_buf_init(&out, 0);
  ho_buf_init(&frame.text, 0);
  ho_arena_reset(&v->scratch);
  bool room = ho_frame_begin(&frame, &v->scratch);
  if (room)
    put_panes(v, &frame, run);
  ho_buf_puts(&out, "\x1b[?2026h");
  go_back(v, &out, frame.columns);
  ho_buf_put(&out, ho_buf_str(&frame.text));
  ho_buf_puts(&out, "\x1b[J\x1b[?2026l");
  if (!out.failed && !frame.text.failed && room) {
    v->call->host->show(v->call->host->world, ho_buf_str(&out));
    v->drawn = frame.count;
    memcpy(v->cells, frame.cells, frame.count * sizeof *v->cells);
  }
  ho_buf_free(&frame.text);
  ho_buf_free(&out);
}

/* What others write begins where the view was. */
static void clear(view *v)
{
  ho_buf out;
  ho_buf_init(&out, 0);
  go_back(v, &out, ho_term_width(STDOUT_FILENO));
  ho_buf_puts(&out, "\x1b[J");
  v->call->host->show(v->call->host->world, ho_buf_str(&out));
  v->drawn = 0;
  ho_buf_free(&out);
}

/* --- keys ---------------------------------------------------------------------------------------------------------- */

static void lend(view *v, const ho_run *run)
{
  if (!ho_run_panes_gated(run)) {
    ho_run_panes_add(&v->events, HO_EMPTY, HO_STR("no gate waits for a decision"));
    return;
  }
  clear(v);
  ho_term_keys_end();
  v->lent = ho_run_keys_decide(v->call);
  v->watch.keys = v->lent > 0 ? pidfd_open(v->lent, 0) : -1;
  if (v->lent < 0) {
    v->lent = 0;
    ho_run_panes_add(&v->events, HO_EMPTY, HO_STR("run in another terminal: handoff gate"));
  }
}

/* The terminal is ours again: below what stands there. */
static void take_back(view *v)
{
  ho_front_take(v->lent);
  if (v->watch.keys >= 0)
    close(v->watch.keys);
  v->lent = 0;
  v->drawn = 0;
  v->watch.keys = ho_term_keys_begin() ? STDIN_FILENO : -1;
}

static void leave(view *v, const ho_run *run)
{
  clear(v);
  v->keys = v->live = !ho_run_keys_leave(v->call, v->project, run);
  if (v->live) {
    ho_run_panes_add(&v->events, HO_EMPTY, HO_STR("the run cannot be left; it ends with this terminal"));
    v->watch.keys = ho_term_keys_begin() ? STDIN_FILENO : -1;
    return;
  }
  v->watch.tick = NULL;
  v->watch.key = NULL;
}

/* The first one's log, or the next one's. */
static void follow(view *v, const ho_run *run)
{
  size_t at = 0;
  const ho_teammate *mate = v->pane == PANE_LOG && followed(v, run, &at) ? ho_run_working(run, at + 1) : NULL;
  mate = mate ? mate : ho_run_working(run, 0);
  if (mate)
    v->followed = ho_arena_copy(v->call->arena, mate->id);
  v->pane = mate ? PANE_LOG : PANE_STEPS;
}

static void press(view *v, const ho_run *run, int key)
{
  if (v->pane == PANE_HELP || (v->pane == PANE_LOG && key == 'l'))
    v->pane = PANE_STEPS;
  else if (key == 'l' || (key == 'n' && v->pane == PANE_LOG))
    follow(v, run);
  else if (key == '?')
    v->pane = PANE_HELP;
  else if (key == 'g')
    lend(v, run);
  else if (key == 'q')
    leave(v, run);
}

static void key(void *data, const ho_run *run)
{
  view *v = data;
  int pressed = HO_TERM_NO_KEY;
  if (v->lent)
    take_back(v);
  while (v->keys && !v->lent && (pressed = ho_term_keys_next()) >= 0)
    press(v, run, pressed);
  if (pressed == HO_TERM_GONE) {
    v->keys = false;
    v->watch.keys = -1;
  }
  if (v->live)
    draw(v, run);
}

/* Only so that the lead wakes up. */
static void resized(int number)
{
  (void)number;
}

static void begin_keys(view *v)
{
  struct sigaction woken = {.sa_handler = resized};
  sigaction(SIGWINCH, &woken, NULL);
  if (v->keys && ho_term_keys_begin()) {
    v->watch.key = key;
    v->watch.keys = STDIN_FILENO;
  } else {
    v->keys = false;
  }
}

/* --- lines --------------------------------------------------------------------------------------------------------- */

/* "1.2     handoff   the context is full": on a terminal the last line of the view. */
static void say(view *v, const ho_run *run, ho_str who, const char *what, ho_str rest)
{
  ho_buf line, said;
  ho_buf_init(&line, 0);
  ho_buf_init(&said, 0);
  ho_put_padded(&line, who, v->width);
  ho_buf_putc(&line, ' ');
  if (rest.n) {
    ho_put_padded(&line, ho_str_of(what), 9);
    ho_buf_putc(&line, ' ');
    ho_term_put(&said, rest, HO_TERM_LINE);
  } else {
    ho_buf_puts(&said, what);
  }
  ho_run_panes_add(&v->events, ho_buf_str(&line), ho_buf_str(&said));
  ho_buf_put(&line, ho_buf_str(&said));
  ho_buf_free_into(&said, &line);
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
  view *v = data;
  ho_buf_printf(&rest, "%.*s: %.*s; run: handoff gate show %.*s", HO_ARG(step->gate), HO_ARG(step->why),
                HO_ARG(step->gate));
  if (v->live && !v->lent) /* somebody may look elsewhere */
    v->call->host->show(v->call->host->world, HO_STR("\a"));
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
  if (v->lent)
    take_back(v);
  if (v->live) {
    v->over = true;
    v->pane = PANE_STEPS;
    draw(v, run);
  }
  if (v->keys)
    ho_term_keys_end();
  ho_arena_free(&v->scratch);
}

const ho_run_watch *ho_run_view_new(ho_call *call, const ho_project *project, bool keys)
{
  view *v = call->host->show ? HO_NEW(call->arena, view) : NULL;
  if (!v)
    return NULL;
  v->call = call;
  v->project = project;
  v->live = call->host->live;
  v->keys = keys;
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
    begin_keys(v);
  }
  return &v->watch;
}
