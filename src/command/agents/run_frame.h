/* One picture of a run, line by line, as high and wide as a terminal allows. */
#ifndef HO_COMMAND_AGENTS_RUN_FRAME_H
#define HO_COMMAND_AGENTS_RUN_FRAME_H

#include "engine/run/run.h"

typedef struct ho_frame {
  ho_buf text;     /* the lines, each ended by "\x1b[K\n" */
  uint16_t *cells; /* of each line: how wide it is */
  size_t count, room;
  unsigned columns, rows; /* that may be used */
  bool colour;
} ho_frame;

/* Makes room for its lines; false: there is no memory. */
bool ho_frame_begin(ho_frame *frame, ho_arena *arena);
/* A line with something at its left and right; the left is cut if both do not fit. A style is for the whole line. */
void ho_frame_line(ho_frame *frame, const char *style, ho_str left, ho_str right);
/* The run: its steps, and who works on them. `below` lines are left for what comes below it. What is needed on the way comes
 * from `arena`. */
void ho_frame_draw(ho_frame *frame, ho_arena *arena, const ho_run *run, const ho_project *project, size_t below);
#endif
