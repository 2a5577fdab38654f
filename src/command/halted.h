/* Halted tasks in results. */
#ifndef HO_COMMAND_HALTED_H
#define HO_COMMAND_HALTED_H

#include "base/buf.h"
#include "engine/ledger/halt.h"
#include "model/format.h"

/* {task, id, by, to, why, since} */
extern const ho_record ho_halted_record;
ho_node *ho_halted_node(const ho_halt *halt, ho_arena *arena);
/* The list for people, under a heading that says how to resume a task; nothing if it is empty. */
void ho_halted_put(ho_buf *out, const ho_node *list, bool colour);
#endif
