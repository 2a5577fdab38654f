/* Marks of a handoff: small named values that are kept with its row, as JSON. */
#ifndef HO_ENGINE_LEDGER_MARKS_H
#define HO_ENGINE_LEDGER_MARKS_H

#include "store/handoffs/handoffs.h"

/* A value that an earlier ho_marks_set left in row->marks, or "". */
ho_str ho_marks_get(const ho_handoff *row, ho_arena *arena, const char *key);
/* "" takes it out. */
void ho_marks_set(ho_handoff *row, ho_arena *arena, const char *key, ho_str value);
#endif
