/* Marks of a handoff: small named values stored with its row, as JSON. */
#ifndef HO_ENGINE_LEDGER_MARKS_H
#define HO_ENGINE_LEDGER_MARKS_H

#include "store/handoffs/handoffs.h"

/* A value set by an earlier ho_marks_set in row->marks, or "". */
ho_str ho_marks_get(const ho_handoff *row, ho_arena *arena, const char *key);
/* "" removes it. */
void ho_marks_set(ho_handoff *row, ho_arena *arena, const char *key, ho_str value);
#endif
