#include "store/sql.h"

static const char *const texts[] = {
#define X(name, text) text,
    HO_STATEMENTS(X)
#undef X
};

/* Statements ($n), rows and structs go by a column's number, so the n-th entry of a list must have the number n. */
#define NUMBERED(COLUMNS)                                                                                              \
  {                                                                                                                    \
    enum { COLUMNS(PLACE, PLACE) };                                                                                    \
    COLUMNS(CHECK, CHECK)                                                                                              \
  }
#define PLACE(n, kind, column, ...) PLACE_##column,
#define CHECK(n, kind, column, ...)                                                                                    \
  _Static_assert((n) == PLACE_##column + 1, "column " #column ": its number " #n " is not its place in the list");

const char *ho_sql_text(ho_sql statement)
{
  NUMBERED(HO_HANDOFF_COLUMNS)
  NUMBERED(HO_HANDOFF_BRIEF_COLUMNS)
  NUMBERED(HO_EVENT_COLUMNS)
  NUMBERED(HO_FILE_COLUMNS)
  NUMBERED(HO_GATE_COLUMNS)
  NUMBERED(HO_KNOWN_COLUMNS)
  NUMBERED(HO_RUN_COLUMNS)
  NUMBERED(HO_RUN_STEP_COLUMNS)
  NUMBERED(HO_TEAMMATE_COLUMNS)
  return texts[statement];
}
