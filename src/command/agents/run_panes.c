#include "command/agents/run_panes.h"

#include "base/term.h"
#include "command/wrap.h"
#include "engine/project/identity.h"
#include "engine/run/teammate_watch.h"

#define DIM "\x1b[2m"
#define BOLD "\x1b[1m"
#define YELLOW "\x1b[33m"

enum { SMALL = 10, LARGE = 20, FEW = 3, MORE = 6, INDENT = 8 };

void ho_run_panes_add(ho_run_events *events, ho_str begin, ho_str said)
{
  size_t at = events->count++ % HO_RUN_PANES_EVENTS;
  ho_error_copy(events->items[at].begin, sizeof events->items[at].begin, begin);
  ho_error_copy(events->items[at].said, sizeof events->items[at].said, said);
}

/* ---- Events. */

size_t ho_run_panes_below(const ho_frame *frame, const ho_run_events *events)
{
  size_t most = frame->rows >= LARGE ? MORE : frame->rows >= SMALL ? FEW : 1;
  return (events->count < most ? events->count : most) + (frame->rows >= SMALL) + 1;
}

void ho_run_panes_events(ho_frame *frame, ho_arena *arena, const ho_run_events *events)
{
  bool ruled = frame->rows >= SMALL;
  size_t room = frame->room > frame->count + 1 + ruled ? frame->room - frame->count - 1 - ruled : 0, lines = 0, from;
  size_t oldest = events->count > HO_RUN_PANES_EVENTS ? events->count - HO_RUN_PANES_EVENTS : 0;
  ho_str *wrapped = ho_arena_array(arena, events->count - oldest + 1, sizeof *wrapped);
  if (!wrapped || !room)
    return;
  for (from = events->count; from > oldest; from--) { /* the newest that fit, whole */
    ho_buf text;
    ho_str line, rest;
    size_t high = 0;
    ho_buf_init(&text, 0);
    size_t at = (from - 1) % HO_RUN_PANES_EVENTS;
    ho_buf_puts(&text, events->items[at].begin);
    ho_wrap_to(&text, ho_str_of(events->items[at].said), frame->columns - 1, INDENT,
               ho_term_cells(ho_str_of(events->items[at].begin)));
    rest = wrapped[from - 1 - oldest] = ho_buf_move(&text, arena);
    while (ho_str_next_line(&rest, &line))
      high++;
    if (lines + high > room && lines)
      break;
    lines += high;
  }
  if (ruled && from < events->count)
    ho_frame_line(frame, DIM, HO_STR("\xe2\x94\x80 what happened \xe2\x94\x80"), HO_EMPTY);
  for (size_t i = from, at = 0; i < events->count; i++)
    for (ho_str rest = wrapped[i - oldest], line; at < room && ho_str_next_line(&rest, &line); at++)
      ho_frame_line(frame, "", line, HO_EMPTY);
}

/* ---- The last line. */

const ho_run_step *ho_run_panes_gated(const ho_run *run)
{
  size_t count;
  const ho_run_step *steps = ho_run_steps(run, &count);
  for (size_t i = 0; i < count; i++)
    if (steps[i].state == HO_STEP_GATED)
      return &steps[i];
  return NULL;
}

/* Adds what still fits; what does not is left out whole. */
static void add(ho_buf *out, size_t width, const char *part)
{
  static const char between[] = " \xc2\xb7 ";
  size_t cells = ho_term_cells(ho_buf_str(out)) + 3 + ho_term_cells(ho_str_of(part));
  if (cells <= width)
    ho_buf_printf(out, "%s%s", between, part);
}

void ho_run_panes_foot(ho_frame *frame, const ho_run *run, bool keys, bool followed)
{
  ho_buf line;
  char decide[128];
  size_t width = frame->columns - 1;
  const ho_run_step *gated = ho_run_panes_gated(run);
  bool works = ho_run_working(run, 0);
  ho_buf_init(&line, 0);
  ho_buf_puts(&line, !ho_run_interrupts(run) ? "Ctrl-C stop" : works ? "Ctrl-C stop the teammates" : "stopping");
  if (gated) {
    snprintf(decide, sizeof decide,
             keys ? "g decide %.*s" : "decide elsewhere: handoff gate decide %.*s approve|reject", HO_ARG(gated->gate));
    add(&line, width, decide);
  }
  if (keys) {
    add(&line, width, followed ? "l back" : width < 70 ? "q leave" : "q leave it running");
    add(&line, width, followed ? "n next log" : works ? "l log" : "? help");
    if (followed || works)
      add(&line, width, "? help");
  }
  frame->room = frame->rows; /* it was kept free */
  ho_frame_line(frame, gated ? YELLOW : DIM, ho_buf_str(&line), HO_EMPTY);
  ho_buf_free_into(&line, &frame->text);
}

/* ---- In place of the steps. */

void ho_run_panes_log(ho_frame *frame, const ho_teammate *mate, int64_t now, ho_str text)
{
  ho_buf head, right;
  ho_str line;
  size_t lines = 0, room = frame->room > 2 ? frame->room - 2 : 1;
  ho_buf_init(&head, 0);
  ho_buf_init(&right, 0);
  ho_buf_printf(&head, "%.*s  %.*s: its log", HO_ARG(mate->id), HO_ARG(ho_identity_name(mate->agent)));
  ho_put_elapsed(&right, now - mate->started);
  ho_frame_line(frame, BOLD, ho_buf_str(&head), ho_buf_str(&right));
  for (ho_str rest = text; ho_str_next_line(&rest, &line);)
    lines++;
  for (ho_str rest = text; ho_str_next_line(&rest, &line); lines--)
    if (lines <= room)
      ho_frame_line(frame, "", line, HO_EMPTY);
  if (!text.n)
    ho_frame_line(frame, DIM, HO_STR("nothing yet"), HO_EMPTY);
  ho_buf_free_into(&head, &frame->text);
  ho_buf_free_into(&right, &frame->text);
}

void ho_run_panes_help(ho_frame *frame)
{
  static const char *const lines[] = {
      "l       follow a teammate's log; n the next one's, l back", "g       decide the gates that wait, here",
      "q       leave the run running in the background",           "?       these keys; any key goes back",
      "Ctrl-C  start nothing new; once more: stop the teammates",
  };
  ho_frame_line(frame, BOLD, HO_STR("Keys"), HO_EMPTY);
  for (size_t i = 0; i < HO_COUNT(lines); i++)
    ho_frame_line(frame, "", ho_str_of(lines[i]), HO_EMPTY);
}
