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

/* Draws the run: its steps, who works on them, and `said`, the newest sentence about it. The text is left in the frame,
 * and what is needed on the way comes from `arena`. */
void ho_frame_draw(ho_frame *frame, ho_arena *arena, const ho_run *run, const ho_project *project, ho_str said);
#endif
