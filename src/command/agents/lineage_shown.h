/* The result of `lineage` in its shapes. */
#ifndef HO_COMMAND_AGENTS_LINEAGE_SHOWN_H
#define HO_COMMAND_AGENTS_LINEAGE_SHOWN_H

#include "base/buf.h"
#include "command/command.h"

/* A tree for people: a run, its steps, their teammates. */
void ho_lineage_text(const ho_call *call, ho_buf *out, bool colour);
/* A flow chart: an arrow from each teammate to its successor. Nothing in a text can end its label. */
void ho_lineage_mermaid(ho_buf *out, const ho_node *result);
void ho_lineage_json(ho_buf *out, const ho_node *result);
#endif
