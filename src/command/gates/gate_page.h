/* A gate for somebody who reads it at a terminal: what is asked, by whom, what was done, what each decision leads to, and
 * what has been said. Rows that begin with "| " are what others wrote (engine/ledger/person.h). */
#ifndef HO_COMMAND_GATES_GATE_PAGE_H
#define HO_COMMAND_GATES_GATE_PAGE_H

#include "command/gate_shown.h"

typedef struct ho_gate_page {
  const ho_gate *gate;
  const ho_node *shown; /* what ho_gate_shown_put made of it, with the document */
  size_t at, of;        /* the first of three */
  size_t columns, rows;
  int64_t now;
  bool colour;
} ho_gate_page;

/* What a decision needs, in about a screen. */
void ho_gate_page_put(ho_buf *out, ho_arena *arena, const ho_gate_page *page);
/* Every word of the documents, with their digests. */
void ho_gate_page_whole(ho_buf *out, const ho_gate_page *page);
#endif
